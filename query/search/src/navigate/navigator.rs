//! The view of an index that navigation needs. Each question is a method in a file of its own.

use sextant_format::ids::SymbolId;

use super::definition::{Definition, read_definitions};
use crate::{Index, Result};

/// Answers questions about names and the graph: definitions, references, callers, paths.
#[derive(Clone, Copy, Debug)]
pub struct Navigator<'a> {
    pub(super) index: &'a Index,
}

impl<'a> Navigator<'a> {
    /// Borrows an index; nothing is opened yet.
    #[must_use]
    pub const fn new(index: &'a Index) -> Self {
        Self { index }
    }

    /// Returns definitions, in the order of `ids`.
    ///
    /// # Errors
    /// There is no such symbol, or the index is damaged.
    pub fn definitions(&self, ids: &[SymbolId]) -> Result<Vec<Definition>> {
        let mut ascending = ids.to_vec();
        ascending.sort_unstable();
        ascending.dedup();
        let found = read_definitions(self.index, &ascending)?;
        Ok(ids.iter().filter_map(|id| found.get(ascending.binary_search(id).ok()?).cloned()).collect())
    }
}
