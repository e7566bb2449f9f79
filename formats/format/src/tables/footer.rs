//! An open Parquet table: its footer, and its page locations, which are loaded on demand.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use parquet::DecodeResult;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    FooterTail, PageIndexPolicy, ParquetMetaData, ParquetMetaDataPushDecoder, ParquetMetaDataReader,
};
use parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};
use parquet::file::reader::{ChunkReader, Length};

use super::kept_pages::KeptPages;
use super::positioned::PositionedFile;
use super::thrift::{FILE_METADATA, OFFSET_INDEX, validate};
use crate::Error;
use crate::panics::catch_panic;

/// Bytes at the end of a file, which give the length of the footer.
const TAIL_BYTES: usize = 8;

/// Which parts of a table its reader needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// All rows, from first to last.
    Sequential,
    /// Single rows and columns; needs page locations.
    Random,
}

/// A table's file and its decoded footer.
pub(super) struct ParquetTable {
    pub(super) file: PositionedFile,
    pub(super) metadata: ArrowReaderMetadata,
    /// Page locations of every column for each row group, loaded on first use. Empty for sequential access; a row
    /// group's entry is none if the file has no offset index.
    page_locations: Vec<OnceLock<Option<Vec<OffsetIndexMetaData>>>>,
    /// Pages that were read for single rows.
    pub(super) kept_pages: KeptPages,
}

impl ParquetTable {
    pub(super) fn open(path: &Path, access: Access) -> crate::Result<Arc<Self>> {
        let file = PositionedFile::open(path)?;
        catch_panic(path, || Self::from_file(file, access).map(Arc::new).map_err(|error| Error::damaged(path, error)))
    }

    fn from_file(file: PositionedFile, access: Access) -> Result<Self> {
        let metadata = read_footer(&file)?;
        check_offset_indexes_disjoint(&metadata)?;
        let groups = if access == Access::Random { metadata.num_row_groups() } else { 0 };
        let metadata = ArrowReaderMetadata::try_new(Arc::new(metadata), ArrowReaderOptions::default())?;
        let page_locations = (0..groups).map(|_| OnceLock::new()).collect();
        Ok(Self { file, metadata, page_locations, kept_pages: KeptPages::default() })
    }

    pub(super) fn parquet(&self) -> &ParquetMetaData {
        self.metadata.metadata()
    }

    /// The page locations of a column in a row group; none if the file has no offset index or access is sequential.
    pub(super) fn page_locations(&self, group: usize, column: usize) -> Result<Option<&Vec<PageLocation>>> {
        let Some(cached) = self.page_locations.get(group) else { return Ok(None) };
        if cached.get().is_none() {
            // If two threads race here, both read the same value.
            let _ = cached.set(self.read_page_locations(group)?);
        }
        Ok(cached.get().and_then(Option::as_ref).and_then(|columns| columns.get(column)).map(|c| c.page_locations()))
    }

    /// Validates the offset indexes of a row group, then decodes them. The library reads the whole range between the
    /// first and the last of them, so they must be contiguous, as it writes them.
    fn read_page_locations(&self, group: usize) -> Result<Option<Vec<OffsetIndexMetaData>>> {
        let all = self.parquet();
        let single_group = ParquetMetaData::new(all.file_metadata().clone(), vec![all.row_group(group).clone()]);
        let ranges = offset_index_ranges(&single_group)?;
        let (Some(&(first, _)), Some(&(_, end))) = (ranges.first(), ranges.last()) else { return Ok(None) };
        if !ranges.is_sorted_by(|one, next| one.1 == next.0) {
            return Err(ParquetError::General("its offset indexes are not contiguous".to_owned()));
        }
        let bytes = self.file.get_bytes(first, usize::try_from(end - first)?)?;
        for (start, end) in ranges {
            validate(&bytes[usize::try_from(start - first)?..usize::try_from(end - first)?], &OFFSET_INDEX)?;
        }
        let mut decoder = ParquetMetaDataPushDecoder::try_new_with_metadata(self.file.len(), single_group)?
            .with_column_index_policy(PageIndexPolicy::Skip)
            .with_offset_index_policy(PageIndexPolicy::Optional);
        decoder.push_range(first..end, bytes)?;
        let DecodeResult::Data(single_group) = decoder.try_decode()? else { return Ok(None) };
        Ok(single_group.into_builder().take_offset_index().and_then(|groups| groups.into_iter().next()))
    }
}

fn read_footer(file: &PositionedFile) -> Result<ParquetMetaData> {
    let start_before = |end: u64, length: usize| {
        end.checked_sub(length as u64).ok_or_else(|| ParquetError::EOF("it is too short to be a table".to_owned()))
    };
    let tail_start = start_before(file.len(), TAIL_BYTES)?;
    let tail = file.get_bytes(tail_start, TAIL_BYTES)?;
    let tail = tail.first_chunk().ok_or_else(|| ParquetError::EOF("its last bytes are missing".to_owned()))?;
    let tail = FooterTail::try_new(tail)?;
    if tail.is_encrypted_footer() {
        return Err(ParquetError::General("it is encrypted".to_owned()));
    }
    let length = tail.metadata_length();
    let bytes = file.get_bytes(start_before(tail_start, length)?, length)?;
    validate(&bytes, &FILE_METADATA)?;
    ParquetMetaDataReader::decode_metadata(&bytes)
}

/// The byte ranges of the offset indexes of all columns, as (start, end), in file order.
fn offset_index_ranges(metadata: &ParquetMetaData) -> Result<Vec<(u64, u64)>> {
    let columns = metadata.row_groups().iter().flat_map(|group| group.columns());
    let declared = columns.filter_map(|column| Some((column.offset_index_offset()?, column.offset_index_length()?)));
    let range = |(start, length): (i64, i32)| {
        let (start, length) = (u64::try_from(start).ok()?, u64::try_from(length).ok()?);
        Some((start, start.checked_add(length)?))
    };
    let ranges: Option<Vec<_>> = declared.map(range).collect();
    let mut ranges = ranges.ok_or_else(|| ParquetError::General("an offset index has an invalid range".to_owned()))?;
    ranges.sort_unstable();
    Ok(ranges)
}

/// If offset indexes overlapped, decoding could yield more data than the file has bytes.
fn check_offset_indexes_disjoint(metadata: &ParquetMetaData) -> Result<()> {
    if offset_index_ranges(metadata)?.is_sorted_by(|one, next| one.1 <= next.0) {
        return Ok(());
    }
    Err(ParquetError::General("its offset indexes overlap".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::SkipReason;
    use crate::tables::{SkippedRow, TableWriter};

    /// A footer whose offset indexes begin at `at(start)` instead of `start`.
    fn with_offset_index_starts(footer: ParquetMetaData, at: impl Fn(i64) -> i64) -> ParquetMetaData {
        let mut footer = footer.into_builder();
        let groups = footer.take_row_groups().into_iter().map(|group| {
            let mut group = group.into_builder();
            for column in group.take_columns() {
                let start = column.offset_index_offset().map(&at);
                let column = column.into_builder().set_offset_index_offset(start);
                group = group.add_column_metadata(column.build().unwrap());
            }
            group.build().unwrap()
        });
        let groups = groups.collect();
        footer.set_row_groups(groups).build()
    }

    #[test]
    fn offset_indexes_must_be_contiguous() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("skipped.parquet");
        let mut writer = TableWriter::create(&path).unwrap();
        let (repo, detail) = (String::new(), String::new());
        writer.push(SkippedRow { repo, path: "a".to_owned(), reason: SkipReason::Binary, detail }).unwrap();
        writer.finish().unwrap();
        let file = PositionedFile::open(&path).unwrap();
        let opened = |at: &dyn Fn(i64) -> i64| {
            let opened = ParquetTable::from_file(file.clone(), Access::Random).unwrap();
            let parquet = with_offset_index_starts(opened.parquet().clone(), at);
            check_offset_indexes_disjoint(&parquet)?;
            let metadata = ArrowReaderMetadata::try_new(Arc::new(parquet), ArrowReaderOptions::default())?;
            ParquetTable { metadata, ..opened }.page_locations(0, 0).map(|locations| locations.map(Vec::len))
        };
        assert_eq!(opened(&|start| start).unwrap(), Some(1));
        let problem = |at: &dyn Fn(i64) -> i64| opened(at).unwrap_err().to_string();
        assert!(problem(&|_| 4).contains("overlap"));
        assert!(problem(&|_| -1).contains("invalid range"));
        assert!(problem(&|start| start * 2).contains("not contiguous"));
    }
}
