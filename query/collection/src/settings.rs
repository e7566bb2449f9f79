//! How a collection is served.

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
