//! A table's pages, held to their bytes and to the footer before the library makes room for what they say.
//!
//! The header of a page tells how many values it has; the library makes room for all of a dictionary's, and counts
//! through all of a page's, before it finds that they are not there. These readers stand around its own and know
//! nothing of what the values mean.

use std::sync::Arc;

use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, RowGroups, RowSelection};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::footer::Opened;
use super::positioned::Headed;

/// Reads columns of row groups, at most `batch` rows at a time; of a selection those rows only, counted from the first
/// of these groups.
pub(super) fn read(
    table: &Arc<Opened>,
    groups: Vec<usize>,
    columns: ProjectionMask,
    selection: Option<RowSelection>,
    batch: usize,
) -> Result<ParquetRecordBatchReader> {
    let schema = table.parquet().file_metadata().schema_descr();
    let levels = parquet_to_arrow_field_levels(schema, columns, Some(table.metadata.schema().fields()))?;
    let groups = Groups { table: Arc::clone(table), groups };
    let batch = batch.min(groups.num_rows()).max(1);
    ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, batch, selection)
}

struct Groups {
    table: Arc<Opened>,
    groups: Vec<usize>,
}

fn rows_of(group: &RowGroupMetaData) -> usize {
    usize::try_from(group.num_rows()).unwrap_or(0)
}

impl RowGroups for Groups {
    fn num_rows(&self) -> usize {
        self.row_groups().map(rows_of).fold(0, usize::saturating_add)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        Ok(Box::new(Chunks { table: Arc::clone(&self.table), column, groups: self.groups.clone().into_iter() }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.groups.iter().map(|&group| self.table.parquet().row_group(group)))
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.table.parquet()
    }
}

/// One column of row groups, a reader of pages each.
struct Chunks {
    table: Arc<Opened>,
    column: usize,
    groups: std::vec::IntoIter<usize>,
}

impl Chunks {
    fn pages(&self, number: usize) -> Result<Pages> {
        let group = self.table.parquet().row_group(number);
        let places = self.table.places(number, self.column)?.cloned();
        let rows = rows_of(group);
        let file = Headed { file: self.table.file.clone(), are_placed: places.is_some() };
        let pages = SerializedPageReader::new(Arc::new(file), group.column(self.column), rows, places)?;
        Ok(Pages { pages, rows })
    }
}

impl Iterator for Chunks {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.groups.next()?;
        Some(self.pages(group).map(|pages| Box::new(pages) as Box<dyn PageReader>))
    }
}

impl PageIterator for Chunks {}

/// The pages of one column in one row group of so many rows.
struct Pages {
    pages: SerializedPageReader<Headed>,
    rows: usize,
}

impl Pages {
    /// Values of tables are no lists: a page has one for a row at most, and a dictionary's take a byte at least.
    fn held(&self, page: Page) -> Result<Page> {
        let most = match &page {
            Page::DictionaryPage { buf, .. } => buf.len(),
            Page::DataPage { .. } | Page::DataPageV2 { .. } => self.rows,
        };
        at_most(page.num_values() as usize, most)?;
        Ok(page)
    }
}

fn at_most(values: usize, most: usize) -> Result<()> {
    if values <= most {
        return Ok(());
    }
    Err(ParquetError::General(format!("a page says that it has {values} values, and can have {most}")))
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.pages.get_next_page()?.map(|page| self.held(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        let next = self.pages.peek_next_page()?;
        if let Some(said) = &next {
            at_most(said.num_rows.max(said.num_levels).unwrap_or(0), self.rows)?;
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
