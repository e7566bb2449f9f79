//! Lets the reranker read the best chunks of the best files with the query, and orders these files and chunks again.

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, FileId, SymbolId};
use sextant_reranker::{Passage, Reranker};

use super::ranked::{Ranked, sort_by_score};
use crate::query_analysis::{AnalyzedQuery, QueryClass};
use crate::weights::{RerankWeights, count};
use crate::{Index, Result};

/// Adds the reranker's log-odds to those of candidates that were ranked by files. Files that it does not read keep their
/// order below; of the others the least fitting one gains nothing.
pub(super) fn rerank(
    index: &Index,
    ranked: &mut [Ranked],
    query: &AnalyzedQuery,
    weights: &RerankWeights,
) -> Result<()> {
    let (max_files, max_chunks) = (count(weights.rerank_files, 100).max(1), count(weights.rerank_chunks, 10).max(1));
    let weight = match query.class {
        QueryClass::Report => weights.rerank_report,
        _ => weights.rerank_question,
    };
    let mut files: FxHashMap<FileId, usize> = FxHashMap::default();
    let mut read: Vec<(ChunkId, Option<SymbolId>)> = Vec::new();
    for r in ranked.iter() {
        if !files.contains_key(&r.info.file_id) && files.len() == max_files {
            continue;
        }
        let chunks = files.entry(r.info.file_id).or_insert(0);
        if *chunks < max_chunks {
            *chunks += 1;
            read.push((r.info.chunk_id, r.info.symbol_id));
        }
    }
    let scores = scores(index, &query.text, read)?;
    let lowest = scores.values().copied().fold(f32::INFINITY, f32::min);
    // A chunk that was not read is not better than the worst one of its file that was.
    let mut worst: FxHashMap<FileId, f32> = FxHashMap::default();
    for r in ranked.iter() {
        if let Some(&score) = scores.get(&r.info.chunk_id) {
            let of_file = worst.entry(r.info.file_id).or_insert(score);
            *of_file = of_file.min(score);
        }
    }
    let mut best = f32::NEG_INFINITY;
    for r in ranked.iter_mut() {
        let score = scores.get(&r.info.chunk_id).or_else(|| worst.get(&r.info.file_id));
        r.signals.rerank = score.map(|score| weight * (score - lowest));
        // In logarithms, where a large weight does not overflow.
        r.score = (r.score - r.signals.exact).max(f32::MIN_POSITIVE).ln() + r.signals.rerank.unwrap_or(0.0);
        best = best.max(r.score);
    }
    for r in ranked.iter_mut() {
        r.score = (r.score - best).exp() + r.signals.exact;
    }
    sort_by_score(ranked);
    Ok(())
}

/// The reranker's scores of chunks.
fn scores(index: &Index, query: &str, mut read: Vec<(ChunkId, Option<SymbolId>)>) -> Result<FxHashMap<ChunkId, f32>> {
    read.sort_unstable();
    let ids: Vec<ChunkId> = read.iter().map(|(chunk, _)| *chunk).collect();
    let mut symbols: Vec<SymbolId> = read.iter().filter_map(|(_, symbol)| *symbol).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let names: Vec<String> = index.symbol_rows()?.column("qualified_name", &symbols)?;
    let names: FxHashMap<SymbolId, String> = symbols.into_iter().zip(names).collect();
    let texts: Vec<String> = index.chunk_rows()?.column("content", &ids)?;
    let catalog = &index.chunks()?.catalog;
    let paths: Vec<String> = ids.iter().map(|&id| catalog.path(id)).collect::<Result<_>>()?;
    let passages: Vec<Passage<'_>> = read
        .iter()
        .zip(paths.iter().zip(&texts))
        .map(|((_, symbol), (path, text))| Passage {
            path,
            name: symbol.and_then(|symbol| names.get(&symbol)).map_or("", String::as_str),
            text,
        })
        .collect();
    let scores = Reranker::shipped()?.score(query, &passages)?;
    Ok(ids.into_iter().zip(scores).collect())
}
