//! The answer of `explore`.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::{DirtyFiles, navigate, overview};

use super::overview::Neighbour;
use super::{Definition, PathStep, SCHEMA_VERSION};
use crate::location::{FileLocation, Location};

/// The answer of `explore`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Explore {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The question.
    pub query: String,
    /// The probability, 0 to 1, that the question is about the index.
    pub fit: f32,
    /// Whether that is enough; if not, only the nearest candidates are listed.
    pub fits: bool,
    /// The entry points with source, best first.
    pub entries: Vec<Entry>,
    /// The constants whose values the question names, such as the keys of a configuration.
    pub keys: Vec<AskedKey>,
    /// The constants and variables that the shown functions use.
    pub constants: Vec<Constant>,
    /// Call paths between entry points.
    pub paths: Vec<Vec<PathStep>>,
    /// The relevant files, the most important first.
    pub files: Vec<RelevantFile>,
    /// What fits too, best first, without source.
    pub not_shown: Vec<Candidate>,
    /// The number of further candidates, which are not listed.
    pub not_listed: usize,
    /// What was unavailable, so that the search ran without it.
    pub degraded: Vec<String>,
}

/// Something that fits a question.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Candidate {
    /// Its location, which `show` accepts.
    #[serde(flatten)]
    pub location: Location,
    /// Its kind.
    pub kind: &'static str,
    /// The symbol's name with its owners; null for text between symbols.
    pub qualified_name: Option<String>,
    /// The text before its body, on one line, shortened if it is long.
    pub signature: Option<String>,
    /// The first sentence of its documentation, shortened if it is long.
    pub doc: Option<String>,
    /// The lines of the block that fits best, if it is a long function. Absent if no block is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_lines: Option<LineRange>,
    /// Its score, 0 to 1, as in a search.
    pub score: f32,
    /// Copies and near copies of it in other files, which are not listed themselves.
    pub copies: Vec<Location>,
}

/// Some lines of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineRange {
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Entry {
    /// The symbol or text.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// The lines that are shown: all, or those that fit the question best.
    pub source: Vec<SourcePart>,
    /// The number of its lines that are not shown. Those of a type's members do not count.
    pub cut_lines: u32,
    /// Its members, if it is a type whose members have lines of their own.
    pub members: Vec<Member>,
    /// The number of further members, which are not listed.
    pub more_members: usize,
    /// The symbols that call it.
    pub callers: Vec<Neighbour>,
    /// Whether these call a method that it overrides or implements instead, so that they may call it: nothing is known to
    /// call it itself. Absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub called_through_base: bool,
    /// Whether there are more callers than listed.
    pub more_callers: bool,
    /// The symbols that it calls.
    pub callees: Vec<Neighbour>,
    /// Whether there are more callees than listed.
    pub more_callees: bool,
    /// What implements or overrides methods that it calls, where these are few: which one runs depends on the receiver.
    /// Absent if there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub possible_callees: Vec<Neighbour>,
}

/// A member of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
}

/// Consecutive lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SourcePart {
    /// The number of the first line, from 1.
    pub start_line: u32,
    /// The number of the last line, inclusive.
    pub end_line: u32,
    /// The lines.
    pub text: String,
}

/// A constant or variable.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Constant {
    /// Its definition.
    #[serde(flatten)]
    pub definition: Definition,
    /// Its definition as one line, if it is short; else the first line.
    pub text: String,
    /// The number of symbols that use it.
    pub users: usize,
}

/// A constant whose value a question names.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AskedKey {
    /// Its definition.
    #[serde(flatten)]
    pub definition: Definition,
    /// Its definition as one line, if it is short; else the first line.
    pub text: String,
    /// Uses of it and of constants that are defined as it, those outside of functions first.
    pub uses: Vec<KeyUse>,
}

/// A use of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyUse {
    /// Its line.
    #[serde(flatten)]
    pub location: Location,
    /// The text of the line, with that of the next ones as far as its parentheses go on.
    pub text: String,
}

/// A relevant file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RelevantFile {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The names of its symbols that were found.
    pub symbols: Vec<String>,
}

impl Candidate {
    fn new(place: overview::Place, dirty_files: &DirtyFiles) -> Self {
        let location = |overview::Copied { repo, path, start_line, end_line }: &overview::Copied| {
            Location::new(dirty_files, repo, path, *start_line, *end_line)
        };
        Self {
            location: Location::new(dirty_files, &place.repo, &place.path, place.start_line, place.end_line),
            copies: place.copies.iter().map(location).collect(),
            kind: place.kind.as_str(),
            qualified_name: place.qualified_name,
            signature: place.signature,
            doc: place.doc,
            best_lines: place.best_lines.map(|(start_line, end_line)| LineRange { start_line, end_line }),
            score: place.score,
        }
    }
}

impl AskedKey {
    fn new(key: overview::AskedKey, dirty_files: &DirtyFiles) -> Self {
        let one_use = |one: overview::KeyUse| KeyUse {
            location: Location::new(dirty_files, &one.repo, &one.path, one.line, one.line),
            text: one.text,
        };
        Self {
            definition: Definition::new(key.definition, dirty_files),
            text: key.text,
            uses: key.uses.into_iter().map(one_use).collect(),
        }
    }
}

impl Constant {
    pub(crate) fn list(constants: Vec<navigate::Constant>, dirty_files: &DirtyFiles) -> Vec<Self> {
        let constant = |navigate::Constant { definition, text, users, .. }| Self {
            definition: Definition::new(definition, dirty_files),
            text,
            users,
        };
        constants.into_iter().map(constant).collect()
    }
}

impl Explore {
    pub(crate) fn new(explore: overview::Explore, dirty_files: &DirtyFiles) -> Self {
        let part = |overview::SourcePart { start_line, end_line, text }| SourcePart { start_line, end_line, text };
        let member = |overview::Member { name, start_line, end_line }| Member { name, start_line, end_line };
        let entry = |entry: overview::EntryPoint| Entry {
            candidate: Candidate::new(entry.place, dirty_files),
            source: entry.source.into_iter().map(part).collect(),
            cut_lines: entry.cut_lines,
            members: entry.members.into_iter().map(member).collect(),
            more_members: entry.more_members,
            callers: Neighbour::list(entry.callers, dirty_files),
            called_through_base: entry.is_called_through_base,
            more_callers: entry.more_callers,
            callees: Neighbour::list(entry.callees, dirty_files),
            more_callees: entry.more_callees,
            possible_callees: Neighbour::list(entry.possible_callees, dirty_files),
        };
        let file = |file: overview::RelevantFile| RelevantFile {
            file: FileLocation::new(dirty_files, &file.repo, &file.path),
            symbols: file.symbols,
        };
        Self {
            schema_version: SCHEMA_VERSION,
            command: "explore",
            query: explore.query,
            fit: explore.fit,
            fits: explore.fits,
            entries: explore.entries.into_iter().map(entry).collect(),
            keys: explore.keys.into_iter().map(|key| AskedKey::new(key, dirty_files)).collect(),
            constants: Constant::list(explore.constants, dirty_files),
            paths: explore.paths.into_iter().map(|path| PathStep::list(path, dirty_files)).collect(),
            files: explore.files.into_iter().map(file).collect(),
            not_shown: explore.not_shown.into_iter().map(|place| Candidate::new(place, dirty_files)).collect(),
            not_listed: explore.not_listed,
            degraded: explore.degraded,
        }
    }
}
