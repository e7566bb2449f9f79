//! Full text: BM25 over the fields of a chunk.
//!
//! A word's score in a chunk is the sum over the fields, each with its boost; a word's other forms count for less,
//! and of all forms of one word in one field only the best counts.

mod max_score;

use sextant_text::index::ChunkFields;
use tantivy::Term;
use tantivy::query::Bm25Weight;
use tantivy::schema::Field;

use super::{ChunkFilter, ScoredChunk};
use crate::query_analysis::{self, variants};
use crate::{Index, Result};
use max_score::{TermPostings, TopDocuments, WordPostings};

/// What a field counts, beside 1 for the body. Names and paths are short and chosen with care: a
/// word there says more than one in a body. Values by measurement, see docs/benchmarks.md.
const FIELD_BOOSTS: [f32; 6] = [2.5, 1.5, 2.0, 1.0, 1.2, 1.0];

/// What another form of a word counts beside the word itself.
const VARIANT_WEIGHT: f32 = 0.6;

/// What a whole identifier counts beside its words.
const FULL_IDENTIFIER_WEIGHT: f32 = 2.0;

/// The fields in the order of [`FIELD_BOOSTS`].
const fn searched_fields(fields: &ChunkFields) -> [Field; 6] {
    [fields.name, fields.qualified_name, fields.path, fields.signature, fields.doc, fields.body]
}

/// The best chunks for the words of a query.
pub(crate) fn search_text(
    index: &Index,
    query: &query_analysis::AnalyzedQuery,
    allowed: &ChunkFilter,
    limit: usize,
) -> Result<Vec<ScoredChunk>> {
    let text = index.chunks()?;
    let terms = PostingsLookup::new(index)?;
    let mut lists = Vec::new();
    for (word, &weight) in query.words.iter().zip(&query.weights) {
        let mut forms = vec![(word.clone(), weight)];
        for variant in variants(word) {
            // Most forms do not occur. One look-up says so: names and documentation are in the body too.
            if text.doc_freq(&Term::from_field_text(text.fields.body, &variant))? > 0 {
                forms.push((variant, VARIANT_WEIGHT * weight));
            }
        }
        terms.push_lists(&forms, &mut lists)?;
    }
    for (identifier, weight) in query.full_identifiers.iter().zip(&query.full_identifier_weights) {
        terms.push_lists(&[(identifier.clone(), FULL_IDENTIFIER_WEIGHT * weight)], &mut lists)?;
    }
    TopDocuments { text, allowed, limit }.collect(lists)
}

/// A field, what it counts, and how many tokens a chunk has there.
struct FieldStats {
    field: Field,
    boost: f32,
    average_tokens: f32,
}

/// Words into their postings.
struct PostingsLookup<'a> {
    index: &'a Index,
    fields: Vec<FieldStats>,
    documents: u64,
}

impl<'a> PostingsLookup<'a> {
    fn new(index: &'a Index) -> Result<Self> {
        let text = index.chunks()?;
        let documents = text.doc_count();
        let field_stats = |(field, boost)| {
            let tokens = text.token_count(field)?;
            Ok(FieldStats { field, boost, average_tokens: tokens as f32 / documents.max(1) as f32 })
        };
        let fields =
            searched_fields(&text.fields).into_iter().zip(FIELD_BOOSTS).map(field_stats).collect::<Result<_>>()?;
        Ok(Self { index, fields, documents })
    }

    /// Adds a list a field: the postings of all forms of a word with what each counts.
    fn push_lists(&self, forms: &[(String, f32)], lists: &mut Vec<WordPostings>) -> Result<()> {
        let text = self.index.chunks()?;
        let readers = text.searcher.segment_readers();
        for FieldStats { field, boost, average_tokens } in &self.fields {
            let mut list = WordPostings::new(*field);
            for (form, weight) in forms {
                let term = Term::from_field_text(*field, form);
                let term_infos = readers
                    .iter()
                    .map(|reader| Ok(reader.inverted_index(*field)?.get_term_info(&term)?))
                    .collect::<tantivy::Result<Vec<_>>>()?;
                let total_doc_freq =
                    term_infos.iter().flatten().map(|term_info| u64::from(term_info.doc_freq)).sum::<u64>();
                let frequency = text.live_doc_freq(&term, total_doc_freq)?;
                if frequency == 0 {
                    continue;
                }
                // Damage can make a word more frequent than there are documents.
                let frequency = frequency.min(self.documents);
                let bm25 = Bm25Weight::for_one_term_without_explain(frequency, self.documents, *average_tokens);
                list.push(TermPostings { term_infos, bm25: bm25.boost_by(boost * weight) });
            }
            if !list.is_empty() {
                lists.push(list);
            }
        }
        Ok(())
    }
}
