//! The buffers of `graph.arrow`, used in place in the mapped file.
//!
//! The Arrow library checks every offset when it decodes a list, which reads an eighth of the file for a question that
//! needs a handful of rows. So only the metadata is decoded here; a row is checked when it is read.

use std::num::NonZeroU16;
use std::ops::Range;

use arrow_buffer::{ArrowNativeType, Buffer, ScalarBuffer};
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{root_as_footer, root_as_message};

use super::edge::Neighbour;
use super::schema::schema;
use crate::ids::SymbolId;
use crate::kinds::{EdgeKind, Tier};

/// One direction of the memory-mapped graph.
pub(super) struct Direction {
    offsets: ScalarBuffer<i32>,
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
        self.offsets.len() - 1
    }

    /// The number of edges.
    pub(super) fn edges(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the offsets ascend from 0 to the number of edges.
    pub(super) fn has_valid_offsets(&self) -> bool {
        self.offsets.first() == Some(&0)
            && self.offsets.is_sorted()
            && self.offsets.last().is_some_and(|&end| usize::try_from(end) == Ok(self.edges()))
    }

    /// The number of edges of the rows `first..end`; rows past the last have none.
    pub(super) fn edge_count_between(&self, first: usize, end: usize) -> usize {
        self.edge_start(end).saturating_sub(self.edge_start(first))
    }

    /// The index of a row's first edge, at most the number of edges.
    fn edge_start(&self, row: usize) -> usize {
        let offset = self.offsets[row.min(self.rows())];
        usize::try_from(offset).unwrap_or(0).min(self.edges())
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
        let row = node.index();
        self.edge_start(row)..self.edge_start(row.saturating_add(1))
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

/// The metadata of the file's only record batch. Decoding consumes its nodes and buffers in order.
struct Batch {
    body: Buffer,
    /// Length and null count of each array.
    nodes: std::vec::IntoIter<(i64, i64)>,
    /// Offset within the body and length of each buffer, in bytes.
    buffers: std::vec::IntoIter<(i64, i64)>,
}

impl Batch {
    /// The number of values of the next array.
    fn len(&mut self) -> Result<usize, String> {
        let (len, nulls) = self.nodes.next().ok_or("an array is missing")?;
        if nulls != 0 {
            return Err("it contains nulls".to_owned());
        }
        usize::try_from(len).map_err(|_| "an array has a negative length".to_owned())
    }

    /// The next buffer, of `len` values.
    fn values<T: ArrowNativeType>(&mut self, len: usize) -> Result<ScalarBuffer<T>, String> {
        let (offset, bytes) = self.buffers.next().ok_or("a buffer is missing")?;
        let (Ok(offset), Ok(bytes)) = (usize::try_from(offset), usize::try_from(bytes)) else {
            return Err("a buffer has a negative offset or length".to_owned());
        };
        let needed = len.checked_mul(size_of::<T>()).filter(|needed| *needed <= bytes);
        let needed = needed.ok_or("a buffer is shorter than its array")?;
        if offset.checked_add(bytes).is_none_or(|end| end > self.body.len()) {
            return Err("a buffer extends past the end of the file".to_owned());
        }
        let slice = self.body.slice_with_length(offset, needed);
        if !slice.as_ptr().addr().is_multiple_of(align_of::<T>()) {
            return Err("a buffer is not aligned".to_owned());
        }
        Ok(ScalarBuffer::new(slice, 0, len))
    }

    /// Skips the next validity bitmap: no value is null.
    fn validity(&mut self) -> Result<(), String> {
        self.buffers.next().map(|_| ()).ok_or_else(|| "a buffer is missing".to_owned())
    }

    /// Decodes the next column: a list of structs.
    fn direction(&mut self, has_uses: bool) -> Result<Direction, String> {
        let rows = self.len()?;
        self.validity()?;
        let offsets = match rows {
            // An empty list has no offsets.
            0 => self.values(0).map(|_: ScalarBuffer<i32>| vec![0].into())?,
            _ => self.values(rows.checked_add(1).ok_or("it has too many rows")?)?,
        };
        let edges = self.len()?;
        self.validity()?;
        Ok(Direction {
            offsets,
            nodes: self.column(edges)?,
            kinds: self.column(edges)?,
            tiers: self.column(edges)?,
            confidences: self.column(edges)?,
            uses: if has_uses { self.column(edges)? } else { Vec::new().into() },
        })
    }

    fn column<T: ArrowNativeType>(&mut self, edges: usize) -> Result<ScalarBuffer<T>, String> {
        if self.len()? != edges {
            return Err("its columns have different lengths".to_owned());
        }
        self.validity()?;
        self.values(edges)
    }
}

/// Decodes the graph into its outgoing and its incoming direction.
pub(super) fn decode(file: &Buffer) -> Result<(Direction, Direction), String> {
    let (mut batch, has_uses) = record_batch(file)?;
    let (out, incoming) = (batch.direction(has_uses)?, batch.direction(false)?);
    if out.rows() != incoming.rows() {
        return Err("its two directions have different rows".to_owned());
    }
    Ok((out, incoming))
}

/// The file's one record batch, and whether outgoing edges have their numbers of uses (the Arrow IPC file format, <https://arrow.apache.org/docs/format/Columnar.html>).
fn record_batch(file: &Buffer) -> Result<(Batch, bool), String> {
    let trailer = file.len().checked_sub(10).ok_or("it is too short")?;
    let trailer_bytes = file[trailer..].try_into().map_err(|_| "it is too short")?;
    let footer_len = read_footer_length(trailer_bytes).map_err(|error| error.to_string())?;
    let footer_start = trailer.checked_sub(footer_len).ok_or("its footer is longer than the file")?;
    let footer = root_as_footer(&file[footer_start..trailer]).map_err(|error| format!("its footer: {error}"))?;
    let schema_of_file = fb_to_schema(footer.schema().ok_or("its footer has no schema")?);
    let has_uses = schema_of_file.fields() == schema(true).fields();
    if !has_uses && schema_of_file.fields() != schema(false).fields() {
        return Err("it has another schema".to_owned());
    }
    let blocks = footer.recordBatches().ok_or("it has no record batch")?;
    if blocks.len() != 1 {
        return Err(format!("it has {} record batches instead of one", blocks.len()));
    }
    let block = blocks.get(0);
    let (Ok(start), Ok(meta), Ok(body)) =
        (usize::try_from(block.offset()), usize::try_from(block.metaDataLength()), usize::try_from(block.bodyLength()))
    else {
        return Err("its record batch has a negative offset or length".to_owned());
    };
    let body_start = start.checked_add(meta).ok_or("its record batch is too long")?;
    if body_start.checked_add(body).is_none_or(|end| end > footer_start) {
        return Err("its record batch is longer than the file".to_owned());
    }
    // A message begins with a marker and its length, four bytes each.
    let message = file[start..body_start].get(8..).ok_or("its record batch has no header")?;
    let message = root_as_message(message).map_err(|error| format!("its record batch: {error}"))?;
    let header = message.header_as_record_batch().ok_or("its message is not a record batch")?;
    if header.compression().is_some() {
        return Err("its record batch is compressed".to_owned());
    }
    let nodes: Vec<_> = header.nodes().into_iter().flatten().map(|n| (n.length(), n.null_count())).collect();
    let buffers: Vec<_> = header.buffers().into_iter().flatten().map(|b| (b.offset(), b.length())).collect();
    let body = file.slice_with_length(body_start, body);
    Ok((Batch { body, nodes: nodes.into_iter(), buffers: buffers.into_iter() }, has_uses))
}
