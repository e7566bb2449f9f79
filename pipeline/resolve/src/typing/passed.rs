//! What a function passes to the functions that are its arguments: the values of their parameters.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_syntax::extract::{CALL_SIGNATURE, RECEIVER_MARK, split_alternatives, split_function, type_alternatives};

use crate::parameters::InternedParameter;
use crate::resolution::SymbolIds;
use crate::value::{Elements, MAX_DEPTH, PossibleValues, Value};
use crate::view::Resolver;

/// The names of constructors that do not have that of their type.
const CONSTRUCTORS: [&str; 2] = ["init", "constructor"];

impl Resolver<'_, '_> {
    /// The values of a parameter of a function that is passed to a call of `called`, or what the call expects as an
    /// argument. The place is the number, the name
    /// or, for a function after the list, `-` of the argument, then the number of the parameter: `1.0`. Without an argument, it is
    /// a parameter of the function that `called` is.
    pub(super) fn passed_values(&self, called: &Value, place: &str, depth: u32) -> PossibleValues {
        if depth > MAX_DEPTH {
            return PossibleValues::new();
        }
        let Some((argument, taken)) = place.split_once('.') else { return self.expected_values(called, place, depth) };
        if argument.is_empty() {
            return self.taken_values(called, taken, depth + 1);
        }
        if let Value::Applied(function, class) = called
            && self.symbol(*function).kind.is_callable()
            && let Some(found) = self.substituted_parameter(*function, argument, taken, class, depth)
        {
            return found;
        }
        let mut all = PossibleValues::new();
        for expected in self.expected_values(called, argument, depth) {
            for value in self.taken_values(&expected, taken, depth + 1) {
                if !all.contains(&value) {
                    all.push(value);
                }
            }
        }
        all
    }

    /// The values that a call expects as one of its arguments.
    fn expected_values(&self, called: &Value, argument: &str, depth: u32) -> PossibleValues {
        match called {
            Value::Callable(function) | Value::Applied(function, _) if !self.symbol(*function).kind.is_type() => {
                let overloads = self.siblings(*function, true).into_iter();
                let parameters = overloads.filter_map(|id| Some((id, self.parameter_at(id, argument)?)));
                parameters.flat_map(|(id, parameter)| self.parameter_values(id, parameter, depth)).collect()
            }
            Value::Returns(file, scope, text) => {
                let types = split_function(text).map_or_else(Vec::new, |(parameters, _)| parameters);
                let wanted = if argument == "-" {
                    types.last()
                } else {
                    argument.parse().ok().and_then(|at: usize| types.get(at))
                };
                wanted.map_or_else(PossibleValues::new, |types| {
                    self.for_file(*file).evaluate_type(*scope, types, depth + 1)
                })
            }
            Value::Type(id) | Value::Applied(id, _) => self.expected_by_constructors(*id, argument, depth),
            Value::Instance(id) if depth < MAX_DEPTH => {
                let signatures = self.call_signatures(*id, depth);
                signatures.iter().flat_map(|value| self.expected_values(value, argument, depth + 1)).collect()
            }
            _ => PossibleValues::new(),
        }
    }

    /// The values of a parameter of a function that is passed to a call with a type argument, if its type is the type
    /// parameter of what is called.
    fn substituted_parameter(
        &self,
        called: SymbolId,
        argument: &str,
        taken: &str,
        class: &Elements,
        depth: u32,
    ) -> Option<PossibleValues> {
        let number: usize = taken.parse().ok()?;
        self.siblings(called, true).into_iter().find_map(|function| {
            let parameter = self.parameter_at(function, argument)?;
            let types = type_alternatives(self.names().text(parameter.written), &[]);
            split_alternatives(&types).find_map(|one| {
                let wanted = *split_function(one)?.0.get(number)?;
                self.substituted(function, function, wanted, class, depth + 1)
            })
        })
    }

    /// The values that an argument of a type's constructors may have; of one that a constructor without parameters would
    /// assign to a member, those of the member.
    fn expected_by_constructors(&self, id: SymbolId, argument: &str, depth: u32) -> PossibleValues {
        let constructors = self.constructors_of(id, depth);
        let parameters = constructors.iter().filter_map(|&id| Some((id, self.parameter_at(id, argument)?)));
        let found: PossibleValues =
            parameters.flat_map(|(id, parameter)| self.parameter_values(id, parameter, depth)).collect();
        if !found.is_empty() || argument.parse::<usize>().is_ok() || argument == "-" {
            return found;
        }
        let members = self.own_members(id, self.name(argument)).into_iter();
        members.filter(|&id| !self.symbol(id).kind.is_callable()).flat_map(|id| self.value_of(id, depth + 1)).collect()
    }

    /// The constructors of a type; where it has none, those of the nearest base that has any.
    fn constructors_of(&self, id: SymbolId, depth: u32) -> SymbolIds {
        let of_type = |id: SymbolId| -> SymbolIds {
            let names = CONSTRUCTORS.iter().map(|name| self.name(name)).chain([self.symbol(id).name]);
            let members = names.flat_map(|name| self.own_members(id, name));
            members.filter(|&id| matches!(self.symbol(id).kind, Kind::Constructor | Kind::Method)).collect()
        };
        let own = of_type(id);
        if !own.is_empty() {
            return own;
        }
        let bases = self.bases_of(id, depth).0;
        bases.into_iter().map(of_type).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// What a type whose objects can be called declares of the calls: types of functions.
    pub(super) fn call_signatures(&self, type_id: SymbolId, depth: u32) -> PossibleValues {
        let (at, facts) = self.facts_for(type_id, Some(self.name(CALL_SIGNATURE)));
        let values = self.evaluate_facts(at, facts, depth + 1);
        values.iter().filter(|value| matches!(value, Value::Returns(..))).cloned().collect()
    }

    /// The parameter that gets an argument.
    fn parameter_at(&self, function: SymbolId, argument: &str) -> Option<&InternedParameter> {
        let parameters = self.table.parameters.of(function);
        let written = match parameters.first() {
            Some(first) if first.is_receiver => &parameters[1..],
            _ => parameters,
        };
        if argument == "-" {
            return written.last();
        }
        match argument.parse::<usize>() {
            Ok(at) => written.get(at).or(written.last().filter(|last| last.is_rest)),
            Err(_) => written.iter().find(|parameter| self.has_label(parameter, argument)),
        }
    }

    /// The values of a parameter of the functions that are of a type: a type of functions, or an interface with one
    /// method to implement. `taken` is the number of the parameter, or `this`.
    fn taken_values(&self, expected: &Value, taken: &str, depth: u32) -> PossibleValues {
        let number = taken.parse::<usize>();
        match expected {
            Value::Returns(file, scope, text) => {
                let Some((parameters, _)) = split_function(text) else { return PossibleValues::new() };
                let types = match number {
                    Ok(number) => parameters.get(number).filter(|types| !types.starts_with(RECEIVER_MARK)).copied(),
                    Err(_) => parameters.last().and_then(|types| types.strip_prefix(RECEIVER_MARK)),
                };
                types.map_or_else(PossibleValues::new, |types| {
                    self.for_file(*file).evaluate_type(*scope, types, depth + 1)
                })
            }
            Value::Instance(interface) if self.symbol(*interface).kind.is_type() => {
                // A delegate has the parameters itself.
                let own = number.clone().ok().and_then(|number| self.table.parameters.of(*interface).get(number));
                if let Some(parameter) = own.filter(|_| self.symbol(*interface).kind == Kind::Type) {
                    return self.parameter_values(*interface, parameter, depth + 1);
                }
                let mut methods = self.members_without_body(*interface);
                let method = methods.pop().filter(|_| methods.is_empty());
                let parameter = method
                    .zip(number.ok())
                    .and_then(|(method, number)| Some((method, self.table.parameters.of(method).get(number)?)));
                parameter.map_or_else(PossibleValues::new, |(method, parameter)| {
                    self.parameter_values(method, parameter, depth + 1)
                })
            }
            _ => PossibleValues::new(),
        }
    }
}
