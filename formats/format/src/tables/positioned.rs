//! A file that many threads read at once, each at its own offset.
//!
//! Parquet's own file reader moves a position that all clones of a file share, so two threads would read each other's
//! bytes.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use bytes::buf::Reader;
use bytes::{Buf, Bytes};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};

use super::thrift::{PAGE_HEADER, validate};
use crate::Result;
use crate::mapped::read_at;

/// Bytes that are read for a page header. It stores two numbers for each of a few statistics; texts in them are
/// truncated to 64 bytes.
const HEADER_BYTES: usize = 8 << 10;

/// A file; clones are cheap and independent of each other.
#[derive(Clone)]
pub(super) struct PositionedFile {
    file: Arc<File>,
    len: u64,
}

impl PositionedFile {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = fs_err::File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file: Arc::new(file.into_parts().0), len })
    }
}

impl Length for PositionedFile {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for PositionedFile {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Reader<Bytes>> {
        let left = usize::try_from(self.len.saturating_sub(start)).unwrap_or(usize::MAX);
        Ok(self.get_bytes(start, left.min(HEADER_BYTES))?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        // A damaged footer may contain any length: nothing is allocated that exceeds the file.
        if start.checked_add(length as u64).is_none_or(|end| end > self.len) {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at offset {start} exceed the file's {} bytes",
                self.len
            )));
        }
        let mut buffer = vec![0; length];
        read_at(&self.file, &mut buffer, start)?;
        Ok(buffer.into())
    }
}

/// The pages of a column in one row group, as a reader that validates every page header.
pub(super) struct PageHeaderValidator {
    pub(super) file: PositionedFile,
    /// Whether page locations are known. If so, a page is read together with its header, otherwise after it.
    pub(super) has_page_locations: bool,
}

impl Length for PageHeaderValidator {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for PageHeaderValidator {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Reader<Bytes>> {
        let header = self.file.get_read(start)?;
        validate(header.get_ref(), &PAGE_HEADER)?;
        Ok(header)
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let bytes = self.file.get_bytes(start, length)?;
        if self.has_page_locations {
            validate(&bytes, &PAGE_HEADER)?;
        }
        Ok(bytes)
    }
}
