//! Source for people and models.

use std::fmt::Write;

use super::{FAINT, NAME, PLACE};
use crate::read::{Matches, Outline, Shown};

fn file(repo: &str, path: &str, one_repo: bool) -> String {
    if one_repo { path.to_owned() } else { format!("{repo}/{path}") }
}

/// What files define, indented by their owners.
pub(crate) fn outline_text(outlines: &[Outline], one_repo: bool) -> String {
    let mut out = String::new();
    for outline in outlines {
        let _ = writeln!(out, "{PLACE}{}{PLACE:#}", file(&outline.repo, &outline.path, one_repo));
        for symbol in &outline.symbols {
            let d = &symbol.definition;
            let indent = 2 * symbol.depth as usize;
            let _ = write!(out, "{:>6}  {:indent$}{} {NAME}{}{NAME:#}", d.start_line, "", d.kind, d.name);
            let signature = d.signature.as_deref().filter(|signature| *signature != d.name);
            let _ = writeln!(
                out,
                "{}",
                signature.map_or_else(String::new, |s| format!("  {FAINT}{}{FAINT:#}", super::signature(s)))
            );
        }
    }
    out
}

/// Pieces of source with the numbers of their lines.
pub(crate) fn show_text(shown: &[Shown], one_repo: bool) -> String {
    let mut out = String::new();
    for piece in shown {
        let place = file(&piece.repo, &piece.path, one_repo);
        let _ = write!(out, "{PLACE}{place}:{}-{}{PLACE:#}", piece.start_line, piece.end_line);
        if let Some(symbol) = &piece.symbol {
            let _ = write!(out, "  {} {NAME}{}{NAME:#}", symbol.kind, symbol.qualified_name);
        }
        out.push('\n');
        numbered(&mut out, &piece.text, piece.start_line);
        out.push('\n');
    }
    out
}

/// Lines with their numbers.
pub(super) fn numbered(out: &mut String, text: &str, first: u32) {
    for (line, text) in (first..).zip(text.split('\n')) {
        let _ = writeln!(out, "{FAINT}{line:>6}{FAINT:#}  {text}");
    }
}

/// Lines that match, by files.
pub(crate) fn grep_text(matches: &Matches, one_repo: bool) -> String {
    let mut out = String::new();
    for found in &matches.results {
        let _ = writeln!(out, "{PLACE}{}{PLACE:#}", file(&found.repo, &found.path, one_repo));
        for line in &found.lines {
            let inside = line.symbol.as_ref().map_or_else(String::new, |name| format!("  {FAINT}{name}{FAINT:#}"));
            let _ = writeln!(out, "{FAINT}{:>6}{FAINT:#}  {}{inside}", line.line, line.text);
        }
    }
    out
}
