//! Reads the newest commits that changed some files.

use rustc_hash::FxHashSet;

use crate::follow::Names;
use crate::known::KnownChanges;
use crate::model::{Checkout, Commit, History, Limits, Unreadable};
use crate::walk::{Found, MAX_COMMITS, Walk};

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
    let mut walk = Walk::open(checkout)?;
    let mut names = Names::default();
    let mut history = History::default();
    let mut visited = 0;
    while history.commits.len() < limits.commits && visited < MAX_COMMITS && !stop() {
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
            let Found { id, time, author, subject, .. } = found;
            history.commits.push(Commit { id: id.to_string(), time, author, subject, paths: own });
        }
    }
    Ok(history)
}
