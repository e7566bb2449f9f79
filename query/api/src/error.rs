//! What can go wrong with a request; the variants differ in what the caller can do.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with a request.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index cannot answer, or was asked for what it does not understand.
    #[error(transparent)]
    Search(#[from] sextant_search::Error),
    /// A parameter is missing or wrong: the caller must change it.
    #[error("{0}")]
    Parameter(String),
    /// A file of settings is wrong.
    #[error("{}: {what}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A checkout cannot be laid over its index.
    #[error("{0}")]
    Overlay(String),
}

impl From<sextant_format::Error> for Error {
    fn from(error: sextant_format::Error) -> Self {
        Self::Search(error.into())
    }
}

impl Error {
    /// The command that helps, where one does.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Search(error) => error.hint(),
            Self::Overlay(_) => Some(
                "--overlay needs sextant-index, of the same version, next to sextant or on PATH; \
                 'sextant-index overlay INDEX PATH' says more"
                    .to_owned(),
            ),
            Self::Parameter(_) | Self::Config { .. } => None,
        }
    }

    /// Whether the caller asked for what cannot be, as opposed to an index that cannot be used.
    #[must_use]
    pub const fn is_callers(&self) -> bool {
        match self {
            Self::Search(error) => error.is_callers(),
            Self::Parameter(_) => true,
            Self::Config { .. } | Self::Overlay(_) => false,
        }
    }
}
