//! The places of names in the patterns that take values apart: `(a, b)`, `A(b, c)`. Must not know what the parts are.

use super::parsed_source::ParsedSource;
use super::types;

/// A name is at most this many levels below its pattern.
const MAX_PATTERN_LEVELS: usize = 3;

/// The number of a node among the parts of a pattern or list, `(a, b)`, by the commas before it. `None` if a part stands
/// for several.
pub(super) fn place_in_pattern(source: &ParsedSource<'_>, node: u32) -> Option<usize> {
    // The part may be in nodes of its own: `mut a`.
    let is_list = |text: &str| text.starts_with(['(', '[']) || types::commas_outside_of_brackets(text) > 0;
    let lists = std::iter::successors(Some(source.nodes.parent(node)), |&node| Some(source.nodes.parent(node)));
    let list = lists.take(MAX_PATTERN_LEVELS).find(|&node| is_list(source.text(node)))?;
    let before = source.text.get(source.nodes.range(list).start..source.nodes.range(node).start)?;
    let inside = before.trim_start_matches(['(', '[']);
    (!inside.contains("..") && !inside.contains('*')).then(|| types::commas_outside_of_brackets(inside))
}

/// The number of a node among the parts of a pattern that has a name, `A(b, c)`. `None` if a part stands for several.
pub(super) fn place_after_name(source: &ParsedSource<'_>, node: u32) -> Option<usize> {
    let around = std::iter::successors(Some(source.nodes.parent(node)), |&node| Some(source.nodes.parent(node)));
    let pattern = around.take(MAX_PATTERN_LEVELS).find(|&node| source.text(node).ends_with(')'))?;
    let before = source.text.get(source.nodes.range(pattern).start..source.nodes.range(node).start)?;
    let inside = before.split_once('(')?.1;
    (!inside.contains("..")).then(|| types::commas_outside_of_brackets(inside))
}
