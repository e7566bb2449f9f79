//! Ranking by files: gathers the features of files from their chunks, the text index and the graph, and orders the
//! candidates by them.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::{ChunkId, FileId};
use sextant_format::kinds::Kind;

use super::ranked::{Ranked, sort_by_score};
use super::response::Signals;
use crate::catalog::ChunkInfo;
use crate::query_analysis::AnalyzedQuery;
use crate::rank::FileFeatures;
use crate::retrieve;
use crate::weights::{Weights, count};
use crate::{Index, Result};

/// Owners between a symbol and its file symbol at most. In a damaged graph owners may form a cycle.
const MAX_OWNER_DEPTH: usize = 64;

/// The signals of a file's candidates, combined.
#[derive(Default)]
struct FileAggregate {
    any_chunk: ChunkId,
    chunk: f32,
    bm25_scores: Vec<f32>,
    vector: f32,
    path: f32,
    graph: f32,
    demotion: f32,
}

/// Orders candidates by their files: a chunk gets its file's score, in proportion to its share of the score of the
/// file's best chunk.
pub(super) fn rank_files(index: &Index, ranked: &mut [Ranked], query: &AnalyzedQuery, weights: &Weights) -> Result<()> {
    let max_files = count(weights.file.ranked_files, 1000).max(1);
    let mut files: FxHashSet<FileId> = FxHashSet::default();
    for r in ranked.iter() {
        if files.len() < max_files {
            files.insert(r.info.file_id);
        }
    }
    let chunks = ranked.iter().filter(|r| files.contains(&r.info.file_id));
    let features = gather_file_features(index, chunks.map(|r| (&r.info, r.score, &r.signals)), query, weights)?;
    let best = features.values().map(|features| features.score(&weights.file)).fold(f32::NEG_INFINITY, f32::max);
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
        r.score = (file_features.score(&weights.file) - best).exp() * share + r.signals.exact;
        r.signals.file_features = Some(*file_features);
    }
    sort_by_score(ranked);
    Ok(())
}

/// Returns the features of the files of `chunks`, which have their scores and signals, by file id.
fn gather_file_features<'a>(
    index: &Index,
    chunks: impl Iterator<Item = (&'a ChunkInfo, f32, &'a Signals)>,
    query: &AnalyzedQuery,
    weights: &Weights,
) -> Result<BTreeMap<FileId, FileFeatures>> {
    let mut files: BTreeMap<FileId, FileAggregate> = BTreeMap::new();
    for (info, score, signals) in chunks {
        let aggregate = files.entry(info.file_id).or_default();
        aggregate.any_chunk = info.chunk_id;
        aggregate.chunk = aggregate.chunk.max(score);
        aggregate.bm25_scores.extend(signals.bm25);
        aggregate.vector = aggregate.vector.max(signals.cosine.unwrap_or(0.0));
        aggregate.path = aggregate.path.max(signals.path - 1.0);
        aggregate.graph = aggregate.graph.max(signals.graph);
        let level = if info.level > 1 { weights.fusion.block } else { 1.0 };
        aggregate.demotion = aggregate.demotion.max(if level > 0.0 { signals.demotion / level } else { 1.0 });
    }
    for aggregate in files.values_mut() {
        aggregate.bm25_scores.sort_by(|a, b| b.total_cmp(a));
        aggregate.bm25_scores.truncate(count(weights.file.file_text_chunks, 1000));
    }
    let text = |aggregate: &FileAggregate| aggregate.bm25_scores.iter().fold(0.0, |sum, score| sum + score);
    let max_of = |value_of: &dyn Fn(&FileAggregate) -> f32| files.values().map(value_of).fold(0.0, f32::max);
    let (max_chunk, max_bm25, max_vector, max_graph) =
        (max_of(&|f| f.chunk), max_of(&text), max_of(&|f| f.vector), max_of(&|f| f.graph));
    let catalog = &index.chunks()?.catalog;
    let ranges: Vec<Range<ChunkId>> =
        files.values().map(|aggregate| catalog.file_range(aggregate.any_chunk)).collect::<Result<_>>()?;
    let coverages = retrieve::range_coverage(index, query, &ranges)?;
    let normalize_by_max = |value: f32, max: f32| if max > 0.0 { value / max } else { 0.0 };
    let log_scale = |count: usize| (1.0 + count as f32).ln() / 10.0;
    files
        .iter()
        .zip(ranges.iter().zip(coverages))
        .map(|((&file, aggregate), (range, coverage))| {
            let (uses, lines) = uses_and_lines(index, range.clone())?;
            let features = FileFeatures {
                chunk: normalize_by_max(aggregate.chunk, max_chunk),
                text: normalize_by_max(text(aggregate), max_bm25),
                vector: normalize_by_max(aggregate.vector, max_vector),
                path: aggregate.path,
                graph: normalize_by_max(aggregate.graph, max_graph),
                demotion: aggregate.demotion,
                coverage,
                out_degree: log_scale(uses),
                lines: log_scale(lines),
            };
            Ok((file, features))
        })
        .collect()
}

/// Returns the number of edges out of the symbols of a range of chunks, without edges to their members, and the
/// last line of the chunks.
fn uses_and_lines(index: &Index, chunks: Range<ChunkId>) -> Result<(usize, usize)> {
    let catalog = &index.chunks()?.catalog;
    let (symbols, lines) = catalog.symbol_range_and_last_line(chunks);
    let Some((mut from, to)) = symbols else { return Ok((0, lines as usize)) };
    let graph = index.graph()?;
    let symbols = &index.symbols()?.catalog;
    // The file symbol has no chunk; its edges are the file's imports.
    for _ in 0..MAX_OWNER_DEPTH {
        if symbols.kind(from) == Some(Kind::File) {
            break;
        }
        match graph.owner(from) {
            Some(owner) => from = owner,
            None => break,
        }
    }
    // Each symbol but the first has one owner among them, which has an edge to it.
    let uses = graph.out_edge_count(from, to).saturating_sub(to.rows_after(from).unwrap_or(0) as usize);
    Ok((uses, lines as usize))
}
