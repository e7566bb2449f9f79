//! Writes lists of outgoing edges, and the incoming ones that follow from them, as `graph.arrow`. This module must not know
//! how the file is read.

use std::path::Path;

use arrow_buffer::ArrowNativeType;
use arrow_schema::Schema;

use super::builder::{GraphBuilder, OutLists};
use super::edge::GraphEdge;
use super::labels;
use super::schema::Layout;
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
        let (labels, positions) = self.labels.sorted(&self.columns.labels);
        let numbers = self.columns.labels.iter().map(|&number| positions[usize::from(number)]);
        let uses: Vec<u8> = self.columns.uses.iter().map(|&uses| u8::try_from(uses).unwrap_or_default()).collect();
        let list = labels::encode(&labels);
        match u8::try_from(labels.len().saturating_sub(1)) {
            Ok(_) => {
                let narrow = numbers.map(|number| number.to_le_bytes()[0]).collect();
                self.write_labelled::<u8>(path, Layout::Labels.schema_with(list), narrow, &uses)
            }
            Err(_) => self.write_labelled::<u16>(path, Layout::ManyLabels.schema_with(list), numbers.collect(), &uses),
        }
    }

    fn write_labelled<N: ArrowNativeType>(
        &self,
        path: &Path,
        schema: Schema,
        labels: Vec<N>,
        uses: &[u8],
    ) -> Result<()> {
        let (incoming_offsets, incoming, incoming_labels) = self.incoming(&labels);
        let offsets: Vec<i32> = self.offsets().map(u32::cast_signed).collect();
        let mut writer = BatchWriter::new(schema, self.symbols());
        writer.list(&offsets, self.edges());
        writer.column(&self.columns.nodes);
        writer.column(&labels);
        writer.column(uses);
        writer.list(&incoming_offsets, self.edges());
        writer.column(&incoming);
        writer.column(&incoming_labels);
        writer.write(path)
    }

    /// The lists of incoming edges: where each starts, then where the last one ends, and the sources and labels of edges. In
    /// a list, edges keep their order.
    fn incoming<N: ArrowNativeType>(&self, labels: &[N]) -> (Vec<i32>, Vec<u32>, Vec<N>) {
        let targets = &self.columns.nodes;
        let mut next = vec![0_u32; self.symbols() + 1];
        for &node in targets {
            next[node as usize + 1] += 1;
        }
        for node in 1..next.len() {
            next[node] += next[node - 1];
        }
        let offsets = next.iter().copied().map(u32::cast_signed).collect();
        let (mut sources, mut labels_of) = (vec![0; self.edges()], vec![N::default(); self.edges()]);
        let mut starts = self.offsets();
        let mut at = starts.next().unwrap_or_default() as usize;
        for (source, end) in (0_u32..).zip(starts) {
            for edge in at..end as usize {
                let place = &mut next[targets[edge] as usize];
                let slot = *place as usize;
                *place += 1;
                (sources[slot], labels_of[slot]) = (source, labels[edge]);
            }
            at = end as usize;
        }
        (offsets, sources, labels_of)
    }
}
