//! What is found in one file, and the symbol of the file itself. Must not know how it is found.

use sextant_format::kinds::{Kind, ParseStatus};

use crate::model::{Block, Reference, Symbol, TypeFact};
use crate::path::file_name;

/// The result of extracting one file.
#[derive(Debug)]
pub struct Extraction {
    /// The file itself, then its definitions in the order of the text.
    pub symbols: Vec<Symbol>,
    /// Uses in the order of the text.
    pub references: Vec<Reference>,
    /// Declared and inferred types in the order of the text.
    pub type_facts: Vec<TypeFact>,
    /// Logic blocks in the order of the text, outer before inner.
    pub blocks: Vec<Block>,
    /// How the file was parsed.
    pub status: ParseStatus,
    /// Runs of lines in syntax errors: first and last line, from 1, inclusive, in the order of the text.
    pub error_ranges: Vec<(u32, u32)>,
}

/// The symbol of the file itself.
#[must_use]
pub fn file_symbol(path: &str, text: &str) -> Symbol {
    let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + usize::from(!text.ends_with('\n'));
    Symbol {
        name: file_name(path).to_owned(),
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
