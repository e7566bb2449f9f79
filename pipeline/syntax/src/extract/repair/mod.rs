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

/// How much of a text is in errors: lines, and tokens that belong to nothing.
type Damage = (u32, usize);

/// Parses a text with long errors again, with small changes where the parser failed. Loads the tree that is returned.
pub(super) fn repair<'t>(
    parser: &mut Parser,
    nodes: &mut FlatTree,
    language: &'static Language,
    lines: &LineIndex<'_>,
    parsed: Parsed<'t>,
) -> Parsed<'t> {
    // Where a preprocessor makes the code, the text is not what the grammar describes, and changes find nothing.
    if language.has_preprocessor {
        return parsed;
    }
    let Some(mut long) = long_errors(nodes, lines, language) else { return parsed };
    let before = damage(nodes, lines, language);
    let (found_before, lost_before) = definitions(nodes, lines, language);
    let mut messages_left = MAX_MESSAGES;
    let mut text = parsed.text.to_string();
    let Some((mut tree, mut failures)) = parse_with_log(parser, language, &text, None, &mut messages_left) else {
        return parsed;
    };
    let mut left_out = Vec::new();
    let (mut hopeless, mut changed_places) = (0, 0);
    // Failures before this byte cannot be repaired.
    let mut from = 0;
    while let Some(at) = first_failure(&failures, lines, &long, from) {
        let mut repaired = None;
        for change in changes::changes(&text, at) {
            let Some(changed) = change.apply(&text) else { continue };
            if loses_definition(lines, &changed, &change.range, language) {
                continue;
            }
            if messages_left == 0 {
                break;
            }
            let mut edited = tree.clone();
            mask::edits(&text, &changed, lines).iter().for_each(|edit| edited.edit(edit));
            let retried = parse_with_log(parser, language, &changed, Some(&edited), &mut messages_left);
            let Some((retried, retried_failures)) = retried else { continue };
            nodes.load(&retried);
            let retried_long = long_errors(nodes, lines, language).unwrap_or_default();
            // The parser must get past all that changed.
            let next = first_failure(&retried_failures, lines, &retried_long, from);
            if next.is_none_or(|next| next > at.max(change.range.end)) {
                repaired = Some((change, changed, retried, retried_failures, retried_long));
                break;
            }
        }
        match repaired {
            Some((change, changed, retried, retried_failures, retried_long)) => {
                changed_places += 1;
                left_out.extend(lines_left_out(&change, lines));
                (text, tree, failures, long) = (changed, retried, retried_failures, retried_long);
            }
            None => (from, hopeless) = (at + 1, hopeless + 1),
        }
        if messages_left == 0 || hopeless == MAX_HOPELESS || changed_places == MAX_CHANGES {
            break;
        }
    }
    nodes.load(&tree);
    let (found, lost) = definitions(nodes, lines, language);
    if found >= found_before && lost <= lost_before && damage(nodes, lines, language) < before {
        return Parsed { text: Cow::Owned(text), tree, left_out };
    }
    nodes.load(&parsed.tree);
    parsed
}

/// Parses a text and returns the places where the parser failed.
fn parse_with_log(
    parser: &mut Parser,
    language: &'static Language,
    text: &str,
    old: Option<&Tree>,
    messages_left: &mut usize,
) -> Option<(Tree, Vec<Failure>)> {
    let log = ParseLog::default();
    parser.set_logger(Some(log.logger()));
    let tree = parse(parser, language, text, &[], old);
    parser.set_logger(None);
    let (failures, messages) = log.finish();
    *messages_left = messages_left.saturating_sub(messages);
    Some((tree?, failures))
}

/// The long errors of a tree, as first and last line; none if there are none.
fn long_errors(nodes: &FlatTree, lines: &LineIndex<'_>, language: &Language) -> Option<Vec<(u32, u32)>> {
    let source = ParsedSource { nodes, text: lines.text(), lines, compiled: language.compiled() };
    let mut found = parsed_source::error_ranges(&source);
    found.retain(|(first, last)| last - first >= MIN_LONG_LINES);
    (!found.is_empty()).then_some(found)
}

fn damage(nodes: &FlatTree, lines: &LineIndex<'_>, language: &Language) -> Damage {
    let source = ParsedSource { nodes, text: lines.text(), lines, compiled: language.compiled() };
    let in_errors = parsed_source::error_ranges(&source).iter().map(|(first, last)| last - first + 1).sum();
    (in_errors, parsed_source::loose_tokens(nodes))
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

/// What is found of the definitions of a text: how many the language's queries find; and how many lines seem to define
/// something, where they do not and no pattern looks because there is no error.
fn definitions(nodes: &FlatTree, lines: &LineIndex<'_>, language: &Language) -> (usize, usize) {
    let compiled = language.compiled();
    let source = ParsedSource { nodes, text: lines.text(), lines, compiled };
    let found = captures::collect(&source).definitions;
    let named: FxHashSet<u32> = found.iter().map(|definition| source.position(definition.name.node).0).collect();
    let errors = parsed_source::error_ranges(&source);
    let is_in_error = |line: &u32| errors.iter().any(|(first, last)| (first..=last).contains(&line));
    let seems = |line: &u32| {
        let text = &lines.text()[lines.start(*line)..lines.start(line + 1)];
        line_patterns::match_definition(text.trim_end(), &compiled.definition_patterns).is_some()
    };
    let lost = (1..=lines.count()).filter(|line| !named.contains(line) && !is_in_error(line) && seems(line)).count();
    (found.len(), lost)
}

/// The first byte from `from` on at which the parser failed within one of the errors.
fn first_failure(failures: &[Failure], lines: &LineIndex<'_>, errors: &[(u32, u32)], from: usize) -> Option<usize> {
    let at = |failure: &Failure| {
        let line = u32::try_from(failure.row + 1).unwrap_or(u32::MAX);
        let byte = (lines.start(line) + failure.column).min(lines.text().len());
        let is_within = errors.iter().any(|(first, last)| (*first..=*last).contains(&line));
        (is_within && byte >= from && lines.text().is_char_boundary(byte)).then_some(byte)
    };
    failures.iter().filter_map(at).min()
}

fn lines_left_out(change: &Change, lines: &LineIndex<'_>) -> Option<(u32, u32)> {
    let last = change.range.end.checked_sub(1)?;
    change.leaves_out.then(|| (lines.position(change.range.start).0, lines.position(last).0))
}
