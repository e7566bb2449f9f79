//! The error type of [`remote`](super).

use std::io;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of accessing a location.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no object of that name.
    #[error("{location} does not exist")]
    NotFound {
        /// The location.
        location: String,
    },
    /// The text is not a valid location, or the location does not support the operation.
    #[error("'{location}' cannot be used: {what}")]
    InvalidLocation {
        /// The text.
        location: String,
        /// Why.
        what: String,
    },
    /// The server refused the request.
    #[error("{location} answers {status}")]
    Refused {
        /// The location.
        location: String,
        /// The HTTP status with its text.
        status: String,
    },
    /// The server does not support range requests.
    #[error("{location} does not support range requests")]
    RangesUnsupported {
        /// The location.
        location: String,
    },
    /// The network failed repeatedly.
    #[error("{location} cannot be read: {what}")]
    Network {
        /// The location.
        location: String,
        /// The last failure.
        what: String,
    },
    /// Another writer changed the object first.
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
    /// A command or action that helps, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotFound { .. } => Some("check the address; 'sextant list LOCATION' shows what is published"),
            Self::Refused { .. } => Some(
                "check the address and your permissions: SEXTANT_TOKEN is sent to web servers, AWS_ACCESS_KEY_ID and \
                 AWS_SECRET_ACCESS_KEY to object stores",
            ),
            Self::Network { .. } => Some("run the command again: it resumes where it stopped"),
            Self::Changed { .. } => Some("run the command again"),
            Self::InvalidLocation { .. } => {
                Some("a location is a path, a URL that begins with http:// or https://, or s3://BUCKET/KEY")
            }
            Self::RangesUnsupported { .. } | Self::Io(_) => None,
        }
    }
}
