//! What is different between two generations, and a page that says it to people.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use sextant_formats::digest::Digest;
use sextant_formats::generation::Generation;
use sextant_formats::tables::{FileRow, Row, TableReader};

use crate::build::Built;

/// Paths of each kind that are named.
const NAMED: usize = 20;

/// Files by what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// They were not there.
    pub added: Vec<String>,
    /// They have other bytes.
    pub changed: Vec<String>,
    /// They are no longer there.
    pub removed: Vec<String>,
}

impl Changes {
    /// Compares the indexed files of two generations.
    pub(crate) fn between(before: &Generation, after: &Generation) -> anyhow::Result<Self> {
        let mut known: FxHashMap<(String, String), Digest> = FxHashMap::default();
        for row in TableReader::<FileRow>::read_all(&before.table(FileRow::TABLE))? {
            known.insert((row.repo, row.path), row.content_hash);
        }
        let mut changes = Self::default();
        for row in TableReader::<FileRow>::read_all(&after.table(FileRow::TABLE))? {
            let path = format!("{}/{}", row.repo, row.path);
            match known.remove(&(row.repo, row.path)) {
                None => changes.added.push(path),
                Some(hash) if hash != row.content_hash => changes.changed.push(path),
                Some(_) => {}
            }
        }
        let mut removed: Vec<String> = known.into_keys().map(|(repo, path)| format!("{repo}/{path}")).collect();
        removed.sort();
        changes.removed = removed;
        Ok(changes)
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
            for path in paths.iter().take(NAMED) {
                let _ = writeln!(page, "- `{path}`");
            }
            if paths.len() > NAMED {
                let _ = writeln!(page, "- and {} more", paths.len() - NAMED);
            }
        }
    }
    page
}
