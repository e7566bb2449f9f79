//! A history as data: where it is, what of it is wanted, and its commits.

use std::path::PathBuf;

/// Where the history of a folder is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// The folder with git's objects.
    pub objects: PathBuf,
    /// git's file with the commits whose parents a shallow clone lacks; it need not exist.
    pub shallow: PathBuf,
    /// The commit that is checked out, in hex.
    pub commit: String,
    /// The folder, relative to the checkout's root, with `/`; empty for the root.
    pub folder: String,
}

/// What of a history is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The newest commits that changed one of the files.
    pub commits: usize,
    /// Commits that changed more files are left out: they say little about each.
    pub files_per_commit: usize,
}

/// A commit with one parent or none, and the files that it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its hash in hex.
    pub id: String,
    /// When it was committed, in seconds since 1970; 0 for earlier times.
    pub time: u64,
    /// The name of its author.
    pub author: String,
    /// The first paragraph of its message, on one line.
    pub subject: String,
    /// The files that it changed or added, relative to the folder, in ascending order. Never empty.
    pub paths: Vec<String>,
}

/// A history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The commits, newest first.
    pub commits: Vec<Commit>,
    /// Why older commits are missing, if they could not be read: a sentence without a subject that names no path.
    pub end: Option<String>,
}

/// The history cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[error("git's objects cannot be read: {0}")]
pub struct Unreadable(pub(crate) String);
