//! Reads the rows of a table file by file, in order.

use std::path::{Path, PathBuf};

use super::{BackgroundTableReader, Row, TableReader};
use crate::Result;
use crate::ids::FileId;

/// Reads the rows of a table file by file.
pub struct RowsByFile<R: Row> {
    reader: Box<dyn Iterator<Item = Result<Vec<R>>> + Send>,
    rows: std::vec::IntoIter<R>,
    file_of: fn(&R) -> FileId,
    path: PathBuf,
}

impl<R: Row + 'static> RowsByFile<R> {
    /// Opens a table; `file_of` returns the file of a row.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn open(path: &Path, file_of: fn(&R) -> FileId) -> Result<Self> {
        Ok(Self::new(path, Box::new(TableReader::open(path)?), file_of))
    }

    /// The same, and decodes rows ahead on a thread.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn open_in_background(path: &Path, file_of: fn(&R) -> FileId) -> Result<Self> {
        Ok(Self::new(path, Box::new(BackgroundTableReader::open(path)?), file_of))
    }

    fn new(path: &Path, reader: Box<dyn Iterator<Item = Result<Vec<R>>> + Send>, file_of: fn(&R) -> FileId) -> Self {
        Self { reader, rows: Vec::new().into_iter(), file_of, path: path.to_owned() }
    }

    /// The path of the table.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The rows of a file; files must be requested in order. Rows of files before it are skipped, which must be stored in
    /// the order of their files.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn skip_to(&mut self, file: FileId) -> Result<Vec<R>> {
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

    /// The rows of a file; files must be requested in the order in which they are stored.
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
