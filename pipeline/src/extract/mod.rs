//! A file's text into symbols, references and blocks: one parse, one walk of the tree by the
//! language's query. This module must not know any language, other files, or chunks.

mod clean;
mod engine;
mod hooks;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sextant_formats::kinds::{Kind, ParseStatus};
use tree_sitter::{ParseOptions, Parser, QueryCursor, Tree};

use crate::language::Language;
use crate::model::{Block, Reference, Symbol};

pub use clean::type_segments;
pub use hooks::HOOKS;

/// A file that takes longer than this to parse is pathological; its text is cut into windows.
const PARSE_TIMEOUT: Duration = Duration::from_secs(5);

/// What a file holds.
#[derive(Debug)]
pub struct Extraction {
    /// The file itself, then its definitions in the order of the text.
    pub symbols: Vec<Symbol>,
    /// Uses in the order of the text.
    pub references: Vec<Reference>,
    /// Logic blocks in the order of the text, outer before inner.
    pub blocks: Vec<Block>,
    /// How the parse went.
    pub status: ParseStatus,
}

/// The parser and the query cursor of one thread.
pub struct Extractor {
    parser: Parser,
    cursor: QueryCursor,
}

impl Default for Extractor {
    fn default() -> Self {
        Self::new()
    }
}

impl Extractor {
    /// A new parser and cursor.
    #[must_use]
    pub fn new() -> Self {
        let mut cursor = QueryCursor::new();
        // Bounds the matches that are open at once; a file that exceeds it loses some, not all.
        cursor.set_match_limit(8192);
        Self { parser: Parser::new(), cursor }
    }

    /// Extracts from a text in a language; with [`ParseStatus::Timeout`] only the file symbol.
    pub fn extract(&mut self, language: &'static Language, path: &str, text: &str) -> Extraction {
        let Some(tree) = self.parse(language, text) else {
            return Extraction {
                symbols: vec![file_symbol(path, text)],
                references: Vec::new(),
                blocks: Vec::new(),
                status: ParseStatus::Timeout,
            };
        };
        let status = if tree.root_node().has_error() { ParseStatus::Partial } else { ParseStatus::Parsed };
        let raw = engine::walk(&mut self.cursor, language, &tree, text);
        engine::assemble(language, path, text, raw, status)
    }

    fn parse(&mut self, language: &Language, text: &str) -> Option<Tree> {
        let grammar = (language.grammar)();
        // The crates are pinned and a test loads every grammar: versions fit.
        self.parser.set_language(&grammar).ok()?;
        let started = Instant::now();
        let mut progress = |_: &tree_sitter::ParseState| {
            if started.elapsed() > PARSE_TIMEOUT { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let bytes = text.as_bytes();
        let tree = self.parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
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
    let name = path.rsplit('/').next().unwrap_or(path);
    Symbol {
        name: name.to_owned(),
        qualified_name: path.to_owned(),
        kind: Kind::File,
        lead_line: 1,
        start_line: 1,
        end_line: u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1),
        start_byte: 0,
        end_byte: text.len(),
        name_line: 1,
        name_column: 0,
        container: None,
        has_body: true,
        signature: None,
        doc: None,
        exported: true,
        chunk: None,
    }
}

#[cfg(test)]
mod tests;
