//! Edges of an earlier generation that a new one keeps: those of files that need not be resolved again, and those that are
//! the same after it. They stay where they are stored; only the graph is read, because it is written as a whole.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::external_ids::ExternalIds;
use crate::{Error, Result};
use sextant_format::digest::Digest;
use sextant_format::graph::{Graph, GraphEdge};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::EdgeKind;
use sextant_format::segments::{RowMap, RowMaps};
use sextant_format::tables::ExternalRow;

/// The edges of an earlier generation, by the files of the new one.
pub(crate) struct PreviousEdges {
    /// For each file of the new generation whose rows are reused, its edges before.
    pub(crate) lists: Vec<Option<PreviousList>>,
    pub(crate) state: EdgesState,
    /// The symbols of files whose rows are not reused.
    pub(crate) changed: Vec<Range<SymbolId>>,
}

/// What an earlier generation knows of all edges.
pub(crate) struct EdgesState {
    pub(crate) graph: Graph,
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
    /// The ids of its symbols in that generation.
    pub(crate) symbols: Range<SymbolId>,
    /// Whether no edge leads to a symbol that is gone.
    pub(crate) is_current: bool,
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
        let Self { lists, state, changed } = self;
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

    /// Appends the edges of some files as the graph has them; `symbols` are those of the new generation.
    pub(crate) fn push_graph_edges(
        &self,
        files: &[FileId],
        symbols: &RowMap<SymbolId>,
        edges: &mut Vec<GraphEdge>,
    ) -> Result<()> {
        let now = |symbol: SymbolId| {
            let id = self.state.stored_id(symbol).and_then(|id| symbols.id(id));
            id.ok_or_else(|| Error::damaged(&self.state.path, "an edge leads to a missing symbol"))
        };
        for list in files.iter().filter_map(|&file| self.current(file)) {
            for symbol in SymbolId::range(list.symbols.clone()) {
                let mut source = None;
                let graph = &self.state.graph;
                let own = graph.counted_out_edges(symbol).filter(|(edge, _)| edge.kind != EdgeKind::Contains);
                for (edge, uses) in own {
                    let source = match source {
                        Some(source) => source,
                        None => *source.insert(now(symbol)?),
                    };
                    edges.push(GraphEdge {
                        source,
                        target: now(edge.node)?,
                        kind: edge.kind,
                        tier: edge.tier,
                        confidence: edge.confidence,
                        uses,
                    });
                }
            }
        }
        Ok(())
    }
}
