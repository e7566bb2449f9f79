//! Reads a generation file by file: each file with its symbols and chunks, or with its edges.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::generation::Generation;
use crate::hashes::hash_rows;
use crate::ids::{FileId, FirstIds};
use crate::manifest::Segment;
use crate::segments::RowMaps;
use crate::tables::{ChunkRow, DirectoryRow, EdgeRow, FileRow, Row, RowsByFile, SymbolRow};
use crate::{Error, Result};

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
    /// The address of each file.
    addresses: std::vec::IntoIter<FileId>,
    segments: Vec<SegmentRows>,
    maps: Option<Arc<RowMaps>>,
    path: PathBuf,
}

/// Reads the edges of a generation file by file, in order.
pub struct FileEdgesReader {
    /// Of each segment with edges, the address of the first one and its table.
    segments: Vec<(u32, RowsByFile<EdgeRow, u32>)>,
    /// The addresses of the edges of each file.
    stored: std::vec::IntoIter<Range<u32>>,
    maps: Option<Arc<RowMaps>>,
    path: PathBuf,
}

impl FileEdgesReader {
    /// Opens the tables of a generation.
    ///
    /// # Errors
    /// A table cannot be read, or is damaged.
    pub fn open(generation: &Generation) -> Result<Self> {
        let directory = generation.directory()?;
        let stored: Vec<Range<u32>> = directory.into_iter().map(|listed| listed.stored().edges).collect();
        let open = |segment: &Segment| {
            let path = generation.segment_table::<EdgeRow>(segment);
            Ok((segment.first_edge, RowsByFile::open(&path, |row: &EdgeRow| row.first_edge)?))
        };
        let with_edges = generation.manifest().segments.iter().filter(|segment| segment.edges > 0);
        Ok(Self {
            segments: with_edges.map(open).collect::<Result<_>>()?,
            stored: stored.into_iter(),
            maps: generation.row_maps()?,
            path: generation.table(DirectoryRow::TABLE),
        })
    }

    /// The edges of the next file; none after the last one.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn next_file(&mut self) -> Result<Vec<EdgeRow>> {
        let Some(stored) = self.stored.next().filter(|stored| !stored.is_empty()) else { return Ok(Vec::new()) };
        let segment = self.segments.partition_point(|(first, _)| *first <= stored.start);
        let segment = segment.checked_sub(1).and_then(|at| self.segments.get_mut(at));
        let mut edges = segment.map_or_else(|| Ok(Vec::new()), |(_, rows)| rows.skip_to(stored.start))?;
        if edges.len() != stored.len() {
            return Err(Error::damaged(&self.path, "the edges of a file are not where it says"));
        }
        if let Some(maps) = &self.maps {
            let damaged = || Error::damaged(&self.path, "an edge leads to a missing symbol");
            edges.iter_mut().try_for_each(|edge| edge.to_ids(maps).ok_or_else(damaged))?;
        }
        Ok(edges)
    }
}

/// The rows of a segment, which are stored in the order of its files.
struct SegmentRows {
    first: FileId,
    symbols: RowsByFile<SymbolRow>,
    chunks: RowsByFile<ChunkRow>,
}

impl FileRowsReader {
    /// Opens the tables of a generation.
    ///
    /// # Errors
    /// A table cannot be read, or is damaged.
    pub fn open(generation: &Generation) -> Result<Self> {
        let path = generation.table(FileRow::TABLE);
        let (files, addresses) = generation.files_with_addresses()?;
        let open = |segment: &Segment| {
            Ok(SegmentRows {
                first: FileId::new(segment.first_file),
                symbols: RowsByFile::open(&generation.segment_table::<SymbolRow>(segment), |row: &SymbolRow| {
                    row.file_id
                })?,
                chunks: RowsByFile::open(&generation.segment_table::<ChunkRow>(segment), |row: &ChunkRow| row.file_id)?,
            })
        };
        let with_files = generation.manifest().segments.iter().filter(|segment| segment.files > 0);
        Ok(Self {
            files: files.into_iter(),
            addresses: addresses.into_iter(),
            segments: with_files.map(open).collect::<Result<_>>()?,
            maps: generation.row_maps()?,
            path,
        })
    }

    fn read(&mut self, file: FileRow) -> Result<FileRows> {
        let damaged = || Error::damaged(&self.path, "a file has no rows");
        let address = self.addresses.next().ok_or_else(damaged)?;
        let segment = self.segments.partition_point(|segment| segment.first <= address);
        let segment = segment.checked_sub(1).and_then(|at| self.segments.get_mut(at)).ok_or_else(damaged)?;
        let mut symbols = segment.symbols.skip_to(address)?;
        let mut chunks = segment.chunks.skip_to(address)?;
        if let Some(maps) = &self.maps {
            let symbols = symbols.iter_mut().try_for_each(|row| row.to_ids(maps));
            let chunks = chunks.iter_mut().try_for_each(|row| row.to_ids(maps));
            symbols.and(chunks).ok_or_else(damaged)?;
        }
        Ok(FileRows { file, symbols, chunks })
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
        Some(self.read(file))
    }
}
