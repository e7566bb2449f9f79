//! The error of this crate.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with the LanceDB table.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another part of the index cannot be read.
    #[error(transparent)]
    Format(#[from] sextant_format::Error),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// LanceDB failed.
    #[error("the LanceDB table cannot be used: {0}")]
    Lance(#[from] lancedb::Error),
    /// The table does not have the schema that this crate writes.
    #[error("the LanceDB table cannot be read: {0}")]
    Table(String),
    /// The path of the index is not UTF-8, but LanceDB requires that.
    #[error("{} is not UTF-8, which LanceDB needs", path.display())]
    NotUtf8 {
        /// The index folder.
        path: PathBuf,
    },
}
