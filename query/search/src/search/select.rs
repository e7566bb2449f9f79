//! Selects the results among the ranked chunks, and their order.

use rustc_hash::FxHashMap;
use sextant_format::ids::FileId;

use super::ranked::Ranked;

/// Further hits that are listed with a result.
const MAX_RELATED_HITS: usize = 3;

/// A block fits as well as its symbol if text and vectors give it at least this share of what they give the symbol.
const MIN_BLOCK_SHARE: f32 = 0.5;

/// Selects at most `limit` results. Of nested chunks the better one is kept. The score of a file's nth further hit is
/// multiplied by `decay` to the power of n; if `decay` is 0, further hits come after the best hits of all files. With
/// `lists_further`, further hits that are not results are listed with the first result of their file.
pub(super) fn select_results(ranked: Vec<Ranked>, limit: usize, decay: f32, lists_further: bool) -> Vec<Ranked> {
    let mut hits_per_file: FxHashMap<FileId, i32> = FxHashMap::default();
    let mut seen: Vec<(FileId, u32, u32)> = Vec::new();
    let mut chosen: Vec<(i32, Ranked)> = Vec::new();
    for mut r in ranked {
        let overlaps = seen.iter().any(|&(file, start, end)| {
            file == r.info.file_id && start <= r.info.end_line && r.info.start_line <= end && r.info.level > 1
        });
        if overlaps {
            add_block(&mut chosen, &r);
            continue;
        }
        let nth = hits_per_file.entry(r.info.file_id).or_insert(0);
        let round = if decay > 0.0 {
            r.score *= decay.min(1.0).powi(*nth);
            0
        } else {
            *nth
        };
        *nth += 1;
        seen.push((r.info.file_id, r.info.start_line, r.info.end_line));
        chosen.push((round, r));
    }
    chosen.sort_by(|(m, a), (n, b)| {
        m.cmp(n).then(b.score.total_cmp(&a.score)).then(a.info.chunk_id.cmp(&b.info.chunk_id))
    });
    let rest = chosen.split_off(limit.min(chosen.len()));
    let mut chosen: Vec<Ranked> = chosen.into_iter().map(|(_, r)| r).collect();
    // Rounds order before scores do: lower scores where they contradict that order.
    let mut previous_score = f32::INFINITY;
    for r in &mut chosen {
        previous_score = previous_score.min(r.score);
        r.score = previous_score;
    }
    if lists_further {
        let mut first: FxHashMap<FileId, usize> = FxHashMap::default();
        for (at, r) in chosen.iter().enumerate() {
            first.entry(r.info.file_id).or_insert(at);
        }
        for (_, further) in rest {
            if let Some(&at) = first.get(&further.info.file_id)
                && chosen[at].related_hits.len() < MAX_RELATED_HITS
            {
                chosen[at].related_hits.push(further.info);
            }
        }
    }
    chosen
}

/// Notes a block with the symbol that was chosen before it, if it fits about as well. What the query names is shown whole.
fn add_block(chosen: &mut [(i32, Ranked)], block: &Ranked) {
    let evidence = |r: &Ranked| r.signals.text + r.signals.vector;
    let is_owner = |owner: &&mut Ranked| {
        owner.info.level == 1 && owner.info.symbol_id.is_some() && owner.info.symbol_id == block.info.symbol_id
    };
    let Some(owner) = chosen.iter_mut().map(|(_, r)| r).find(is_owner) else { return };
    let is_named = owner.named_symbol.is_some() || owner.signals.exact > 0.0;
    if owner.block.is_none() && !is_named && evidence(block) >= MIN_BLOCK_SHARE * evidence(owner) {
        owner.block = Some(block.info);
    }
}
