//! What can go wrong outside.

use std::io;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with a location.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing of that name.
    #[error("{location} is not there")]
    NotFound {
        /// The location.
        location: String,
    },
    /// The text names no location that can be read.
    #[error("'{location}' cannot be used: {what}")]
    InvalidLocation {
        /// The text.
        location: String,
        /// Why.
        what: String,
    },
    /// The server answers, and says no.
    #[error("{location} answers {status}")]
    Refused {
        /// The location.
        location: String,
        /// The status with its text.
        status: String,
    },
    /// The server gives no parts of what it has.
    #[error("{location} gives no parts of a file")]
    RangesUnsupported {
        /// The location.
        location: String,
    },
    /// The network, again and again.
    #[error("{location} cannot be read: {what}")]
    Network {
        /// The location.
        location: String,
        /// What was said last.
        what: String,
    },
    /// Another writer came first.
    #[error("{location} was changed by somebody else")]
    Changed {
        /// The location.
        location: String,
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
            Self::InvalidLocation { .. } => {
                Some("a location is a path, an address that begins with http:// or https://, or s3://BUCKET/KEY")
            }
            Self::RangesUnsupported { .. } | Self::Io(_) => None,
        }
    }
}
