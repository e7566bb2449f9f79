//! Summaries of chunks by a language model, if the index was enriched.

use rustc_hash::FxHashMap;
use sextant_format::ids::ChunkId;

use crate::{Index, Result};

/// A summary by a language model. It is a claim, not a fact: whoever shows it names the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkSummary {
    /// One to three sentences.
    pub text: String,
    /// Search words.
    pub keywords: Vec<String>,
    /// The purpose or category; none for blocks.
    pub purpose: Option<String>,
    /// The model that wrote it.
    pub model: String,
}

/// The first sentence of a text, or its first paragraph if that is shorter.
#[must_use]
pub fn first_sentence(text: &str) -> &str {
    let paragraph = text.split("\n\n").next().unwrap_or(text);
    paragraph.find(". ").map_or(paragraph, |end| &paragraph[..=end])
}

impl Index {
    /// The summaries of chunks; empty without a look into the tables if the index was not enriched.
    pub(crate) fn summaries(&self, chunks: &[ChunkId]) -> Result<FxHashMap<ChunkId, ChunkSummary>> {
        let Some(enrichment) = self.generation().manifest().enrichment.as_ref().filter(|_| !chunks.is_empty()) else {
            return Ok(FxHashMap::default());
        };
        let mut ids = chunks.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let rows = self.chunk_rows()?;
        let column = |name: &str| rows.column::<Option<String>>(name, &ids);
        let (texts, keywords, purposes) = (column("summary")?, column("keywords")?, column("purpose")?);
        let mut summaries = FxHashMap::default();
        for (((id, text), keywords), purpose) in ids.into_iter().zip(texts).zip(keywords).zip(purposes) {
            if let Some(text) = text {
                let keywords = keywords.unwrap_or_default();
                let keywords = keywords.split(", ").filter(|word| !word.is_empty()).map(str::to_owned).collect();
                summaries.insert(id, ChunkSummary { text, keywords, purpose, model: enrichment.model.clone() });
            }
        }
        Ok(summaries)
    }
}
