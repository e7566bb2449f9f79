//! Validates a table's pages against their bytes and the footer before the library allocates memory for them.
//!
//! A page header declares a number of values. The library allocates all values of a dictionary, and iterates over all
//! values of a page, before it notices that they are missing. These readers wrap the library's own and do not interpret
//! values.

use std::sync::Arc;

use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, RowGroups, RowSelection};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::footer::ParquetTable;
use super::positioned::PageHeaderValidator;

/// Reads columns of row groups, at most `batch` rows at a time. `selection` restricts the rows; it counts from the
/// first row of `groups`.
pub(super) fn read(
    table: &Arc<ParquetTable>,
    groups: Vec<usize>,
    columns: ProjectionMask,
    selection: Option<RowSelection>,
    batch: usize,
) -> Result<ParquetRecordBatchReader> {
    let schema = table.parquet().file_metadata().schema_descr();
    let levels = parquet_to_arrow_field_levels(schema, columns, Some(table.metadata.schema().fields()))?;
    let groups = SelectedRowGroups { table: Arc::clone(table), groups };
    let batch = batch.min(groups.num_rows()).max(1);
    ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, batch, selection)
}

struct SelectedRowGroups {
    table: Arc<ParquetTable>,
    groups: Vec<usize>,
}

fn row_count(group: &RowGroupMetaData) -> usize {
    usize::try_from(group.num_rows()).unwrap_or(0)
}

impl RowGroups for SelectedRowGroups {
    fn num_rows(&self) -> usize {
        self.row_groups().map(row_count).fold(0, usize::saturating_add)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        Ok(Box::new(ColumnPages { table: Arc::clone(&self.table), column, groups: self.groups.clone().into_iter() }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.groups.iter().map(|&group| self.table.parquet().row_group(group)))
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.table.parquet()
    }
}

/// Iterates over one column's page readers, one for each row group.
struct ColumnPages {
    table: Arc<ParquetTable>,
    column: usize,
    groups: std::vec::IntoIter<usize>,
}

impl ColumnPages {
    fn pages(&self, number: usize) -> Result<ValidatedPages> {
        let group = self.table.parquet().row_group(number);
        let locations = self.table.page_locations(number, self.column)?.cloned();
        let rows = row_count(group);
        let file = PageHeaderValidator { file: self.table.file.clone(), has_page_locations: locations.is_some() };
        let pages = SerializedPageReader::new(Arc::new(file), group.column(self.column), rows, locations)?;
        Ok(ValidatedPages { pages, rows })
    }
}

impl Iterator for ColumnPages {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.groups.next()?;
        Some(self.pages(group).map(|pages| Box::new(pages) as Box<dyn PageReader>))
    }
}

impl PageIterator for ColumnPages {}

/// The pages of one column in one row group; `rows` is the group's number of rows.
struct ValidatedPages {
    pages: SerializedPageReader<PageHeaderValidator>,
    rows: usize,
}

impl ValidatedPages {
    /// No column is a list, so a page has at most one value for each row; a dictionary value takes at least one byte.
    fn check_value_count(&self, page: Page) -> Result<Page> {
        let max_values = match &page {
            Page::DictionaryPage { buf, .. } => buf.len(),
            Page::DataPage { .. } | Page::DataPageV2 { .. } => self.rows,
        };
        check_at_most(page.num_values() as usize, max_values)?;
        Ok(page)
    }
}

fn check_at_most(values: usize, max_values: usize) -> Result<()> {
    if values <= max_values {
        return Ok(());
    }
    Err(ParquetError::General(format!("a page declares {values} values, at most {max_values} are possible")))
}

impl Iterator for ValidatedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for ValidatedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.pages.get_next_page()?.map(|page| self.check_value_count(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        let next = self.pages.peek_next_page()?;
        if let Some(declared) = &next {
            check_at_most(declared.num_rows.max(declared.num_levels).unwrap_or(0), self.rows)?;
        }
        Ok(next)
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}
