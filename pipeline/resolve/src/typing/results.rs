//! What calls and awaiting result in.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_syntax::extract::split_function;
use smallvec::{SmallVec, smallvec};

use crate::value::{MAX_DEPTH, MemberLookup, PossibleValues, Value};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// The values that a call of one of several functions returns. Of overloads that are called with a class, those count
    /// that return an object of it.
    pub(super) fn call_results(&self, called: &[Value], depth: u32) -> PossibleValues {
        let of_class = called.iter().filter_map(|value| match value {
            Value::Applied(id, argument) => self.substituted_result(*id, argument, depth),
            _ => None,
        });
        let of_class: PossibleValues = of_class.flatten().collect();
        if !of_class.is_empty() {
            return of_class;
        }
        called.iter().flat_map(|value| self.call_result(value, depth)).collect()
    }

    /// What context managers give: the result of their method, the elements of a generator, or themselves.
    pub(super) fn entered_values(&self, managers: PossibleValues, depth: u32) -> PossibleValues {
        let elements = self.values_of_entries(
            managers.iter().filter(|value| matches!(value, Value::Elements(_))).cloned().collect(),
            true,
            depth,
        );
        if !elements.is_empty() {
            return elements;
        }
        managers.into_iter().flat_map(|manager| self.entered_value(manager, depth)).collect()
    }

    fn entered_value(&self, manager: Value, depth: u32) -> PossibleValues {
        let Value::Instance(_) = manager else { return smallvec![manager] };
        let members = self.language().map_or(&[][..], |language| language.context_members);
        for name in members {
            if let Some(receivers) = self.returned_receivers(std::slice::from_ref(&manager), name, depth) {
                return receivers;
            }
            let MemberLookup::Definitions(methods) = self.lookup_member(&manager, self.name(name), depth) else {
                continue;
            };
            let owners: SmallVec<[SymbolId; 2]> = methods.iter().filter_map(|&id| self.enclosing_type(id)).collect();
            let given = methods.into_iter().flat_map(|method| self.call_result(&Value::Callable(method), depth + 1));
            // `return self` of an inherited method.
            let given = given.map(|value| match value {
                Value::Instance(id) if owners.contains(&id) => manager.clone(),
                other => other,
            });
            return given.collect();
        }
        smallvec![manager]
    }

    /// The values that a call returns.
    pub(super) fn call_result(&self, value: &Value, depth: u32) -> PossibleValues {
        match value {
            Value::Type(id) => smallvec![Value::Instance(*id)],
            Value::External | Value::BuiltIn(_) => smallvec![Value::External],
            Value::Outside(called) => smallvec![self.made_outside(called)],
            // `super().x` looks `x` up in the bases.
            Value::Super(id) => smallvec![Value::Super(*id)],
            Value::Returns(file, scope, text) => {
                let result = split_function(text).map_or("", |(_, result)| result);
                self.for_file(*file).evaluate_type(*scope, result, depth + 1)
            }
            Value::Applied(id, argument) => self.applied_result(*id, argument, depth),
            Value::Callable(id) if self.symbol(*id).kind == Kind::Constructor => {
                self.enclosing_type(*id).map(Value::Instance).into_iter().collect()
            }
            Value::Callable(id) => {
                let (at, facts) = self.facts_for(*id, None);
                self.evaluate_facts(at, facts, depth + 1).as_ref().into()
            }
            Value::Instance(id) if depth < MAX_DEPTH => {
                let signatures = self.call_signatures(*id, depth);
                if !signatures.is_empty() {
                    return signatures.iter().flat_map(|value| self.call_result(value, depth + 1)).collect();
                }
                let members = self.language().map_or(&[][..], |language| language.callable_members);
                let names = members.iter().map(|name| self.name(name));
                names
                    .flat_map(|name| self.own_members(*id, name))
                    .flat_map(|method| self.call_result(&Value::Callable(method), depth + 1))
                    .collect()
            }
            Value::Elements(of) if depth < MAX_DEPTH => self.called_collection(of, depth + 1),
            Value::Instance(_) | Value::Module(_) | Value::Tuple(..) | Value::Elements(_) | Value::Argument(_) => {
                PossibleValues::new()
            }
        }
    }

    /// What a value results in when it is awaited: most often itself, as the types of what is awaited are left out.
    pub(super) fn awaited(&self, value: &Value, depth: u32) -> PossibleValues {
        let types = self.language().map_or(&[][..], |language| language.awaited_types);
        let results: PossibleValues = match value {
            Value::Instance(id) => types.iter().flat_map(|name| self.associated_type(*id, name, depth)).collect(),
            _ => PossibleValues::new(),
        };
        if results.is_empty() { smallvec![value.clone()] } else { results }
    }

    /// The objects on which a method is called, if its result has their type: `Self`, `this`.
    pub(super) fn returned_receivers(&self, values: &[Value], name: &str, depth: u32) -> Option<PossibleValues> {
        let language = self.language()?;
        let is_self_type = |text: &str| language.self_type_names.contains(&text) || text == "this";
        let returns_receiver = |&id: &SymbolId| {
            let (_, facts) = self.facts_for(id, None);
            facts.iter().any(|fact| match (fact.is_declared, self.names().text(fact.text)) {
                (true, text) => is_self_type(text),
                // `return self`, `return cls()`
                (false, path) => {
                    let made = path.strip_suffix("()").filter(|made| language.self_type_names.contains(made));
                    made.is_some() || language.self_names.contains(&path)
                }
            })
        };
        let receiver = |value: &Value| {
            let (Value::Instance(id) | Value::Type(id)) = value else { return None };
            match self.lookup_member(value, self.name(name), depth) {
                MemberLookup::Definitions(ids) => ids.iter().all(returns_receiver).then_some(Value::Instance(*id)),
                _ => None,
            }
        };
        // What a type argument of the receiver is, its result has, too.
        let arguments = values.iter().filter(|value| matches!(value, Value::Argument(_))).cloned();
        let receivers: PossibleValues = values.iter().filter_map(receiver).collect();
        (!receivers.is_empty()).then(|| receivers.into_iter().chain(arguments).collect())
    }

    /// Members of an enum that have values, as what is called with them.
    pub(super) fn enum_members(&self, value: &Value, name: &str, depth: u32) -> PossibleValues {
        match self.lookup_member(value, self.name(name), depth + 1) {
            MemberLookup::Definitions(ids) => {
                ids.into_iter().filter(|&id| self.symbol(id).kind == Kind::EnumMember).map(Value::Callable).collect()
            }
            _ => PossibleValues::new(),
        }
    }

    /// What the function around a scope returns.
    pub(super) fn returned_values(&self, scope: SymbolId, depth: u32) -> PossibleValues {
        let has_result = |id: &SymbolId| self.symbol(*id).kind.is_callable() || self.symbol(*id).kind == Kind::Property;
        let function = std::iter::successors(Some(scope), |&id| self.symbol(id).container).find(has_result);
        function.map_or_else(PossibleValues::new, |id| {
            let (at, facts) = self.facts_for(id, None);
            self.evaluate_facts(at, facts, depth).as_ref().into()
        })
    }

    /// Whether a method may be called without parentheses.
    pub(super) fn calls_without_parentheses(&self) -> bool {
        !self.is_ecma_or_python()
    }

    /// Values, with what functions among them return where a call needs no parentheses.
    pub(super) fn called_without_parentheses(&self, values: PossibleValues, depth: u32) -> PossibleValues {
        let is_function = |value: &Value| matches!(value, Value::Callable(_));
        if !values.iter().any(is_function) || !self.calls_without_parentheses() {
            return values;
        }
        let called = values.into_iter().flat_map(|value| match value {
            Value::Callable(_) => self.call_result(&value, depth + 1),
            other => smallvec![other],
        });
        called.collect()
    }
}
