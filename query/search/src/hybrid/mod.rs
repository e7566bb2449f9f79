//! Hybrid search: what vectors find, expanded along references and calls into a small graph, its communities, and
//! their order. Language servers are asked for the relations where they run ([`LanguageServers`]), else the index.
//!
//! Must not know how servers are started and asked.

mod clusters;
mod engine;
mod graph;
mod index_relations;
mod live;
mod node;
mod ranking;
mod seeds;

pub use engine::{HybridRequest, HybridResponse, StageTimes, hybrid_search};
pub use graph::{Edge, GraphLimits, RelationKind, Relations, SymbolGraph, build_graph};
pub use live::{Asked, LanguageServers, LiveRelations, ServerReport};
pub use node::{Node, Position};
pub use ranking::{Cluster, ClusterWeights, RankedSymbol};
