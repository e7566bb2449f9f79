//! Stores what the edges of each file depended on, for the next build, and reads it back.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sextant_format::generation::{Generation, part};
use sextant_format::ids::FileId;
use sextant_format::keys::ShortHash;
use sextant_format::kinds::Tier;
use sextant_format::publish::link_or_copy_file;
use sextant_format::tables::{BorrowedEdgeRow, ExternalRow, FileRow, Row as _, TableReader};
use sextant_records::Records;
use sextant_resolve::{
    EarlierEdges, EdgeSink, Interfaces, Readers, ResolvedReaders, StoredSymbols, StoredTable, SymbolTable, TableSizes,
};
use sextant_syntax::model::Reference;
use sextant_writer::{EdgesWriter, check_files};

use super::counts::Counts;
use crate::memory::MemoryBudget;

/// Number of edges after which the memory limit is checked.
const EDGES_PER_MEMORY_CHECK: u64 = 1 << 16;

/// What resolution keeps of an earlier generation.
pub(crate) struct PreviousResolution {
    /// The folder of the generation.
    root: PathBuf,
    readers: Readers,
    externals: Vec<ExternalRow>,
    /// The symbols of its files that were not added yet.
    symbols: StoredSymbols,
    /// What others could see of files that differ or are gone.
    interfaces: Interfaces,
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
        check_files(generation, |path| {
            [READERS, QUESTIONS, SYMBOL_TABLE].as_flattened().contains(&path)
                || Path::new(path).file_name() == externals.file_name()
        })?;
        let (readers, symbols) = rayon::join(
            || -> anyhow::Result<_> {
                Ok(Readers::open(&open_records(generation, READERS)?, open_records(generation, QUESTIONS)?)?)
            },
            || -> anyhow::Result<_> { Ok(StoredSymbols::open(open_records(generation, SYMBOL_TABLE)?)?) },
        );
        let (readers, symbols) = (readers?, symbols?);
        let files = generation.manifest().rows(FileRow::TABLE);
        let is_complete =
            [readers.len(), symbols.table().file_count()].iter().all(|&len| len as u64 == files) && files > 0;
        let externals = TableReader::read_all(&externals)?;
        let root = generation.root().to_owned();
        Ok(is_complete.then_some(Self { root, readers, externals, symbols, interfaces: Interfaces::default() }))
    }

    /// Whether a file, by its number, can be added without its outline.
    pub(crate) fn has_symbols_of(&self, number: usize) -> bool {
        self.symbols.has(number)
    }

    /// The symbols of its files, from which those of a file can be read on any thread.
    pub(crate) fn stored_table(&self) -> Arc<StoredTable> {
        self.symbols.table()
    }

    /// The symbols of its files that were not added yet.
    pub(super) const fn symbols(&mut self) -> &mut StoredSymbols {
        &mut self.symbols
    }

    /// Keeps of the symbols that were not added what other files could see of them.
    pub(super) fn end_files(&mut self, table: &SymbolTable) {
        let left = std::mem::take(self.symbols());
        self.interfaces = self.readers.interfaces(&left, table);
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
        EarlierEdges { readers: &self.readers, interfaces: &self.interfaces, externals: &self.externals, references }
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
    fn begin(&mut self, symbols: &'a SymbolTable) {
        self.edges.set_names(symbols);
    }

    fn push(&mut self, edge: BorrowedEdgeRow<'a>, external: Option<ShortHash>) -> anyhow::Result<()> {
        self.count(edge.tier, 1)?;
        Ok(self.edges.push_edge(edge, external)?)
    }

    fn can_keep(&self, file: FileId) -> bool {
        self.edges.can_keep_edges(file)
    }

    fn keep(&mut self, file: FileId, tiers: &[(Tier, u32)], is_alone: bool) -> anyhow::Result<()> {
        self.edges.keep_edges(file, tiers, is_alone)?;
        tiers.iter().try_for_each(|&(tier, edges)| self.count(tier, edges))
    }
}

/// A base and its update: what files depended on,
const READERS: [&str; 2] = [part::READERS, part::READERS_UPDATE];
/// what they asked,
const QUESTIONS: [&str; 2] = [part::QUESTIONS, part::QUESTIONS_UPDATE];
/// and their symbols.
const SYMBOL_TABLE: [&str; 2] = [part::SYMBOL_TABLE, part::SYMBOL_TABLE_UPDATE];

/// Opens a base and, if there is one, its update.
fn open_records(generation: &Generation, [base, update]: [&str; 2]) -> std::io::Result<Records> {
    let update = Some(generation.path(update)).filter(|update| update.exists());
    Records::open(&generation.path(base), update.as_deref())
}

/// Stores below `root` what the next build compares with and starts from, of the resolution of a table; nothing if it is
/// not known what files depended on. `earlier` is the build from which files were kept.
///
/// # Errors
/// A file cannot be written.
pub(super) fn store_resolution(
    root: &Path,
    readers: &ResolvedReaders,
    table: &SymbolTable,
    earlier: Option<&PreviousResolution>,
) -> anyhow::Result<()> {
    if readers.is_empty() {
        return Ok(());
    }
    let begin = |parts: [&str; 2], is_update: bool| -> anyhow::Result<_> {
        let earlier = earlier.filter(|_| is_update);
        if let Some(earlier) = earlier {
            link_or_copy_file(&earlier.root, root, parts[0])?;
        }
        Ok(BufWriter::new(fs_err::File::create(root.join(parts[usize::from(earlier.is_some())]))?))
    };
    let earlier_readers = earlier.map(|earlier| &earlier.readers);
    let is_update = readers.is_update(earlier_readers);
    readers.store(earlier_readers, begin(READERS, is_update)?, begin(QUESTIONS, is_update)?)?;
    table.store(begin(SYMBOL_TABLE, table.is_update())?)?;
    Ok(())
}
