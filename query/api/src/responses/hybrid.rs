//! The answer of `hybrid-search`.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::hybrid::{Cluster, HybridResponse, RankedSymbol};
use sextant_search::live::Node;
use sextant_search::{DirtyFiles, Index, SourceReader};

use super::{SCHEMA_VERSION, ServerState};
use crate::Result;
use crate::date::date_time;

/// Bytes of a symbol's source that are returned at most.
const MAX_CODE_BYTES: usize = 8_000;

/// The clusters of a hybrid search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HybridAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The query as given.
    pub query: String,
    /// An id of this answer: `hs-`, the date, the number of the search in this process.
    pub query_id: String,
    /// The time that the search took, in milliseconds.
    pub execution_time_ms: u64,
    /// The time of each stage, in milliseconds.
    pub stages_ms: HybridStages,
    /// Where the relations come from.
    pub live: LiveShare,
    /// What was missing.
    pub notes: Vec<String>,
    /// The clusters, best first.
    pub results: Vec<HybridCluster>,
}

/// The time of each stage of a hybrid search, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HybridStages {
    /// Finding the symbols to begin with.
    pub seeds: f64,
    /// Following their relations.
    pub expansion: f64,
    /// Finding the clusters.
    pub clustering: f64,
    /// Ranking them.
    pub ranking: f64,
}

/// Where the relations of a hybrid search come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LiveShare {
    /// Symbols whose relations a language server named.
    pub live_symbols: usize,
    /// Symbols whose relations the index named.
    pub index_symbols: usize,
    /// Edges that a language server named.
    pub live_edges: usize,
    /// Edges that the index named.
    pub index_edges: usize,
    /// The language servers, and how far each is.
    pub servers: Vec<ServerState>,
}

/// Symbols that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HybridCluster {
    /// Its id within the answer.
    pub cluster_id: String,
    /// The score of its best symbol.
    pub score: f32,
    /// A title made from its best symbols and the folder that all share.
    pub title: String,
    /// Its symbols, best first.
    pub symbols: Vec<HybridSymbol>,
    /// The relations between them.
    pub edges: Vec<HybridEdge>,
}

/// A symbol of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HybridSymbol {
    /// Its id: the path, the name and the line.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its name with its owners.
    pub qualified_name: String,
    /// Its kind.
    pub kind: &'static str,
    /// The repository's name.
    pub repo: String,
    /// The path, relative to the repository's root.
    pub file_path: String,
    /// Where it is: in the index, or in the checkout if the index does not have it.
    pub range: SymbolRange,
    /// Its score: the weighted sum of its signals.
    pub score: f32,
    /// The relevance of its text, 0 to 1.
    pub text: f32,
    /// Its PageRank within the cluster, divided by the largest there.
    pub centrality: f32,
    /// 1 for a symbol that the query found, 1 / (1 + d) for one that d relations lead to from there, else 0.
    pub proximity: f32,
    /// Whether the query found it; else relations led to it.
    pub is_seed: bool,
    /// The symbol's key; null if only a language server knows it.
    pub key: Option<String>,
    /// Its source, at most 8,000 bytes.
    pub raw_code: Option<String>,
    /// Whether the source was cut; absent if it was not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Whether the file has local edits, under an overlay; absent if it has none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
}

/// A range of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SymbolRange {
    /// Its start.
    pub start: SymbolPosition,
    /// Its end.
    pub end: SymbolPosition,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SymbolPosition {
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 0.
    pub char: u32,
}

/// A relation between two symbols of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HybridEdge {
    /// The id of the first symbol.
    pub from: String,
    /// The id of the second.
    pub to: String,
    /// The relation: the first calls, inherits or imports the second, or references: it is referred to by the second.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether a language server named it, as opposed to the index.
    pub live: bool,
}

impl HybridAnswer {
    pub(crate) fn new(
        index: &Index,
        query: &str,
        response: HybridResponse,
        started: Instant,
        one_repo: bool,
        dirty_files: &DirtyFiles,
    ) -> Result<Self> {
        let graph = &response.graph;
        let live_edges = graph.edges.iter().filter(|edge| edge.live).count();
        let (live_symbols, index_symbols) = graph.expanded;
        let mut results = Vec::with_capacity(response.clusters.len());
        for (number, cluster) in response.clusters.iter().enumerate() {
            let symbol = |ranked: &RankedSymbol| {
                let node = &graph.nodes[ranked.node];
                HybridSymbol::new(index, node, ranked, ranked.node < response.seeds, one_repo, dirty_files)
            };
            results.push(HybridCluster {
                cluster_id: format!("cluster_{number}"),
                score: cluster.score,
                title: cluster.title.clone(),
                symbols: cluster.symbols.iter().map(symbol).collect::<Result<_>>()?,
                edges: edges(&response, cluster, one_repo),
            });
        }
        let servers = response.servers.iter().cloned().map(ServerState::from);
        let round = |milliseconds: f64| (milliseconds * 1000.0).round() / 1000.0;
        Ok(Self {
            schema_version: SCHEMA_VERSION,
            command: "hybrid-search",
            query: query.to_owned(),
            query_id: query_id(),
            execution_time_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            stages_ms: HybridStages {
                seeds: round(response.times.seeds),
                expansion: round(response.times.expansion),
                clustering: round(response.times.clustering),
                ranking: round(response.times.ranking),
            },
            live: LiveShare {
                live_symbols,
                index_symbols,
                live_edges,
                index_edges: graph.edges.len() - live_edges,
                servers: servers.collect(),
            },
            notes: response.notes.clone(),
            results,
        })
    }
}

fn edges(response: &HybridResponse, cluster: &Cluster, one_repo: bool) -> Vec<HybridEdge> {
    let graph = &response.graph;
    let is_member = |node: usize| cluster.symbols.iter().any(|symbol| symbol.node == node);
    let inner = graph.edges.iter().filter(|edge| is_member(edge.from) && is_member(edge.to));
    inner
        .map(|edge| HybridEdge {
            from: graph.nodes[edge.from].id(one_repo),
            to: graph.nodes[edge.to].id(one_repo),
            kind: edge.kind.as_str(),
            live: edge.live,
        })
        .collect()
}

impl HybridSymbol {
    fn new(
        index: &Index,
        node: &Node,
        ranked: &RankedSymbol,
        is_seed: bool,
        one_repo: bool,
        dirty_files: &DirtyFiles,
    ) -> Result<Self> {
        let mut raw_code = SourceReader::new(index).code_of(node)?;
        let truncated = raw_code.as_ref().is_some_and(|code| code.len() > MAX_CODE_BYTES);
        if let Some(code) = &mut raw_code {
            code.truncate(code.floor_char_boundary(MAX_CODE_BYTES));
        }
        let position = |at: sextant_search::live::Position| SymbolPosition { line: at.line, char: at.column };
        Ok(Self {
            id: node.id(one_repo),
            name: node.name.clone(),
            qualified_name: node.qualified_name.clone(),
            kind: node.kind.as_str(),
            repo: node.repo.clone(),
            file_path: node.path.clone(),
            range: SymbolRange { start: position(node.start), end: position(node.end) },
            score: ranked.score,
            text: ranked.text,
            centrality: ranked.centrality,
            proximity: ranked.proximity,
            is_seed,
            key: node.key.clone(),
            raw_code,
            truncated,
            edited: dirty_files.contains(&node.repo, &node.path),
        })
    }
}

/// `hs-DATE-NUMBER`.
#[expect(clippy::disallowed_methods, reason = "the document that defines the request puts the date into the id")]
fn query_id() -> String {
    static SEARCHES: AtomicU32 = AtomicU32::new(0);
    let number = SEARCHES.fetch_add(1, Ordering::Relaxed) + 1;
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let date = date_time(seconds);
    let day: String = date.chars().take(10).filter(char::is_ascii_digit).collect();
    format!("hs-{day}-{number:03}")
}
