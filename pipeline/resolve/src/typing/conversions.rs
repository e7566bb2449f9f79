//! Whether a parameter accepts an argument, and at what cost: nothing for the same type, little for a base or a wider
//! type, more the less is known.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use smallvec::SmallVec;

use super::outside::last_name;
use crate::reads::Key;
use crate::resolution::SymbolIds;
use crate::value::{Elements, PossibleValues, Value};
use crate::view::Resolver;

/// An argument of which nothing is known costs the same everywhere.
const UNKNOWN_COST: u32 = 4;
/// A simple type where its object is expected, or the other way round.
const BOXING_COST: u32 = 10;
/// Types outside of the repository that have other names: one may be derived from the other.
const POSSIBLE_COST: u32 = 20;
/// A parameter that accepts anything.
const ANY_COST: u32 = 40;
/// What the rules of a language forbid, but a conversion that a type defines may allow.
const CONVERTED_COST: u32 = 80;
/// Chains of conversions are followed so far.
const MAX_CONVERSIONS: u32 = 8;

/// What is known of an argument.
pub(super) enum Argument {
    Unknown,
    Null,
    /// A function, with the number of its parameters if it is written.
    Function(Option<u8>),
    /// An object of one of these types.
    Typed(Operands),
}

type Operands = SmallVec<[Operand; 2]>;

/// A possible type of an argument or parameter.
pub(super) struct Operand {
    head: Head,
    elements: Option<Elements>,
}

#[derive(PartialEq, Eq)]
enum Head {
    /// A type of the repository.
    Type(SymbolId),
    /// A type that it does not define, by its name.
    Named(Box<str>),
    /// An array.
    Array,
    /// Something that returns a type when it is called.
    Function,
}

impl Resolver<'_, '_> {
    /// What is known of an argument by its values.
    pub(super) fn argument_values(&self, values: PossibleValues) -> Argument {
        match self.operands(&values) {
            operands if operands.is_empty() => Argument::Unknown,
            operands => Argument::Typed(operands),
        }
    }

    /// The types of some values, as far as they are known.
    fn operands(&self, values: &[Value]) -> Operands {
        let mut elements = values.iter().find_map(|value| match value {
            Value::Elements(elements) => Some(elements.clone()),
            _ => None,
        });
        let mut found = Operands::new();
        for value in values {
            let head = match value {
                Value::Instance(id) if self.symbol(*id).kind.is_type() => Head::Type(*id),
                Value::BuiltIn(name) => Head::Named(name.as_ref().into()),
                Value::Outside(outside) if outside.is_instance => Head::Named(last_name(&outside.name).into()),
                Value::Returns(..) | Value::Callable(_) => Head::Function,
                _ => continue,
            };
            found.push(Operand { head, elements: elements.clone() });
        }
        if found.is_empty() && elements.is_some() {
            found.push(Operand { head: Head::Array, elements: elements.take() });
        }
        found
    }

    /// What an argument costs for a parameter of these types; `None` if it is not accepted.
    pub(super) fn cost_of_argument(&self, argument: &Argument, parameter: &[Value]) -> Option<u32> {
        let expected = self.operands(parameter);
        match argument {
            Argument::Unknown => Some(UNKNOWN_COST),
            Argument::Null => {
                let is_simple =
                    expected.iter().all(|one| matches!(&one.head, Head::Named(name) if self.is_simple(name)));
                (expected.is_empty() || !is_simple).then_some(UNKNOWN_COST)
            }
            _ if expected.is_empty() => Some(ANY_COST),
            Argument::Function(parameters) => {
                expected.iter().filter_map(|one| self.cost_of_function(*parameters, &one.head)).min()
            }
            Argument::Typed(found) => {
                let pairs = found.iter().flat_map(|one| expected.iter().map(move |other| (one, other)));
                pairs.filter_map(|(one, other)| self.cost_of_operand(one, other, 0)).min()
            }
        }
    }

    /// What a collection costs for a parameter that takes all further arguments as one.
    pub(super) fn cost_of_collection(&self, argument: &Argument, parameter: &[Value]) -> Option<u32> {
        let Argument::Typed(found) = argument else { return None };
        let array = found.iter().find(|one| one.head == Head::Array)?;
        let inside = self.operands(&self.evaluate_elements(array.elements.as_ref()?));
        let expected = self.operands(parameter);
        if inside.is_empty() || expected.is_empty() {
            return Some(ANY_COST);
        }
        let pairs = inside.iter().flat_map(|one| expected.iter().map(move |other| (one, other)));
        pairs.filter_map(|(one, other)| self.cost_of_operand(one, other, 1)).min()
    }

    fn evaluate_elements(&self, of: &Elements) -> PossibleValues {
        self.element_values(of.file, of.scope, &of.types, 0)
    }

    fn cost_of_operand(&self, found: &Operand, expected: &Operand, depth: u32) -> Option<u32> {
        let is_open = self.language().is_some_and(|language| language.links_definitions);
        let refused = is_open.then_some(CONVERTED_COST);
        match (&found.head, &expected.head) {
            (Head::Array, Head::Array) => match (&found.elements, &expected.elements) {
                (Some(found), Some(expected)) => self.cost_of_elements(found, expected, depth),
                _ => Some(POSSIBLE_COST),
            },
            (Head::Function, Head::Function) => Some(0),
            (Head::Function, other) => self.cost_of_function(None, other).or(refused),
            (Head::Type(found), Head::Type(expected)) => self.cost_of_base(*found, *expected).or(refused),
            (Head::Named(one), Head::Named(other)) => {
                let of_names = self.cost_of_names(one, other).or(refused)?;
                let of_elements = match (&found.elements, &expected.elements) {
                    (Some(found), Some(expected)) if depth == 0 => {
                        self.cost_of_elements(found, expected, depth).unwrap_or(POSSIBLE_COST)
                    }
                    _ => 0,
                };
                Some(of_names + of_elements)
            }
            (Head::Type(found), Head::Named(expected)) => {
                let is_derived = !self.is_known(expected) && self.bases_of(*found, 0).1;
                if is_derived {
                    Some(POSSIBLE_COST)
                } else {
                    refused.or((!self.is_known(expected)).then_some(ANY_COST))
                }
            }
            (Head::Array, Head::Named(name)) if !self.is_known(name) => Some(ANY_COST),
            (Head::Named(name), Head::Array) if !self.is_known(name) => Some(CONVERTED_COST),
            _ => refused,
        }
    }

    fn cost_of_elements(&self, found: &Elements, expected: &Elements, depth: u32) -> Option<u32> {
        if depth > 1 {
            return Some(UNKNOWN_COST);
        }
        let (found, expected) =
            (self.operands(&self.evaluate_elements(found)), self.operands(&self.evaluate_elements(expected)));
        if expected.is_empty() {
            // Those of an array of objects.
            let is_simple = found.iter().any(|one| matches!(&one.head, Head::Named(name) if self.is_simple(name)));
            return (!is_simple).then_some(if found.is_empty() { 0 } else { POSSIBLE_COST });
        }
        if found.is_empty() {
            return Some(POSSIBLE_COST);
        }
        let pairs = found.iter().flat_map(|one| expected.iter().map(move |other| (one, other)));
        let cost = |(one, other): (&Operand, &Operand)| match (&one.head, &other.head) {
            // The elements of an array are not converted.
            (Head::Named(one), Head::Named(other)) if self.is_simple(one) || self.is_simple(other) => {
                (one == other).then_some(0)
            }
            _ => self.cost_of_operand(one, other, depth + 1),
        };
        pairs.filter_map(cost).min()
    }

    /// What a function costs where a type is expected: an interface with one method to implement, if it has so many
    /// parameters.
    fn cost_of_function(&self, parameters: Option<u8>, expected: &Head) -> Option<u32> {
        match expected {
            Head::Function => Some(0),
            Head::Named(name) => (!self.is_known(name)).then_some(UNKNOWN_COST),
            Head::Array => None,
            Head::Type(id) => {
                let kind = self.symbol(*id).kind;
                if !matches!(kind, Kind::Interface | Kind::Trait | Kind::Type) {
                    return self.language().is_some_and(|language| language.links_definitions).then_some(ANY_COST);
                }
                let mut methods = self.members_without_body(*id);
                match (methods.pop(), parameters) {
                    (Some(method), Some(count)) if methods.is_empty() => {
                        let (min, max) = self.symbol(method).arity;
                        (min..=max).contains(&count).then_some(0)
                    }
                    _ => Some(UNKNOWN_COST),
                }
            }
        }
    }

    /// The functions of a type that it leaves to others to implement.
    pub(crate) fn members_without_body(&self, type_id: SymbolId) -> SymbolIds {
        self.ask(Key::left_to_others(self.hash(self.symbol(type_id).name)));
        let end = self.table.end_of(self.symbol(type_id).file);
        let inside = SymbolId::range(type_id..end).skip(1).take_while(|&id| {
            std::iter::successors(self.symbol(id).container, |&id| self.symbol(id).container).any(|id| id == type_id)
        });
        inside
            .filter(|&id| {
                let symbol = self.symbol(id);
                symbol.container == Some(type_id) && symbol.kind.is_callable() && !symbol.has_body
            })
            .collect()
    }

    /// What an object costs where a base of its type is expected.
    fn cost_of_base(&self, found: SymbolId, expected: SymbolId) -> Option<u32> {
        if found == expected {
            return Some(0);
        }
        let (bases, _) = self.bases_of(found, 0);
        bases.iter().position(|&base| base == expected).and_then(|at| u32::try_from(at + 1).ok())
    }

    /// What a value of one type costs where another one is expected, neither of which the repository defines.
    fn cost_of_names(&self, found: &str, expected: &str) -> Option<u32> {
        if found == expected {
            return Some(0);
        }
        if self.is_boxed(found, expected) {
            return Some(BOXING_COST);
        }
        if let Some(steps) = self.conversion_steps(found, expected) {
            return Some(steps);
        }
        if let Some(steps) = self.boxed_type(found).and_then(|boxed| self.conversion_steps(boxed, expected)) {
            return Some(BOXING_COST + steps);
        }
        (!self.is_known(found) && !self.is_known(expected)).then_some(POSSIBLE_COST)
    }

    /// The number of conversions that lead from one type to another.
    fn conversion_steps(&self, found: &str, expected: &str) -> Option<u32> {
        let language = self.language()?;
        let mut reached: Vec<&str> = vec![found];
        let mut last = 0;
        for steps in 1..=MAX_CONVERSIONS {
            let from = std::mem::replace(&mut last, reached.len());
            for at in from..reached.len() {
                for chain in language.conversions {
                    let mut names = chain.split(' ').skip_while(|name| *name != reached[at]).skip(1);
                    if let Some(next) = names.next().filter(|next| !reached.contains(next)) {
                        reached.push(next);
                    }
                }
            }
            if reached[last..].contains(&expected) {
                return Some(steps);
            }
        }
        None
    }

    /// The object that holds a simple type.
    fn boxed_type(&self, name: &str) -> Option<&'static str> {
        let mut pairs = self.language()?.boxed_types.iter().filter_map(|pair| pair.split_once(' '));
        pairs.find(|(simple, _)| *simple == name).map(|(_, boxed)| boxed)
    }

    fn is_boxed(&self, one: &str, other: &str) -> bool {
        self.boxed_type(one) == Some(other) || self.boxed_type(other) == Some(one)
    }

    /// Whether it is known what accepts a value of a type: it begins a chain, or is simple or boxed.
    fn is_known(&self, name: &str) -> bool {
        self.language().is_some_and(|language| {
            language.conversions.iter().any(|chain| chain.split(' ').next() == Some(name))
                || language.boxed_types.iter().any(|pair| pair.split(' ').any(|one| one == name))
        })
    }

    /// Whether a type of the language holds no object.
    fn is_simple(&self, name: &str) -> bool {
        self.language()
            .is_some_and(|language| language.boxed_types.iter().any(|pair| pair.split(' ').next() == Some(name)))
    }
}
