//! The order of a hybrid search: seeds, graph, clusters, ranking.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::clusters::clusters;
use super::graph::{GraphLimits, RelationKind, Relations, SymbolGraph, build_graph};
use super::index_relations::index_relations;
use super::ranking::{Cluster, ClusterWeights, rank_clusters};
use super::seeds::{Seeds, find_seeds, relevance};
use crate::live::{LanguageServers, LiveRelations, Node, ServerReport};
use crate::read::SourceReader;
use crate::search::SearchRequest;
use crate::{Index, Result};

/// The part of the time for language servers in which they are asked; in the rest their places become symbols.
const ASKING_SHARE: f64 = 0.8;
/// Seeds for each cluster that is asked for.
const SEEDS_PER_CLUSTER: usize = 2;

/// What a hybrid search is asked for.
#[derive(Clone, Debug)]
pub struct HybridRequest {
    /// The search for the seeds; its mode says which retrievers find them.
    pub search: SearchRequest,
    /// Clusters at most.
    pub top_k: usize,
    /// How far the graph reaches.
    pub limits: GraphLimits,
    /// The resolution of the clustering; higher gives smaller clusters.
    pub resolution: f64,
    /// The shares of the signals.
    pub weights: ClusterWeights,
    /// Time for language servers.
    pub live_time: Duration,
}

/// The time of each stage, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimes {
    /// Finding the seeds.
    pub seeds: f64,
    /// Building the graph.
    pub expansion: f64,
    /// Finding the clusters.
    pub clustering: f64,
    /// Ranking them.
    pub ranking: f64,
}

/// What a hybrid search found.
#[derive(Clone, Debug)]
pub struct HybridResponse {
    /// The clusters, best first.
    pub clusters: Vec<Cluster>,
    /// The graph whose nodes they name.
    pub graph: SymbolGraph,
    /// The number of seeds: the first nodes of the graph.
    pub seeds: usize,
    /// The time of each stage.
    pub times: StageTimes,
    /// How far the servers are.
    pub servers: Vec<ServerReport>,
    /// What was missing, for people.
    pub notes: Vec<String>,
}

/// Runs a hybrid search; relations come from `servers` as far as they answer in time, else from the index.
///
/// # Errors
/// The index is damaged, or a filter is invalid.
pub fn hybrid_search(
    index: &Index,
    request: &HybridRequest,
    servers: Option<&dyn LanguageServers>,
) -> Result<HybridResponse> {
    let mut times = StageTimes::default();
    let mut timed = Instant::now();
    let mut lap = || {
        let milliseconds = timed.elapsed().as_secs_f64() * 1000.0;
        timed = Instant::now();
        milliseconds
    };
    let Seeds { nodes: seeds, mut notes } = find_seeds(index, &request.search, request.top_k * SEEDS_PER_CLUSTER)?;
    times.seeds = lap();

    let seed_count = seeds.len().min(request.limits.max_nodes);
    let deadline = Instant::now() + request.live_time.mul_f64(ASKING_SHARE);
    let mut failures = BTreeSet::new();
    let graph = build_graph(seeds, request.limits, |batch| expand(index, batch, servers, deadline, &mut failures))?;
    notes.extend(failures);
    times.expansion = lap();

    let mut found = clusters(&graph, request.resolution);
    if found.is_empty() && seed_count > 0 {
        notes.push("no relations were found between symbols: each stands alone".to_owned());
        found = (0..seed_count).map(|seed| vec![seed]).collect();
    }
    times.clustering = lap();

    let text = relevance(index, &request.search, &graph.nodes)?;
    let mut clusters = rank_clusters(&graph, found, &text, seed_count, request.weights);
    clusters.truncate(request.top_k);
    times.ranking = lap();
    let servers = servers.map(LanguageServers::report).unwrap_or_default();
    Ok(HybridResponse { clusters, graph, seeds: seed_count, times, servers, notes })
}

/// The relations of some symbols: those of servers, or of the index for a symbol about which none answers.
fn expand(
    index: &Index,
    batch: &[Node],
    servers: Option<&dyn LanguageServers>,
    deadline: Instant,
    failures: &mut BTreeSet<String>,
) -> Result<Vec<Relations>> {
    let mut live: Vec<Option<LiveRelations>> = vec![None; batch.len()];
    if let Some(servers) = servers {
        if Instant::now() < deadline {
            live = servers.relations(index, batch, deadline)?.into_iter().map(Some).collect();
        } else {
            failures.insert("the time for language servers was up; the rest is from the index".to_owned());
        }
    }
    let mut expanded = Vec::with_capacity(batch.len());
    for (node, live) in batch.iter().zip(live) {
        let answered = live.and_then(|live| users(live, failures));
        expanded.push(match answered {
            Some(users) => Relations { users, live: true },
            None => index_relations(index, node)?,
        });
    }
    Ok(expanded)
}

/// What a server answered about one symbol; `None` if it did not answer. A caller is not listed as a reference too.
fn users(live: LiveRelations, failures: &mut BTreeSet<String>) -> Option<Vec<(RelationKind, Node)>> {
    let (callers, references) = match (live.callers, live.references) {
        (Err(a), Err(b)) => {
            failures.extend([a, b]);
            return None;
        }
        (Err(why), Ok(references)) => {
            failures.insert(why);
            (Vec::new(), references)
        }
        // A server without hierarchies of calls names no callers: that alone is no answer.
        (Ok(callers), Err(why)) => {
            failures.insert(why);
            if callers.is_empty() {
                return None;
            }
            (callers, Vec::new())
        }
        (Ok(callers), Ok(references)) => (callers, references),
    };
    let others = references.into_iter().filter(|node| !callers.contains(node)).collect::<Vec<_>>();
    let calls = callers.into_iter().map(|node| (RelationKind::Calls, node));
    Some(calls.chain(others.into_iter().map(|node| (RelationKind::References, node))).collect())
}

impl SourceReader<'_> {
    /// Returns the text of a symbol; `None` if neither the index nor the node has it.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn code_of(&self, node: &Node) -> Result<Option<String>> {
        if node.code.is_some() {
            return Ok(node.code.clone());
        }
        let Some(file) = node.file else { return Ok(None) };
        Ok(self.text_of(file)?.map(|text| text.text(node.start.line, node.end.line)))
    }
}
