//! Extracts symbols, references and blocks from a file's text: one parse, then one pass over the tree
//! with the language's query. This module must not know any language, other files, or chunks.

mod alternatives;
mod assemble;
mod bindings;
mod braces;
mod call_arguments;
mod captures;
mod clean;
mod closure_parameters;
mod doc_types;
mod embedded;
mod extraction;
mod hooks;
mod line_patterns;
mod locals;
mod macro_code;
mod macro_definitions;
mod mask;
mod narrowing;
mod parse;
mod parsed_source;
mod pattern_places;
mod references;
mod repair;
mod scanner_limits;
mod scope_recovery;
mod symbols;
mod type_facts;
mod types;

use std::borrow::Cow;

use sextant_format::kinds::{Kind, ParseStatus};
use tree_sitter::{Parser, Range};

use crate::chunk::LineIndex;
use crate::language::Language;
use crate::macros::AppliedMacros;
use sextant_tree_query::FlatTree;

use captures::RawCaptures;
use parse::{Parsed, parse};
use parsed_source::{ParsedSource, merged};

pub use crate::language::Mask;
pub use clean::type_segments;
pub use extraction::{Extraction, file_symbol};
pub use hooks::HOOKS;
pub use narrowing::narrowed_type;
pub use type_facts::{CALL_SIGNATURE, DEFAULT_EXPORT, LAMBDA_RECEIVER, MODULE_EXPORTS, NARROWED, OBJECT_BODY};
pub use types::{
    BINDING_MARK, BUILT_IN, CLASS_MARK, ENTERED, Elements, NULL, PART_MARK, Parameter, PathNotation, RECEIVER_MARK,
    UNKNOWN_ELEMENT, access_path, access_path_with, arity_range, parameters, split_alternatives, split_elements,
    split_function, split_tuple, tuple_part, type_alternatives, type_parameters,
};

/// A text with short errors only is parsed again if at least one in this many lines is in an error.
const MAX_LINES_PER_ERROR_LINE: u32 = 50;

/// Extracts files. Each thread has its own, so that the parser and the memory of the tree are reused.
#[derive(Default)]
pub struct Extractor {
    parser: Parser,
    nodes: FlatTree,
}

impl Extractor {
    /// Creates an extractor.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Extracts symbols, references and blocks from a text in a language.
    ///
    /// If the parse exceeds its step limit, line patterns find the symbols and the status is
    /// [`ParseStatus::Patterns`], or [`ParseStatus::Timeout`] if they find none.
    pub fn extract(&mut self, language: &'static Language, path: &str, lines: &LineIndex<'_>) -> Extraction {
        self.extract_with_macros(language, path, lines, AppliedMacros::default())
    }

    /// Extracts from a text what [`Self::extract`] does, with the uses of known macros read as what they stand for.
    pub fn extract_with_macros(
        &mut self,
        language: &'static Language,
        path: &str,
        lines: &LineIndex<'_>,
        macros: AppliedMacros,
    ) -> Extraction {
        let text = lines.text();
        let compiled = language.compiled();
        let base = macros.text.as_deref().unwrap_or(text);
        let masked = mask::mask(&compiled.masks, false, base);
        let first = masked.as_deref().unwrap_or(base);
        let Some(tree) = parse(&mut self.parser, language, first, &[], None) else {
            let symbols = line_patterns::find_symbols(path, text, &compiled.definition_patterns);
            let status = if symbols.len() > 1 { ParseStatus::Patterns } else { ParseStatus::Timeout };
            let error_ranges = vec![(1, symbols[0].end_line)];
            let (references, type_facts, blocks) = (Vec::new(), Vec::new(), Vec::new());
            return Extraction { symbols, references, type_facts, blocks, status, error_ranges };
        };
        self.nodes.load(&tree);
        let mut parsed = Parsed { text: Cow::Borrowed(first), tree, left_out: Vec::new() };
        if parsed.tree.root_node().has_error() {
            parsed = self.reparse_masked(language, lines, base, parsed);
            parsed = repair::repair(&mut self.parser, &mut self.nodes, language, lines, parsed);
        }
        let is_whole = !parsed.tree.root_node().has_error() && parsed.left_out.is_empty();
        let status = if is_whole { ParseStatus::Parsed } else { ParseStatus::Partial };
        let source = ParsedSource::of(&self.nodes, lines, language);
        let error_ranges = match status {
            ParseStatus::Partial => merged(parsed_source::error_ranges(&source), parsed.left_out),
            _ => Vec::new(),
        };
        let mut raw = captures::collect(&source);
        let defined = macros.defined.clone();
        (raw.defined, raw.undefined, raw.hidden_uses) = (macros.defined, macros.undefined, macros.uses);
        raw.pointers = macros.pointers;
        self.add_macro_code(language, lines, first, &mut raw);
        let source = ParsedSource::of(&self.nodes, lines, language);
        let embedded: Vec<_> = std::mem::take(&mut raw.embedded)
            .into_iter()
            .take(embedded::MAX_EMBEDDED_RANGES)
            .map(|(node, inner_language)| (source.ranges_without_children(node), inner_language))
            // The parser would take an empty list of ranges for the whole text.
            .filter(|(ranges, _)| !ranges.is_empty())
            .collect();
        let mut found = assemble::assemble(language, path, &source, raw, status);
        if status == ParseStatus::Partial {
            found.error_ranges = error_ranges;
            line_patterns::recover_in_errors(path, text, &compiled.definition_patterns, &mut found);
            scope_recovery::recover_scopes(language, lines, base, &defined, &mut found);
        }
        let has_embedded = !embedded.is_empty();
        for (ranges, inner_language) in embedded {
            // Embedding is followed one level: a script in a page in a document remains text.
            if let Some(tree) = parse(&mut self.parser, inner_language, text, &ranges, None) {
                self.nodes.load(&tree);
                let source = ParsedSource::of(&self.nodes, lines, inner_language);
                let raw = captures::collect(&source);
                let inner = assemble::assemble(inner_language, path, &source, raw, ParseStatus::Parsed);
                embedded::insert(&mut found, inner);
            }
        }
        if has_embedded {
            embedded::sort_by_position(&mut found);
        }
        found
    }

    /// Parses the arguments of macros as code, and adds what is captured in them. `first` is the text of the first parse.
    fn add_macro_code(
        &mut self,
        language: &'static Language,
        lines: &LineIndex<'_>,
        first: &str,
        raw: &mut RawCaptures,
    ) {
        for _ in 0..macro_code::MAX_DEPTH {
            let token_trees = std::mem::take(&mut raw.code);
            let source = ParsedSource::of(&self.nodes, lines, language);
            let Some(found) = macro_code::macro_texts(&source, first, token_trees) else { return };
            let parts = found.ranges.iter().map(|(range, _)| (&found.text, range));
            let made =
                found.definitions.iter().flat_map(|text| found.definition_ranges.iter().map(move |at| (text, at)));
            let parts: Vec<(&String, Range)> =
                parts.chain(made).map(|(text, range)| (text, source.parser_range(range.clone()))).collect();
            let before = raw.definitions.len();
            // One by one: the parser's errors do not spread, and it needs not look for its place among many ranges.
            for (changed, range) in &parts {
                let Some(tree) = parse(&mut self.parser, language, changed, std::slice::from_ref(range), None) else {
                    continue;
                };
                let root = self.nodes.append(&tree);
                let source = ParsedSource::of(&self.nodes, lines, language);
                let errors = parsed_source::error_subtrees(&source, root);
                captures::collect_from(&source, root, &errors, raw);
            }
            let nodes = &self.nodes;
            let is_local = |definition: &captures::DefinitionMatch| {
                matches!(definition.kind, Some(Kind::Constant | Kind::Variable))
                    && found.is_in_expressions(nodes.range(definition.extent).start)
            };
            let mut number = 0;
            raw.definitions.retain(|definition| {
                number += 1;
                number <= before || !is_local(definition)
            });
        }
    }

    /// Parses a text with errors again, with the language's `retry` masks applied. `base` is the text before any mask,
    /// and `parsed` the first parse; unchanged parts are reused. Returns the parse with fewer error lines, and loads it
    /// into `nodes`.
    fn reparse_masked<'t>(
        &mut self,
        language: &'static Language,
        lines: &LineIndex<'_>,
        base: &str,
        parsed: Parsed<'t>,
    ) -> Parsed<'t> {
        let compiled = language.compiled();
        if !compiled.masks.iter().any(|mask| mask.retry) {
            return parsed;
        }
        let before = parsed_source::damage(&ParsedSource::of(&self.nodes, lines, language));
        let has_long_error = || {
            let errors = parsed_source::error_ranges(&ParsedSource::of(&self.nodes, lines, language));
            errors.iter().any(|(first, last)| last - first >= line_patterns::MIN_ERROR_LINES)
        };
        // Errors of only a few lines lose too little to justify a second parse.
        if before.0 * MAX_LINES_PER_ERROR_LINE < lines.count() && !has_long_error() {
            return parsed;
        }
        let Some(masked) = mask::mask(&compiled.masks, true, base) else { return parsed };
        let mut edited = parsed.tree.clone();
        for edit in mask::edits(&parsed.text, &masked, lines) {
            edited.edit(&edit);
        }
        let Some(retried) = parse(&mut self.parser, language, &masked, &[], Some(&edited)) else { return parsed };
        self.nodes.load(&retried);
        if parsed_source::damage(&ParsedSource::of(&self.nodes, lines, language)) < before {
            return Parsed { text: Cow::Owned(masked), tree: retried, left_out: Vec::new() };
        }
        self.nodes.load(&parsed.tree);
        parsed
    }
}

#[cfg(test)]
mod tests;
