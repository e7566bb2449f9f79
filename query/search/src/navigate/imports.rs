//! Nearness of files: by the imports between them, and by their paths.
//!
//! A file is identified by the id of its file symbol, the outermost owner of everything that it defines.

use petgraph::algo::dijkstra;
use petgraph::graphmap::DiGraphMap;
use rustc_hash::FxHashMap;
use sextant_format::graph::{Graph, Neighbour};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use super::definition::Definition;
use super::lookup::file_symbols;
use super::navigator::Navigator;
use crate::Result;
use crate::weights::{NearnessWeights, count};

/// Imports between a file and the farthest file that is considered.
const MAX_IMPORT_DEPTH: u32 = 4;
/// Files that are considered.
const MAX_FILES: usize = 2_000;
/// Definitions and imports of one file that are read.
const MAX_EDGES: usize = 5_000;

/// Distances from a file.
pub struct Nearness {
    /// The distance along imports, by file symbol.
    distances: FxHashMap<SymbolId, u32>,
    path: String,
    import_share: f32,
}

impl Nearness {
    /// The nearness of a file: 1 for the file itself, 0 for an unrelated one.
    fn score(&self, file: SymbolId, path: &str) -> f32 {
        let by_imports = self.distances.get(&file).map_or(0.0, |&distance| 1.0 / (1.0 + distance as f32));
        self.import_share * by_imports + (1.0 - self.import_share) * common_path_share(&self.path, path)
    }
}

impl Navigator<'_> {
    /// Returns the files around a file and the imports between them: an edge of length 1 from each file to the files
    /// that it imports, and one back of length `weights.near_reverse_import`.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn import_graph(&self, file: SymbolId, weights: &NearnessWeights) -> Result<DiGraphMap<SymbolId, u32>> {
        let graph = self.index.graph()?;
        let reverse_length = u32::try_from(count(weights.near_reverse_import, 1000)).unwrap_or(u32::MAX);
        let mut files = DiGraphMap::new();
        files.add_node(file);
        let mut frontier = vec![file];
        for _ in 0..MAX_IMPORT_DEPTH {
            let mut next = Vec::new();
            for from in frontier {
                for (other, is_imported) in imports(graph, from) {
                    if files.node_count() >= MAX_FILES && !files.contains_node(other) {
                        continue;
                    }
                    if !files.contains_node(other) {
                        next.push(other);
                    }
                    let (importing, imported) = if is_imported { (from, other) } else { (other, from) };
                    files.add_edge(importing, imported, 1);
                    if files.edge_weight(imported, importing).is_none() {
                        files.add_edge(imported, importing, reverse_length);
                    }
                }
            }
            frontier = next;
        }
        Ok(files)
    }

    /// Returns the distances from the file whose path ends with `path`; `None` if there is no such file.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn nearness(&self, path: &str, weights: &NearnessWeights) -> Result<Option<Nearness>> {
        let Some(file) = file_symbols(self.index, path)?.into_iter().next() else { return Ok(None) };
        let graph = self.import_graph(file.symbol_id, weights)?;
        let distances = dijkstra(&graph, file.symbol_id, None, |(_, _, length)| *length).into_iter().collect();
        let import_share = weights.near_imports.clamp(0.0, 1.0);
        Ok(Some(Nearness { distances, path: file.path, import_share }))
    }

    /// Sorts definitions, nearest first; ties keep their order.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn nearest_first(&self, definitions: &mut [Definition], near: &Nearness) -> Result<()> {
        let graph = self.index.graph()?;
        // Scores are 0 to 1, so their bits have the same order.
        let score = |d: &Definition| near.score(file_symbol_of(graph, d.symbol_id), &d.path).to_bits();
        definitions.sort_by_cached_key(|d| std::cmp::Reverse(score(d)));
        Ok(())
    }
}

/// The outermost owner of a symbol, which is its file symbol.
fn file_symbol_of(graph: &Graph, mut symbol: SymbolId) -> SymbolId {
    // Owners have smaller ids than their members, so this ends, except in a damaged graph.
    for _ in 0..64 {
        match graph.owner(symbol) {
            Some(around) => symbol = around,
            None => break,
        }
    }
    symbol
}

/// Returns the files that a file imports, and those that import it, as (file, whether it is imported).
pub(super) fn imports(graph: &Graph, file: SymbolId) -> Vec<(SymbolId, bool)> {
    let mut inside = vec![file];
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(&symbol) = inside.get(next) {
        next += 1;
        let is_import = |edge: &Neighbour| edge.kind == EdgeKind::Import;
        found.extend(graph.out_edges(symbol).filter(is_import).map(|edge| (edge.node, true)));
        found.extend(graph.in_edges(symbol).filter(is_import).map(|edge| (edge.node, false)).take(MAX_EDGES));
        if found.len() >= MAX_EDGES {
            break;
        }
        if inside.len() < MAX_EDGES {
            inside.extend(graph.out_edges(symbol).filter(|edge| edge.kind == EdgeKind::Contains).map(|edge| edge.node));
        }
    }
    let mut files: Vec<(SymbolId, bool)> =
        found.into_iter().map(|(symbol, to)| (file_symbol_of(graph, symbol), to)).collect();
    files.sort_unstable();
    files.dedup();
    files.retain(|(other, _)| *other != file);
    files
}

/// The share of leading parts that two paths have in common, 0 to 1.
fn common_path_share(a: &str, b: &str) -> f32 {
    if a == b {
        return 1.0;
    }
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split('/').collect(), b.split('/').collect());
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    common as f32 / a.len().max(b.len()) as f32
}

#[cfg(test)]
mod tests {
    use super::common_path_share;

    #[test]
    fn paths_with_a_common_prefix_are_near() {
        assert!((common_path_share("a/b.rs", "a/b.rs") - 1.0).abs() < 1e-6);
        assert!((common_path_share("a/b/c.rs", "a/b/d.rs") - 2.0 / 3.0).abs() < 1e-6);
        assert!(common_path_share("a/b.rs", "c/b.rs").abs() < 1e-6);
    }
}
