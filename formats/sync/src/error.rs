//! What can go wrong with packs and remotes; the variants differ in what the caller can do.

use std::path::PathBuf;

use crate::pack::Profile;
use crate::remote;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with packs and remotes.
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
    /// A pack asks for more than any honest one does.
    #[error("{} is refused: {what} is {found}, at most {limit} is accepted", path.display())]
    Limit {
        /// The pack.
        path: PathBuf,
        /// What there is too much of.
        what: &'static str,
        /// How much the pack says.
        found: u64,
        /// How much is accepted.
        limit: u64,
    },
    /// A pack is not signed as it must be.
    #[error("{} is not trusted: {what}", path.display())]
    Untrusted {
        /// The pack.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// A pack holds less than is wanted.
    #[error("{} is a pack of the profile {has}, and {wanted} is asked for", path.display())]
    Profile {
        /// The pack.
        path: PathBuf,
        /// What it holds.
        has: Profile,
        /// What is wanted.
        wanted: Profile,
    },
    /// A key cannot be read, made or used.
    #[error("the key {key} cannot be used: {what}")]
    Key {
        /// The key: its text or its file.
        key: String,
        /// Why.
        what: String,
    },
    /// A remote does not hold what is asked for.
    #[error("{0}")]
    NotPublished(String),
    /// A file of a remote is not what it must be.
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
    /// A damaged file, with anything that can say what is wrong.
    pub fn damaged(path: &std::path::Path, what: impl ToString) -> Self {
        Self::Format(sextant_format::Error::damaged(path, what))
    }

    /// The command that helps, where one does.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Format(error) => error.hint(),
            Self::Writer(error) => error.hint(),
            Self::Remote(error) => error.hint().map(str::to_owned),
            Self::Limit { what: "the unpacked size of all blocks", .. } => {
                Some("--max-bytes of 'sextant pull' raises it, where the pack is to be trusted".to_owned())
            }
            Self::Limit { what: crate::pack::limit::ROWS_LABEL, .. } => {
                Some("build the index with a smaller --max-file-bytes".to_owned())
            }
            Self::Limit { .. } => Some("get the pack from whoever made it once more".to_owned()),
            Self::Untrusted { .. } => {
                Some("get the pack from whoever signs it, or look at --key and SEXTANT_KEY".to_owned())
            }
            Self::Profile { .. } => Some("leave out --profile, or pack with '--profile full'".to_owned()),
            Self::Key { .. } | Self::NotPublished(_) | Self::Unreadable { .. } => None,
        }
    }
}
