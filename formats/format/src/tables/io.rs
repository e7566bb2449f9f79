//! Writes and reads whole tables as Parquet files, in bounded memory.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::footer::{Access, ParquetTable};
use super::{Row, pages};
use crate::panics::catch_panic;
use crate::{Error, Result};

/// Rows that are buffered before they are passed to the Parquet writer.
pub(super) const BATCH_ROWS: usize = 1024;
/// Bytes of rows that are buffered before they are passed to the Parquet writer.
pub(super) const BATCH_BYTES: usize = 1 << 20;
/// Maximum number of rows in a row group.
const GROUP_ROWS: usize = 128 << 10;
/// Maximum bytes in a row group; bounds the memory of a writer.
const GROUP_BYTES: usize = 64 << 20;
/// Maximum bytes in a page: the amount that one look-up decodes.
const PAGE_BYTES: usize = 64 << 10;
/// Maximum number of rows in a page.
const PAGE_ROWS: usize = 1024;

/// Columns whose values rarely repeat. A dictionary would not make them smaller, and reading one row would require
/// decoding the dictionary of its whole row group.
const NO_DICTIONARY_COLUMNS: [&str; 8] =
    ["content", "content_hash", "path", "name", "qualified_name", "signature", "doc", "values"];

/// Columns of numbers that grow from row to row, or nearly so: their differences are small. A dictionary of them would
/// have nearly as many values as there are rows.
const GROWING_COLUMNS: [&str; 10] = [
    "symbol_id",
    "chunk_id",
    "source_id",
    "start_line",
    "end_line",
    "name_line",
    "line",
    "start_byte",
    "end_byte",
    "container_id",
];

/// Writes one table and computes its canonical digest along the way.
pub struct TableWriter<R: Row> {
    writer: ArrowWriter<fs_err::File>,
    rows: Vec<R>,
    weight: usize,
    written: u64,
}

impl<R: Row> TableWriter<R> {
    /// Creates the file.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path) -> Result<Self> {
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_max_row_group_bytes(Some(GROUP_BYTES))
            .set_data_page_size_limit(PAGE_BYTES)
            .set_data_page_row_count_limit(PAGE_ROWS)
            .set_write_batch_size(128)
            .set_statistics_enabled(EnabledStatistics::Page)
            // Not the library's version: builds that agree on the rows should agree on the bytes.
            .set_created_by("sextant".to_owned());
        for column in NO_DICTIONARY_COLUMNS {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(column), false);
        }
        for column in GROWING_COLUMNS {
            properties = properties
                .set_column_dictionary_enabled(ColumnPath::from(column), false)
                .set_column_encoding(ColumnPath::from(column), Encoding::DELTA_BINARY_PACKED);
        }
        for column in ["content", "content_hash", "values"] {
            properties = properties.set_column_statistics_enabled(ColumnPath::from(column), EnabledStatistics::None);
        }
        // Quantised vectors are noise to a compressor.
        properties = properties.set_column_compression(ColumnPath::from("values"), Compression::UNCOMPRESSED);
        let writer = ArrowWriter::try_new(fs_err::File::create(path)?, R::schema(), Some(properties.build()))?;
        Ok(Self { writer, rows: Vec::new(), weight: 0, written: 0 })
    }

    /// Appends a row.
    ///
    /// # Errors
    /// The batch cannot be encoded or written.
    pub fn push(&mut self, row: R) -> Result<()> {
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

    /// Writes the remaining rows and closes the file. Returns the number of rows.
    ///
    /// # Errors
    /// The last batch or the footer cannot be written.
    pub fn finish(mut self) -> Result<u64> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        self.writer.close()?;
        Ok(self.written)
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
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        let table = ParquetTable::open(path, Access::Sequential)?;
        let groups = (0..table.parquet().num_row_groups()).collect();
        let read = || pages::read(&table, groups, ProjectionMask::all(), None, BATCH_ROWS);
        let reader = catch_panic(path, || read().map_err(|error| Error::damaged(path, error)))?;
        Ok(Self { path: path.to_owned(), reader, row: PhantomData })
    }

    /// Reads every row into memory; suitable for small tables only.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
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
        let next = catch_panic(path, || {
            let Some(batch) = reader.next() else { return Ok(None) };
            let batch = batch.map_err(|error| Error::damaged(path, error))?;
            R::from_batch(&batch).map(Some).map_err(|what| Error::damaged(path, what))
        });
        next.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ChunkId;
    use crate::kinds::SkipReason;
    use crate::tables::{ChunkRow, EdgeRow, ExternalRow, PointReader, SkippedRow};

    fn row(n: u32) -> SkippedRow {
        SkippedRow {
            repo: "r".to_owned(),
            path: format!("p/{n}"),
            reason: SkipReason::Binary,
            detail: "x".repeat(n as usize % 50),
        }
    }

    /// A table with this many rows, and the folder that contains it.
    fn written(rows: u32) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("skipped.parquet");
        let mut writer = TableWriter::create(&path).unwrap();
        (0..rows).for_each(|n| writer.push(row(n)).unwrap());
        assert_eq!(writer.finish().unwrap(), u64::from(rows));
        (dir, path)
    }

    #[test]
    fn rows_round_trip_in_sequence_and_by_number() {
        let (_dir, path) = written(5000);
        let rows: Vec<_> = (0..5000).map(row).collect();
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
        let (_dir, path) = written(20_000);
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
    fn rows_are_found_by_values_of_an_ascending_column() {
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
        assert_eq!(reader.rows_with_values("external_id", &[0_u32, 7]).unwrap(), [0, 1, 2, 21, 22, 23]);
        assert_eq!(reader.rows_with_values("external_id", &[last, last + 1]).unwrap().last(), Some(&(rows - 1)));
        assert!(reader.rows_with_values::<u32>("external_id", &[]).unwrap().is_empty());
        assert!(reader.rows_with_values("nothing", &[1_u32]).is_err());
        let mut texts = 0;
        reader.scan_text("name", 1, |_, text| texts += usize::from(text.is_empty())).unwrap();
        assert_eq!(texts as u32, rows - reader.first_row_of_group(1));
        assert!(reader.scan_text("uses", 0, |_, _| ()).is_err());
    }

    #[test]
    fn a_table_of_another_shape_is_damaged_and_names_the_column() {
        let (_dir, path) = written(1);
        let error = TableReader::<ChunkRow>::read_all(&path).unwrap_err();
        assert!(error.to_string().contains("column chunk_id is missing"), "{error}");
    }

    /// The library allocates as many values as a dictionary's header claims.
    #[test]
    fn a_page_with_an_inflated_value_count_is_damaged() {
        let (_dir, path) = written(1);
        let mut bytes = fs_err::read(&path).unwrap();
        // One value in plain encoding is now declared as 63.
        let header = [0x4c, 0x15, 2, 0x15, 0];
        let at = bytes.windows(header.len()).position(|window| window == header).unwrap();
        bytes[at + 2] = 126;
        fs_err::write(&path, &bytes).unwrap();
        let error = TableReader::<SkippedRow>::read_all(&path).unwrap_err().to_string();
        assert!(error.contains("a page declares 63 values"), "{error}");
        let error = PointReader::<SkippedRow>::open(&path).unwrap().rows(&[0]).unwrap_err().to_string();
        assert!(error.contains("a page declares 63 values"), "{error}");
    }

    /// Found by the fuzzer: a dictionary of a thousand million numbers, for which the library allocated memory, and a
    /// list of as many elements, which it skipped one by one although the file had ended.
    #[test]
    fn fuzzer_regressions_are_damaged() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
        for file in fs_err::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let found = [
                TableReader::<ChunkRow>::read_all(&path).map(drop),
                TableReader::<EdgeRow>::read_all(&path).map(drop),
                PointReader::<ChunkRow>::open(&path)
                    .and_then(|reader| reader.rows(&[0, 1].map(ChunkId::new)).map(drop)),
                PointReader::<EdgeRow>::open(&path).and_then(|reader| reader.rows(&[0, 1]).map(drop)),
            ];
            assert!(found.iter().all(|found| matches!(found, Err(Error::Damaged { .. }))), "{path:?}: {found:?}");
        }
    }

    #[test]
    fn a_truncated_table_is_damaged() {
        let (_dir, path) = written(100);
        let bytes = fs_err::read(&path).unwrap();
        for keep in [0, 4, bytes.len() / 2, bytes.len() - 1] {
            fs_err::write(&path, &bytes[..keep]).unwrap();
            assert!(matches!(TableReader::<SkippedRow>::open(&path).map(|_| ()), Err(Error::Damaged { .. })));
        }
    }
}
