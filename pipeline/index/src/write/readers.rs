//! Stores what the edges of each file depended on, for the next build, and reads it back.

use std::path::Path;

use sextant_format::generation::{Generation, part};
use sextant_format::ids::FileId;
use sextant_format::keys::ShortHash;
use sextant_format::tables::{BorrowedEdgeRow, ExternalRow};
use sextant_resolve::{EdgeSink, Readers};
use sextant_writer::{EdgesWriter, KeptEdges, PreviousEdges, check_files};

use super::counts::Counts;
use crate::memory::MemoryBudget;

/// Number of edges after which the memory limit is checked.
const EDGES_PER_MEMORY_CHECK: u64 = 1 << 16;

/// What resolution keeps of an earlier generation.
pub(crate) struct PreviousResolution {
    pub(super) readers: Readers,
    pub(super) edges: PreviousEdges,
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
        check_files(generation, |path| path == part::READERS)?;
        let readers: Readers = postcard::from_bytes(&fs_err::read(path)?)?;
        let edges = PreviousEdges::open(generation)?;
        Ok((readers.len() == edges.files() && !readers.is_empty()).then_some(Self { readers, edges }))
    }
}

/// Passes edges on to the writer and counts them.
pub(super) struct CountedEdges<'w, 'a> {
    pub(super) edges: EdgesWriter<'a>,
    /// The edges of the earlier generation; none if they are of no use.
    pub(super) kept: Option<KeptEdges>,
    pub(super) counts: &'w mut Counts,
    pub(super) memory: MemoryBudget,
}

impl CountedEdges<'_, '_> {
    fn count(&mut self, edge: &BorrowedEdgeRow<'_>) -> anyhow::Result<()> {
        *self.counts.resolutions.entry(edge.tier.as_str()).or_default() += 1;
        self.counts.edges += 1;
        if self.counts.edges.is_multiple_of(EDGES_PER_MEMORY_CHECK) {
            self.memory.check()?;
        }
        Ok(())
    }
}

impl<'a> EdgeSink<'a, anyhow::Error> for CountedEdges<'_, 'a> {
    fn push(&mut self, edge: BorrowedEdgeRow<'a>, external: Option<ShortHash>) -> anyhow::Result<()> {
        self.count(&edge)?;
        Ok(self.edges.push_edge(edge, external)?)
    }

    fn keep(
        &mut self,
        number: usize,
        file: FileId,
        record: &mut dyn FnMut(&ExternalRow) -> u32,
    ) -> anyhow::Result<bool> {
        let Some(kept) = &mut self.kept else { return Ok(false) };
        let Some((mut edges, hash)) = kept.of_file(number, file)? else { return Ok(false) };
        for edge in &mut edges {
            if let Some(id) = edge.external_id {
                edge.external_id = Some(record(kept.external(id)?));
            }
        }
        edges.iter().try_for_each(|edge| self.count(edge))?;
        self.edges.push_kept(file, edges, hash)?;
        Ok(true)
    }
}

/// Writes what later builds compare with, if anything is known.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write_readers(root: &Path, readers: &Readers) -> anyhow::Result<()> {
    if !readers.is_empty() {
        fs_err::write(root.join(part::READERS), postcard::to_stdvec(readers)?)?;
    }
    Ok(())
}
