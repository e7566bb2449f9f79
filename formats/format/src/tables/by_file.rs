//! Reads the rows of a table file by file, in order.

use std::path::Path;

use super::{Row, TableReader};
use crate::Result;
use crate::ids::FileId;

/// Reads the rows of a table file by file.
pub struct RowsByFile<R: Row> {
    reader: TableReader<R>,
    rows: std::vec::IntoIter<R>,
    file_of: fn(&R) -> FileId,
}

impl<R: Row> RowsByFile<R> {
    /// Opens a table; `file_of` returns the file of a row.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn open(path: &Path, file_of: fn(&R) -> FileId) -> Result<Self> {
        Ok(Self { reader: TableReader::open(path)?, rows: Vec::new().into_iter(), file_of })
    }

    /// The rows of a file; files must be requested in order.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn take(&mut self, file: FileId) -> Result<Vec<R>> {
        let mut found = Vec::new();
        loop {
            let count = self.rows.as_slice().iter().take_while(|row| (self.file_of)(row) == file).count();
            found.extend(self.rows.by_ref().take(count));
            if !self.rows.as_slice().is_empty() {
                return Ok(found);
            }
            let Some(batch) = self.reader.next() else { return Ok(found) };
            self.rows = batch?.into_iter();
        }
    }
}
