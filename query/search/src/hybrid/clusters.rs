//! The communities of a graph, without the symbols that every program has.

use std::collections::BTreeMap;

use super::graph::SymbolGraph;
use crate::communities::{WeightedGraph, communities};

/// Names that say nothing about what code is for, in lower case.
const NOISE: &[&str] = &["log", "print", "debug", "error", "warn", "get", "set", "init", "__init__", "tostring"];
/// A cluster has this many symbols at least.
const MIN_SYMBOLS: usize = 2;

/// Returns the communities of a graph as ascending positions of nodes, in the order of their first nodes. Symbols whose
/// names say nothing are left out, then communities of one symbol.
pub(super) fn clusters(graph: &SymbolGraph, resolution: f64) -> Vec<Vec<usize>> {
    let edges: Vec<(usize, usize, f64)> = graph.edges.iter().map(|edge| (edge.from, edge.to, 1.0)).collect();
    let found = communities(&WeightedGraph::new(graph.nodes.len(), &edges), resolution);
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (node, community) in found.into_iter().enumerate() {
        members.entry(community).or_default().push(node);
    }
    let is_noise = |at: &usize| NOISE.contains(&graph.nodes[*at].name.to_lowercase().as_str());
    let mut clusters: Vec<Vec<usize>> = members.into_values().collect();
    clusters.iter_mut().for_each(|members| members.retain(|at| !is_noise(at)));
    clusters.retain(|members| members.len() >= MIN_SYMBOLS);
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hybrid::graph::tests::node;
    use crate::hybrid::graph::{Edge, RelationKind};

    fn graph(names: &[&str], edges: &[(usize, usize)]) -> SymbolGraph {
        let named = |(number, name): (u32, &&str)| {
            let mut node = node(number);
            node.name = (*name).to_owned();
            node
        };
        let edge = |&(from, to): &(usize, usize)| Edge { from, to, kind: RelationKind::Calls, live: false };
        SymbolGraph {
            nodes: (0..).zip(names).map(named).collect(),
            edges: edges.iter().map(edge).collect(),
            expanded: (0, 0),
        }
    }

    #[test]
    fn noise_and_symbols_alone_are_left_out() {
        let names = ["retry", "backoff", "toString", "alone", "Log", "write", "__init__"];
        let found = clusters(&graph(&names, &[(0, 1), (1, 2), (0, 2), (4, 5), (5, 6), (4, 6)]), 1.0);
        assert_eq!(found, [[0, 1]]);
    }

    #[test]
    fn a_higher_resolution_gives_smaller_clusters() {
        let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)];
        let graph = graph(&["a", "b", "c", "d", "e", "f"], &edges);
        assert_eq!(clusters(&graph, 1.0), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(clusters(&graph, 0.1).len(), 1);
        assert!(clusters(&graph, 9.0).is_empty());
        assert!(clusters(&SymbolGraph::default(), 1.0).is_empty());
    }
}
