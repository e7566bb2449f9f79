//! The three retrievers. Each turns a query into a ranked list of chunks, best first, and knows
//! nothing of the others; what they find is put together in [`crate::rank`].

mod coverage;
mod filter;
mod symbol;
mod text;
mod vector;

pub(crate) use coverage::range_coverage;
pub(crate) use filter::ChunkFilter;
pub(crate) use symbol::{fuzzy_name_query, qualified_name_matches, search_symbols};
pub(crate) use text::search_text;
pub(crate) use vector::search_vectors;
pub use vector::{Scan, nearest};

/// A chunk and how well it fits, in the retriever's own measure; larger is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredChunk {
    /// The chunk.
    pub chunk_id: u32,
    /// BM25, cosine, or how exactly a name fits.
    pub score: f32,
}

/// Best first; equal scores in the order of the chunks, so that the order never depends on
/// segments or threads.
pub(crate) fn retain_top_k(list: &mut Vec<ScoredChunk>, limit: usize) {
    list.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk_id.cmp(&b.chunk_id)));
    list.truncate(limit);
}
