//! The one record batch of an uncompressed Arrow IPC file, used in place in the mapped file.
//!
//! The Arrow library checks every offset when it decodes a list, which reads an eighth of the file for a question that
//! needs a handful of rows. So only the metadata is decoded here; offsets are checked when they are used.

use std::ops::Range;

use arrow_buffer::{ArrowNativeType, Buffer, ScalarBuffer};
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{root_as_footer, root_as_message};
use arrow_schema::Schema;

/// Where the lists of a column begin and end among its values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListOffsets {
    offsets: ScalarBuffer<i32>,
    /// The number of values of all lists.
    values: usize,
}

impl ListOffsets {
    /// Those of lists of these lengths.
    pub(crate) fn new(lengths: impl Iterator<Item = usize>) -> Option<Self> {
        let mut offsets = vec![0_i32];
        let mut values = 0_usize;
        for length in lengths {
            values = values.checked_add(length)?;
            offsets.push(i32::try_from(values).ok()?);
        }
        Some(Self { offsets: offsets.into(), values })
    }

    /// The number of lists.
    pub(crate) fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of values of all lists.
    pub(crate) const fn values(&self) -> usize {
        self.values
    }

    /// Whether they ascend from 0 to the number of values.
    pub(crate) fn are_valid(&self) -> bool {
        self.offsets.first() == Some(&0)
            && self.offsets.is_sorted()
            && self.offsets.last().is_some_and(|&end| usize::try_from(end) == Ok(self.values))
    }

    /// The position of a list's first value, at most the number of values; lists past the last begin there.
    pub(crate) fn start(&self, row: usize) -> usize {
        let offset = self.offsets[row.min(self.rows())];
        usize::try_from(offset).unwrap_or(0).min(self.values)
    }

    /// The positions of a list's values.
    pub(crate) fn range(&self, row: usize) -> Range<usize> {
        self.start(row)..self.start(row.saturating_add(1))
    }

    /// The offsets as Arrow stores them.
    pub(crate) fn stored(&self) -> &[i32] {
        &self.offsets
    }
}

/// The metadata of the file's only record batch (the Arrow IPC file format,
/// <https://arrow.apache.org/docs/format/Columnar.html>). Decoding consumes its nodes and buffers in order.
pub(crate) struct Batch {
    schema: Schema,
    body: Buffer,
    /// Length and null count of each array.
    nodes: std::vec::IntoIter<(i64, i64)>,
    /// Offset within the body and length of each buffer, in bytes.
    buffers: std::vec::IntoIter<(i64, i64)>,
}

impl Batch {
    /// The record batch of a file with one of these schemas, and the position of its schema.
    pub(crate) fn read(file: &Buffer, schemas: &[Schema]) -> Result<(Self, usize), String> {
        let trailer = file.len().checked_sub(10).ok_or("it is too short")?;
        let trailer_bytes = file[trailer..].try_into().map_err(|_| "it is too short")?;
        let footer_len = read_footer_length(trailer_bytes).map_err(|error| error.to_string())?;
        let footer_start = trailer.checked_sub(footer_len).ok_or("its footer is longer than the file")?;
        let footer = root_as_footer(&file[footer_start..trailer]).map_err(|error| format!("its footer: {error}"))?;
        let schema_of_file = fb_to_schema(footer.schema().ok_or("its footer has no schema")?);
        let known = schemas.iter().position(|schema| schema.fields() == schema_of_file.fields());
        let known = known.ok_or("it has another schema")?;
        let blocks = footer.recordBatches().ok_or("it has no record batch")?;
        if blocks.len() != 1 {
            return Err(format!("it has {} record batches instead of one", blocks.len()));
        }
        let block = blocks.get(0);
        let (Ok(start), Ok(meta), Ok(body)) = (
            usize::try_from(block.offset()),
            usize::try_from(block.metaDataLength()),
            usize::try_from(block.bodyLength()),
        ) else {
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
        Ok((Self { schema: schema_of_file, body, nodes: nodes.into_iter(), buffers: buffers.into_iter() }, known))
    }

    /// A text of the schema's metadata.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.schema.metadata.get(key).map(String::as_str)
    }

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

    /// Decodes the offsets of the next column, whose values are lists of structs; their fields come next.
    pub(crate) fn list(&mut self) -> Result<ListOffsets, String> {
        let rows = self.len()?;
        self.validity()?;
        let offsets = match rows {
            // An empty list has no offsets.
            0 => self.values(0).map(|_: ScalarBuffer<i32>| vec![0].into())?,
            _ => self.values(rows.checked_add(1).ok_or("it has too many rows")?)?,
        };
        let values = self.len()?;
        self.validity()?;
        Ok(ListOffsets { offsets, values })
    }

    /// Decodes the next column, whose length is not known before.
    pub(crate) fn first_column<T: ArrowNativeType>(&mut self) -> Result<ScalarBuffer<T>, String> {
        let len = self.len()?;
        self.validity()?;
        self.values(len)
    }

    /// Decodes the next column or field, which has `len` numbers.
    pub(crate) fn column<T: ArrowNativeType>(&mut self, len: usize) -> Result<ScalarBuffer<T>, String> {
        if self.len()? != len {
            return Err("its columns have different lengths".to_owned());
        }
        self.validity()?;
        self.values(len)
    }
}
