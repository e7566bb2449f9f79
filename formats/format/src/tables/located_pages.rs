//! The pages of a column for reads of a few rows. They are kept for the next reads, because a question reads rows that are
//! near each other many times.

use std::sync::Arc;

use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::serialized_reader::SerializedPageReader;

use super::footer::ParquetTable;
use super::page_checks::{check_at_most, checked, row_count};
use super::positioned::PageHeaderValidator;

/// The pages of one column in one row group, whose locations are known. They are numbered from the dictionary, if there is
/// one.
pub(super) struct LocatedPages {
    table: Arc<ParquetTable>,
    group: usize,
    column: usize,
    has_dictionary: bool,
    /// The number of the next page.
    next: usize,
    /// Reads pages that are not kept; the number is that of the page that it reads next.
    reader: Option<(SerializedPageReader<PageHeaderValidator>, usize)>,
}

impl LocatedPages {
    /// Begins with the first page. Returns none if the file does not say where the pages are, or there is no page.
    pub(super) fn new(table: &Arc<ParquetTable>, group: usize, column: usize) -> Result<Option<Self>> {
        let Some(first) = table.page_locations(group, column)?.and_then(|locations| locations.first()) else {
            return Ok(None);
        };
        let (start, _) = table.parquet().row_group(group).column(column).byte_range();
        // What is before the first page of data can only be a dictionary.
        let has_dictionary = u64::try_from(first.offset)? != start;
        Ok(Some(Self { table: Arc::clone(table), group, column, has_dictionary, next: 0, reader: None }))
    }

    fn locations(&self) -> Result<&[PageLocation]> {
        Ok(self.table.page_locations(self.group, self.column)?.map_or(&[], Vec::as_slice))
    }

    fn rows(&self) -> usize {
        row_count(self.table.parquet().row_group(self.group))
    }

    /// The number of the next page among those of data; none if it is the dictionary.
    fn number_of_data(&self) -> Option<usize> {
        self.next.checked_sub(usize::from(self.has_dictionary))
    }

    /// Reads the next page.
    fn read(&mut self) -> Result<Option<Page>> {
        let rows = self.rows();
        let (reader, at) = match &mut self.reader {
            Some(reader) => reader,
            none => {
                let group = self.table.parquet().row_group(self.group);
                let locations = self.table.page_locations(self.group, self.column)?.cloned();
                let file = PageHeaderValidator { file: self.table.file.clone(), has_page_locations: true };
                let column = group.column(self.column);
                none.insert((SerializedPageReader::new(Arc::new(file), column, rows, locations)?, 0))
            }
        };
        while *at < self.next {
            reader.skip_next_page()?;
            *at += 1;
        }
        *at += 1;
        reader.get_next_page()?.map(|page| checked(page, rows)).transpose()
    }
}

impl Iterator for LocatedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for LocatedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let offset = match self.number_of_data() {
            None => self.table.parquet().row_group(self.group).column(self.column).byte_range().0,
            Some(number) => match self.locations()?.get(number) {
                None => return Ok(None),
                Some(location) => u64::try_from(location.offset)?,
            },
        };
        let page = match self.table.kept_pages.get(offset) {
            Some(page) => Some(page),
            None => {
                let page = self.read()?;
                page.iter().for_each(|page| self.table.kept_pages.keep(offset, page));
                page
            }
        };
        self.next += 1;
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        let Some(number) = self.number_of_data() else {
            return Ok(Some(PageMetadata { num_rows: None, num_levels: None, is_dict: true }));
        };
        let (locations, rows) = (self.locations()?, self.rows());
        let Some(page) = locations.get(number) else { return Ok(None) };
        let end = locations.get(number + 1).map_or(Ok(rows), |next| usize::try_from(next.first_row_index))?;
        let count = end.checked_sub(usize::try_from(page.first_row_index)?);
        let count = count.ok_or_else(|| ParquetError::General("its pages are not in order".to_owned()))?;
        check_at_most(count, rows)?;
        Ok(Some(PageMetadata { num_rows: Some(count), num_levels: None, is_dict: false }))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.next += 1;
        Ok(())
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        Ok(true)
    }
}
