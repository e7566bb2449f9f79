//! What one file becomes before ids are global: every id here is an index into the same file's lists.

use std::path::PathBuf;

use half::f16;
use sextant_format::digest::Digest;
use sextant_format::kinds::SkipReason;
use sextant_format::vectors::{Quantised, quantise};
use sextant_syntax::Analysis;

use crate::reuse::Fact;
use sextant_resolve::scip::Compiled;
pub use sextant_syntax::model::{Chunk, Reference, Symbol, TypeHint};

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
    pub compiled: Compiled,
    /// For each chunk the hash of its text.
    pub hashes: Vec<Digest>,
    /// For each chunk its vector, where it has one.
    pub vectors: Vec<Option<Vector>>,
    /// What a later build may take over.
    pub(crate) facts: Vec<Fact>,
}

/// A vector as it is written: in half precision, and the same rotated and quantised.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Its values.
    pub half: Vec<f16>,
    /// Its row of the matrix.
    pub quantised: Quantised,
}

impl Vector {
    /// The forms of a vector.
    #[must_use]
    pub fn of(vector: &[f32]) -> Self {
        let half: Vec<f16> = vector.iter().map(|&x| f16::from_f32(x)).collect();
        let rounded: Vec<f32> = half.iter().map(|x| x.to_f32()).collect();
        Self { half, quantised: quantise(&rounded) }
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
