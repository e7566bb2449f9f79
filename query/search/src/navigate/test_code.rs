//! Test code beside the code that it tests, which no path tells: a Rust `mod tests`.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind};

use super::definition::Definition;
use super::navigator::Navigator;
use crate::Result;

/// Owners above a symbol that are looked at.
const MAX_OWNERS: usize = 8;

impl Navigator<'_> {
    /// Marks those definitions as tests that a module with tests contains.
    pub(super) fn mark_tests(&self, definitions: &mut [Definition]) -> Result<()> {
        for definition in definitions.iter_mut().filter(|d| !d.is_test) {
            definition.is_test = self.is_in_test_module(definition.symbol_id)?;
        }
        Ok(())
    }

    fn is_in_test_module(&self, id: SymbolId) -> Result<bool> {
        let graph = self.index.graph()?;
        let owner_of = |id| graph.in_edges(id).find(|edge| edge.kind == EdgeKind::Contains).map(|edge| edge.node);
        let mut owner = owner_of(id);
        for _ in 0..MAX_OWNERS {
            let Some(id) = owner else { break };
            owner = owner_of(id);
            // A file that nothing owns may have tests beside anything.
            if owner.is_some() && self.has_tests(id)? && self.kind(id)? == Some(Kind::Module) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_tests(&self, owner: SymbolId) -> Result<bool> {
        let (symbols, chunks) = (&self.index.symbols()?.catalog, &self.index.chunks()?.catalog);
        for edge in self.index.graph()?.out_edges(owner).filter(|edge| edge.kind == EdgeKind::Contains) {
            if let Some(chunk) = symbols.chunk(edge.node) {
                let info = chunks.info(chunk)?;
                if info.kind == Kind::Test && info.symbol_id == Some(edge.node) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn kind(&self, id: SymbolId) -> Result<Option<Kind>> {
        Ok(self.index.symbol_rows()?.rows(&[id])?.first().map(|row| row.kind))
    }
}
