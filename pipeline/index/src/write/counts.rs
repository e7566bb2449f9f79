//! What a build or a stored generation contains, in numbers.

use std::collections::BTreeMap;

use sextant_format::generation::Generation;
use sextant_format::tables::{ChunkRow, EdgeRow, ExternalRow, Row, SkippedRow, SymbolRow, TableReader};
use sextant_syntax::language;

/// Numbers of what a build indexed.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Indexed files.
    pub files: u64,
    /// Bytes of all indexed files.
    pub bytes: u64,
    /// Lines of all indexed files.
    pub lines: u64,
    /// Chunks.
    pub chunks: u64,
    /// Symbols.
    pub symbols: u64,
    /// Rows of the edge table.
    pub edges: u64,
    /// External symbols.
    pub external_symbols: u64,
    /// Edges of the graph; 0 for a generation that was kept.
    pub graph_edges: u64,
    /// Rows of the edge table by tier; empty for a generation that was kept.
    pub resolutions: BTreeMap<&'static str, u64>,
    /// Vectors.
    pub vectors: u64,
    /// Chunks with a summary by a language model.
    pub summaries: u64,
    /// Files whose references were resolved; the others keep the edges of an earlier generation.
    pub resolved_files: u64,
    /// Files by parse status.
    pub statuses: BTreeMap<&'static str, u64>,
    /// Files by language.
    pub languages: BTreeMap<&'static str, u64>,
    /// Skipped paths by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Documents of the SCIP indexes.
    pub scip: ScipCounts,
}

/// Numbers of documents in SCIP indexes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScipCounts {
    /// All documents.
    pub documents: u64,
    /// Documents whose definitions and references were imported.
    pub used: u64,
    /// Documents that were ignored because their file has another text now.
    pub stale: u64,
}

impl Counts {
    /// Reads the counts of a generation from its manifest and its tables of files. Edges by tier are missing, because
    /// counting them would mean reading all edges.
    pub(crate) fn of_generation(generation: &Generation) -> anyhow::Result<Self> {
        let rows = |table: &str| generation.manifest().rows(table);
        let mut counts = Self {
            chunks: rows(ChunkRow::TABLE),
            symbols: rows(SymbolRow::TABLE),
            edges: rows(EdgeRow::TABLE),
            external_symbols: rows(ExternalRow::TABLE),
            vectors: rows("vectors"),
            summaries: generation.manifest().enrichment.as_ref().map_or(0, |enrichment| enrichment.summaries),
            ..Self::default()
        };
        for row in generation.files()? {
            counts.files += 1;
            counts.bytes += row.bytes;
            counts.lines += u64::from(row.lines);
            *counts.statuses.entry(row.parse_status.as_str()).or_default() += 1;
            let language = language::by_name(&row.language).map_or(language::TEXT, |language| language.name);
            *counts.languages.entry(language).or_default() += 1;
        }
        for row in TableReader::<SkippedRow>::read_all(&generation.table(SkippedRow::TABLE))? {
            *counts.skipped.entry(row.reason.as_str()).or_default() += 1;
        }
        Ok(counts)
    }
}
