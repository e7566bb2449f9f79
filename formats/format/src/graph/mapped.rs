//! The buffers of `graph.arrow`, used in place in the mapped file; a row is checked when it is read.

use std::num::NonZeroU16;
use std::ops::Range;

use arrow_buffer::{Buffer, ScalarBuffer};

use super::edge::Neighbour;
use super::schema::schema;
use crate::batch::{Batch, ListOffsets};
use crate::ids::SymbolId;
use crate::kinds::{EdgeKind, Tier};

/// One direction of the memory-mapped graph.
pub(super) struct Direction {
    lists: ListOffsets,
    nodes: ScalarBuffer<u32>,
    kinds: ScalarBuffer<u8>,
    tiers: ScalarBuffer<u8>,
    confidences: ScalarBuffer<f32>,
    /// The number of uses of each, 0 if it is not known; empty if it is not stored.
    uses: ScalarBuffer<u16>,
}

impl Direction {
    /// The number of symbols.
    pub(super) fn rows(&self) -> usize {
        self.lists.rows()
    }

    /// The number of edges.
    pub(super) const fn edges(&self) -> usize {
        self.lists.values()
    }

    /// Whether the offsets ascend from 0 to the number of edges.
    pub(super) fn has_valid_offsets(&self) -> bool {
        self.lists.are_valid()
    }

    /// The number of edges of the rows `first..end`; rows past the last have none.
    pub(super) fn edge_count_between(&self, first: usize, end: usize) -> usize {
        self.lists.start(end).saturating_sub(self.lists.start(first))
    }

    pub(super) fn neighbours(&self, node: SymbolId) -> impl Iterator<Item = Neighbour> {
        self.range(node).filter_map(|at| self.neighbour(at))
    }

    /// The neighbours with the number of uses.
    pub(super) fn counted(&self, node: SymbolId) -> impl Iterator<Item = (Neighbour, Option<NonZeroU16>)> {
        self.range(node).filter_map(|at| Some((self.neighbour(at)?, self.uses_at(at))))
    }

    /// The number of uses of a neighbour.
    pub(super) fn uses_of(&self, node: SymbolId, neighbour: SymbolId, kind: EdgeKind) -> Option<NonZeroU16> {
        // A list is sorted by neighbour and kind.
        let range = self.range(node);
        let (nodes, kinds) = (self.nodes.get(range.clone())?, self.kinds.get(range.clone())?);
        let first = nodes.partition_point(|&other| other < neighbour.get());
        let end = nodes.partition_point(|&other| other <= neighbour.get());
        let of_kind = kinds.get(first..end)?.iter().position(|&code| code == kind.code())?;
        self.uses_at(range.start + first + of_kind)
    }

    fn uses_at(&self, at: usize) -> Option<NonZeroU16> {
        self.uses.get(at).copied().and_then(NonZeroU16::new)
    }

    /// The edges of a node.
    fn range(&self, node: SymbolId) -> Range<usize> {
        self.lists.range(node.index())
    }

    /// An edge. An unknown code or a node out of range means damage; there is no such edge.
    fn neighbour(&self, at: usize) -> Option<Neighbour> {
        let rows = self.rows();
        Some(Neighbour {
            node: self.nodes.get(at).map(|&node| SymbolId::new(node)).filter(|node| node.index() < rows)?,
            kind: EdgeKind::from_code(*self.kinds.get(at)?)?,
            tier: Tier::from_code(*self.tiers.get(at)?)?,
            confidence: *self.confidences.get(at)?,
        })
    }
}

/// Decodes the next column.
fn direction(batch: &mut Batch, has_uses: bool) -> Result<Direction, String> {
    let lists = batch.list()?;
    let edges = lists.values();
    Ok(Direction {
        lists,
        nodes: batch.column(edges)?,
        kinds: batch.column(edges)?,
        tiers: batch.column(edges)?,
        confidences: batch.column(edges)?,
        uses: if has_uses { batch.column(edges)? } else { Vec::new().into() },
    })
}

/// Decodes the graph into its outgoing and its incoming direction.
pub(super) fn decode(file: &Buffer) -> Result<(Direction, Direction), String> {
    let (mut batch, known) = Batch::read(file, &[schema(true), schema(false)])?;
    let (out, incoming) = (direction(&mut batch, known == 0)?, direction(&mut batch, false)?);
    if out.rows() != incoming.rows() {
        return Err("its two directions have different rows".to_owned());
    }
    Ok((out, incoming))
}
