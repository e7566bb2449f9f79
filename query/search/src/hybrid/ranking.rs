//! The order of clusters and of the symbols in them: how near a symbol is to the query, how central it is in its cluster,
//! how near it is to what the query found.

use std::collections::VecDeque;

use petgraph::algo::page_rank;
use petgraph::graph::{DiGraph, NodeIndex};

use super::graph::SymbolGraph;

/// Damping and steps of PageRank (Page, Brin, Motwani, Winograd 1999).
const DAMPING: f32 = 0.85;
const STEPS: usize = 30;

/// The shares of the three signals in a symbol's score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterWeights {
    /// Of the relevance of its text.
    pub text: f32,
    /// Of its PageRank within the cluster, relative to the largest there.
    pub centrality: f32,
    /// Of its nearness to a seed.
    pub proximity: f32,
}

impl Default for ClusterWeights {
    fn default() -> Self {
        Self { text: 0.4, centrality: 0.35, proximity: 0.25 }
    }
}

/// A symbol of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedSymbol {
    /// Its position in the graph.
    pub node: usize,
    /// Its score, 0 to 1 if the weights sum to 1.
    pub score: f32,
    /// The relevance of its text, 0 to 1.
    pub text: f32,
    /// Its PageRank within the cluster, divided by the largest there.
    pub centrality: f32,
    /// 1 for a seed, 1 / (1 + d) for a symbol d edges from one, 0 without a path from one.
    pub proximity: f32,
}

/// A cluster, its symbols best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The score of its best symbol.
    pub score: f32,
    /// Its symbols.
    pub symbols: Vec<RankedSymbol>,
    /// A title made from its members.
    pub title: String,
}

/// Ranks clusters, best first. `text` has the relevance of every node; the first `seeds` nodes are seeds.
pub(super) fn rank_clusters(
    graph: &SymbolGraph,
    clusters: Vec<Vec<usize>>,
    text: &[f32],
    seeds: usize,
    weights: ClusterWeights,
) -> Vec<Cluster> {
    let mut ranked: Vec<Cluster> =
        clusters.into_iter().map(|members| rank_cluster(graph, &members, text, seeds, weights)).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(first(a).cmp(&first(b))));
    ranked
}

fn first(cluster: &Cluster) -> Option<usize> {
    cluster.symbols.iter().map(|symbol| symbol.node).min()
}

fn rank_cluster(
    graph: &SymbolGraph,
    members: &[usize],
    text: &[f32],
    seeds: usize,
    weights: ClusterWeights,
) -> Cluster {
    let position = |node: usize| members.binary_search(&node).ok();
    let edges: Vec<(usize, usize)> =
        graph.edges.iter().filter_map(|edge| Some((position(edge.from)?, position(edge.to)?))).collect();
    let centrality = centrality(members.len(), &edges);
    let proximity = proximity(members, &edges, seeds);
    let mut symbols: Vec<RankedSymbol> = members
        .iter()
        .zip(centrality.into_iter().zip(proximity))
        .map(|(&node, (centrality, proximity))| {
            let text = text.get(node).copied().unwrap_or(0.0);
            let score = weights.text * text + weights.centrality * centrality + weights.proximity * proximity;
            RankedSymbol { node, score, text, centrality, proximity }
        })
        .collect();
    symbols.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    let score = symbols.first().map_or(0.0, |symbol| symbol.score);
    let title = title(graph, &symbols);
    Cluster { score, symbols, title }
}

/// PageRank within a cluster, divided by the largest: it sums to 1, so without that it would count for less in a larger
/// cluster.
fn centrality(members: usize, edges: &[(usize, usize)]) -> Vec<f32> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..members).map(|_| graph.add_node(())).collect();
    for &(from, to) in edges {
        graph.update_edge(nodes[from], nodes[to], ());
    }
    let ranks = page_rank(&graph, DAMPING, STEPS);
    let largest = ranks.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    ranks.into_iter().map(|rank| rank / largest).collect()
}

/// How near each member is to a seed along the direction of the edges.
fn proximity(members: &[usize], edges: &[(usize, usize)], seeds: usize) -> Vec<f32> {
    let mut proximity = vec![0.0; members.len()];
    let mut queue: VecDeque<(usize, u16)> =
        members.iter().enumerate().filter(|(_, node)| **node < seeds).map(|(at, _)| (at, 0)).collect();
    while let Some((at, distance)) = queue.pop_front() {
        if proximity[at] > 0.0 {
            continue;
        }
        proximity[at] = if distance == 0 { 1.0 } else { 1.0 / (1.0 + f32::from(distance)) };
        queue.extend(edges.iter().filter(|(from, _)| *from == at).map(|&(_, to)| (to, distance.saturating_add(1))));
    }
    proximity
}

/// The best two names and the folder that all symbols share.
fn title(graph: &SymbolGraph, symbols: &[RankedSymbol]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for symbol in symbols {
        let name = graph.nodes[symbol.node].qualified_name.as_str();
        if names.len() < 2 && !names.contains(&name) {
            names.push(name);
        }
    }
    let mut folders = symbols.iter().map(|symbol| {
        let path = graph.nodes[symbol.node].path.as_str();
        path.rsplit_once('/').map_or("", |(folder, _)| folder).split('/').collect::<Vec<_>>()
    });
    let first = folders.next().unwrap_or_default();
    let shared = folders.fold(first, |shared, folder| {
        let count = shared.iter().zip(&folder).take_while(|(a, b)| a == b).count();
        shared[..count].to_vec()
    });
    let folder = shared.join("/");
    if folder.is_empty() { names.join(", ") } else { format!("{} in {folder}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hybrid::graph::tests::node;
    use crate::hybrid::graph::{Edge, RelationKind};

    fn graph(nodes: u32, edges: &[(usize, usize)]) -> SymbolGraph {
        let edge = |&(from, to): &(usize, usize)| Edge { from, to, kind: RelationKind::Calls, live: false };
        SymbolGraph { nodes: (0..nodes).map(node).collect(), edges: edges.iter().map(edge).collect(), expanded: (0, 0) }
    }

    #[test]
    fn a_score_is_the_weighted_sum_of_its_signals() {
        // 0 is a seed and calls 1, which calls 2; 3 calls 0.
        let graph = graph(4, &[(0, 1), (1, 2), (3, 0)]);
        let text = [0.9, 0.5, 0.1, 0.0];
        let ranked = rank_clusters(&graph, vec![vec![0, 1, 2, 3]], &text, 1, ClusterWeights::default());
        let of = |node: usize| *ranked[0].symbols.iter().find(|symbol| symbol.node == node).unwrap();
        assert_eq!([0, 1, 2, 3].map(|node| of(node).proximity), [1.0, 0.5, 1.0 / 3.0, 0.0]);
        // Rank flows along the edges, and the largest is 1.
        assert_eq!(of(2).centrality, 1.0);
        assert!(of(3).centrality < of(0).centrality && of(0).centrality < of(1).centrality);
        for symbol in &ranked[0].symbols {
            let sum = 0.4 * symbol.text + 0.35 * symbol.centrality + 0.25 * symbol.proximity;
            assert!((symbol.score - sum).abs() < 1e-6);
        }
        assert!(ranked[0].symbols.is_sorted_by(|a, b| a.score >= b.score));
        assert_eq!(ranked[0].score, ranked[0].symbols[0].score);
    }

    #[test]
    fn clusters_are_in_the_order_of_their_best_symbols_and_weights_count() {
        let graph = graph(4, &[(0, 1), (2, 3)]);
        let text = [0.1, 0.1, 0.9, 0.1];
        let order = |weights| -> Vec<Option<usize>> {
            let ranked = rank_clusters(&graph, vec![vec![0, 1], vec![2, 3]], &text, 1, weights);
            ranked.iter().map(first).collect()
        };
        assert_eq!(order(ClusterWeights { text: 1.0, centrality: 0.0, proximity: 0.0 }), [Some(2), Some(0)]);
        assert_eq!(order(ClusterWeights { text: 0.0, centrality: 0.0, proximity: 1.0 }), [Some(0), Some(2)]);
    }

    #[test]
    fn a_title_names_the_best_symbols_and_their_folder() {
        let mut graph = graph(3, &[(0, 1), (1, 2)]);
        for (node, path) in graph.nodes.iter_mut().zip(["src/http/a.py", "src/http/deep/b.py", "src/http/c.py"]) {
            node.path = path.to_owned();
        }
        let ranked = rank_clusters(&graph, vec![vec![0, 1, 2]], &[0.9, 0.1, 0.0], 1, ClusterWeights::default());
        assert_eq!(ranked[0].title, "n0, n2 in src/http");
    }
}
