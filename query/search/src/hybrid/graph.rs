//! The graph around some symbols: breadth first along what uses and calls them.

use std::collections::{BTreeMap, VecDeque};

use crate::Result;
use crate::live::Node;

/// Symbols that are expanded at the same time.
const BATCH: usize = 10;

/// How one symbol relates to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelationKind {
    /// The first calls the second.
    Calls,
    /// The first is referred to by the second.
    References,
    /// The first is a subtype of the second.
    Inherits,
    /// The first imports the second.
    Imports,
}

impl RelationKind {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::References => "references",
            Self::Inherits => "inherits",
            Self::Imports => "imports",
        }
    }
}

/// What one symbol is related to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relations {
    /// The symbols that use it, and how: each stands before the symbol, except for references.
    pub users: Vec<(RelationKind, Node)>,
    /// Whether a language server answered; else the relations are those of the index.
    pub live: bool,
}

/// How far a graph reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphLimits {
    /// Edges between a seed and a symbol at most.
    pub max_depth: u32,
    /// Symbols at most.
    pub max_nodes: usize,
}

/// An edge, between positions of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The first symbol.
    pub from: usize,
    /// The second.
    pub to: usize,
    /// The relation.
    pub kind: RelationKind,
    /// Whether a language server knows it.
    pub live: bool,
}

/// Symbols and their relations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolGraph {
    /// The symbols, seeds first, then in the order in which they were found.
    pub nodes: Vec<Node>,
    /// The edges, ascending, each once.
    pub edges: Vec<Edge>,
    /// How many symbols were expanded by language servers, and by the index.
    pub expanded: (usize, usize),
}

/// Builds the graph around seeds. `expand` returns the relations of each of at most ten symbols.
///
/// # Errors
/// `expand` fails.
pub fn build_graph(
    seeds: Vec<Node>,
    limits: GraphLimits,
    mut expand: impl FnMut(&[Node]) -> Result<Vec<Relations>>,
) -> Result<SymbolGraph> {
    let mut graph = SymbolGraph::default();
    let mut position: BTreeMap<String, usize> = BTreeMap::new();
    let mut queue: VecDeque<(usize, u32)> = VecDeque::new();
    for seed in seeds {
        add(&mut graph, &mut position, &mut queue, seed, 0, limits.max_nodes);
    }
    while !queue.is_empty() {
        let batch: Vec<(usize, u32)> = queue.drain(..queue.len().min(BATCH)).collect();
        let batch: Vec<(usize, u32)> = batch.into_iter().filter(|(_, depth)| *depth < limits.max_depth).collect();
        if batch.is_empty() {
            continue;
        }
        let nodes: Vec<Node> = batch.iter().map(|&(at, _)| graph.nodes[at].clone()).collect();
        for ((at, depth), relations) in batch.into_iter().zip(expand(&nodes)?) {
            let counted = if relations.live { &mut graph.expanded.0 } else { &mut graph.expanded.1 };
            *counted += 1;
            for (kind, user) in relations.users {
                let user = add(&mut graph, &mut position, &mut queue, user, depth + 1, limits.max_nodes);
                let Some(user) = user.filter(|&user| user != at) else { continue };
                let (from, to) = if kind == RelationKind::References { (at, user) } else { (user, at) };
                graph.edges.push(Edge { from, to, kind, live: relations.live });
            }
        }
    }
    // An edge that a server knows is listed as such.
    graph.edges.sort_by_key(|edge| (edge.from, edge.to, edge.kind, !edge.live));
    graph.edges.dedup_by_key(|edge| (edge.from, edge.to, edge.kind));
    Ok(graph)
}

/// Adds a node unless the graph is full; returns its position.
fn add(
    graph: &mut SymbolGraph,
    position: &mut BTreeMap<String, usize>,
    queue: &mut VecDeque<(usize, u32)>,
    node: Node,
    depth: u32,
    max_nodes: usize,
) -> Option<usize> {
    let id = node.id(false);
    if let Some(&at) = position.get(&id) {
        return Some(at);
    }
    if graph.nodes.len() >= max_nodes {
        return None;
    }
    let at = graph.nodes.len();
    graph.nodes.push(node);
    position.insert(id, at);
    queue.push_back((at, depth));
    Some(at)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::live::Position;
    use sextant_format::kinds::Kind;

    /// A symbol that stands for a number.
    pub(in crate::hybrid) fn node(number: u32) -> Node {
        let start = Position { line: number, column: 0 };
        Node {
            key: None,
            symbol: None,
            file: None,
            code: None,
            name: format!("n{number}"),
            qualified_name: format!("n{number}"),
            kind: Kind::Function,
            repo: "r".to_owned(),
            path: "a.py".to_owned(),
            language: "python".to_owned(),
            start,
            end: start,
            name_at: start,
        }
    }

    /// Every number n is called by 10 n .. 10 n + width.
    fn tree(seeds: &[u32], limits: GraphLimits, width: u32) -> SymbolGraph {
        let seeds = seeds.iter().map(|&seed| node(seed)).collect();
        build_graph(seeds, limits, |batch| {
            assert!(batch.len() <= BATCH && !batch.is_empty());
            let users = |at: &Node| (0..width).map(|n| (RelationKind::Calls, node(at.start.line * 10 + n))).collect();
            Ok(batch.iter().map(|at| Relations { users: users(at), live: true }).collect())
        })
        .unwrap()
    }

    const LIMITS: GraphLimits = GraphLimits { max_depth: 2, max_nodes: 100 };

    #[test]
    fn one_level_is_expanded() {
        let graph = tree(&[1], GraphLimits { max_depth: 1, ..LIMITS }, 3);
        assert_eq!(graph.nodes.iter().map(|node| node.start.line).collect::<Vec<_>>(), [1, 10, 11, 12]);
        let edges: Vec<_> = graph.edges.iter().map(|edge| (edge.from, edge.to, edge.kind)).collect();
        assert_eq!(edges, [(1, 0, RelationKind::Calls), (2, 0, RelationKind::Calls), (3, 0, RelationKind::Calls)]);
        assert_eq!(graph.expanded, (1, 0));
    }

    #[test]
    fn depth_and_nodes_are_bounded() {
        assert_eq!(tree(&[1], LIMITS, 3).nodes.len(), 1 + 3 + 9);
        let full = tree(&[1, 2, 3], GraphLimits { max_nodes: 20, ..LIMITS }, 9);
        assert_eq!(full.nodes.len(), 20);
        assert!(full.edges.iter().all(|edge| edge.from < 20 && edge.to < 20));
        // More seeds than nodes.
        assert_eq!(tree(&(1..50).collect::<Vec<_>>(), GraphLimits { max_nodes: 7, ..LIMITS }, 0).nodes.len(), 7);
    }

    #[test]
    fn many_nodes_are_expanded_in_batches_and_none_twice() {
        let mut batches = Vec::new();
        let seeds = (1..=25).map(node).collect();
        build_graph(seeds, LIMITS, |batch| {
            batches.push(batch.len());
            Ok(vec![Relations::default(); batch.len()])
        })
        .unwrap();
        assert_eq!(batches, [10, 10, 5]);
    }

    #[test]
    fn no_seeds_give_no_graph() {
        assert_eq!(tree(&[], LIMITS, 3), SymbolGraph::default());
    }

    #[test]
    fn nodes_that_refer_to_themselves_and_to_each_other_end() {
        let graph = build_graph(vec![node(1), node(1)], LIMITS, |batch| {
            let users = vec![(RelationKind::References, node(1)), (RelationKind::References, node(2))];
            Ok(batch.iter().map(|_| Relations { users: users.clone(), live: false }).collect())
        })
        .unwrap();
        assert_eq!(graph.nodes.len(), 2);
        // A reference leads from the symbol to where it is used.
        let edges: Vec<_> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        assert_eq!(edges, [(0, 1), (1, 0)]);
        assert_eq!(graph.expanded, (0, 2));
    }

    #[test]
    fn an_error_ends_the_build() {
        let failed = build_graph(vec![node(1)], LIMITS, |_| Err(crate::Error::Argument("no".to_owned())));
        assert!(failed.is_err());
    }
}
