//! A table's footer and the places of its pages, from the file to what the library reads with.

use std::sync::Arc;

use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{FooterTail, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};

use super::positioned::Positioned;
use super::thrift::{FOOTER, PLACES, looked_through};

/// Bytes at the end that say where the footer begins.
const TAIL_BYTES: usize = 8;

/// Reads the footer.
pub(super) fn footer(file: &Positioned) -> Result<ArrowReaderMetadata> {
    ArrowReaderMetadata::try_new(Arc::new(parse(file)?), ArrowReaderOptions::default())
}

/// The same with the places of the pages, where the file has them: what looking up single rows needs.
pub(super) fn footer_and_places(file: &Positioned) -> Result<ArrowReaderMetadata> {
    let metadata = parse(file)?;
    look_through_places(file, &metadata)?;
    let mut reader =
        ParquetMetaDataReader::new_with_metadata(metadata).with_offset_index_policy(PageIndexPolicy::Optional);
    reader.read_page_indexes(file)?;
    ArrowReaderMetadata::try_new(Arc::new(reader.finish()?), ArrowReaderOptions::default())
}

fn parse(file: &Positioned) -> Result<ParquetMetaData> {
    let before = |end: u64, length: usize| {
        end.checked_sub(length as u64).ok_or_else(|| ParquetError::EOF("it is too short for a table".to_owned()))
    };
    let tail_start = before(file.len(), TAIL_BYTES)?;
    let tail = file.get_bytes(tail_start, TAIL_BYTES)?;
    let tail = tail.first_chunk().ok_or_else(|| ParquetError::EOF("its last bytes are not there".to_owned()))?;
    let tail = FooterTail::try_new(tail)?;
    if tail.is_encrypted_footer() {
        return Err(ParquetError::General("it is encrypted".to_owned()));
    }
    let length = tail.metadata_length();
    let bytes = file.get_bytes(before(tail_start, length)?, length)?;
    looked_through(&bytes, &FOOTER)?;
    ParquetMetaDataReader::decode_metadata(&bytes)
}

/// Looks through the places of every column's pages. They lie side by side, so one reading is enough for all; were
/// they on top of each other, the library would make more of them than the file has bytes.
fn look_through_places(file: &Positioned, metadata: &ParquetMetaData) -> Result<()> {
    let wrong = |what: &str| ParquetError::General(format!("the places of its pages {what}"));
    let columns = metadata.row_groups().iter().flat_map(|group| group.columns());
    let said = columns.filter_map(|column| Some((column.offset_index_offset()?, column.offset_index_length()?)));
    let mut places = said
        .map(|(start, length)| Some((u64::try_from(start).ok()?, u64::try_from(length).ok()?)))
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| wrong("are less than nothing"))?;
    places.sort_unstable();
    let mut end = 0;
    for &(start, length) in &places {
        if start < end {
            return Err(wrong("are on top of each other"));
        }
        end = start.checked_add(length).ok_or_else(|| wrong("reach beyond its end"))?;
    }
    let Some(&(first, _)) = places.first() else { return Ok(()) };
    let bytes = file.get_bytes(first, usize::try_from(end - first)?)?;
    for &(start, length) in &places {
        let at = usize::try_from(start - first)?;
        looked_through(&bytes[at..at + usize::try_from(length)?], &PLACES)?;
    }
    Ok(())
}
