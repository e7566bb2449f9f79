//! How files hang together: counts of the edges of their symbols.

use std::ops::Range;

use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::Kind;

use crate::{Index, Result};

/// Owners between a symbol and its file symbol at most. In a damaged graph owners may form a cycle.
const MAX_OWNER_DEPTH: usize = 64;

/// The edges of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FileEdges {
    /// Edges out of its symbols, without those to their members.
    pub(super) uses: usize,
    /// Edges to its symbols, without those from their owners.
    pub(super) users: usize,
    /// Its last line.
    pub(super) lines: usize,
}

/// The symbols of files, which have consecutive ids.
pub(super) struct FileSymbols {
    /// First and last symbol of each file, with the file's position; sorted.
    ranges: Vec<(SymbolId, SymbolId, usize)>,
}

impl FileSymbols {
    /// The position of the file to which a symbol belongs; none if it is not one of the files.
    pub(super) fn file_of(&self, symbol: SymbolId) -> Option<usize> {
        let after = self.ranges.partition_point(|(first, ..)| *first <= symbol);
        let (_, last, file) = self.ranges[after.checked_sub(1)?];
        (symbol <= last).then_some(file)
    }
}

/// Counts the edges of files, given by their chunks.
pub(super) fn file_edges(index: &Index, files: &[Range<ChunkId>]) -> Result<(Vec<FileEdges>, FileSymbols)> {
    let (graph, catalog) = (index.graph()?, &index.chunks()?.catalog);
    let mut edges = vec![FileEdges::default(); files.len()];
    let mut symbols = FileSymbols { ranges: Vec::new() };
    for (n, chunks) in files.iter().enumerate() {
        let (range, lines) = catalog.symbol_range_and_last_line(chunks.clone());
        edges[n].lines = lines as usize;
        let Some((first, last)) = range else { continue };
        let first = file_symbol(index, first)?;
        // Each symbol but the first has one owner among them, which has an edge to it.
        let members = last.rows_after(first).unwrap_or(0) as usize;
        edges[n].uses = graph.out_edge_count(first, last).saturating_sub(members);
        edges[n].users = graph.in_edge_count(first, last).saturating_sub(members);
        symbols.ranges.push((first, last, n));
    }
    symbols.ranges.sort_unstable();
    Ok((edges, symbols))
}

/// The symbol of a symbol's file. It has no chunk; its edges are the file's imports.
fn file_symbol(index: &Index, symbol: SymbolId) -> Result<SymbolId> {
    let (graph, symbols) = (index.graph()?, &index.symbols()?.catalog);
    let mut at = symbol;
    for _ in 0..MAX_OWNER_DEPTH {
        if symbols.kind(at) == Some(Kind::File) {
            break;
        }
        match graph.owner(at) {
            Some(owner) => at = owner,
            None => break,
        }
    }
    Ok(at)
}
