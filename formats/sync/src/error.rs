//! The crate's error type; its variants differ in what the caller can do.

use std::path::PathBuf;

use crate::pack::Profile;
use crate::remote;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of packs and remotes.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An index or a pack cannot be read or written.
    #[error(transparent)]
    Format(#[from] sextant_format::Error),
    /// The unpacked rows cannot be written.
    #[error(transparent)]
    Writer(#[from] sextant_writer::Error),
    /// A remote cannot be used.
    #[error(transparent)]
    Remote(#[from] remote::Error),
    /// A pack exceeds a limit that no valid pack reaches.
    #[error("{} is refused: {what} is {found}, at most {limit} is accepted", path.display())]
    Limit {
        /// The pack.
        path: PathBuf,
        /// The quantity that is too large.
        what: &'static str,
        /// The pack's value.
        found: u64,
        /// The largest accepted value.
        limit: u64,
    },
    /// A pack lacks a required or valid signature.
    #[error("{} is not trusted: {what}", path.display())]
    Untrusted {
        /// The pack.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// A pack lacks data of the requested profile.
    #[error("{} has the profile {has}, but {wanted} is requested", path.display())]
    Profile {
        /// The pack.
        path: PathBuf,
        /// The pack's profile.
        has: Profile,
        /// The requested profile.
        wanted: Profile,
    },
    /// A key cannot be read, generated or used.
    #[error("the key {key} cannot be used: {what}")]
    Key {
        /// The key: its text or its file.
        key: String,
        /// Why.
        what: String,
    },
    /// A remote does not have the requested pack.
    #[error("{0}")]
    NotPublished(String),
    /// A file of a remote is invalid.
    #[error("{name} cannot be read: {what}")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        what: String,
    },
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
            Self::Writer(error) => error.hint(),
            Self::Remote(error) => error.hint().map(str::to_owned),
            Self::Limit { what: "the unpacked size of all blocks", .. } => {
                Some("if you trust the pack, raise the limit with 'sextant pull --max-bytes'".to_owned())
            }
            Self::Limit { what: crate::pack::limit::ROWS_LABEL, .. } => {
                Some("build the index with a smaller --max-file-bytes".to_owned())
            }
            Self::Limit { .. } => Some("download the pack again, or ask its publisher".to_owned()),
            Self::Untrusted { .. } => {
                Some("get the pack from its publisher, or check --key and SEXTANT_KEY".to_owned())
            }
            Self::Profile { wanted, .. } => Some(format!("omit --profile, or pack with '--profile {wanted}'")),
            Self::Key { .. } | Self::NotPublished(_) | Self::Unreadable { .. } => None,
        }
    }
}
