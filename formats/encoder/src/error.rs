//! The crate's error type; its variants differ in what the caller can do.

use std::path::{Path, PathBuf};

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of opening or running an encoder.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index or one of the model's files cannot be read.
    #[error(transparent)]
    Format(#[from] sextant_format::Error),
    /// A model folder cannot be used.
    #[error("the model {} cannot be used: {what}", path.display())]
    Model {
        /// The model's folder or file.
        path: PathBuf,
        /// Description of the problem.
        what: String,
    },
    /// The index names its encoder but does not contain it.
    #[error("the index was built with the encoder '{name}' and does not contain it")]
    NotCarried {
        /// The encoder's name.
        name: String,
        /// Its hash.
        hash: String,
    },
    /// A model folder contains another encoder than the one that built the index.
    #[error("{} contains the encoder {found}, the index was built with {wanted}", path.display())]
    ModelMismatch {
        /// The model's folder.
        path: PathBuf,
        /// Name and hash of the encoder in the folder.
        found: String,
        /// Name and hash of the encoder that built the index.
        wanted: String,
    },
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Format(error.into())
    }
}

impl Error {
    /// An unusable model; `what` describes the problem.
    pub fn model(path: &Path, what: impl ToString) -> Self {
        Self::Model { path: path.to_owned(), what: what.to_string() }
    }

    /// A command or action that helps, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Format(error) => error.hint(),
            Self::Model { .. } => None,
            Self::NotCarried { hash, .. } => {
                Some(format!("name its folder with --encoder or SEXTANT_ENCODER (hash {hash})"))
            }
            Self::ModelMismatch { .. } => {
                Some("name the folder of the encoder that built the index, or no folder".to_owned())
            }
        }
    }
}
