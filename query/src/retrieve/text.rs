//! Full text: BM25 over the fields of a chunk.
//!
//! A word's score in a chunk is the sum over the fields, each with its boost; a word's other forms
//! count for less, and of all forms of one word only the best counts.

use sextant_formats::text::ChunkFields;
use tantivy::Term;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, DisjunctionMaxQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

use super::{Allowed, Scored, best_first};
use crate::understand::{self, variants};
use crate::{Index, Result};

/// What a field counts, beside 1 for the body. Names and paths are short and chosen with care: a
/// word there says more than one in a body. Values by measurement, see docs/benchmarks.md.
const BOOSTS: [f32; 6] = [2.5, 1.5, 2.0, 1.0, 1.2, 1.0];

/// What another form of a word counts beside the word itself.
const VARIANT: f32 = 0.6;

/// What a whole identifier counts beside its words.
const WHOLE: f32 = 2.0;

/// The fields in the order of [`BOOSTS`].
const fn fields(fields: &ChunkFields) -> [Field; 6] {
    [fields.name, fields.qualified_name, fields.path, fields.signature, fields.doc, fields.body]
}

/// The best chunks for the words of a query.
pub(crate) fn text(index: &Index, query: &understand::Query, allowed: &Allowed, limit: usize) -> Result<Vec<Scored>> {
    let text = index.chunks()?;
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    for (word, &weight) in query.words.iter().zip(&query.weights) {
        let mut forms: Vec<Box<dyn Query>> = vec![in_fields(&text.fields, word, weight)];
        for variant in variants(word) {
            // Most forms do not occur. One look-up says so: names and documentation are in the body too.
            if text.searcher.doc_freq(&Term::from_field_text(text.fields.body, &variant))? > 0 {
                forms.push(in_fields(&text.fields, &variant, VARIANT * weight));
            }
        }
        clauses.push((Occur::Should, Box::new(DisjunctionMaxQuery::new(forms))));
    }
    for (whole, weight) in query.wholes.iter().zip(&query.whole_weights) {
        clauses.push((Occur::Should, in_fields(&text.fields, whole, WHOLE * weight)));
    }
    if clauses.is_empty() {
        return Ok(Vec::new());
    }
    let query = allowed.restrict(Box::new(BooleanQuery::new(clauses)));
    let found = text.searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?;
    let mut list: Vec<Scored> = found
        .into_iter()
        .filter_map(|(score, address)| Some(Scored { chunk_id: text.catalog.id(address)?, score }))
        .collect();
    best_first(&mut list, limit);
    Ok(list)
}

fn in_fields(chunk: &ChunkFields, word: &str, weight: f32) -> Box<dyn Query> {
    let clauses = fields(chunk)
        .into_iter()
        .zip(BOOSTS)
        .map(|(field, boost)| {
            let term = TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs);
            (Occur::Should, Box::new(BoostQuery::new(Box::new(term), boost * weight)) as Box<dyn Query>)
        })
        .collect();
    Box::new(BooleanQuery::new(clauses))
}
