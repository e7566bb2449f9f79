//! The answer of `review` as text.

use std::fmt::Write;

use sextant_api::responses::{ReachedSymbol, ReviewAnswer};

use super::locations::Locations;
use crate::style::{FAINT, NAME};

/// Added lines from this novelty on are marked.
const NOVEL: f32 = 0.7;
/// Changed symbols that are listed.
const MAX_CHANGED: usize = 20;

impl Locations<'_> {
    /// What to look at in a change.
    pub(super) fn review(&self, answer: &ReviewAnswer) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "{NAME}{} symbols changed{NAME:#}", answer.changed.len());
        for definition in answer.changed.iter().take(MAX_CHANGED) {
            let _ = writeln!(out, "  {}", self.definition(definition));
        }
        if answer.changed.len() > MAX_CHANGED {
            let _ = writeln!(out, "  {FAINT}and {} more{FAINT:#}", answer.changed.len() - MAX_CHANGED);
        }
        for path in &answer.unknown {
            let _ = writeln!(out, "  {path}  {FAINT}no symbol of the index at the changed lines{FAINT:#}");
        }
        self.reached(&mut out, "callers that may have to change", &answer.callers, answer.more_callers);
        self.reached(&mut out, "tests to run", &answer.tests, answer.more_tests);
        if !answer.near_tests.is_empty() {
            let _ =
                writeln!(out, "\n{NAME}tests near by meaning{NAME:#}  {FAINT}guesses: the graph has no edge{FAINT:#}");
            for near in &answer.near_tests {
                let _ = writeln!(out, "{:6.2}  {}", near.score, self.file(&near.file));
            }
        }
        if !answer.usually_changed_too.is_empty() {
            let _ = writeln!(out, "\n{NAME}usually changed too{NAME:#}  {FAINT}and not in the diff{FAINT:#}");
            for missed in &answer.usually_changed_too {
                let (file, with) = (self.file(&missed.file), &missed.with);
                let (commits, of) = (missed.commits, missed.of_commits);
                let _ = writeln!(out, "  {file}  {FAINT}in {commits} of {of} commits of {with}{FAINT:#}");
            }
        }
        if !answer.repeated.is_empty() {
            let _ = writeln!(out, "\n{NAME}added lines repeat{NAME:#}");
            for repeated in &answer.repeated {
                let (share, function) = (100.0 * repeated.share, &repeated.function);
                let place = self.range(&function.location);
                let _ = writeln!(
                    out,
                    "  {place}  {}  {FAINT}{share:.0} % of it, in {}{FAINT:#}",
                    function.qualified_name, repeated.by
                );
            }
        }
        let novel: Vec<_> = answer.novelty.files.iter().filter(|file| file.score >= NOVEL).collect();
        if !novel.is_empty() {
            let _ = writeln!(
                out,
                "\n{NAME}added lines far from every file{NAME:#}  {FAINT}a weak sign of something new{FAINT:#}"
            );
            for file in novel {
                let _ = writeln!(out, "{:6.2}  {}", file.score, self.file(&file.file));
            }
        }
        out
    }

    fn reached(&self, out: &mut String, what: &str, reached: &[ReachedSymbol], more: bool) {
        if reached.is_empty() {
            let _ = writeln!(out, "\n{NAME}{what}{NAME:#}: none found");
            return;
        }
        let _ = writeln!(out, "\n{NAME}{what}{NAME:#}");
        for symbol in reached {
            let (edge, confidence) = (symbol.edge, symbol.confidence);
            let _ = writeln!(out, "  {}  {FAINT}{edge} {confidence:.2}{FAINT:#}", self.definition(&symbol.definition));
        }
        if more {
            let _ = writeln!(out, "  {FAINT}there are more; a higher limit lists them{FAINT:#}");
        }
    }
}
