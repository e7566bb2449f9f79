//! Parses texts within a limit of steps. Must not know what is found in them.

use std::borrow::Cow;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Range, Tree};

use super::scanner_limits::fits_scanner;
use crate::language::Language;

/// A parse may take this many steps, plus [`PARSE_STEPS_PER_BYTE`] for each byte, and is then cancelled. Steps are
/// counted, not timed, so that the result does not depend on the machine. A step is a call of the parser's progress
/// callback, once per hundred of its operations; ordinary code needs about one step per hundred bytes.
const BASE_PARSE_STEPS: usize = 2_000;
/// Additional steps that a parse may take for each byte.
const PARSE_STEPS_PER_BYTE: usize = 2;

/// A text that was parsed.
pub(super) struct Parsed<'t> {
    /// What the parser saw.
    pub(super) text: Cow<'t, str>,
    /// Its tree.
    pub(super) tree: Tree,
    /// The lines of which something is left out in it: first and last, from 1.
    pub(super) left_out: Vec<(u32, u32)>,
}

/// Parses a text, or only the given ranges of it. `old` is an edited tree of a similar text, parts of which are
/// reused. Returns `None` if the parse exceeds its step limit, or the grammar cannot parse such a text.
pub(super) fn parse(
    parser: &mut Parser,
    language: &Language,
    text: &str,
    ranges: &[Range],
    old: Option<&Tree>,
) -> Option<Tree> {
    if !fits_scanner(language, text) {
        return None;
    }
    let grammar = (language.grammar)();
    // The grammars are pinned and a test loads each of them, so their versions are supported.
    parser.set_language(&grammar).ok()?;
    parser.set_included_ranges(ranges).ok()?;
    let bytes = text.as_bytes();
    let size = if ranges.is_empty() { bytes.len() } else { ranges.iter().map(|r| r.end_byte - r.start_byte).sum() };
    let mut steps = BASE_PARSE_STEPS + PARSE_STEPS_PER_BYTE * size;
    let mut progress = |_: &tree_sitter::ParseState| {
        steps = steps.saturating_sub(1);
        if steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let tree = parser.parse_with_options(
        &mut |at, _| bytes.get(at..).unwrap_or_default(),
        old,
        Some(ParseOptions::new().progress_callback(&mut progress)),
    );
    if tree.is_none() {
        parser.reset();
    }
    tree
}
