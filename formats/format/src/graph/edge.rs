//! Edges, as they are written and as they are read. This module must not know how they are stored.

use std::num::NonZeroU16;

use crate::ids::SymbolId;
use crate::kinds::{EdgeKind, Tier};

/// A resolved edge, as passed to [`write`](super::write).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphEdge {
    /// The symbol that contains the use.
    pub source: SymbolId,
    /// The symbol that is used.
    pub target: SymbolId,
    /// Kind of edge.
    pub kind: EdgeKind,
    /// How the target was resolved.
    pub tier: Tier,
    /// Confidence that the target is right, 0 to 1.
    pub confidence: f32,
    /// The number of uses for which it stands; none if it is not known.
    pub uses: Option<NonZeroU16>,
}

/// One end of an edge, as stored in the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The symbol at the other end.
    pub node: SymbolId,
    /// Kind of edge.
    pub kind: EdgeKind,
    /// How the target was resolved.
    pub tier: Tier,
    /// Confidence that the target is right, 0 to 1.
    pub confidence: f32,
}
