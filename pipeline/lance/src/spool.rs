//! Vectors on their way into the LanceDB table.
//!
//! They arrive one by one and are spooled to a file in half precision, so that memory does not grow
//! with their number; the LanceDB table is written from the spool at the end.

use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use half::f16;
use sextant_format::digest::Digest;
use sextant_format::ids::ChunkId;

use crate::Result;

/// What the vectors will be.
#[derive(Clone, Copy, Debug)]
pub struct VectorPlan {
    /// Their length.
    pub dims: usize,
    /// From so many on, the LanceDB table gets an approximate index.
    pub ann_threshold: u64,
}

/// A row of the spool.
pub(crate) struct SpoolRow {
    pub(crate) chunk_id: ChunkId,
    pub(crate) level: u8,
    pub(crate) content_hash: [u8; 32],
    pub(crate) vector: Vec<f16>,
}

/// Vectors in a file, in half precision, in the order in which they came.
#[derive(Debug)]
pub struct Spool {
    path: PathBuf,
    file: BufWriter<fs_err::File>,
    plan: VectorPlan,
    rows: u64,
    /// The bytes of one row, for their memory.
    row: Vec<u8>,
}

impl Spool {
    /// An empty spool in a generation's folder.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn create(root: &Path, plan: VectorPlan) -> Result<Self> {
        let path = root.join("vectors.spool");
        Ok(Self { file: BufWriter::new(fs_err::File::create(&path)?), path, plan, rows: 0, row: Vec::new() })
    }

    /// Appends a vector.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, chunk_id: ChunkId, level: u8, content_hash: &Digest, vector: &[f16]) -> Result<()> {
        self.row.clear();
        self.row.extend(chunk_id.get().to_le_bytes());
        self.row.push(level);
        self.row.extend(content_hash.0);
        self.row.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
        self.file.write_all(&self.row)?;
        self.rows += 1;
        Ok(())
    }

    /// The plan, the rows in order, and the file, which the caller removes when it has read them.
    pub(crate) fn into_reader(mut self) -> Result<(VectorPlan, SpoolReader, PathBuf)> {
        self.file.flush()?;
        drop(self.file);
        let reader = SpoolReader::open(&self.path, self.plan.dims, self.rows)?;
        Ok((self.plan, reader, self.path))
    }
}

/// The rows of a spool in order.
pub(crate) struct SpoolReader {
    file: BufReader<fs_err::File>,
    dims: usize,
    remaining: u64,
}

impl SpoolReader {
    fn open(path: &Path, dims: usize, rows: u64) -> Result<Self> {
        Ok(Self { file: BufReader::with_capacity(1 << 20, fs_err::File::open(path)?), dims, remaining: rows })
    }

    /// Rows that are still to come.
    pub(crate) const fn remaining(&self) -> u64 {
        self.remaining
    }

    fn row(&mut self) -> std::io::Result<SpoolRow> {
        let mut chunk_id = [0; 4];
        self.file.read_exact(&mut chunk_id)?;
        let mut level = [0; 1];
        self.file.read_exact(&mut level)?;
        let mut content_hash = [0; 32];
        self.file.read_exact(&mut content_hash)?;
        let mut bytes = vec![0; self.dims * 2];
        self.file.read_exact(&mut bytes)?;
        let vector = bytes.chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]])).collect();
        Ok(SpoolRow { chunk_id: ChunkId::new(u32::from_le_bytes(chunk_id)), level: level[0], content_hash, vector })
    }
}

impl Iterator for SpoolReader {
    type Item = std::io::Result<SpoolRow>;

    fn next(&mut self) -> Option<std::io::Result<SpoolRow>> {
        self.remaining = self.remaining.checked_sub(1)?;
        Some(self.row())
    }
}
