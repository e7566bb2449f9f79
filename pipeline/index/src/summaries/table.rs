//! Summaries by key.

use rustc_hash::FxHashMap;
use sextant_enrich::{ItemKey, Summary};
use sextant_format::digest::{Digest, RowHasher};
use sextant_format::file_rows::{FileRows, FileRowsReader};
use sextant_format::generation::Generation;
use sextant_format::manifest::Enrichment;
use sextant_format::tables::{ChunkRow, enrichment_text};
use sextant_syntax::Analysis;

use super::{ChunkFacts, SymbolFacts, chunk_facts, describe, symbol_facts};

/// A summary in the form of the table's columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredSummary {
    pub(crate) summary: String,
    pub(crate) keywords: Option<String>,
    pub(crate) purpose: Option<String>,
}

impl StoredSummary {
    /// The columns of a model's answer.
    pub(crate) fn from_answer(answer: Summary) -> Self {
        let Summary { summary, keywords, purpose } = answer;
        let some = |text: String| (!text.is_empty()).then_some(text);
        Self { summary, keywords: some(keywords.join(", ")), purpose: some(purpose) }
    }

    /// The columns of a chunk; none if it has no summary.
    pub(crate) fn of_row(row: &ChunkRow) -> Option<Self> {
        let summary = row.summary.clone()?;
        Some(Self { summary, keywords: row.keywords.clone(), purpose: row.purpose.clone() })
    }

    /// Sets the columns of a chunk.
    pub(crate) fn write_to(this: Option<Self>, row: &mut ChunkRow) {
        (row.summary, row.keywords, row.purpose) = match this {
            Some(Self { summary, keywords, purpose }) => (Some(summary), keywords, purpose),
            None => (None, None, None),
        };
    }

    /// The text that is embedded, as [`ChunkRow::enrichment_text`] returns it.
    pub(crate) fn text(&self) -> String {
        enrichment_text(&self.summary, self.keywords.as_deref(), self.purpose.as_deref())
    }
}

/// The summaries of an index.
#[derive(Default)]
pub(crate) struct Summaries {
    by_key: FxHashMap<ItemKey, StoredSummary>,
    /// Who wrote them; none if there are none.
    pub(crate) enrichment: Option<Enrichment>,
}

impl Summaries {
    /// The summaries of a generation. Reads its chunks only if its manifest says that some have a summary.
    ///
    /// # Errors
    /// A table cannot be read, or is damaged.
    pub(crate) fn of_generation(generation: &Generation) -> sextant_format::Result<Self> {
        let mut summaries = Self { by_key: FxHashMap::default(), enrichment: generation.manifest().enrichment.clone() };
        if summaries.enrichment.is_none() {
            return Ok(summaries);
        }
        for rows in FileRowsReader::open(generation)? {
            let FileRows { file, symbols, chunks } = rows?;
            if chunks.iter().all(|chunk| chunk.summary.is_none()) {
                continue;
            }
            let described = describe(&file.language, &symbol_facts(&symbols), &chunk_facts(&chunks, &symbols));
            for (chunk, described) in chunks.iter().zip(described) {
                if let (Some(summary), Some(described)) = (StoredSummary::of_row(chunk), described) {
                    summaries.by_key.insert(described.key, summary);
                }
            }
        }
        Ok(summaries)
    }

    /// Adds summaries that a model wrote with the current prompts.
    pub(crate) fn insert_all(&mut self, model: &str, added: Vec<(ItemKey, StoredSummary)>) {
        self.by_key.extend(added);
        self.enrichment = Some(Enrichment {
            model: model.to_owned(),
            prompt_version: sextant_enrich::prompt::PROMPT_VERSION,
            summaries: self.by_key.len() as u64,
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// The summary of a key.
    pub(crate) fn get(&self, key: &ItemKey) -> Option<&StoredSummary> {
        self.by_key.get(key)
    }

    /// The summaries of a file's chunks, in order.
    pub(crate) fn of_file(
        &self,
        language: &str,
        symbols: &[SymbolFacts<'_>],
        chunks: &[ChunkFacts<'_>],
    ) -> Vec<Option<&StoredSummary>> {
        if self.is_empty() {
            return vec![None; chunks.len()];
        }
        let summary = |described: Option<super::DescribedChunk<'_>>| self.by_key.get(&described?.key);
        describe(language, symbols, chunks).into_iter().map(summary).collect()
    }

    /// The summaries of an analysed file's chunks, in order; `hashes` are those of the chunks' texts.
    pub(crate) fn of_analysis(&self, analysis: &Analysis, hashes: &[Digest]) -> Vec<Option<&StoredSummary>> {
        if self.is_empty() {
            return vec![None; analysis.chunks.len()];
        }
        let symbols: Vec<SymbolFacts<'_>> = analysis
            .symbols
            .iter()
            .map(|symbol| SymbolFacts {
                name: &symbol.name,
                qualified_name: &symbol.qualified_name,
                container: symbol.container,
            })
            .collect();
        let chunks: Vec<ChunkFacts<'_>> = analysis
            .chunks
            .iter()
            .zip(hashes)
            .map(|(chunk, content_hash)| ChunkFacts {
                level: chunk.level,
                kind: chunk.kind,
                symbol: chunk.symbol,
                content_hash,
            })
            .collect();
        self.of_file(analysis.language_name(), &symbols, &chunks)
    }
}

/// The digest of a file's summaries, on which its vectors depend; none if there are none.
pub(crate) fn summaries_digest(summaries: &[Option<&StoredSummary>]) -> Option<Digest> {
    let mut hasher = RowHasher::default();
    let mut has_some = false;
    for (number, summary) in (0_u64..).zip(summaries) {
        if let Some(summary) = summary {
            has_some = true;
            hasher.fixed(&number.to_le_bytes());
            hasher.sized(summary.text().as_bytes());
        }
    }
    has_some.then(|| hasher.finish())
}
