//! The way through this crate: a path and bytes in, everything that is known of the file out.

use sextant_format::digest::Digest;
use sextant_format::kinds::ParseStatus;

use crate::chunk::{self, Limits, LineIndex};
use crate::extract::{self, Extraction, Extractor};
use crate::language::{self, Language, TEXT};
use crate::model::{Chunk, Reference, Symbol, TypeFact};
use crate::project::{self, ProjectConfig};
use crate::text::{self, DecodedText, Skip};

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The language, or none where no grammar reads it.
    pub language: Option<&'static Language>,
    /// How its bytes are characters: a name of the WHATWG encoding standard, in lower case.
    pub encoding: &'static str,
    /// blake3 of its bytes.
    pub content_hash: Digest,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its lines.
    pub lines: u32,
    /// How it was read.
    pub status: ParseStatus,
    /// How many lines the grammar did not understand.
    pub error_lines: u32,
    /// Whether a program wrote it.
    pub is_generated: bool,
    /// Its symbols in the order of the text; the first is the file itself.
    pub symbols: Vec<Symbol>,
    /// Its chunks, parents before children.
    pub chunks: Vec<Chunk>,
    /// Its uses of names in the order of the text.
    pub references: Vec<Reference>,
    /// What it says of types.
    pub type_facts: Vec<TypeFact>,
    /// What it says of the project's modules.
    pub project: Option<ProjectConfig>,
}

impl Analysis {
    /// The language's name, or `text`.
    #[must_use]
    pub fn language_name(&self) -> &'static str {
        self.language.map_or(TEXT, |language| language.name)
    }
}

/// What a thread keeps from file to file.
#[derive(Default)]
pub struct Analyzer {
    extractor: Extractor,
}

impl Analyzer {
    /// A new one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a file's bytes; the path is relative to its repository, with `/`.
    pub fn analyze(&mut self, path: &str, bytes: Vec<u8>, limits: &Limits) -> Result<Analysis, Skip> {
        let text = text::decode(bytes)?;
        let language = language::detect(file_name(path), &text.text);
        Ok(self.analyze_text(path, text, language, limits))
    }

    /// Reads a file's text, whose language is known.
    pub fn analyze_text(
        &mut self,
        path: &str,
        text: DecodedText,
        language: Option<&'static Language>,
        limits: &Limits,
    ) -> Analysis {
        let DecodedText { text, encoding, content_hash, bytes } = text;
        let lines = LineIndex::new(&text);
        let mut found = match language {
            _ if text.trim().is_empty() => file_only(path, &text, ParseStatus::Empty),
            Some(language) => self.extractor.extract(language, path, &lines),
            None => file_only(path, &text, ParseStatus::Windows),
        };
        let chunks = match found.status {
            ParseStatus::Empty => Vec::new(),
            ParseStatus::Windows | ParseStatus::Timeout => chunk::windows(&lines, &mut found.symbols[0], limits),
            ParseStatus::Parsed | ParseStatus::Partial | ParseStatus::Patterns => {
                chunk::chunk(&lines, &mut found.symbols, &found.blocks, &found.error_ranges, limits)
            }
        };
        Analysis {
            language,
            encoding,
            content_hash,
            bytes,
            lines: lines.count(),
            status: found.status,
            error_lines: found.error_ranges.iter().map(|(first, last)| last - first + 1).sum(),
            is_generated: text::is_generated(&text),
            symbols: found.symbols,
            chunks,
            references: found.references,
            type_facts: found.type_facts,
            project: project::parse_project_config(path, &text),
        }
    }
}

/// The last part of a path.
#[must_use]
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A text with no symbol but itself.
fn file_only(path: &str, text: &str, status: ParseStatus) -> Extraction {
    Extraction {
        symbols: vec![extract::file_symbol(path, text)],
        references: Vec::new(),
        type_facts: Vec::new(),
        blocks: Vec::new(),
        status,
        error_ranges: Vec::new(),
    }
}
