//! The crate's error type; its variants differ in what the caller can do.

use std::io;
use std::path::{Path, PathBuf};

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of reading or writing an index.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no index at this path.
    #[error("no index at {}", path.display())]
    NoIndex {
        /// The folder that was named.
        path: PathBuf,
    },
    /// The index has a layout that this program cannot read.
    #[error("{} has format version {found}, this program reads {oldest} to {newest}", path.display())]
    FormatVersion {
        /// The generation's folder.
        path: PathBuf,
        /// The version in its manifest.
        found: u32,
        /// The oldest layout that can be read.
        oldest: u32,
        /// The newest layout that can be read.
        newest: u32,
    },
    /// Another process is writing to the index.
    #[error("another build is writing to {}", path.display())]
    Busy {
        /// The index folder.
        path: PathBuf,
    },
    /// The folder for an index contains other files.
    #[error("{} contains '{other}' and is not an index; name an empty or a new folder with -o", path.display())]
    NotAnIndex {
        /// The folder.
        path: PathBuf,
        /// The name of the first such file.
        other: String,
    },
    /// The index requires a reader feature that this program does not support.
    #[error("{} requires the unknown reader feature '{feature}'", path.display())]
    ReaderFeature {
        /// The generation's folder.
        path: PathBuf,
        /// The unknown feature's name.
        feature: String,
    },
    /// A file differs from its manifest or from the format.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An Arrow error while writing.
    #[error(transparent)]
    Arrow(#[from] arrow_schema::ArrowError),
    /// A Parquet error while writing.
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
}

impl Error {
    /// A damaged file; `what` describes the damage.
    pub fn damaged(path: &Path, what: impl ToString) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.to_string() }
    }

    /// A command or action that helps, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoIndex { .. } => Some(
                "build one with 'sextant-index build PATH -o INDEX', or name it with --index or SEXTANT_INDEX"
                    .to_owned(),
            ),
            Self::FormatVersion { found, newest, .. } if found > newest => {
                Some("the index is newer than this program: update sextant".to_owned())
            }
            Self::FormatVersion { .. } => Some("rebuild the index with 'sextant-index build'".to_owned()),
            Self::ReaderFeature { .. } => Some("update sextant".to_owned()),
            Self::Damaged { .. } => {
                Some("run 'sextant verify' to see what else is damaged, then build the index with --no-reuse, or download it into \
                     another folder".to_owned())
            }
            _ => None,
        }
    }
}

/// Whether a full disk is among the causes of an error. Libraries report it through their own error types, so messages
/// are searched as well.
#[must_use]
pub fn is_disk_full(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| {
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        matches!(kind, Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
            || ["No space left on device", "os error 28", "os error 112"]
                .iter()
                .any(|text| error.to_string().contains(text))
    })
}
