//! Related symbols: the neighbourhood of some symbols as a small weighted graph, and the strongest associations in it.

use std::collections::{BTreeMap, BinaryHeap};

use petgraph::algo::dijkstra;
use petgraph::graphmap::UnGraphMap;
use rustc_hash::FxHashMap;
use sextant_format::graph::{Graph, Neighbour};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use crate::Result;
use crate::rank::edge_weight;
use crate::weights::Weights;

/// Edges between a seed and a symbol of its neighbourhood at most.
const MAX_DEPTH: u32 = 2;
/// Symbols of a neighbourhood at most.
const MAX_NODES: usize = 100;
/// Neighbours of one symbol that are read, in each direction.
const MAX_NEIGHBOURS: usize = 1_000;

/// A related symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct Related {
    /// The symbol.
    pub definition: Definition,
    /// How strongly it is related, 0 to 1: the product of the associations along the strongest path from a seed.
    pub association: f32,
    /// The symbol before it on that path.
    pub via: SymbolId,
    /// Its key.
    pub via_key: String,
    /// The kind of the strongest edge between the two, and whether it leads from `via` to this symbol.
    pub edge: (EdgeKind, bool),
}

impl Navigator<'_> {
    /// Returns the neighbourhood of `seeds`: the most strongly associated symbols within two edges, at most 100. The
    /// weight of an edge is the association of two symbols, 0 to 1: the weight of all edges between them, divided by the
    /// geometric mean of the weights of all edges of each (the cosine of the two, Salton's association measure).
    ///
    /// # Errors
    /// The index is damaged.
    pub fn association(&self, seeds: &[SymbolId], weights: &Weights) -> Result<UnGraphMap<SymbolId, f32>> {
        let graph = self.index.graph()?;
        let mut found = UnGraphMap::new();
        let mut degrees: FxHashMap<SymbolId, f32> = FxHashMap::default();
        let mut degree = |node: SymbolId| {
            *degrees
                .entry(node)
                .or_insert_with(|| weighted_neighbours(graph, node, weights).map(|(_, weight)| weight).sum())
        };
        // Strongest first; ties by the lowest id.
        let mut frontier: BinaryHeap<(TotalF32, std::cmp::Reverse<SymbolId>, u32)> = BinaryHeap::new();
        for &seed in seeds.iter().filter(|&&seed| seed.index() < graph.nodes()) {
            found.add_node(seed);
            frontier.push((TotalF32(1.0), std::cmp::Reverse(seed), 0));
        }
        let mut visited = rustc_hash::FxHashSet::default();
        while let Some((TotalF32(strength), std::cmp::Reverse(node), depth)) = frontier.pop() {
            if !visited.insert(node) || depth >= MAX_DEPTH {
                continue;
            }
            let mut joined: BTreeMap<SymbolId, f32> = BTreeMap::new();
            for (edge, weight) in weighted_neighbours(graph, node, weights) {
                *joined.entry(edge.node).or_default() += weight;
            }
            joined.remove(&node);
            let mut joined: Vec<(SymbolId, f32)> = joined
                .into_iter()
                .map(|(other, weight)| (other, (weight / (degree(node) * degree(other)).sqrt()).min(1.0)))
                .filter(|(_, association)| *association > 0.0)
                .collect();
            joined.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            for (other, association) in joined {
                if !found.contains_node(other) && found.node_count() >= MAX_NODES {
                    continue;
                }
                found.add_edge(node, other, association);
                frontier.push((TotalF32(strength * association), std::cmp::Reverse(other), depth + 1));
            }
        }
        Ok(found)
    }

    /// Returns the symbols that are related to `seeds`, strongest first, at most `limit`.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn related(&self, seeds: &[SymbolId], weights: &Weights, limit: usize) -> Result<Vec<Related>> {
        let graph = self.index.graph()?;
        let near = self.association(seeds, weights)?;
        // Associations multiply, so their logarithms add.
        let length = |association: f32| -f64::from(association.max(1e-6)).ln();
        let mut distances: BTreeMap<SymbolId, f64> = BTreeMap::new();
        for &seed in seeds.iter().filter(|&&seed| near.contains_node(seed)) {
            for (node, distance) in dijkstra(&near, seed, None, |(_, _, association)| length(*association)) {
                let known = distances.entry(node).or_insert(distance);
                *known = known.min(distance);
            }
        }
        let mut order: Vec<(SymbolId, f64)> =
            distances.iter().filter(|(node, _)| !seeds.contains(node)).map(|(&node, &d)| (node, d)).collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        order.truncate(limit);
        let mut ids: Vec<SymbolId> = distances.keys().copied().collect();
        ids.sort_unstable();
        let known: BTreeMap<SymbolId, Definition> =
            ids.iter().copied().zip(read_definitions(self.index, &ids)?).collect();
        let related = order.into_iter().filter_map(|(node, distance)| {
            let before = near.edges(node).map(|(_, other, &association)| {
                (other, distances.get(&other).copied().unwrap_or(f64::INFINITY) + length(association))
            });
            let (via, _) = before.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))?;
            let edge = strongest_edge(graph, via, node, weights)?;
            let association = (-distance).exp() as f32;
            let via_key = known.get(&via).map_or_else(String::new, |via| via.key.clone());
            Some(Related { definition: known.get(&node)?.clone(), association, via, via_key, edge })
        });
        Ok(related.collect())
    }
}

/// A float in the order of `total_cmp`.
#[derive(Clone, Copy, PartialEq)]
struct TotalF32(f32);

impl Eq for TotalF32 {}

impl PartialOrd for TotalF32 {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TotalF32 {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The edges of a symbol in both directions, with their weights.
fn weighted_neighbours<'a>(
    graph: &'a Graph,
    node: SymbolId,
    weights: &'a Weights,
) -> impl Iterator<Item = (Neighbour, f32)> + 'a {
    let edges = graph.out_edges(node).take(MAX_NEIGHBOURS).chain(graph.in_edges(node).take(MAX_NEIGHBOURS));
    edges.map(|edge| {
        let weight = edge_weight(weights, &edge);
        (edge, weight)
    })
}

/// The kind of the heaviest edge between two symbols, and whether it leads from `a` to `b`.
fn strongest_edge(graph: &Graph, a: SymbolId, b: SymbolId, weights: &Weights) -> Option<(EdgeKind, bool)> {
    let weight = |edge: &Neighbour| edge_weight(weights, edge);
    let forward = graph.out_edges(a).filter(|edge| edge.node == b).map(|edge| (weight(&edge), edge.kind, true));
    let backward = graph.in_edges(a).filter(|edge| edge.node == b).map(|edge| (weight(&edge), edge.kind, false));
    forward.chain(backward).max_by(|x, y| x.0.total_cmp(&y.0)).map(|(_, kind, is_from)| (kind, is_from))
}
