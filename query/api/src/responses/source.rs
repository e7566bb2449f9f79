//! Answers that contain source text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sextant_search::{DirtyFiles, navigate, read};

use super::{Constant, Definition, Neighbour, NotFound, SCHEMA_VERSION, SourceLine};
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
    /// With `names`: what the names in the file lead to, each once. Absent without it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Definition>,
    /// With `names`: the names in the file whose targets the index knows, in source order. Absent without it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<NamedPlace>,
}

/// A name in a file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NamedPlace {
    /// Its line, from 1.
    pub line: u32,
    /// Its column: the offset in bytes, from 0.
    pub column: u32,
    /// Its length in bytes.
    pub length: u32,
    /// Index of its target in `targets`, the likeliest if there are several.
    pub target: usize,
    /// The kind of use; absent where the target is defined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<&'static str>,
    /// How the reference was resolved; absent where the target is defined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<&'static str>,
    /// The probability that the resolution is right, 0 to 1; absent where the target is defined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
}

/// A symbol of an outline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutlineSymbol {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The number of symbols of the file that enclose it.
    pub depth: u32,
    /// The number of symbols in it, at any depth, that `limit` leaves out. Absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: u64,
}

/// The answer of `show`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ShowAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The excerpts, in the order of the request.
    pub results: Vec<Excerpt>,
    /// Names that may mean several things, of which none is shown.
    pub ambiguous: Vec<Ambiguous>,
    /// Names that nothing has.
    pub not_found: Vec<NotFound>,
    /// With `max_tokens`: the lines that are cut, each an argument of `show`. Absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<String>,
}

impl Default for ShowAnswer {
    fn default() -> Self {
        let (schema_version, command) = (SCHEMA_VERSION, "show");
        Self {
            schema_version,
            command,
            results: Vec::new(),
            ambiguous: Vec::new(),
            not_found: Vec::new(),
            cut: Vec::new(),
        }
    }
}

/// A name that may mean several things.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ambiguous {
    /// The name, as requested.
    pub name: String,
    /// The definitions that have it, the most likely first.
    pub definitions: Vec<Definition>,
    /// The number of further definitions, which are not listed.
    pub more_definitions: usize,
    /// The files that it may mean.
    pub files: Vec<FileLocation>,
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
    /// The qualified name of the innermost symbol around the first line, if the request named lines that do not have its
    /// beginning. Absent if there is none, or if it ends among the lines and others begin after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// The function that has the last line and ends after it, if the request named lines. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goes_on: Option<GoesOn>,
    /// The lines.
    pub text: String,
    /// With `spans`: the classes of highlighting, line by line. Absent without it, and where none are known: in a text
    /// without a grammar, without the program `sextant-index`, or if it takes too long.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Span>,
    /// What is connected with the symbol.
    #[serde(flatten)]
    pub connections: Connections,
}

/// A function of which lines do not show the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GoesOn {
    /// Its qualified name.
    pub qualified_name: String,
    /// Its last line.
    pub end_line: u32,
}

/// A part of a line with a class of highlighting: the line, from 1; where the part begins and ends, as offsets in the line
/// in bytes; and the class: keyword, string, comment, type and so on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span(pub u32, pub u32, pub u32, pub String);

/// What is connected with a symbol, as far as the request asks for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Connections {
    /// The symbols that call it, or use it if it cannot be called; absent if not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<Vec<Neighbour>>,
    /// What calls a method that it overrides or implements, and so may call it; absent if callers are not requested, or if
    /// there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub possible_callers: Vec<Neighbour>,
    /// The symbols that it calls; absent if not requested, unless it has hardly a body and hands its work on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callees: Option<Vec<Neighbour>>,
    /// What may run where it calls a method that others override or implement, or a field that is a function; absent if
    /// there is nothing, or callees are absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub possible_callees: Vec<Neighbour>,
    /// The constants that it uses; if not requested, at most three whose lines say their values, and absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constants: Option<Vec<Constant>>,
    /// The tests that a change to it can affect; absent if not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<Vec<Neighbour>>,
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
    /// Further files with matching lines, of which none is listed: the first ones. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_files: Vec<FileCount>,
    /// Whether the context of each file is what says when its lines are reached.
    #[serde(skip)]
    pub has_conditions: bool,
    /// The alternatives of the pattern (`b` of `a|b`) that no line matches. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
}

/// How many lines of a file match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileCount {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The number of matching lines.
    pub lines: u64,
}

/// The matching lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileMatches {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The lines, in ascending order.
    pub lines: Vec<LineMatch>,
    /// With `context`: the lines around these, ascending, without them. Without it, if at most 20 lines match in all: the
    /// lines that begin the blocks and branches in which these are. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<SourceLine>,
    /// The number of further matching lines of the file, which are not listed. Absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_lines: u64,
    /// Whether it is test code. Absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_test: bool,
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
    /// What the match is, as far as the index knows: definition, or the kind of a use (call, import, type and
    /// so on); comment if the line begins like one and the index knows nothing of the match.
    pub role: Option<&'static str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Outline {
    fn new(outline: read::Outline, names: navigate::FileNames, dirty_files: &DirtyFiles) -> Self {
        let symbol = |symbol: read::OutlineSymbol| OutlineSymbol {
            definition: Definition::new(symbol.definition, dirty_files),
            depth: symbol.depth,
            left_out: symbol.left_out,
        };
        Self {
            file: FileLocation::new(dirty_files, &outline.repo, &outline.path),
            symbols: outline.symbols.into_iter().map(symbol).collect(),
            targets: Definition::list(names.targets, dirty_files),
            names: names.names.into_iter().map(NamedPlace::from).collect(),
        }
    }
}

impl From<navigate::NamedPlace> for NamedPlace {
    fn from(place: navigate::NamedPlace) -> Self {
        let navigate::NamedPlace { line, column, length, target, edge } = place;
        Self {
            line,
            column,
            length,
            target,
            edge: edge.map(|(kind, _, _)| kind.as_str()),
            resolution: edge.map(|(_, tier, _)| tier.as_str()),
            confidence: edge.map(|(_, _, confidence)| confidence),
        }
    }
}

impl OutlineAnswer {
    /// `names` are those of the files, in their order; empty if they were not asked for.
    pub(crate) fn new(outlines: Vec<read::Outline>, names: Vec<navigate::FileNames>, dirty_files: &DirtyFiles) -> Self {
        let names = names.into_iter().chain(std::iter::repeat_with(navigate::FileNames::default));
        let results = outlines.into_iter().zip(names);
        let results = results.map(|(outline, names)| Outline::new(outline, names, dirty_files)).collect();
        Self { schema_version: SCHEMA_VERSION, command: "outline", results }
    }
}

impl Excerpt {
    pub(crate) fn new(excerpt: read::SourceExcerpt, connections: Connections, dirty_files: &DirtyFiles) -> Self {
        let read::SourceExcerpt { repo, path, language, start_line, end_line, text, symbol, within, goes_on, .. } =
            excerpt;
        Self {
            location: Location::new(dirty_files, &repo, &path, start_line, end_line),
            language,
            symbol: symbol.map(|symbol| Definition::new(symbol, dirty_files)),
            within,
            goes_on: goes_on.map(|(qualified_name, end_line)| GoesOn { qualified_name, end_line }),
            text,
            spans: Vec::new(),
            connections,
        }
    }
}

impl Ambiguous {
    pub(crate) fn new(
        name: &str,
        definitions: Vec<navigate::Definition>,
        more_definitions: usize,
        files: &[(String, String)],
        dirty_files: &DirtyFiles,
    ) -> Self {
        Self {
            name: name.to_owned(),
            definitions: Definition::list(definitions, dirty_files),
            more_definitions,
            files: files.iter().map(|(repo, path)| FileLocation::new(dirty_files, repo, path)).collect(),
        }
    }
}

impl GrepAnswer {
    pub(crate) fn new(pattern: &str, matches: read::GrepMatches, dirty_files: &DirtyFiles) -> Self {
        let line = |read::GrepLine { line, column, text, symbol, role }| {
            let role = role.map(read::MatchRole::as_str);
            LineMatch { line, column, text, symbol, role }
        };
        let results = matches.results.into_iter().map(|file| FileMatches {
            file: FileLocation::new(dirty_files, &file.repo, &file.path),
            lines: file.lines.into_iter().map(line).collect(),
            context: SourceLine::list(file.context),
            more_lines: file.more_lines,
            is_test: file.is_test,
        });
        let more_files = matches.more.into_iter().map(|count| FileCount {
            file: FileLocation::new(dirty_files, &count.repo, &count.path),
            lines: count.lines,
        });
        Self {
            schema_version: SCHEMA_VERSION,
            command: "grep",
            pattern: pattern.to_owned(),
            lines: matches.lines,
            files: matches.files,
            results: results.collect(),
            more_files: more_files.collect(),
            has_conditions: matches.has_conditions,
            unmatched: matches.unmatched,
        }
    }

    /// Lists the first `count` lines; of the others their number remains.
    pub(super) fn keep_first(&mut self, count: usize) {
        let mut left = count;
        for file in &mut self.results {
            let listed = file.lines.len();
            file.lines.truncate(left);
            left -= file.lines.len();
            file.more_lines += (listed - file.lines.len()) as u64;
            if file.lines.len() < listed {
                let last = file.lines.last().map_or(0, |line| line.line);
                file.context.retain(|line| line.line < last);
            }
        }
        let unlisted: Vec<FileMatches> = self.results.extract_if(.., |file| file.lines.is_empty()).collect();
        let counts = unlisted.into_iter().map(|file| FileCount { file: file.file, lines: file.more_lines });
        self.more_files.splice(..0, counts);
    }
}
