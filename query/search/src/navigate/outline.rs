//! Outlines: the symbols of a file as a tree.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;

use super::definition::{Definition, read_definitions};
use super::lookup::file_symbols;
use super::navigator::Navigator;
use super::resolve::is_minor;
use crate::{Index, Result};

/// The symbols of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The symbol of the file.
    pub file: SymbolId,
    /// Its symbols in the order of the text.
    pub symbols: Vec<OutlineSymbol>,
}

/// A symbol of an outline.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineSymbol {
    /// The symbol.
    pub definition: Definition,
    /// The number of owners around it within the file.
    pub depth: u32,
    /// The number of symbols in it, at any depth, that [`Outline::keep`] has left out.
    pub left_out: u64,
}

impl Outline {
    /// Keeps at most `limit` symbols: product code before tests, types and functions before fields and variables, outer
    /// ones before inner ones. The others are counted at the innermost symbol around them that is kept. Returns how many
    /// there are.
    pub fn keep(&mut self, limit: usize) -> usize {
        let cut = self.symbols.len().saturating_sub(limit);
        if cut == 0 {
            return 0;
        }
        let mut order: Vec<usize> = (0..self.symbols.len()).collect();
        order.sort_by_key(|&at| {
            let OutlineSymbol { definition, depth, .. } = &self.symbols[at];
            (definition.is_test, is_minor(definition.kind), *depth)
        });
        let mut is_kept = vec![false; self.symbols.len()];
        order[..limit].iter().for_each(|&at| is_kept[at] = true);
        // The owners around the current symbol that are kept: positions among the kept, with their depths.
        let (mut kept, mut owners): (Vec<OutlineSymbol>, Vec<(usize, u32)>) = (Vec::with_capacity(limit), Vec::new());
        for (symbol, is_kept) in std::mem::take(&mut self.symbols).into_iter().zip(is_kept) {
            while owners.last().is_some_and(|&(_, depth)| depth >= symbol.depth) {
                owners.pop();
            }
            if is_kept {
                owners.push((kept.len(), symbol.depth));
                kept.push(symbol);
            } else if let Some(&(owner, _)) = owners.last() {
                kept[owner].left_out += 1;
            }
        }
        self.symbols = kept;
        cut
    }
}

impl Navigator<'_> {
    /// Returns the outlines of the files whose paths end with `path`; only those of files with exactly this path, alone or
    /// behind the repository's name, if there are any.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn outline(&self, path: &str) -> Result<Vec<Outline>> {
        let mut outlines = Vec::new();
        for file in file_symbols(self.index, path)? {
            outlines.push(outline_of(self.index, &file)?);
        }
        Ok(outlines)
    }
}

/// Returns the outline of a file, given its file symbol.
pub(crate) fn outline_of(index: &Index, file: &Definition) -> Result<Outline> {
    let mut symbols = Vec::new();
    for definition in read_definitions(index, &symbols_of_file(index, file.symbol_id)?)? {
        let mut depth = 0;
        let mut container = index.graph()?.owner(definition.symbol_id);
        while let Some(owner) = container.filter(|&owner| owner != file.symbol_id && depth < MAX_DEPTH) {
            depth += 1;
            container = index.graph()?.owner(owner);
        }
        symbols.push(OutlineSymbol { definition, depth, left_out: 0 });
    }
    symbols
        .sort_by_key(|s| (s.definition.start_line, std::cmp::Reverse(s.definition.end_line), s.definition.symbol_id));
    Ok(Outline { repo: file.repo.clone(), path: file.path.clone(), file: file.symbol_id, symbols })
}

/// Returns the symbols of a file: the ids between its file symbol and the next one.
pub(crate) fn symbols_of_file(index: &Index, file: SymbolId) -> Result<Vec<SymbolId>> {
    let catalog = &index.symbols()?.catalog;
    let following = (1..).map_while(|rows| file.checked_plus(rows));
    Ok(following.take_while(|&id| catalog.kind(id).is_some_and(|kind| kind != Kind::File)).collect())
}

/// Owners of a symbol at most. In a damaged graph owners may form a cycle.
const MAX_DEPTH: u32 = 64;
