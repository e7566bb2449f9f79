//! Writes edges as `graph.arrow`. This module must not know how the file is read.

use std::num::NonZeroU16;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, ListArray, RecordBatch, StructArray, UInt8Array, UInt16Array, UInt32Array};
use arrow_buffer::OffsetBuffer;
use arrow_ipc::writer::FileWriter;

use super::edge::GraphEdge;
use super::schema::{edge_fields, item_field, schema};
use crate::Result;
use crate::ids::SymbolId;

/// Writes the graph over `nodes` symbols. Parallel edges of one kind are merged into the one with the best tier and
/// confidence; their uses are added if all have these two. Returns the edges written, in the order of their sources.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, nodes: usize, mut edges: Vec<GraphEdge>) -> Result<Vec<GraphEdge>> {
    // Edges come in sorted runs, which a stable sort merges.
    edges.sort_by(|a, b| {
        (a.source, a.target, a.kind, a.tier)
            .cmp(&(b.source, b.target, b.kind, b.tier))
            .then(b.confidence.total_cmp(&a.confidence))
    });
    edges.dedup_by(|other, edge| {
        let is_parallel = (other.source, other.target, other.kind) == (edge.source, edge.target, edge.kind);
        if is_parallel {
            edge.uses = sum_of_equal(edge, other);
        }
        is_parallel
    });
    let (out, incoming) = std::thread::scope(|scope| {
        let incoming = scope.spawn(|| adjacency_lists(nodes, &edges, false, |edge| (edge.target, edge.source)));
        let out = adjacency_lists(nodes, &edges, true, |edge| (edge.source, edge.target));
        (out, incoming.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let (out, incoming) = (out?, incoming?);
    let batch = RecordBatch::try_new(Arc::new(schema(true)), vec![out, incoming])?;
    let mut writer = FileWriter::try_new_buffered(fs_err::File::create(path)?, &schema(true))?;
    writer.write(&batch)?;
    writer.finish()?;
    Ok(edges)
}

/// How many uses two parallel edges stand for; none if they differ, or if there are too many.
fn sum_of_equal(a: &GraphEdge, b: &GraphEdge) -> Option<NonZeroU16> {
    let is_equal = a.tier == b.tier && a.confidence.to_bits() == b.confidence.to_bits();
    a.uses.filter(|_| is_equal)?.checked_add(b.uses?.get())
}

/// The lists of neighbours of all nodes, `has_uses` with the numbers of uses; `ends` is a node of an edge and its
/// neighbour. In a list, edges keep their order.
fn adjacency_lists(
    nodes: usize,
    edges: &[GraphEdge],
    has_uses: bool,
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
    let mut uses = vec![0_u16; if has_uses { edges.len() } else { 0 }];
    for edge in edges {
        let (node, neighbour) = ends(edge);
        let at = next[node.index()];
        next[node.index()] += 1;
        neighbours[at] = neighbour.get();
        (kinds[at], tiers[at], confidences[at]) = (edge.kind.code(), edge.tier.code(), edge.confidence);
        if let Some(uses) = uses.get_mut(at) {
            *uses = edge.uses.map_or(0, NonZeroU16::get);
        }
    }
    let mut columns: Vec<ArrayRef> = vec![
        Arc::new(UInt32Array::from(neighbours)),
        Arc::new(UInt8Array::from(kinds)),
        Arc::new(UInt8Array::from(tiers)),
        Arc::new(Float32Array::from(confidences)),
    ];
    if has_uses {
        columns.push(Arc::new(UInt16Array::from(uses)));
    }
    let values = StructArray::try_new(edge_fields(has_uses), columns, None)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(Arc::new(item_field(has_uses)), offsets, Arc::new(values), None)?))
}
