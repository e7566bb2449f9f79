//! Which files hold which words: the postings of each word, leapt through from file to file.

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet as _, TERMINATED, Term};

use crate::catalog::HasPlaces as _;
use crate::rank::coverage as shares;
use crate::understand::{Query, variants};
use crate::{Index, Result};

/// For each range of chunks, first and last, in ascending order: which share of the query's words it holds.
/// How rare a word is, is counted among these.
pub(crate) fn coverage(index: &Index, query: &Query, ranges: &[(u32, u32)]) -> Result<Vec<f32>> {
    let text = index.chunks()?;
    // Where the ranges are in each segment, in the order of its documents: first, last, and the range's number.
    let mut places: Vec<Vec<(DocId, DocId, usize)>> = vec![Vec::new(); text.searcher.segment_readers().len()];
    for (n, &(first, last)) in ranges.iter().enumerate() {
        for run in text.catalog.places().runs(first..last.saturating_add(1)) {
            places[run.ordinal as usize].push((run.first, run.last, n));
        }
    }
    places.iter_mut().for_each(|places| places.sort_unstable());
    let mut held: Vec<Vec<bool>> = Vec::new();
    for word in &query.words {
        let mut has = vec![false; ranges.len()];
        let forms = std::iter::once(word.clone()).chain(variants(word));
        for form in forms {
            let term = Term::from_field_text(text.fields.body, &form);
            for (reader, places) in text.searcher.segment_readers().iter().zip(&places) {
                let found = reader.inverted_index(text.fields.body)?.read_postings(&term, IndexRecordOption::Basic);
                let Some(mut postings) = found.map_err(tantivy::TantivyError::from)?.filter(|p| p.doc_freq() > 0)
                else {
                    continue;
                };
                let mut at = postings.doc();
                for &(first, last, range) in places {
                    if has[range] {
                        continue;
                    }
                    if at < first {
                        at = postings.seek(first);
                    }
                    if at == TERMINATED {
                        break;
                    }
                    has[range] = at <= last;
                }
            }
        }
        held.push(has);
    }
    Ok(shares(&held, &query.weights, ranges.len()))
}
