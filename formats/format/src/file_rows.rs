//! Reads a generation file by file: each file with its symbols and chunks.

use crate::Result;
use crate::generation::Generation;
use crate::hashes::hash_rows;
use crate::ids::FirstIds;
use crate::tables::{ChunkRow, FileRow, Row, RowsByFile, SymbolRow, TableReader};

/// A file with its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRows {
    /// The file.
    pub file: FileRow,
    /// Its symbols, in order.
    pub symbols: Vec<SymbolRow>,
    /// Its chunks, in order.
    pub chunks: Vec<ChunkRow>,
}

impl FileRows {
    /// The ids with which the rows begin; 0 where there are none.
    #[must_use]
    pub fn first_ids(&self) -> FirstIds {
        FirstIds {
            file: self.file.file_id,
            chunk: self.chunks.first().map(|chunk| chunk.chunk_id).unwrap_or_default(),
            symbol: self.symbols.first().map(|symbol| symbol.symbol_id).unwrap_or_default(),
        }
    }

    /// The hash of the rows.
    #[must_use]
    pub fn hash(&self) -> crate::digest::Digest {
        hash_rows(&self.file, &self.symbols, &self.chunks)
    }
}

/// Reads the files of a generation with their rows, in order.
pub struct FileRowsReader {
    files: std::vec::IntoIter<FileRow>,
    symbols: RowsByFile<SymbolRow>,
    chunks: RowsByFile<ChunkRow>,
}

impl FileRowsReader {
    /// Opens the tables of a generation.
    ///
    /// # Errors
    /// A table cannot be read, or is damaged.
    pub fn open(generation: &Generation) -> Result<Self> {
        Ok(Self {
            files: TableReader::<FileRow>::read_all(&generation.table(FileRow::TABLE))?.into_iter(),
            symbols: RowsByFile::open(&generation.table(SymbolRow::TABLE), |row: &SymbolRow| row.file_id)?,
            chunks: RowsByFile::open(&generation.table(ChunkRow::TABLE), |row: &ChunkRow| row.file_id)?,
        })
    }

    /// The files that are still to be read.
    #[must_use]
    pub fn files(&self) -> &[FileRow] {
        self.files.as_slice()
    }
}

impl Iterator for FileRowsReader {
    type Item = Result<FileRows>;

    fn next(&mut self) -> Option<Result<FileRows>> {
        let file = self.files.next()?;
        let symbols = self.symbols.take(file.file_id);
        let chunks = self.chunks.take(file.file_id);
        Some(symbols.and_then(|symbols| Ok(FileRows { file, symbols, chunks: chunks? })))
    }
}
