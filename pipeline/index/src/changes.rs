//! The state of each path in an index and in checkouts, and the differences between two such states.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sextant_format::digest::Digest;
use sextant_format::generation::Generation;
use sextant_format::kinds::SkipReason;
use sextant_format::tables::{Row, SkippedRow, TableReader};
use sextant_syntax::text::{self, Skip};

use crate::model::Source;
use crate::read;
use crate::walk::SkippedPath;

/// The state of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PathState {
    /// Text with this content hash.
    Text(Digest),
    /// A path that is skipped: the reason and its details.
    Skipped(SkipReason, String),
}

impl From<Skip> for PathState {
    fn from(skip: Skip) -> Self {
        Self::Skipped(skip.reason, skip.detail)
    }
}

/// The state of every path, by repository and path.
pub(crate) type Paths = BTreeMap<(String, String), PathState>;

/// Reads the state of all paths in an index.
pub(crate) fn paths_in_index(generation: &Generation) -> sextant_format::Result<Paths> {
    let mut paths = Paths::new();
    for row in generation.files()? {
        paths.insert((row.repo, row.path), PathState::Text(row.content_hash));
    }
    for row in TableReader::<SkippedRow>::read_all(&generation.table(SkippedRow::TABLE))? {
        paths.insert((row.repo, row.path), PathState::Skipped(row.reason, row.detail));
    }
    Ok(paths)
}

/// Reads and hashes every file that a walk found; `names` are the names of the walked repositories. If `stop` returns
/// true, the result is incomplete.
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

/// Returns the states of the paths that a walk skipped.
pub(crate) fn skipped_path_states(
    names: &[String],
    skipped_paths: &[SkippedPath],
) -> impl Iterator<Item = ((String, String), PathState)> {
    skipped_paths.iter().map(|found| {
        let state = PathState::Skipped(found.reason, found.detail.clone());
        ((names[found.repo as usize].clone(), found.path.clone()), state)
    })
}

/// Reads the state of a file.
pub(crate) fn path_state(source: &Source, max_bytes: u64) -> PathState {
    read::read(source, max_bytes).map_or_else(PathState::from, state_of_bytes)
}

/// Returns the state of a file with these bytes. A file whose worker panicked is skipped in an index and text here, so
/// it counts as changed and the next build tries it again.
fn state_of_bytes(bytes: Vec<u8>) -> PathState {
    text::decode(bytes).map_or_else(PathState::from, |text| PathState::Text(text.content_hash))
}

/// Differences between two states; every path with its repository, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Paths that are new.
    pub added: Vec<(String, String)>,
    /// Paths whose state differs.
    pub changed: Vec<(String, String)>,
    /// Paths that are gone.
    pub removed: Vec<(String, String)>,
}

impl Changes {
    /// Compares two states.
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
