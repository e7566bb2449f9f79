//! Requests and responses of a search.

use sextant_format::kinds::{EdgeKind, Kind};

use super::Correction;
use crate::query_analysis::QueryClass;
use crate::rank::{FileFeatures, Weights};

/// Which retrievers a search uses.
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
    /// The words of the command line and of configuration, each with its help text.
    pub const NAMES: &'static [(&'static str, Self, &'static str)] = &[
        ("fusion", Self::Fusion, "Full text, vectors and symbols, then the graph"),
        ("text", Self::Text, "Full text alone"),
        ("vector", Self::Vector, "Vectors alone"),
        ("structural", Self::Structural, "Symbols and the graph"),
    ];

    /// The word on the command line.
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

/// How the retrievers' lists are fused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// By reciprocal ranks.
    #[default]
    Rrf,
    /// Only chunks that vectors find, ordered by vectors, names and the graph. Full text is not used.
    Staged,
    /// By reciprocal ranks. Vectors are preselected by their sign bits, whatever the size of the index.
    Binary,
    /// By weighted scores, each divided by the best of its list.
    Hybrid,
}

impl Strategy {
    /// The words of the command line and of configuration, each with its help text.
    pub const NAMES: &'static [(&'static str, Self, &'static str)] = &[
        ("rrf", Self::Rrf, "Reciprocal ranks"),
        ("staged", Self::Staged, "What vectors find, ordered by vectors, names and the graph"),
        ("binary", Self::Binary, "Reciprocal ranks; vectors by their sign bits first, whatever the size of the index"),
        ("hybrid", Self::Hybrid, "Weighted scores"),
    ];

    /// The word on the command line.
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

/// A word that is not in the list of known ones.
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

/// Restricts results. An empty list allows everything; the words of one list are alternatives.
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

/// A search request.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The query as typed.
    pub query: String,
    /// How many results at most.
    pub limit: usize,
    /// Which retrievers a search uses.
    pub mode: Mode,
    /// How their lists are fused.
    pub strategy: Strategy,
    /// Whether the graph is used, if the mode includes it.
    pub graph: bool,
    /// Whether vectors are used, if the mode includes them.
    pub vectors: bool,
    /// Restricts results.
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

    /// The components that the request asks for.
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

/// The signals of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    /// The raw score of full text: BM25 over the fields.
    pub bm25: Option<f32>,
    /// The raw score of vectors: the cosine.
    pub cosine: Option<f32>,
    /// The raw score of symbols: how exactly the name matches.
    pub name_score: Option<f32>,
    /// Contribution of full text to the fused score.
    pub text: f32,
    /// Contribution of vectors to the fused score; imputed from the other lists for a chunk without a vector.
    pub vector: f32,
    /// Contribution of symbols to the fused score.
    pub symbol: f32,
    /// Factor for the match of the file's path, at least 1 with the default weights.
    pub path: f32,
    /// Factor for the match of the name.
    pub name: f32,
    /// Factor for level, test code and prose.
    pub demotion: f32,
    /// Added because the query names the symbol with its owner.
    pub exact: f32,
    /// Added for the file's further hits.
    pub file: f32,
    /// Added by PageRank, or by similarity to the best hits if there is no graph.
    pub graph: f32,
    /// The features of its file, if files were ranked.
    pub file_features: Option<FileFeatures>,
    /// The path in the graph from a seed, as qualified names and edge kinds, if only the graph found it.
    pub path_from_seed: Vec<(String, EdgeKind)>,
}

/// The chunk around a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ParentChunk {
    /// Its id.
    pub chunk_id: u32,
    /// Its kind.
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
    /// Its kind.
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
    /// Its rank, from 1.
    pub rank: usize,
    /// Its score; only the order of scores is meaningful.
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
    /// Its kind.
    pub kind: Kind,
    /// The symbol's name; `None` for left-over text.
    pub name: Option<String>,
    /// The symbol's qualified name.
    pub qualified_name: Option<String>,
    /// The chunk.
    pub chunk_id: u32,
    /// The chunk around it.
    pub parent: Option<ParentChunk>,
    /// The best further hits of its file that are not results themselves.
    pub related_hits: Vec<RelatedHit>,
    /// The lines that match the query best.
    pub snippet: String,
    /// The number of the snippet's first line, if the chunk's content is contiguous in the file.
    pub snippet_line: Option<u32>,
    /// Its signals.
    pub signals: Signals,
}

/// The response to a search.
#[derive(Clone, Debug)]
pub struct SearchResponse {
    /// The query as typed.
    pub query: String,
    /// The query's class.
    pub class: QueryClass,
    /// The query's words, for highlighting.
    pub words: Vec<String>,
    /// Time inside the library, in milliseconds.
    pub took_ms: f64,
    /// How the lists were fused.
    pub strategy: Strategy,
    /// The components that were used: `text`, `vectors`, `symbols`, `graph`.
    pub available: Vec<&'static str>,
    /// What was missing, as notes for the reader.
    pub degraded: Vec<String>,
    /// Words that the index does not contain, with their corrections.
    pub corrections: Vec<Correction>,
    /// The results, best first.
    pub results: Vec<Hit>,
}
