//! Locations, the same type for every answer. Only this module marks files that differ from the index.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::DirtyFiles;

/// A range of lines in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Location {
    /// The repository's name.
    pub repo: String,
    /// The path, relative to the repository's root.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// Whether the file has local edits, under an overlay; absent if it has none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileLocation {
    /// The repository's name.
    pub repo: String,
    /// The path, relative to the repository's root.
    pub path: String,
    /// Whether the file has local edits, under an overlay; absent if it has none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
}

impl Location {
    /// Returns the location of a range of lines, marked as edited if `dirty_files` contains the file.
    #[must_use]
    pub fn new(dirty_files: &DirtyFiles, repo: &str, path: &str, start_line: u32, end_line: u32) -> Self {
        let edited = dirty_files.contains(repo, path);
        Self { repo: repo.to_owned(), path: path.to_owned(), start_line, end_line, edited }
    }
}

impl FileLocation {
    /// Returns the location of a file, marked as edited if `dirty_files` contains it.
    #[must_use]
    pub fn new(dirty_files: &DirtyFiles, repo: &str, path: &str) -> Self {
        Self { repo: repo.to_owned(), path: path.to_owned(), edited: dirty_files.contains(repo, path) }
    }
}
