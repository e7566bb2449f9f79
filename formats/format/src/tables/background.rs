//! Writes a table on a background thread, so that who produces rows does not wait for their encoding.

use std::path::Path;

use super::Row;
use super::io::{BATCH_BYTES, BATCH_ROWS, TableWriter};
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
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let mut table = BackgroundTableWriter::create(Path::new("/dev/full")).unwrap();
        let pushed = (0..400_000).try_for_each(|n| table.push(row(n)));
        assert!(pushed.and_then(|()| table.finish()).is_err());
    }
}
