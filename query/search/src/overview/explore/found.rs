//! Chunks that may answer a question, each once, with their scores.

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::tables::SymbolRow;

use crate::catalog::ChunkInfo;

/// Functions of at most this many lines are small.
const SMALL_LINES: u32 = 3;

/// A chunk with what ranking found out about it.
pub(super) struct Found {
    pub(super) info: ChunkInfo,
    pub(super) score: f32,
    pub(super) graph: f32,
    /// The symbol in it that the question names, if the chunk is not the symbol's own.
    pub(super) named_symbol: Option<SymbolId>,
    /// Whether it is a section whose heading consists of words of the question.
    pub(super) is_headed: bool,
}

impl Found {
    pub(super) fn symbol(&self) -> Option<SymbolId> {
        self.named_symbol.or(self.info.symbol_id)
    }
}

/// The chunks so far.
#[derive(Default)]
pub(super) struct FoundChunks {
    pub(super) order: Vec<Found>,
    position: FxHashMap<ChunkId, usize>,
}

impl FoundChunks {
    /// Adds a chunk unless it is known.
    pub(super) fn add(&mut self, found: Found) {
        if let std::collections::hash_map::Entry::Vacant(free) = self.position.entry(found.info.chunk_id) {
            free.insert(self.order.len());
            self.order.push(found);
        }
    }

    /// Raises the score of a chunk to at least this one, and adds the chunk if it is new.
    pub(super) fn raise(&mut self, info: ChunkInfo, score: f32) {
        match self.position.get(&info.chunk_id) {
            Some(&known) => self.order[known].score = self.order[known].score.max(score),
            None => self.add(Found { info, score, graph: 0.0, named_symbol: None, is_headed: false }),
        }
    }

    pub(super) fn best_score(&self) -> f32 {
        self.order.iter().map(|found| found.score).fold(0.0, f32::max)
    }

    /// The positions of the best functions.
    pub(super) fn best_functions(&self, count: usize) -> Vec<usize> {
        let mut best: Vec<usize> = (0..self.order.len()).filter(|&at| self.order[at].info.kind.is_callable()).collect();
        best.sort_by(|&a, &b| self.order[b].score.total_cmp(&self.order[a].score).then(a.cmp(&b)));
        best.truncate(count);
        best
    }
}

/// Whether a function has hardly any body.
pub(super) fn is_small(info: &ChunkInfo, symbol: Option<&SymbolRow>) -> bool {
    let first = symbol.map_or(info.start_line, |row| row.start_line);
    info.end_line.saturating_sub(first) < SMALL_LINES
}
