//! Follows files over their renames, from the newest commit to the oldest.

use rustc_hash::FxHashMap;

use crate::changes::Changes;

/// The names that files have now, by those that they had.
#[derive(Default)]
pub(crate) struct Names(FxHashMap<String, String>);

impl Names {
    /// The files that a commit changed, by the names that they have now. Commits come from the newest to the oldest.
    pub(crate) fn follow(&mut self, changes: &Changes) -> Vec<String> {
        let paths = changes.paths.iter().map(|path| self.now(path)).collect();
        let renames: Vec<_> = changes.renames.iter().map(|(before, after)| (before.clone(), self.now(after))).collect();
        self.0.extend(renames);
        paths
    }

    fn now(&self, path: &str) -> String {
        self.0.get(path).map_or(path, String::as_str).to_owned()
    }
}
