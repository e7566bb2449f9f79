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

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(paths: &[&str], renames: &[(&str, &str)]) -> Changes {
        Changes {
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            renames: renames.iter().map(|(before, after)| ((*before).to_owned(), (*after).to_owned())).collect(),
        }
    }

    #[test]
    fn files_are_called_as_they_are_now() {
        let mut names = Names::default();
        assert_eq!(names.follow(&commit(&["c"], &[("b", "c")])), ["c"]);
        // Before the rename, the name was that of the same file.
        assert_eq!(names.follow(&commit(&["b"], &[])), ["c"]);
        assert_eq!(names.follow(&commit(&["b", "x"], &[("a", "b")])), ["c", "x"]);
        assert_eq!(names.follow(&commit(&["a"], &[])), ["c"]);
    }

    #[test]
    fn two_files_may_swap_their_names() {
        let mut names = Names::default();
        assert_eq!(names.follow(&commit(&["a", "b"], &[("a", "b"), ("b", "a")])), ["a", "b"]);
        assert_eq!(names.follow(&commit(&["a"], &[])), ["b"]);
        assert_eq!(names.follow(&commit(&["b"], &[])), ["a"]);
    }
}
