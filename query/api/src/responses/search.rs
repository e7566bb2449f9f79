//! The answer of a search.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::{Edited, rank, search};

use super::SCHEMA_VERSION;
use crate::location::Location;

/// The results of a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The query as typed.
    pub query: String,
    /// Milliseconds spent in the library.
    pub took_ms: f64,
    /// The class of the query: symbol, path, natural or report.
    pub class: &'static str,
    /// How the lists of the retrievers became one.
    pub strategy: &'static str,
    /// What took part: text, vectors, symbols, graph.
    pub available: Vec<&'static str>,
    /// What was missing, so that the search did without it.
    pub degraded: Vec<String>,
    /// Words that occur nowhere in the index, and what was searched for instead.
    pub corrections: Vec<Correction>,
    /// The results, best first.
    pub results: Vec<Hit>,
    /// The words of the query, for highlighting.
    #[serde(skip)]
    pub words: Vec<String>,
    /// Whether the reader wants to see the signals.
    #[serde(skip)]
    pub explain: bool,
}

/// A word that was taken for another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Correction {
    /// As it was typed.
    pub original: String,
    /// What was searched for instead.
    pub corrected: String,
}

/// A chunk that was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Hit {
    /// Its position, from 1.
    pub rank: usize,
    /// Its score; only the order means something.
    pub score: f32,
    /// The index, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// Where it is.
    #[serde(flatten)]
    pub location: Location,
    /// The language.
    pub language: String,
    /// What it is: function, class, section and so on.
    pub kind: &'static str,
    /// The symbol's name; null for text between symbols.
    pub name: Option<String>,
    /// The symbol's owners and name.
    pub qualified_name: Option<String>,
    /// The chunk, for `show`.
    pub chunk_id: u32,
    /// The chunk around it.
    pub parent: Option<ParentChunk>,
    /// Further hits of the same file that are no results themselves.
    pub related_hits: Vec<RelatedHit>,
    /// The lines that show best why it was found.
    pub snippet: String,
    /// The first line of the snippet, where the snippet is one piece of the file.
    pub snippet_line: Option<u32>,
    /// What each signal contributed.
    pub signals: Signals,
}

/// The chunk around a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ParentChunk {
    /// The chunk.
    pub chunk_id: u32,
    /// What it is.
    pub kind: &'static str,
    /// Its symbol's name.
    pub name: Option<String>,
    /// Its symbol's owners and name.
    pub qualified_name: Option<String>,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// A further hit of a result's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RelatedHit {
    /// The chunk.
    pub chunk_id: u32,
    /// What it is.
    pub kind: &'static str,
    /// Its symbol's owners and name.
    pub qualified_name: Option<String>,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// What each signal contributed to a result.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Signals {
    /// The BM25 score of full text alone.
    pub bm25: Option<f32>,
    /// The cosine of the vectors alone.
    pub cosine: Option<f32>,
    /// How exactly a name matches.
    pub name_score: Option<f32>,
    /// Full text, of the fused score.
    pub text: f32,
    /// Vectors, of the fused score.
    pub vector: f32,
    /// Names, of the fused score.
    pub symbol: f32,
    /// Factor of the file's stem and folders.
    pub path: f32,
    /// Factor of how exactly the name matches.
    pub name: f32,
    /// Factor of the level, and of tests and prose that nobody asked for.
    pub demotion: f32,
    /// Added because the query names it with its owner.
    pub exact: f32,
    /// Added by the file's further hits.
    pub file: f32,
    /// Added by PageRank from the best hits.
    pub graph: f32,
    /// The features of its file, where files are ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_features: Option<FileFeatures>,
    /// The path in the graph from a seed, where the graph found it.
    pub graph_path: Vec<GraphStep>,
}

/// The features by which files are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FileFeatures {
    /// The best chunk's score divided by the best of all, 0 to 1.
    pub chunk: f32,
    /// The sum of the BM25 of at most eight chunks divided by the largest of all files, 0 to 1.
    pub text: f32,
    /// The best chunk's cosine divided by the best of all, 0 to 1.
    pub vector: f32,
    /// How much of stem and folders the query contains.
    pub path: f32,
    /// What PageRank gave the best chunk, divided by the best of all, 0 to 1.
    pub graph: f32,
    /// The least demotion of its chunks: below 1 where all of them are tests or prose.
    pub demotion: f32,
    /// Which share of the query's words the file contains, the rare ones counting more, 0 to 1.
    pub coverage: f32,
    /// ln(1 + n) / 10 of the edges that lead out of its symbols.
    pub out_degree: f32,
    /// ln(1 + n) / 10 of its lines.
    pub lines: f32,
}

/// A step of a path in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GraphStep {
    /// The symbol, by its qualified name.
    pub symbol: String,
    /// The edge that leads on from it.
    pub edge: &'static str,
}

impl SearchAnswer {
    /// The answer of some indexes, by their local edits; `of_index` says which of them each result is from, and `names`
    /// what they are called where there are several.
    pub(crate) fn new(
        response: search::SearchResponse,
        of_index: &[usize],
        edited: &[&Edited],
        names: &[&str],
        explain: bool,
    ) -> Self {
        let hit = |(hit, &n): (search::Hit, &usize)| Hit::new(hit, names.get(n).copied(), edited[n]);
        let correction = |of: search::Correction| Correction { original: of.original, corrected: of.corrected };
        Self {
            schema_version: SCHEMA_VERSION,
            command: "search",
            query: response.query,
            took_ms: (response.took_ms * 1000.0).round() / 1000.0,
            class: response.class.as_str(),
            strategy: response.strategy.as_str(),
            available: response.available,
            degraded: response.degraded,
            corrections: response.corrections.into_iter().map(correction).collect(),
            results: response.results.into_iter().zip(of_index).map(hit).collect(),
            words: response.words,
            explain,
        }
    }
}

impl Hit {
    fn new(hit: search::Hit, index: Option<&str>, edited: &Edited) -> Self {
        Self {
            rank: hit.rank,
            score: hit.score,
            index: index.map(str::to_owned),
            location: Location::new(edited, &hit.repo, &hit.path, hit.start_line, hit.end_line),
            language: hit.language,
            kind: hit.kind.as_str(),
            name: hit.name,
            qualified_name: hit.qualified_name,
            chunk_id: hit.chunk_id,
            parent: hit.parent.map(ParentChunk::from),
            related_hits: hit.related_hits.into_iter().map(RelatedHit::from).collect(),
            snippet: hit.snippet,
            snippet_line: hit.snippet_line,
            signals: Signals::from(hit.signals),
        }
    }
}

impl From<search::ParentChunk> for ParentChunk {
    fn from(parent: search::ParentChunk) -> Self {
        Self {
            chunk_id: parent.chunk_id,
            kind: parent.kind.as_str(),
            name: parent.name,
            qualified_name: parent.qualified_name,
            start_line: parent.start_line,
            end_line: parent.end_line,
        }
    }
}

impl From<search::RelatedHit> for RelatedHit {
    fn from(hit: search::RelatedHit) -> Self {
        Self {
            chunk_id: hit.chunk_id,
            kind: hit.kind.as_str(),
            qualified_name: hit.qualified_name,
            start_line: hit.start_line,
            end_line: hit.end_line,
        }
    }
}

impl From<search::Signals> for Signals {
    fn from(signals: search::Signals) -> Self {
        let step =
            |(symbol, edge): (String, sextant_format::kinds::EdgeKind)| GraphStep { symbol, edge: edge.as_str() };
        Self {
            bm25: signals.bm25,
            cosine: signals.cosine,
            name_score: signals.name_score,
            text: signals.text,
            vector: signals.vector,
            symbol: signals.symbol,
            path: signals.path,
            name: signals.name,
            demotion: signals.demotion,
            exact: signals.exact,
            file: signals.file,
            graph: signals.graph,
            file_features: signals.file_features.map(FileFeatures::from),
            graph_path: signals.path_from_seed.into_iter().map(step).collect(),
        }
    }
}

impl From<rank::FileFeatures> for FileFeatures {
    fn from(features: rank::FileFeatures) -> Self {
        let rank::FileFeatures { chunk, text, vector, path, graph, demotion, coverage, out_degree, lines } = features;
        Self { chunk, text, vector, path, graph, demotion, coverage, out_degree, lines }
    }
}
