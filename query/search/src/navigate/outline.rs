//! Outlines: the symbols of a file as a tree.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;

use super::definition::{Definition, read_definitions};
use super::lookup::file_symbols;
use super::navigator::Navigator;
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
}

impl Navigator<'_> {
    /// Returns the outlines of the files whose paths end with `path`; only that of the file with exactly this path, with its
    /// repository in front, if there is one.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn outline(&self, path: &str) -> Result<Vec<Outline>> {
        let mut outlines = Vec::new();
        let mut files = file_symbols(self.index, path)?;
        if files.iter().any(|file| file.key == path) {
            files.retain(|file| file.key == path);
        }
        for file in files {
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
        symbols.push(OutlineSymbol { definition, depth });
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
