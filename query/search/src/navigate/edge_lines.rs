//! Where the edges of a traversal are written.

use rustc_hash::FxHashMap;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::EdgeKind;
use sextant_format::tables::EdgeRow;

use super::declarations::parts;
use super::navigator::Navigator;
use super::reach::ReachedSymbol;
use super::relation::Relation;
use crate::Result;
use crate::lines::{Line, line_texts, lines_with_conditions};

/// Lines of a caller's edges whose text is looked up.
const MAX_CALLS: usize = 2;

impl Navigator<'_> {
    /// Looks up the lines of each symbol's last edge.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn add_lines(&self, relation: Relation, reached: &mut [ReachedSymbol]) -> Result<()> {
        let graph = self.index.graph()?;
        // The edge may begin in a definition and lead to a declaration.
        let ends = |symbol: &ReachedSymbol| -> Vec<(SymbolId, SymbolId)> {
            let (from, to) = match relation {
                Relation::Callees => (symbol.via, symbol.definition.symbol_id),
                Relation::Callers | Relation::Impact => (symbol.definition.symbol_id, symbol.via),
            };
            let of_target = |from| parts(graph, to, 0.0).map(move |to| (from, to));
            parts(graph, from, 0.0).flat_map(of_target).collect()
        };
        let mut sources: Vec<SymbolId> = reached.iter().flat_map(ends).map(|(from, _)| from).collect();
        sources.sort_unstable();
        sources.dedup();
        let mut lines: FxHashMap<(SymbolId, SymbolId, EdgeKind), Vec<u32>> = FxHashMap::default();
        for row in self.edges_from(&sources)? {
            if let Some(target) = row.target_id {
                lines.entry((row.source_id, target, row.kind)).or_default().push(row.line);
            }
        }
        for symbol in reached {
            let of_ends = ends(symbol).into_iter().filter_map(|(from, to)| lines.get(&(from, to, symbol.kind)));
            symbol.lines = of_ends.flatten().copied().collect();
            symbol.lines.sort_unstable();
            symbol.lines.dedup();
        }
        Ok(())
    }

    /// Looks up the text of the lines of callers' edges, with `around` lines before and after each.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn add_context(&self, callers: &mut [ReachedSymbol], around: u32) -> Result<()> {
        let lines: Vec<Vec<Line>> = self
            .lines_in_files(callers, usize::MAX)?
            .into_iter()
            .map(|edges| {
                let around = |(file, line): Line| {
                    let numbers = line.saturating_sub(around).max(1)..=line.saturating_add(around);
                    numbers.map(move |line| (file, line))
                };
                let mut lines: Vec<Line> = edges.into_iter().flat_map(around).collect();
                lines.sort_unstable();
                lines.dedup();
                lines
            })
            .collect();
        let texts = line_texts(self.index, &lines.concat())?;
        for (caller, lines) in callers.iter_mut().zip(lines) {
            caller.context = lines.into_iter().filter_map(|at| Some((at.1, texts.get(&at)?.clone()))).collect();
        }
        Ok(())
    }

    /// Looks up the text of the first lines of callers' edges, with the lines that say when they are reached.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn add_calls(&self, callers: &mut [ReachedSymbol]) -> Result<()> {
        let lines = self.lines_in_files(callers, MAX_CALLS)?;
        let texts = lines_with_conditions(self.index, &lines.concat())?;
        for (caller, lines) in callers.iter_mut().zip(lines) {
            let mut context: Vec<(u32, String)> =
                lines.iter().filter_map(|at| texts.get(at)).flatten().cloned().collect();
            context.sort_unstable();
            context.dedup();
            caller.context = context;
        }
        Ok(())
    }

    /// The first lines of the edges of callers, with their files.
    fn lines_in_files(&self, callers: &[ReachedSymbol], most: usize) -> Result<Vec<Vec<Line>>> {
        let mut ids: Vec<SymbolId> = callers.iter().map(|caller| caller.definition.symbol_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let files: Vec<FileId> = self.index.symbol_rows()?.column("file_id", &ids)?;
        let file_of: FxHashMap<SymbolId, FileId> = ids.into_iter().zip(files).collect();
        let of_caller = |caller: &ReachedSymbol| {
            let file = file_of.get(&caller.definition.symbol_id).copied();
            caller.lines.iter().take(most).filter_map(|&line| Some((file?, line))).collect()
        };
        Ok(callers.iter().map(of_caller).collect())
    }

    /// The rows of the edges from some symbols, which are in ascending order. Only the rows of their files are read.
    pub(super) fn edges_from(&self, sources: &[SymbolId]) -> Result<Vec<EdgeRow>> {
        let mut files: Vec<FileId> = self.index.symbol_rows()?.column("file_id", sources)?;
        files.sort_unstable();
        files.dedup();
        let edges = self.index.edge_rows()?;
        let candidates = edges.rows_of_files(&files)?;
        let from: Vec<SymbolId> = edges.column("source_id", &candidates)?;
        let is_source = |id: &SymbolId| sources.binary_search(id).is_ok();
        let wanted: Vec<u32> =
            candidates.into_iter().zip(from).filter(|(_, id)| is_source(id)).map(|(row, _)| row).collect();
        Ok(edges.rows(&wanted)?)
    }
}
