//! One error for the crate; its variants are told apart by what the caller can do.

use std::io;
use std::path::{Path, PathBuf};

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with an artifact.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no index at this place.
    #[error("no index at {}", path.display())]
    NoIndex {
        /// The folder that was named.
        path: PathBuf,
    },
    /// The index is of a layout that this program does not read.
    #[error("{} has format version {found}, this program reads {oldest} to {newest}", path.display())]
    FormatVersion {
        /// The generation's folder.
        path: PathBuf,
        /// What its manifest says.
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
    /// The folder for an index holds other things.
    #[error("{} holds '{other}' and is no index; name an empty or a new folder with -o", path.display())]
    NotAnIndex {
        /// The folder.
        path: PathBuf,
        /// The first of them.
        other: String,
    },
    /// The index needs a feature that this program does not know.
    #[error("{} needs the unknown reader feature '{feature}'", path.display())]
    ReaderFeature {
        /// The generation's folder.
        path: PathBuf,
        /// The unknown feature's name.
        feature: String,
    },
    /// A file of the artifact is not what the manifest or the format says.
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
    /// A damaged file, with anything that can say what is wrong.
    pub fn damaged(path: &Path, what: impl ToString) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.to_string() }
    }

    /// The command that helps, where one does.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoIndex { .. } => Some(
                "build one with 'sextant-index build PATH -o INDEX', or name it with --index or SEXTANT_INDEX"
                    .to_owned(),
            ),
            Self::FormatVersion { found, newest, .. } if found > newest => {
                Some("the index is newer than this program: update sextant".to_owned())
            }
            Self::FormatVersion { .. } => Some("build the index again with 'sextant-index build'".to_owned()),
            Self::ReaderFeature { .. } => Some("update sextant".to_owned()),
            Self::Damaged { .. } => Some(
                "run 'sextant verify' to see what else is wrong, then build or download the index again".to_owned(),
            ),
            _ => None,
        }
    }
}

/// Whether a disk is full, somewhere in the causes of an error: that speaks through many libraries, each with an error
/// type of its own.
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
