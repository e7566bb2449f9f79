//! Reciprocal rank fusion: ranks are comparable where scores are not.

use rustc_hash::{FxBuildHasher, FxHashMap};
use sextant_format::ids::ChunkId;
use smallvec::{SmallVec, smallvec};

use super::scored_chunk::ScoredChunk;

/// One value for each list; there are three lists.
type PerList<T> = SmallVec<[T; 4]>;

/// A chunk with its contribution from each list.
#[derive(Clone, Debug, PartialEq)]
pub struct FusedChunk {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// The sum of the contributions.
    pub score: f32,
    /// The contribution of each list, in the order of the lists.
    pub contributions: PerList<f32>,
    /// Its score in each list; `None` if the list does not contain it.
    pub scores: PerList<Option<f32>>,
}

impl FusedChunk {
    /// A chunk that none of some lists contains.
    #[must_use]
    pub fn unscored(chunk_id: ChunkId, lists: usize) -> Self {
        let (contributions, scores) = (smallvec![0.0; lists], smallvec![None; lists]);
        Self { chunk_id, score: 0.0, contributions, scores }
    }
}

/// Fuses ranked lists: a list of weight `w` contributes `w * (k + 1) / (k + rank)` to the chunk at `rank`, counted
/// from 1, so its first chunk gets `w`. Returns the best first; ties are in the order of chunk ids.
#[must_use]
pub fn reciprocal_rank_fusion(lists: &[(&[ScoredChunk], f32)], k: f32) -> Vec<FusedChunk> {
    fuse(lists, |_, _, rank| (k + 1.0) / (k + rank as f32 + 1.0))
}

/// Sums the contributions of all lists: a list's weight times `share(list, scored, rank)`, ranks counted from 0.
fn fuse(lists: &[(&[ScoredChunk], f32)], share: impl Fn(usize, &ScoredChunk, usize) -> f32) -> Vec<FusedChunk> {
    let all = lists.iter().map(|(list, _)| list.len()).sum();
    let mut positions: FxHashMap<ChunkId, usize> = FxHashMap::with_capacity_and_hasher(all, FxBuildHasher);
    let mut fused: Vec<FusedChunk> = Vec::with_capacity(all);
    for (n, (list, weight)) in lists.iter().enumerate() {
        for (rank, scored) in list.iter().enumerate() {
            let at = *positions.entry(scored.chunk_id).or_insert_with(|| {
                fused.push(FusedChunk {
                    chunk_id: scored.chunk_id,
                    score: 0.0,
                    contributions: smallvec![0.0; lists.len()],
                    scores: smallvec![None; lists.len()],
                });
                fused.len() - 1
            });
            let contribution = weight * share(n, scored, rank);
            fused[at].contributions[n] = contribution;
            fused[at].scores[n] = Some(scored.score);
            fused[at].score += contribution;
        }
    }
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk_id.cmp(&b.chunk_id)));
    fused
}

/// Fuses lists by their scores: a list of weight `w` contributes `w * score / best` to its chunks, where `best` is the
/// list's best score. Scores that are not above 0 contribute nothing. Returns the best first; ties are in the order of
/// chunk ids.
#[must_use]
pub fn weighted_score_fusion(lists: &[(&[ScoredChunk], f32)]) -> Vec<FusedChunk> {
    let best = |list: &[ScoredChunk]| list.iter().map(|scored| scored.score).fold(0.0, f32::max);
    let bests: Vec<f32> = lists.iter().map(|(list, _)| best(list)).collect();
    let share = |n: usize, scored: &ScoredChunk, _: usize| {
        if bests[n] > 0.0 { (scored.score / bests[n]).max(0.0) } else { 0.0 }
    };
    fuse(lists, share)
}

/// Imputes the contribution of `list` for chunks that it cannot contain: the average contribution of the other lists,
/// scaled to the weight of `list`. Without this, chunks that selective embedding leaves out would rank behind all
/// embedded ones.
pub fn impute_missing_list(
    fused: &mut [FusedChunk],
    list: usize,
    weights: &[f32],
    can_contain: impl Fn(ChunkId) -> bool,
) {
    let others: f32 = weights.iter().enumerate().filter(|(n, _)| *n != list).map(|(_, weight)| weight).sum();
    if others <= 0.0 {
        return;
    }
    for chunk in fused.iter_mut().filter(|chunk| !can_contain(chunk.chunk_id)) {
        let contribution = chunk.score * weights[list] / others;
        chunk.contributions[list] = contribution;
        chunk.score += contribution;
    }
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk_id.cmp(&b.chunk_id)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(chunks: &[u32]) -> Vec<ScoredChunk> {
        chunks.iter().map(|&chunk| ScoredChunk { chunk_id: ChunkId::new(chunk), score: 0.0 }).collect()
    }

    #[test]
    fn scores_are_normalized_by_the_best() {
        let scored = |chunk, score| ScoredChunk { chunk_id: ChunkId::new(chunk), score };
        let (a, b) = ([scored(1, 8.0), scored(2, 4.0)], [scored(2, 0.5), scored(3, -1.0)]);
        let fused = weighted_score_fusion(&[(&a, 1.0), (&b, 2.0), (&[], 1.0)]);
        let order: Vec<(u32, f32)> = fused.iter().map(|chunk| (chunk.chunk_id.get(), chunk.score)).collect();
        assert_eq!(order, [(2, 2.5), (1, 1.0), (3, 0.0)]);
    }

    #[test]
    fn agreement_beats_a_single_first_place() {
        let (a, b) = (list(&[1, 2, 3]), list(&[4, 2, 5]));
        let fused = reciprocal_rank_fusion(&[(&a, 1.0), (&b, 1.0)], 60.0);
        assert_eq!(fused[0].chunk_id.get(), 2);
        assert_eq!(fused[1].chunk_id.get(), 1, "equal scores in the order of the chunks");
        assert_eq!(fused[1].contributions.as_slice(), [1.0, 0.0]);
    }

    #[test]
    fn a_chunk_that_a_list_cannot_contain_is_not_penalized() {
        let (text, vector) = (list(&[1, 2]), list(&[2, 3]));
        let mut fused = reciprocal_rank_fusion(&[(&text, 1.0), (&vector, 0.5)], 60.0);
        assert_eq!(fused[0].chunk_id.get(), 2);
        impute_missing_list(&mut fused, 1, &[1.0, 0.5], |chunk| chunk.get() != 1);
        assert_eq!(fused[0].chunk_id.get(), 1);
        assert_eq!((fused[0].score, fused[0].contributions.as_slice()), (1.5, [1.0, 0.5].as_slice()));
        let before = fused.clone();
        impute_missing_list(&mut fused, 0, &[1.0, 0.0], |_| true);
        assert_eq!(fused, before);
    }

    proptest! {
        #[test]
        fn moving_up_in_a_list_never_lowers_the_score(order in Just((0_u32..12).collect::<Vec<_>>()).prop_shuffle(), at in 1_usize..12) {
            let score = |order: &[u32], chunk: u32| {
                let list = list(order);
                reciprocal_rank_fusion(&[(&list, 1.0)], 60.0).iter().find(|f| f.chunk_id.get() == chunk).unwrap().score
            };
            let chunk = order[at];
            let before = score(&order, chunk);
            let mut order = order;
            order.swap(at, at - 1);
            prop_assert!(score(&order, chunk) >= before);
        }
    }
}
