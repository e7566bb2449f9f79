//! What `explore` returns: data, in the order of its text form.

use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::Kind;

use crate::navigate::{Constant, Definition, ReachedSymbol, Step};

/// The entry points of a question with their surroundings, as much as a budget permits.
#[derive(Clone, Debug, Default)]
pub struct Explore {
    /// The question.
    pub query: String,
    /// The probability, 0 to 1, that the question is about the index.
    pub fit: f32,
    /// Whether that is enough; if not, only the nearest candidates are listed.
    pub fits: bool,
    /// The entry points that are shown with source, best first.
    pub entries: Vec<EntryPoint>,
    /// The constants whose values the question names.
    pub keys: Vec<AskedKey>,
    /// The constants and variables that shown functions use.
    pub constants: Vec<Constant>,
    /// Paths along calls between entry points.
    pub paths: Vec<Vec<Step>>,
    /// The relevant files, the most important first.
    pub files: Vec<RelevantFile>,
    /// What fits too, best first, without source.
    pub not_shown: Vec<Place>,
    /// The number of further candidates that `not_shown` leaves out.
    pub not_listed: usize,
    /// What was missing, as notes for the reader.
    pub degraded: Vec<String>,
}

impl Explore {
    /// Whether the first line of a definition is shown with source.
    pub(super) fn has_line(&self, definition: &Definition) -> bool {
        let is_shown = |part: &SourcePart| (part.start_line..=part.end_line).contains(&definition.start_line);
        let is_file = |place: &Place| place.path == definition.path && place.repo == definition.repo;
        self.entries.iter().any(|entry| is_file(&entry.place) && entry.source.iter().any(is_shown))
    }
}

impl Explore {
    /// Whether a name occurs in a line that is shown with source.
    pub(super) fn has_word(&self, name: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let has = |part: &SourcePart| {
            part.text.match_indices(name).any(|(at, _)| {
                !part.text[..at].ends_with(is_word) && !part.text[at + name.len()..].starts_with(is_word)
            })
        };
        self.entries.iter().any(|entry| entry.source.iter().any(has))
    }
}

/// Where something is, and its head.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Its kind.
    pub kind: Kind,
    /// The symbol's qualified name; `None` for text between symbols.
    pub qualified_name: Option<String>,
    /// The text before the body, on one line.
    pub signature: Option<String>,
    /// The first sentence of its documentation.
    pub doc: Option<String>,
    /// The first and last line of the block that fits best, of a long function of which a block was found by itself.
    pub best_lines: Option<(u32, u32)>,
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Its score, 0 to 1, as in a search.
    pub score: f32,
    /// Copies and near copies of it in other files, which are not listed themselves.
    pub copies: Vec<Copied>,
}

/// Where a copy is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

impl Copied {
    pub(super) fn of(place: &Place) -> Self {
        let Place { repo, path, start_line, end_line, .. } = place;
        Self { repo: repo.clone(), path: path.clone(), start_line: *start_line, end_line: *end_line }
    }
}

/// An entry point.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// Where it is.
    pub place: Place,
    /// The symbol, if its neighbours are listed.
    pub symbol: Option<SymbolId>,
    /// The lines that are shown, ascending.
    pub source: Vec<SourcePart>,
    /// Lines that are not shown, without those of a type's members.
    pub cut_lines: u32,
    /// Its members, if it is a type whose members have lines of their own.
    pub members: Vec<Member>,
    /// The number of further members.
    pub more_members: usize,
    /// Its direct callers.
    pub callers: Vec<ReachedSymbol>,
    /// Whether these call a method that it overrides or implements, so that they may call it.
    pub is_called_through_base: bool,
    /// Whether it has more callers.
    pub more_callers: bool,
    /// Its direct callees.
    pub callees: Vec<ReachedSymbol>,
    /// Whether it has more callees.
    pub more_callees: bool,
    /// What implements or overrides methods that it calls.
    pub possible_callees: Vec<ReachedSymbol>,
}

impl EntryPoint {
    pub(super) const fn without_source(place: Place) -> Self {
        Self {
            place,
            symbol: None,
            source: Vec::new(),
            cut_lines: 0,
            members: Vec::new(),
            more_members: 0,
            callers: Vec::new(),
            is_called_through_base: false,
            more_callers: false,
            callees: Vec::new(),
            more_callees: false,
            possible_callees: Vec::new(),
        }
    }
}

/// A member of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// Consecutive lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePart {
    /// The number of the first line.
    pub start_line: u32,
    /// The number of the last line.
    pub end_line: u32,
    /// The lines, without a final line break.
    pub text: String,
}

/// A constant whose value a question names.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedKey {
    /// The constant.
    pub definition: Definition,
    /// Its definition as one line, if it is short; else the first line.
    pub text: String,
    /// Uses of it and of constants that are defined as it, those outside of functions first.
    pub uses: Vec<KeyUse>,
}

/// A use of a key, or a constant that such a line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyUse {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// Its text with that of the next lines, as far as its parentheses go on.
    pub text: String,
}

/// A relevant file.
#[derive(Clone, Debug, PartialEq)]
pub struct RelevantFile {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The qualified names of its candidates, the best first.
    pub symbols: Vec<String>,
}
