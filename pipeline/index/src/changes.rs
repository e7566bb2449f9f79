//! What paths hold, in an index and in checkouts, what is different between two such states, and a page that says it
//! to people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sextant_format::digest::Digest;
use sextant_format::generation::Generation;
use sextant_format::kinds::SkipReason;
use sextant_format::tables::{FileRow, Row, SkippedRow, TableReader};
use sextant_syntax::text::{self, Skip};

use crate::build::Built;
use crate::model::Source;
use crate::read;
use crate::walk::Unwalkable;

/// Paths of each kind that are named.
const NAMED: usize = 20;

/// What there is at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Held {
    /// Text of these bytes.
    Text(Digest),
    /// Nothing that can be indexed, and why.
    Skipped(SkipReason, String),
}

impl From<Skip> for Held {
    fn from(skip: Skip) -> Self {
        Self::Skipped(skip.reason, skip.detail)
    }
}

/// What there is at every path, by repository and path.
pub(crate) type Paths = BTreeMap<(String, String), Held>;

/// What an index says.
pub(crate) fn of_index(generation: &Generation) -> sextant_format::Result<Paths> {
    let mut paths = Paths::new();
    for row in TableReader::<FileRow>::read_all(&generation.table(FileRow::TABLE))? {
        paths.insert((row.repo, row.path), Held::Text(row.content_hash));
    }
    for row in TableReader::<SkippedRow>::read_all(&generation.table(SkippedRow::TABLE))? {
        paths.insert((row.repo, row.path), Held::Skipped(row.reason, row.detail));
    }
    Ok(paths)
}

/// What a walk over repositories of these names finds: every file is read and hashed, and nothing else is done. Where
/// `stop` says so, the rest is left out.
pub(crate) fn of_checkouts(
    names: &[String],
    sources: &[Source],
    unwalkable: &[Unwalkable],
    max_bytes: u64,
    stop: impl Fn() -> bool + Sync,
) -> Paths {
    let look =
        |source: &Source| ((names[source.repo as usize].clone(), source.path.clone()), held_at(source, max_bytes));
    let mut paths: Paths = sources.par_iter().filter(|_| !stop()).map(look).collect();
    paths.extend(unwalkable_at(names, unwalkable));
    paths
}

/// What a walk could not reach.
pub(crate) fn unwalkable_at(
    names: &[String],
    unwalkable: &[Unwalkable],
) -> impl Iterator<Item = ((String, String), Held)> {
    unwalkable.iter().map(|found| {
        let held = Held::Skipped(found.reason, found.detail.clone());
        ((names[found.repo as usize].clone(), found.path.clone()), held)
    })
}

/// What there is at a path, read.
pub(crate) fn held_at(source: &Source, max_bytes: u64) -> Held {
    read::read(source, max_bytes).map_or_else(Held::from, held)
}

/// What bytes are to an index. A file that its worker gave up on is skipped there and text here: that may be of
/// another day.
fn held(bytes: Vec<u8>) -> Held {
    text::decode(bytes).map_or_else(Held::from, |text| Held::Text(text.content_hash))
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
        for (path, held) in after {
            match before.get(path) {
                None => changes.added.push(path.clone()),
                Some(was) if was != held => changes.changed.push(path.clone()),
                Some(_) => {}
            }
        }
        changes.removed.extend(before.keys().filter(|path| !after.contains_key(path)).cloned());
        changes
    }
}

/// A page about a build, in Markdown.
pub(crate) fn markdown(built: &Built, seconds: f64) -> String {
    let counts = &built.counts;
    let mut page = format!("# Index {}\n\n| | |\n|---|---|\n", &built.content_id[..12]);
    let mut row = |name: &str, value: String| {
        let _ = writeln!(page, "| {name} | {value} |");
    };
    row("content id", format!("`{}`", built.content_id));
    row("files", format!("{} ({} lines)", counts.files, counts.lines));
    row("chunks, symbols", format!("{}, {}", counts.chunks, counts.symbols));
    row("edges", counts.edges.to_string());
    row("vectors", counts.vectors.to_string());
    let skipped: Vec<String> = counts.skipped.iter().map(|(reason, n)| format!("{n} {reason}")).collect();
    row("skipped", if skipped.is_empty() { "none".to_owned() } else { skipped.join(", ") });
    let share = 100.0 * built.reuse.analyses as f64 / counts.files.max(1) as f64;
    row("taken over", format!("{} files ({share:.1} %)", built.reuse.analyses));
    for why in &built.reuse.why {
        row("not taken over", why.clone());
    }
    row("seconds", format!("{seconds:.1}"));
    if built.reuse.unchanged {
        page.push_str("\nNothing has changed since the index before.\n");
    }
    if let Some(changes) = &built.changes {
        for (name, paths) in [("Added", &changes.added), ("Changed", &changes.changed), ("Removed", &changes.removed)] {
            if paths.is_empty() {
                continue;
            }
            let _ = writeln!(page, "\n## {name}: {}\n", paths.len());
            for (repository, path) in paths.iter().take(NAMED) {
                let _ = writeln!(page, "- `{repository}/{path}`");
            }
            if paths.len() > NAMED {
                let _ = writeln!(page, "- and {} more", paths.len() - NAMED);
            }
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(of: &[(&str, &str)]) -> Paths {
        of.iter().map(|(path, text)| (("r".to_owned(), (*path).to_owned()), held(text.as_bytes().to_vec()))).collect()
    }

    #[test]
    fn every_path_is_added_changed_removed_or_the_same() {
        let before = paths(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "\0")]);
        let after = paths(&[("a", "1"), ("b", "2"), ("d", "text"), ("e", "1")]);
        let changes = Changes::between(&before, &after);
        let names = |paths: &[(String, String)]| paths.iter().map(|(_, path)| path.as_str()).collect::<String>();
        let found = [&changes.added, &changes.changed, &changes.removed].map(|paths| names(paths));
        assert_eq!(found, ["e", "bd", "c"]);
        assert_eq!(Changes::between(&after, &after), Changes::default());
    }
}
