//! Full text: BM25 over the fields of a chunk.
//!
//! A word's score in a chunk is the sum over the fields, each with its boost; a word's other forms count for less,
//! and of all forms of one word in one field only the best counts.

mod best;

use sextant_text::index::ChunkFields;
use tantivy::Term;
use tantivy::query::Bm25Weight;
use tantivy::schema::Field;

use super::{Allowed, Scored};
use crate::understand::{self, variants};
use crate::{Index, Result};
use best::{Best, List, Posting};

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
    let terms = Terms::new(index)?;
    let mut lists = Vec::new();
    for (word, &weight) in query.words.iter().zip(&query.weights) {
        let mut forms = vec![(word.clone(), weight)];
        for variant in variants(word) {
            // Most forms do not occur. One look-up says so: names and documentation are in the body too.
            if text.frequency(&Term::from_field_text(text.fields.body, &variant))? > 0 {
                forms.push((variant, VARIANT * weight));
            }
        }
        terms.lists(&forms, &mut lists)?;
    }
    for (whole, weight) in query.wholes.iter().zip(&query.whole_weights) {
        terms.lists(&[(whole.clone(), WHOLE * weight)], &mut lists)?;
    }
    Best { text, allowed, limit }.of(lists)
}

/// A field, what it counts, and how many tokens a chunk has there.
struct OfField {
    field: Field,
    boost: f32,
    average_tokens: f32,
}

/// Words into their postings.
struct Terms<'a> {
    index: &'a Index,
    fields: Vec<OfField>,
    documents: u64,
}

impl<'a> Terms<'a> {
    fn new(index: &'a Index) -> Result<Self> {
        let text = index.chunks()?;
        let documents = text.documents();
        let of_field = |(field, boost)| {
            let tokens = text.tokens(field)?;
            Ok(OfField { field, boost, average_tokens: tokens as f32 / documents.max(1) as f32 })
        };
        let fields = fields(&text.fields).into_iter().zip(BOOSTS).map(of_field).collect::<Result<_>>()?;
        Ok(Self { index, fields, documents })
    }

    /// Adds a list a field: the postings of all forms of a word with what each counts.
    fn lists(&self, forms: &[(String, f32)], lists: &mut Vec<List>) -> Result<()> {
        let text = self.index.chunks()?;
        let readers = text.searcher.segment_readers();
        for OfField { field, boost, average_tokens } in &self.fields {
            let mut list = List::new(*field);
            for (form, weight) in forms {
                let term = Term::from_field_text(*field, form);
                let places = readers
                    .iter()
                    .map(|reader| Ok(reader.inverted_index(*field)?.get_term_info(&term)?))
                    .collect::<tantivy::Result<Vec<_>>>()?;
                let held = places.iter().flatten().map(|place| u64::from(place.doc_freq)).sum::<u64>();
                let frequency = text.live(&term, held)?;
                if frequency == 0 {
                    continue;
                }
                // Damage can make a word more frequent than there are documents.
                let frequency = frequency.min(self.documents);
                let bm25 = Bm25Weight::for_one_term_without_explain(frequency, self.documents, *average_tokens);
                list.push(Posting { places, bm25: bm25.boost_by(boost * weight) });
            }
            if !list.is_empty() {
                lists.push(list);
            }
        }
        Ok(())
    }
}
