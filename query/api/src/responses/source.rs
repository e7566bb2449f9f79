//! Answers that contain source text.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::{DirtyFiles, read};

use super::{Definition, SCHEMA_VERSION};
use crate::location::{FileLocation, Location};

/// The answer of `outline`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutlineAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The files.
    pub results: Vec<Outline>,
}

/// The outline of a file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Outline {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// Its symbols, in source order.
    pub symbols: Vec<OutlineSymbol>,
}

/// A symbol of an outline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutlineSymbol {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The number of symbols of the file that enclose it.
    pub depth: u32,
}

/// The answer of `show`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ShowAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The excerpts.
    pub results: Vec<Excerpt>,
}

/// An excerpt of a file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Excerpt {
    /// Its location.
    #[serde(flatten)]
    pub location: Location,
    /// The language.
    pub language: String,
    /// The symbol, if the request named one.
    pub symbol: Option<Definition>,
    /// The lines.
    pub text: String,
}

/// The answer of `grep`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GrepAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The pattern.
    pub pattern: String,
    /// The number of matching lines, including those not listed.
    pub lines: u64,
    /// The number of files with matching lines, including those not listed.
    pub files: u64,
    /// The files with their matching lines.
    pub results: Vec<FileMatches>,
}

/// The matching lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileMatches {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The lines, in ascending order.
    pub lines: Vec<LineMatch>,
}

/// A matching line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineMatch {
    /// Its number, from 1.
    pub line: u32,
    /// The column of its first match: the offset in bytes, from 0.
    pub column: u32,
    /// Its text.
    pub text: String,
    /// The qualified name of the innermost symbol that contains it.
    pub symbol: Option<String>,
}

impl Outline {
    fn new(outline: read::Outline, dirty_files: &DirtyFiles) -> Self {
        let symbol = |symbol: read::OutlineSymbol| OutlineSymbol {
            definition: Definition::new(symbol.definition, dirty_files),
            depth: symbol.depth,
        };
        Self {
            file: FileLocation::new(dirty_files, &outline.repo, &outline.path),
            symbols: outline.symbols.into_iter().map(symbol).collect(),
        }
    }
}

impl OutlineAnswer {
    pub(crate) fn new(outlines: Vec<read::Outline>, dirty_files: &DirtyFiles) -> Self {
        let results = outlines.into_iter().map(|outline| Outline::new(outline, dirty_files)).collect();
        Self { schema_version: SCHEMA_VERSION, command: "outline", results }
    }
}

impl ShowAnswer {
    pub(crate) fn new(excerpts: Vec<read::SourceExcerpt>, dirty_files: &DirtyFiles) -> Self {
        let results = excerpts.into_iter().map(|excerpt| Excerpt {
            location: Location::new(dirty_files, &excerpt.repo, &excerpt.path, excerpt.start_line, excerpt.end_line),
            language: excerpt.language,
            symbol: excerpt.symbol.map(|symbol| Definition::new(symbol, dirty_files)),
            text: excerpt.text,
        });
        Self { schema_version: SCHEMA_VERSION, command: "show", results: results.collect() }
    }
}

impl GrepAnswer {
    pub(crate) fn new(pattern: &str, matches: read::GrepMatches, dirty_files: &DirtyFiles) -> Self {
        let line = |read::GrepLine { line, column, text, symbol }| LineMatch { line, column, text, symbol };
        let results = matches.results.into_iter().map(|file| FileMatches {
            file: FileLocation::new(dirty_files, &file.repo, &file.path),
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
