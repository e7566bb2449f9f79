//! Full text: BM25 over the fields of a chunk.
//!
//! A word's score in a chunk is the sum over the fields, each with its boost. Other forms of a word count less, and of
//! all forms of one word in one field only the best counts.

mod cursor;
mod max_score;

use sextant_text::index::ChunkFields;
use tantivy::Term;
use tantivy::query::Bm25Weight;
use tantivy::schema::Field;

use super::filter::ChunkFilter;
use crate::query_analysis::{AnalyzedQuery, variants};
use crate::rank::ScoredChunk;
use crate::weights::RetrievalWeights;
use crate::{Index, Result};
use max_score::{TermPostings, TopDocuments, WordPostings};

/// The searched fields of a chunk, each with its boost.
const fn boosted_fields(fields: &ChunkFields, weights: &RetrievalWeights) -> [(Field, f32); 6] {
    [
        (fields.name, weights.bm25_name),
        (fields.qualified_name, weights.bm25_qualified_name),
        (fields.path, weights.bm25_path),
        (fields.signature, weights.bm25_signature),
        (fields.doc, weights.bm25_doc),
        (fields.body, weights.bm25_body),
    ]
}

/// A weight in the range that pruning permits: scores are sums of terms that are not negative.
const fn bm25_factor(weight: f32) -> f32 {
    weight.clamp(0.0, 1000.0)
}

/// Returns the best chunks for the words of a query, at most `limit`.
pub(crate) fn search_text(
    index: &Index,
    query: &AnalyzedQuery,
    allowed: &ChunkFilter,
    limit: usize,
    weights: &RetrievalWeights,
) -> Result<Vec<ScoredChunk>> {
    let text = index.chunks()?;
    let terms = PostingsLookup::new(index, weights)?;
    let (variant_weight, identifier_weight) = (bm25_factor(weights.bm25_variant), bm25_factor(weights.bm25_identifier));
    let mut lists = Vec::new();
    for (word, &weight) in query.words.iter().zip(&query.weights) {
        let mut forms = vec![(word.clone(), weight)];
        for variant in variants(word) {
            // Most forms do not occur. One look-up in the body is enough: it also contains names and documentation.
            if text.doc_freq(&Term::from_field_text(text.fields.body, &variant))? > 0 {
                forms.push((variant, variant_weight * weight));
            }
        }
        terms.push_lists(&forms, &mut lists)?;
    }
    for (identifier, weight) in query.full_identifiers.iter().zip(&query.full_identifier_weights) {
        terms.push_lists(&[(identifier.clone(), identifier_weight * weight)], &mut lists)?;
    }
    TopDocuments { text, allowed, limit }.collect(lists)
}

/// A field with its boost and the average number of its tokens in a chunk.
struct FieldStats {
    field: Field,
    boost: f32,
    average_tokens: f32,
}

/// Looks up the postings of words.
struct PostingsLookup<'a> {
    index: &'a Index,
    fields: Vec<FieldStats>,
    documents: u64,
}

impl<'a> PostingsLookup<'a> {
    fn new(index: &'a Index, weights: &RetrievalWeights) -> Result<Self> {
        let text = index.chunks()?;
        let documents = text.doc_count();
        let field_stats = |(field, boost)| {
            let boost = bm25_factor(boost);
            let tokens = text.token_count(field)?;
            Ok(FieldStats { field, boost, average_tokens: tokens as f32 / documents.max(1) as f32 })
        };
        let fields = boosted_fields(&text.fields, weights).into_iter().map(field_stats).collect::<Result<_>>()?;
        Ok(Self { index, fields, documents })
    }

    /// Adds one list for each field: the postings of all forms of a word with their weights.
    fn push_lists(&self, forms: &[(String, f32)], lists: &mut Vec<WordPostings>) -> Result<()> {
        let text = self.index.chunks()?;
        let readers = text.searcher.segment_readers();
        for FieldStats { field, boost, average_tokens } in &self.fields {
            let mut list = WordPostings::new(*field);
            for (form, weight) in forms {
                let factor = boost * weight;
                // A weight of 0 switches a field off. Pruning requires scores above 0.
                if factor <= 0.0 {
                    continue;
                }
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
                // In a damaged index a word can be more frequent than there are documents.
                let frequency = frequency.min(self.documents);
                let bm25 = Bm25Weight::for_one_term_without_explain(frequency, self.documents, *average_tokens);
                list.push(TermPostings { term_infos, bm25: bm25.boost_by(factor) });
            }
            if !list.is_empty() {
                lists.push(list);
            }
        }
        Ok(())
    }
}
