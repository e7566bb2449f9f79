//! Stores what the edges of each file depended on, for the next build, and reads it back.

use std::path::Path;

use sextant_format::generation::{Generation, part};
use sextant_format::ids::FileId;
use sextant_format::keys::ShortHash;
use sextant_format::kinds::Tier;
use sextant_format::tables::{BorrowedEdgeRow, ExternalRow, FileRow, Row as _, TableReader};
use sextant_resolve::{EarlierEdges, EdgeSink, Readers, StoredTable, TableSizes};
use sextant_syntax::model::Reference;
use sextant_writer::{EdgesWriter, check_files};

use super::counts::Counts;
use crate::memory::MemoryBudget;

/// Number of edges after which the memory limit is checked.
const EDGES_PER_MEMORY_CHECK: u64 = 1 << 16;

/// What resolution keeps of an earlier generation.
pub(crate) struct PreviousResolution {
    readers: Readers,
    externals: Vec<ExternalRow>,
    /// The symbols of its files; dropped once all files are added.
    symbols: StoredTable,
}

impl PreviousResolution {
    /// Opens what a generation stores. None if it stores nothing, which is so in the profile `query`, or if its edges come
    /// from language servers or SCIP data too.
    ///
    /// # Errors
    /// A file cannot be read, or is damaged.
    pub(crate) fn open(generation: &Generation) -> anyhow::Result<Option<Self>> {
        let path = generation.path(part::READERS);
        if !path.exists() || !generation.manifest().server_answers.is_empty() {
            return Ok(None);
        }
        let externals = generation.table(ExternalRow::TABLE);
        let symbols = generation.path(part::SYMBOL_TABLE);
        check_files(generation, |path| {
            [part::READERS, part::SYMBOL_TABLE].contains(&path) || Path::new(path).file_name() == externals.file_name()
        })?;
        let readers: Readers = postcard::from_bytes(&fs_err::read(path)?)?;
        let is_complete = readers.len() as u64 == generation.manifest().rows(FileRow::TABLE) && !readers.is_empty();
        let externals = TableReader::read_all(&externals)?;
        let mut symbols: StoredTable = match symbols.exists() {
            true => postcard::from_bytes(&fs_err::read(symbols)?)?,
            false => StoredTable::default(),
        };
        if symbols.len() != readers.len() {
            symbols = StoredTable::default();
        }
        Ok(is_complete.then_some(Self { readers, externals, symbols }))
    }

    /// Whether a file, by its number, can be added without its outline.
    pub(crate) fn has_symbols_of(&self, number: usize) -> bool {
        self.symbols.has(number)
    }

    /// The symbols of its files.
    pub(super) const fn symbols(&self) -> &StoredTable {
        &self.symbols
    }

    /// Drops the symbols of its files.
    pub(super) fn forget_symbols(&mut self) {
        self.symbols = StoredTable::default();
    }

    /// How large the symbol table of the earlier build was.
    pub(super) const fn sizes(&self) -> TableSizes {
        self.readers.sizes()
    }

    /// The fingerprint of the content of a file, by its number.
    pub(super) fn content_of(&self, number: usize) -> Option<u64> {
        self.readers.content_of(number)
    }

    /// What resolution compares with; `references` returns those of a file that was added by its outline.
    pub(super) fn edges<'e>(
        &'e self,
        references: &'e (dyn Fn(FileId) -> Option<Vec<Reference>> + Sync),
    ) -> EarlierEdges<'e> {
        EarlierEdges { readers: &self.readers, externals: &self.externals, references }
    }
}

/// Passes edges on to the writer and counts them.
pub(super) struct CountedEdges<'w, 'a> {
    pub(super) edges: EdgesWriter<'a>,
    pub(super) counts: &'w mut Counts,
    pub(super) memory: MemoryBudget,
}

impl CountedEdges<'_, '_> {
    fn count(&mut self, tier: Tier, edges: u32) -> anyhow::Result<()> {
        *self.counts.resolutions.entry(tier.as_str()).or_default() += u64::from(edges);
        self.counts.edges += u64::from(edges);
        if self.counts.edges.is_multiple_of(EDGES_PER_MEMORY_CHECK) {
            self.memory.check()?;
        }
        Ok(())
    }
}

impl<'a> EdgeSink<'a, anyhow::Error> for CountedEdges<'_, 'a> {
    fn push(&mut self, edge: BorrowedEdgeRow<'a>, external: Option<ShortHash>) -> anyhow::Result<()> {
        self.count(edge.tier, 1)?;
        Ok(self.edges.push_edge(edge, external)?)
    }

    fn can_keep(&self, file: FileId) -> bool {
        self.edges.can_keep_edges(file)
    }

    fn keep(&mut self, file: FileId, tiers: &[(Tier, u32)]) -> anyhow::Result<()> {
        self.edges.keep_edges(file)?;
        tiers.iter().try_for_each(|&(tier, edges)| self.count(tier, edges))
    }
}

/// Writes what later builds compare with and start from, if anything is known.
///
/// # Errors
/// A file cannot be written.
pub(super) fn write_readers(root: &Path, readers: &Readers, symbols: &StoredTable) -> anyhow::Result<()> {
    if !readers.is_empty() {
        fs_err::write(root.join(part::READERS), postcard::to_stdvec(readers)?)?;
        fs_err::write(root.join(part::SYMBOL_TABLE), postcard::to_stdvec(symbols)?)?;
    }
    Ok(())
}
