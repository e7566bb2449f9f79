//! A table that is written on a thread of its own, so that whoever puts rows in their order does not wait for their
//! encoding.

use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use super::Row;
use super::io::{BATCH_BYTES, BATCH_ROWS, TableWriter};
use crate::Result;
use crate::digest::Digest;

/// Batches that wait: with the one that is being filled and the one that is being written, what is in memory.
const WAITING: usize = 1;

/// Writes one table as [`TableWriter`] does, on a thread that ends with it.
pub struct TableBeside<R: Row + 'static> {
    rows: Vec<R>,
    weight: usize,
    /// None once the thread is to end.
    batches: Option<SyncSender<Vec<R>>>,
    thread: Option<JoinHandle<Result<(u64, Digest)>>>,
}

impl<R: Row + 'static> TableBeside<R> {
    /// Creates the file.
    pub fn create(path: &Path) -> Result<Self> {
        let mut writer = TableWriter::create(path)?;
        let (batches, waiting) = sync_channel::<Vec<R>>(WAITING);
        let thread = Builder::new().name(R::TABLE.to_owned()).spawn(move || {
            for batch in waiting {
                batch.into_iter().try_for_each(|row| writer.push(row))?;
            }
            writer.finish()
        })?;
        Ok(Self { rows: Vec::new(), weight: 0, batches: Some(batches), thread: Some(thread) })
    }

    /// Appends a row. The error may be of one before it.
    pub fn push(&mut self, row: R) -> Result<()> {
        self.weight += row.weight();
        self.rows.push(row);
        if self.rows.len() >= BATCH_ROWS || self.weight >= BATCH_BYTES { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<()> {
        self.weight = 0;
        let batch = std::mem::take(&mut self.rows);
        match self.batches.as_ref().map(|batches| batches.send(batch)) {
            Some(Ok(())) => Ok(()),
            // The thread has ended before it was told to.
            _ => self.end().map(|_| ()),
        }
    }

    /// Lets the thread end, and gives what it said.
    fn end(&mut self) -> Result<(u64, Digest)> {
        self.batches = None;
        let Some(thread) = self.thread.take() else { return Err(std::io::Error::other("a table is closed").into()) };
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// Writes what is left and closes the file; the number of rows and their canonical digest.
    pub fn finish(mut self) -> Result<(u64, Digest)> {
        if !self.rows.is_empty() {
            self.send()?;
        }
        self.end()
    }
}

impl<R: Row + 'static> Drop for TableBeside<R> {
    fn drop(&mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            // Whoever drops a table that is not finished has an error of its own to tell.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::SkipReason;
    use crate::tables::{SkippedRow, TableReader};

    fn row(n: u32) -> SkippedRow {
        SkippedRow { repo: "r".to_owned(), path: format!("p/{n}"), reason: SkipReason::Binary, detail: String::new() }
    }

    #[test]
    fn the_file_is_that_of_the_other_writer() {
        let dir = tempfile::tempdir().unwrap();
        let (here, beside) = (dir.path().join("here"), dir.path().join("beside"));
        let mut one = TableWriter::create(&here).unwrap();
        let mut other = TableBeside::create(&beside).unwrap();
        for n in 0..5000 {
            one.push(row(n)).unwrap();
            other.push(row(n)).unwrap();
        }
        assert_eq!(one.finish().unwrap(), other.finish().unwrap());
        assert_eq!(fs_err::read(&here).unwrap(), fs_err::read(&beside).unwrap());
        assert_eq!(TableReader::<SkippedRow>::read_all(&beside).unwrap().len(), 5000);
    }

    #[test]
    fn what_is_not_finished_ends_all_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let mut table = TableBeside::create(&dir.path().join("table")).unwrap();
        (0..3000).for_each(|n| table.push(row(n)).unwrap());
        drop(table);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_and_stays_one() {
        let mut table = TableBeside::create(Path::new("/dev/full")).unwrap();
        let pushed = (0..400_000).try_for_each(|n| table.push(row(n)));
        assert!(pushed.and_then(|()| table.finish()).is_err());
    }
}
