//! The crate's error.

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of the server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index cannot answer.
    #[error(transparent)]
    Search(#[from] sextant_search::Error),
    /// The client violates the protocol, or the connection is lost.
    #[error("the language client: {0}")]
    Protocol(String),
}
