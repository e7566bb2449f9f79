//! What `search` gives.

use schemars::JsonSchema;
use serde::Serialize;

use super::{SCHEMA_VERSION, line};
use crate::rank::FileSigns;
use crate::search::{self, SearchResponse};

/// The results of a search.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Search<'a> {
    /// 1.
    schema_version: u32,
    /// The query as typed.
    query: &'a str,
    /// Milliseconds inside of the library.
    took_ms: f64,
    /// What the query looked like: symbol, path, natural or report.
    class: &'static str,
    /// How the lists of the retrievers became one.
    strategy: &'static str,
    /// What took part: text, vectors, symbols, graph.
    available: &'a [&'static str],
    /// What was missing and was done without.
    degraded: &'a [String],
    /// Words that nothing in the index has, and what they were taken for.
    respelled: Vec<Respelled<'a>>,
    /// The results, best first.
    results: Vec<Hit<'a>>,
}

/// A word that was taken for another one.
#[derive(Serialize, JsonSchema)]
struct Respelled<'a> {
    /// As it was typed.
    typed: &'a str,
    /// As it was taken.
    taken: &'a str,
}

/// A chunk that was found.
#[derive(Serialize, JsonSchema)]
struct Hit<'a> {
    /// Its place, from 1.
    rank: usize,
    /// Its score; only the order means something.
    score: f32,
    /// The index, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<&'a str>,
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// First line, from 1.
    start_line: u32,
    /// Last line, inclusive.
    end_line: u32,
    /// The language.
    language: &'a str,
    /// What it is: function, class, section and so on.
    kind: &'static str,
    /// The symbol's name; null for text between symbols.
    name: Option<&'a str>,
    /// The symbol's owners and name.
    qualified_name: Option<&'a str>,
    /// The chunk, for `show`.
    chunk_id: u32,
    /// The chunk around it.
    parent: Option<Parent<'a>>,
    /// Further hits of the same file that are no results themselves.
    also: Vec<Also<'a>>,
    /// The lines that show best why it was found.
    snippet: &'a str,
    /// What each signal gave.
    signals: Signals<'a>,
}

/// The chunk around a result.
#[derive(Serialize, JsonSchema)]
struct Parent<'a> {
    /// The chunk.
    chunk_id: u32,
    /// What it is.
    kind: &'static str,
    /// Its symbol's name.
    name: Option<&'a str>,
    /// Its symbol's owners and name.
    qualified_name: Option<&'a str>,
    /// First line, from 1.
    start_line: u32,
    /// Last line, inclusive.
    end_line: u32,
}

/// A further hit.
#[derive(Serialize, JsonSchema)]
struct Also<'a> {
    /// The chunk.
    chunk_id: u32,
    /// What it is.
    kind: &'static str,
    /// Its symbol's owners and name.
    qualified_name: Option<&'a str>,
    /// First line, from 1.
    start_line: u32,
    /// Last line, inclusive.
    end_line: u32,
}

/// What each signal gave a result.
#[derive(Serialize, JsonSchema)]
struct Signals<'a> {
    /// Full text by itself: BM25.
    bm25: Option<f32>,
    /// Vectors by themselves: the cosine.
    cosine: Option<f32>,
    /// Names by themselves: how exactly one fits.
    fit: Option<f32>,
    /// Full text, of the fused score.
    text: f32,
    /// Vectors, of the fused score.
    vector: f32,
    /// Names, of the fused score.
    symbol: f32,
    /// Factor of the file's stem and folders.
    path: f32,
    /// Factor of how exactly the name fits.
    name: f32,
    /// Factor of the level, and of tests and prose that nobody asked for.
    demotion: f32,
    /// Added because the query names it with its owner.
    exact: f32,
    /// Added by the file's further hits.
    file: f32,
    /// Added by PageRank from the best hits.
    graph: f32,
    /// The signs of its file, where files are ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    of_file: Option<FileSigns>,
    /// The way in the graph from a seed, where the graph found it.
    graph_path: Vec<Step<'a>>,
}

/// A step of a way.
#[derive(Serialize, JsonSchema)]
struct Step<'a> {
    /// The symbol, by its qualified name.
    symbol: &'a str,
    /// The edge that leads on from it.
    edge: &'static str,
}

/// A search's results on one line; `indexes` says which index each is from, or is empty.
pub(crate) fn search_json(response: &SearchResponse, indexes: &[&str]) -> String {
    let index = |n: usize| indexes.get(n).copied();
    line(&Search {
        schema_version: SCHEMA_VERSION,
        query: &response.query,
        took_ms: (response.took_ms * 1000.0).round() / 1000.0,
        class: response.class.as_str(),
        strategy: response.strategy.as_str(),
        available: &response.available,
        degraded: &response.degraded,
        respelled: response.respelled.iter().map(|r| Respelled { typed: &r.typed, taken: &r.taken }).collect(),
        results: response.results.iter().enumerate().map(|(n, found)| hit(found, index(n))).collect(),
    })
}

fn also(also: &search::Also) -> Also<'_> {
    Also {
        chunk_id: also.chunk_id,
        kind: also.kind.as_str(),
        qualified_name: also.qualified_name.as_deref(),
        start_line: also.start_line,
        end_line: also.end_line,
    }
}

fn hit<'a>(hit: &'a search::Hit, index: Option<&'a str>) -> Hit<'a> {
    let signals = &hit.signals;
    Hit {
        rank: hit.rank,
        score: hit.score,
        index,
        repo: &hit.repo,
        path: &hit.path,
        start_line: hit.start_line,
        end_line: hit.end_line,
        language: &hit.language,
        kind: hit.kind.as_str(),
        name: hit.name.as_deref(),
        qualified_name: hit.qualified_name.as_deref(),
        chunk_id: hit.chunk_id,
        parent: hit.parent.as_ref().map(parent),
        also: hit.also.iter().map(also).collect(),
        snippet: &hit.snippet,
        signals: Signals {
            bm25: signals.bm25,
            cosine: signals.cosine,
            fit: signals.fit,
            text: signals.text,
            vector: signals.vector,
            symbol: signals.symbol,
            path: signals.path,
            name: signals.name,
            demotion: signals.demotion,
            exact: signals.exact,
            file: signals.file,
            graph: signals.graph,
            of_file: signals.of_file,
            graph_path: signals
                .path_from_seed
                .iter()
                .map(|(symbol, edge)| Step { symbol, edge: edge.as_str() })
                .collect(),
        },
    }
}

fn parent(parent: &search::Parent) -> Parent<'_> {
    Parent {
        chunk_id: parent.chunk_id,
        kind: parent.kind.as_str(),
        name: parent.name.as_deref(),
        qualified_name: parent.qualified_name.as_deref(),
        start_line: parent.start_line,
        end_line: parent.end_line,
    }
}
