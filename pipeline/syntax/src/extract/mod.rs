//! A file's text into symbols, references and blocks: one parse, one walk of the tree by the
//! language's query. This module must not know any language, other files, or chunks.

mod braces;
mod captures;
mod clean;
mod embedded;
mod hooks;
mod line_patterns;
mod locals;
mod mask;
mod parsed_source;
mod scope_recovery;
mod type_facts;
mod types;

use std::ops::ControlFlow;

use sextant_format::kinds::{Kind, ParseStatus};
use tree_sitter::{ParseOptions, Parser, Range, Tree};

use crate::chunk::LineIndex;
use crate::language::Language;
use crate::model::{Block, Reference, Symbol, TypeFact};
use sextant_tree_query::FlatTree;

use parsed_source::ParsedSource;

pub use clean::type_segments;
pub use hooks::HOOKS;
pub use mask::Mask;
pub use type_facts::{DEFAULT_EXPORT, MODULE_EXPORTS};
pub use types::{BUILT_IN, access_path, arity_range, type_alternatives};

/// A parse that needs more steps than this and [`PARSE_STEPS_PER_BYTE`] allow is given up. It is counted, not
/// timed: the result must not depend on the machine. The parser reports every hundred of its own
/// operations; ordinary code needs about one report for each hundred bytes.
const BASE_PARSE_STEPS: usize = 2_000;
/// What a parse may need for each byte, beyond [`BASE_PARSE_STEPS`].
const PARSE_STEPS_PER_BYTE: usize = 2;

/// A text with an error on one of so many lines is worth a second parse.
const MAX_LINES_PER_ERROR_LINE: u32 = 50;

/// What a file holds.
#[derive(Debug)]
pub struct Extraction {
    /// The file itself, then its definitions in the order of the text.
    pub symbols: Vec<Symbol>,
    /// Uses in the order of the text.
    pub references: Vec<Reference>,
    /// What is said of types, in the order of the text.
    pub type_facts: Vec<TypeFact>,
    /// Logic blocks in the order of the text, outer before inner.
    pub blocks: Vec<Block>,
    /// How the parse went.
    pub status: ParseStatus,
    /// Lines that the grammar did not understand, first and last, from 1, in the order of the text.
    pub error_ranges: Vec<(u32, u32)>,
}

/// The parser of one thread, and memory for a tree.
#[derive(Default)]
pub struct Extractor {
    parser: Parser,
    nodes: FlatTree,
}

impl Extractor {
    /// A new parser.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Extracts from a text in a language. A text that the grammar cannot cope with has the symbols
    /// that simple patterns find, and the status [`ParseStatus::Patterns`], or
    /// [`ParseStatus::Timeout`] where they find none.
    pub fn extract(&mut self, language: &'static Language, path: &str, lines: &LineIndex<'_>) -> Extraction {
        let text = lines.text();
        let compiled = language.compiled();
        let masked = mask::mask(&compiled.masks, false, text);
        let first = masked.as_deref().unwrap_or(text);
        let Some(mut tree) = self.parse(language, first, &[], None) else {
            let symbols = line_patterns::find_symbols(path, text, &compiled.definition_patterns);
            let status = if symbols.len() > 1 { ParseStatus::Patterns } else { ParseStatus::Timeout };
            let error_ranges = vec![(1, symbols[0].end_line)];
            let (references, type_facts, blocks) = (Vec::new(), Vec::new(), Vec::new());
            return Extraction { symbols, references, type_facts, blocks, status, error_ranges };
        };
        self.nodes.load(&tree);
        if tree.root_node().has_error() {
            tree = self.reparse_masked(language, lines, first, tree);
        }
        let status = if tree.root_node().has_error() { ParseStatus::Partial } else { ParseStatus::Parsed };
        let source = ParsedSource { nodes: &self.nodes, text, lines, compiled };
        let mut raw = captures::collect(&source);
        let pieces: Vec<_> = std::mem::take(&mut raw.embedded)
            .into_iter()
            .take(embedded::MAX_EMBEDDED_RANGES)
            .map(|(node, other)| (source.ranges_without_children(node), other))
            // To the parser no ranges are the whole text.
            .filter(|(spans, _)| !spans.is_empty())
            .collect();
        let mut found = captures::assemble(language, path, &source, raw, status);
        if status == ParseStatus::Partial {
            found.error_ranges = self::parsed_source::error_ranges(&source);
            line_patterns::recover_in_errors(path, text, &compiled.definition_patterns, &mut found);
            scope_recovery::recover_scopes(language, lines, &mut found);
        }
        let has_pieces = !pieces.is_empty();
        for (spans, other) in pieces {
            // One level: a script inside of a page inside of a document stays a text.
            if let Some(tree) = self.parse(other, text, &spans, None) {
                self.nodes.load(&tree);
                let source = ParsedSource { nodes: &self.nodes, text, lines, compiled: other.compiled() };
                let raw = captures::collect(&source);
                let inner = captures::assemble(other, path, &source, raw, ParseStatus::Parsed);
                embedded::insert(&mut found, inner);
            }
        }
        if has_pieces {
            embedded::sort_by_position(&mut found);
        }
        found
    }

    /// A second parse of a text with errors, without what the language's row says that grammars stumble
    /// over. `first` is the text that was parsed first: what both have in common is not parsed again. Gives
    /// the better tree, which is laid out in `nodes`.
    fn reparse_masked(&mut self, language: &'static Language, lines: &LineIndex<'_>, first: &str, tree: Tree) -> Tree {
        let compiled = language.compiled();
        if !compiled.masks.iter().any(|mask| mask.retry) {
            return tree;
        }
        let errors = |nodes: &FlatTree| {
            parsed_source::error_ranges(&ParsedSource { nodes, text: lines.text(), lines, compiled })
        };
        let count = |errors: &[(u32, u32)]| -> u32 { errors.iter().map(|(first, last)| last - first + 1).sum() };
        let error_ranges = errors(&self.nodes);
        let before = count(&error_ranges);
        // A slip on a line or two loses nothing that is worth a second parse.
        let is_worth_reparsing =
            error_ranges.iter().any(|(first, last)| last - first >= line_patterns::MIN_ERROR_LINES);
        if !is_worth_reparsing && before * MAX_LINES_PER_ERROR_LINE < lines.count() {
            return tree;
        }
        let Some(masked) = mask::mask(&compiled.masks, true, lines.text()) else { return tree };
        let mut edited = tree.clone();
        for edit in mask::edits(first, &masked, lines) {
            edited.edit(&edit);
        }
        let Some(again) = self.parse(language, &masked, &[], Some(&edited)) else { return tree };
        self.nodes.load(&again);
        if count(&errors(&self.nodes)) < before {
            return again;
        }
        self.nodes.load(&tree);
        tree
    }

    /// Parses a text, or pieces of it; of `old`, a tree of nearly the same text, it keeps what it can.
    fn parse(&mut self, language: &Language, text: &str, pieces: &[Range], old: Option<&Tree>) -> Option<Tree> {
        let grammar = (language.grammar)();
        // The crates are pinned and a test loads every grammar: versions fit.
        self.parser.set_language(&grammar).ok()?;
        self.parser.set_included_ranges(pieces).ok()?;
        let bytes = text.as_bytes();
        let size = if pieces.is_empty() { bytes.len() } else { pieces.iter().map(|r| r.end_byte - r.start_byte).sum() };
        let mut steps = BASE_PARSE_STEPS + PARSE_STEPS_PER_BYTE * size;
        let mut progress = |_: &tree_sitter::ParseState| {
            steps = steps.saturating_sub(1);
            if steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let tree = self.parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            old,
            Some(ParseOptions::new().progress_callback(&mut progress)),
        );
        if tree.is_none() {
            self.parser.reset();
        }
        tree
    }
}

/// The symbol that stands for the file itself.
#[must_use]
pub fn file_symbol(path: &str, text: &str) -> Symbol {
    let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + usize::from(!text.ends_with('\n'));
    Symbol {
        name: crate::analyze::file_name(path).to_owned(),
        qualified_name: path.to_owned(),
        kind: Kind::File,
        lead_line: 1,
        start_line: 1,
        end_line: u32::try_from(lines).unwrap_or(u32::MAX),
        start_byte: 0,
        end_byte: text.len(),
        name_line: 1,
        name_column: 0,
        container: None,
        has_body: true,
        signature: None,
        doc: None,
        exported: true,
        embedded: false,
        chunk: None,
    }
}

#[cfg(test)]
mod tests;
