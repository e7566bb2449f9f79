//! Answers that contain source text.

use std::fmt::Write;

use sextant_api::responses::{GrepAnswer, OutlineAnswer, ShowAnswer};

use super::locations::Locations;
use super::signature::signature;
use crate::style::{FAINT, NAME};

impl Locations<'_> {
    /// The symbols of files, indented by nesting.
    pub(super) fn outline(&self, answer: &OutlineAnswer) -> String {
        let mut out = String::new();
        for outline in &answer.results {
            let _ = writeln!(out, "{}", self.file(&outline.file));
            for symbol in &outline.symbols {
                let d = &symbol.definition;
                let indent = 2 * symbol.depth as usize;
                let (line, kind, name) = (d.location.start_line, d.kind, &d.name);
                let text = d.signature.as_deref().filter(|signature| *signature != d.name);
                let text = text.map_or_else(String::new, |s| format!("  {FAINT}{}{FAINT:#}", signature(s)));
                let _ = writeln!(out, "{line:>6}  {:indent$}{kind} {NAME}{name}{NAME:#}{text}", "");
            }
        }
        out
    }

    /// Excerpts with line numbers.
    pub(super) fn show(&self, answer: &ShowAnswer) -> String {
        let mut out = String::new();
        for excerpt in &answer.results {
            out.push_str(&self.range(&excerpt.location));
            if let Some(symbol) = &excerpt.symbol {
                let _ = write!(out, "  {} {NAME}{}{NAME:#}", symbol.kind, symbol.qualified_name);
            }
            out.push('\n');
            numbered(&mut out, &excerpt.text, excerpt.location.start_line);
            out.push('\n');
        }
        out
    }

    /// Matching lines by file.
    pub(super) fn grep(&self, answer: &GrepAnswer) -> String {
        let mut out = String::new();
        for file in &answer.results {
            let _ = writeln!(out, "{}", self.file(&file.file));
            for line in &file.lines {
                let container =
                    line.symbol.as_ref().map_or_else(String::new, |name| format!("  {FAINT}{name}{FAINT:#}"));
                let _ = writeln!(out, "{FAINT}{:>6}{FAINT:#}  {}{container}", line.line, line.text);
            }
        }
        out
    }
}

/// Writes lines with their numbers, the first of which is `first`.
pub(super) fn numbered(out: &mut String, text: &str, first: u32) {
    for (line, text) in (first..).zip(text.split('\n')) {
        let _ = writeln!(out, "{FAINT}{line:>6}{FAINT:#}  {text}");
    }
}
