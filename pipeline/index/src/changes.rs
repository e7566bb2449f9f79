//! What paths hold, in an index and in checkouts, what is different between two such states, and a page that says it
//! to people.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sextant_format::digest::Digest;
use sextant_format::generation::Generation;
use sextant_format::kinds::SkipReason;
use sextant_format::tables::{FileRow, Row, SkippedRow, TableReader};
use sextant_syntax::text::{self, Skip};

use crate::model::Source;
use crate::read;
use crate::walk::SkippedPath;

/// What there is at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PathState {
    /// Text of these bytes.
    Text(Digest),
    /// Nothing that can be indexed, and why.
    Skipped(SkipReason, String),
}

impl From<Skip> for PathState {
    fn from(skip: Skip) -> Self {
        Self::Skipped(skip.reason, skip.detail)
    }
}

/// What there is at every path, by repository and path.
pub(crate) type Paths = BTreeMap<(String, String), PathState>;

/// What an index says.
pub(crate) fn paths_in_index(generation: &Generation) -> sextant_format::Result<Paths> {
    let mut paths = Paths::new();
    for row in TableReader::<FileRow>::read_all(&generation.table(FileRow::TABLE))? {
        paths.insert((row.repo, row.path), PathState::Text(row.content_hash));
    }
    for row in TableReader::<SkippedRow>::read_all(&generation.table(SkippedRow::TABLE))? {
        paths.insert((row.repo, row.path), PathState::Skipped(row.reason, row.detail));
    }
    Ok(paths)
}

/// What a walk over repositories of these names finds: every file is read and hashed, and nothing else is done. Where
/// `stop` says so, the rest is left out.
pub(crate) fn paths_in_checkouts(
    names: &[String],
    sources: &[Source],
    skipped_paths: &[SkippedPath],
    max_bytes: u64,
    stop: impl Fn() -> bool + Sync,
) -> Paths {
    let inspect =
        |source: &Source| ((names[source.repo as usize].clone(), source.path.clone()), path_state(source, max_bytes));
    let mut paths: Paths = sources.par_iter().filter(|_| !stop()).map(inspect).collect();
    paths.extend(skipped_path_states(names, skipped_paths));
    paths
}

/// What a walk could not reach.
pub(crate) fn skipped_path_states(
    names: &[String],
    skipped_paths: &[SkippedPath],
) -> impl Iterator<Item = ((String, String), PathState)> {
    skipped_paths.iter().map(|found| {
        let state = PathState::Skipped(found.reason, found.detail.clone());
        ((names[found.repo as usize].clone(), found.path.clone()), state)
    })
}

/// What there is at a path, read.
pub(crate) fn path_state(source: &Source, max_bytes: u64) -> PathState {
    read::read(source, max_bytes).map_or_else(PathState::from, state_of_bytes)
}

/// What bytes are to an index. A file that its worker gave up on is skipped there and text here: that may be of
/// another day.
fn state_of_bytes(bytes: Vec<u8>) -> PathState {
    text::decode(bytes).map_or_else(PathState::from, |text| PathState::Text(text.content_hash))
}

/// Paths by what became of them, as repository and path, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// They were not there.
    pub added: Vec<(String, String)>,
    /// They hold something else.
    pub changed: Vec<(String, String)>,
    /// They are no longer there.
    pub removed: Vec<(String, String)>,
}

impl Changes {
    /// What became of every path.
    pub(crate) fn between(before: &Paths, after: &Paths) -> Self {
        let mut changes = Self::default();
        for (path, state) in after {
            match before.get(path) {
                None => changes.added.push(path.clone()),
                Some(was) if was != state => changes.changed.push(path.clone()),
                Some(_) => {}
            }
        }
        changes.removed.extend(before.keys().filter(|path| !after.contains_key(path)).cloned());
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(files: &[(&str, &str)]) -> Paths {
        files
            .iter()
            .map(|(path, text)| (("r".to_owned(), (*path).to_owned()), state_of_bytes(text.as_bytes().to_vec())))
            .collect()
    }

    #[test]
    fn every_path_is_added_changed_removed_or_unchanged() {
        let before = paths(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "\0")]);
        let after = paths(&[("a", "1"), ("b", "2"), ("d", "text"), ("e", "1")]);
        let changes = Changes::between(&before, &after);
        let names = |paths: &[(String, String)]| paths.iter().map(|(_, path)| path.as_str()).collect::<String>();
        let found = [&changes.added, &changes.changed, &changes.removed].map(|paths| names(paths));
        assert_eq!(found, ["e", "bd", "c"]);
        assert_eq!(Changes::between(&after, &after), Changes::default());
    }
}
