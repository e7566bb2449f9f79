//! What one file becomes before ids are global: every id here is an index into the same file's lists.

use std::path::PathBuf;

use half::f16;
use sextant_format::digest::Digest;
use sextant_format::kinds::SkipReason;
use sextant_format::vectors::{QuantizedVector, quantize};
use sextant_syntax::Analysis;

use crate::reuse::CacheEntry;
use sextant_resolve::scip::ScipOccurrences;
pub use sextant_syntax::model::{Chunk, Reference, Symbol, TypeFact};

/// A file that the walk found.
#[derive(Clone, Debug)]
pub struct Source {
    /// Index of the repository in the build.
    pub repo: u32,
    /// Path relative to the repository's root, with `/`.
    pub path: String,
    /// Where to read it.
    pub absolute: PathBuf,
}

/// An indexed file.
#[derive(Clone, Debug)]
pub struct IndexedFile {
    /// What it holds.
    pub analysis: Analysis,
    /// Whether it is test code.
    pub is_test: bool,
    /// What a SCIP index says of it.
    pub scip_occurrences: ScipOccurrences,
    /// For each chunk the hash of its text.
    pub hashes: Vec<Digest>,
    /// For each chunk its vector, where it has one.
    pub vectors: Vec<Option<Vector>>,
    /// What a later build may take over.
    pub(crate) cache_entries: Vec<CacheEntry>,
}

/// A vector as it is written: in half precision, and the same rotated and quantized.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Its values.
    pub half: Vec<f16>,
    /// Its row of the matrix.
    pub quantized: QuantizedVector,
}

impl Vector {
    /// The forms of a vector.
    #[must_use]
    pub fn from_f32(vector: &[f32]) -> Self {
        let half: Vec<f16> = vector.iter().map(|&x| f16::from_f32(x)).collect();
        let rounded: Vec<f32> = half.iter().map(|x| x.to_f32()).collect();
        Self { half, quantized: quantize(&rounded) }
    }
}

/// What became of a file.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is in the index.
    Indexed(Box<IndexedFile>),
    /// It is not.
    Skipped {
        /// Why.
        reason: SkipReason,
        /// What exactly happened.
        detail: String,
    },
}
