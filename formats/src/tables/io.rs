//! Rows to and from Parquet files, in bounded memory.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelection,
    RowSelector,
};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::{PageIndexPolicy, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnPath;

use super::positioned::Positioned;
use super::{Column, Row};
use crate::digest::{Digest, RowHasher};
use crate::fence::fenced;
use crate::{Error, Result};

/// Rows of a table that are held before they go to the writer.
const BATCH_ROWS: usize = 1024;
/// Rows of one column that are looked through at once.
const SCANNED: usize = 16 << 10;
/// Bytes of rows that are held before they go to the writer.
const BATCH_BYTES: usize = 1 << 20;
/// Rows of a row group.
const GROUP_ROWS: usize = 128 << 10;
/// Bytes of a row group; what bounds the memory of a writer.
const GROUP_BYTES: usize = 64 << 20;
/// Bytes of a page: what one look-up has to decode.
const PAGE_BYTES: usize = 64 << 10;
/// Rows of a page.
const PAGE_ROWS: usize = 1024;

/// Columns whose values hardly repeat. A dictionary would make them no smaller, and whoever looks up one row would
/// first decode all of its row group's.
const UNIQUE: [&str; 7] = ["content", "content_hash", "path", "name", "qualified_name", "signature", "doc"];

/// Writes one table and computes its canonical digest on the way.
pub struct TableWriter<R: Row> {
    writer: ArrowWriter<fs_err::File>,
    rows: Vec<R>,
    weight: usize,
    written: u64,
    hasher: RowHasher,
}

impl<R: Row> TableWriter<R> {
    /// Creates the file.
    pub fn create(path: &Path) -> Result<Self> {
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_max_row_group_bytes(Some(GROUP_BYTES))
            .set_data_page_size_limit(PAGE_BYTES)
            .set_data_page_row_count_limit(PAGE_ROWS)
            .set_write_batch_size(128)
            .set_statistics_enabled(EnabledStatistics::Page)
            // The version of a dependency is not content: two builds that agree on the rows agree on the bytes.
            .set_created_by("sextant".to_owned());
        for column in UNIQUE {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(column), false);
        }
        for column in ["content", "content_hash"] {
            properties = properties.set_column_statistics_enabled(ColumnPath::from(column), EnabledStatistics::None);
        }
        let writer = ArrowWriter::try_new(fs_err::File::create(path)?, R::schema(), Some(properties.build()))?;
        Ok(Self { writer, rows: Vec::new(), weight: 0, written: 0, hasher: RowHasher::default() })
    }

    /// Appends a row.
    pub fn push(&mut self, row: R) -> Result<()> {
        row.digest(&mut self.hasher);
        self.weight += row.weight();
        self.rows.push(row);
        if self.rows.len() >= BATCH_ROWS || self.weight >= BATCH_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.write(&R::to_batch(&self.rows)?)?;
        self.written += self.rows.len() as u64;
        self.rows.clear();
        self.weight = 0;
        Ok(())
    }

    /// Writes what is left and closes the file; the number of rows and their canonical digest.
    pub fn finish(mut self) -> Result<(u64, Digest)> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        self.writer.close()?;
        Ok((self.written, self.hasher.finish()))
    }
}

/// Reads a whole table, batch by batch.
pub struct TableReader<R: Row> {
    path: PathBuf,
    reader: ParquetRecordBatchReader,
    row: PhantomData<R>,
}

impl<R: Row> TableReader<R> {
    /// Opens the file.
    pub fn open(path: &Path) -> Result<Self> {
        let file = fs_err::File::open(path)?.into_parts().0;
        let reader = fenced(path, || {
            ParquetRecordBatchReaderBuilder::try_new(file)
                .and_then(|builder| builder.with_batch_size(BATCH_ROWS).build())
                .map_err(|error| Error::damaged(path, error))
        })?;
        Ok(Self { path: path.to_owned(), reader, row: PhantomData })
    }

    /// Every row; use it for small tables only.
    pub fn read_all(path: &Path) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        for batch in Self::open(path)? {
            rows.extend(batch?);
        }
        Ok(rows)
    }
}

impl<R: Row> Iterator for TableReader<R> {
    type Item = Result<Vec<R>>;

    fn next(&mut self) -> Option<Result<Vec<R>>> {
        let (path, reader) = (&self.path, &mut self.reader);
        let next = fenced(path, || {
            let Some(batch) = reader.next() else { return Ok(None) };
            let batch = batch.map_err(|error| Error::damaged(path, error))?;
            R::from_batch(&batch).map(Some).map_err(|what| Error::damaged(path, what))
        });
        next.transpose()
    }
}

/// Looks up single rows by their number, decoding only the pages that hold them.
pub struct PointReader<R: Row> {
    path: PathBuf,
    file: Positioned,
    metadata: ArrowReaderMetadata,
    row: PhantomData<R>,
}

impl<R: Row> PointReader<R> {
    /// Opens the file and reads its footer and page index.
    pub fn open(path: &Path) -> Result<Self> {
        let file = Positioned::open(path)?;
        let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
        let load = || ArrowReaderMetadata::load(&file, options).map_err(|error| Error::damaged(path, error));
        let metadata = fenced(path, load)?;
        Ok(Self { path: path.to_owned(), file, metadata, row: PhantomData })
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> u64 {
        u64::try_from(self.metadata.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows with these numbers, in ascending order and without repetition, whatever the order
    /// and repetition of `wanted`.
    pub fn rows(&self, wanted: &[u32]) -> Result<Vec<R>> {
        self.select(wanted, &ProjectionMask::all(), |batch| R::from_batch(batch))
    }

    /// One column of the rows with these numbers, in the same order as [`Self::rows`] gives them. Reads
    /// nothing of the other columns.
    pub fn column<C: Column>(&self, name: &str, wanted: &[u32]) -> Result<Vec<C>> {
        let schema = self.metadata.metadata().file_metadata().schema_descr();
        self.select(wanted, &ProjectionMask::columns(schema, [name]), |batch| {
            let column = batch.column_by_name(name).ok_or_else(|| format!("column {name} is missing"))?;
            C::from_array(column.as_ref()).map_err(|what| format!("column {name} {what}"))
        })
    }

    /// The numbers of the rows whose value in one column is accepted, in ascending order. Reads the whole column,
    /// and nothing of the others.
    pub fn find<C: Column>(&self, name: &str, accept: impl Fn(&C) -> bool) -> Result<Vec<u32>> {
        let mut found = Vec::new();
        for group in 0..self.groups() {
            let first = self.first_of(group);
            self.scan(name, group, |row, value| {
                if accept(value) {
                    found.push(first.saturating_add(row));
                }
            })?;
        }
        Ok(found)
    }

    /// The numbers of the rows whose value in a column of numbers is one of some, in ascending order; `values` must
    /// ascend. Reads the column in those row groups only whose statistics allow one of them, so it is quick for
    /// columns that ascend themselves, like `file_id`.
    pub fn rows_of(&self, name: &str, values: &[u32]) -> Result<Vec<u32>> {
        let metadata = self.metadata.metadata();
        let schema = metadata.file_metadata().schema_descr();
        let leaf = schema.columns().iter().position(|column| column.name() == name);
        let leaf = leaf.ok_or_else(|| Error::damaged(&self.path, format!("column {name} is missing")))?;
        let mut found = Vec::new();
        let mut first = 0_u32;
        for (group, meta) in metadata.row_groups().iter().enumerate() {
            let rows = u32::try_from(meta.num_rows()).unwrap_or(0);
            let may_hold = match meta.columns().get(leaf).and_then(|column| column.statistics()) {
                Some(Statistics::Int32(range)) => {
                    // Parquet keeps unsigned numbers as signed ones of the same bits.
                    let bound = |value: Option<&i32>| value.map(|value| value.cast_unsigned());
                    let (least, most) =
                        (bound(range.min_opt()).unwrap_or(0), bound(range.max_opt()).unwrap_or(u32::MAX));
                    values.get(values.partition_point(|&value| value < least)).is_some_and(|&value| value <= most)
                }
                _ => true,
            };
            if may_hold {
                self.scan::<u32>(name, group, |row, value| {
                    if values.binary_search(value).is_ok() {
                        found.push(first.saturating_add(row));
                    }
                })?;
            }
            first = first.saturating_add(rows);
        }
        Ok(found)
    }

    /// The number of row groups: what can be read side by side.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    /// The number of the first row of a row group.
    #[must_use]
    pub fn first_of(&self, group: usize) -> u32 {
        let groups = self.metadata.metadata().row_groups();
        let rows: i64 = groups.iter().take(group).map(RowGroupMetaData::num_rows).sum();
        u32::try_from(rows).unwrap_or(u32::MAX)
    }

    /// Gives every value of a column in a row group with its place in the group.
    pub fn scan<C: Column>(&self, name: &str, group: usize, mut each: impl FnMut(u32, &C)) -> Result<()> {
        self.batches(name, group, |first, column| {
            let values = C::from_array(column).map_err(|what| format!("column {name} {what}"))?;
            for (row, value) in (first..).zip(&values) {
                each(row, value);
            }
            Ok(())
        })
    }

    /// The same for a column of texts, without a copy of each.
    pub fn scan_text(&self, name: &str, group: usize, mut each: impl FnMut(u32, &str)) -> Result<()> {
        self.batches(name, group, |first, column| {
            let texts = column.as_string_opt::<i32>().ok_or_else(|| format!("column {name} holds no texts"))?;
            for (row, text) in (first..).zip(texts.iter()) {
                each(row, text.unwrap_or(""));
            }
            Ok(())
        })
    }

    fn batches(
        &self,
        name: &str,
        group: usize,
        mut each: impl FnMut(u32, &dyn Array) -> Result<(), String>,
    ) -> Result<()> {
        fenced(&self.path, || {
            let schema = self.metadata.metadata().file_metadata().schema_descr();
            let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.metadata.clone())
                .with_row_groups(vec![group])
                .with_projection(ProjectionMask::columns(schema, [name]))
                .with_batch_size(SCANNED)
                .build()
                .map_err(|error| Error::damaged(&self.path, error))?;
            let mut first = 0_u32;
            for batch in reader {
                let batch = batch.map_err(|error| Error::damaged(&self.path, error))?;
                let column = batch.column_by_name(name);
                let column = column.ok_or_else(|| Error::damaged(&self.path, format!("column {name} is missing")))?;
                each(first, column.as_ref()).map_err(|what| Error::damaged(&self.path, what))?;
                first = first.saturating_add(u32::try_from(batch.num_rows()).unwrap_or(0));
            }
            Ok(())
        })
    }

    fn select<T>(
        &self,
        wanted: &[u32],
        columns: &ProjectionMask,
        read: impl Fn(&RecordBatch) -> Result<Vec<T>, String>,
    ) -> Result<Vec<T>> {
        fenced(&self.path, || self.select_unfenced(wanted, columns, read))
    }

    fn select_unfenced<T>(
        &self,
        wanted: &[u32],
        columns: &ProjectionMask,
        read: impl Fn(&RecordBatch) -> Result<Vec<T>, String>,
    ) -> Result<Vec<T>> {
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        if let Some(&last) = wanted.last()
            && u64::from(last) >= self.len()
        {
            return Err(Error::damaged(&self.path, format!("row {last} of {} is asked for", self.len())));
        }
        let mut out = Vec::with_capacity(wanted.len());
        let mut group_start = 0;
        let mut next = wanted.as_slice();
        for (group, meta) in self.metadata.metadata().row_groups().iter().enumerate() {
            let group_rows = usize::try_from(meta.num_rows()).unwrap_or(0);
            let here = next.partition_point(|&row| (row as usize) < group_start + group_rows);
            let (mine, rest) = next.split_at(here);
            next = rest;
            if !mine.is_empty() {
                for batch in self.group(group, group_start, mine, columns)? {
                    let batch = batch.map_err(|error| Error::damaged(&self.path, error))?;
                    out.extend(read(&batch).map_err(|what| Error::damaged(&self.path, what))?);
                }
            }
            group_start += group_rows;
        }
        if out.len() == wanted.len() {
            Ok(out)
        } else {
            Err(Error::damaged(&self.path, format!("{} rows were read instead of {}", out.len(), wanted.len())))
        }
    }

    fn group(
        &self,
        group: usize,
        group_start: usize,
        wanted: &[u32],
        columns: &ProjectionMask,
    ) -> Result<ParquetRecordBatchReader> {
        let mut selectors = Vec::with_capacity(wanted.len() * 2);
        let mut at = group_start;
        for &row in wanted {
            let row = row as usize;
            if row > at {
                selectors.push(RowSelector::skip(row - at));
            }
            selectors.push(RowSelector::select(1));
            at = row + 1;
        }
        let file = self.file.clone();
        ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_row_groups(vec![group])
            .with_projection(columns.clone())
            .with_row_selection(RowSelection::from(selectors))
            .with_batch_size(wanted.len().max(1))
            .build()
            .map_err(|error| Error::damaged(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::SkipReason;
    use crate::tables::{ChunkRow, ExternalRow, SkippedRow};

    fn row(n: u32) -> SkippedRow {
        SkippedRow {
            repo: "r".to_owned(),
            path: format!("p/{n}"),
            reason: SkipReason::Binary,
            detail: "x".repeat(n as usize % 50),
        }
    }

    #[test]
    fn rows_come_back_whole_and_by_number() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("skipped.parquet");
        let rows: Vec<_> = (0..5000).map(row).collect();
        let mut writer = TableWriter::create(&path).unwrap();
        for row in &rows {
            writer.push(row.clone()).unwrap();
        }
        assert_eq!(writer.finish().unwrap().0, 5000);
        assert_eq!(TableReader::<SkippedRow>::read_all(&path).unwrap(), rows);

        let reader = PointReader::<SkippedRow>::open(&path).unwrap();
        let found = reader.rows(&[4999, 0, 17, 17, 1024]).unwrap();
        assert_eq!(found, [0, 17, 1024, 4999].map(row));
        assert_eq!(reader.column::<String>("path", &[4999, 17]).unwrap(), ["p/17", "p/4999"]);
        assert!(matches!(reader.column::<u32>("path", &[1]), Err(Error::Damaged { .. })));
        assert!(matches!(reader.rows(&[5000]), Err(Error::Damaged { .. })));
    }

    #[test]
    fn threads_read_one_table_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("skipped.parquet");
        let mut writer = TableWriter::create(&path).unwrap();
        (0..20_000).for_each(|n| writer.push(row(n)).unwrap());
        writer.finish().unwrap();
        let reader = PointReader::<SkippedRow>::open(&path).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let reader = &reader;
                scope.spawn(move || {
                    for n in 0..50 {
                        let wanted = [n * 97 + thread, n * 301 + thread];
                        let found: Vec<String> = reader.column("path", &wanted).unwrap();
                        assert_eq!(
                            found,
                            wanted.map(|n| format!("p/{n}"))[..if wanted[0] == wanted[1] { 1 } else { 2 }]
                        );
                    }
                });
            }
        });
    }

    #[test]
    fn rows_are_found_by_an_ascending_number() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("externals.parquet");
        let mut writer = TableWriter::create(&path).unwrap();
        let (rows, last) = (GROUP_ROWS as u32 + 5000, (GROUP_ROWS as u32 + 4999) / 3);
        for n in 0..rows {
            writer
                .push(ExternalRow {
                    external_id: n / 3,
                    name: String::new(),
                    module: None,
                    family: String::new(),
                    uses: n,
                })
                .unwrap();
        }
        writer.finish().unwrap();
        let reader = PointReader::<ExternalRow>::open(&path).unwrap();
        assert_eq!(reader.groups(), 2);
        assert_eq!(reader.rows_of("external_id", &[0, 7]).unwrap(), [0, 1, 2, 21, 22, 23]);
        assert_eq!(reader.rows_of("external_id", &[last, last + 1]).unwrap().last(), Some(&(rows - 1)));
        assert!(reader.rows_of("external_id", &[]).unwrap().is_empty());
        assert!(reader.rows_of("nothing", &[1]).is_err());
        let mut texts = 0;
        reader.scan_text("name", 1, |_, text| texts += usize::from(text.is_empty())).unwrap();
        assert_eq!(texts as u32, rows - reader.first_of(1));
        assert!(reader.scan_text("uses", 0, |_, _| ()).is_err());
    }

    #[test]
    fn a_table_of_another_shape_is_damaged_and_names_the_column() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("skipped.parquet");
        let mut writer = TableWriter::create(&path).unwrap();
        writer.push(row(1)).unwrap();
        writer.finish().unwrap();
        let error = TableReader::<ChunkRow>::read_all(&path).unwrap_err();
        assert!(error.to_string().contains("column chunk_id is missing"), "{error}");
    }

    #[test]
    fn a_truncated_table_is_damaged() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("skipped.parquet");
        let mut writer = TableWriter::create(&path).unwrap();
        for n in 0..100 {
            writer.push(row(n)).unwrap();
        }
        writer.finish().unwrap();
        let bytes = fs_err::read(&path).unwrap();
        for keep in [0, 4, bytes.len() / 2, bytes.len() - 1] {
            fs_err::write(&path, &bytes[..keep]).unwrap();
            assert!(matches!(TableReader::<SkippedRow>::open(&path).map(|_| ()), Err(Error::Damaged { .. })));
        }
    }
}
