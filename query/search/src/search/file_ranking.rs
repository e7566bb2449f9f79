//! Ranking by files: orders the candidates by the features of their files, and within a file by their own.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::{ChunkId, FileId};

use super::file_features::{FileEvidence, gather_evidence};
use super::ranked::{Ranked, sort_by_score};
use super::scoring::not_retrieved;
use crate::query_analysis::{AnalyzedQuery, QueryClass};
use crate::rank::{self, ChunkModel, FileModel};
use crate::retrieve::{ChunkFilter, QueryVectors};
use crate::weights::{ChunkWeights, Weights, count};
use crate::{Index, Result};

/// A block comes after its symbol: factor of its score.
const BLOCK: f32 = 0.999;

/// The linear models for a class of queries.
struct Models {
    file: FileModel,
    chunk: ChunkModel,
}

impl Models {
    fn new(class: QueryClass, weights: &Weights) -> Self {
        match class {
            QueryClass::Report => {
                Self { file: FileModel::from(&weights.report), chunk: ChunkModel::from(&weights.report_chunk) }
            }
            _ => Self { file: FileModel::from(&weights.file), chunk: ChunkModel::from(&weights.chunk) },
        }
    }
}

/// Orders candidates by their files: a chunk gets its file's score, in proportion to how well it fits beside the best
/// chunk of the file. The best chunks of the files become candidates, even if no retriever found them.
pub(super) fn rank_files(
    index: &Index,
    ranked: &mut Vec<Ranked>,
    query: &AnalyzedQuery,
    query_vectors: Option<&QueryVectors>,
    allowed: &ChunkFilter,
    weights: &Weights,
) -> Result<()> {
    let max_files = count(weights.file.ranked_files, 1000).max(1);
    let mut files: FxHashSet<FileId> = FxHashSet::default();
    for r in ranked.iter() {
        if files.len() < max_files {
            files.insert(r.info.file_id);
        }
    }
    let models = Models::new(query.class, weights);
    let candidates = ranked.iter().filter(|r| files.contains(&r.info.file_id));
    let mut evidence = gather_evidence(index, candidates, query, query_vectors, weights, &models.chunk)?;
    add_co_change(index, &mut evidence, &models.file)?;
    add_best_chunks(index, ranked, &evidence, query, allowed, weights)?;
    let shares = shares(ranked, &evidence, &weights.chunk);
    let best = evidence.values().map(|file| models.file.score(&file.features)).fold(f32::NEG_INFINITY, f32::max);
    for r in ranked.iter_mut() {
        let Some(file) = evidence.get(&r.info.file_id) else {
            r.score *= weights.file.unranked_file;
            continue;
        };
        let share = shares.get(&r.info.chunk_id).copied().unwrap_or(0.0);
        r.score = (models.file.score(&file.features) - best).exp() * share + r.signals.exact;
        r.signals.file_features = Some((file.features, models.file.contributions(&file.features)));
        let part = file.parts.find(r.info.chunk_id);
        r.signals.chunk_features = part.map(|part| (part.features, models.chunk.contributions(&part.features)));
    }
    sort_by_score(ranked);
    Ok(())
}

/// Sets how much each file changed together with those that are best without it.
fn add_co_change(index: &Index, evidence: &mut BTreeMap<FileId, FileEvidence>, model: &FileModel) -> Result<()> {
    let history = index.history()?;
    if history.is_empty() {
        return Ok(());
    }
    let files: Vec<_> = evidence.values().map(|file| file.history).collect();
    let scores: Vec<f32> = evidence.values().map(|file| model.score(&file.features)).collect();
    let together = history.together(&files, &scores);
    evidence.values_mut().zip(together).for_each(|(file, together)| file.features.co_change = together);
    Ok(())
}

/// Adds the best chunks of each file to the candidates.
fn add_best_chunks(
    index: &Index,
    ranked: &mut Vec<Ranked>,
    evidence: &BTreeMap<FileId, FileEvidence>,
    query: &AnalyzedQuery,
    allowed: &ChunkFilter,
    weights: &Weights,
) -> Result<()> {
    let chunks = count(weights.chunk.part_candidates, 1000).max(1);
    let catalog = &index.chunks()?.catalog;
    let known: FxHashSet<ChunkId> = ranked.iter().map(|r| r.info.chunk_id).collect();
    let best = evidence.values().flat_map(|file| file.parts.best_first().take(chunks)).map(|part| part.chunk_id);
    for chunk in best.filter(|chunk| !known.contains(chunk) && allowed.allows(*chunk)) {
        ranked.push(not_retrieved(catalog.info(chunk)?, query, &weights.fusion));
    }
    Ok(())
}

/// How well each candidate fits beside the best one of its file, 0 to 1.
fn shares(
    ranked: &[Ranked],
    evidence: &BTreeMap<FileId, FileEvidence>,
    weights: &ChunkWeights,
) -> FxHashMap<ChunkId, f32> {
    let mut shares: FxHashMap<ChunkId, f32> = FxHashMap::default();
    let mut best: FxHashMap<FileId, f32> = FxHashMap::default();
    let mut fused: FxHashMap<FileId, f32> = FxHashMap::default();
    for r in ranked {
        let Some(file) = evidence.get(&r.info.file_id) else { continue };
        let top = fused.entry(r.info.file_id).or_insert(0.0);
        *top = top.max(r.score);
        let Some(part) = file.parts.find(r.info.chunk_id) else { continue };
        let odds = (weights.part_sharpness.clamp(0.0, 1.0) * (part.score - file.parts.best())).exp();
        let share = odds * r.signals.demotion;
        let best = best.entry(r.info.file_id).or_insert(0.0);
        *best = best.max(share);
        shares.insert(r.info.chunk_id, share);
    }
    for r in ranked {
        if let Some(share) = shares.get_mut(&r.info.chunk_id) {
            let best = best.get(&r.info.file_id).copied().unwrap_or(0.0);
            *share = rank::share(*share, best);
        }
    }
    // Blocks have no features of their own: what the retrievers found of them counts, but not more than their symbol.
    for r in ranked.iter().filter(|r| r.info.level > 1 && evidence.contains_key(&r.info.file_id)) {
        let top = fused.get(&r.info.file_id).copied().unwrap_or(0.0);
        let found = rank::share(r.score, top);
        let owner = r.info.parent_id.and_then(|parent| shares.get(&parent)).copied().unwrap_or(found);
        shares.insert(r.info.chunk_id, BLOCK * found.min(owner));
    }
    shares
}
