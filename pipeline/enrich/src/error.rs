//! The crate's error.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why nothing can be asked. What concerns single chunks is counted in the report instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address of the endpoint cannot be used.
    #[error("the endpoint {url} cannot be used: {what}")]
    Address {
        /// The address without user, password and query.
        url: String,
        /// What is wrong.
        what: String,
    },
    /// The endpoint refuses all requests: the key, the model or the address is wrong.
    #[error("{url} refuses requests: {what}")]
    Refused {
        /// The address.
        url: String,
        /// Its answer, without the key.
        what: String,
    },
    /// The journal is in use, or cannot be read or written.
    #[error("the answers in {} cannot be used", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The text of a chunk cannot be read.
    #[error("the text of a chunk cannot be read: {0}")]
    Source(String),
    /// The runtime or the client cannot be started.
    #[error("no connection can be made: {0}")]
    Client(String),
}

impl Error {
    /// How to avoid the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Address { .. } => {
                Some("give the base address of the API, like http://localhost:8080/v1; a key belongs into an environment variable, see --key-variable".to_owned())
            }
            Self::Refused { .. } => Some(
                "check --model and --endpoint, and that the variable named by --key-variable has the key; answers so far are kept"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}
