//! Errors of the servers. Variants differ in what the caller can do about them.

use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A request cannot be answered.
    #[error(transparent)]
    Request(#[from] sextant_api::Error),
    /// The server cannot start or continue.
    #[error("{0}")]
    Server(String),
    /// A client's configuration file cannot be read, or the server cannot be added to it.
    #[error("{}: {what}", path.display())]
    Client {
        /// The file.
        path: PathBuf,
        /// The reason.
        what: String,
    },
    /// A folder cannot be watched.
    #[error("{} cannot be watched: {what}", path.display())]
    Watch {
        /// The folder.
        path: PathBuf,
        /// The reason.
        what: String,
    },
    /// The client has no project configuration file.
    #[error("{0}")]
    NoProjectFile(String),
}

/// What is reported of a request whose thread stopped, with its hint: where its panic happened.
pub(crate) fn stopped(error: tokio::task::JoinError) -> (String, &'static str) {
    let what = match error.try_into_panic() {
        Ok(payload) => sextant_diagnostics::Panic::from_payload(payload.as_ref()).to_string(),
        Err(error) => error.to_string(),
    };
    tracing::error!(what, "a request stopped unexpectedly");
    let hint = "run 'sextant verify'; if the index is intact, please report this as a bug";
    (format!("the request stopped unexpectedly: {what}"), hint)
}

impl From<sextant_search::Error> for Error {
    fn from(error: sextant_search::Error) -> Self {
        Self::Request(error.into())
    }
}

impl From<sextant_format::Error> for Error {
    fn from(error: sextant_format::Error) -> Self {
        Self::Request(error.into())
    }
}

impl Error {
    /// Returns a suggestion for how to fix the error, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Request(error) => error.hint(),
            Self::Client { .. } => Some("leave out --write to print the configuration instead".to_owned()),
            Self::Watch { .. } => {
                Some("on Linux, fs.inotify.max_user_watches limits how many folders can be".to_owned())
            }
            Self::Server(_) | Self::NoProjectFile(_) => None,
        }
    }

    /// Returns whether the client must change the request. Otherwise the index or the server is at fault.
    #[must_use]
    pub const fn is_bad_request(&self) -> bool {
        match self {
            Self::Request(error) => error.is_bad_request(),
            Self::Server(_) | Self::Client { .. } | Self::Watch { .. } | Self::NoProjectFile(_) => false,
        }
    }
}
