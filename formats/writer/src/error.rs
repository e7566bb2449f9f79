//! What can go wrong while a generation is written.

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong while a generation is written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of the generation, or of the one that is taken over from.
    #[error(transparent)]
    Format(#[from] sextant_format::Error),
    /// The full-text library.
    #[error(transparent)]
    Text(#[from] tantivy::TantivyError),
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Format(error.into())
    }
}

impl Error {
    /// A damaged file, with anything that can say what is wrong.
    pub fn damaged(path: &std::path::Path, what: impl ToString) -> Self {
        Self::Format(sextant_format::Error::damaged(path, what))
    }

    /// The command that helps, where one does.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Format(error) => error.hint(),
            Self::Text(_) => None,
        }
    }
}
