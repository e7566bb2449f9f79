//! A tree with its text: the positions and text of nodes. This module must not know captures.

use crate::chunk::LineIndex;
use crate::language::{CompiledLanguage, GrammarField, Language};
use sextant_tree_query::FlatTree;

/// A tree with its text and compiled language.
pub(super) struct ParsedSource<'a> {
    pub(super) nodes: &'a FlatTree,
    pub(super) text: &'a str,
    pub(super) lines: &'a LineIndex<'a>,
    pub(super) compiled: &'a CompiledLanguage,
}

impl<'a> ParsedSource<'a> {
    pub(super) fn of(nodes: &'a FlatTree, lines: &'a LineIndex<'a>, language: &'static Language) -> Self {
        Self { nodes, text: lines.text(), lines, compiled: language.compiled() }
    }

    pub(super) fn child(&self, node: u32, field: GrammarField) -> Option<u32> {
        let field = self.compiled.field(field)?;
        self.nodes.child_by_field(node, field)
    }

    pub(super) fn text(&self, node: u32) -> &'a str {
        self.text.get(self.nodes.range(node)).unwrap_or("")
    }

    /// The line (from 1) and column (in bytes, from 0) of a node.
    pub(super) fn position(&self, node: u32) -> (u32, u32) {
        self.lines.position(self.nodes.range(node).start)
    }

    /// The first and last line of a node, from 1. In some grammars a line comment includes the line break, and a body that
    /// ends where its indentation does the white space before what follows.
    pub(super) fn line_range(&self, node: u32) -> (u32, u32) {
        let range = self.nodes.range(node);
        let trailing = self.text.get(range.clone()).map_or(0, |text| text.len() - text.trim_end().len());
        let end = (range.end - trailing).max(range.start);
        (self.lines.position(range.start).0, self.lines.position(end).0)
    }

    /// The ranges of an embedded text, for the parser: the node without its children, which are syntax of the outer
    /// language.
    pub(super) fn ranges_without_children(&self, node: u32) -> Vec<tree_sitter::Range> {
        let whole = self.nodes.range(node);
        let mut ranges = Vec::new();
        let mut at = whole.start;
        for child in self.nodes.children(node) {
            let child = self.nodes.range(child);
            if child.start > at {
                ranges.push(self.parser_range(at..child.start));
            }
            at = child.end.max(at);
        }
        if at < whole.end {
            ranges.push(self.parser_range(at..whole.end));
        }
        ranges
    }

    /// A range of bytes with its lines and columns, for the parser.
    pub(super) fn parser_range(&self, range: std::ops::Range<usize>) -> tree_sitter::Range {
        let point = |byte: usize| {
            let (line, column) = self.lines.position(byte);
            tree_sitter::Point { row: line as usize - 1, column: column as usize }
        };
        tree_sitter::Range {
            start_byte: range.start,
            end_byte: range.end,
            start_point: point(range.start),
            end_point: point(range.end),
        }
    }

    /// The number of a child among those that count as parameters or arguments.
    pub(super) fn position_in(&self, list: u32, child: u32) -> Option<usize> {
        let is_counted = |child: &u32| self.compiled.is_parameter(self.nodes.kind(*child));
        self.nodes.children(list).filter(is_counted).position(|one| one == child)
    }

    /// The number of parameters among a node's children.
    pub(super) fn parameter_count(&self, node: u32) -> u32 {
        let is_parameter = |child: &u32| self.compiled.is_parameter(self.nodes.kind(*child));
        u32::try_from(self.nodes.children(node).filter(is_parameter).count()).unwrap_or(u32::MAX)
    }
}

/// The subtrees of error nodes in the trees from `root` on.
pub(super) fn error_subtrees(source: &ParsedSource<'_>, root: u32) -> Vec<std::ops::Range<u32>> {
    let mut found = Vec::new();
    let mut node = root;
    while node < source.nodes.count() {
        let end = source.nodes.subtree_end(node);
        if source.nodes.is_error(node) {
            found.push(node..end);
            node = end;
        } else {
            node += 1;
        }
    }
    found
}

/// The lines of error nodes: disjoint runs of first and last line, from 1, in order.
pub(super) fn error_ranges(source: &ParsedSource<'_>) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    let mut node = 0;
    while node < source.nodes.count() {
        if !source.nodes.is_error(node) {
            node += 1;
            continue;
        }
        push_run(&mut found, source.line_range(node));
        node = source.nodes.subtree_end(node);
    }
    found
}

/// The disjoint runs of two lists of lines, in order.
pub(super) fn merged(mut ranges: Vec<(u32, u32)>, others: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    if others.is_empty() {
        return ranges;
    }
    ranges.extend(others);
    ranges.sort_unstable();
    let mut found: Vec<(u32, u32)> = Vec::new();
    ranges.into_iter().for_each(|range| push_run(&mut found, range));
    found
}

/// Adds lines to runs of lines: to the last run if they overlap with it or follow it.
fn push_run(runs: &mut Vec<(u32, u32)>, (first, last): (u32, u32)) {
    match runs.last_mut().filter(|before| first <= before.1 + 1) {
        Some(before) => before.1 = before.1.max(last),
        None => runs.push((first, last)),
    }
}

/// How much of a text is in errors: lines, then tokens that belong to nothing. Where the root itself is an error, so is
/// every line, and fewer such tokens are better.
pub(super) fn damage(source: &ParsedSource<'_>) -> (u32, usize) {
    let in_errors = error_ranges(source).iter().map(|(first, last)| last - first + 1).sum();
    (in_errors, loose_tokens(source.nodes))
}

/// The number of tokens that an error holds directly, because they belong to no node of the grammar.
fn loose_tokens(nodes: &FlatTree) -> usize {
    let is_leaf = |node: u32| nodes.subtree_end(node) == node + 1;
    (0..nodes.count()).filter(|&node| is_leaf(node) && nodes.is_error(nodes.parent(node))).count()
}
