//! `graph.arrow`: the resolved graph over symbols as compressed sparse rows in both directions.
//!
//! One Arrow IPC file with one record batch, one row per symbol, row number = `symbol_id`, and two columns, `out` and
//! `in`, each `list<struct<node: uint32, label: uint8>>`, in `out` with `uses: uint8` in addition. A label stands for a
//! kind, tier and confidence, which the schema's metadata lists. An edge appears once under its source in `out` and once
//! under its target in `in`. The buffers are not compressed, so the file is used in place after mapping.
//!
//! Unresolved edges are not in the graph; the `contains` edges from an owner to its members are.

mod builder;
mod edge;
mod labels;
mod mapped;
mod reader;
mod schema;
mod visit;
mod writer;

pub use builder::{GraphBuilder, OutLists};
pub use edge::{GraphEdge, Neighbour};
pub use reader::Graph;
pub use visit::{DirectedEdge, Visited};
pub use writer::write;

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::ids::SymbolId;
    use crate::kinds::{EdgeKind, Tier};
    use proptest::prelude::*;

    fn edge(source: u32, target: u32, kind: EdgeKind, confidence: f32) -> GraphEdge {
        let [source, target] = [source, target].map(SymbolId::new);
        GraphEdge { source, target, kind, tier: Tier::Import, confidence, uses: Some(NonZeroU16::MIN) }
    }

    fn write_and_open(nodes: usize, edges: Vec<GraphEdge>) -> Graph {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("graph.arrow");
        write(&path, nodes, edges).unwrap();
        Graph::open(&path).unwrap()
    }

    #[test]
    fn parallel_edges_merge_and_both_directions_agree() {
        let graph = write_and_open(
            4,
            vec![
                edge(2, 1, EdgeKind::Call, 0.5),
                edge(0, 1, EdgeKind::Call, 0.4),
                edge(0, 1, EdgeKind::Call, 0.9),
                edge(0, 1, EdgeKind::Type, 0.9),
            ],
        );
        assert_eq!((graph.nodes(), graph.edges()), (4, 3));
        let out: Vec<_> = graph.out_edges(SymbolId::new(0)).map(|n| (n.node.get(), n.kind, n.confidence)).collect();
        assert_eq!(out, [(1, EdgeKind::Call, 0.9), (1, EdgeKind::Type, 0.9)]);
        let users: Vec<_> = graph.in_edges(SymbolId::new(1)).map(|n| n.node.get()).collect();
        assert_eq!(users, [0, 0, 2]);
        // One of two calls is of another confidence.
        let uses: Vec<_> =
            graph.counted_in_edges(SymbolId::new(1)).map(|(_, uses)| uses.map(NonZeroU16::get)).collect();
        assert_eq!(uses, [None, Some(1), Some(1)]);
        assert_eq!([3, 99].map(|node| graph.out_edges(SymbolId::new(node)).count()), [0, 0]);
    }

    #[test]
    fn equal_uses_are_counted() {
        let times = |times: usize, source: u32| vec![edge(source, 0, EdgeKind::Call, 0.9); times];
        let graph = write_and_open(3, [times(3, 1), times(255, 2)].concat());
        let uses = graph.counted_in_edges(SymbolId::new(0));
        let uses: Vec<_> = uses.map(|(edge, uses)| (edge.node.get(), uses.map(NonZeroU16::get))).collect();
        assert_eq!(uses, [(1, Some(3)), (2, Some(255))]);
        let graph = write_and_open(3, times(256, 2));
        assert_eq!(graph.counted_in_edges(SymbolId::new(0)).map(|(_, uses)| uses).collect::<Vec<_>>(), [None]);
    }

    #[test]
    fn an_empty_graph_opens() {
        assert_eq!(write_and_open(0, Vec::new()).nodes(), 0);
        assert_eq!(write_and_open(3, Vec::new()).edges(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn damage_never_panics(at in 0_usize..2000, bit in 0_u8..8, cut in 0_usize..2000) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("graph.arrow");
            write(&path, 3, vec![edge(0, 1, EdgeKind::Call, 1.0), edge(1, 2, EdgeKind::Type, 0.5)]).unwrap();
            let mut bytes = fs_err::read(&path).unwrap();
            let len = bytes.len();
            bytes[at % len] ^= 1 << bit;
            bytes.truncate(len - cut % 40);
            fs_err::write(&path, &bytes).unwrap();
            if let Ok(graph) = Graph::open(&path) {
                for node in (0..4).map(SymbolId::new) {
                    prop_assert!(graph.out_edges(node).chain(graph.in_edges(node)).all(|n| n.node.index() < graph.nodes()));
                    prop_assert_eq!(graph.counted_in_edges(node).count(), graph.in_edges(node).count());
                }
            }
        }
    }
}
