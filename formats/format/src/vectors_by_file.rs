//! Reads the vectors of a generation file by file: those of a file's chunks, and that of its names.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::generation::{Generation, part};
use crate::ids::{ChunkId, FileId};
use crate::segments::Vectors;
use crate::vectors::QuantizedVector;
use crate::{Error, Result};

/// The vectors of a file's chunks, which are numbered from the file's first; the number after the last chunk is the
/// vector of the file's names.
pub type FileVectors = Vec<(u32, QuantizedVector)>;

/// Reads the vectors of a generation file by file.
pub struct VectorsByFile {
    path: PathBuf,
    matrix: Vectors,
    next: usize,
    /// The vectors of names, by file.
    names: FxHashMap<FileId, QuantizedVector>,
}

impl VectorsByFile {
    /// Opens the vectors of a generation; none if it has none.
    ///
    /// # Errors
    /// A file cannot be read, or is damaged.
    pub fn open(generation: &Generation) -> Result<Option<Self>> {
        let Some(matrix) = generation.vectors()? else { return Ok(None) };
        let mut names = FxHashMap::default();
        for row in generation.file_vectors()?.into_iter().flatten().filter(|row| row.from_names) {
            names.insert(row.file_id, QuantizedVector { scale: row.scale, values: row.values });
        }
        let path = generation.path(part::VECTORS);
        Ok(Some(Self { path, matrix, next: 0, names }))
    }

    /// The vectors of a file, whose `count` chunks begin with `first`; files must be requested in order.
    pub fn take(&mut self, file: FileId, first: ChunkId, count: usize) -> FileVectors {
        let mut found = Vec::new();
        while self.next < self.matrix.rows() {
            let own = self.matrix.chunk_id(self.next).rows_after(first);
            let Some(own) = own.filter(|&own| (own as usize) < count) else { break };
            let values = self.matrix.row(self.next)[..self.matrix.dims()].to_vec();
            found.push((own, QuantizedVector { scale: self.matrix.scale(self.next), values }));
            self.next += 1;
        }
        let names = self.names.remove(&file).filter(|names| names.values.len() == self.matrix.dims());
        found.extend(names.map(|names| (u32::try_from(count).unwrap_or(u32::MAX), names)));
        found
    }

    /// Checks that every vector was read.
    ///
    /// # Errors
    /// A vector belongs to no chunk.
    pub fn finish(&self) -> Result<()> {
        let is_complete = self.next == self.matrix.rows();
        if is_complete { Ok(()) } else { Err(Error::damaged(&self.path, "a vector belongs to no chunk")) }
    }
}
