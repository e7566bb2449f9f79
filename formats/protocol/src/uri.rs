//! The URIs of files.

use std::path::{Path, PathBuf};

/// The path of a `file:` URI.
#[must_use]
pub fn path_of_uri(uri: &str) -> Option<PathBuf> {
    url::Url::parse(uri).ok()?.to_file_path().ok()
}

/// The `file:` URI of an absolute path.
#[must_use]
pub fn uri_of_path(path: &Path) -> Option<String> {
    Some(url::Url::from_file_path(path).ok()?.to_string())
}
