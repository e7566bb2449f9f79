//! Which files hold which words: the postings of each word, leapt through from file to file.

use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet as _, TERMINATED, Term};

use crate::rank::coverage as shares;
use crate::understand::{Query, variants};
use crate::{Index, Result};

/// For each range of chunks, first and last, in ascending order: which share of the query's words it holds.
/// How rare a word is, is counted among these.
pub(crate) fn coverage(index: &Index, query: &Query, ranges: &[(u32, u32)]) -> Result<Vec<f32>> {
    let text = index.chunks()?;
    let mut held: Vec<Vec<bool>> = Vec::new();
    for word in &query.words {
        let mut has = vec![false; ranges.len()];
        let forms = std::iter::once(word.clone()).chain(variants(word));
        for form in forms {
            let term = Term::from_field_text(text.fields.body, &form);
            for (ordinal, reader) in text.searcher.segment_readers().iter().enumerate() {
                let found = reader.inverted_index(text.fields.body)?.read_postings(&term, IndexRecordOption::Basic);
                let Some(mut postings) = found.map_err(tantivy::TantivyError::from)?.filter(|p| p.doc_freq() > 0)
                else {
                    continue;
                };
                let segment = text.catalog.segment(ordinal);
                let mut at = postings.doc();
                for (range, has) in ranges.iter().zip(&mut has).filter(|(_, has)| !**has) {
                    let Some((first, last)) = segment.documents(*range) else { continue };
                    if at < first {
                        at = postings.seek(first);
                    }
                    if at == TERMINATED {
                        break;
                    }
                    *has = at <= last;
                }
            }
        }
        held.push(has);
    }
    Ok(shares(&held, &query.weights, ranges.len()))
}
