//! Where something is: one shape for every answer. Whether its file differs from the index is set here and nowhere else.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::Edited;

/// Lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Location {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Whether the file differs from the index under an overlay; left out where it does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileLocation {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// Whether the file differs from the index under an overlay; left out where it does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
}

impl Location {
    /// Lines of a file of an index with these local edits.
    #[must_use]
    pub fn new(edited: &Edited, repo: &str, path: &str, start_line: u32, end_line: u32) -> Self {
        let is_edited = edited.has(repo, path);
        Self { repo: repo.to_owned(), path: path.to_owned(), start_line, end_line, edited: is_edited }
    }
}

impl FileLocation {
    /// A file of an index with these local edits.
    #[must_use]
    pub fn new(edited: &Edited, repo: &str, path: &str) -> Self {
        Self { repo: repo.to_owned(), path: path.to_owned(), edited: edited.has(repo, path) }
    }
}
