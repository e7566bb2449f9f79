//! Where a parser failed: positions from its log. Must not know what is done about them.
//!
//! A tree shows what an error cost, but not where the parser first met a token that it could not use: an error node may
//! begin far before it. The parser's log says so.

use std::sync::{Arc, Mutex, PoisonError};

use tree_sitter::LogType;

/// More failures of a text are not recorded.
const MAX_FAILURES: usize = 4_000;

/// A place at which no reading of the text was possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The row, from 0, at which the last usable token ends.
    pub(super) row: usize,
    /// The column of it, in bytes.
    pub(super) column: usize,
}

#[derive(Default)]
struct State {
    /// Where the version of the parse that is advanced stands.
    at: Option<Failure>,
    /// Whether it is the only version.
    is_alone: bool,
    /// Whether a token was looked for there, by an external scanner and by the grammar.
    searched: [bool; 2],
    /// The furthest place at which a version stopped since all of them had.
    furthest: Option<Failure>,
    failures: Vec<Failure>,
    messages: usize,
}

/// What a parser calls with each message of its log.
type Logger = Box<dyn FnMut(LogType, &str) + Send>;

/// Collects failures from the log of a parser.
#[derive(Clone, Default)]
pub(super) struct ParseLog {
    state: Arc<Mutex<State>>,
}

impl ParseLog {
    /// What the parser writes its log to.
    pub(super) fn logger(&self) -> Logger {
        let state = Arc::clone(&self.state);
        Box::new(move |kind, message| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.messages += 1;
            if kind == LogType::Parse {
                state.read(message);
            }
        })
    }

    /// The failures of the parse, in its order, and the number of messages.
    pub(super) fn finish(&self) -> (Vec<Failure>, usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { failures, messages, .. } = std::mem::take(&mut *state);
        (failures, messages)
    }
}

impl State {
    fn read(&mut self, message: &str) {
        if let Some(rest) = message.strip_prefix("process ") {
            self.at = position(rest);
            self.is_alone = rest.contains("version_count:1,");
            self.searched = [false; 2];
        } else if message.starts_with("lex_external ") {
            self.search(0);
        } else if message.starts_with("lex_internal ") {
            self.search(1);
        } else if message.starts_with("detect_error ") {
            // One of several readings has failed; others may go on.
            let is_further = |at: &Failure| {
                self.furthest.is_none_or(|furthest| (furthest.row, furthest.column) < (at.row, at.column))
            };
            self.furthest = self.at.filter(is_further).or(self.furthest);
        } else if message.starts_with("resume ") && self.failures.len() < MAX_FAILURES {
            self.failures.extend(self.furthest.take());
        }
    }
}

impl State {
    /// Looks for a token, and then for any token at all if none was found that would be usable. An external scanner may
    /// then take much text for a token that is usable.
    fn search(&mut self, by: usize) {
        if self.searched[by] && self.is_alone && self.failures.len() < MAX_FAILURES {
            self.failures.extend(self.at);
        }
        self.searched[by] = true;
    }
}

/// The position in `version:0, version_count:1, state:5, row:3, col:7`.
fn position(message: &str) -> Option<Failure> {
    let number = |name: &str| -> Option<usize> {
        let rest = &message[message.find(name)? + name.len()..];
        rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
    };
    Some(Failure { row: number("row:")?, column: number("col:")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_is_found() {
        let log = ParseLog::default();
        let mut parser = tree_sitter::Parser::new();
        let language = crate::language::by_name("kotlin").unwrap();
        parser.set_language(&(language.grammar)()).unwrap();
        parser.set_logger(Some(log.logger()));
        parser.parse("class A {\n  fun f() {\n    b = 1\n    final = true\n  }\n}\n", None).unwrap();
        let (failures, messages) = log.finish();
        assert!(messages > 100, "{messages}");
        assert_eq!(failures.first(), Some(&Failure { row: 3, column: 9 }), "{failures:?}");
        parser.parse("class A {\n  fun f() {\n    b = 1\n  }\n}\n", None).unwrap();
        assert_eq!(log.finish().0, []);
    }
}
