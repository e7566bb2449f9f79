//! Runs the retrievers that a request asks for and fuses their lists.

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_encoder::ModelKind;
use sextant_format::ids::ChunkId;

use super::request::{Mode, SearchRequest, Strategy};
use crate::query_analysis::{AnalyzedQuery, QueryClass};
use crate::rank::{FusedChunk, ScoredChunk, impute_missing_list, reciprocal_rank_fusion, weighted_score_fusion};
use crate::retrieve::{ChunkFilter, QueryVectors, search_symbols, search_text, search_vectors};
use crate::threads::join;
use crate::weights::{RetrievalWeights, Weights};
use crate::{Error, Index, Result};

/// The position of the vector list among the fused lists.
const VECTOR_LIST: usize = 1;

/// What the retrievers found.
pub(super) struct Retrieved {
    pub(super) fused: Vec<FusedChunk>,
    /// The symbol score of each chunk that has one.
    pub(super) name_scores: FxHashMap<ChunkId, f32>,
    /// The query's vectors, if vectors were used.
    pub(super) query_vectors: Option<QueryVectors>,
    /// Why vectors were not used, if they were requested.
    pub(super) vectors_unavailable: Option<String>,
}

/// Runs the retrievers and fuses their lists.
pub(super) fn retrieve(
    index: &Index,
    request: &SearchRequest,
    query: &AnalyzedQuery,
    allowed: &ChunkFilter,
) -> Result<Retrieved> {
    let Weights { retrieval, fusion, .. } = &request.weights;
    let depth = retrieval.depth(request.limit);
    let is_symbol = query.class == QueryClass::Symbol;
    let mode = request.mode;
    let by_words = || -> Result<(Vec<ScoredChunk>, Vec<ScoredChunk>)> {
        let asks_text = matches!(mode, Mode::Fusion | Mode::Text) && request.strategy != Strategy::Staged;
        let text = if asks_text { search_text(index, query, allowed, depth, retrieval)? } else { Vec::new() };
        let asks_symbols = matches!(mode, Mode::Fusion | Mode::Structural);
        let symbol = if asks_symbols { search_symbols(index, query, allowed, depth, retrieval)? } else { Vec::new() };
        Ok((text, symbol))
    };
    let (by_words, by_vectors) = if request.vectors && matches!(mode, Mode::Fusion | Mode::Vector) {
        join(by_words, || vector_list(index, query, allowed, depth, request.strategy, retrieval))
    } else {
        (by_words(), Ok(VectorList::default()))
    };
    let ((text, mut symbol), vectors) = (by_words?, by_vectors?);
    let VectorList { found: vector, query_vectors, unavailable: vectors_unavailable } = vectors;
    if request.strategy == Strategy::Staged && !vector.is_empty() {
        let staged: FxHashSet<ChunkId> = vector.iter().map(|scored| scored.chunk_id).collect();
        symbol.retain(|scored| staged.contains(&scored.chunk_id));
    }
    let weight_for_class = |natural: f32, symbol: f32| if is_symbol { symbol } else { natural };
    let lists: [(&[ScoredChunk], f32); 3] = [
        (&text, weight_for_class(fusion.text_natural, fusion.text_symbol)),
        (&vector, weight_for_class(fusion.vector_natural, fusion.vector_symbol)),
        (&symbol, weight_for_class(fusion.symbol_natural, fusion.symbol_symbol)),
    ];
    let name_scores = symbol.iter().map(|scored| (scored.chunk_id, scored.score)).collect();
    let mut fused = match request.strategy {
        Strategy::Hybrid => weighted_score_fusion(&lists),
        _ => reciprocal_rank_fusion(&lists, fusion.rrf_k),
    };
    if let (Mode::Fusion, false, Some(matrix)) = (mode, vector.is_empty(), index.vectors()?) {
        impute_missing_list(&mut fused, VECTOR_LIST, &lists.map(|(_, weight)| weight), |id| {
            matrix.row_of(id).is_some()
        });
    }
    Ok(Retrieved { fused, name_scores, query_vectors, vectors_unavailable })
}

/// What vector search found.
#[derive(Default)]
struct VectorList {
    found: Vec<ScoredChunk>,
    /// The query's vectors.
    query_vectors: Option<QueryVectors>,
    /// Why nothing could be searched.
    unavailable: Option<String>,
}

/// The vector list, or why there is none.
fn vector_list(
    index: &Index,
    query: &AnalyzedQuery,
    allowed: &ChunkFilter,
    depth: usize,
    strategy: Strategy,
    weights: &RetrievalWeights,
) -> Result<VectorList> {
    let without = |why: &str| Ok(VectorList { unavailable: Some(why.to_owned()), ..VectorList::default() });
    let Some(matrix) = index.vectors()? else { return without("the index has no vectors") };
    let (vector, words) = match index.encoder() {
        Ok(Some(mut encoder)) => {
            // A neural network would take a pass for each word.
            let is_static = index.encoder_kind() == Some(ModelKind::Static);
            let words = query.words.iter().filter(|_| is_static).map(|word| encoder.encode_query(word));
            let words = words.collect::<std::result::Result<_, _>>()?;
            (encoder.encode_query(&query.embedding_text)?, words)
        }
        Ok(None) => return without("the index has no encoder"),
        // A user who names an encoder wants an error, not a search without vectors.
        Err(error @ Error::Encoder(sextant_encoder::Error::ModelMismatch { .. })) => return Err(error),
        Err(error) => return without(&format!("no vector search: {error}")),
    };
    #[cfg(feature = "lancedb")]
    if let Some(table) = index.lance() {
        // The table knows chunks by their addresses.
        let maps = index.generation().row_maps()?;
        let address = |chunk: &ChunkId| match &maps {
            Some(maps) => maps.chunks.address(*chunk).map(ChunkId::new),
            None => Some(*chunk),
        };
        let id = |chunk: ChunkId| match &maps {
            Some(maps) => maps.chunks.id(chunk.get()),
            None => Some(chunk),
        };
        let chunks = allowed.chunks().map(|chunks| chunks.iter().filter_map(address).collect::<Vec<ChunkId>>());
        let mut best: Vec<ScoredChunk> = table
            .nearest(&vector, chunks.as_deref(), depth)?
            .into_iter()
            .filter_map(|neighbour| {
                let score = (1.0 - neighbour.distance) * weights.level(neighbour.level);
                Some(ScoredChunk { chunk_id: id(neighbour.chunk_id)?, score })
            })
            .filter(|scored| allowed.allows(scored.chunk_id))
            .collect();
        crate::rank::retain_top_k(&mut best, depth);
        return Ok(VectorList {
            found: best,
            query_vectors: Some(QueryVectors { query: vector, words }),
            unavailable: None,
        });
    }
    let found = search_vectors(matrix, &vector, allowed, depth, strategy == Strategy::Binary, weights);
    Ok(VectorList { found, query_vectors: Some(QueryVectors { query: vector, words }), unavailable: None })
}
