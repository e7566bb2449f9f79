//! What a search found, what an index holds and whether it is whole, for people and models.

use std::fmt::Write;

use sextant_formats::verify::Report;

use super::{FAINT, MATCH, NAME, PLACE};

use crate::search::{Hit, SearchResponse};
use crate::stats::Stats;

/// A search's results.
pub(crate) fn search_text(response: &SearchResponse, explain: bool, one_repo: bool) -> String {
    let mut out = String::new();
    for hit in &response.results {
        let _ = head(&mut out, hit, one_repo);
        if explain {
            let _ = signals(&mut out, hit, response);
        }
        let _ = body(&mut out, hit, &response.words);
    }
    out
}

fn head(out: &mut String, hit: &Hit, one_repo: bool) -> std::fmt::Result {
    let repo = if one_repo { String::new() } else { format!("{}/", hit.repo) };
    write!(out, "{PLACE}{repo}{}:{}-{}{PLACE:#}", hit.path, hit.start_line, hit.end_line)?;
    write!(out, "  {}", hit.kind)?;
    if let Some(name) = &hit.qualified_name {
        write!(out, " {NAME}{name}{NAME:#}")?;
    }
    writeln!(out, "  {FAINT}{:.3}{FAINT:#}", hit.score)?;
    if let Some(parent) = hit.parent.as_ref().filter(|parent| parent.qualified_name != hit.qualified_name)
        && let Some(name) = &parent.qualified_name
    {
        writeln!(out, "  {FAINT}in {} {name}, lines {}-{}{FAINT:#}", parent.kind, parent.start_line, parent.end_line)?;
    }
    if !hit.also.is_empty() {
        let places: Vec<String> = hit
            .also
            .iter()
            .map(|also| {
                format!(
                    "{} {}-{}",
                    also.qualified_name.as_deref().unwrap_or(also.kind.as_str()),
                    also.start_line,
                    also.end_line
                )
            })
            .collect();
        writeln!(out, "  {FAINT}also {}{FAINT:#}", places.join(", "))?;
    }
    Ok(())
}

fn signals(out: &mut String, hit: &Hit, response: &SearchResponse) -> std::fmt::Result {
    let s = &hit.signals;
    writeln!(
        out,
        "  {FAINT}{} query: (text {:.3} + vector {:.3} + symbol {:.3}) x path {:.2} x name {:.2} x demotion {:.2} + exact {:.1} + file {:.3} + graph {:.3}{FAINT:#}",
        response.class.as_str(),
        s.text,
        s.vector,
        s.symbol,
        s.path,
        s.name,
        s.demotion,
        s.exact,
        s.file,
        s.graph
    )?;
    if let Some(f) = s.of_file {
        writeln!(
            out,
            "  {FAINT}its file: chunk {:.2}, text {:.2}, vector {:.2}, path {:.2}, graph {:.2}, demotion {:.2}, coverage {:.2}, uses {:.2}, lines {:.2}{FAINT:#}",
            f.chunk, f.text, f.vector, f.path, f.graph, f.demotion, f.coverage, f.uses, f.lines
        )?;
    }
    if !s.path_from_seed.is_empty() {
        let way: Vec<String> = s.path_from_seed.iter().map(|(name, edge)| format!("{name} -{edge}-")).collect();
        writeln!(
            out,
            "  {FAINT}by the graph: {} {}{FAINT:#}",
            way.join(" "),
            hit.qualified_name.as_deref().unwrap_or("")
        )?;
    }
    Ok(())
}

fn body(out: &mut String, hit: &Hit, words: &[String]) -> std::fmt::Result {
    for (n, line) in hit.snippet.lines().enumerate() {
        match hit.snippet_line {
            Some(first) => write!(out, "  {FAINT}{:>5}{FAINT:#}  ", first as usize + n)?,
            None => write!(out, "         ")?,
        }
        writeln!(out, "{}", highlighted(line, words))?;
    }
    writeln!(out)
}

/// The line with the query's words marked, wherever they stand in it.
fn highlighted(line: &str, words: &[String]) -> String {
    if !line.is_ascii() {
        // Lower-casing may change byte offsets; such a line is shown as it is.
        return line.to_owned();
    }
    let lower = line.to_ascii_lowercase();
    let mut marks = vec![false; line.len()];
    for word in words.iter().filter(|word| word.len() > 1) {
        for (at, found) in lower.match_indices(word.as_str()) {
            marks[at..at + found.len()].fill(true);
        }
    }
    let mut out = String::with_capacity(line.len() + 32);
    let mut open = false;
    for (c, marked) in line.chars().zip(marks) {
        if marked != open {
            let _ = if marked { write!(out, "{MATCH}") } else { write!(out, "{MATCH:#}") };
            open = marked;
        }
        out.push(c);
    }
    if open {
        let _ = write!(out, "{MATCH:#}");
    }
    out
}

/// What an index holds.
pub(crate) fn stats_text(stats: &Stats) -> String {
    let mut out = String::new();
    let _ = write_stats(&mut out, stats);
    out
}

fn write_stats(out: &mut String, stats: &Stats) -> std::fmt::Result {
    writeln!(out, "{}  format {}, features {}", stats.generation, stats.format_version, stats.feature_version)?;
    writeln!(out, "content id   {}", stats.content_id)?;
    match &stats.model {
        Some((name, dims)) => writeln!(out, "model        {name}, {dims} dimensions")?,
        None => writeln!(out, "model        none")?,
    }
    for repository in &stats.repositories {
        let commit = repository.commit.as_deref().map_or(String::new(), |commit| format!(" at {commit}"));
        writeln!(out, "repository   {}{commit}", repository.name)?;
    }
    writeln!(out, "source       {} lines, {} bytes", stats.lines, stats.source_bytes)?;
    let list = |pairs: Vec<(String, u64)>| {
        pairs.into_iter().map(|(word, n)| format!("{n} {word}")).collect::<Vec<_>>().join(", ")
    };
    let mut languages: Vec<(String, u64)> = stats.languages.clone().into_iter().collect();
    languages.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    writeln!(out, "files        {}", list(languages))?;
    let own = |map: &std::collections::BTreeMap<&'static str, u64>| {
        map.iter().map(|(word, n)| ((*word).to_owned(), *n)).collect::<Vec<_>>()
    };
    writeln!(out, "parsed       {}", list(own(&stats.parse_status)))?;
    writeln!(out, "edges        {}", list(stats.tiers.iter().map(|(tier, n)| (tier.to_string(), *n)).collect()))?;
    if !stats.skipped.is_empty() {
        writeln!(out, "skipped      {}", list(own(&stats.skipped)))?;
    }
    writeln!(out)?;
    for part in &stats.parts {
        let rows = part.rows.map_or_else(String::new, |rows| format!("{rows} rows"));
        writeln!(out, "{:18} {:>14} bytes  {rows}", part.name, part.bytes)?;
    }
    Ok(())
}

/// A verification's report.
pub(crate) fn verify_text(generation: &str, report: &Report) -> String {
    if report.problems.is_empty() {
        return format!("{generation}: {} files, {} bytes, {} rows: whole\n", report.files, report.bytes, report.rows);
    }
    let mut out = String::new();
    for problem in &report.problems {
        let _ = writeln!(out, "{problem}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_marked_where_they_stand() {
        let marked = highlighted("let retryCount = retry(1);", &["retry".to_owned()]);
        assert_eq!(marked.matches(&format!("{MATCH}")).count(), 2);
        assert_eq!(highlighted("größe", &["e".to_owned()]), "größe");
    }
}
