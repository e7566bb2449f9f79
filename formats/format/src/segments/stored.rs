//! Where the rows of files are stored.

use std::ops::Range;

use super::row_map::RowMap;
use crate::ids::{ChunkId, FileId, FirstIds, SymbolId};

/// Where the live rows of a generation are stored.
#[derive(Clone, Debug)]
pub struct RowMaps {
    /// Versions of files.
    pub files: RowMap<FileId>,
    /// Chunks.
    pub chunks: RowMap<ChunkId>,
    /// Symbols.
    pub symbols: RowMap<SymbolId>,
}

/// Where the rows of a file are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredFile {
    /// The address of the version of the file.
    pub file: u32,
    /// The addresses of its chunks.
    pub chunks: Range<u32>,
    /// The addresses of its symbols.
    pub symbols: Range<u32>,
    /// The numbers of its edges.
    pub edges: Range<u32>,
}

impl StoredFile {
    /// The addresses with which the rows begin.
    #[must_use]
    pub const fn first(&self) -> FirstIds {
        FirstIds {
            file: FileId::new(self.file),
            chunk: ChunkId::new(self.chunks.start),
            symbol: SymbolId::new(self.symbols.start),
        }
    }
}

impl RowMaps {
    /// The maps of files that are stored like this, in their order; none if two of them share an address.
    #[must_use]
    pub fn new(files: &[StoredFile]) -> Option<Self> {
        Some(Self {
            files: RowMap::new(files.iter().map(|file| file.file..file.file.saturating_add(1)))?,
            chunks: RowMap::new(files.iter().map(|file| file.chunks.clone()))?,
            symbols: RowMap::new(files.iter().map(|file| file.symbols.clone()))?,
        })
    }
}
