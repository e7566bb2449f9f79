//! The buffers of `graph.arrow`, used in place in the mapped file; a row is checked when it is read.

use std::num::NonZeroU16;
use std::ops::Range;
use std::sync::Arc;

use arrow_buffer::{Buffer, ScalarBuffer};

use super::edge::Neighbour;
use super::labels::{self, Label};
use super::schema::{LABELS, Layout};
use crate::batch::{Batch, ListOffsets};
use crate::ids::SymbolId;
use crate::kinds::{EdgeKind, Tier};

/// One direction of the memory-mapped graph.
pub(super) struct Direction {
    lists: ListOffsets,
    nodes: ScalarBuffer<u32>,
    labels: StoredLabels,
    /// The number of uses of each, 0 if it is not known; empty if it is not stored.
    uses: Numbers,
}

/// The label of each edge.
enum StoredLabels {
    /// Its number among the labels of the file; none is one that is not known.
    Numbers(Numbers, Arc<[Option<Label>]>),
    /// What it stands for.
    Columns { kinds: ScalarBuffer<u8>, tiers: ScalarBuffer<u8>, confidences: ScalarBuffer<f32> },
}

/// The label of an edge as it is stored.
#[derive(Clone, Copy)]
pub(super) enum StoredLabel {
    Number(u16),
    Whole(Label),
}

/// Small numbers.
enum Numbers {
    Narrow(ScalarBuffer<u8>),
    Wide(ScalarBuffer<u16>),
}

impl Numbers {
    fn get(&self, at: usize) -> Option<u16> {
        match self {
            Self::Narrow(numbers) => numbers.get(at).copied().map(u16::from),
            Self::Wide(numbers) => numbers.get(at).copied(),
        }
    }
}

impl StoredLabels {
    /// The label of an edge; none if it is damaged.
    fn get(&self, at: usize) -> Option<Label> {
        match self {
            Self::Numbers(numbers, labels) => *labels.get(usize::from(numbers.get(at)?))?,
            Self::Columns { kinds, tiers, confidences } => Some(Label {
                kind: EdgeKind::from_code(*kinds.get(at)?)?,
                tier: Tier::from_code(*tiers.get(at)?)?,
                confidence: *confidences.get(at)?,
            }),
        }
    }
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
        let nodes = self.nodes.get(range.clone())?;
        let first = range.start + nodes.partition_point(|&other| other < neighbour.get());
        let end = range.start + nodes.partition_point(|&other| other <= neighbour.get());
        let of_kind = (first..end).find(|&at| self.labels.get(at).is_some_and(|label| label.kind == kind))?;
        self.uses_at(of_kind)
    }

    fn uses_at(&self, at: usize) -> Option<NonZeroU16> {
        self.uses.get(at).and_then(NonZeroU16::new)
    }

    /// The labels of the file; none if edges have theirs in columns.
    pub(super) fn labels(&self) -> Option<&[Option<Label>]> {
        match &self.labels {
            StoredLabels::Numbers(_, labels) => Some(labels),
            StoredLabels::Columns { .. } => None,
        }
    }

    /// The neighbours of a node as they are stored: number of the node, label, and number of uses, 0 if it is not known.
    pub(super) fn stored(&self, node: SymbolId) -> impl Iterator<Item = Option<(u32, StoredLabel, u16)>> {
        self.range(node).map(|at| {
            let label = match &self.labels {
                StoredLabels::Numbers(numbers, _) => StoredLabel::Number(numbers.get(at)?),
                StoredLabels::Columns { .. } => StoredLabel::Whole(self.labels.get(at)?),
            };
            Some((*self.nodes.get(at)?, label, self.uses.get(at).unwrap_or(0)))
        })
    }

    /// The edges of a node.
    fn range(&self, node: SymbolId) -> Range<usize> {
        self.lists.range(node.index())
    }

    /// An edge; none if its label is unknown or its node out of range, because the file is damaged then.
    fn neighbour(&self, at: usize) -> Option<Neighbour> {
        let rows = self.rows();
        let node = self.nodes.get(at).map(|&node| SymbolId::new(node)).filter(|node| node.index() < rows)?;
        let Label { kind, tier, confidence } = self.labels.get(at)?;
        Some(Neighbour { node, kind, tier, confidence })
    }
}

/// Decodes the next column.
fn direction(
    batch: &mut Batch,
    layout: Layout,
    labels: &Arc<[Option<Label>]>,
    is_out: bool,
) -> Result<Direction, String> {
    let lists = batch.list()?;
    let edges = lists.values();
    let nodes = batch.column(edges)?;
    let labels = match layout {
        Layout::Labels => StoredLabels::Numbers(Numbers::Narrow(batch.column(edges)?), Arc::clone(labels)),
        Layout::ManyLabels => StoredLabels::Numbers(Numbers::Wide(batch.column(edges)?), Arc::clone(labels)),
        Layout::Columns | Layout::ColumnsWithoutUses => StoredLabels::Columns {
            kinds: batch.column(edges)?,
            tiers: batch.column(edges)?,
            confidences: batch.column(edges)?,
        },
    };
    let uses = match layout {
        Layout::Labels | Layout::ManyLabels if is_out => Numbers::Narrow(batch.column(edges)?),
        Layout::Columns if is_out => Numbers::Wide(batch.column(edges)?),
        _ => Numbers::Narrow(Vec::new().into()),
    };
    Ok(Direction { lists, nodes, labels, uses })
}

/// Decodes the graph into its outgoing and its incoming direction.
pub(super) fn decode(file: &Buffer) -> Result<(Direction, Direction), String> {
    let (mut batch, known) = Batch::read(file, &Layout::ALL.map(Layout::schema))?;
    let layout = Layout::ALL[known];
    let labels = batch.text(LABELS).map_or_else(|| Ok(Vec::new()), labels::decode)?.into();
    let out = direction(&mut batch, layout, &labels, true)?;
    let incoming = direction(&mut batch, layout, &labels, false)?;
    if out.rows() != incoming.rows() {
        return Err("its two directions have different rows".to_owned());
    }
    Ok((out, incoming))
}
