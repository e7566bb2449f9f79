//! Reads the rows of a table file by file, in order.

use std::path::Path;

use super::{Row, TableReader};
use crate::Result;
use crate::ids::FileId;

/// Reads the rows of a table file by file. A file is known by what its rows have in common.
pub struct RowsByFile<R: Row, K = FileId> {
    reader: TableReader<R>,
    rows: std::vec::IntoIter<R>,
    file_of: fn(&R) -> K,
}

impl<R: Row + 'static, K: Copy + Ord> RowsByFile<R, K> {
    /// Opens a table; `file_of` returns the file of a row.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn open(path: &Path, file_of: fn(&R) -> K) -> Result<Self> {
        Ok(Self { reader: TableReader::open(path)?, rows: Vec::new().into_iter(), file_of })
    }

    /// The rows of a file; files must be requested in order. Rows of files before it are skipped, which must be stored in
    /// the order of their files.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn skip_to(&mut self, file: K) -> Result<Vec<R>> {
        loop {
            let before = self.rows.as_slice().iter().take_while(|row| (self.file_of)(row) < file).count();
            self.rows.by_ref().take(before).for_each(drop);
            if !self.rows.as_slice().is_empty() {
                return self.take(file);
            }
            let Some(batch) = self.reader.next() else { return Ok(Vec::new()) };
            self.rows = batch?.into_iter();
        }
    }

    /// The rows of a file, which come next if it has any.
    fn take(&mut self, file: K) -> Result<Vec<R>> {
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
