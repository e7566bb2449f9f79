//! Parts of paths, as text. Must not know which files exist.

/// The last segment of a path.
#[must_use]
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
