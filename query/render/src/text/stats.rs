//! The answer of `stats`.

use std::fmt::Write;

use sextant_api::responses::{RepositoryHistory, StatsAnswer};

/// Returns the contents of an index as text.
pub(super) fn stats(stats: &StatsAnswer) -> String {
    let mut out = String::new();
    let _ = write_stats(&mut out, stats);
    out
}

fn write_stats(out: &mut String, stats: &StatsAnswer) -> std::fmt::Result {
    writeln!(out, "{}  format {}, features {}", stats.generation, stats.format_version, stats.feature_version)?;
    writeln!(out, "content id   {}", stats.content_id)?;
    match &stats.model {
        Some(model) => writeln!(out, "model        {}, {} dimensions", model.name, model.dimensions)?,
        None => writeln!(out, "model        none")?,
    }
    if let Some(enrichment) = &stats.enrichment {
        writeln!(out, "summaries    {} chunks, by {}", enrichment.summaries, enrichment.model)?;
    }
    for repository in &stats.repositories {
        let commit = repository.commit.as_deref().map_or(String::new(), |commit| format!(" at {commit}"));
        writeln!(out, "repository   {}{commit}", repository.name)?;
        if let Some(RepositoryHistory { commits, since: Some(since) }) = &repository.history {
            writeln!(out, "history      {commits} commits since {since}")?;
        }
    }
    writeln!(out, "source       {} lines, {} bytes", stats.lines, stats.source_bytes)?;
    let list = |counts: Vec<(String, u64)>| {
        counts.into_iter().map(|(word, n)| format!("{n} {word}")).collect::<Vec<_>>().join(", ")
    };
    let mut languages: Vec<(String, u64)> = stats.languages.clone().into_iter().collect();
    languages.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    writeln!(out, "files        {}", list(languages))?;
    let pairs = |map: &std::collections::BTreeMap<&'static str, u64>| {
        map.iter().map(|(word, n)| ((*word).to_owned(), *n)).collect::<Vec<_>>()
    };
    writeln!(out, "parsed       {}", list(pairs(&stats.parse_status)))?;
    writeln!(out, "edges        {}", list(pairs(&stats.resolutions)))?;
    if !stats.skipped.is_empty() {
        writeln!(out, "skipped      {}", list(pairs(&stats.skipped)))?;
    }
    writeln!(out)?;
    for part in &stats.parts {
        let rows = part.rows.map_or_else(String::new, |rows| format!("{rows} rows"));
        writeln!(out, "{:18} {:>14} bytes  {rows}", part.name, part.bytes)?;
    }
    Ok(())
}
