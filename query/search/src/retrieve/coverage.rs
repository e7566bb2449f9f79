//! Which files contain which words: the postings of each word are read by seeking from file to file.

use std::ops::Range;

use sextant_format::ids::ChunkId;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet as _, TERMINATED, Term};

use crate::catalog::HasRowDocMap as _;
use crate::query_analysis::{AnalyzedQuery, variants};
use crate::rank::term_coverage;
use crate::{Index, Result};

/// Returns the share of the query's words that each range of chunks contains, 0 to 1. `ranges` are in ascending
/// order. The rarity of a word is counted among these ranges.
pub(crate) fn range_coverage(index: &Index, query: &AnalyzedQuery, ranges: &[Range<ChunkId>]) -> Result<Vec<f32>> {
    let text = index.chunks()?;
    // The documents of the ranges in each segment, ascending: first, last, number of the range.
    let mut segment_ranges: Vec<Vec<(DocId, DocId, usize)>> = vec![Vec::new(); text.searcher.segment_readers().len()];
    for (n, range) in ranges.iter().enumerate() {
        for run in text.catalog.row_doc_map().runs(range.clone()) {
            segment_ranges[run.ordinal as usize].push((run.first, run.last, n));
        }
    }
    segment_ranges.iter_mut().for_each(|segment_ranges| segment_ranges.sort_unstable());
    let mut range_hits: Vec<Vec<bool>> = Vec::new();
    for word in &query.words {
        let mut hits = vec![false; ranges.len()];
        let forms = std::iter::once(word.clone()).chain(variants(word));
        for form in forms {
            let term = Term::from_field_text(text.fields.body, &form);
            for (reader, segment_ranges) in text.searcher.segment_readers().iter().zip(&segment_ranges) {
                let found = reader.inverted_index(text.fields.body)?.read_postings(&term, IndexRecordOption::Basic);
                let Some(mut postings) = found.map_err(tantivy::TantivyError::from)?.filter(|p| p.doc_freq() > 0)
                else {
                    continue;
                };
                let mut at = postings.doc();
                for &(first, last, range) in segment_ranges {
                    if hits[range] {
                        continue;
                    }
                    if at < first {
                        at = postings.seek(first);
                    }
                    if at == TERMINATED {
                        break;
                    }
                    hits[range] = at <= last;
                }
            }
        }
        range_hits.push(hits);
    }
    Ok(term_coverage(&range_hits, &query.weights, ranges.len()))
}
