//! What is asked and what is answered.

use sextant_format::kinds::{EdgeKind, Kind};

use super::Correction;
use crate::query_analysis::QueryClass;
use crate::rank::{FileFeatures, Weights};

/// Which retrievers take part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All, and the graph.
    #[default]
    Fusion,
    /// Full text alone.
    Text,
    /// Vectors alone.
    Vector,
    /// Symbols and the graph.
    Structural,
}

impl Mode {
    /// The words of the command line and of configuration, with what each means.
    pub const NAMES: &'static [(&'static str, Self, &'static str)] = &[
        ("fusion", Self::Fusion, "Full text, vectors and symbols, then the graph"),
        ("text", Self::Text, "Full text alone"),
        ("vector", Self::Vector, "Vectors alone"),
        ("structural", Self::Structural, "Symbols and the graph"),
    ];

    /// Its word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        name_of(Self::NAMES, self)
    }
}

impl std::str::FromStr for Mode {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        parse_name(Self::NAMES, text)
    }
}

/// How the lists of the retrievers become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// By reciprocal ranks.
    #[default]
    Rrf,
    /// What vectors find, ordered by vectors, names and the graph; words find nothing.
    Staged,
    /// By reciprocal ranks; vectors are found by their sign bits first, whatever the size of the index.
    Binary,
    /// By weighted scores, each beside the best of its list.
    Hybrid,
}

impl Strategy {
    /// The words of the command line and of configuration, with what each means.
    pub const NAMES: &'static [(&'static str, Self, &'static str)] = &[
        ("rrf", Self::Rrf, "Reciprocal ranks"),
        ("staged", Self::Staged, "What vectors find, ordered by vectors, names and the graph"),
        ("binary", Self::Binary, "Reciprocal ranks; vectors by their sign bits first, whatever the size of the index"),
        ("hybrid", Self::Hybrid, "Weighted scores"),
    ];

    /// Its word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        name_of(Self::NAMES, self)
    }
}

impl std::str::FromStr for Strategy {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        parse_name(Self::NAMES, text)
    }
}

/// A word that is none of those that are known.
#[derive(Debug, thiserror::Error)]
#[error("'{word}' is none of {known}")]
pub struct UnknownName {
    word: String,
    known: String,
}

fn name_of<T: Copy + PartialEq>(words: &[(&'static str, T, &'static str)], value: T) -> &'static str {
    words.iter().find(|(_, known, _)| *known == value).map_or("", |(word, ..)| word)
}

fn parse_name<T: Copy>(words: &[(&'static str, T, &'static str)], text: &str) -> Result<T, UnknownName> {
    let known = || words.iter().map(|(word, ..)| *word).collect::<Vec<_>>().join(", ");
    let found = words.iter().find(|(word, ..)| *word == text).map(|(_, value, _)| *value);
    found.ok_or_else(|| UnknownName { word: text.to_owned(), known: known() })
}

/// What results may be. Empty lists allow everything; several words of one list are alternatives.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    /// Kinds of chunks.
    pub kinds: Vec<Kind>,
    /// Languages.
    pub languages: Vec<String>,
    /// Globs over paths.
    pub paths: Vec<String>,
    /// Repositories.
    pub repos: Vec<String>,
}

impl Filters {
    /// Whether everything is allowed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.languages.is_empty() && self.paths.is_empty() && self.repos.is_empty()
    }
}

/// What to search for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The query as typed.
    pub query: String,
    /// How many results at most.
    pub limit: usize,
    /// Which retrievers take part.
    pub mode: Mode,
    /// How their lists become one.
    pub strategy: Strategy,
    /// Whether the graph takes part, where the mode has it.
    pub graph: bool,
    /// Whether vectors take part, where the mode has them.
    pub vectors: bool,
    /// What results may be.
    pub filters: Filters,
    /// The weights of the ranking.
    pub weights: Weights,
}

impl SearchRequest {
    /// A request for ten results from everything.
    #[must_use]
    pub fn new(query: &str) -> Self {
        Self {
            query: query.to_owned(),
            limit: 10,
            mode: Mode::Fusion,
            strategy: Strategy::Rrf,
            graph: true,
            vectors: true,
            filters: Filters::default(),
            weights: Weights::STANDARD,
        }
    }

    /// What takes part, by what was asked for.
    pub(crate) fn requested_components(&self) -> Vec<&'static str> {
        let has = |modes: &[Mode]| modes.contains(&self.mode);
        let all = [
            ("text", has(&[Mode::Fusion, Mode::Text]) && self.strategy != Strategy::Staged),
            ("vectors", has(&[Mode::Fusion, Mode::Vector]) && self.vectors),
            ("symbols", has(&[Mode::Fusion, Mode::Structural])),
            ("graph", has(&[Mode::Fusion, Mode::Structural]) && self.graph),
        ];
        all.into_iter().filter(|(_, is_requested)| *is_requested).map(|(name, _)| name).collect()
    }
}

/// What each signal gave a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    /// What full text gave by itself: BM25 over the fields.
    pub bm25: Option<f32>,
    /// What vectors gave by themselves: the cosine.
    pub cosine: Option<f32>,
    /// What symbols gave by themselves: how exactly the name fits.
    pub name_score: Option<f32>,
    /// Full text, of the fused score.
    pub text: f32,
    /// Vectors, of the fused score; for a chunk that has none, what the other lists make up for it.
    pub vector: f32,
    /// Symbols, of the fused score.
    pub symbol: f32,
    /// Factor of the file's stem and folders.
    pub path: f32,
    /// Factor of how exactly the name fits.
    pub name: f32,
    /// Factor of level and test code.
    pub demotion: f32,
    /// What was added because the query names it with its owner.
    pub exact: f32,
    /// What the file's further hits added.
    pub file: f32,
    /// What PageRank added.
    pub graph: f32,
    /// The signs of its file, where files are ranked.
    pub file_features: Option<FileFeatures>,
    /// The path in the graph from a seed, as qualified names and edge kinds, where the graph found it.
    pub path_from_seed: Vec<(String, EdgeKind)>,
}

/// The chunk around a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ParentChunk {
    /// Its id.
    pub chunk_id: u32,
    /// What it is.
    pub kind: Kind,
    /// Its symbol's name.
    pub name: Option<String>,
    /// Its symbol's qualified name.
    pub qualified_name: Option<String>,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

/// A further hit of a result's file.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedHit {
    /// Its id.
    pub chunk_id: u32,
    /// What it is.
    pub kind: Kind,
    /// Its symbol's qualified name.
    pub qualified_name: Option<String>,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its place, from 1.
    pub rank: usize,
    /// Its score; only the order means something.
    pub score: f32,
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The language.
    pub language: String,
    /// What it is.
    pub kind: Kind,
    /// The symbol's name; none for left-over text.
    pub name: Option<String>,
    /// The symbol's qualified name.
    pub qualified_name: Option<String>,
    /// The chunk.
    pub chunk_id: u32,
    /// The chunk around it.
    pub parent: Option<ParentChunk>,
    /// The best further hits of its file that are no results themselves.
    pub related_hits: Vec<RelatedHit>,
    /// The lines that show best why it was found.
    pub snippet: String,
    /// Line of the snippet's first line, where the snippet is one piece of the file.
    pub snippet_line: Option<u32>,
    /// What each signal gave.
    pub signals: Signals,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchResponse {
    /// The query as typed.
    pub query: String,
    /// What it looked like.
    pub class: QueryClass,
    /// Its words, for highlighting.
    pub words: Vec<String>,
    /// Time inside the library, in milliseconds.
    pub took_ms: f64,
    /// How the lists became one.
    pub strategy: Strategy,
    /// What took part: `text`, `vectors`, `symbols`, `graph`.
    pub available: Vec<&'static str>,
    /// What was missing and was done without.
    pub degraded: Vec<String>,
    /// Words that nothing has, and what they were taken for.
    pub corrections: Vec<Correction>,
    /// The results, best first.
    pub results: Vec<Hit>,
}
