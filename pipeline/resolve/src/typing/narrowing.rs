//! Names that an expression compares with a type: the members that they have because of it.

use sextant_format::ids::SymbolId;
use sextant_syntax::extract::NARROWED;

use crate::value::{MAX_DEPTH, PossibleValues};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// Objects of the types with which a scope or one around it compares a name.
    pub(super) fn narrowed_values(&self, scope: SymbolId, name: &str, depth: u32) -> PossibleValues {
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if depth > MAX_DEPTH || !is_name || !self.language().is_some_and(|language| language.has_narrowing) {
            return PossibleValues::new();
        }
        let name = Some(self.name(&format!("{name}{NARROWED}")));
        let enclosing = std::iter::successors(Some(scope), |&id| self.symbol(id).container);
        let facts = enclosing.map(|id| self.facts_for(id, name)).find(|(_, facts)| !facts.is_empty());
        facts.map_or_else(PossibleValues::new, |(at, facts)| self.evaluate_facts(at, facts, depth + 1).as_ref().into())
    }
}
