//! Personalised PageRank from the best hits, by local push (Andersen, Chung, Lang 2006): only the
//! neighbourhood of the seeds is touched, so the cost does not grow with the graph.
//!
//! Edges are walked both ways, because users of a hit and symbols that it uses are both related to it. A step chooses a
//! neighbour in proportion to the weight of the edge's kind times its confidence.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use sextant_format::graph::{Graph, Neighbour};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use crate::weights::Weights;

/// When to stop. The weights of edges and the damping are in [`Weights`].
#[derive(Clone, Copy, Debug)]
pub struct PushLimits {
    /// Residual mass up to this is not pushed on; each node's mass is within this of the exact value.
    pub epsilon: f32,
    /// The walk ends after this many edges.
    pub max_edges: usize,
}

impl PushLimits {
    /// The limits of a search.
    pub const STANDARD: Self = Self { epsilon: 1e-4, max_edges: 50_000 };
}

/// A node that the walk reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedNode {
    /// The symbol.
    pub node: SymbolId,
    /// Its share of the mass; all shares sum to at most 1.
    pub mass: f32,
    /// The neighbour that contributed most of it, and the kind of the edge; `None` for a seed.
    pub from: Option<(SymbolId, EdgeKind)>,
}

/// The probability of walking on instead of returning to a seed, clamped to 0 to 0.99.
fn damping(weights: &Weights) -> f32 {
    weights.graph.damping.clamp(0.0, 0.99)
}

/// The weight of an edge: its kind's weight times its confidence.
pub(crate) fn edge_weight(weights: &Weights, edge: &Neighbour) -> f32 {
    weights.graph.edge(edge.kind).max(0.0) * edge.confidence.clamp(0.0, 1.0)
}

/// PageRank by power iteration over the whole graph: the reference with which tests and benchmarks compare
/// [`personalised_pagerank`]. Returns one mass for each node; they sum to 1 if a seed is in range. With a damping of
/// 0.85, 20 `iterations` are usual (Page, Brin, Motwani, Winograd 1999). Time and memory grow with the graph.
#[must_use]
pub fn power_iteration(graph: &Graph, seeds: &[(SymbolId, f32)], weights: &Weights, iterations: usize) -> Vec<f32> {
    let damping = damping(weights);
    let nodes = graph.nodes();
    let mut teleport = vec![0.0_f32; nodes];
    for &(seed, share) in seeds.iter().filter(|(seed, _)| seed.index() < nodes) {
        teleport[seed.index()] += share.max(0.0);
    }
    let total: f32 = teleport.iter().sum();
    if total <= 0.0 {
        return vec![0.0; nodes];
    }
    teleport.iter_mut().for_each(|share| *share /= total);
    let mut rank = teleport.clone();
    for _ in 0..iterations {
        let mut next: Vec<f32> = teleport.iter().map(|share| (1.0 - damping) * share).collect();
        for (at, &mass) in (0..).map(SymbolId::new).zip(&rank).filter(|(_, mass)| **mass > 0.0) {
            let neighbours = || graph.out_edges(at).chain(graph.in_edges(at));
            let out: f32 = neighbours().map(|edge| edge_weight(weights, &edge)).sum();
            if out <= 0.0 {
                // A node without edges keeps its mass, as in the local push.
                next[at.index()] += damping * mass;
                continue;
            }
            for edge in neighbours() {
                next[edge.node.index()] += damping * mass * edge_weight(weights, &edge) / out;
            }
        }
        rank = next;
    }
    rank
}

struct NodeState {
    mass: f32,
    residual: f32,
    queued: bool,
    best_inflow: f32,
    from: Option<(SymbolId, EdgeKind)>,
}

/// Personalised PageRank from `seeds`, each with its share of the teleport. Returns the reached nodes, most mass first;
/// ties are in the order of the nodes. The order of the seeds affects only rounding.
#[must_use]
pub fn personalised_pagerank(
    graph: &Graph,
    seeds: &[(SymbolId, f32)],
    weights: &Weights,
    push: PushLimits,
) -> Vec<RankedNode> {
    let damping = damping(weights);
    let total: f32 = seeds.iter().map(|(_, share)| share.max(0.0)).sum();
    let mut nodes: FxHashMap<SymbolId, NodeState> = FxHashMap::default();
    let mut queue: VecDeque<SymbolId> = VecDeque::new();
    if total <= 0.0 {
        return Vec::new();
    }
    for &(seed, share) in seeds {
        if seed.index() < graph.nodes() {
            add_residual(&mut nodes, &mut queue, seed, share.max(0.0) / total, None, push.epsilon);
        }
    }
    let mut walked = 0;
    // Edges are decoded once: their weights are needed before the first of them is walked.
    let mut edges: Vec<(SymbolId, EdgeKind, f32)> = Vec::new();
    while let Some(at) = queue.pop_front() {
        let Some(node) = nodes.get_mut(&at) else { continue };
        let residual = std::mem::take(&mut node.residual);
        node.queued = false;
        node.mass += (1.0 - damping) * residual;
        edges.clear();
        let neighbours = graph.out_edges(at).chain(graph.in_edges(at));
        edges.extend(neighbours.map(|edge| (edge.node, edge.kind, edge_weight(weights, &edge))));
        let out: f32 = edges.iter().map(|(.., weight)| weight).sum();
        if out <= 0.0 {
            // A node without edges keeps its mass: the walk ends here instead of returning to a seed.
            node.mass += damping * residual;
            continue;
        }
        let share = damping * residual / out;
        for &(neighbour, kind, weight) in &edges {
            add_residual(&mut nodes, &mut queue, neighbour, share * weight, Some((at, kind)), push.epsilon);
        }
        walked += edges.len();
        if walked >= push.max_edges {
            break;
        }
    }
    let mut reached: Vec<RankedNode> = nodes
        .into_iter()
        .map(|(node, n)| RankedNode { node, mass: n.mass, from: n.from })
        .filter(|r| r.mass > 0.0)
        .collect();
    reached.sort_by(|a, b| b.mass.total_cmp(&a.mass).then(a.node.cmp(&b.node)));
    reached
}

fn add_residual(
    nodes: &mut FxHashMap<SymbolId, NodeState>,
    queue: &mut VecDeque<SymbolId>,
    id: SymbolId,
    mass: f32,
    from: Option<(SymbolId, EdgeKind)>,
    epsilon: f32,
) {
    let is_seed = from.is_none();
    let node = nodes.entry(id).or_insert(NodeState { mass: 0.0, residual: 0.0, queued: false, best_inflow: 0.0, from });
    node.residual += mass;
    if is_seed {
        // A seed needs no explanation, whatever else reaches it.
        node.from = None;
        node.best_inflow = f32::INFINITY;
    } else if mass > node.best_inflow {
        node.best_inflow = mass;
        node.from = from;
    }
    if !node.queued && node.residual > epsilon {
        node.queued = true;
        queue.push_back(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_format::graph::{GraphEdge, write};
    use sextant_format::kinds::Tier;

    const WEIGHTS: &Weights = &Weights::STANDARD;
    const LIMITS: PushLimits = PushLimits { epsilon: 1e-7, max_edges: 1_000_000 };

    /// Seeds from the numbers of their symbols.
    fn seeds<const N: usize>(seeds: [(u32, f32); N]) -> [(SymbolId, f32); N] {
        seeds.map(|(symbol, share)| (SymbolId::new(symbol), share))
    }

    fn graph(nodes: usize, edges: &[(u32, u32)]) -> Graph {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("graph.arrow");
        let edge = |&(source, target): &(u32, u32)| GraphEdge {
            source: SymbolId::new(source),
            target: SymbolId::new(target),
            kind: EdgeKind::Call,
            tier: Tier::Scope,
            confidence: 1.0,
            uses: None,
        };
        write(&path, nodes, edges.iter().map(edge).collect()).unwrap();
        Graph::open(&path).unwrap()
    }

    #[test]
    fn local_push_approximates_power_iteration() {
        let graph = graph(6, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]);
        let exact = power_iteration(&graph, &seeds([(0, 1.0)]), WEIGHTS, 200);
        let pushed = personalised_pagerank(&graph, &seeds([(0, 1.0)]), WEIGHTS, LIMITS);
        let total: f32 = pushed.iter().map(|r| r.mass).sum();
        assert!((total - 1.0).abs() < 1e-3, "{total}");
        for reached in &pushed {
            assert!((reached.mass - exact[reached.node.index()]).abs() < 1e-4, "{reached:?}");
        }
        assert!(pushed.iter().all(|r| r.node.get() != 5), "unreachable nodes have no mass");
    }

    #[test]
    fn shares_sum_to_one_and_the_order_of_edges_does_not_matter() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (5, 6)];
        let mut reversed = edges;
        reversed.reverse();
        // No path connects the seeds, and one of them has no edges.
        let seeds = seeds([(0, 2.0), (5, 1.0), (7, 1.0)]);
        let one = power_iteration(&graph(8, &edges), &seeds, WEIGHTS, 20);
        assert_eq!(one, power_iteration(&graph(8, &reversed), &seeds, WEIGHTS, 20));
        assert!((one.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!((one[7] - 0.25).abs() < 1e-6 && (one[5] + one[6] - 0.25).abs() < 1e-6);
        let ranks_of = |edges: &[(u32, u32)]| personalised_pagerank(&graph(8, edges), &seeds, WEIGHTS, LIMITS);
        assert_eq!(ranks_of(&edges), ranks_of(&reversed));
        assert!((ranks_of(&edges).iter().map(|r| r.mass).sum::<f32>() - 1.0).abs() < 1e-3);
    }

    #[test]
    fn edge_weights_direct_the_mass() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("graph.arrow");
        let edge = |target, kind| {
            let [source, target] = [0, target].map(SymbolId::new);
            GraphEdge { source, target, kind, tier: Tier::Scope, confidence: 1.0, uses: None }
        };
        write(&path, 3, vec![edge(1, EdgeKind::Call), edge(2, EdgeKind::Type)]).unwrap();
        let graph = Graph::open(&path).unwrap();
        let share = |weights: &Weights| {
            let rank = power_iteration(&graph, &seeds([(0, 1.0)]), weights, 20);
            rank[1] / rank[2]
        };
        assert!((share(&Weights::STANDARD) - 1.0 / 0.6).abs() < 1e-3);
        let mut reversed = Weights::STANDARD;
        reversed.graph.edge_call = 0.1;
        assert!((share(&reversed) - 0.1 / 0.6).abs() < 1e-3);
    }

    #[test]
    fn a_dangling_seed_keeps_its_mass_and_explanations_lead_back() {
        let graph = graph(4, &[(0, 1), (1, 2)]);
        let alone = personalised_pagerank(&graph, &seeds([(3, 1.0)]), WEIGHTS, LIMITS);
        assert_eq!(alone.len(), 1);
        assert!((alone[0].mass - 1.0).abs() < 1e-6);
        let reached = personalised_pagerank(&graph, &seeds([(0, 1.0)]), WEIGHTS, LIMITS);
        let predecessor_of = |node: u32| reached.iter().find(|r| r.node.get() == node).unwrap().from;
        assert_eq!(predecessor_of(0), None);
        assert_eq!(predecessor_of(2), Some((SymbolId::new(1), EdgeKind::Call)));
    }

    #[test]
    fn seeds_out_of_range_or_without_weight_are_ignored() {
        let graph = graph(2, &[(0, 1)]);
        assert!(personalised_pagerank(&graph, &seeds([(9, 1.0)]), WEIGHTS, LIMITS).is_empty());
        assert!(personalised_pagerank(&graph, &seeds([(0, 0.0)]), WEIGHTS, LIMITS).is_empty());
        assert!(personalised_pagerank(&graph, &[], WEIGHTS, LIMITS).is_empty());
    }
}
