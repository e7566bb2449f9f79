//! The results of `search`.

use std::fmt::Write;

use sextant_api::responses::{Feature, Hit, SearchAnswer};

use super::locations::Locations;
use super::signature::signature;
use crate::style::{FAINT, MATCH, NAME};

/// Results that are listed if nothing fits.
const MAX_NEAREST: usize = 3;
/// Results that are shown with their lines however weak they are.
const MIN_WITH_LINES: usize = 3;
/// Share of the best score below which further results are listed without their lines.
const MIN_SHARE_WITH_LINES: f32 = 0.05;

impl Locations<'_> {
    /// A search's results.
    pub(super) fn search(&self, answer: &SearchAnswer) -> String {
        let mut out = String::new();
        let shown = if answer.fits { answer.results.len() } else { MAX_NEAREST };
        let best = answer.results.first().map_or(0.0, |hit| hit.score);
        for (n, hit) in answer.results.iter().take(shown).enumerate() {
            let _ = head(&mut out, hit, &self.range(&hit.location));
            if answer.explain {
                let _ = signals(&mut out, hit, answer);
            }
            if answer.fits && (n < MIN_WITH_LINES || hit.score >= best * MIN_SHARE_WITH_LINES) {
                let _ = body(&mut out, hit, &answer.words);
            }
        }
        out
    }
}

fn head(out: &mut String, hit: &Hit, location: &str) -> std::fmt::Result {
    write!(out, "{location}  {}", hit.kind)?;
    if let Some(name) = &hit.qualified_name {
        write!(out, " {NAME}{name}{NAME:#}")?;
    }
    writeln!(out, "  {FAINT}{:.2}  {}{FAINT:#}", hit.score, hit.reason)?;
    if let Some(parent) = &hit.parent
        && let Some(name) = &parent.qualified_name
    {
        // A block has the name of its symbol; the symbol's head says what it is part of.
        let is_block = parent.qualified_name == hit.qualified_name;
        let lines = format!("lines {}-{}", parent.start_line, parent.end_line);
        writeln!(out, "  {FAINT}in {} {name}, {lines}{FAINT:#}", parent.kind)?;
        if let Some(head) = parent.signature.as_ref().filter(|_| is_block) {
            writeln!(out, "  {}", signature(head))?;
        }
    }
    if let Some(block) = &hit.block {
        writeln!(out, "  {FAINT}best in {} {}-{}{FAINT:#}", block.kind, block.start_line, block.end_line)?;
    }
    if let Some(summary) = &hit.summary {
        writeln!(out, "  {} {FAINT}(by {}){FAINT:#}", summary.first_sentence(), summary.model)?;
    }
    if !hit.related_hits.is_empty() {
        let related: Vec<String> = hit
            .related_hits
            .iter()
            .map(|related| {
                format!(
                    "{} {}-{}",
                    related.qualified_name.as_deref().unwrap_or(related.kind),
                    related.start_line,
                    related.end_line
                )
            })
            .collect();
        writeln!(out, "  {FAINT}also {}{FAINT:#}", related.join(", "))?;
    }
    Ok(())
}

fn signals(out: &mut String, hit: &Hit, answer: &SearchAnswer) -> std::fmt::Result {
    let s = &hit.signals;
    writeln!(
        out,
        "  {FAINT}{} query: (text {:.3} + vector {:.3} + symbol {:.3}) x path {:.2} x name {:.2} x demotion {:.2} + exact {:.1} + verbatim {:.1} + file {:.3} + graph {:.3}{FAINT:#}",
        answer.class, s.text, s.vector, s.symbol, s.path, s.name, s.demotion, s.exact, s.verbatim, s.file, s.graph
    )?;
    for (what, features) in [("file", &s.file_features), ("chunk", &s.chunk_features)] {
        if !features.is_empty() {
            let feature = |f: &Feature| format!("{} {:.2} adds {:.2}", f.feature, f.value, f.contribution);
            let features: Vec<String> = features.iter().map(feature).collect();
            writeln!(out, "  {FAINT}{what}: {}{FAINT:#}", features.join(", "))?;
        }
    }
    if let Some(rerank) = s.rerank {
        writeln!(out, "  {FAINT}reranker adds {rerank:.2}{FAINT:#}")?;
    }
    if !s.graph_path.is_empty() {
        let steps: Vec<String> = s.graph_path.iter().map(|step| format!("{} -{}-", step.symbol, step.edge)).collect();
        writeln!(
            out,
            "  {FAINT}graph path: {} {}{FAINT:#}",
            steps.join(" "),
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

/// Returns the line with all occurrences of the query's words marked.
fn highlighted(line: &str, words: &[String]) -> String {
    if !line.is_ascii() {
        // Lower-casing may change byte offsets, so such a line is not marked.
        return line.to_owned();
    }
    let lower = line.to_ascii_lowercase();
    let mut marks = vec![false; line.len()];
    for word in words.iter().filter(|word| word.len() > 1) {
        for (start, matched) in lower.match_indices(word.as_str()) {
            marks[start..start + matched.len()].fill(true);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_occurrences_of_words_are_marked() {
        let marked = highlighted("let retryCount = retry(1);", &["retry".to_owned()]);
        assert_eq!(marked.matches(&format!("{MATCH}")).count(), 2);
        assert_eq!(highlighted("größe", &["e".to_owned()]), "größe");
    }
}
