//! The calls of an index as a graph for petgraph: edges of calls, and from a method to those that override or implement it,
//! because a call of the first may run one of the others.

use petgraph::visit::{Data, GraphBase, GraphRef, IntoEdgeReferences, IntoEdges, IntoNeighbors, Visitable};
use sextant_format::graph::{DirectedEdge, Graph, Neighbour, Visited};
use sextant_format::ids::SymbolId;

use super::declarations::definitions;
use super::relation::Relation;

/// Calls with at least some confidence.
#[derive(Clone, Copy)]
pub(super) struct Calls<'a> {
    pub(super) graph: &'a Graph,
    pub(super) min_confidence: f32,
}

impl<'a> Calls<'a> {
    /// What may run after a symbol: what it calls, and what overrides it. An edge of the second kind is an override that is
    /// followed against its direction.
    pub(super) fn next(self, node: SymbolId) -> impl Iterator<Item = Neighbour> + use<'a> {
        self.calls(node).chain(self.overrides(node))
    }

    /// The same; of a method that more than `most` override, without what overrides it.
    pub(super) fn next_of_few(self, node: SymbolId, most: usize) -> impl Iterator<Item = Neighbour> + use<'a> {
        let mut overrides: Vec<Neighbour> = self.overrides(node).take(most.saturating_add(1)).collect();
        if overrides.len() > most {
            overrides.clear();
        }
        self.calls(node).chain(overrides)
    }

    fn calls(self, node: SymbolId) -> impl Iterator<Item = Neighbour> + use<'a> {
        let is_call = move |edge: &Neighbour| Relation::Callees.follows(edge.kind) && self.is_sure(edge);
        // The code of a declaration is at its definition.
        let with_code = std::iter::once(node).chain(definitions(self.graph, node, self.min_confidence));
        with_code.flat_map(move |part| self.graph.out_edges(part)).filter(is_call)
    }

    fn overrides(self, node: SymbolId) -> impl Iterator<Item = Neighbour> + use<'a> {
        let is_override = move |edge: &Neighbour| edge.kind.leads_to_declaration() && self.is_sure(edge);
        self.graph.in_edges(node).filter(is_override)
    }

    fn is_sure(self, edge: &Neighbour) -> bool {
        edge.confidence >= self.min_confidence
    }
}

impl GraphBase for Calls<'_> {
    type EdgeId = (SymbolId, SymbolId, u8);
    type NodeId = SymbolId;
}

impl GraphRef for Calls<'_> {}

impl Data for Calls<'_> {
    type NodeWeight = ();
    type EdgeWeight = Neighbour;
}

impl Visitable for Calls<'_> {
    type Map = Visited;

    fn visit_map(&self) -> Visited {
        self.graph.visit_map()
    }

    fn reset_map(&self, map: &mut Visited) {
        self.graph.reset_map(map);
    }
}

impl<'a> IntoNeighbors for Calls<'a> {
    type Neighbors = Box<dyn Iterator<Item = SymbolId> + 'a>;

    fn neighbors(self, node: SymbolId) -> Self::Neighbors {
        Box::new(self.next(node).map(|edge| edge.node))
    }
}

impl<'a> IntoEdgeReferences for Calls<'a> {
    type EdgeRef = DirectedEdge;
    type EdgeReferences = Box<dyn Iterator<Item = DirectedEdge> + 'a>;

    fn edge_references(self) -> Self::EdgeReferences {
        Box::new((0..self.graph.nodes()).flat_map(move |node| self.edges(SymbolId::at(node))))
    }
}

impl<'a> IntoEdges for Calls<'a> {
    type Edges = Box<dyn Iterator<Item = DirectedEdge> + 'a>;

    fn edges(self, node: SymbolId) -> Self::Edges {
        Box::new(self.next(node).map(move |weight| DirectedEdge { source: node, target: weight.node, weight }))
    }
}
