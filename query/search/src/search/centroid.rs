//! Reranking for an index without a graph: similarity to the mean vector of the best hits.

use sextant_format::ids::ChunkId;

use super::ranked::{Ranked, sort_by_score};
use crate::weights::{GraphWeights, count};
use crate::{Index, Result};

/// Raises the scores of the best hits by the cosine of their vectors with the mean vector of the very best.
pub(super) fn rerank_by_centroid(index: &Index, ranked: &mut [Ranked], weights: &GraphWeights) -> Result<()> {
    let Some(matrix) = index.vectors()? else { return Ok(()) };
    let Some(top) = ranked.first().map(|r| r.score) else { return Ok(()) };
    let vector = |chunk: ChunkId| -> Option<Vec<f32>> {
        let row = matrix.row_of(chunk)?;
        let values = &matrix.row(row)[..matrix.dims()];
        let scale = matrix.scale(row);
        Some(values.iter().map(|&value| f32::from(value) * scale).collect())
    };
    let mut mean = vec![0.0_f32; matrix.dims()];
    for best in ranked.iter().take(count(weights.centroid_hits, 1000)).filter_map(|r| vector(r.info.chunk_id)) {
        mean.iter_mut().zip(&best).for_each(|(sum, value)| *sum += value);
    }
    let length = mean.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length <= 0.0 {
        return Ok(());
    }
    for r in ranked.iter_mut().take(count(weights.centroid_reranked, 1000)) {
        let Some(own) = vector(r.info.chunk_id) else { continue };
        let cosine = own.iter().zip(&mean).map(|(a, b)| a * b).sum::<f32>() / length;
        r.signals.graph = weights.centroid * top * cosine.max(0.0);
        r.score += r.signals.graph;
    }
    sort_by_score(ranked);
    Ok(())
}
