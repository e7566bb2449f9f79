//! Answers from the members of a collection at a location. The list and the vocabularies of the members are here; a
//! member's index is fetched when a request is about it, and the least recently asked ones leave within a budget of memory
//! and disk.
//!
//! This crate must not know how a request is answered, nor who asks.

mod choose;
mod error;
mod list;
mod measures;
mod served;
mod store;

pub use error::{Error, Result};
pub use served::Collection;

use std::path::PathBuf;
use std::time::Duration;

/// How a collection is served.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The location of the collection: a folder, an address or `s3://BUCKET/PREFIX`.
    pub location: String,
    /// The folder for fetched indexes. Only one server at a time may use it.
    pub folder: PathBuf,
    /// Bytes of fetched indexes on disk; one more index may be there while it is asked.
    pub disk_bytes: u64,
    /// Bytes of open indexes: files that are mapped into memory, of which the operating system keeps what is used.
    pub open_bytes: u64,
    /// How often the list is read again.
    pub refresh: Duration,
    /// Members that one request asks at most.
    pub most: usize,
    /// The public key that must have signed the packs, in minisign's format or as the path of its file.
    pub key: Option<String>,
}
