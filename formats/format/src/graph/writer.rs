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

fn adjacency_lists(
    nodes: usize,
    edges: &[GraphEdge],
    ends: impl Fn(&GraphEdge) -> (SymbolId, SymbolId),
) -> Result<ArrayRef> {
    let mut lengths = vec![0_usize; nodes];
    for edge in edges {
        lengths[ends(edge).0.index()] += 1;
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt32Array::from_iter_values(edges.iter().map(|edge| ends(edge).1.get()))),
        Arc::new(UInt8Array::from_iter_values(edges.iter().map(|edge| edge.kind.code()))),
        Arc::new(UInt8Array::from_iter_values(edges.iter().map(|edge| edge.tier.code()))),
        Arc::new(Float32Array::from_iter_values(edges.iter().map(|edge| edge.confidence))),
    ];
    let values = StructArray::try_new(edge_fields(), columns, None)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(Arc::new(item_field()), offsets, Arc::new(values), None)?))
}
