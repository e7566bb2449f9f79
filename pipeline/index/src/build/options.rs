//! What to build.

use std::path::PathBuf;

use sextant_resolve::scip::ScipSource;

use crate::embed::ModelChoice;
use crate::memory::MemoryBudget;
use crate::reuse::ReuseOptions;
use crate::settings::Settings;

/// What to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// `PATH` or `NAME=PATH`.
    pub paths: Vec<String>,
    /// The index folder.
    pub output: PathBuf,
    /// The encoder.
    pub model: ModelChoice,
    /// Whether the index names the encoder only.
    pub model_by_reference: bool,
    /// Whether the LanceDB table and what later builds take over are left out, as in a pulled index.
    pub without_vector_table: bool,
    /// From so many vectors on, the LanceDB table gets an approximate index. It changes no row.
    pub ann_threshold: u64,
    /// Worker threads.
    pub threads: usize,
    /// How much memory it may take.
    pub memory: MemoryBudget,
    /// Globs of files to take; all where there are none.
    pub include: Vec<String>,
    /// Globs of files to leave out.
    pub exclude: Vec<String>,
    /// Whether what `.gitignore` and `.ignore` leave out is left out.
    pub respect_gitignore: bool,
    /// Indexes that compilers made.
    pub scip: Vec<ScipSource>,
    /// How a file is processed.
    pub settings: Settings,
    /// Where to look for what earlier builds found out.
    pub reuse: ReuseOptions,
}
