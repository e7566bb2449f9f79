//! The signs of the files that a search found: gathered from its chunks, the text index and the graph.

use std::collections::BTreeMap;

use sextant_formats::kinds::{EdgeKind, Kind};

use crate::catalog::ChunkInfo;
use crate::rank::{FileSigns, Weights};
use crate::retrieve;
use crate::search::Signals;
use crate::understand::Query;
use crate::{Index, Result};

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
    /// The signs of every file of some chunks with their scores, by file.
    pub(crate) fn file_signs<'a>(
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
            match graph.users(from).find(|edge| edge.kind == EdgeKind::Contains) {
                Some(owner) => from = owner.node,
                None => break,
            }
        }
        // Each symbol but the first has one owner among them.
        let uses = graph.uses_of_all(from, to).saturating_sub(to.saturating_sub(from) as usize);
        Ok((uses, lines as usize))
    }
}
