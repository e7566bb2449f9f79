//! Which of several functions of one name a call refers to, by the number, the labels and the types of its arguments.
//!
//! Each candidate has a cost, the sum of what its arguments cost (see [`super::conversions`]). The candidate with the
//! lowest is chosen, the first of equals.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_syntax::extract::{NULL, type_alternatives};

use super::conversions::Argument;
use crate::parameters::InternedParameter;
use crate::raw_reference::RawReference;
use crate::resolution::SymbolIds;
use crate::value::PossibleValues;
use crate::view::Resolver;

/// What it costs that an argument is one of many for the last parameter: a function that takes it alone is preferred.
const REST_COST: u32 = 100;
/// What it costs to leave out an argument.
const OMISSION_COST: u32 = 1;
/// More overloads are not compared.
const MAX_OVERLOADS: usize = 64;

impl Resolver<'_, '_> {
    /// The overload of a function that a call refers to; the function itself where no overload accepts the arguments.
    pub(crate) fn select_overload(&self, reference: &RawReference, target: SymbolId) -> SymbolId {
        let count = reference.argument_count;
        let accepts = |id: SymbolId| self.accepts(reference, id);
        let compares_types = self.language().is_some_and(|language| !language.literal_types.is_empty());
        if accepts(target) && !compares_types || count.is_none() {
            return target;
        }
        let mut overloads = self.siblings(target, compares_types);
        overloads.truncate(MAX_OVERLOADS);
        let mut accepting: SymbolIds = overloads.iter().copied().filter(|&id| accepts(id)).collect();
        if accepting.is_empty() && compares_types {
            accepting = self.inherited_overloads(target).into_iter().filter(|&id| accepts(id)).collect();
        }
        let first = match accepting.as_slice() {
            [] => return target,
            [only] => return *only,
            [..] if accepts(target) => target,
            [first, ..] => *first,
        };
        if !compares_types {
            return first;
        }
        self.cache.reset_steps();
        let Some(arguments) = self.arguments_of(reference) else { return first };
        let mut best = (u32::MAX, first);
        for id in accepting {
            self.cache.reset_steps();
            let cost = self.cost_of(id, &arguments);
            best = cost.filter(|&cost| cost < best.0).map_or(best, |cost| (cost, id));
        }
        best.1
    }

    /// Of functions of several types, the one that accepts the arguments of a call best; `None` if that is not known. With
    /// `has_others`, there are functions outside of the repository, too, and only one that fits exactly counts.
    pub(crate) fn overload_among(
        &self,
        reference: &RawReference,
        functions: &[SymbolId],
        has_others: bool,
    ) -> Option<SymbolId> {
        self.cache.reset_steps();
        let arguments = self.arguments_of(reference)?;
        let mut costs: Vec<(u32, SymbolId)> = Vec::new();
        for &id in functions.iter().take(MAX_OVERLOADS).filter(|&&id| self.accepts(reference, id)) {
            self.cache.reset_steps();
            costs.extend(self.cost_of(id, &arguments).map(|cost| (cost, id)));
        }
        let &(least, best) = costs.iter().min_by_key(|(cost, _)| *cost)?;
        let container = |id: SymbolId| self.symbol(id).container;
        let is_one = costs.iter().all(|&(cost, id)| cost > least || container(id) == container(best));
        (is_one && (!has_others || least == 0)).then_some(best)
    }

    /// Whether a call may refer to a function at all: false where a function is known by its name and the number of its
    /// parameters, and the call has another number.
    pub(crate) fn may_call(&self, reference: &RawReference, target: SymbolId) -> bool {
        !self.has_exact_arity() || self.accepts(reference, target)
    }

    /// Whether a function is known by its name and the number of its parameters.
    pub(crate) fn has_exact_arity(&self) -> bool {
        self.language().is_some_and(|language| !language.pipe_operators.is_empty())
    }

    /// Whether a function accepts as many arguments as a call has.
    fn accepts(&self, reference: &RawReference, target: SymbolId) -> bool {
        let (min, max) = self.symbol(target).arity;
        reference.argument_count.is_none_or(|count| (min..=max).contains(&count))
    }

    /// Whether a call may name a parameter so.
    pub(super) fn has_label(&self, parameter: &InternedParameter, label: &str) -> bool {
        self.names().text(parameter.label).split(' ').any(|word| word == label)
    }

    /// The values that a parameter of a function may have, by its type.
    pub(super) fn parameter_values(
        &self,
        function: SymbolId,
        parameter: &InternedParameter,
        depth: u32,
    ) -> PossibleValues {
        let resolver = self.for_file(self.symbol(function).file);
        let wrappers = resolver.language().map_or(&[][..], |language| language.wrappers);
        let types = type_alternatives(self.names().text(parameter.written), wrappers);
        resolver.evaluate_type(function, &types, depth + 1)
    }

    /// The functions of one name in one container, in the order of the text. Where declarations are linked with
    /// definitions, those of the same sort.
    pub(super) fn siblings(&self, target: SymbolId, compares_types: bool) -> SymbolIds {
        let chosen = self.symbol(target);
        let is_linked = self.language().is_some_and(|language| language.links_definitions);
        let is_sibling = |&id: &SymbolId| {
            let symbol = self.symbol(id);
            symbol.container == chosen.container
                && symbol.owner == chosen.owner
                && (symbol.has_body == chosen.has_body || compares_types && !is_linked && symbol.kind.is_callable())
        };
        self.named_in(chosen.name, chosen.file).iter().copied().filter(is_sibling).collect()
    }

    /// The functions of the same name that the type of a method inherits.
    fn inherited_overloads(&self, target: SymbolId) -> SymbolIds {
        let chosen = self.symbol(target);
        let Some(home) = chosen.container.filter(|&home| self.symbol(home).kind.is_type()) else {
            return SymbolIds::new();
        };
        if chosen.kind == Kind::Constructor {
            return SymbolIds::new();
        }
        let (bases, _) = self.bases_of(home, 0);
        bases.into_iter().flat_map(|base| self.own_members(base, chosen.name)).collect()
    }

    /// What is known of the arguments of a call, with their labels.
    fn arguments_of(&self, reference: &RawReference) -> Option<Vec<(Option<&str>, Argument)>> {
        let shapes = self.names().text(reference.arguments?);
        let argument = |shape: &str| match shape {
            "" => Argument::Unknown,
            NULL => Argument::Null,
            _ => match shape.strip_prefix('{').and_then(|shape| shape.strip_suffix('}')) {
                Some(parameters) => Argument::Function(parameters.parse().ok()),
                None => self.argument_values(self.evaluate_access_path(reference.source, shape, 0)),
            },
        };
        let labelled = shapes.split(',').map(|shape| match shape.split_once('=') {
            Some((label, shape)) => (Some(label), argument(shape)),
            None => (None, argument(shape)),
        });
        Some(labelled.collect())
    }

    /// What the arguments of a call cost a function; `None` if it does not accept them.
    fn cost_of(&self, function: SymbolId, arguments: &[(Option<&str>, Argument)]) -> Option<u32> {
        let mut parameters = self.table.parameters.of(function);
        if parameters.len() == arguments.len() + 1 && parameters.first().is_some_and(|first| first.is_receiver) {
            parameters = &parameters[1..];
        }
        if parameters.is_empty() {
            return None;
        }
        let (mut cost, mut next) = (0, 0);
        for (number, (label, argument)) in arguments.iter().enumerate() {
            let labelled = match label {
                Some(label) => Some(parameters.iter().position(|parameter| self.has_label(parameter, label))?),
                None => None,
            };
            let at = labelled.unwrap_or(next);
            let parameter = parameters.get(at).or(parameters.last().filter(|last| last.is_rest))?;
            next = at + 1;
            let values = self.parameter_values(function, parameter, 0);
            let is_last = number + 1 == arguments.len() && at + 1 == parameters.len();
            let spread = (parameter.is_rest && is_last).then(|| self.cost_of_collection(argument, &values)).flatten();
            cost += match spread {
                Some(spread) => spread,
                None => self.cost_of_argument(argument, &values)? + if parameter.is_rest { REST_COST } else { 0 },
            };
        }
        let omitted = u32::try_from(parameters.len().saturating_sub(arguments.len())).unwrap_or(u32::MAX);
        Some(cost.saturating_add(omitted.saturating_mul(OMISSION_COST)))
    }
}
