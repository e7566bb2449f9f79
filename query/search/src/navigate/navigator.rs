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

    /// Returns the definitions of `ids`, which are ascending.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn definitions(&self, ids: &[SymbolId]) -> Result<Vec<Definition>> {
        read_definitions(self.index, ids)
    }
}
