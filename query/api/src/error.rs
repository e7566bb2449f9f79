//! Errors of requests. Variants differ in what the caller can do about them.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a request.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index cannot be used, or cannot interpret the request.
    #[error(transparent)]
    Search(#[from] sextant_search::Error),
    /// A parameter is missing or invalid.
    #[error("{0}")]
    Parameter(String),
    /// A configuration file is invalid.
    #[error("{}: {what}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// The reason.
        what: String,
    },
    /// The overlay of a checkout cannot be built.
    #[error("{0}")]
    Overlay(String),
}

impl From<sextant_format::Error> for Error {
    fn from(error: sextant_format::Error) -> Self {
        Self::Search(error.into())
    }
}

impl Error {
    /// Returns a suggestion for how to fix the error, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Search(error) => error.hint(),
            Self::Overlay(_) => Some(
                "--overlay needs sextant-index of the same version, next to sextant or on PATH; \
                 run 'sextant-index overlay INDEX PATH' to see the whole error"
                    .to_owned(),
            ),
            Self::Config { .. } => Some("'sextant config --help' shows a valid sextant.toml".to_owned()),
            Self::Parameter(_) => None,
        }
    }

    /// Returns whether the caller must change the request. Otherwise the index or the configuration is at fault.
    #[must_use]
    pub const fn is_bad_request(&self) -> bool {
        match self {
            Self::Search(error) => error.is_callers(),
            Self::Parameter(_) => true,
            Self::Config { .. } | Self::Overlay(_) => false,
        }
    }
}
