//! petgraph's visit traits for the memory-mapped graph, so that petgraph's algorithms run on it directly. Nodes are
//! symbol ids; edges lead from the using to the used symbol.

use petgraph::Direction;
use petgraph::visit::{
    Data, EdgeCount, EdgeRef, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges, IntoEdgesDirected, IntoNeighbors,
    IntoNeighborsDirected, IntoNodeIdentifiers, NodeCompactIndexable, NodeCount, NodeIndexable, VisitMap, Visitable,
};

use super::edge::Neighbour;
use super::reader::Graph;
use crate::ids::SymbolId;

/// An edge. The graph merges parallel edges of a kind, so source, target and kind identify it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectedEdge {
    /// The symbol that contains the use.
    pub source: SymbolId,
    /// The symbol that is used.
    pub target: SymbolId,
    /// The neighbour, with kind, tier and confidence.
    pub weight: Neighbour,
}

impl EdgeRef for DirectedEdge {
    type NodeId = SymbolId;
    type EdgeId = (SymbolId, SymbolId, u8);
    type Weight = Neighbour;

    fn source(&self) -> SymbolId {
        self.source
    }

    fn target(&self) -> SymbolId {
        self.target
    }

    fn weight(&self) -> &Neighbour {
        &self.weight
    }

    fn id(&self) -> (SymbolId, SymbolId, u8) {
        (self.source, self.target, self.weight.kind.code())
    }
}

/// A set of visited symbols.
#[derive(Clone, Debug, Default)]
pub struct Visited(Vec<u64>);

impl VisitMap<SymbolId> for Visited {
    fn visit(&mut self, node: SymbolId) -> bool {
        let was = self.is_visited(&node);
        if let Some(word) = self.0.get_mut(node.index() / 64) {
            *word |= 1 << (node.index() % 64);
        }
        !was
    }

    fn is_visited(&self, node: &SymbolId) -> bool {
        self.0.get(node.index() / 64).is_some_and(|word| word >> (node.index() % 64) & 1 == 1)
    }

    fn unvisit(&mut self, node: SymbolId) -> bool {
        let was = self.is_visited(&node);
        if let Some(word) = self.0.get_mut(node.index() / 64) {
            *word &= !(1 << (node.index() % 64));
        }
        was
    }
}

impl GraphBase for Graph {
    type EdgeId = (SymbolId, SymbolId, u8);
    type NodeId = SymbolId;
}

impl GraphProp for Graph {
    type EdgeType = petgraph::Directed;
}

impl Data for Graph {
    type NodeWeight = ();
    type EdgeWeight = Neighbour;
}

impl NodeCount for Graph {
    fn node_count(&self) -> usize {
        self.nodes()
    }
}

impl EdgeCount for Graph {
    fn edge_count(&self) -> usize {
        self.edges()
    }
}

impl NodeIndexable for Graph {
    fn node_bound(&self) -> usize {
        self.nodes()
    }

    fn to_index(&self, node: SymbolId) -> usize {
        node.index()
    }

    fn from_index(&self, index: usize) -> SymbolId {
        SymbolId::at(index)
    }
}

impl NodeCompactIndexable for Graph {}

impl Visitable for Graph {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        Visited(vec![0; self.nodes().div_ceil(64)])
    }

    fn reset_map(&self, map: &mut Visited) {
        map.0.clear();
        map.0.resize(self.nodes().div_ceil(64), 0);
    }
}

type Nodes<'a> = Box<dyn Iterator<Item = SymbolId> + 'a>;
type Edges<'a> = Box<dyn Iterator<Item = DirectedEdge> + 'a>;

impl<'a> IntoNodeIdentifiers for &'a Graph {
    type NodeIdentifiers = Nodes<'a>;

    fn node_identifiers(self) -> Nodes<'a> {
        Box::new(SymbolId::range(SymbolId::new(0)..SymbolId::at(self.nodes())))
    }
}

impl<'a> IntoNeighbors for &'a Graph {
    type Neighbors = Nodes<'a>;

    fn neighbors(self, node: SymbolId) -> Nodes<'a> {
        Box::new(self.out_edges(node).map(|edge| edge.node))
    }
}

impl<'a> IntoNeighborsDirected for &'a Graph {
    type NeighborsDirected = Nodes<'a>;

    fn neighbors_directed(self, node: SymbolId, direction: Direction) -> Nodes<'a> {
        match direction {
            Direction::Outgoing => self.neighbors(node),
            Direction::Incoming => Box::new(self.in_edges(node).map(|edge| edge.node)),
        }
    }
}

impl<'a> IntoEdgeReferences for &'a Graph {
    type EdgeRef = DirectedEdge;
    type EdgeReferences = Edges<'a>;

    fn edge_references(self) -> Edges<'a> {
        Box::new(self.node_identifiers().flat_map(|node| self.edges_directed(node, Direction::Outgoing)))
    }
}

impl<'a> IntoEdges for &'a Graph {
    type Edges = Edges<'a>;

    fn edges(self, node: SymbolId) -> Edges<'a> {
        self.edges_directed(node, Direction::Outgoing)
    }
}

impl<'a> IntoEdgesDirected for &'a Graph {
    type EdgesDirected = Edges<'a>;

    fn edges_directed(self, node: SymbolId, direction: Direction) -> Edges<'a> {
        match direction {
            Direction::Outgoing => Box::new(self.out_edges(node).map(move |weight| DirectedEdge {
                source: node,
                target: weight.node,
                weight,
            })),
            Direction::Incoming => Box::new(self.in_edges(node).map(move |weight| DirectedEdge {
                source: weight.node,
                target: node,
                weight,
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use petgraph::algo::{connected_components, dijkstra, is_cyclic_directed, toposort};
    use proptest::prelude::*;

    use crate::graph::{Graph, GraphEdge, write};
    use crate::ids::SymbolId;
    use crate::kinds::{EdgeKind, Tier};

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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// petgraph's algorithms return the same on our graph as on petgraph's own.
        #[test]
        fn algorithms_agree_with_petgraphs_own_graph(edges in prop::collection::vec((0_u32..12, 0_u32..12), 0..40)) {
            let mut distinct = edges;
            distinct.sort_unstable();
            distinct.dedup();
            let ours = graph(12, &distinct);
            let mut theirs = petgraph::Graph::<(), ()>::new();
            let nodes: Vec<_> = (0..12).map(|_| theirs.add_node(())).collect();
            for &(a, b) in &distinct {
                theirs.add_edge(nodes[a as usize], nodes[b as usize], ());
            }
            let distances = dijkstra(&ours, SymbolId::new(0), None, |_| 1);
            let expected = dijkstra(&theirs, nodes[0], None, |_| 1);
            prop_assert_eq!(distances.len(), expected.len());
            for (node, distance) in expected {
                prop_assert_eq!(distances.get(&SymbolId::at(node.index())), Some(&distance));
            }
            prop_assert_eq!(is_cyclic_directed(&ours), is_cyclic_directed(&theirs));
            prop_assert_eq!(connected_components(&ours), connected_components(&theirs));
            prop_assert_eq!(toposort(&ours, None).is_ok(), toposort(&theirs, None).is_ok());
        }
    }
}
