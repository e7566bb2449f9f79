//! Hashes of a file's rows, and of a repository's files: the tree whose root is the content id.
//!
//! The rows of a file are hashed in terms that do not change when rows of other files come or go: ids of its own rows
//! count from the file's first, symbols of other files are named by their [keys](crate::keys). So the same rows have the
//! same hashes wherever they are stored.

use crate::digest::{Digest, RowHasher};
use crate::ids::FirstIds;
use crate::keys::{ShortHash, SymbolKey};
use crate::tables::{BorrowedEdgeRow, ChunkRow, Column, DirectoryRow, FileRow, Row, SymbolRow};
use crate::vectors::QuantizedVector;

/// The hash of a file's row with its symbols and chunks, which must be those of the file, in order.
#[must_use]
pub fn hash_rows(file: &FileRow, symbols: &[SymbolRow], chunks: &[ChunkRow]) -> Digest {
    let first = FirstIds {
        file: file.file_id,
        chunk: chunks.first().map(|chunk| chunk.chunk_id).unwrap_or_default(),
        symbol: symbols.first().map(|symbol| symbol.symbol_id).unwrap_or_default(),
    };
    let mut hasher = RowHasher::default();
    file.digest(first, &mut hasher);
    symbols.iter().for_each(|symbol| symbol.digest(first, &mut hasher));
    chunks.iter().for_each(|chunk| chunk.digest(first, &mut hasher));
    hasher.finish()
}

/// Hashes the vectors of a file.
#[derive(Default)]
pub struct VectorsHasher(RowHasher);

impl VectorsHasher {
    /// Appends the vector of a chunk, which is counted from the file's first; the number after that of the last chunk
    /// is the vector of the file's names.
    pub fn push(&mut self, chunk: u32, scale: f32, values: &[i8]) {
        self.0.fixed(&chunk.to_le_bytes());
        self.0.fixed(&scale.to_le_bytes());
        self.0.sized(bytemuck::cast_slice(values));
        self.0.end_row();
    }

    /// The hash of all vectors.
    #[must_use]
    pub fn finish(self) -> Digest {
        self.0.finish()
    }
}

/// The hash of a file's vectors, each with the number of its chunk as for [`VectorsHasher::push`].
#[must_use]
pub fn hash_vectors(vectors: &[(u32, QuantizedVector)]) -> Digest {
    let mut hasher = VectorsHasher::default();
    vectors.iter().for_each(|(chunk, vector)| hasher.push(*chunk, vector.scale, &vector.values));
    hasher.finish()
}

/// Hashes the edges of a file.
#[derive(Default)]
pub struct EdgesHasher(RowHasher);

impl EdgesHasher {
    /// Appends an edge, whose ids are given as keys.
    pub fn push(
        &mut self,
        edge: &BorrowedEdgeRow<'_>,
        source: SymbolKey,
        target: Option<SymbolKey>,
        external: Option<ShortHash>,
    ) {
        let hasher = &mut self.0;
        push_key(hasher, source);
        match target {
            Some(target) => {
                hasher.fixed(&[1]);
                push_key(hasher, target);
            }
            None => hasher.fixed(&[0]),
        }
        match external {
            Some(external) => {
                hasher.fixed(&[1]);
                hasher.fixed(&external);
            }
            None => hasher.fixed(&[0]),
        }
        let first = FirstIds::default();
        edge.target_name.digest(first, hasher);
        edge.kind.digest(first, hasher);
        edge.line.digest(first, hasher);
        edge.column.digest(first, hasher);
        edge.tier.digest(first, hasher);
        edge.confidence.digest(first, hasher);
        hasher.end_row();
    }

    /// The hash of all edges.
    #[must_use]
    pub fn finish(self) -> Digest {
        self.0.finish()
    }
}

fn push_key(hasher: &mut RowHasher, key: SymbolKey) {
    hasher.fixed(&key.file);
    hasher.fixed(&key.hash);
    hasher.fixed(&key.ordinal.to_le_bytes());
}

/// Hashes the files of a repository, in order of their paths.
#[derive(Default)]
pub struct RepositoryHasher(RowHasher);

impl RepositoryHasher {
    /// Appends a file.
    pub fn push(&mut self, path: &str, file: &DirectoryRow) {
        self.0.sized(path.as_bytes());
        self.0.fixed(&file.rows_hash.0);
        self.0.fixed(&file.vectors_hash.0);
        self.0.fixed(&file.edges_hash.0);
        self.0.end_row();
    }

    /// The hash of all files.
    #[must_use]
    pub fn finish(self) -> Digest {
        self.0.finish()
    }
}
