//! Answers that hold source.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::{Edited, read};

use super::{Definition, SCHEMA_VERSION};
use crate::location::{FileLocation, Location};

/// What files define.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutlineAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The files.
    pub results: Vec<Outline>,
}

/// What a file defines.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Outline {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// Its symbols in the order of the text.
    pub symbols: Vec<OutlineSymbol>,
}

/// A symbol of an outline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutlineSymbol {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// Owners around it within the file.
    pub depth: u32,
}

/// Excerpts of the source.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ShowAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The excerpts.
    pub results: Vec<Excerpt>,
}

/// An excerpt of the source.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Excerpt {
    /// Where it is.
    #[serde(flatten)]
    pub location: Location,
    /// The language.
    pub language: String,
    /// The symbol, where one was asked for.
    pub symbol: Option<Definition>,
    /// The lines.
    pub text: String,
}

/// The lines that match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GrepAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The pattern.
    pub pattern: String,
    /// Lines that match, those included that are not listed.
    pub lines: u64,
    /// Files with such lines, those included that are not listed.
    pub files: u64,
    /// The lines, by files.
    pub results: Vec<FileMatches>,
}

/// The matching lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileMatches {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The lines, ascending.
    pub lines: Vec<LineMatch>,
}

/// A line that matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineMatch {
    /// Its number, from 1.
    pub line: u32,
    /// The first match's column in bytes, from 0.
    pub column: u32,
    /// Its text.
    pub text: String,
    /// The symbol around it, by its qualified name.
    pub symbol: Option<String>,
}

impl Outline {
    fn new(outline: read::Outline, edited: &Edited) -> Self {
        let symbol = |symbol: read::OutlineSymbol| OutlineSymbol {
            definition: Definition::new(symbol.definition, edited),
            depth: symbol.depth,
        };
        Self {
            file: FileLocation::new(edited, &outline.repo, &outline.path),
            symbols: outline.symbols.into_iter().map(symbol).collect(),
        }
    }
}

impl OutlineAnswer {
    pub(crate) fn new(outlines: Vec<read::Outline>, edited: &Edited) -> Self {
        let results = outlines.into_iter().map(|outline| Outline::new(outline, edited)).collect();
        Self { schema_version: SCHEMA_VERSION, command: "outline", results }
    }
}

impl ShowAnswer {
    pub(crate) fn new(shown: Vec<read::SourceExcerpt>, edited: &Edited) -> Self {
        let results = shown.into_iter().map(|shown| Excerpt {
            location: Location::new(edited, &shown.repo, &shown.path, shown.start_line, shown.end_line),
            language: shown.language,
            symbol: shown.symbol.map(|symbol| Definition::new(symbol, edited)),
            text: shown.text,
        });
        Self { schema_version: SCHEMA_VERSION, command: "show", results: results.collect() }
    }
}

impl GrepAnswer {
    pub(crate) fn new(pattern: &str, matches: read::GrepMatches, edited: &Edited) -> Self {
        let line = |read::GrepLine { line, column, text, symbol }| LineMatch { line, column, text, symbol };
        let results = matches.results.into_iter().map(|file| FileMatches {
            file: FileLocation::new(edited, &file.repo, &file.path),
            lines: file.lines.into_iter().map(line).collect(),
        });
        Self {
            schema_version: SCHEMA_VERSION,
            command: "grep",
            pattern: pattern.to_owned(),
            lines: matches.lines,
            files: matches.files,
            results: results.collect(),
        }
    }
}
