//! Writes edges as `graph.arrow`. This module must not know how the file is read.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, ListArray, RecordBatch, StructArray, UInt8Array, UInt32Array};
use arrow_buffer::OffsetBuffer;
use arrow_ipc::writer::FileWriter;

use super::edge::GraphEdge;
use super::schema::{edge_fields, item_field, schema};
use crate::Result;
use crate::ids::SymbolId;

/// Writes the graph over `nodes` symbols. Parallel edges of one kind are merged into the one with the best tier and
/// confidence. Returns the number of edges written.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, nodes: usize, mut edges: Vec<GraphEdge>) -> Result<u64> {
    // Edges come in sorted runs, which a stable sort merges.
    edges.sort_by(|a, b| {
        (a.source, a.target, a.kind, a.tier)
            .cmp(&(b.source, b.target, b.kind, b.tier))
            .then(b.confidence.total_cmp(&a.confidence))
    });
    edges.dedup_by_key(|edge| (edge.source, edge.target, edge.kind));
    let out = adjacency_lists(nodes, &edges, |edge| (edge.source, edge.target))?;
    let incoming = adjacency_lists(nodes, &edges, |edge| (edge.target, edge.source))?;
    let batch = RecordBatch::try_new(Arc::new(schema()), vec![out, incoming])?;
    let mut writer = FileWriter::try_new_buffered(fs_err::File::create(path)?, &schema())?;
    writer.write(&batch)?;
    writer.finish()?;
    Ok(edges.len() as u64)
}

/// The lists of neighbours of all nodes; `ends` is a node of an edge and its neighbour. In a list, edges keep their order.
fn adjacency_lists(
    nodes: usize,
    edges: &[GraphEdge],
    ends: impl Fn(&GraphEdge) -> (SymbolId, SymbolId),
) -> Result<ArrayRef> {
    let mut lengths = vec![0_usize; nodes];
    for edge in edges {
        lengths[ends(edge).0.index()] += 1;
    }
    let mut next = lengths.clone();
    next.iter_mut().fold(0, |start, length| start + std::mem::replace(length, start));
    let (mut neighbours, mut kinds) = (vec![0_u32; edges.len()], vec![0_u8; edges.len()]);
    let (mut tiers, mut confidences) = (vec![0_u8; edges.len()], vec![0_f32; edges.len()]);
    for edge in edges {
        let (node, neighbour) = ends(edge);
        let at = next[node.index()];
        next[node.index()] += 1;
        neighbours[at] = neighbour.get();
        (kinds[at], tiers[at], confidences[at]) = (edge.kind.code(), edge.tier.code(), edge.confidence);
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt32Array::from(neighbours)),
        Arc::new(UInt8Array::from(kinds)),
        Arc::new(UInt8Array::from(tiers)),
        Arc::new(Float32Array::from(confidences)),
    ];
    let values = StructArray::try_new(edge_fields(), columns, None)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(Arc::new(item_field()), offsets, Arc::new(values), None)?))
}
