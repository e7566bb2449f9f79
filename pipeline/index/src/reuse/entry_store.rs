//! An immutable file of key-value entries: results of a build that later builds reuse.
//!
//! It is an Arrow IPC file with one row for each entry, and is memory-mapped. Every entry has a checksum, because a
//! wrong entry would produce a wrong index; a damaged entry counts as missing. This module must not know what the
//! values mean.

use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use arrow_array::builder::{BinaryBuilder, FixedSizeBinaryBuilder, UInt64Builder};
use arrow_array::{Array, BinaryArray, FixedSizeBinaryArray, RecordBatch, UInt64Array};
use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema};
use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::Error;
use sextant_format::mapped::map_file;
use sextant_format::panics::catch_panic;

/// The first 16 bytes of a blake3 hash of everything that decides the value.
pub(crate) type Key = [u8; 16];

/// Bytes of values after which a batch is written. At most this much and one entry are buffered in memory.
const BATCH_BYTES: usize = 4 << 20;

/// Length of the trailer, which locates the footer, in bytes.
const TRAILER_BYTES: usize = 10;

fn schema() -> Arc<Schema> {
    Arc::new(Schema::new(vec![
        Field::new("key", DataType::FixedSizeBinary(16), false),
        Field::new("check", DataType::UInt64, false),
        Field::new("value", DataType::Binary, false),
    ]))
}

/// Returns the first eight bytes of the hash of key and value.
fn checksum(key: &Key, value: &[u8]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key).update(value);
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// Writes a store.
pub(crate) struct EntryStoreWriter {
    writer: FileWriter<BufWriter<fs_err::File>>,
    keys: FixedSizeBinaryBuilder,
    checksums: UInt64Builder,
    values: BinaryBuilder,
    buffered_bytes: usize,
    written: FxHashSet<Key>,
    bytes: u64,
}

impl EntryStoreWriter {
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            writer: FileWriter::try_new(BufWriter::new(fs_err::File::create(path)?), &schema())?,
            keys: FixedSizeBinaryBuilder::new(16),
            checksums: UInt64Builder::new(),
            values: BinaryBuilder::new(),
            buffered_bytes: 0,
            written: FxHashSet::default(),
            bytes: 0,
        })
    }

    /// Appends an entry, unless one with this key was appended before.
    pub(crate) fn push(&mut self, key: &Key, value: &[u8]) -> anyhow::Result<()> {
        if !self.written.insert(*key) {
            return Ok(());
        }
        self.keys.append_value(key)?;
        self.checksums.append_value(checksum(key, value));
        self.values.append_value(value);
        self.buffered_bytes += value.len();
        self.bytes += value.len() as u64;
        if self.buffered_bytes >= BATCH_BYTES { self.flush() } else { Ok(()) }
    }

    /// Bytes of all values so far.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        self.buffered_bytes = 0;
        let columns: Vec<Arc<dyn Array>> =
            vec![Arc::new(self.keys.finish()), Arc::new(self.checksums.finish()), Arc::new(self.values.finish())];
        self.writer.write(&RecordBatch::try_new(schema(), columns)?)?;
        Ok(())
    }

    /// Closes the file and returns the number of its entries.
    pub(crate) fn finish(mut self) -> anyhow::Result<usize> {
        self.flush()?;
        self.writer.finish()?;
        Ok(self.written.len())
    }
}

/// Reads a store.
pub(crate) struct EntryStore {
    batches: Vec<Batch>,
    locations: FxHashMap<Key, (u32, u32)>,
}

struct Batch {
    checksums: UInt64Array,
    values: BinaryArray,
}

impl EntryStore {
    /// Maps a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a valid store.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let bytes = map_file(path)?;
        Ok(catch_panic(path, || Self::from_bytes(&bytes).map_err(|error| Error::damaged(path, format!("{error:#}"))))?)
    }

    fn from_bytes(bytes: &Buffer) -> anyhow::Result<Self> {
        let Some(end) = bytes.len().checked_sub(TRAILER_BYTES) else { bail!("it is truncated") };
        let mut trailer = [0; TRAILER_BYTES];
        trailer.copy_from_slice(&bytes[end..]);
        let length = read_footer_length(trailer)?;
        let Some(start) = end.checked_sub(length) else { bail!("its footer is damaged") };
        let footer = arrow_ipc::root_as_footer(&bytes[start..end]).map_err(|error| anyhow::anyhow!("{error}"))?;
        let found = footer.schema().map(fb_to_schema);
        if found.as_ref().map(Schema::fields) != Some(schema().fields()) {
            bail!("it has other columns");
        }
        let decoder = FileDecoder::new(schema(), footer.version());
        let mut store = Self { batches: Vec::new(), locations: FxHashMap::default() };
        for block in footer.recordBatches().into_iter().flatten() {
            let offset = usize::try_from(block.offset())?;
            let head = usize::try_from(block.metaDataLength())?;
            let length = usize::try_from(block.bodyLength())?.saturating_add(head);
            if offset.checked_add(length).is_none_or(|end| end > start) {
                bail!("a block exceeds the file");
            }
            // A message begins with a marker and its length, four bytes each.
            let message = bytes[offset..offset + head].get(8..).context("a block has no header")?;
            let message = arrow_ipc::root_as_message(message).map_err(|error| anyhow::anyhow!("{error}"))?;
            if message.header_as_record_batch().is_some_and(|header| header.compression().is_some()) {
                bail!("a block is compressed");
            }
            let Some(batch) = decoder.read_record_batch(block, &bytes.slice_with_length(offset, length))? else {
                continue;
            };
            store.add(&batch)?;
        }
        Ok(store)
    }

    fn add(&mut self, batch: &RecordBatch) -> anyhow::Result<()> {
        let column = |n: usize| batch.column(n).as_any();
        let (Some(keys), Some(checksums), Some(values)) = (
            column(0).downcast_ref::<FixedSizeBinaryArray>(),
            column(1).downcast_ref::<UInt64Array>(),
            column(2).downcast_ref::<BinaryArray>(),
        ) else {
            bail!("it has other columns");
        };
        let number = u32::try_from(self.batches.len())?;
        for row in 0..keys.len() {
            self.locations.insert(keys.value(row).try_into()?, (number, u32::try_from(row)?));
        }
        self.batches.push(Batch { checksums: checksums.clone(), values: values.clone() });
        Ok(())
    }

    /// Returns the value of a key without copying it; none if it is missing or damaged.
    pub(crate) fn get(&self, key: &Key) -> Option<Buffer> {
        let &(batch, row) = self.locations.get(key)?;
        let (batch, row) = (&self.batches[batch as usize], row as usize);
        let value = batch.values.value(row);
        let from = usize::try_from(batch.values.value_offsets()[row]).ok()?;
        (checksum(key, value) == batch.checksums.value(row))
            .then(|| batch.values.values().slice_with_length(from, value.len()))
    }

    /// Bytes of all values.
    pub(crate) fn bytes(&self) -> u64 {
        self.batches.iter().map(|batch| batch.values.values().len() as u64).sum()
    }

    /// Whether the store contains the key; its value may be damaged.
    pub(crate) fn contains(&self, key: &Key) -> bool {
        self.locations.contains_key(key)
    }

    /// Returns all keys, sorted.
    pub(crate) fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.locations.keys().copied().collect();
        keys.sort_unstable();
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(n: u8) -> (Key, Vec<u8>) {
        ([n; 16], vec![n; usize::from(n) * 300])
    }

    fn stored(dir: &Path) -> std::path::PathBuf {
        let path = dir.join("facts");
        let mut writer = EntryStoreWriter::create(&path).unwrap();
        for n in 0..50 {
            let (key, value) = entry(n);
            writer.push(&key, &value).unwrap();
            writer.push(&key, b"again").unwrap();
        }
        assert_eq!(writer.finish().unwrap(), 50);
        path
    }

    #[test]
    fn written_entries_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let store = EntryStore::open(&stored(dir.path())).unwrap();
        for n in 0..50 {
            let (key, value) = entry(n);
            assert_eq!(store.get(&key).unwrap().as_slice(), value);
        }
        assert!(store.get(&[99; 16]).is_none());
        assert_eq!(store.keys().len(), 50);
    }

    #[test]
    fn a_damaged_footer_never_panics() {
        let dir = tempfile::tempdir().unwrap();
        let path = stored(dir.path());
        let whole = fs_err::read(&path).unwrap();
        // Every byte of the footer, which contains the offsets of the blocks.
        for at in whole.len().saturating_sub(600)..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                fs_err::write(&path, &damaged).unwrap();
                drop(EntryStore::open(&path));
            }
        }
    }

    #[test]
    fn damage_is_an_error_or_an_absent_entry_and_never_another_value() {
        let dir = tempfile::tempdir().unwrap();
        let path = stored(dir.path());
        let whole = fs_err::read(&path).unwrap();
        for n in 0..400 {
            let mut damaged = whole.clone();
            if n % 4 == 0 {
                damaged.truncate(whole.len() * n / 400);
            } else {
                let at = whole.len() * n / 400;
                damaged[at] ^= 0x15;
            }
            fs_err::write(&path, &damaged).unwrap();
            let Ok(store) = EntryStore::open(&path) else { continue };
            for n in 0..50 {
                let (key, value) = entry(n);
                assert!(store.get(&key).is_none_or(|found| found.as_slice() == value), "entry {n}");
            }
        }
    }
}
