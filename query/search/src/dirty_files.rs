//! Files of a checkout that differ from the index below its overlay.

use rustc_hash::FxHashSet;

/// Files that differ from the index below an overlay, by repository and path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirtyFiles {
    files: FxHashSet<(String, String)>,
}

impl DirtyFiles {
    /// Returns whether a file differs from the index.
    #[must_use]
    pub fn contains(&self, repo: &str, path: &str) -> bool {
        !self.files.is_empty() && self.files.contains(&(repo.to_owned(), path.to_owned()))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the repository and path of each, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut files: Vec<(&str, &str)> =
            self.files.iter().map(|(repo, path)| (repo.as_str(), path.as_str())).collect();
        files.sort_unstable();
        files.into_iter()
    }
}

impl FromIterator<(String, String)> for DirtyFiles {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(files: T) -> Self {
        Self { files: files.into_iter().collect() }
    }
}
