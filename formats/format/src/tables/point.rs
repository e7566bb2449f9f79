//! Reads single rows and single columns of a Parquet file, from many threads at once.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, RowSelection, RowSelector};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;

use super::footer::{Access, ParquetTable};
use super::{Column, Row, pages};
use crate::ids::RowId;
use crate::panics::catch_panic;
use crate::{Error, Result};

/// Rows of one column that are decoded at once.
const SCAN_BATCH_ROWS: usize = 16 << 10;

/// Looks up single rows by number, decoding only the pages that contain them.
pub struct PointReader<R: Row> {
    path: PathBuf,
    table: Arc<ParquetTable>,
    row: PhantomData<R>,
}

impl<R: Row> PointReader<R> {
    /// Opens the file and reads its footer.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self { path: path.to_owned(), table: ParquetTable::open(path, Access::Random)?, row: PhantomData })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> u64 {
        u64::try_from(self.table.parquet().file_metadata().num_rows()).unwrap_or(0)
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows with these numbers, in ascending order and without duplicates, whatever the order of `wanted`.
    ///
    /// # Errors
    /// A number is out of range, or the file cannot be read or is damaged.
    pub fn rows(&self, wanted: &[R::Id]) -> Result<Vec<R>> {
        self.select(wanted, &ProjectionMask::all(), |batch| R::from_batch(batch))
    }

    /// One column of the rows with these numbers, in the same order as [`Self::rows`]. Does not read other columns.
    ///
    /// # Errors
    /// The column is missing or has another type, a number is out of range, or the file cannot be read or is damaged.
    pub fn column<C: Column>(&self, name: &str, wanted: &[R::Id]) -> Result<Vec<C>> {
        let schema = self.table.parquet().file_metadata().schema_descr();
        self.select(wanted, &ProjectionMask::columns(schema, [name]), |batch| {
            let column = batch.column_by_name(name).ok_or_else(|| format!("column {name} is missing"))?;
            C::from_array(column.as_ref()).map_err(|what| format!("column {name} {what}"))
        })
    }

    /// The numbers of the rows whose value in one column is accepted, in ascending order. Reads the whole column, and
    /// no others.
    ///
    /// # Errors
    /// The column is missing or has another type, or the file cannot be read or is damaged.
    pub fn find<C: Column>(&self, name: &str, accept: impl Fn(&C) -> bool) -> Result<Vec<R::Id>> {
        let mut found = Vec::new();
        for group in 0..self.groups() {
            let first = self.first_row_of_group(group).row();
            self.scan(name, group, |row, value| {
                if accept(value) {
                    found.push(R::Id::from_row(first.saturating_add(row)));
                }
            })?;
        }
        Ok(found)
    }

    /// The numbers of the rows whose value in a column of ids is one of `values`, in ascending order; `values` must be
    /// ascending. Skips row groups whose statistics exclude all values, so it is fast for ascending columns such as
    /// `file_id`.
    ///
    /// # Errors
    /// The column is missing or has another type, or the file cannot be read or is damaged.
    pub fn rows_with_values<C: Column + RowId>(&self, name: &str, values: &[C]) -> Result<Vec<R::Id>> {
        let metadata = self.table.parquet();
        let schema = metadata.file_metadata().schema_descr();
        let leaf = schema.columns().iter().position(|column| column.name() == name);
        let leaf = leaf.ok_or_else(|| Error::damaged(&self.path, format!("column {name} is missing")))?;
        let mut found = Vec::new();
        let mut first = 0_u32;
        for (group, meta) in metadata.row_groups().iter().enumerate() {
            let rows = u32::try_from(meta.num_rows()).unwrap_or(0);
            let may_match = match meta.columns().get(leaf).and_then(|column| column.statistics()) {
                Some(Statistics::Int32(range)) => {
                    // Parquet stores unsigned numbers as signed ones with the same bits.
                    let bound = |value: Option<&i32>| value.map(|value| value.cast_unsigned());
                    let (min, max) = (bound(range.min_opt()).unwrap_or(0), bound(range.max_opt()).unwrap_or(u32::MAX));
                    values
                        .get(values.partition_point(|value| value.row() < min))
                        .is_some_and(|value| value.row() <= max)
                }
                _ => true,
            };
            if may_match {
                self.scan::<C>(name, group, |row, value| {
                    if values.binary_search(value).is_ok() {
                        found.push(R::Id::from_row(first.saturating_add(row)));
                    }
                })?;
            }
            first = first.saturating_add(rows);
        }
        Ok(found)
    }

    /// The number of row groups, which can be read in parallel.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.table.parquet().num_row_groups()
    }

    /// The first row of a row group.
    #[must_use]
    pub fn first_row_of_group(&self, group: usize) -> R::Id {
        let groups = self.table.parquet().row_groups();
        let rows: i64 = groups.iter().take(group).map(RowGroupMetaData::num_rows).sum();
        R::Id::from_row(u32::try_from(rows).unwrap_or(u32::MAX))
    }

    /// Calls `each` with every value of a column in a row group and its row number within the group.
    ///
    /// # Errors
    /// The column is missing or has another type, or the file cannot be read or is damaged.
    pub fn scan<C: Column>(&self, name: &str, group: usize, mut each: impl FnMut(u32, &C)) -> Result<()> {
        self.batches(name, group, |first, column| {
            let values = C::from_array(column).map_err(|what| format!("column {name} {what}"))?;
            for (row, value) in (first..).zip(&values) {
                each(row, value);
            }
            Ok(())
        })
    }

    /// Like [`Self::scan`] for a column of texts, without copying them.
    ///
    /// # Errors
    /// The column is missing or has another type, or the file cannot be read or is damaged.
    pub fn scan_text(&self, name: &str, group: usize, mut each: impl FnMut(u32, &str)) -> Result<()> {
        self.batches(name, group, |first, column| {
            let texts = column.as_string_opt::<i32>().ok_or_else(|| format!("column {name} has no texts"))?;
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
        catch_panic(&self.path, || {
            let schema = self.table.parquet().file_metadata().schema_descr();
            let columns = ProjectionMask::columns(schema, [name]);
            let reader = pages::read(&self.table, vec![group], columns, None, SCAN_BATCH_ROWS)
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
        wanted: &[R::Id],
        columns: &ProjectionMask,
        read: impl Fn(&RecordBatch) -> Result<Vec<T>, String>,
    ) -> Result<Vec<T>> {
        catch_panic(&self.path, || self.select_pages(wanted, columns, read))
    }

    fn select_pages<T>(
        &self,
        wanted: &[R::Id],
        columns: &ProjectionMask,
        read: impl Fn(&RecordBatch) -> Result<Vec<T>, String>,
    ) -> Result<Vec<T>> {
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        if let Some(&last) = wanted.last()
            && u64::from(last.row()) >= self.len()
        {
            return Err(Error::damaged(&self.path, format!("row {last} is requested of {}", self.len())));
        }
        let mut out = Vec::with_capacity(wanted.len());
        let mut group_start = 0;
        let mut next = wanted.as_slice();
        for (group, meta) in self.table.parquet().row_groups().iter().enumerate() {
            let group_rows = usize::try_from(meta.num_rows()).unwrap_or(0);
            let split = next.partition_point(|row| (row.row() as usize) < group_start + group_rows);
            let (rows_here, rest) = next.split_at(split);
            next = rest;
            if !rows_here.is_empty() {
                for batch in self.group(group, group_start, rows_here, columns)? {
                    let batch = batch.map_err(|error| Error::damaged(&self.path, error))?;
                    out.extend(read(&batch).map_err(|what| Error::damaged(&self.path, what))?);
                }
            }
            group_start += group_rows;
        }
        if out.len() == wanted.len() {
            Ok(out)
        } else {
            Err(Error::damaged(&self.path, format!("{} rows were read, {} were expected", out.len(), wanted.len())))
        }
    }

    fn group(
        &self,
        group: usize,
        group_start: usize,
        wanted: &[R::Id],
        columns: &ProjectionMask,
    ) -> Result<ParquetRecordBatchReader> {
        let mut selectors = Vec::with_capacity(wanted.len() * 2);
        let mut at = group_start;
        for id in wanted {
            let row = id.row() as usize;
            if row > at {
                selectors.push(RowSelector::skip(row - at));
            }
            selectors.push(RowSelector::select(1));
            at = row + 1;
        }
        let rows = Some(RowSelection::from(selectors));
        pages::read(&self.table, vec![group], columns.clone(), rows, wanted.len())
            .map_err(|error| Error::damaged(&self.path, error))
    }
}
