//! Communities of a weighted graph by the method of Louvain (Blondel, Guillaume, Lambiotte, Lefebvre 2008, "Fast
//! unfolding of communities in large networks"), with the resolution of Reichardt and Bornholdt (2006). Independent of
//! what the nodes are.
//!
//! Nodes are visited in their order and ties keep the smaller community, so equal graphs have equal communities.

use rustc_hash::FxHashMap;

/// A move must gain this much modularity.
const MIN_GAIN: f64 = 1e-12;
/// Passes over the nodes of one level at most.
const MAX_PASSES: usize = 100;

/// An undirected weighted graph whose nodes are numbers.
#[derive(Clone, Debug, Default)]
pub struct WeightedGraph {
    /// The neighbours of each node with the weights of the edges, ascending; an edge is in the lists of both its ends.
    neighbours: Vec<Vec<(usize, f64)>>,
    /// The weight of each node's edge to itself.
    loops: Vec<f64>,
}

impl WeightedGraph {
    /// A graph of `nodes` nodes. The weights of edges between the same two nodes, in either direction, add up. Edges to
    /// nodes that do not exist, and weights that are not positive, are left out.
    #[must_use]
    pub fn new(nodes: usize, edges: &[(usize, usize, f64)]) -> Self {
        let mut loops = vec![0.0; nodes];
        let mut ordered: Vec<(usize, usize, f64)> = Vec::with_capacity(edges.len() * 2);
        for &(a, b, weight) in edges.iter().filter(|&&(a, b, weight)| a.max(b) < nodes && weight > 0.0) {
            if a == b {
                loops[a] += weight;
            } else {
                ordered.extend([(a, b, weight), (b, a, weight)]);
            }
        }
        ordered.sort_by_key(|&(a, b, _)| (a, b));
        let mut neighbours: Vec<Vec<(usize, f64)>> = vec![Vec::new(); nodes];
        for (a, b, weight) in ordered {
            match neighbours[a].last_mut() {
                Some((last, sum)) if *last == b => *sum += weight,
                _ => neighbours[a].push((b, weight)),
            }
        }
        Self { neighbours, loops }
    }

    /// The number of nodes.
    #[must_use]
    pub const fn nodes(&self) -> usize {
        self.loops.len()
    }

    /// The weights of all edges of a node; one to itself counts twice, because it has both ends there.
    fn degree(&self, node: usize) -> f64 {
        2.0 * self.loops[node] + self.neighbours[node].iter().map(|(_, weight)| weight).sum::<f64>()
    }

    /// The weight of all edges.
    fn weight(&self) -> f64 {
        (0..self.nodes()).map(|node| self.degree(node)).sum::<f64>() / 2.0
    }
}

/// Returns the community of each node, numbered from 0 in the order of their first nodes. A higher `resolution` gives
/// smaller communities; 1 is modularity itself.
#[must_use]
pub fn communities(graph: &WeightedGraph, resolution: f64) -> Vec<usize> {
    let mut of_node: Vec<usize> = (0..graph.nodes()).collect();
    let mut level = graph.clone();
    loop {
        let (moved, found) = move_nodes(&level, resolution);
        let (numbered, count) = number(&found);
        of_node.iter_mut().for_each(|community| *community = numbered[*community]);
        if !moved || count == level.nodes() {
            return number(&of_node).0;
        }
        level = aggregate(&level, &numbered, count);
    }
}

/// Returns the modularity of a partition: the share of the edges within communities, less the share that a random graph
/// of the same degrees would have there (Newman 2004). 0 for a graph without edges.
#[must_use]
pub fn modularity(graph: &WeightedGraph, communities: &[usize], resolution: f64) -> f64 {
    let total = graph.weight();
    let count = communities.iter().max().map_or(0, |last| last + 1);
    if total <= 0.0 || communities.len() != graph.nodes() {
        return 0.0;
    }
    let (mut within, mut degrees) = (vec![0.0; count], vec![0.0; count]);
    for (node, &community) in communities.iter().enumerate() {
        degrees[community] += graph.degree(node);
        let inner = graph.neighbours[node].iter().filter(|(other, _)| communities[*other] == community);
        within[community] += graph.loops[node] + inner.map(|(_, weight)| weight).sum::<f64>() / 2.0;
    }
    let share = |(within, degree): (&f64, &f64)| within / total - resolution * (degree / (2.0 * total)).powi(2);
    within.iter().zip(&degrees).map(share).sum()
}

/// Moves nodes to the communities of their neighbours while that gains modularity. Returns whether any was moved, and
/// the community of each node.
fn move_nodes(graph: &WeightedGraph, resolution: f64) -> (bool, Vec<usize>) {
    let nodes = graph.nodes();
    let mut community: Vec<usize> = (0..nodes).collect();
    let degree: Vec<f64> = (0..nodes).map(|node| graph.degree(node)).collect();
    let mut total_of = degree.clone();
    let twice = degree.iter().sum::<f64>();
    if twice <= 0.0 {
        return (false, community);
    }
    let mut moved_any = false;
    let mut weight_to: FxHashMap<usize, f64> = FxHashMap::default();
    for _ in 0..MAX_PASSES {
        let mut moved = false;
        for node in 0..nodes {
            let own = community[node];
            weight_to.clear();
            for &(other, weight) in &graph.neighbours[node] {
                *weight_to.entry(community[other]).or_default() += weight;
            }
            total_of[own] -= degree[node];
            // What is gained by joining a community, times half the weight of all edges.
            let gain = |to: usize, weight: f64| weight - resolution * total_of[to] * degree[node] / twice;
            let stay = gain(own, weight_to.get(&own).copied().unwrap_or(0.0));
            let (mut best, mut best_gain) = (own, stay + MIN_GAIN * twice);
            // In the order of the neighbours, not of the map.
            for &(other, _) in &graph.neighbours[node] {
                let to = community[other];
                let joined = gain(to, weight_to.get(&to).copied().unwrap_or(0.0));
                if joined > best_gain || (joined == best_gain && to < best && best != own) {
                    (best, best_gain) = (to, joined);
                }
            }
            total_of[best] += degree[node];
            if best != own {
                community[node] = best;
                moved = true;
            }
        }
        if !moved {
            break;
        }
        moved_any = true;
    }
    (moved_any, community)
}

/// Numbers communities from 0 in the order of their first nodes; returns the number of each node, and how many there are.
fn number(communities: &[usize]) -> (Vec<usize>, usize) {
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let numbered: Vec<usize> = communities
        .iter()
        .map(|&community| {
            let next = numbers.len();
            *numbers.entry(community).or_insert(next)
        })
        .collect();
    (numbered, numbers.len())
}

/// The graph whose nodes are the communities of another.
fn aggregate(graph: &WeightedGraph, community: &[usize], count: usize) -> WeightedGraph {
    let own = graph.loops.iter().enumerate().map(|(node, &weight)| (community[node], community[node], weight));
    let mut edges: Vec<(usize, usize, f64)> = own.collect();
    for (node, neighbours) in graph.neighbours.iter().enumerate() {
        let once = neighbours.iter().filter(|(other, _)| node < *other);
        edges.extend(once.map(|&(other, weight)| (community[node], community[other], weight)));
    }
    WeightedGraph::new(count, &edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(nodes: usize, edges: &[(usize, usize)], resolution: f64) -> Vec<usize> {
        let edges: Vec<_> = edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        communities(&WeightedGraph::new(nodes, &edges), resolution)
    }

    #[test]
    fn two_triangles_with_a_bridge_are_two_communities() {
        let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)];
        assert_eq!(of(6, &edges, 1.0), [0, 0, 0, 1, 1, 1]);
        assert_eq!(of(6, &edges, 0.1), [0; 6]);
        assert_eq!(of(6, &edges, 9.0), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn graphs_without_edges_have_communities_of_one() {
        assert_eq!(of(0, &[], 1.0), [0; 0]);
        assert_eq!(of(3, &[], 1.0), [0, 1, 2]);
        assert_eq!(of(2, &[(0, 0), (1, 9)], 1.0), [0, 1]);
    }

    /// Graphs with the modularity that networkx finds, see `scripts/communities-fixture`.
    #[test]
    fn communities_are_as_good_as_those_of_networkx() {
        #[derive(serde::Deserialize)]
        struct Case {
            name: String,
            nodes: usize,
            resolution: f64,
            edges: Vec<(usize, usize, f64)>,
            /// A partition of networkx and its modularity.
            partition: Vec<usize>,
            modularity: f64,
            /// The smallest and the largest modularity that networkx finds with ten seeds.
            range: (f64, f64),
        }
        let cases: Vec<Case> = serde_json::from_str(include_str!("../testdata/communities.json")).unwrap();
        assert_eq!(cases.len(), 50);
        let (mut ours, mut theirs) = (0.0, 0.0);
        for case in &cases {
            let graph = WeightedGraph::new(case.nodes, &case.edges);
            let same = modularity(&graph, &case.partition, case.resolution);
            assert!((same - case.modularity).abs() < 1e-9, "{}: {same} and {}", case.name, case.modularity);
            let found = modularity(&graph, &communities(&graph, case.resolution), case.resolution);
            let (low, high) = case.range;
            assert!(found >= low - 0.02, "{}: {found:.4}, networkx {low:.4} to {high:.4}", case.name);
            ours += found;
            theirs += f64::midpoint(low, high);
        }
        assert!(ours >= theirs * 0.995, "{ours:.3} in all, networkx {theirs:.3}");
    }

    proptest! {
        #[test]
        fn communities_are_never_worse_than_none(
            edges in proptest::collection::vec((0_usize..20, 0_usize..20, 0.1_f64..5.0), 0..80),
            resolution in 0.2_f64..3.0,
        ) {
            let graph = WeightedGraph::new(20, &edges);
            let found = communities(&graph, resolution);
            let alone: Vec<usize> = (0..20).collect();
            prop_assert!(modularity(&graph, &found, resolution) >= modularity(&graph, &alone, resolution) - 1e-9);
            prop_assert_eq!(&found, &communities(&graph, resolution));
            // Communities are numbered in the order of their first nodes.
            let firsts: Vec<usize> = (0..20).filter(|&node| !found[..node].contains(&found[node])).map(|node| found[node]).collect();
            prop_assert!(firsts.iter().enumerate().all(|(at, &community)| at == community));
        }
    }
}
