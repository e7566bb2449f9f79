//! Ranking by files: orders the candidates by the features of their files.

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::FileId;

use super::file_features::gather_file_features;
use super::ranked::{Ranked, sort_by_score};
use crate::query_analysis::{AnalyzedQuery, QueryClass};
use crate::rank::FileModel;
use crate::retrieve::QueryVectors;
use crate::weights::{Weights, count};
use crate::{Index, Result};

/// Orders candidates by their files: a chunk gets its file's score, in proportion to its share of the score of the
/// file's best chunk.
pub(super) fn rank_files(
    index: &Index,
    ranked: &mut [Ranked],
    query: &AnalyzedQuery,
    query_vectors: Option<&QueryVectors>,
    weights: &Weights,
) -> Result<()> {
    let max_files = count(weights.file.ranked_files, 1000).max(1);
    let mut files: FxHashSet<FileId> = FxHashSet::default();
    for r in ranked.iter() {
        if files.len() < max_files {
            files.insert(r.info.file_id);
        }
    }
    let candidates = ranked.iter().filter(|r| files.contains(&r.info.file_id));
    let features = gather_file_features(index, candidates, query, query_vectors, weights)?;
    let model = match query.class {
        QueryClass::Report => FileModel::from(&weights.report),
        _ => FileModel::from(&weights.file),
    };
    let best = features.values().map(|features| model.score(features)).fold(f32::NEG_INFINITY, f32::max);
    let mut tops: FxHashMap<FileId, f32> = FxHashMap::default();
    for r in ranked.iter() {
        let top = tops.entry(r.info.file_id).or_insert(0.0);
        *top = top.max(r.score);
    }
    for r in ranked.iter_mut() {
        let Some(file_features) = features.get(&r.info.file_id) else {
            r.score *= weights.file.unranked_file;
            continue;
        };
        let top = tops.get(&r.info.file_id).copied().unwrap_or(0.0);
        let share = if top > 0.0 { r.score / top } else { 0.0 };
        r.score = (model.score(file_features) - best).exp() * share + r.signals.exact;
        r.signals.file_features = Some((*file_features, model.contributions(file_features)));
    }
    sort_by_score(ranked);
    Ok(())
}
