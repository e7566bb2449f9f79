//! Repairs texts that a grammar cannot read: the parser's log says where it failed first, and a small change there lets
//! it read on. Must not know any language.
//!
//! One construct that a grammar lacks may cost all definitions of a type or file. With the change, it costs a word or a
//! line.

mod changes;
mod log;

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashSet;
use sextant_tree_query::FlatTree;
use tree_sitter::{Parser, Tree};

use super::parse::{Parsed, parse};
use super::parsed_source::{self, ParsedSource};
use super::{captures, line_patterns, mask};
use crate::chunk::LineIndex;
use crate::language::Language;
use changes::Change;
use log::{Failure, ParseLog};

/// An error is worth a repair if its last line is at least this many lines after its first.
const MIN_LONG_LINES: u32 = 7;
/// At most this many changes of a text are made.
const MAX_CHANGES: usize = 40;
/// No further change is tried once the parser has written so many messages to its log. Messages are counted, and time is
/// not measured, so that the result does not depend on the machine; a million of them takes about a quarter of a second.
const MAX_MESSAGES: usize = 4_000_000;
/// After so many places that no change helps, the rest is left as it is.
const MAX_HOPELESS: usize = 3;

/// A text in the course of its repair.
struct Attempt {
    text: String,
    tree: Tree,
    failures: Vec<Failure>,
    /// The long errors: first and last line.
    long: Vec<(u32, u32)>,
}

impl Attempt {
    /// The first byte from `from` on at which the parser failed within a long error.
    fn first_failure(&self, lines: &LineIndex<'_>, from: usize) -> Option<usize> {
        let at = |failure: &Failure| {
            let line = u32::try_from(failure.row + 1).unwrap_or(u32::MAX);
            let byte = (lines.start(line) + failure.column).min(lines.text().len());
            let is_within = self.long.iter().any(|(first, last)| (*first..=*last).contains(&line));
            (is_within && byte >= from && lines.text().is_char_boundary(byte)).then_some(byte)
        };
        self.failures.iter().filter_map(at).min()
    }
}

/// Parses a text with long errors again, with small changes where the parser failed. `nodes` has the tree of `parsed`, and
/// then that of what is returned.
pub(super) fn repair<'t>(
    parser: &mut Parser,
    nodes: &mut FlatTree,
    language: &'static Language,
    lines: &LineIndex<'_>,
    parsed: Parsed<'t>,
) -> Parsed<'t> {
    // Where a preprocessor makes the code, the text is not what the grammar describes, and changes find nothing.
    if language.has_preprocessor || long_errors(&ParsedSource::of(nodes, lines, language)).is_empty() {
        return parsed;
    }
    let source = ParsedSource::of(nodes, lines, language);
    let (before, (found_before, lost_before)) = (parsed_source::damage(&source), definitions(&source));
    let mut repair = Repair { parser, nodes, language, lines, messages_left: MAX_MESSAGES };
    let Some(mut attempt) = repair.attempt(parsed.text.to_string(), None) else { return parsed };
    let mut left_out = Vec::new();
    let (mut hopeless, mut changed) = (0, 0);
    // Failures before this byte cannot be repaired.
    let mut from = 0;
    while let Some(at) = attempt.first_failure(lines, from) {
        match repair.get_past(&attempt, at, from) {
            Some((change, next)) => {
                left_out.extend(lines_left_out(&change, lines));
                (attempt, changed) = (next, changed + 1);
            }
            None => (from, hopeless) = (at + 1, hopeless + 1),
        }
        if repair.messages_left == 0 || hopeless == MAX_HOPELESS || changed == MAX_CHANGES {
            break;
        }
    }
    nodes.load(&attempt.tree);
    let source = ParsedSource::of(nodes, lines, language);
    let (found, lost) = definitions(&source);
    if found >= found_before && lost <= lost_before && parsed_source::damage(&source) < before {
        return Parsed { text: Cow::Owned(attempt.text), tree: attempt.tree, left_out };
    }
    nodes.load(&parsed.tree);
    parsed
}

/// What attempts share.
struct Repair<'a> {
    parser: &'a mut Parser,
    nodes: &'a mut FlatTree,
    language: &'static Language,
    lines: &'a LineIndex<'a>,
    messages_left: usize,
}

impl Repair<'_> {
    /// The first change at a failure with which the parser gets past all that changed.
    fn get_past(&mut self, attempt: &Attempt, at: usize, from: usize) -> Option<(Change, Attempt)> {
        for change in changes::changes(&attempt.text, at) {
            let Some(text) = change.apply(&attempt.text) else { continue };
            if loses_definition(self.lines, &text, &change.range, self.language) {
                continue;
            }
            if self.messages_left == 0 {
                return None;
            }
            let mut edited = attempt.tree.clone();
            mask::edits(&attempt.text, &text, self.lines).iter().for_each(|edit| edited.edit(edit));
            let Some(next) = self.attempt(text, Some(&edited)) else { continue };
            let failure = next.first_failure(self.lines, from);
            if failure.is_none_or(|failure| failure > at.max(change.range.end)) {
                return Some((change, next));
            }
        }
        None
    }

    /// Parses a text with a log.
    fn attempt(&mut self, text: String, old: Option<&Tree>) -> Option<Attempt> {
        let log = ParseLog::default();
        self.parser.set_logger(Some(log.logger()));
        let tree = parse(self.parser, self.language, &text, &[], old);
        self.parser.set_logger(None);
        let (failures, messages) = log.finish();
        self.messages_left = self.messages_left.saturating_sub(messages);
        let tree = tree?;
        self.nodes.load(&tree);
        let long = long_errors(&ParsedSource::of(self.nodes, self.lines, self.language));
        Some(Attempt { text, tree, failures, long })
    }
}

/// The long errors of a tree, as first and last line.
fn long_errors(source: &ParsedSource<'_>) -> Vec<(u32, u32)> {
    let mut found = parsed_source::error_ranges(source);
    found.retain(|(first, last)| last - first >= MIN_LONG_LINES);
    found
}

/// Whether a line within `range` defines something, and does not in the changed text.
fn loses_definition(lines: &LineIndex<'_>, changed: &str, range: &Range<usize>, language: &Language) -> bool {
    let patterns = &language.compiled().definition_patterns;
    let (first, last) = (lines.position(range.start).0, lines.position(range.end.saturating_sub(1)).0);
    (first..=last).any(|line| {
        let at = lines.start(line)..lines.start(line + 1);
        let defines = |text: &str| {
            text.get(at.clone())
                .is_some_and(|text| line_patterns::match_definition(text.trim_end(), patterns).is_some())
        };
        defines(lines.text()) && !defines(changed)
    })
}

/// How many definitions the language's queries find, and how many they lose: lines that look like a definition, of which
/// none is found, outside of errors. In errors, patterns find them later.
fn definitions(source: &ParsedSource<'_>) -> (usize, usize) {
    let found = captures::collect(source).definitions;
    let named: FxHashSet<u32> = found.iter().map(|definition| source.position(definition.name.node).0).collect();
    let errors = parsed_source::error_ranges(source);
    let is_in_error = |line: &u32| errors.iter().any(|(first, last)| (first..=last).contains(&line));
    let looks_like_one = |line: &u32| {
        let text = &source.text[source.lines.start(*line)..source.lines.start(line + 1)];
        line_patterns::match_definition(text.trim_end(), &source.compiled.definition_patterns).is_some()
    };
    let is_lost = |line: &u32| !named.contains(line) && !is_in_error(line) && looks_like_one(line);
    (found.len(), (1..=source.lines.count()).filter(is_lost).count())
}

/// The lines in which a change leaves something out: first and last.
fn lines_left_out(change: &Change, lines: &LineIndex<'_>) -> Option<(u32, u32)> {
    let last = change.range.end.checked_sub(1)?;
    change.leaves_out.then(|| (lines.position(change.range.start).0, lines.position(last).0))
}
