//! The URIs of files, and paths as they are compared with them.

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

/// A folder's path without links: the paths of the answers' URIs are compared with it.
#[must_use]
pub fn canonical(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}
