//! Names that an expression compares with a type: the members that they have because of it.

use sextant_format::ids::SymbolId;
use sextant_syntax::extract::{BINDING_MARK, NARROWED, narrowed_type};

use crate::value::{MAX_DEPTH, MAX_VALUES, PossibleValues};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// Objects of the types with which a scope or one around it compares a name, as far as the name may have them on a line
    /// of it, or on any.
    pub(super) fn narrowed_values(&self, scope: SymbolId, name: &str, line: Option<u32>, depth: u32) -> PossibleValues {
        let name = name.split(BINDING_MARK).next().unwrap_or(name);
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if depth > MAX_DEPTH || !is_name || !self.language().is_some_and(|language| language.has_narrowing) {
            return PossibleValues::new();
        }
        let name = Some(self.name(&format!("{name}{NARROWED}")));
        let enclosing = std::iter::successors(Some(scope), |&id| self.symbol(id).container);
        let facts = enclosing.map(|id| self.facts_for(id, name).1).find(|facts| !facts.is_empty());
        let mut all = PossibleValues::new();
        for fact in facts.unwrap_or_default() {
            let (lines, types) = narrowed_type(self.names().text(fact.text));
            let is_outside = lines.zip(line).is_some_and(|((first, last), line)| !(first..=last).contains(&line));
            if is_outside || !self.cache.take_step() {
                continue;
            }
            let resolver = self.for_file(self.symbol(fact.symbol).file);
            for value in resolver.evaluate_type(fact.scope, types, depth + 1) {
                if !all.contains(&value) {
                    all.push(value);
                }
            }
        }
        all.truncate(MAX_VALUES);
        all
    }
}
