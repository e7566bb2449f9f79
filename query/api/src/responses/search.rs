//! The answer of `search`.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::{DirtyFiles, rank, search};

use super::SCHEMA_VERSION;
use crate::location::Location;

/// The results of a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The query as given.
    pub query: String,
    /// The time that the search took in the library, in milliseconds.
    pub took_ms: f64,
    /// The class of the query: symbol, path, natural or report.
    pub class: &'static str,
    /// The probability, 0 to 1, that the query is about the index.
    pub fit: f32,
    /// Whether that is enough; if not, the results are only the nearest that there are.
    pub fits: bool,
    /// How the retrievers' result lists were combined.
    pub strategy: &'static str,
    /// What the search used: text, vectors, symbols, graph.
    pub available: Vec<&'static str>,
    /// What was unavailable, so that the search ran without it.
    pub degraded: Vec<String>,
    /// Words of the query that do not occur in the index, with the words searched for instead.
    pub corrections: Vec<Correction>,
    /// The results, best first.
    pub results: Vec<Hit>,
    /// The words of the query, to highlight.
    #[serde(skip)]
    pub words: Vec<String>,
    /// Whether the text form shows the signals.
    #[serde(skip)]
    pub explain: bool,
}

/// A spelling correction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Correction {
    /// The word in the query.
    pub original: String,
    /// The word that was searched for instead.
    pub corrected: String,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Hit {
    /// Its position, from 1.
    pub rank: usize,
    /// Its score, 0 to 1: the probability that the query is about the index, times the result's share of the best
    /// result's score.
    pub score: f32,
    /// Why it was found, in words.
    pub reason: String,
    /// The name of the index, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// Its location.
    #[serde(flatten)]
    pub location: Location,
    /// The language.
    pub language: String,
    /// Its kind: function, class, section and so on.
    pub kind: &'static str,
    /// The symbol's name; null for text between symbols.
    pub name: Option<String>,
    /// The symbol's name with its owners.
    pub qualified_name: Option<String>,
    /// The chunk's key, which `show` accepts: it stays the same as long as its file has it.
    pub key: String,
    /// The chunk that contains it.
    pub parent: Option<ParentChunk>,
    /// The block in a long symbol that fits about as well as the whole, from which the snippet is taken. Absent if none
    /// does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<RelatedHit>,
    /// Further matching chunks of the same file that are not results of their own.
    pub related_hits: Vec<RelatedHit>,
    /// Summary by a language model; absent if the index was not enriched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<ChunkSummary>,
    /// The lines that match the query best.
    pub snippet: String,
    /// The number of the snippet's first line; null if the snippet is not contiguous.
    pub snippet_line: Option<u32>,
    /// The signals that make up the score.
    pub signals: Signals,
}

/// The chunk that contains a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ParentChunk {
    /// The chunk's key.
    pub key: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its symbol's name; null for text between symbols.
    pub name: Option<String>,
    /// Its symbol's name with its owners.
    pub qualified_name: Option<String>,
    /// Its symbol's head: the source text before the body, on one line.
    pub signature: Option<String>,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// Summary by a language model; absent if the index was not enriched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<ChunkSummary>,
}

/// A summary of a chunk by a language model: a claim, not a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChunkSummary {
    /// One to three sentences.
    pub summary: String,
    /// Search words.
    pub keywords: Vec<String>,
    /// The purpose or category; null for blocks.
    pub purpose: Option<String>,
    /// The model that wrote it.
    pub model: String,
}

/// A further matching chunk of a result's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RelatedHit {
    /// The chunk's key.
    pub key: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its symbol's name with its owners.
    pub qualified_name: Option<String>,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
}

/// The signals that make up a result's score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Signals {
    /// The BM25 score of full-text search; null if it did not find the chunk.
    pub bm25: Option<f32>,
    /// The cosine similarity of the vectors; null if vector search did not find the chunk.
    pub cosine: Option<f32>,
    /// How exactly a name matches; null if symbol search did not find the chunk.
    pub name_score: Option<f32>,
    /// The share of full-text search in the fused score.
    pub text: f32,
    /// The share of vector search in the fused score.
    pub vector: f32,
    /// The share of symbol search in the fused score.
    pub symbol: f32,
    /// The factor for matches of the file's stem and folders.
    pub path: f32,
    /// The factor for how exactly the name matches.
    pub name: f32,
    /// The factor that demotes blocks, and tests and prose that the query does not ask for.
    pub demotion: f32,
    /// Added if the query contains its qualified name.
    pub exact: f32,
    /// What was added for the text of the query, word for word.
    pub verbatim: f32,
    /// Added for further hits in the same file.
    pub file: f32,
    /// Added by PageRank personalised to the best hits.
    pub graph: f32,
    /// The features of its file, if the query ranks files. Their sum of contributions orders the files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub file_features: Vec<Feature>,
    /// Its features among the chunks of its file, if the query ranks files. Their sum of contributions orders the chunks of
    /// a file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chunk_features: Vec<Feature>,
    /// The log-odds that the reranker added to its file's score, if it read the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank: Option<f32>,
    /// The path in the graph from one of the best hits, if the graph found or raised the chunk.
    pub graph_path: Vec<GraphStep>,
}

/// A feature by which files, or the chunks of a file, are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Feature {
    /// Its name.
    pub feature: &'static str,
    /// Its value.
    pub value: f32,
    /// What it adds to the file's score: the value times the weight.
    pub contribution: f32,
}

/// A step of a path in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GraphStep {
    /// The symbol's qualified name.
    pub symbol: String,
    /// The kind of the edge to the next symbol.
    pub edge: &'static str,
}

impl SearchAnswer {
    /// Converts a search response. `of_index` contains the position of each result's index; `dirty_files` and `names`
    /// are by that position, and `names` is empty for a single index.
    pub(crate) fn new(
        response: search::SearchResponse,
        of_index: &[usize],
        dirty_files: &[&DirtyFiles],
        names: &[&str],
        explain: bool,
    ) -> Self {
        let hit = |(hit, &n): (search::Hit, &usize)| Hit::new(hit, names.get(n).copied(), dirty_files[n]);
        let correction =
            |search::Correction { original, corrected }: search::Correction| Correction { original, corrected };
        Self {
            schema_version: SCHEMA_VERSION,
            command: "search",
            query: response.query,
            took_ms: (response.took_ms * 1000.0).round() / 1000.0,
            class: response.class.as_str(),
            fit: response.fit,
            fits: response.fits,
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
    fn new(hit: search::Hit, index: Option<&str>, dirty_files: &DirtyFiles) -> Self {
        Self {
            rank: hit.rank,
            score: hit.score,
            reason: hit.reason,
            index: index.map(str::to_owned),
            location: Location::new(dirty_files, &hit.repo, &hit.path, hit.start_line, hit.end_line),
            language: hit.language,
            kind: hit.kind.as_str(),
            name: hit.name,
            qualified_name: hit.qualified_name,
            key: hit.key,
            parent: hit.parent.map(ParentChunk::from),
            block: hit.block.map(RelatedHit::from),
            related_hits: hit.related_hits.into_iter().map(RelatedHit::from).collect(),
            summary: hit.summary.map(ChunkSummary::from),
            snippet: hit.snippet,
            snippet_line: hit.snippet_line,
            signals: Signals::from(hit.signals),
        }
    }
}

impl From<search::ParentChunk> for ParentChunk {
    fn from(parent: search::ParentChunk) -> Self {
        Self {
            key: parent.key,
            kind: parent.kind.as_str(),
            name: parent.name,
            qualified_name: parent.qualified_name,
            signature: parent.signature,
            start_line: parent.start_line,
            end_line: parent.end_line,
            summary: parent.summary.map(ChunkSummary::from),
        }
    }
}

impl From<sextant_search::ChunkSummary> for ChunkSummary {
    fn from(summary: sextant_search::ChunkSummary) -> Self {
        let sextant_search::ChunkSummary { text, keywords, purpose, model } = summary;
        Self { summary: text, keywords, purpose, model }
    }
}

impl ChunkSummary {
    /// The first sentence.
    #[must_use]
    pub fn first_sentence(&self) -> &str {
        sextant_search::first_sentence(&self.summary)
    }
}

impl From<search::RelatedHit> for RelatedHit {
    fn from(hit: search::RelatedHit) -> Self {
        Self {
            key: hit.key,
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
            verbatim: signals.verbatim,
            file: signals.file,
            graph: signals.graph,
            file_features: signals
                .file_features
                .map_or_else(Vec::new, |(f, added)| features(rank::FileFeatures::NAMES, &f.values(), &added)),
            chunk_features: signals
                .chunk_features
                .map_or_else(Vec::new, |(f, added)| features(rank::ChunkFeatures::NAMES, &f.values(), &added)),
            rerank: signals.rerank,
            graph_path: signals.path_from_seed.into_iter().map(step).collect(),
        }
    }
}

fn features(names: &[&'static str], values: &[f32], contributions: &[f32]) -> Vec<Feature> {
    let named = names.iter().zip(values.iter().zip(contributions));
    named.map(|(&feature, (&value, &contribution))| Feature { feature, value, contribution }).collect()
}
