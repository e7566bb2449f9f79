//! A file that many threads read at once, each at its own place.
//!
//! Parquet's own reader of a file moves the one position that all clones of a file share: two threads then read each
//! other's bytes.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};

use crate::Result;
use crate::mapped::read_at;

/// A file; clones are cheap and know nothing of each other.
#[derive(Clone)]
pub(super) struct Positioned {
    file: Arc<File>,
    len: u64,
}

impl Positioned {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = fs_err::File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file: Arc::new(file.into_parts().0), len })
    }
}

impl Length for Positioned {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Positioned {
    type T = BufReader<From>;

    fn get_read(&self, start: u64) -> ParquetResult<BufReader<From>> {
        // A page's header is read byte by byte.
        Ok(BufReader::new(From { file: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        // A damaged footer may say anything: nothing is allocated that the file does not hold.
        if start.checked_add(length as u64).is_none_or(|end| end > self.len) {
            return Err(ParquetError::EOF(format!("{length} bytes at {start} reach beyond the end at {}", self.len)));
        }
        let mut buffer = vec![0; length];
        read_at(&self.file, &mut buffer, start)?;
        Ok(buffer.into())
    }
}

/// A file from a place on.
pub(super) struct From {
    file: Positioned,
    at: u64,
}

impl Read for From {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let left = usize::try_from(self.file.len.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        read_at(&self.file.file, &mut buffer[..len], self.at)?;
        self.at += len as u64;
        Ok(len)
    }
}
