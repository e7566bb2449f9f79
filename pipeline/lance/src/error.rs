//! What can go wrong with the LanceDB table.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with the LanceDB table.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A part of the index.
    #[error(transparent)]
    Format(#[from] sextant_format::Error),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The library.
    #[error("the LanceDB table cannot be used: {0}")]
    Lance(#[from] lancedb::Error),
    /// The table is not such as this program writes it.
    #[error("the LanceDB table cannot be read: {0}")]
    Table(String),
    /// LanceDB wants paths in UTF-8.
    #[error("{} is not UTF-8, which LanceDB needs", path.display())]
    NotUtf8 {
        /// The folder.
        path: PathBuf,
    },
}
