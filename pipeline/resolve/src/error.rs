//! Errors of resolution.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of resolution.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A SCIP index cannot be read.
    #[error("the SCIP index {} cannot be read: {what}", file.display())]
    Scip {
        /// The index.
        file: PathBuf,
        /// The reason.
        what: String,
    },
    /// The references of an unchanged file are needed, and an earlier build did not keep them.
    #[error("the references of {path} are missing in the earlier index: build with --no-reuse")]
    MissingReferences {
        /// The file.
        path: String,
    },
    /// The references of a file made the resolver panic, which is a bug.
    #[error("the references of {path} could not be resolved: {panic}")]
    Panic {
        /// The file.
        path: String,
        /// The panic's message.
        panic: String,
    },
}
