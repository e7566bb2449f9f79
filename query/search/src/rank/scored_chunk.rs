//! Ranked lists as a retriever returns them: chunks with their scores, best first.

use sextant_format::ids::ChunkId;

/// A chunk with its score in the retriever's own unit; larger is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredChunk {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// BM25, cosine, or how exactly the name matches.
    pub score: f32,
}

/// Sorts a list, best first, and cuts it to `limit`. Ties are in the order of chunk ids, so that the order never
/// depends on segments or threads.
pub(crate) fn retain_top_k(list: &mut Vec<ScoredChunk>, limit: usize) {
    list.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk_id.cmp(&b.chunk_id)));
    list.truncate(limit);
}
