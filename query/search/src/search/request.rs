//! What a search is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::filters::Filters;
use crate::weights::Weights;

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

/// In how many documents words occur, over several indexes: what is rare in one of them may be common in all, and the
/// other way around.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommonCounts {
    /// The number of chunks of all indexes.
    pub chunks: u64,
    /// The number of chunks with each word, lower case.
    pub with: BTreeMap<String, u64>,
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
    /// Whether a cross-encoder reads the best chunks again, if files are ranked.
    pub rerank: bool,
    /// Results of lower scores are left out, 0 to 1; if it is `None`, none is.
    pub min_score: Option<f32>,
    /// Restricts results.
    pub filters: Filters,
    /// The weights of the ranking.
    pub weights: Weights,
    /// Counts of the query's words in all indexes that are asked, if there are several: they make scores comparable.
    pub common: Option<Arc<CommonCounts>>,
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
            rerank: false,
            min_score: None,
            filters: Filters::default(),
            weights: Weights::STANDARD,
            common: None,
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
