//! Declarations and definitions of one thing, such as the prototype of a function in a header, or a method that its class
//! declares and another file defines. Calls lead to the one that the caller sees; its code is at the other.

use sextant_format::graph::{Graph, Neighbour};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

/// A symbol, what it declares or defines elsewhere, and the other way round.
pub(super) fn parts(graph: &Graph, symbol: SymbolId, min_confidence: f32) -> impl Iterator<Item = SymbolId> + '_ {
    std::iter::once(symbol)
        .chain(definitions(graph, symbol, min_confidence))
        .chain(graph.out_edges(symbol).filter(move |edge| is_define(edge, min_confidence)).map(|edge| edge.node))
}

/// The definitions of a symbol that is a declaration.
pub(super) fn definitions(graph: &Graph, symbol: SymbolId, min_confidence: f32) -> impl Iterator<Item = SymbolId> + '_ {
    graph.in_edges(symbol).filter(move |edge| is_define(edge, min_confidence)).map(|edge| edge.node)
}

/// The definition of a symbol that is a declaration, if it has one and no other.
pub(super) fn sole_definition(graph: &Graph, symbol: SymbolId, min_confidence: f32) -> Option<SymbolId> {
    let mut found = definitions(graph, symbol, min_confidence);
    found.next().filter(|_| found.next().is_none())
}

fn is_define(edge: &Neighbour, min_confidence: f32) -> bool {
    edge.kind == EdgeKind::Define && edge.confidence >= min_confidence
}
