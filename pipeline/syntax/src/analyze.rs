//! The way through this crate: a path and bytes in, everything that is known of the file out.

use sextant_format::digest::Digest;
use sextant_format::kinds::ParseStatus;

use crate::chunk::{self, Limits, Lines};
use crate::extract::{self, Extraction, Extractor};
use crate::language::{self, Language, TEXT};
use crate::model::{Chunk, Reference, Symbol, TypeHint};
use crate::project::{self, Project};
use crate::text::{self, Skip, Text};

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
    pub errors: u32,
    /// Whether a program wrote it.
    pub is_generated: bool,
    /// Its symbols in the order of the text; the first is the file itself.
    pub symbols: Vec<Symbol>,
    /// Its chunks, parents before children.
    pub chunks: Vec<Chunk>,
    /// Its uses of names in the order of the text.
    pub references: Vec<Reference>,
    /// What it says of types.
    pub hints: Vec<TypeHint>,
    /// What it says of the project's modules.
    pub project: Option<Project>,
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
        text: Text,
        language: Option<&'static Language>,
        limits: &Limits,
    ) -> Analysis {
        let Text { text, encoding, content_hash, bytes } = text;
        let lines = Lines::new(&text);
        let mut found = match language {
            _ if text.trim().is_empty() => whole(path, &text, ParseStatus::Empty),
            Some(language) => self.extractor.extract(language, path, &lines),
            None => whole(path, &text, ParseStatus::Windows),
        };
        let chunks = match found.status {
            ParseStatus::Empty => Vec::new(),
            ParseStatus::Windows | ParseStatus::Timeout => chunk::windows(&lines, &mut found.symbols[0], limits),
            ParseStatus::Parsed | ParseStatus::Partial | ParseStatus::Patterns => {
                chunk::chunk(&lines, &mut found.symbols, &found.blocks, &found.errors, limits)
            }
        };
        Analysis {
            language,
            encoding,
            content_hash,
            bytes,
            lines: lines.count(),
            status: found.status,
            errors: found.errors.iter().map(|(first, last)| last - first + 1).sum(),
            is_generated: text::is_generated(&text),
            symbols: found.symbols,
            chunks,
            references: found.references,
            hints: found.hints,
            project: project::project(path, &text),
        }
    }
}

/// The last part of a path.
#[must_use]
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A text with no symbol but itself.
fn whole(path: &str, text: &str, status: ParseStatus) -> Extraction {
    Extraction {
        symbols: vec![extract::file_symbol(path, text)],
        references: Vec::new(),
        hints: Vec::new(),
        blocks: Vec::new(),
        status,
        errors: Vec::new(),
    }
}
