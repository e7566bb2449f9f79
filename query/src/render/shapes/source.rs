//! What the calls give that read the source.

use schemars::JsonSchema;
use serde::Serialize;

use super::graph::{Definition, definition};
use super::{SCHEMA_VERSION, line};
use crate::read;

/// What files define.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Outlines<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'static str,
    /// The files.
    results: Vec<Outline<'a>>,
}

/// What a file defines.
#[derive(Serialize, JsonSchema)]
struct Outline<'a> {
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// Its symbols in the order of the text.
    symbols: Vec<InOutline<'a>>,
}

/// A symbol of an outline.
#[derive(Serialize, JsonSchema)]
struct InOutline<'a> {
    #[serde(flatten)]
    definition: Definition<'a>,
    /// Owners around it within the file.
    depth: u32,
}

/// Pieces of source.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownAnswer<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'static str,
    /// The pieces.
    results: Vec<Shown<'a>>,
}

/// A piece of source.
#[derive(Serialize, JsonSchema)]
struct Shown<'a> {
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// The language.
    language: &'a str,
    /// First line, from 1.
    start_line: u32,
    /// Last line, inclusive.
    end_line: u32,
    /// The symbol, where one was asked for.
    symbol: Option<Definition<'a>>,
    /// The lines.
    text: &'a str,
}

/// The lines that match.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Matches<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'static str,
    /// The pattern.
    pattern: &'a str,
    /// Lines that match, also those that are not given.
    lines: u64,
    /// Files with such lines, also those that are not given.
    files: u64,
    /// The lines, by files.
    results: Vec<InFile<'a>>,
}

/// The lines of a file.
#[derive(Serialize, JsonSchema)]
struct InFile<'a> {
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// The lines, ascending.
    lines: Vec<Line<'a>>,
}

/// A line that matches.
#[derive(Serialize, JsonSchema)]
struct Line<'a> {
    /// Its number, from 1.
    line: u32,
    /// The first match's column in bytes, from 0.
    column: u32,
    /// Its text.
    text: &'a str,
    /// The symbol around it, by its qualified name.
    symbol: Option<&'a str>,
}

/// What files define, on one line.
pub(crate) fn outline_json(outlines: &[read::Outline]) -> String {
    fn symbol(of: &read::OutlineSymbol) -> InOutline<'_> {
        let read::OutlineSymbol { definition: symbol, depth } = of;
        InOutline { definition: definition(symbol), depth: *depth }
    }
    let results = outlines.iter().map(|outline| Outline {
        repo: &outline.repo,
        path: &outline.path,
        symbols: outline.symbols.iter().map(symbol).collect(),
    });
    line(&Outlines { schema_version: SCHEMA_VERSION, command: "outline", results: results.collect() })
}

/// Pieces of source on one line.
pub(crate) fn show_json(shown: &[read::Shown]) -> String {
    let results = shown.iter().map(|shown| Shown {
        repo: &shown.repo,
        path: &shown.path,
        language: &shown.language,
        start_line: shown.start_line,
        end_line: shown.end_line,
        symbol: shown.symbol.as_ref().map(definition),
        text: &shown.text,
    });
    line(&ShownAnswer { schema_version: SCHEMA_VERSION, command: "show", results: results.collect() })
}

/// Lines that match on one line.
pub(crate) fn grep_json(pattern: &str, matches: &read::Matches) -> String {
    fn of_line(of: &read::GrepLine) -> Line<'_> {
        let read::GrepLine { line, column, text, symbol } = of;
        Line { line: *line, column: *column, text, symbol: symbol.as_deref() }
    }
    let results = matches.results.iter().map(|file| InFile {
        repo: &file.repo,
        path: &file.path,
        lines: file.lines.iter().map(of_line).collect(),
    });
    line(&Matches {
        schema_version: SCHEMA_VERSION,
        command: "grep",
        pattern,
        lines: matches.lines,
        files: matches.files,
        results: results.collect(),
    })
}
