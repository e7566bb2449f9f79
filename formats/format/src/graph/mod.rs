//! `graph.arrow`: the resolved graph over symbols as compressed sparse rows in both directions.
//!
//! One Arrow IPC file with one record batch, one row per symbol, row number = `symbol_id`, and two columns, `out` and
//! `in`, each `list<struct<node: uint32, kind: uint8, tier: uint8, confidence: float32>>`. An edge appears once under
//! its source in `out` and once under its target in `in`. The buffers are not compressed, so the file is used in place
//! after mapping.
//!
//! Unresolved edges are not in the graph; the `contains` edges from an owner to its members are.

mod mapped;
mod visit;

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, ListArray, RecordBatch, StructArray, UInt8Array, UInt32Array};
use arrow_buffer::OffsetBuffer;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Fields, Schema};

use crate::kinds::{EdgeKind, Tier};
use crate::panics::catch_panic;
use crate::{Error, Result};
use mapped::Direction;

pub use visit::{DirectedEdge, Visited};

/// A resolved edge, as passed to [`write`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphEdge {
    /// The symbol that contains the use.
    pub source: u32,
    /// The symbol that is used.
    pub target: u32,
    /// Kind of edge.
    pub kind: EdgeKind,
    /// How the target was resolved.
    pub tier: Tier,
    /// Confidence that the target is right, 0 to 1.
    pub confidence: f32,
}

/// One end of an edge, as stored in the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The symbol at the other end.
    pub node: u32,
    /// Kind of edge.
    pub kind: EdgeKind,
    /// How the target was resolved.
    pub tier: Tier,
    /// Confidence that the target is right, 0 to 1.
    pub confidence: f32,
}

fn edge_fields() -> Fields {
    Fields::from(vec![
        Field::new("node", DataType::UInt32, false),
        Field::new("kind", DataType::UInt8, false),
        Field::new("tier", DataType::UInt8, false),
        Field::new("confidence", DataType::Float32, false),
    ])
}

fn item_field() -> Field {
    Field::new("item", DataType::Struct(edge_fields()), false)
}

fn schema() -> Schema {
    let list = DataType::List(Arc::new(item_field()));
    Schema::new(vec![Field::new("out", list.clone(), false), Field::new("in", list, false)])
}

/// Writes the graph over `nodes` symbols. Parallel edges of one kind are merged into the one with the best tier and
/// confidence. Returns the number of edges written.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, nodes: usize, mut edges: Vec<GraphEdge>) -> Result<u64> {
    edges.sort_unstable_by(|a, b| {
        (a.source, a.target, a.kind, a.tier)
            .cmp(&(b.source, b.target, b.kind, b.tier))
            .then(b.confidence.total_cmp(&a.confidence))
    });
    edges.dedup_by_key(|edge| (edge.source, edge.target, edge.kind));
    let out = adjacency_lists(nodes, &edges, |edge| (edge.source, edge.target))?;
    edges.sort_by_key(|edge| (edge.target, edge.source, edge.kind));
    let incoming = adjacency_lists(nodes, &edges, |edge| (edge.target, edge.source))?;
    let batch = RecordBatch::try_new(Arc::new(schema()), vec![out, incoming])?;
    let mut writer = FileWriter::try_new_buffered(fs_err::File::create(path)?, &schema())?;
    writer.write(&batch)?;
    writer.finish()?;
    Ok(edges.len() as u64)
}

fn adjacency_lists(nodes: usize, edges: &[GraphEdge], ends: impl Fn(&GraphEdge) -> (u32, u32)) -> Result<ArrayRef> {
    let mut lengths = vec![0_usize; nodes];
    for edge in edges {
        lengths[ends(edge).0 as usize] += 1;
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt32Array::from_iter_values(edges.iter().map(|edge| ends(edge).1))),
        Arc::new(UInt8Array::from_iter_values(edges.iter().map(|edge| edge.kind.code()))),
        Arc::new(UInt8Array::from_iter_values(edges.iter().map(|edge| edge.tier.code()))),
        Arc::new(Float32Array::from_iter_values(edges.iter().map(|edge| edge.confidence))),
    ];
    let values = StructArray::try_new(edge_fields(), columns, None)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(Arc::new(item_field()), offsets, Arc::new(values), None)?))
}

/// The memory-mapped graph.
pub struct Graph {
    out: Direction,
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
    pub fn out_edges(&self, node: u32) -> impl Iterator<Item = Neighbour> {
        self.out.neighbours(node)
    }

    /// The number of outgoing edges of the symbols `first..=last`. The range is clipped to the graph.
    #[must_use]
    pub fn out_edge_count(&self, first: u32, last: u32) -> usize {
        self.out.edge_count_between(first as usize, (last as usize).saturating_add(1))
    }

    /// The symbol that owns a symbol; none for the symbol of a file.
    #[must_use]
    pub fn owner(&self, node: u32) -> Option<u32> {
        self.in_edges(node).find(|edge| edge.kind == EdgeKind::Contains).map(|edge| edge.node)
    }

    /// The edges from the symbols that use a symbol.
    pub fn in_edges(&self, node: u32) -> impl Iterator<Item = Neighbour> {
        self.incoming.neighbours(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edge(source: u32, target: u32, kind: EdgeKind, confidence: f32) -> GraphEdge {
        GraphEdge { source, target, kind, tier: Tier::Import, confidence }
    }

    fn write_and_open(nodes: usize, edges: Vec<GraphEdge>) -> Graph {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("graph.arrow");
        write(&path, nodes, edges).unwrap();
        Graph::open(&path).unwrap()
    }

    #[test]
    fn parallel_edges_merge_and_both_directions_agree() {
        let graph = write_and_open(
            4,
            vec![
                edge(2, 1, EdgeKind::Call, 0.5),
                edge(0, 1, EdgeKind::Call, 0.4),
                edge(0, 1, EdgeKind::Call, 0.9),
                edge(0, 1, EdgeKind::Type, 0.9),
            ],
        );
        assert_eq!((graph.nodes(), graph.edges()), (4, 3));
        let out: Vec<_> = graph.out_edges(0).map(|n| (n.node, n.kind, n.confidence)).collect();
        assert_eq!(out, [(1, EdgeKind::Call, 0.9), (1, EdgeKind::Type, 0.9)]);
        let users: Vec<_> = graph.in_edges(1).map(|n| n.node).collect();
        assert_eq!(users, [0, 0, 2]);
        assert_eq!(graph.out_edges(3).count() + graph.out_edges(99).count(), 0);
    }

    #[test]
    fn an_empty_graph_opens() {
        assert_eq!(write_and_open(0, Vec::new()).nodes(), 0);
        assert_eq!(write_and_open(3, Vec::new()).edges(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn damage_never_panics(at in 0_usize..2000, bit in 0_u8..8, cut in 0_usize..2000) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("graph.arrow");
            write(&path, 3, vec![edge(0, 1, EdgeKind::Call, 1.0), edge(1, 2, EdgeKind::Type, 0.5)]).unwrap();
            let mut bytes = fs_err::read(&path).unwrap();
            let len = bytes.len();
            bytes[at % len] ^= 1 << bit;
            bytes.truncate(len - cut % 40);
            fs_err::write(&path, &bytes).unwrap();
            if let Ok(graph) = Graph::open(&path) {
                for node in 0..4 {
                    prop_assert!(graph.out_edges(node).chain(graph.in_edges(node)).all(|n| (n.node as usize) < graph.nodes()));
                }
            }
        }
    }
}
