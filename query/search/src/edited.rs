//! Files of a checkout that differ from the base index of its overlay.

use rustc_hash::FxHashSet;

/// Files that differ from the base index, by repository and path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edited {
    files: FxHashSet<(String, String)>,
}

impl Edited {
    /// Whether a file differs from the base index.
    #[must_use]
    pub fn has(&self, repo: &str, path: &str) -> bool {
        !self.files.is_empty() && self.files.contains(&(repo.to_owned(), path.to_owned()))
    }
}

impl FromIterator<(String, String)> for Edited {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(files: T) -> Self {
        Self { files: files.into_iter().collect() }
    }
}
