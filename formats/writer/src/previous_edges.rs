//! Edges of an earlier generation that a new one keeps: those of files that need not be resolved again, and those that are
//! the same after it. They stay where they are stored; only the graph is read, because it is written as a whole. It does not
//! say of which file an edge is, so files whose edges begin in other files, and these, are read from the table of edges.

use std::num::NonZeroU16;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::external_ids::ExternalIds;
use crate::{Error, Result};
use sextant_format::digest::Digest;
use sextant_format::graph::{Graph, GraphBuilder, GraphEdge};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::keys::SymbolKeyTable;
use sextant_format::segments::{RowMap, RowMaps, Rows};
use sextant_format::tables::{EdgeRow, ExternalRow};

/// Number of edges that are read at once.
const ROWS_AT_ONCE: usize = 1 << 16;

/// The edges of an earlier generation, by the files of the new one.
pub(crate) struct PreviousEdges {
    /// For each file of the new generation whose rows are reused, its edges before.
    pub(crate) lists: Vec<Option<PreviousList>>,
    pub(crate) state: EdgesState,
    /// The symbols of files whose rows are not reused.
    pub(crate) changed: Vec<Range<SymbolId>>,
    /// For each symbol of that generation, its id in the new one; the largest number if it is gone.
    pub(crate) symbols_now: Vec<u32>,
    /// The numbers in that generation of kept files that share symbols as sources with others.
    pub(crate) shared: Vec<FileId>,
}

/// What an earlier generation knows of all edges.
pub(crate) struct EdgesState {
    pub(crate) graph: Graph,
    /// Its edges with their files.
    pub(crate) rows: Rows<EdgeRow>,
    /// Where its rows are; none if every row is stored under its id.
    pub(crate) maps: Option<Arc<RowMaps>>,
    pub(crate) externals: Vec<ExternalRow>,
    pub(crate) path: PathBuf,
}

/// The edges of a file in an earlier generation.
pub(crate) struct PreviousList {
    /// Where they are stored.
    pub(crate) edges: Range<u32>,
    pub(crate) hash: Digest,
    /// Its number in that generation.
    pub(crate) number: FileId,
    /// The ids of its symbols in that generation.
    pub(crate) symbols: Range<SymbolId>,
    /// Whether no edge leads to a symbol that is gone.
    pub(crate) is_current: bool,
}

/// The edges of a file that are kept.
pub(crate) struct Kept {
    pub(crate) hash: Digest,
    pub(crate) edges: Range<u32>,
    /// The symbols with which the graph has them; none if it has edges of others there, too.
    pub(crate) symbols: Option<Range<SymbolId>>,
}

impl EdgesState {
    /// The id under which a symbol is stored.
    pub(crate) fn stored_id(&self, symbol: SymbolId) -> Option<u32> {
        match &self.maps {
            Some(maps) => maps.symbols.address(symbol),
            None => Some(symbol.get()),
        }
    }
}

impl PreviousEdges {
    /// The ids of external symbols.
    pub(crate) fn external_ids(&mut self) -> ExternalIds {
        ExternalIds::continued(&std::mem::take(&mut self.state.externals))
    }

    /// Marks the files with an edge to a symbol that is gone; `symbols` are those of the new generation.
    pub(crate) fn forget_users_of_missing(&mut self, symbols: &RowMap<SymbolId>) {
        let Self { lists, state, changed, .. } = self;
        let mut starts: Vec<(SymbolId, usize)> = Vec::new();
        for (file, list) in lists.iter().enumerate() {
            starts.extend(list.as_ref().map(|list| (list.symbols.start, file)));
        }
        starts.sort_unstable();
        for symbol in changed.iter().cloned().flat_map(SymbolId::range) {
            if state.stored_id(symbol).and_then(|id| symbols.id(id)).is_some() {
                continue;
            }
            for user in state.graph.in_edges(symbol) {
                let at = starts.partition_point(|(start, _)| *start <= user.node);
                let list = at.checked_sub(1).and_then(|at| lists[starts[at].1].as_mut());
                if let Some(list) = list.filter(|list| list.symbols.contains(&user.node)) {
                    list.is_current = false;
                }
            }
        }
    }

    /// The edges of a file, if they can be kept.
    pub(crate) fn current(&self, file: FileId) -> Option<&PreviousList> {
        self.lists.get(file.index())?.as_ref().filter(|list| list.is_current)
    }

    /// Where the edges of a file are stored, if they have this hash.
    pub(crate) fn same(&self, file: FileId, hash: Digest) -> Option<Range<u32>> {
        self.current(file).filter(|list| list.hash == hash).map(|list| list.edges.clone())
    }

    /// Finds the ids of all symbols in the new generation, where they have `keys` and are stored as `symbols` says.
    pub(crate) fn number_symbols(&mut self, keys: &SymbolKeyTable, symbols: &RowMap<SymbolId>) {
        let Self { lists, state, changed, symbols_now, .. } = self;
        symbols_now.resize(state.graph.nodes(), u32::MAX);
        for (file, list) in lists.iter().enumerate() {
            let Some((list, now)) = list.as_ref().zip(keys.symbols_of(FileId::at(file))) else { continue };
            let before = symbols_now.get_mut(list.symbols.start.index()..list.symbols.end.index());
            let now = SymbolId::range(now).map(SymbolId::get);
            before.into_iter().flatten().zip(now).for_each(|(before, now)| *before = now);
        }
        for symbol in changed.iter().cloned().flat_map(SymbolId::range) {
            let now = state.stored_id(symbol).and_then(|id| symbols.id(id));
            if let (Some(before), Some(now)) = (symbols_now.get_mut(symbol.index()), now) {
                *before = now.get();
            }
        }
    }

    /// The id of a symbol in the new generation.
    fn now(&self, symbol: SymbolId) -> Result<SymbolId> {
        let id = self.symbols_now.get(symbol.index()).filter(|id| **id != u32::MAX);
        let id = id.ok_or_else(|| Error::damaged(&self.state.path, "an edge leads to a missing symbol"))?;
        Ok(SymbolId::new(*id))
    }

    /// Keeps the edges of a file, if that is possible. Returns their hash, where they are stored, and the symbols with which
    /// the graph has them; none if others have edges that begin with these, or it has edges that begin with those of others.
    pub(crate) fn keep(&mut self, file: FileId, is_alone: bool) -> Result<Kept> {
        let list = self.current(file).ok_or_else(|| Error::damaged(&self.state.path, "a file has no earlier edges"))?;
        let (hash, edges, symbols, number) = (list.hash, list.edges.clone(), list.symbols.clone(), list.number);
        if !is_alone {
            self.shared.push(number);
        }
        Ok(Kept { hash, edges, symbols: is_alone.then_some(symbols) })
    }

    /// Adds a file as the graph has it.
    pub(crate) fn push_kept(&self, graph: &mut GraphBuilder, symbols: Range<SymbolId>) -> Result<()> {
        let kept = graph.keep_file(&self.state.graph, symbols, &self.symbols_now);
        kept.ok_or_else(|| Error::damaged(&self.state.path, "an edge leads to a missing symbol"))
    }

    /// Adds the edges of kept files that share symbols as sources with others, as the table of edges has them.
    pub(crate) fn push_shared_edges(&self, graph: &mut GraphBuilder) -> Result<()> {
        let mut files = self.shared.clone();
        files.sort_unstable();
        let rows = self.state.rows.rows_of_files(&files)?;
        for rows in rows.chunks(ROWS_AT_ONCE) {
            for edge in self.state.rows.rows(rows)? {
                let Some(target) = edge.target_id else { continue };
                graph.push(GraphEdge {
                    source: self.now(edge.source_id)?,
                    target: self.now(target)?,
                    kind: edge.kind,
                    tier: edge.tier,
                    confidence: edge.confidence,
                    uses: Some(NonZeroU16::MIN),
                });
            }
        }
        Ok(())
    }
}
