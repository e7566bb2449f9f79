//! What can go wrong with an encoder; the variants differ in what the caller can do.

use std::path::{Path, PathBuf};

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with an encoder.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index, or one of the model's files.
    #[error(transparent)]
    Format(#[from] sextant_format::Error),
    /// A model folder cannot be used.
    #[error("the model {} cannot be used: {what}", path.display())]
    Model {
        /// The model's folder or file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The index names its encoder and does not carry it.
    #[error("the index was made with the encoder '{name}' and does not carry it")]
    NotCarried {
        /// The encoder's name.
        name: String,
        /// Its hash.
        hash: String,
    },
    /// A model folder holds another encoder than the one that made the index.
    #[error("{} holds the encoder {found}, the index was made with {wanted}", path.display())]
    ModelMismatch {
        /// The model's folder.
        path: PathBuf,
        /// What it holds: name and hash.
        found: String,
        /// What made the index: name and hash.
        wanted: String,
    },
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Format(error.into())
    }
}

impl Error {
    /// An unusable model, with anything that can say why.
    pub fn model(path: &Path, what: impl ToString) -> Self {
        Self::Model { path: path.to_owned(), what: what.to_string() }
    }

    /// The command that helps, where one does.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Format(error) => error.hint(),
            Self::Model { .. } => None,
            Self::NotCarried { hash, .. } => {
                Some(format!("name the folder that holds it with --encoder or SEXTANT_ENCODER (hash {hash})"))
            }
            Self::ModelMismatch { .. } => {
                Some("name the folder of the encoder that made the index, or none".to_owned())
            }
        }
    }
}
