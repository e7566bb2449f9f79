//! Candidates during ranking.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use super::response::Signals;
use crate::catalog::ChunkInfo;

/// A candidate during ranking.
pub(crate) struct Ranked {
    pub(crate) info: ChunkInfo,
    pub(crate) score: f32,
    pub(crate) signals: Signals,
    /// The symbol that the query names, if the chunk is not its own.
    pub(crate) named_symbol: Option<SymbolId>,
    /// If it is no seed and the graph raised or found it: the symbols on the path from a seed, each with the kind of the edge
    /// to the next.
    pub(super) graph_path: Vec<(SymbolId, EdgeKind)>,
    /// Further hits of its file.
    pub(super) related_hits: Vec<ChunkInfo>,
    /// The block in the symbol that fits about as well as the whole.
    pub(super) block: Option<ChunkInfo>,
}

impl Ranked {
    pub(super) const fn new(info: ChunkInfo, score: f32, signals: Signals) -> Self {
        Self { info, score, signals, named_symbol: None, graph_path: Vec::new(), related_hits: Vec::new(), block: None }
    }
}

/// Sorts candidates, best first; ties are in the order of chunk ids.
pub(super) fn sort_by_score(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.info.chunk_id.cmp(&b.info.chunk_id)));
}
