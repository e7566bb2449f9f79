//! `graph.arrow`: the resolved graph over symbols as compressed sparse rows in both directions.
//!
//! One Arrow IPC file with one record batch, one row per symbol, row number = `symbol_id`, and two
//! columns, `out` and `in`, each `list<struct<node: uint32, kind: uint8, tier: uint8, confidence:
//! float32>>`. An edge appears once under its source in `out` and once under its target in `in`.
//! The buffers are not compressed, so that mapping the file is opening it.
//!
//! Edges that were not resolved are not in the graph; the `contains` edges from an owner to what
//! it owns are.

mod visit;

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt8Type, UInt32Type};
use arrow_array::{Array, ArrayRef, Float32Array, ListArray, RecordBatch, StructArray, UInt8Array, UInt32Array};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::root_as_footer;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Fields, Schema};

use crate::fence::fenced;
use crate::kinds::{EdgeKind, Tier};
use crate::{Error, Result};

pub use visit::{Edge, Visited};

/// A resolved edge, before it is laid out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphEdge {
    /// The symbol that uses.
    pub source: u32,
    /// The symbol that is used.
    pub target: u32,
    /// What the use is.
    pub kind: EdgeKind,
    /// How the target was found.
    pub tier: Tier,
    /// How likely the target is right, 0 to 1.
    pub confidence: f32,
}

/// One end of an edge as the graph holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The symbol at the other end.
    pub node: u32,
    /// What the use is.
    pub kind: EdgeKind,
    /// How the target was found.
    pub tier: Tier,
    /// How likely the target is right, 0 to 1.
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

/// Writes the graph over `nodes` symbols. Parallel edges of one kind are merged: the most certain
/// one stays. The number of edges written.
pub fn write(path: &Path, nodes: usize, mut edges: Vec<GraphEdge>) -> Result<u64> {
    edges.sort_unstable_by(|a, b| {
        (a.source, a.target, a.kind, a.tier)
            .cmp(&(b.source, b.target, b.kind, b.tier))
            .then(b.confidence.total_cmp(&a.confidence))
    });
    edges.dedup_by_key(|edge| (edge.source, edge.target, edge.kind));
    let out = rows(nodes, &edges, |edge| (edge.source, edge.target))?;
    edges.sort_by_key(|edge| (edge.target, edge.source, edge.kind));
    let incoming = rows(nodes, &edges, |edge| (edge.target, edge.source))?;
    let batch = RecordBatch::try_new(Arc::new(schema()), vec![out, incoming])?;
    let mut writer = FileWriter::try_new_buffered(fs_err::File::create(path)?, &schema())?;
    writer.write(&batch)?;
    writer.finish()?;
    Ok(edges.len() as u64)
}

fn rows(nodes: usize, edges: &[GraphEdge], ends: impl Fn(&GraphEdge) -> (u32, u32)) -> Result<ArrayRef> {
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

/// One direction of the memory-mapped graph.
struct Direction {
    offsets: OffsetBuffer<i32>,
    nodes: ScalarBuffer<u32>,
    kinds: ScalarBuffer<u8>,
    tiers: ScalarBuffer<u8>,
    confidences: ScalarBuffer<f32>,
}

impl Direction {
    fn new(list: &ListArray) -> Option<Self> {
        let values = list.values().as_struct_opt()?;
        if values.null_count() > 0 || list.null_count() > 0 {
            return None;
        }
        Some(Self {
            offsets: list.offsets().clone(),
            nodes: values.column(0).as_primitive_opt::<UInt32Type>()?.values().clone(),
            kinds: values.column(1).as_primitive_opt::<UInt8Type>()?.values().clone(),
            tiers: values.column(2).as_primitive_opt::<UInt8Type>()?.values().clone(),
            confidences: values.column(3).as_primitive_opt::<Float32Type>()?.values().clone(),
        })
    }

    fn neighbours(&self, node: u32) -> impl Iterator<Item = Neighbour> {
        let node = node as usize;
        let range = match (self.offsets.get(node), self.offsets.get(node + 1)) {
            (Some(&start), Some(&end)) => usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0),
            _ => 0..0,
        };
        let nodes = self.offsets.len() - 1;
        // An unknown code or a node out of range can only come from damage; such an edge is no edge.
        range.filter_map(move |at| {
            Some(Neighbour {
                node: *self.nodes.get(at).filter(|&&node| (node as usize) < nodes)?,
                kind: EdgeKind::from_code(*self.kinds.get(at)?)?,
                tier: Tier::from_code(*self.tiers.get(at)?)?,
                confidence: *self.confidences.get(at)?,
            })
        })
    }
}

/// The memory-mapped graph.
pub struct Graph {
    out: Direction,
    incoming: Direction,
}

impl Graph {
    /// Maps the file.
    pub fn open(path: &Path) -> Result<Self> {
        let buffer = crate::mapped::map_file(path)?;
        let batch = fenced(path, || decode(&buffer).map_err(|what| Error::damaged(path, what)))?;
        let direction = |name: &str| {
            batch
                .column_by_name(name)
                .and_then(|column| column.as_list_opt::<i32>())
                .and_then(Direction::new)
                .ok_or_else(|| Error::damaged(path, format!("column {name} is not a list of edges")))
        };
        Ok(Self { out: direction("out")?, incoming: direction("in")? })
    }

    /// The number of symbols.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.out.offsets.len() - 1
    }

    /// The number of edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.out.nodes.len()
    }

    /// What a symbol uses.
    pub fn uses(&self, node: u32) -> impl Iterator<Item = Neighbour> {
        self.out.neighbours(node)
    }

    /// How many edges lead out of the symbols from one to another, both included. Ranges beyond the graph are
    /// cut.
    #[must_use]
    pub fn uses_of_all(&self, first: u32, last: u32) -> usize {
        let end = |node: usize| self.out.offsets.get(node).copied().or(self.out.offsets.last().copied()).unwrap_or(0);
        usize::try_from(i64::from(end(last as usize + 1)) - i64::from(end(first as usize))).unwrap_or(0)
    }

    /// The symbol that owns a symbol; none for a file's own.
    #[must_use]
    pub fn owner(&self, node: u32) -> Option<u32> {
        self.users(node).find(|edge| edge.kind == EdgeKind::Contains).map(|edge| edge.node)
    }

    /// What uses a symbol.
    pub fn users(&self, node: u32) -> impl Iterator<Item = Neighbour> {
        self.incoming.neighbours(node)
    }
}

fn decode(buffer: &Buffer) -> Result<RecordBatch, String> {
    let trailer = buffer.len().checked_sub(10).ok_or("it is too short")?;
    let trailer_bytes = buffer[trailer..].try_into().map_err(|_| "it is too short")?;
    let footer_len = read_footer_length(trailer_bytes).map_err(|error| error.to_string())?;
    let footer_start = trailer.checked_sub(footer_len).ok_or("its footer is longer than the file")?;
    let footer = root_as_footer(&buffer[footer_start..trailer]).map_err(|error| format!("its footer: {error}"))?;
    let schema_of_file = fb_to_schema(footer.schema().ok_or("its footer has no schema")?);
    if schema_of_file.fields() != schema().fields() {
        return Err("it has another schema".to_owned());
    }
    let decoder = FileDecoder::new(Arc::new(schema_of_file), footer.version());
    let blocks = footer.recordBatches().ok_or("it has no record batch")?;
    if blocks.len() != 1 {
        return Err(format!("it has {} record batches instead of one", blocks.len()));
    }
    let block = blocks.get(0);
    let (Ok(start), Ok(meta), Ok(body)) =
        (usize::try_from(block.offset()), usize::try_from(block.metaDataLength()), usize::try_from(block.bodyLength()))
    else {
        return Err("its record batch has a negative place".to_owned());
    };
    let len = meta.checked_add(body).ok_or("its record batch is too long")?;
    if start.checked_add(len).is_none_or(|end| end > footer_start) {
        return Err("its record batch is longer than the file".to_owned());
    }
    decoder
        .read_record_batch(block, &buffer.slice_with_length(start, len))
        .map_err(|error| error.to_string())?
        .ok_or_else(|| "its record batch is empty".to_owned())
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
        let out: Vec<_> = graph.uses(0).map(|n| (n.node, n.kind, n.confidence)).collect();
        assert_eq!(out, [(1, EdgeKind::Call, 0.9), (1, EdgeKind::Type, 0.9)]);
        let users: Vec<_> = graph.users(1).map(|n| n.node).collect();
        assert_eq!(users, [0, 0, 2]);
        assert_eq!(graph.uses(3).count() + graph.uses(99).count(), 0);
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
                    prop_assert!(graph.uses(node).chain(graph.users(node)).all(|n| (n.node as usize) < graph.nodes()));
                }
            }
        }
    }
}
