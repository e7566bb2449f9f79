//! Weighs the fused chunks: by the path of their file, by how their name matches, by what they are, and by the further
//! hits of their file.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::{ChunkId, FileId};
use sextant_format::kinds::Kind;

use super::ranked::{Ranked, sort_by_score};
use super::response::Signals;
use crate::catalog::ChunkInfo;
use crate::query_analysis::AnalyzedQuery;
use crate::rank::{FileEvidence, FusedChunk, ScoredCandidate, file_evidence, frame_match, path_match, share};
use crate::retrieve::NamedSymbol;
use crate::threads::map_ranges_parallel;
use crate::weights::FusionWeights;
use crate::{Index, Result};

/// The fused lists: text, vectors, symbols.
const LISTS: usize = 3;
/// Candidates that justify a thread to look them up.
const MIN_CANDIDATES_PER_THREAD: usize = 64;

/// Scores the candidates by all signals that do not need the graph.
pub(super) fn score_candidates(
    index: &Index,
    fused: &[FusedChunk],
    name_scores: &FxHashMap<ChunkId, f32>,
    named: &FxHashMap<ChunkId, NamedSymbol>,
    query: &AnalyzedQuery,
    weights: &FusionWeights,
) -> Result<Vec<Ranked>> {
    let mut ranked = Vec::with_capacity(fused.len());
    let known: FxHashSet<ChunkId> = fused.iter().map(|found| found.chunk_id).collect();
    let mut only_named: Vec<ChunkId> = named.keys().copied().filter(|chunk| !known.contains(chunk)).collect();
    only_named.sort_unstable();
    let only_named: Vec<FusedChunk> = only_named.into_iter().map(|chunk| FusedChunk::unscored(chunk, LISTS)).collect();
    let all: Vec<&FusedChunk> = fused.iter().chain(&only_named).collect();
    for (found, (info, path)) in all.iter().zip(infos_and_paths(index, &all, query, weights)?) {
        let name_score = name_scores.get(&found.chunk_id).copied().unwrap_or(0.0);
        let demotion = demotion(&info, name_score, query, weights);
        // Ranks do not show how exactly a name matches: one of several symbols may be exactly what was typed.
        let name = 1.0 + weights.name * name_score;
        let by_name = named.get(&found.chunk_id);
        let exact_boost = weights.qualified_name * by_name.map_or(0.0, |named| named.share);
        let signals = Signals {
            bm25: found.scores[0],
            cosine: found.scores[1],
            name_score: found.scores[2],
            text: found.contributions[0],
            vector: found.contributions[1],
            symbol: found.contributions[2],
            path,
            name,
            demotion,
            exact: exact_boost,
            ..Signals::default()
        };
        let score = found.score * path * name * demotion + exact_boost;
        let named_symbol = by_name.filter(|named| !named.is_own_chunk).map(|named| named.symbol);
        ranked.push(Ranked { named_symbol, ..Ranked::new(info, score, signals) });
    }
    let candidates: Vec<ScoredCandidate> = ranked
        .iter()
        .map(|r| ScoredCandidate { chunk_id: r.info.chunk_id, file_id: r.info.file_id, score: r.score })
        .collect();
    let evidence = file_evidence(&candidates, weights);
    for r in &mut ranked {
        let FileEvidence { best, further } = evidence.get(&r.info.file_id).copied().unwrap_or_default();
        // The bonus for the file's other hits, in proportion to this hit's share of the best score.
        let share = share(r.score, best);
        r.signals.file = weights.file_evidence * further * share;
        r.score += r.signals.file;
    }
    sort_by_score(&mut ranked);
    Ok(ranked)
}

/// Looks up the candidates, each with the factor of its file's path.
fn infos_and_paths(
    index: &Index,
    candidates: &[&FusedChunk],
    query: &AnalyzedQuery,
    weights: &FusionWeights,
) -> Result<Vec<(ChunkInfo, f32)>> {
    let catalog = &index.chunks()?.catalog;
    let parts = map_ranges_parallel(candidates.len(), MIN_CANDIDATES_PER_THREAD, |part| {
        let mut path_factors: FxHashMap<FileId, f32> = FxHashMap::default();
        let look_up = |found: &&FusedChunk| {
            let info = catalog.info(found.chunk_id)?;
            let path = match path_factors.entry(info.file_id) {
                Entry::Occupied(factor) => *factor.get(),
                Entry::Vacant(entry) => {
                    let path = catalog.path(info.chunk_id)?;
                    let (stem, folder) = path_match(query, &path, weights);
                    let frame = frame_match(query, &path, weights);
                    *entry.insert(1.0 + weights.stem * stem + weights.directory * folder + weights.frame * frame)
                }
            };
            Ok((info, path))
        };
        candidates[part].iter().map(look_up).collect::<Result<Vec<_>>>()
    });
    Ok(parts.into_iter().collect::<Result<Vec<_>>>()?.concat())
}

/// A candidate that no retriever found, without a score.
pub(super) fn not_retrieved(info: ChunkInfo, query: &AnalyzedQuery, weights: &FusionWeights) -> Ranked {
    let demotion = demotion(&info, 0.0, query, weights);
    Ranked::new(info, 0.0, Signals { path: 1.0, name: 1.0, demotion, ..Signals::default() })
}

/// The factor of a chunk for being a test or prose that the query does not ask for. `name_score` is
/// its symbol score.
fn demotion(info: &ChunkInfo, name_score: f32, query: &AnalyzedQuery, weights: &FusionWeights) -> f32 {
    let mut demotion = 1.0;
    // A query that contains the full name of a test asks for it.
    if info.is_test && !query.wants_tests && name_score < weights.full_name {
        demotion *= weights.test;
    }
    if info.kind == Kind::Section {
        demotion *= weights.prose;
    }
    demotion
}
