//! Type arguments: what a function that is called with one returns, and the members of a type that has one.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::EdgeKind;

use smallvec::smallvec;

use super::types::is_type_parameter;
use crate::raw_reference::RawReference;
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

    /// What is called with a type argument.
    pub(super) fn instantiated(&self, called: Value, scope: SymbolId, argument: &str) -> Value {
        match called {
            Value::Callable(id) | Value::Type(id) => {
                let types = argument.into();
                Value::Applied(id, Elements { file: self.file, scope, types, is_by_key: false })
            }
            _ => called,
        }
    }

    /// An object of a type outside of the repository that is made with a type argument, `{<A>}()`, which is the type of its
    /// elements if it has any; with the rest of the path.
    pub(super) fn made_with_argument<'p>(
        &self,
        called: &[Value],
        scope: SymbolId,
        path: &'p str,
    ) -> Option<(PossibleValues, &'p str)> {
        let (argument, rest) = path.strip_prefix("{<")?.split_once(">}()")?;
        let made = called.iter().map(|value| match value {
            Value::Outside(called) => match self.made_outside(called) {
                Value::Outside(made) if made.is_instance => Some(Value::Outside(made)),
                _ => None,
            },
            _ => None,
        });
        let made = made.collect::<Option<PossibleValues>>()?;
        let types = argument.into();
        let elements = Value::Elements(Elements { file: self.file, scope, types, is_by_key: false });
        Some((std::iter::once(elements).chain(made).collect(), rest))
    }

    /// What a function or type returns that is called with a type argument.
    pub(super) fn applied_result(&self, id: SymbolId, argument: &Elements, depth: u32) -> PossibleValues {
        if self.symbol(id).kind.is_type() {
            return smallvec![Value::Instance(id), Value::Argument(argument.clone())];
        }
        let facts = self.facts_for(id, None).1;
        let declared = facts.iter().find(|fact| fact.is_declared);
        declared
            .and_then(|fact| self.substituted(id, fact.scope, self.names().text(fact.text), argument, depth))
            .unwrap_or_else(|| self.call_result(&Value::Callable(id), depth))
    }

    /// The objects of a type in a function's signature, if it is the function's type parameter or one of objects that have
    /// it as their last type argument: `T`, `List[T]`.
    pub(super) fn substituted(
        &self,
        function: SymbolId,
        scope: SymbolId,
        text: &str,
        argument: &Elements,
        depth: u32,
    ) -> Option<PossibleValues> {
        let is_parameter = |name: &str| {
            let is_bound = || self.facts_for(function, Some(self.name(name))).1.iter().any(|fact| fact.is_declared);
            is_type_parameter(name) || is_bound()
        };
        let elements = || self.for_file(argument.file).evaluate_type(argument.scope, &argument.types, depth + 1);
        if is_parameter(text) {
            return Some(elements());
        }
        let (head, inner) = text.strip_suffix(']')?.split_once('[')?;
        is_parameter(inner).then(|| self.with_elements(self.symbol(function).file, scope, head, argument, depth))
    }

    /// The objects of a type whose last type argument is known.
    fn with_elements(
        &self,
        file: FileId,
        scope: SymbolId,
        head: &str,
        argument: &Elements,
        depth: u32,
    ) -> PossibleValues {
        let mut found = self.for_file(file).evaluate_type(scope, head, depth + 1);
        let is_here = found.iter().any(|value| matches!(value, Value::Instance(_)));
        let elements = Elements { is_by_key: false, ..argument.clone() };
        found.push(if is_here { Value::Argument(elements) } else { Value::Elements(elements) });
        found
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
            self.ask_in(self.symbol(type_id).name, self.symbol(type_id).file);
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
                    Some(head) => self.with_elements(self.symbol(member).file, fact.scope, head, argument, depth),
                    None => self.for_file(argument.file).evaluate_type(argument.scope, &argument.types, depth + 1),
                };
                return (!found.is_empty()).then_some((found, called.filter(|_| is_called).unwrap_or(rest)));
            }
        }
        None
    }
}
