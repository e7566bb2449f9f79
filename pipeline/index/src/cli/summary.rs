//! A build as a page in Markdown, for the summary of a CI job.

use std::fmt::Write as _;

use crate::build::PublishedBuild;

/// Paths of each kind that are named.
const MAX_LISTED_PATHS: usize = 20;

/// A page about a build, in Markdown.
pub(super) fn summary_markdown(built: &PublishedBuild, seconds: f64) -> String {
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
    row("reused", format!("{} files ({share:.1} %)", built.reuse.analyses));
    for reason in &built.reuse.miss_reasons {
        row("not reused", reason.clone());
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
            for (repository, path) in paths.iter().take(MAX_LISTED_PATHS) {
                let _ = writeln!(page, "- `{repository}/{path}`");
            }
            if paths.len() > MAX_LISTED_PATHS {
                let _ = writeln!(page, "- and {} more", paths.len() - MAX_LISTED_PATHS);
            }
        }
    }
    page
}
