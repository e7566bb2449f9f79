//! Writes or reads a table on a background thread, so that who produces or consumes rows does not wait for their coding.

use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, JoinHandle};

use super::Row;
use super::io::{BATCH_BYTES, BATCH_ROWS, TableReader, TableWriter};
use crate::Result;
use crate::background::{BackgroundWriter, BatchLimits};

const BATCH_LIMITS: BatchLimits = BatchLimits { items: BATCH_ROWS, bytes: BATCH_BYTES, max_queued: 1 };

/// Writes one table like [`TableWriter`], on a thread that ends with this writer.
pub struct BackgroundTableWriter<R>(BackgroundWriter<R, u64>);

impl<R: Row + 'static> BackgroundTableWriter<R> {
    /// Creates the file and starts the thread.
    ///
    /// # Errors
    /// The file or the thread cannot be created.
    pub fn create(path: &Path) -> Result<Self> {
        let mut writer = TableWriter::create(path)?;
        let work = move |batches| {
            for batch in batches {
                let batch: Vec<R> = batch;
                batch.into_iter().try_for_each(|row| writer.push(row))?;
            }
            writer.finish()
        };
        Ok(Self(BackgroundWriter::start(R::TABLE, BATCH_LIMITS, work)?))
    }

    /// Appends a row.
    ///
    /// # Errors
    /// Writing this row or an earlier one failed.
    pub fn push(&mut self, row: R) -> Result<()> {
        let weight = row.weight();
        self.0.push(row, weight)
    }

    /// Writes the remaining rows and closes the file. Returns the number of rows.
    ///
    /// # Errors
    /// Writing a row or closing the file failed.
    pub fn finish(self) -> Result<u64> {
        self.0.finish()
    }
}

/// Batches that are decoded ahead.
const MAX_DECODED: usize = 8;

/// Reads one table like [`TableReader`], on a thread that ends with this reader.
pub struct BackgroundTableReader<R> {
    /// None once the thread has been asked to end.
    batches: Option<Receiver<Result<Vec<R>>>>,
    thread: Option<JoinHandle<()>>,
}

impl<R: Row + 'static> BackgroundTableReader<R> {
    /// Opens the file and starts the thread.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged, or the thread cannot be started.
    pub fn open(path: &Path) -> Result<Self> {
        let reader = TableReader::open(path)?;
        let (sender, receiver) = sync_channel(MAX_DECODED);
        // It ends early when nobody receives any more.
        let work = move || {
            let _ = reader.into_iter().try_for_each(|batch| sender.send(batch));
        };
        let thread = Builder::new().name(R::TABLE.to_owned()).spawn(work)?;
        Ok(Self { batches: Some(receiver), thread: Some(thread) })
    }
}

impl<R> Iterator for BackgroundTableReader<R> {
    type Item = Result<Vec<R>>;

    fn next(&mut self) -> Option<Result<Vec<R>>> {
        self.batches.as_ref()?.recv().ok()
    }
}

impl<R> Drop for BackgroundTableReader<R> {
    fn drop(&mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the decoder is an error of the batch.
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
    fn both_writers_produce_the_same_file() {
        let dir = tempfile::tempdir().unwrap();
        let (foreground, background) = (dir.path().join("foreground"), dir.path().join("background"));
        let mut one = TableWriter::create(&foreground).unwrap();
        let mut other = BackgroundTableWriter::create(&background).unwrap();
        for n in 0..5000 {
            one.push(row(n)).unwrap();
            other.push(row(n)).unwrap();
        }
        assert_eq!(one.finish().unwrap(), other.finish().unwrap());
        assert_eq!(fs_err::read(&foreground).unwrap(), fs_err::read(&background).unwrap());
        let rows = TableReader::<SkippedRow>::read_all(&background).unwrap();
        assert_eq!(rows.len(), 5000);
        let reader = BackgroundTableReader::<SkippedRow>::open(&background).unwrap();
        assert_eq!(reader.flat_map(Result::unwrap).collect::<Vec<_>>(), rows);
        // Ends although nobody reads on.
        let mut reader = BackgroundTableReader::<SkippedRow>::open(&background).unwrap();
        assert!(reader.next().is_some());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let mut table = BackgroundTableWriter::create(Path::new("/dev/full")).unwrap();
        let pushed = (0..400_000).try_for_each(|n| table.push(row(n)));
        assert!(pushed.and_then(|()| table.finish()).is_err());
    }
}
