//! What can go wrong outside.

use std::io;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with a place.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing of that name.
    #[error("{place} is not there")]
    NotFound {
        /// The place.
        place: String,
    },
    /// The text names no place that can be read.
    #[error("'{place}' cannot be used: {what}")]
    Place {
        /// The text.
        place: String,
        /// Why.
        what: String,
    },
    /// The server answers, and says no.
    #[error("{place} answers {status}")]
    Refused {
        /// The place.
        place: String,
        /// The status with its text.
        status: String,
    },
    /// The server gives no parts of what it has.
    #[error("{place} gives no parts of a file")]
    NoRanges {
        /// The place.
        place: String,
    },
    /// The network, again and again.
    #[error("{place} cannot be read: {what}")]
    Network {
        /// The place.
        place: String,
        /// What was said last.
        what: String,
    },
    /// Another writer came first.
    #[error("{place} was changed by somebody else")]
    Changed {
        /// The place.
        place: String,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Error {
    /// The way out, where there is one.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotFound { .. } => Some("check the address; 'sextant list PLACE' shows what is published"),
            Self::Refused { .. } => Some(
                "check the address and who may read it: SEXTANT_TOKEN is sent to web servers, AWS_ACCESS_KEY_ID and \
                 AWS_SECRET_ACCESS_KEY to object stores",
            ),
            Self::Network { .. } => Some("run the command again: it goes on where it was"),
            Self::Changed { .. } => Some("run the command again"),
            Self::Place { .. } => {
                Some("a place is a path, an address that begins with http:// or https://, or s3://BUCKET/KEY")
            }
            Self::NoRanges { .. } | Self::Io(_) => None,
        }
    }
}
