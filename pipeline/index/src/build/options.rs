//! The options of a build.

use std::path::PathBuf;

use sextant_resolve::scip::ScipSource;

use crate::embed::ModelChoice;
use crate::history::HistoryChoice;
use crate::memory::MemoryBudget;
use crate::reuse::ReuseOptions;
use crate::servers::ServerOptions;
use crate::settings::Settings;

/// The options of a build.
#[derive(Clone, Debug)]
pub(crate) struct BuildOptions {
    /// Folders to index, each `PATH` or `NAME=PATH`.
    pub paths: Vec<String>,
    /// The index folder.
    pub output: PathBuf,
    /// The encoder.
    pub model: ModelChoice,
    /// Whether the index stores only the encoder's name and digest.
    pub model_by_reference: bool,
    /// Whether to omit the LanceDB table and the cached analyses and vectors, as in an index pulled with the profile
    /// `query`.
    pub without_vector_table: bool,
    /// Number of vectors from which the LanceDB table gets an approximate index. It changes no row.
    pub ann_threshold: u64,
    /// Number of worker threads, at least 1.
    pub threads: usize,
    /// The memory limit.
    pub memory: MemoryBudget,
    /// Globs of the files to index; empty selects all files.
    pub include: Vec<String>,
    /// Globs of the files to exclude.
    pub exclude: Vec<String>,
    /// Whether files that `.gitignore` or `.ignore` exclude are excluded.
    pub respect_gitignore: bool,
    /// Whether to drop the summaries of the previous index.
    pub without_summaries: bool,
    /// Where git histories come from.
    pub history: HistoryChoice,
    /// SCIP indexes to import.
    pub scip: Vec<ScipSource>,
    /// Language servers to ask about references that rules do not resolve.
    pub servers: ServerOptions,
    /// How each file is processed.
    pub settings: Settings,
    /// Where to find cached analyses and vectors.
    pub reuse: ReuseOptions,
}
