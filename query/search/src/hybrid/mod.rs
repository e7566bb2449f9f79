//! Hybrid search: what vectors find, expanded along references and calls into a small graph, its communities, and
//! their order. Language servers are asked for the relations where they run, else the index.

mod clusters;
mod engine;
mod graph;
mod index_relations;
mod ranking;
mod seeds;

pub use engine::{HybridRequest, HybridResponse, StageTimes, hybrid_search};
pub use graph::{Edge, GraphLimits, RelationKind, Relations, SymbolGraph, build_graph};
pub use ranking::{Cluster, ClusterWeights, RankedSymbol};
