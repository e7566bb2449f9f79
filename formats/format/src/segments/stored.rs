//! Where the rows of files are stored.

use std::ops::Range;

use super::row_map::RowMap;
use crate::ids::{ChunkId, FileId, FirstIds, SymbolId};

/// Where the live rows of a generation are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct RowMaps {
    /// Versions of files.
    pub files: RowMap<FileId>,
    /// Chunks.
    pub chunks: RowMap<ChunkId>,
    /// Symbols by the ids that they keep in storage.
    pub symbols: RowMap<SymbolId>,
    /// Symbols by the addresses of their rows.
    pub symbol_rows: RowMap<SymbolId>,
    /// Edges, which are numbered in the order of their files.
    pub edges: RowMap<u32>,
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
    /// The ids that its symbols keep in storage, in order; empty if they are the addresses.
    pub symbol_ids: Vec<Range<u32>>,
    /// The addresses of its edges.
    pub edges: Range<u32>,
}

impl StoredFile {
    /// Of the address of a file, and the first address and number of its chunks, symbols and edges.
    pub(crate) fn new(
        file: u32,
        chunks: (u32, u32),
        symbols: (u32, u32),
        symbol_ids: Vec<Range<u32>>,
        edges: (u32, u32),
    ) -> Self {
        let range = |(first, count): (u32, u32)| first..first.saturating_add(count);
        Self { file, chunks: range(chunks), symbols: range(symbols), symbol_ids, edges: range(edges) }
    }

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

impl StoredFile {
    /// The ids that its symbols keep in storage, in order.
    pub fn ids_of_symbols(&self) -> impl Iterator<Item = Range<u32>> {
        let same = self.symbol_ids.is_empty().then(|| self.symbols.clone());
        same.into_iter().chain(self.symbol_ids.iter().cloned())
    }

    /// Whether each of its symbols has an id.
    fn has_all_ids(&self) -> bool {
        self.symbol_ids.is_empty() || self.symbol_ids.iter().map(|run| run.len()).sum::<usize>() == self.symbols.len()
    }
}

impl RowMaps {
    /// The maps of files that are stored like this, in their order; none if two of them share an address.
    #[must_use]
    pub fn new(files: &[StoredFile]) -> Option<Self> {
        Some(Self {
            files: RowMap::new(files.iter().map(|file| file.file..file.file.saturating_add(1)))?,
            chunks: RowMap::new(files.iter().map(|file| file.chunks.clone()))?,
            symbols: RowMap::new(files.iter().flat_map(StoredFile::ids_of_symbols))
                .filter(|_| files.iter().all(StoredFile::has_all_ids))?,
            symbol_rows: RowMap::new(files.iter().map(|file| file.symbols.clone()))?,
            edges: RowMap::new(files.iter().map(|file| file.edges.clone()))?,
        })
    }
}
