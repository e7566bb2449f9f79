//! What can go wrong with a server; the variants differ in what the caller can do.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with a server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A request cannot be answered.
    #[error(transparent)]
    Request(#[from] sextant_api::Error),
    /// The server cannot start or go on.
    #[error("{0}")]
    Server(String),
    /// The file of a client cannot be read, or does not take the server's entry.
    #[error("{}: {what}", path.display())]
    Client {
        /// The file.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// A client reads no file of a project.
    #[error("{0}")]
    NoProjectFile(String),
}

impl From<sextant_search::Error> for Error {
    fn from(error: sextant_search::Error) -> Self {
        Self::Request(error.into())
    }
}

impl From<sextant_format::Error> for Error {
    fn from(error: sextant_format::Error) -> Self {
        Self::Request(error.into())
    }
}

impl Error {
    /// The command that helps, where one does.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Request(error) => error.hint(),
            Self::Server(_) | Self::Client { .. } | Self::NoProjectFile(_) => None,
        }
    }

    /// Whether the client asked for what cannot be, as opposed to an index or a server that fails.
    #[must_use]
    pub const fn is_callers(&self) -> bool {
        match self {
            Self::Request(error) => error.is_callers(),
            Self::Server(_) | Self::Client { .. } | Self::NoProjectFile(_) => false,
        }
    }
}
