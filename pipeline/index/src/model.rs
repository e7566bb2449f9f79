//! The result of processing one file. Ids are not global yet: every id here is an index into the same file's lists.

use std::path::PathBuf;

use half::f16;
use sextant_format::digest::Digest;
use sextant_format::kinds::SkipReason;
use sextant_format::vectors::{QuantizedVector, quantize, quantize_unrotated};
use sextant_syntax::Analysis;
use sextant_syntax::record::Outline;

use crate::reuse::{CacheEntry, FileKeys, Key, KnownFile};
use crate::summaries::StoredSummary;
use sextant_resolve::StoredFile;
use sextant_resolve::scip::ScipOccurrences;
pub use sextant_syntax::model::{Chunk, Reference, Symbol, TypeFact};

/// A file that the walk found.
#[derive(Clone, Debug)]
pub struct Source {
    /// Index of the repository in the build.
    pub repo: u32,
    /// Path relative to the repository's root, with `/`.
    pub path: String,
    /// Absolute path.
    pub absolute: PathBuf,
}

/// A file that was recalled: where its references are.
#[derive(Clone, Debug)]
pub(crate) struct RecalledFile {
    /// The key of its analysis.
    pub(crate) analysis: Key,
    /// The size of its text.
    pub(crate) bytes: u64,
    /// The number of its symbols.
    pub(crate) symbols: usize,
    /// The file, if no cache has its analysis.
    pub(crate) source: Option<Box<Source>>,
}

/// An indexed file.
#[derive(Clone, Debug)]
pub struct IndexedFile {
    /// Its symbols, references and chunks.
    pub analysis: Analysis,
    /// Whether it is test code.
    pub is_test: bool,
    /// Definitions and references from a SCIP index.
    pub scip_occurrences: ScipOccurrences,
    /// The hash of each chunk's text.
    pub hashes: Vec<Digest>,
    /// The summary of each chunk by a language model; none if it has none.
    pub(crate) summaries: Vec<Option<StoredSummary>>,
    /// The vector of each chunk; none if the chunk is not embedded.
    pub vectors: Vec<Option<Vector>>,
    /// The vector of its names and documentation, not rotated; none if a chunk has a vector, or without names.
    pub names_vector: Option<QuantizedVector>,
    /// Cache entries for later builds.
    pub(crate) cache_entries: Vec<CacheEntry>,
    /// The keys of these entries.
    pub(crate) keys: FileKeys,
}

/// A file that is the same as in the previous generation.
#[derive(Debug)]
pub(crate) struct UnchangedFile {
    /// The file there.
    pub(crate) known: KnownFile,
    /// What other files can see of it.
    pub(crate) facts: KnownFacts,
    /// Cache entries for later builds.
    pub(crate) cache_entries: Vec<CacheEntry>,
}

/// What other files can see of a file that is the same as before.
#[derive(Debug)]
pub(crate) enum KnownFacts {
    /// As the stored symbol table has it.
    Stored(StoredFile),
    /// Its outline.
    Outline(Outline),
}

/// A vector in the two forms that are written: in half precision, and rotated and quantised.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The values in half precision.
    pub half: Vec<f16>,
    /// Its row of the int8 matrix.
    pub quantized: QuantizedVector,
}

impl Vector {
    /// Converts a vector. The quantised form is computed from the half-precision form, so that `verify` can reproduce
    /// it.
    #[must_use]
    pub fn from_f32(vector: &[f32]) -> Self {
        let half: Vec<f16> = vector.iter().map(|&x| f16::from_f32(x)).collect();
        let rounded: Vec<f32> = half.iter().map(|x| x.to_f32()).collect();
        Self { half, quantized: quantize(&rounded) }
    }
}

/// Quantises a vector as it is, from its half-precision form, which is what caches keep.
pub(crate) fn quantize_rounded(vector: &[f32]) -> QuantizedVector {
    let rounded: Vec<f32> = vector.iter().map(|&x| f16::from_f32(x).to_f32()).collect();
    quantize_unrotated(&rounded)
}

/// The outcome of processing a file.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The file is indexed.
    Indexed(Box<IndexedFile>),
    /// The file has the rows that it had.
    Unchanged(Box<UnchangedFile>),
    /// The file is skipped.
    Skipped {
        /// Why it is skipped.
        reason: SkipReason,
        /// Details of the reason.
        detail: String,
    },
}
