//! The crate's error type.

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of writing a generation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of the generation, or of the one that is reused, cannot be read or written.
    #[error(transparent)]
    Format(#[from] sextant_format::Error),
    /// The full-text library failed.
    #[error(transparent)]
    Text(#[from] tantivy::TantivyError),
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Format(error.into())
    }
}

impl Error {
    /// A damaged file; `what` describes the damage.
    pub fn damaged(path: &std::path::Path, what: impl ToString) -> Self {
        Self::Format(sextant_format::Error::damaged(path, what))
    }

    /// A command or action that helps, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Format(error) => error.hint(),
            Self::Text(_) => None,
        }
    }
}
