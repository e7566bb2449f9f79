//! The error of this crate.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a collection cannot be served, or a member cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The location or a pack cannot be used.
    #[error(transparent)]
    Sync(#[from] sextant_sync::Error),
    /// A fetched index cannot be opened.
    #[error(transparent)]
    Search(#[from] sextant_search::Error),
    /// A folder cannot be used.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// There is no collection at the location.
    #[error("{0} is no collection")]
    NoCollection(String),
    /// A pack is not the one that the list describes.
    #[error("the pack of {0} has another content than the list says")]
    OtherContent(String),
    /// Another server uses the folder.
    #[error("{} is used by another server", .0.display())]
    InUse(PathBuf),
    /// The thread that reads the list cannot be started.
    #[error("a thread cannot be started: {0}")]
    Thread(String),
}

impl Error {
    /// Returns a suggestion for how to fix the error, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Sync(error) => error.hint(),
            Self::NoCollection(_) => Some("'sextant-index merge' writes one".to_owned()),
            Self::InUse(_) => Some("give each server a folder of its own with --cache".to_owned()),
            Self::Search(_) | Self::Io(_) | Self::OtherContent(_) | Self::Thread(_) => None,
        }
    }
}
