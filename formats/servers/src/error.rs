//! Errors of this crate.

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why language servers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The settings of servers are invalid.
    #[error("the settings of language servers are invalid: {0}")]
    Settings(String),
}

/// Why one request to a server has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The time was up.
    #[error("no answer in time")]
    TimedOut,
    /// The server ended, or was ended because of what it sent.
    #[error("{0}")]
    Ended(String),
    /// The server answered with an error.
    #[error("{message} ({code})")]
    Refused {
        /// The code of the protocol.
        code: i64,
        /// The server's words.
        message: String,
    },
    /// The server answered something else than the protocol says.
    #[error("an answer that is not understood: {0}")]
    Invalid(String),
    /// The server does not know what is at the place.
    #[error("the server does not know the symbol")]
    Unknown,
    /// The server is not able to answer this kind of request.
    #[error("the server does not support {0}")]
    Unsupported(&'static str),
}

impl Failure {
    /// Whether it is the server's fault, as opposed to the request's.
    pub(crate) const fn is_servers(&self) -> bool {
        matches!(self, Self::TimedOut | Self::Ended(_) | Self::Invalid(_))
    }
}
