//! Validates a table's pages against their bytes and the footer before the library allocates memory for them.
//!
//! A page header declares a number of values. The library allocates all values of a dictionary, and iterates over all
//! values of a page, before it notices that they are missing. These readers wrap the library's own and do not interpret
//! values.

use std::sync::Arc;

use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, RowGroups, RowSelection};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::Result;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::footer::ParquetTable;
use super::located_pages::LocatedPages;
use super::page_checks::{check_at_most, checked, row_count};
use super::positioned::PageHeaderValidator;

/// Reads columns of row groups, at most `batch` rows at a time. `selection` restricts the rows; it counts from the
/// first row of `groups`, and pages that it reads are kept.
pub(super) fn read(
    table: &Arc<ParquetTable>,
    groups: Vec<usize>,
    columns: ProjectionMask,
    selection: Option<RowSelection>,
    batch: usize,
) -> Result<ParquetRecordBatchReader> {
    let schema = table.parquet().file_metadata().schema_descr();
    let levels = parquet_to_arrow_field_levels(schema, columns, Some(table.metadata.schema().fields()))?;
    let groups = SelectedRowGroups { table: Arc::clone(table), groups, keeps_pages: selection.is_some() };
    let batch = batch.min(groups.num_rows()).max(1);
    ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, batch, selection)
}

struct SelectedRowGroups {
    table: Arc<ParquetTable>,
    groups: Vec<usize>,
    keeps_pages: bool,
}

impl RowGroups for SelectedRowGroups {
    fn num_rows(&self) -> usize {
        self.row_groups().map(row_count).fold(0, usize::saturating_add)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        let (table, groups) = (Arc::clone(&self.table), self.groups.clone().into_iter());
        Ok(Box::new(ColumnPages { table, column, groups, keeps_pages: self.keeps_pages }))
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
    keeps_pages: bool,
}

impl ColumnPages {
    fn pages(&self, number: usize) -> Result<Box<dyn PageReader>> {
        let located = if self.keeps_pages { LocatedPages::new(&self.table, number, self.column)? } else { None };
        if let Some(pages) = located {
            return Ok(Box::new(pages));
        }
        let group = self.table.parquet().row_group(number);
        let locations = self.table.page_locations(number, self.column)?.cloned();
        let rows = row_count(group);
        let file = PageHeaderValidator { file: self.table.file.clone(), has_page_locations: locations.is_some() };
        let pages = SerializedPageReader::new(Arc::new(file), group.column(self.column), rows, locations)?;
        Ok(Box::new(ValidatedPages { pages, rows }))
    }
}

impl Iterator for ColumnPages {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.groups.next()?;
        Some(self.pages(group))
    }
}

impl PageIterator for ColumnPages {}

/// The pages of one column in one row group; `rows` is the group's number of rows.
struct ValidatedPages {
    pages: SerializedPageReader<PageHeaderValidator>,
    rows: usize,
}

impl Iterator for ValidatedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for ValidatedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.pages.get_next_page()?.map(|page| checked(page, self.rows)).transpose()
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
