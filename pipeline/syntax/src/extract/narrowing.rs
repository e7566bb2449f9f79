//! Where a name has the type with which an expression compares it. This module must not know how facts are stored.

use super::parsed_source::ParsedSource;
use crate::language::GrammarField;

/// A test is at most this many levels below the condition that it is part of.
const MAX_LEVELS: usize = 12;
/// What says, before a test or within it, that it holds where a branch is not taken.
const NEGATIONS: [&str; 2] = ["!", "not "];

/// The first and last line of the statement or expression whose condition tests a name, or of the branch whose condition is
/// the type. None if the test is negated, so that the name has the type after it, or if it is no part of a condition.
/// `tested` is the node of the name, `wanted` that of the type.
pub(super) fn lines_of_test(source: &ParsedSource<'_>, tested: u32, wanted: u32) -> Option<(u32, u32)> {
    let condition_field = source.compiled.field(GrammarField::Condition)?;
    let condition_around = |node: u32| {
        let around = std::iter::successors(Some(node), |&node| {
            let parent = source.nodes.parent(node);
            (parent != node).then_some(parent)
        });
        around.take(MAX_LEVELS).find(|&node| source.nodes.field(node) == condition_field)
    };
    // The name is the subject of several tests where the type has a condition of its own.
    let condition = condition_around(wanted).or_else(|| condition_around(tested))?;
    let start = source.nodes.range(condition).start;
    let before = source.text.get(start..source.nodes.range(wanted).start)?;
    // `!=` and the like compare something else.
    let is_negated = NEGATIONS
        .iter()
        .any(|negation| before.match_indices(negation).any(|(at, found)| !before[at + found.len()..].starts_with('=')));
    (!is_negated).then(|| source.line_range(source.nodes.parent(condition)))
}

/// A type fact of a name that a test compares with a type, as text: the lines, if it holds there alone, and the type.
pub(super) fn narrowed_text(lines: Option<(u32, u32)>, types: &str) -> String {
    match lines {
        Some((first, last)) if !types.is_empty() => format!("{first}-{last} {types}"),
        _ => types.to_owned(),
    }
}

/// The first and last line where a name has the type with which it is compared, and the type. Without lines, it may have it
/// everywhere.
///
/// ```
/// use sextant_syntax::extract::narrowed_type;
/// assert_eq!(narrowed_type("3-7 a.Foo"), (Some((3, 7)), "a.Foo"));
/// assert_eq!(narrowed_type("a.Foo"), (None, "a.Foo"));
/// ```
#[must_use]
pub fn narrowed_type(text: &str) -> (Option<(u32, u32)>, &str) {
    let lines = |lines: &str| {
        let (first, last) = lines.split_once('-')?;
        Some((first.parse().ok()?, last.parse().ok()?))
    };
    match text.split_once(' ') {
        Some((written, types)) => lines(written).map_or((None, text), |lines| (Some(lines), types)),
        None => (None, text),
    }
}
