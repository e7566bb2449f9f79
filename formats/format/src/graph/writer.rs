//! Writes lists of outgoing edges, and the incoming ones that follow from them, as `graph.arrow`. This module must not know
//! how the file is read.

use std::path::Path;

use super::builder::{Columns, GraphBuilder, OutLists};
use super::edge::GraphEdge;
use super::schema::schema;
use crate::batch_writer::BatchWriter;
use crate::{Error, Result};

/// Writes the graph over `nodes` symbols. Parallel edges of one kind are merged as [`GraphBuilder`] does.
///
/// # Errors
/// An edge leads from or to a missing symbol, or the file cannot be written.
pub fn write(path: &Path, nodes: usize, mut edges: Vec<GraphEdge>) -> Result<()> {
    let mut builder = GraphBuilder::default();
    builder.push_file(nodes, &mut edges);
    let lists = builder.finish().ok_or_else(|| Error::damaged(path, "an edge leads to a missing symbol"))?;
    lists.write(path)
}

impl OutLists {
    /// Writes the graph.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let (incoming_offsets, incoming) = self.incoming();
        let offsets: Vec<i32> = self.offsets().map(u32::cast_signed).collect();
        let mut writer = BatchWriter::new(schema(true), self.symbols());
        self.columns.add_to(&mut writer, &offsets);
        writer.column(&self.columns.uses);
        incoming.add_to(&mut writer, &incoming_offsets);
        writer.write(path)
    }

    /// The lists of incoming edges: where each starts, then where the last one ends, and the edges. In a list, edges keep
    /// their order.
    fn incoming(&self) -> (Vec<i32>, Columns) {
        let from = &self.columns;
        let mut next = vec![0_u32; self.symbols() + 1];
        for &node in &from.nodes {
            next[node as usize + 1] += 1;
        }
        for node in 1..next.len() {
            next[node] += next[node - 1];
        }
        let offsets = next.iter().copied().map(u32::cast_signed).collect();
        let edges = self.edges();
        let mut to = Columns {
            nodes: vec![0; edges],
            kinds: vec![0; edges],
            tiers: vec![0; edges],
            confidences: vec![0.0; edges],
            uses: Vec::new(),
        };
        let mut starts = self.offsets();
        let mut at = starts.next().unwrap_or_default() as usize;
        for (source, end) in (0_u32..).zip(starts) {
            for edge in at..end as usize {
                let place = &mut next[from.nodes[edge] as usize];
                let slot = *place as usize;
                *place += 1;
                to.nodes[slot] = source;
                (to.kinds[slot], to.tiers[slot]) = (from.kinds[edge], from.tiers[edge]);
                to.confidences[slot] = from.confidences[edge];
            }
            at = end as usize;
        }
        (offsets, to)
    }
}

impl Columns {
    /// Adds a column of lists, without the numbers of uses.
    fn add_to<'a>(&'a self, writer: &mut BatchWriter<'a>, offsets: &'a [i32]) {
        writer.list(offsets, self.nodes.len());
        writer.column(&self.nodes);
        writer.column(&self.kinds);
        writer.column(&self.tiers);
        writer.column(&self.confidences);
    }
}
