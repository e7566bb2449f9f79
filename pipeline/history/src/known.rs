//! What commits changed, kept for later builds.

use gix_hash::ObjectId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::changes::Changes;

/// What is stored of another layout is not read.
const LAYOUT: u32 = 1;

/// What commits changed in folders. Commits never change, so neither does what is known of them.
#[derive(Default)]
pub struct KnownChanges {
    before: FxHashMap<Key, Option<Changes>>,
    used: FxHashMap<Key, Option<Changes>>,
}

/// A folder and a commit.
type Key = (String, ObjectId);

/// The layout of the bytes.
#[derive(Serialize, Deserialize)]
struct Stored {
    layout: u32,
    /// A folder, the hash of a commit, and what it changed there.
    commits: Vec<(String, Vec<u8>, Option<Changes>)>,
}

impl KnownChanges {
    /// Reads what an earlier build stored. Bytes that are damaged or of another version are of no use, and no error.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let stored = postcard::from_bytes::<Stored>(bytes).ok().filter(|stored| stored.layout == LAYOUT);
        let commits = stored.map(|stored| stored.commits).unwrap_or_default();
        let known =
            |(folder, id, changes): (String, Vec<u8>, _)| Some(((folder, ObjectId::try_from(&*id).ok()?), changes));
        Self { before: commits.into_iter().filter_map(known).collect(), used: FxHashMap::default() }
    }

    /// What was used, for later builds. Equal histories have equal bytes.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn into_bytes(self) -> Result<Vec<u8>, postcard::Error> {
        let commits = self.used.into_iter().map(|((folder, id), changes)| (folder, id.as_slice().to_vec(), changes));
        let mut stored = Stored { layout: LAYOUT, commits: commits.collect() };
        stored.commits.sort_unstable_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        postcard::to_stdvec(&stored)
    }

    /// What a commit changed; computed if it is not known.
    pub(crate) fn get_or_insert(
        &mut self,
        folder: &str,
        commit: ObjectId,
        compute: impl FnOnce() -> Option<Changes>,
    ) -> Option<&Changes> {
        let before = &mut self.before;
        let entry = self.used.entry((folder.to_owned(), commit));
        let changes = entry.or_insert_with_key(|key| before.remove(key).unwrap_or_else(compute));
        changes.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_computed_again() {
        let id = |byte: u8| ObjectId::from_bytes_or_panic(&[byte; 20]);
        let changes = Changes { paths: vec!["a".to_owned()], renames: Vec::new() };
        let mut known = KnownChanges::default();
        assert_eq!(known.get_or_insert("", id(1), || Some(changes.clone())), Some(&changes));
        assert_eq!(known.get_or_insert("", id(2), || None), None);
        let bytes = known.into_bytes().unwrap();
        let mut again = KnownChanges::from_bytes(&bytes);
        assert_eq!(again.get_or_insert("", id(1), || unreachable!()), Some(&changes));
        assert_eq!(again.get_or_insert("", id(2), || unreachable!()), None);
        // In another folder, the commit changed something else.
        assert_eq!(again.get_or_insert("folder", id(1), || None), None);
        for end in 0..bytes.len() {
            assert!(KnownChanges::from_bytes(&bytes[..end]).before.len() <= 2);
        }
    }
}
