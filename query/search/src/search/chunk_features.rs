//! Gathers the features of all chunks of a file.

use std::ops::Range;

use rustc_hash::FxHashMap;
use sextant_format::ids::ChunkId;
use sextant_format::kinds::Kind;

use crate::catalog::{ChunkCatalog, ChunkShape};
use crate::rank::{ChunkFeatures, ChunkModel, share};
use crate::retrieve::ChunkWords;
use crate::{Index, Result};

/// How many of the best chunks of a file say how good they are.
const BEST: usize = 3;

/// A chunk of a file with its features and its score by the model.
#[derive(Clone, Copy)]
pub(super) struct ScoredPart {
    pub(super) chunk_id: ChunkId,
    pub(super) features: ChunkFeatures,
    pub(super) score: f32,
}

/// The symbols and the leftover text of a file, scored. Blocks in symbols are none of them.
pub(super) struct FileParts {
    /// In the order of their ids.
    parts: Vec<ScoredPart>,
    /// Their positions, best first.
    best_first: Vec<usize>,
}

impl FileParts {
    /// Scores the chunks of a file. `words` and `cosines` are those of its chunks, `fused` the scores of those that were
    /// found.
    pub(super) fn new(
        index: &Index,
        file: &Range<ChunkId>,
        words: &[ChunkWords],
        cosines: &[f32],
        fused: &FxHashMap<ChunkId, f32>,
        model: &ChunkModel,
    ) -> Result<Self> {
        let catalog: &ChunkCatalog = &index.chunks()?.catalog;
        let best = fused.values().copied().fold(0.0, f32::max);
        let mut parts: Vec<ScoredPart> = Vec::with_capacity(words.len());
        for (n, (chunk_id, words)) in ChunkId::range(file.clone()).zip(words).enumerate() {
            let ChunkShape { level, kind, lines } = catalog.shape(chunk_id)?;
            if level > 1 {
                continue;
            }
            let fused = fused.get(&chunk_id).copied().unwrap_or(0.0);
            let (lines, excess) = ChunkFeatures::of_lines(lines);
            let features = ChunkFeatures {
                fused: share(fused, best),
                coverage: words.coverage,
                bm25: words.bm25,
                name: words.name,
                doc: words.doc,
                word_vectors: cosines.get(n).copied().unwrap_or(0.0),
                is_type: flag(kind.is_type()),
                is_callable: flag(kind.is_callable()),
                is_value: flag(matches!(kind, Kind::Constant | Kind::Variable | Kind::Property)),
                lines,
                excess,
            };
            parts.push(ScoredPart { chunk_id, features, score: model.score(&features) });
        }
        let mut best_first: Vec<usize> = (0..parts.len()).collect();
        best_first.sort_by(|&a, &b| parts[b].score.total_cmp(&parts[a].score));
        Ok(Self { parts, best_first })
    }

    /// All of them.
    pub(super) fn best_first(&self) -> impl Iterator<Item = &ScoredPart> {
        self.best_first.iter().map(|&n| &self.parts[n])
    }

    /// A chunk; none for a block.
    pub(super) fn find(&self, chunk: ChunkId) -> Option<&ScoredPart> {
        self.parts.binary_search_by_key(&chunk, |part| part.chunk_id).ok().map(|n| &self.parts[n])
    }

    /// The best score.
    pub(super) fn best(&self) -> f32 {
        self.best_first().next().map_or(0.0, |part| part.score)
    }

    /// The mean of the best scores.
    pub(super) fn mean_of_best(&self) -> f32 {
        let sum: f32 = self.best_first().take(BEST).map(|part| part.score).sum();
        sum / self.parts.len().clamp(1, BEST) as f32
    }
}

fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}
