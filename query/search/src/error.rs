//! Errors of requests. The variants differ in what the caller can do.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of a request.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] sextant_format::Error),
    /// The encoder cannot be used.
    #[error(transparent)]
    Encoder(#[from] sextant_encoder::Error),
    /// The full-text index is damaged.
    #[error("the full-text index cannot be read: {0}")]
    Text(#[from] tantivy::TantivyError),
    /// A filter or an argument is invalid; the caller must change it.
    #[error("{0}")]
    Argument(String),
    /// The index does not contain a file that was named.
    #[error("the index has no file '{0}'")]
    UnknownFile(String),
    /// A file of tests cannot be used.
    #[error("{}: {what}", path.display())]
    Fixtures {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The index was built with an encoder that this build of the program does not have.
    #[error("the index was built with the ONNX encoder '{0}', which this build of sextant does not include")]
    NoOnnx(String),
    /// The reranker cannot be used.
    #[error(transparent)]
    Reranker(#[from] sextant_reranker::Error),
    /// The LanceDB table cannot be read.
    #[cfg(feature = "lancedb")]
    #[error(transparent)]
    Lance(#[from] sextant_lance::Error),
    /// ONNX Runtime cannot be used.
    #[cfg(feature = "onnx")]
    #[error(transparent)]
    Onnx(#[from] sextant_onnx::Error),
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Index(error.into())
    }
}

impl Error {
    /// The command that helps, where one does.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Index(error) => error.hint(),
            Self::Encoder(error) => error.hint(),
            Self::Text(_) => Some(
                "run 'sextant verify' to see what is wrong, then build the index with --no-reuse, or download it into \
                     another folder"
                    .to_owned(),
            ),
            Self::NoOnnx(_) => Some("use --mode text, or build sextant with '--features onnx'".to_owned()),
            Self::Reranker(_) => Some("search without --rerank".to_owned()),
            Self::Argument(_) | Self::UnknownFile(_) | Self::Fixtures { .. } => None,
            #[cfg(feature = "lancedb")]
            Self::Lance(_) => Some("leave out --lancedb: the index also has its vectors in vectors.i8".to_owned()),
            #[cfg(feature = "onnx")]
            Self::Onnx(_) => None,
        }
    }

    /// Whether the request is at fault, as opposed to the index.
    #[must_use]
    pub const fn is_callers(&self) -> bool {
        matches!(self, Self::Argument(_) | Self::UnknownFile(_))
    }
}
