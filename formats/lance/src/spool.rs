//! A spool file of vectors for the LanceDB table.
//!
//! Vectors arrive one by one and are written to a file in half precision, so that memory does not grow with their
//! number. At the end of a build the LanceDB table is written from this file.

use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use half::f16;
use sextant_format::digest::Digest;
use sextant_format::ids::ChunkId;

use crate::Result;

/// The vectors of a build.
#[derive(Clone, Copy, Debug)]
pub struct VectorPlan {
    /// Number of dimensions.
    pub dims: usize,
    /// Number of vectors from which the LanceDB table gets an approximate index.
    pub ann_threshold: u64,
}

/// A row of the spool.
pub(crate) struct SpoolRow {
    pub(crate) chunk_id: ChunkId,
    pub(crate) level: u8,
    pub(crate) content_hash: [u8; 32],
    pub(crate) vector: Vec<f16>,
}

/// Writes vectors to a file in half precision, in the order in which they arrive.
#[derive(Debug)]
pub struct Spool {
    path: PathBuf,
    file: BufWriter<fs_err::File>,
    plan: VectorPlan,
    rows: u64,
    /// Buffer for the bytes of one row.
    row: Vec<u8>,
}

impl Spool {
    /// Creates an empty spool in the folder of a generation.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(root: &Path, plan: VectorPlan) -> Result<Self> {
        let path = root.join("vectors.spool");
        Ok(Self { file: BufWriter::new(fs_err::File::create(&path)?), path, plan, rows: 0, row: Vec::new() })
    }

    /// Appends the vector of a chunk; its length must be [`VectorPlan::dims`].
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

    /// Returns the plan, the rows in order, and the path of the file, which the caller removes after reading.
    pub(crate) fn into_reader(mut self) -> Result<(VectorPlan, SpoolReader, PathBuf)> {
        self.file.flush()?;
        drop(self.file);
        let reader = SpoolReader::open(&self.path, self.plan.dims, self.rows)?;
        Ok((self.plan, reader, self.path))
    }
}

/// Reads the rows of a spool in order.
pub(crate) struct SpoolReader {
    file: BufReader<fs_err::File>,
    dims: usize,
    remaining: u64,
}

impl SpoolReader {
    fn open(path: &Path, dims: usize, rows: u64) -> Result<Self> {
        Ok(Self { file: BufReader::with_capacity(1 << 20, fs_err::File::open(path)?), dims, remaining: rows })
    }

    /// Returns the number of rows that were not read yet.
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
