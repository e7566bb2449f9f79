//! The relations that the index knows: what stands in when no language server answers.

use std::collections::BTreeMap;

use sextant_format::graph::Neighbour;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use super::graph::{RelationKind, Relations};
use crate::live::{Node, nodes};
use crate::{Index, Result};

/// Edges below this confidence are guesses.
const MIN_CONFIDENCE: f32 = 0.5;
/// Users of one symbol that are followed, those of the surest edges.
const MAX_USERS: usize = 100;

/// Returns what uses a symbol, the surest first.
pub(super) fn index_relations(index: &Index, node: &Node) -> Result<Relations> {
    let Some(symbol) = node.symbol else { return Ok(Relations::default()) };
    let graph = index.graph()?;
    let sure = |edge: &Neighbour| edge.kind.is_use() && edge.confidence >= MIN_CONFIDENCE;
    let mut edges: Vec<(RelationKind, Neighbour)> =
        graph.in_edges(symbol).filter(sure).map(|edge| (relation(edge.kind), edge)).collect();
    edges.sort_by(|(a, x), (b, y)| y.confidence.total_cmp(&x.confidence).then(x.node.cmp(&y.node)).then(a.cmp(b)));
    edges.dedup_by_key(|(kind, edge)| (*kind, edge.node));
    edges.truncate(MAX_USERS);
    let symbols: Vec<SymbolId> = edges.iter().map(|(_, edge)| edge.node).collect();
    let found: BTreeMap<Option<SymbolId>, Node> =
        nodes(index, &symbols)?.into_iter().map(|node| (node.symbol, node)).collect();
    let user = |(kind, edge): (RelationKind, Neighbour)| Some((kind, found.get(&Some(edge.node))?.clone()));
    Ok(Relations { users: edges.into_iter().filter_map(user).collect(), live: false })
}

const fn relation(kind: EdgeKind) -> RelationKind {
    match kind {
        EdgeKind::Call | EdgeKind::Instantiate | EdgeKind::Request => RelationKind::Calls,
        EdgeKind::Inherit | EdgeKind::Implement => RelationKind::Inherits,
        EdgeKind::Import => RelationKind::Imports,
        _ => RelationKind::References,
    }
}
