//! Gathers the features of all chunks of a file.

use std::ops::Range;

use rustc_hash::FxHashMap;
use sextant_format::ids::ChunkId;
use sextant_format::kinds::Kind;

use crate::catalog::{ChunkCatalog, ChunkInfo};
use crate::rank::{ChunkFeatures, ChunkModel};
use crate::retrieve::ChunkWords;
use crate::{Index, Result};

/// How many of the best chunks of a file say how good they are.
const BEST: usize = 3;

/// A chunk of a file with its features and its score by the model.
#[derive(Clone, Copy)]
pub(super) struct ScoredPart {
    pub(super) info: ChunkInfo,
    pub(super) features: ChunkFeatures,
    pub(super) score: f32,
}

/// The symbols and leftover text of a file, scored. The blocks in symbols are none of them.
pub(super) struct FileParts {
    /// Best first.
    parts: Vec<ScoredPart>,
    /// The position of each.
    positions: FxHashMap<ChunkId, usize>,
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
        let mut parts = Vec::with_capacity(words.len());
        for (n, (id, words)) in ChunkId::range(file.clone()).zip(words).enumerate() {
            let info = catalog.info(id)?;
            if info.level > 1 {
                continue;
            }
            let fused = fused.get(&id).copied().unwrap_or(0.0);
            let (lines, excess) = ChunkFeatures::of_lines(info.end_line.saturating_sub(info.start_line) + 1);
            let features = ChunkFeatures {
                fused: if best > 0.0 { fused / best } else { 0.0 },
                coverage: words.coverage,
                bm25: words.bm25,
                name: words.name,
                doc: words.doc,
                word_vectors: cosines.get(n).copied().unwrap_or(0.0),
                is_type: flag(info.kind.is_type()),
                is_callable: flag(info.kind.is_callable()),
                is_value: flag(matches!(info.kind, Kind::Constant | Kind::Variable | Kind::Property)),
                lines,
                excess,
            };
            parts.push(ScoredPart { info, features, score: model.score(&features) });
        }
        parts.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.info.chunk_id.cmp(&b.info.chunk_id)));
        let positions = parts.iter().enumerate().map(|(n, part)| (part.info.chunk_id, n)).collect();
        Ok(Self { parts, positions })
    }

    /// All of them.
    pub(super) fn best_first(&self) -> &[ScoredPart] {
        &self.parts
    }

    /// A chunk; none for a block.
    pub(super) fn find(&self, chunk: ChunkId) -> Option<&ScoredPart> {
        self.positions.get(&chunk).map(|&n| &self.parts[n])
    }

    /// The best score.
    pub(super) fn best(&self) -> f32 {
        self.parts.first().map_or(0.0, |part| part.score)
    }

    /// The mean of the best scores.
    pub(super) fn mean_of_best(&self) -> f32 {
        let best = &self.parts[..self.parts.len().min(BEST)];
        best.iter().map(|part| part.score).sum::<f32>() / best.len().max(1) as f32
    }
}

fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}
