//! Writes numbers as the one record batch of an uncompressed Arrow IPC file. Arrow's own writer copies the batch before it
//! writes, which takes as much memory again as the largest file of an index has bytes.

use std::io::{self, Write};
use std::path::Path;

use arrow_buffer::{ArrowNativeType, ToByteSlice};
use arrow_ipc::convert::IpcSchemaEncoder;
use arrow_ipc::writer::{DictionaryTracker, EncodedData, IpcDataGenerator, IpcWriteOptions, write_message};
use arrow_ipc::{
    Block, Buffer, FieldNode, FooterBuilder, MessageBuilder, MessageHeader, MetadataVersion, RecordBatchBuilder,
};
use arrow_schema::Schema;
use flatbuffers::FlatBufferBuilder;

use crate::Result;

/// The first and the last bytes of a file.
const MAGIC: &[u8] = b"ARROW1";
/// What each message begins with (the Arrow IPC format); without a length after it, it ends the messages.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// Messages and buffers begin at multiples of this, Arrow's default.
const ALIGNMENT: usize = 64;

/// The columns of a record batch, in order; each is a list of structs, or one of numbers.
pub(crate) struct BatchWriter<'a> {
    schema: Schema,
    rows: usize,
    /// Length and null count of each array.
    nodes: Vec<FieldNode>,
    buffers: Vec<&'a [u8]>,
}

impl<'a> BatchWriter<'a> {
    pub(crate) const fn new(schema: Schema, rows: usize) -> Self {
        Self { schema, rows, nodes: Vec::new(), buffers: Vec::new() }
    }

    /// Begins an array without nulls, which needs no bitmap of them.
    fn array(&mut self, len: usize) {
        self.nodes.push(FieldNode::new(i64::try_from(len).unwrap_or(i64::MAX), 0));
        self.buffers.push(&[]);
    }

    /// Adds a column of lists of structs, of which there are `values`; their fields come next.
    pub(crate) fn list(&mut self, offsets: &'a [i32], values: usize) {
        self.array(self.rows);
        self.buffers.push(offsets.to_byte_slice());
        self.array(values);
    }

    /// Adds a column or a field of numbers.
    pub(crate) fn column<T: ArrowNativeType>(&mut self, values: &'a [T]) {
        self.array(values.len());
        self.buffers.push(values.to_byte_slice());
    }

    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(self, path: &Path) -> Result<()> {
        let mut file = io::BufWriter::new(fs_err::File::create(path)?);
        let options = IpcWriteOptions::default();
        file.write_all(MAGIC)?;
        let mut at = MAGIC.len() + pad(&mut file, MAGIC.len())?;
        let schema = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(
            &self.schema,
            &mut DictionaryTracker::new(true),
            &options,
        );
        at += write_message(&mut file, schema, &options)?.0;
        let (message, body_bytes) = self.message();
        let message = EncodedData { ipc_message: message, arrow_data: Vec::new() };
        let (message_bytes, _) = write_message(&mut file, message, &options)?;
        for buffer in &self.buffers {
            file.write_all(buffer)?;
            pad(&mut file, buffer.len())?;
        }
        file.write_all(&CONTINUATION)?;
        file.write_all(&[0; 4])?;
        let long = |bytes: usize| i64::try_from(bytes).unwrap_or(i64::MAX);
        let block = Block::new(long(at), i32::try_from(message_bytes).unwrap_or(i32::MAX), body_bytes);
        let footer = self.footer(block);
        file.write_all(&footer)?;
        file.write_all(&i32::try_from(footer.len()).unwrap_or(i32::MAX).to_le_bytes())?;
        file.write_all(MAGIC)?;
        Ok(file.flush()?)
    }

    /// The message in front of the buffers, and the number of bytes of these.
    fn message(&self) -> (Vec<u8>, i64) {
        let mut at: i64 = 0;
        let long = |bytes: usize| i64::try_from(bytes).unwrap_or(i64::MAX);
        let place = |buffer: &&[u8]| {
            let place = Buffer::new(at, long(buffer.len()));
            at += long(buffer.len().next_multiple_of(ALIGNMENT));
            place
        };
        let buffers: Vec<Buffer> = self.buffers.iter().map(place).collect();
        let mut builder = FlatBufferBuilder::new();
        let (buffers, nodes) = (builder.create_vector(&buffers), builder.create_vector(&self.nodes));
        let mut batch = RecordBatchBuilder::new(&mut builder);
        batch.add_length(long(self.rows));
        batch.add_nodes(nodes);
        batch.add_buffers(buffers);
        let batch = batch.finish().as_union_value();
        let mut message = MessageBuilder::new(&mut builder);
        message.add_version(MetadataVersion::V5);
        message.add_header_type(MessageHeader::RecordBatch);
        message.add_bodyLength(at);
        message.add_header(batch);
        let message = message.finish();
        builder.finish(message, None);
        (builder.finished_data().to_vec(), at)
    }

    /// The end of the file, which says where the record batch is.
    fn footer(&self, block: Block) -> Vec<u8> {
        let mut builder = FlatBufferBuilder::new();
        let dictionaries = builder.create_vector::<Block>(&[]);
        let blocks = builder.create_vector(&[block]);
        let schema = IpcSchemaEncoder::new().schema_to_fb_offset(&mut builder, &self.schema);
        let mut footer = FooterBuilder::new(&mut builder);
        footer.add_version(MetadataVersion::V5);
        footer.add_schema(schema);
        footer.add_dictionaries(dictionaries);
        footer.add_recordBatches(blocks);
        let footer = footer.finish();
        builder.finish(footer, None);
        builder.finished_data().to_vec()
    }
}

/// Fills up to the next multiple of [`ALIGNMENT`] after `len` bytes. Returns the number of bytes.
fn pad(file: &mut impl Write, len: usize) -> io::Result<usize> {
    let padding = len.next_multiple_of(ALIGNMENT) - len;
    file.write_all(&[0; ALIGNMENT][..padding])?;
    Ok(padding)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ListArray, RecordBatch, StructArray, UInt16Array, UInt32Array};
    use arrow_buffer::OffsetBuffer;
    use arrow_ipc::reader::FileReader;
    use arrow_ipc::writer::FileWriter;
    use arrow_schema::{DataType, Field, Fields};
    use proptest::prelude::*;

    use super::*;

    /// Writes a column of numbers and one of lists with Arrow's writer and with this one.
    fn written(lengths: &[usize]) -> [Vec<u8>; 2] {
        let fields =
            Fields::from(vec![Field::new("a", DataType::UInt32, false), Field::new("b", DataType::UInt16, false)]);
        let item = Arc::new(Field::new("item", DataType::Struct(fields.clone()), false));
        let schema = Schema::new(vec![
            Field::new("number", DataType::UInt32, false),
            Field::new("list", DataType::List(Arc::clone(&item)), false),
        ]);
        let offsets = OffsetBuffer::<i32>::from_lengths(lengths.iter().copied());
        let values: u32 = lengths.iter().map(|&length| u32::try_from(length).unwrap()).sum();
        let numbers = UInt32Array::from_iter_values(lengths.iter().map(|&length| u32::try_from(length).unwrap()));
        let (a, b) = (UInt32Array::from_iter_values(0..values), UInt16Array::from(vec![7; values as usize]));
        let dir = tempfile::tempdir().unwrap();
        let (one, two) = (dir.path().join("one"), dir.path().join("two"));
        let mut writer = BatchWriter::new(schema.clone(), lengths.len());
        writer.column::<u32>(numbers.values());
        writer.list(&offsets, a.len());
        writer.column::<u32>(a.values());
        writer.column::<u16>(b.values());
        writer.write(&one).unwrap();
        let list = StructArray::new(fields, vec![Arc::new(a.clone()), Arc::new(b.clone())], None);
        let list = ListArray::new(item, offsets.clone(), Arc::new(list), None);
        let batch =
            RecordBatch::try_new(Arc::new(schema.clone()), vec![Arc::new(numbers.clone()), Arc::new(list)]).unwrap();
        let mut writer = FileWriter::try_new(fs_err::File::create(&two).unwrap(), &schema).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        let read: Vec<_> = FileReader::try_new(fs_err::File::open(&one).unwrap(), None).unwrap().collect();
        assert_eq!(read.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [batch]);
        [one, two].map(|path| fs_err::read(path).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_bytes_are_those_of_arrow(lengths in prop::collection::vec(0_usize..40, 0..60)) {
            let [one, two] = written(&lengths);
            prop_assert_eq!(one, two);
        }
    }
}
