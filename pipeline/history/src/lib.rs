//! Turns the git history of a checkout into its newest commits, each with the files that it changed, under the names
//! that they have now. Reads git's objects without the program git, whose configuration may name commands to run; knows
//! nothing of indexes.
//!
//! Everything in `.git` is untrusted: damaged, hostile, incomplete or changing while it is read. A history ends where
//! it cannot be read.

mod changes;
mod follow;
mod known;
mod walk;

use std::path::PathBuf;

use rustc_hash::FxHashSet;

pub use self::known::KnownChanges;

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
pub struct Unreadable(String);

/// Reads the newest commits of a checkout that changed one of the files in `paths`, which are relative to its folder.
/// `known` has changes that an earlier build computed, and receives new ones. `stop` is asked between commits; the history then
/// ends there.
///
/// # Errors
/// The commit is not a hash, or git's objects are not there. Where a later object is missing or damaged, the history
/// ends.
pub fn read(
    checkout: &Checkout,
    paths: &FxHashSet<String>,
    limits: Limits,
    known: &mut KnownChanges,
    stop: impl Fn() -> bool,
) -> Result<History, Unreadable> {
    let mut walk = walk::Walk::open(checkout)?;
    let mut names = follow::Names::default();
    let mut history = History::default();
    let mut visited = 0;
    while history.commits.len() < limits.commits && visited < walk::MAX_COMMITS && !stop() {
        let found = match walk.next() {
            Ok(Some(found)) => found,
            Ok(None) => break,
            Err(what) => {
                history.end = Some(what);
                break;
            }
        };
        visited += 1;
        let Some(changes) = known.get_or_insert(&checkout.folder, found.id, || walk.changes(&found, &checkout.folder))
        else {
            continue;
        };
        let changed = names.follow(changes);
        let mut own: Vec<String> = changed.into_iter().filter(|path| paths.contains(path)).collect();
        own.sort_unstable();
        own.dedup();
        if (1..=limits.files_per_commit).contains(&own.len()) && changes.paths.len() <= limits.files_per_commit {
            let walk::Found { id, time, author, subject, .. } = found;
            history.commits.push(Commit { id: id.to_string(), time, author, subject, paths: own });
        }
    }
    Ok(history)
}
