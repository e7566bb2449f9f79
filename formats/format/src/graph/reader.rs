//! Opens `graph.arrow` and reads the edges of a symbol. This module must not know how the file is decoded
//! ([`mapped`]), nor any algorithm on graphs.

use std::num::NonZeroU16;
use std::path::Path;

use super::edge::Neighbour;
use super::mapped::{self, Direction};
use crate::ids::SymbolId;
use crate::kinds::EdgeKind;
use crate::panics::catch_panic;
use crate::{Error, Result};

/// The memory-mapped graph.
pub struct Graph {
    pub(super) out: Direction,
    incoming: Direction,
}

impl Graph {
    /// Maps the file without reading its edges. Damage shows up later, as missing edges or in [`Graph::problem`].
    ///
    /// # Errors
    /// The file cannot be read, or its metadata is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        let buffer = crate::mapped::map_file(path)?;
        let (out, incoming) = catch_panic(path, || mapped::decode(&buffer).map_err(|what| Error::damaged(path, what)))?;
        Ok(Self { out, incoming })
    }

    /// Checks the offsets of all adjacency lists; returns a description of the damage, if any.
    #[must_use]
    pub fn problem(&self) -> Option<&'static str> {
        (!self.out.has_valid_offsets() || !self.incoming.has_valid_offsets())
            .then_some("the offsets of its edges are not ascending")
    }

    /// The number of symbols.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.out.rows()
    }

    /// The number of edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.out.edges()
    }

    /// The edges to the symbols that a symbol uses.
    pub fn out_edges(&self, node: SymbolId) -> impl Iterator<Item = Neighbour> {
        self.out.neighbours(node)
    }

    /// The number of outgoing edges of the symbols `first..=last`. The range is clipped to the graph.
    #[must_use]
    pub fn out_edge_count(&self, first: SymbolId, last: SymbolId) -> usize {
        self.out.edge_count_between(first.index(), last.index().saturating_add(1))
    }

    /// The number of incoming edges of the symbols `first..=last`. The range is clipped to the graph.
    #[must_use]
    pub fn in_edge_count(&self, first: SymbolId, last: SymbolId) -> usize {
        self.incoming.edge_count_between(first.index(), last.index().saturating_add(1))
    }

    /// The symbol that owns a symbol; none for the symbol of a file.
    #[must_use]
    pub fn owner(&self, node: SymbolId) -> Option<SymbolId> {
        self.in_edges(node).find(|edge| edge.kind == EdgeKind::Contains).map(|edge| edge.node)
    }

    /// The edges from the symbols that use a symbol.
    pub fn in_edges(&self, node: SymbolId) -> impl Iterator<Item = Neighbour> {
        self.incoming.neighbours(node)
    }

    /// The edges to the symbols that a symbol uses, with the number of uses of this kind; none if these have different
    /// tiers or confidences, or are more than 255, and must be counted in the table of edges.
    pub fn counted_out_edges(&self, node: SymbolId) -> impl Iterator<Item = (Neighbour, Option<NonZeroU16>)> {
        self.out.counted(node)
    }

    /// The edges from the symbols that use a symbol, with the number of uses as in [`Self::counted_out_edges`].
    pub fn counted_in_edges(&self, node: SymbolId) -> impl Iterator<Item = (Neighbour, Option<NonZeroU16>)> {
        self.in_edges(node).map(move |edge| (edge, self.out.uses_of(edge.node, node, edge.kind)))
    }
}
