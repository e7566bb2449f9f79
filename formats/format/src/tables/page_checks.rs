//! What the pages of a row group can contain at most.

use parquet::column::page::Page;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;

pub(super) fn row_count(group: &RowGroupMetaData) -> usize {
    usize::try_from(group.num_rows()).unwrap_or(0)
}

/// A page of a row group with `rows` rows. No column is a list, so a page has at most one value for each row; a dictionary
/// value takes at least one byte.
pub(super) fn checked(page: Page, rows: usize) -> Result<Page> {
    let max_values = match &page {
        Page::DictionaryPage { buf, .. } => buf.len(),
        Page::DataPage { .. } | Page::DataPageV2 { .. } => rows,
    };
    check_at_most(page.num_values() as usize, max_values)?;
    Ok(page)
}

pub(super) fn check_at_most(values: usize, max_values: usize) -> Result<()> {
    if values <= max_values {
        return Ok(());
    }
    Err(ParquetError::General(format!("a page declares {values} values, at most {max_values} are possible")))
}
