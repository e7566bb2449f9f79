//! Searches a Sextant index: one opened generation, three retrievers, one fusion.
//!
//! ```no_run
//! use sextant_query::{Index, SearchRequest};
//!
//! let index = Index::open("index".as_ref())?;
//! let response = index.search(&SearchRequest::new("where is retry handled"))?;
//! for hit in &response.results {
//!     println!("{}:{} {}", hit.path, hit.start_line, hit.qualified_name.as_deref().unwrap_or(""));
//! }
//! # Ok::<(), sextant_query::Error>(())
//! ```
//!
//! A query opens no socket and writes nothing into the index. Nothing here knows how an index is made.

pub mod calls;
mod catalog;
pub mod cli;
pub mod config;
pub mod eval;
mod index;
pub mod navigate;
pub mod overlay;
pub mod overview;
pub mod pull;
pub mod rank;
pub mod read;
mod render;
pub mod retrieve;
mod search;
mod serve;
mod snippet;
mod stats;
mod threads;
pub mod understand;

pub use index::Index;
pub use search::{
    Also, Filters, Hit, Mode, Parent, Respelled, SearchRequest, SearchResponse, Signals, Strategy, UnknownWord,
};
pub use stats::{Stats, TableStats};

/// What can go wrong with a query.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] sextant_formats::Error),
    /// The full-text library met damage.
    #[error("the full-text index cannot be read: {0}")]
    Text(#[from] tantivy::TantivyError),
    /// A filter cannot be understood.
    #[error("{0}")]
    Filter(String),
    /// A place outside cannot be used.
    #[error(transparent)]
    Store(#[from] sextant_store::Error),
    /// A pack is not signed as it must be.
    #[error("{} is not trusted: {what}", path.display())]
    Untrusted {
        /// The pack.
        path: std::path::PathBuf,
        /// Why.
        what: String,
    },
    /// A pack holds less than is wanted.
    #[error("{} is a pack of the profile {has}, and {wanted} is asked for", path.display())]
    Profile {
        /// The pack.
        path: std::path::PathBuf,
        /// What it holds.
        has: sextant_formats::pack::Profile,
        /// What is wanted.
        wanted: sextant_formats::pack::Profile,
    },
    /// A checkout cannot be laid over its index.
    #[error("{0}")]
    Overlay(String),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A server cannot start or go on.
    #[error("{0}")]
    Server(String),
    /// The index was built with an encoder that this build of the program does not have.
    #[error("the index was made with the ONNX encoder '{0}', which this build of sextant does not include")]
    NoOnnx(String),
    /// The LanceDB table cannot be read.
    #[cfg(feature = "lancedb")]
    #[error("the LanceDB table cannot be read: {0}")]
    Lance(String),
    /// ONNX Runtime cannot be used.
    #[cfg(feature = "onnx")]
    #[error(transparent)]
    Onnx(#[from] sextant_onnx::Error),
}

impl Error {
    /// The command that helps, where one does.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            error if sextant_formats::error::is_full(error) => Some(
                "free some space, or name another disk with -o; the index is as it was, and a pull goes on where it was"
                    .to_owned(),
            ),
            Self::Index(error) => error.hint(),
            Self::Store(error) => error.hint().map(str::to_owned),
            Self::Untrusted { .. } => {
                Some("get the pack from whoever signs it, or look at --key and SEXTANT_KEY".to_owned())
            }
            Self::Profile { .. } => Some("leave out --profile, or pack with '--profile full'".to_owned()),
            Self::Overlay(_) => Some(
                "--overlay needs sextant-index, of the same version, beside sextant or on PATH; \
                 'sextant-index overlay INDEX PATH' says more"
                    .to_owned(),
            ),
            Self::Io(_) => None,
            Self::Text(_) => {
                Some("run 'sextant verify' to see what is wrong, then build or download the index again".to_owned())
            }
            Self::NoOnnx(_) => Some("use --mode text, or build sextant with '--features onnx'".to_owned()),
            Self::Filter(_) | Self::Server(_) => None,
            #[cfg(feature = "lancedb")]
            Self::Lance(_) => Some("leave out --lancedb: the index carries its vectors in another form too".to_owned()),
            #[cfg(feature = "onnx")]
            Self::Onnx(_) => None,
        }
    }
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
