//! Ranking by files: the signs of those that a search found, gathered from their chunks, the text index and the
//! graph, and the order that follows from them.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::Kind;

use super::{Ranked, Signals, sort};
use crate::catalog::ChunkInfo;
use crate::rank::{FileSigns, Weights};
use crate::retrieve;
use crate::understand::Query;
use crate::{Index, Result};

/// Files whose signs are looked at: those of the best chunks.
const MAX_FILES: usize = 100;
/// What the chunks of other files keep of their score: less than any file has that was looked at.
const FAR: f32 = 1e-12;
/// So many chunks of a file give it BM25.
const TEXTS: usize = 8;
/// Owners above owners on the way to a file's own symbol.
const MAX_OWNERS: usize = 64;

/// What the chunks of a file have.
#[derive(Default)]
struct Found {
    any_chunk: u32,
    chunk: f32,
    texts: Vec<f32>,
    vector: f32,
    path: f32,
    graph: f32,
    demotion: f32,
}

impl Index {
    /// Orders by files: a chunk has what its file has, in proportion to how good it is among the file's chunks.
    pub(super) fn rank_files(&self, ranked: &mut [Ranked], query: &Query, weights: &Weights) -> Result<()> {
        let mut files: FxHashSet<u32> = FxHashSet::default();
        for r in ranked.iter() {
            if files.len() < MAX_FILES {
                files.insert(r.info.file_id);
            }
        }
        let chunks = ranked.iter().filter(|r| files.contains(&r.info.file_id));
        let signs = self.file_signs(chunks.map(|r| (&r.info, r.score, &r.signals)), query, weights)?;
        let best = signs.values().map(|signs| signs.score(weights)).fold(f32::NEG_INFINITY, f32::max);
        let mut tops: FxHashMap<u32, f32> = FxHashMap::default();
        for r in ranked.iter() {
            let top = tops.entry(r.info.file_id).or_insert(0.0);
            *top = top.max(r.score);
        }
        for r in ranked.iter_mut() {
            let Some(of_file) = signs.get(&r.info.file_id) else {
                r.score *= FAR;
                continue;
            };
            let top = tops.get(&r.info.file_id).copied().unwrap_or(0.0);
            let share = if top > 0.0 { r.score / top } else { 0.0 };
            r.score = (of_file.score(weights) - best).exp() * share + r.signals.exact;
            r.signals.of_file = Some(*of_file);
        }
        sort(ranked);
        Ok(())
    }

    /// The signs of every file of some chunks with their scores, by file.
    fn file_signs<'a>(
        &self,
        chunks: impl Iterator<Item = (&'a ChunkInfo, f32, &'a Signals)>,
        query: &Query,
        weights: &Weights,
    ) -> Result<BTreeMap<u32, FileSigns>> {
        let mut files: BTreeMap<u32, Found> = BTreeMap::new();
        for (info, score, signals) in chunks {
            let found = files.entry(info.file_id).or_default();
            found.any_chunk = info.chunk_id;
            found.chunk = found.chunk.max(score);
            found.texts.extend(signals.bm25);
            found.vector = found.vector.max(signals.cosine.unwrap_or(0.0));
            found.path = found.path.max(signals.path - 1.0);
            found.graph = found.graph.max(signals.graph);
            let level = if info.level > 1 { weights.level_2 } else { 1.0 };
            found.demotion = found.demotion.max(if level > 0.0 { signals.demotion / level } else { 1.0 });
        }
        for found in files.values_mut() {
            found.texts.sort_by(|a, b| b.total_cmp(a));
            found.texts.truncate(TEXTS);
        }
        let text = |found: &Found| found.texts.iter().fold(0.0, |sum, score| sum + score);
        let most = |of: &dyn Fn(&Found) -> f32| files.values().map(of).fold(0.0, f32::max);
        let (chunks, texts, vectors, graphs) =
            (most(&|f| f.chunk), most(&text), most(&|f| f.vector), most(&|f| f.graph));
        let catalog = &self.chunks()?.catalog;
        let ranges: Vec<(u32, u32)> =
            files.values().map(|found| catalog.file_range(found.any_chunk)).collect::<Result<_>>()?;
        let covered = retrieve::coverage(self, query, &ranges)?;
        let beside = |value: f32, most: f32| if most > 0.0 { value / most } else { 0.0 };
        let short = |count: usize| (1.0 + count as f32).ln() / 10.0;
        files
            .iter()
            .zip(ranges.iter().zip(covered))
            .map(|((&file, found), (&range, coverage))| {
                let (uses, lines) = self.uses_and_lines(range)?;
                let signs = FileSigns {
                    chunk: beside(found.chunk, chunks),
                    text: beside(text(found), texts),
                    vector: beside(found.vector, vectors),
                    path: found.path,
                    graph: beside(found.graph, graphs),
                    demotion: found.demotion,
                    coverage,
                    uses: short(uses),
                    lines: short(lines),
                };
                Ok((file, signs))
            })
            .collect()
    }

    /// How many edges lead out of the symbols of a file's chunks, without those to what they own, and how many
    /// lines the chunks reach over.
    fn uses_and_lines(&self, (first, last): (u32, u32)) -> Result<(usize, usize)> {
        let catalog = &self.chunks()?.catalog;
        let (symbols, lines) = catalog.extent(first, last);
        let Some((mut from, to)) = symbols else { return Ok((0, lines as usize)) };
        let graph = self.graph()?;
        let symbols = &self.symbols()?.catalog;
        // The file's own symbol, which has no chunk: its imports.
        for _ in 0..MAX_OWNERS {
            if symbols.kind(from) == Some(Kind::File) {
                break;
            }
            match graph.owner(from) {
                Some(owner) => from = owner,
                None => break,
            }
        }
        // Each symbol but the first has one owner among them.
        let uses = graph.uses_of_all(from, to).saturating_sub(to.saturating_sub(from) as usize);
        Ok((uses, lines as usize))
    }
}
