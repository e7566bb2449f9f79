//! Errors of commands: of the libraries, or of the command line itself.

/// An error of a command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Request(#[from] sextant_api::Error),
    #[error(transparent)]
    Sync(#[from] sextant_sync::Error),
    #[error(transparent)]
    Server(#[from] sextant_server::Error),
    #[error(transparent)]
    Collection(#[from] sextant_collection::Error),
    #[error(transparent)]
    Lsp(#[from] sextant_lsp::Error),
    #[cfg(feature = "live")]
    #[error(transparent)]
    Live(#[from] sextant_servers::Error),
    /// The command line is invalid, or the environment does not allow the command.
    #[error("{0}")]
    Usage(String),
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
    /// Returns a suggestion for how to fix the error, if there is one.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            error if sextant_format::error::is_disk_full(error) => Some(
                "free some space, or choose a folder on another disk with -o; the index is unchanged, and a pull resumes".to_owned(),
            ),
            Self::Request(error) => error.hint(),
            Self::Sync(error) => error.hint(),
            Self::Server(error) => error.hint(),
            Self::Collection(error) => error.hint(),
            Self::Lsp(_) | Self::Usage(_) => None,
            #[cfg(feature = "live")]
            Self::Live(_) => None,
        }
    }
}
