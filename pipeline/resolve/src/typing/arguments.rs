//! Type arguments: what a function that is called with one returns, and the members of a type that has one.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use super::types::is_type_parameter;
use crate::model::RawReference;
use crate::value::{Elements, PossibleValues, Value};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// Whether the name of a type is that of a type parameter of a type around it.
    pub(crate) fn is_type_parameter_around(&self, reference: &RawReference) -> bool {
        reference.kind == EdgeKind::Type
            && reference.owner.is_none()
            && std::iter::successors(Some(reference.source), |&id| self.symbol(id).container).any(|id| {
                let is_named =
                    || self.table.parameters.of(id).iter().any(|parameter| parameter.label == reference.name);
                self.symbol(id).kind.is_type() && is_named()
            })
    }

    /// A function that is called with a type argument, as what returns it, if its result is its type parameter.
    pub(super) fn instantiated(&self, called: Value, scope: SymbolId, argument: &str) -> Value {
        let Value::Callable(id) = called else { return called };
        let (_, facts) = self.facts_for(id, None);
        let result = facts.iter().find(|fact| fact.is_declared).map(|fact| fact.text);
        let is_parameter = result.is_some_and(|result| {
            let is_bound = self.facts_for(id, Some(result)).1.iter().any(|fact| fact.is_declared);
            is_bound || is_type_parameter(self.names().text(result))
        });
        if is_parameter { Value::Returns(self.file, scope, format!("(){argument}").into()) } else { called }
    }

    /// The values of a member whose type is the last type parameter of its type, or a collection of it, where the type
    /// argument is known; and the path after it. `rest` is the path after the member's name.
    pub(super) fn substituted_member<'p>(
        &self,
        values: &[Value],
        name: &str,
        rest: &'p str,
        depth: u32,
    ) -> Option<(PossibleValues, &'p str)> {
        let argument = values.iter().find_map(|value| match value {
            Value::Argument(argument) => Some(argument),
            _ => None,
        })?;
        let called = rest.strip_prefix("()");
        let name = self.name(name);
        let types = values.iter().filter_map(|value| match value {
            Value::Instance(id) => Some(*id),
            _ => None,
        });
        for type_id in types {
            self.ask_name(self.symbol(type_id).name);
            let parameters = self.table.parameters.of(type_id);
            let parameter = parameters.last().map_or("", |last| self.names().text(last.label));
            if parameter.is_empty() {
                continue;
            }
            for member in self.own_members(type_id, name) {
                let facts = self.facts_for(member, None).1;
                let Some(fact) = facts.iter().find(|fact| fact.is_declared) else { continue };
                let text = self.names().text(fact.text);
                let head = text.strip_suffix(']').and_then(|text| text.strip_suffix(parameter)?.strip_suffix('['));
                let is_called = self.symbol(member).kind.is_callable();
                if is_called && called.is_none() || text != parameter && head.is_none() {
                    continue;
                }
                let found = match head {
                    Some(head) => {
                        let resolver = self.for_file(self.symbol(member).file);
                        let mut found = resolver.evaluate_type(fact.scope, head, depth + 1);
                        found.push(Value::Elements(Elements { is_by_key: false, ..argument.clone() }));
                        found
                    }
                    None => self.for_file(argument.file).evaluate_type(argument.scope, &argument.types, depth + 1),
                };
                return (!found.is_empty()).then_some((found, called.filter(|_| is_called).unwrap_or(rest)));
            }
        }
        None
    }
}
