//! Types of receivers: evaluates the access path in front of a member, step by step from definition to definition.
//!
//! Access paths and types are texts in the form of `sextant_syntax::extract`. Evaluation goes by declared types and
//! assigned values, without control flow: a variable that is assigned two types has both.

mod arguments;
mod collections;
mod conversions;
mod enclosing;
mod full_names;
mod implicit;
mod members;
mod names;
mod narrowing;
mod openings;
mod outside;
mod overloads;
mod passed;
mod receivers;
mod results;
mod types;

use crate::interner::NameId;
use sextant_format::ids::SymbolId;
use std::rc::Rc;

use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::extract::{
    BINDING_MARK, BUILT_IN, ENTERED, PathNotation, access_path_with, split_alternatives, tuple_part,
};
use smallvec::smallvec;

use names::Root;

use crate::imports::Import;
use crate::raw_reference::{MemberForm, RawReference};
use crate::resolution::{SymbolIds, retain_preferred};
use crate::target_class::can_target;
use crate::type_facts::InternedTypeFact;
use crate::value::{CachedValues, MAX_DEPTH, MAX_VALUES, MemberLookup, PossibleValues, Value};
use crate::view::Resolver;

/// The step of an access path that awaits a value.
const AWAIT: &str = "await";
/// What comes before the place of an expression whose first name is a member of the type that is expected there.
const EXPECTED: char = '=';

/// The elements of the literal with which a path begins, and the path after it: `A()` and `.b` of `[A()].b`.
fn literal_elements(path: &str) -> Option<(&str, &str)> {
    let inside = path.strip_prefix('[')?;
    let mut depth = 1_u32;
    let end = inside.find(|c: char| {
        depth += u32::from(c == '[');
        depth -= u32::from(c == ']');
        depth == 0
    })?;
    Some((&inside[..end], &inside[end + 1..]))
}

/// The path of the result of a function that a call gets, with which the rest of a path begins, and what follows it.
fn written_result(rest: &str) -> Option<(&str, &str)> {
    rest.strip_prefix("{>")?.split_once('}')
}

impl Resolver<'_, '_> {
    /// Looks up the name of a reference in its receiver. The second result is true if the receiver is a type or module
    /// by its name.
    pub(crate) fn lookup_receiver_member(&self, reference: &RawReference) -> (MemberLookup, bool) {
        self.cache.reset_steps();
        let values = self.receiver_values(reference);
        let mut is_path = values.iter().all(|value| matches!(value, Value::Type(_) | Value::Module(_)));
        let fits = |id| self.fits(reference, id);
        let mut found = self.lookup_member_in(&values, reference.name, fits);
        if !matches!(found, MemberLookup::Definitions(_)) {
            let owner = self.names().text_or_empty(reference.owner).trim_start_matches('!');
            let mut narrowed: PossibleValues = self.narrowed_values(reference.source, owner, Some(reference.line), 0);
            let is_type_name = owner.starts_with(char::is_uppercase) && owner.chars().all(char::is_alphanumeric);
            if narrowed.is_empty() && values.is_empty() && is_type_name {
                narrowed.push(Value::BuiltIn(owner.into()));
            }
            if let other @ MemberLookup::Definitions(_) = self.lookup_member_in(&narrowed, reference.name, fits) {
                (found, is_path) = (other, false);
            }
        }
        if let MemberLookup::Definitions(ids) = &mut found
            && reference.kind == EdgeKind::Reference
            && self.has_full_names()
        {
            // `A::$b` is a property, whatever methods the class has.
            retain_preferred(ids, |id| !self.symbol(id).kind.is_callable());
        }
        if let MemberLookup::Definitions(ids) = &mut found {
            self.retain_of_form(ids, self.form_of(reference));
            if !is_path && reference.kind == EdgeKind::Call && self.is_rust() {
                ids.retain(|id| self.takes_as_method(*id, reference.argument_count));
            }
        }
        (found, is_path)
    }

    /// Whether a method can be called on a value with this number of arguments: nothing is left out in Rust. Else the method
    /// is one of what is around the value: that of `Mutex` in `self.state.lock()`, not of the state.
    fn takes_as_method(&self, method: SymbolId, arguments: Option<u8>) -> bool {
        let (Some(count), (min, max)) = (arguments, self.symbol(method).arity) else { return true };
        let has_self = self.table.parameters.of(method).first().is_some_and(|parameter| parameter.is_receiver);
        !has_self || (min..=max).contains(&count.saturating_add(1))
    }

    /// Of members of one name, those that fit a form of use best: methods that are called, and fields that are not.
    fn retain_of_form(&self, members: &mut SymbolIds, form: MemberForm) {
        match form {
            MemberForm::Any => {}
            MemberForm::Called => {
                retain_preferred(members, |id| !matches!(self.symbol(id).kind, Kind::Field | Kind::Property));
            }
            MemberForm::Read => retain_preferred(members, |id| !self.symbol(id).kind.is_callable()),
        }
    }

    fn lookup_member_in(&self, values: &[Value], name: NameId, fits: impl Fn(SymbolId) -> bool) -> MemberLookup {
        if values.is_empty() {
            return MemberLookup::Unknown;
        }
        let mut found = SymbolIds::new();
        let (mut is_external, mut is_open) = (false, false);
        let calls = values.iter().any(|value| matches!(value, Value::Callable(_)));
        let called = calls.then(|| self.called_without_parentheses(values.into(), 0));
        let values = called.as_deref().unwrap_or(values);
        for value in values {
            match self.lookup_member(value, name, 0) {
                MemberLookup::Definitions(ids) => found.extend(ids.into_iter().filter(|&id| fits(id))),
                MemberLookup::External => is_external = true,
                MemberLookup::Unknown => is_open = true,
                MemberLookup::Missing => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        if values.iter().any(|value| matches!(value, Value::Instance(_))) {
            // An object has no types.
            retain_preferred(&mut found, |id| self.symbol(id).kind != Kind::Type);
        }
        if !found.is_empty() {
            MemberLookup::Definitions(found)
        } else if is_external {
            MemberLookup::External
        } else if is_open {
            MemberLookup::Unknown
        } else {
            MemberLookup::Missing
        }
    }

    fn receiver_values(&self, reference: &RawReference) -> CachedValues {
        let is_variable = self.is_plain_variable(reference);
        let key = (reference.source, reference.owner, is_variable);
        if let Some(known) = self.cache.receivers.borrow().get(&key) {
            return Rc::clone(known);
        }
        let owner = self.names().text_or_empty(reference.owner);
        // Facts about a variable have its sign: `$parent`.
        let path = if is_variable {
            format!("${owner}")
        } else if let Some(place) = owner.strip_prefix(EXPECTED) {
            place.to_owned()
        } else {
            let notation = self.language().map(PathNotation::of).unwrap_or_default();
            access_path_with(notation, owner.trim_start_matches('!'))
        };
        let literal = owner.starts_with('"').then(|| self.language()?.literal_type("string")).flatten();
        let values: CachedValues = match literal.filter(|_| path == BUILT_IN) {
            Some(literal) => Rc::from([Value::BuiltIn(literal.into())]),
            None => self.evaluate_access_path(reference.source, &path, 0).into_iter().collect(),
        };
        self.cache.receivers.borrow_mut().insert(key, Rc::clone(&values));
        values
    }

    /// The values of an access path.
    pub(super) fn evaluate_access_path(&self, scope: SymbolId, path: &str, depth: u32) -> PossibleValues {
        let mut all = PossibleValues::new();
        // A type in front, `<A|B>`, has alternatives of its own.
        for alternative in split_alternatives(path).filter(|alternative| !alternative.is_empty()) {
            for value in self.evaluate_alternative(scope, alternative, depth) {
                if !all.contains(&value) {
                    all.push(value);
                }
            }
        }
        all.truncate(MAX_VALUES);
        all
    }

    fn evaluate_alternative(&self, scope: SymbolId, path: &str, depth: u32) -> PossibleValues {
        if depth > MAX_DEPTH {
            return PossibleValues::new();
        }
        if path == BUILT_IN {
            return smallvec![Value::External];
        }
        let (mut values, mut rest) = if let Some((types, rest)) = path.strip_prefix('<').and_then(|c| c.split_once('>'))
        {
            (self.evaluate_type(scope, types, depth + 1), rest)
        } else if let Some(rest) = path.strip_prefix("{return}") {
            (self.returned_values(scope, depth + 1), rest)
        } else if let Some((elements, rest)) = literal_elements(path) {
            let by_key = elements.strip_prefix(':');
            (self.collection_of(scope, by_key.unwrap_or(elements), by_key.is_some()), rest)
        } else {
            if let Some(found) = self.longest_module(path) {
                found
            } else {
                let end = path.find(['.', '(', '[', '{']).unwrap_or(path.len());
                let root = if path[end..].starts_with(['(', '{']) { Root::Called } else { Root::Value };
                let mut found = self.resolve_root(scope, &path[..end], root, depth + 1);
                // Of a variable without a known type, others of its name in the function are evidence.
                if found.is_empty()
                    && let Some((name, _)) = path[..end].split_once(BINDING_MARK)
                    && !self.is_given_by_call_or_loop(scope, &path[..end])
                {
                    found = self.resolve_root(scope, name, root, depth + 1);
                }
                match found {
                    values if values.is_empty() => {
                        let values =
                            self.asked_for_type(path, &path[..end]).map_or(values, |outside| smallvec![outside]);
                        self.fully_named_value(path).unwrap_or((values, &path[end..]))
                    }
                    values => (values, &path[end..]),
                }
            }
        };
        while !rest.is_empty() && !values.is_empty() {
            if !self.cache.take_step() {
                return PossibleValues::new();
            }
            let next: PossibleValues;
            if let Some(after) = rest.strip_prefix("()") {
                let results = self.call_results(&values, depth + 1);
                let reads =
                    results.is_empty() && self.language().is_some_and(|language| language.calls_read_properties);
                next = if reads { values } else { results };
                rest = after;
            } else if let Some(after) = rest.strip_prefix(ENTERED) {
                next = self.entered_values(values, depth + 1);
                rest = after;
            } else if let Some(after) = rest.strip_prefix("[]") {
                next = self.values_of_entries(values, false, depth + 1);
                rest = after;
            } else if let Some(after) = rest.strip_prefix("[*]") {
                next = self.values_of_entries(values, true, depth + 1);
                rest = after;
            } else if let Some((_, after)) = written_result(rest) {
                (next, rest) = (values, after);
            } else if let Some(found) =
                self.argument_function(&values, scope, &path[..path.len() - rest.len()], rest, depth)
            {
                (next, rest) = found;
            } else if let Some((made, after)) =
                self.made_with_argument(&values, scope, &path[..path.len() - rest.len()], rest, depth)
            {
                (next, rest) = (made, after);
            } else if let Some((place, after)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
                next = match place.strip_prefix('<').and_then(|place| place.strip_suffix('>')) {
                    Some(argument) => {
                        values.into_iter().map(|value| self.instantiated(value, scope, argument)).collect()
                    }
                    None => values.iter().flat_map(|value| self.passed_values(value, place, depth + 1)).collect(),
                };
                rest = after;
            } else {
                let after = rest.trim_start_matches('.');
                let end = after.find(['.', '(', '[', '{']).unwrap_or(after.len());
                let name = &after[..end];
                rest = &after[end..];
                if name == AWAIT && !rest.starts_with(['(', '{']) {
                    values = values.iter().flat_map(|value| self.awaited(value, depth + 1)).collect();
                    continue;
                }
                let instance = |value| if let Value::Type(id) = value { Value::Instance(id) } else { value };
                if self.language().is_some_and(|language| language.instance_members.contains(&name)) {
                    values = values.into_iter().map(instance).collect();
                    continue;
                }
                if let Some((result, after)) = written_result(rest) {
                    let receiver = path[..path.len() - rest.len() - name.len()].trim_end_matches('.');
                    rest = after;
                    if let Some(mapped) = self.mapped_values(&values, scope, (receiver, name, result), depth + 1) {
                        values = mapped;
                        rest = rest.strip_prefix("()").unwrap_or(rest);
                        continue;
                    }
                }
                if let Some(after) = self.without_class(&values, name, rest, depth + 1) {
                    rest = after;
                }
                if let Some((substituted, after)) = self.substituted_member(&values, name, rest, depth + 1) {
                    values = substituted;
                    rest = after;
                    continue;
                }
                if let Some(after) = rest.strip_prefix("()")
                    && let Some(receivers) = self.returned_receivers(&values, name, depth + 1)
                {
                    (values, rest) = (receivers, after);
                    continue;
                }
                let form = if rest.starts_with(['(', '{']) { MemberForm::Called } else { MemberForm::Read };
                let mut found: PossibleValues =
                    values.iter().flat_map(|value| self.member_values(value, name, form, depth + 1)).collect();
                let root = &path[..path.len() - rest.len() - name.len()];
                if let Some(root) = root.strip_suffix('.').filter(|_| found.is_empty()) {
                    let narrowed = self.narrowed_values(scope, root, None, depth + 1);
                    found =
                        narrowed.iter().flat_map(|value| self.member_values(value, name, form, depth + 1)).collect();
                }
                let is_elsewhere = found.iter().all(Value::is_external);
                if rest.starts_with('{') && !rest.starts_with("{<") {
                    let members = values.iter().flat_map(|value| self.enum_members(value, name, depth));
                    found.extend(members.collect::<PossibleValues>());
                }
                // `a.b` may be a call, too.
                let called = rest.strip_prefix("()").or_else(|| {
                    let is_call = self.calls_without_parentheses() && !self.is_rust();
                    is_call.then_some(rest)
                });
                let of_collection = if is_elsewhere && (form == MemberForm::Called || called.is_some()) {
                    self.collection_method(&values, name, depth + 1)
                } else {
                    PossibleValues::new()
                };
                // A function that is called with each element, or with the value.
                if is_elsewhere && let Some((passed, after)) = self.callback_values(&values, name, rest, depth + 1) {
                    values = passed;
                    rest = after;
                    continue;
                }
                // `unwrap()` of a type that wraps its argument.
                next = match called {
                    Some(after) if !of_collection.is_empty() => {
                        rest = after;
                        of_collection
                    }
                    Some(after) if is_elsewhere && self.is_transparent_method(name) => {
                        rest = after;
                        values
                    }
                    // Without parentheses nothing else says that it is called.
                    Some(_) if is_elsewhere && self.is_constructor(name) && !rest.starts_with(['(', '{']) => {
                        values.into_iter().map(instance).collect()
                    }
                    Some(after) if is_elsewhere && self.is_constructor(name) => {
                        // Of an object that stands for its class.
                        if values.iter().all(|value| matches!(value, Value::Instance(_))) {
                            rest = after;
                        }
                        values
                    }
                    // A path does not tell how many arguments a call has: `lock()` may be that of a `Mutex` around the value.
                    Some(after) if self.is_transparent_method(name) && self.all_take_arguments(&found) => {
                        rest = after;
                        let results = found.iter().flat_map(|value| self.call_result(value, depth + 1));
                        let results: PossibleValues = results.collect();
                        values.into_iter().chain(results).collect()
                    }
                    _ => found,
                };
            }
            values = next;
            values.dedup();
            values.truncate(MAX_VALUES);
        }
        values
    }

    /// Whether one of several bindings of a name is a parameter of a function that a call gets, what a loop runs over, or a part
    /// of a value.
    fn is_given_by_call_or_loop(&self, scope: SymbolId, binding: &str) -> bool {
        let name = Some(self.name(binding));
        let mut enclosing = std::iter::successors(Some(scope), |&id| self.symbol(id).container);
        let facts = enclosing.find_map(|id| Some(self.facts_for(id, name).1).filter(|facts| !facts.is_empty()));
        let is_given = |path: &str| {
            let is_passed = |(at, _): (usize, &str)| !path[at + 1..].starts_with(['<', '>']);
            let is_part = path.rsplit_once('.').is_some_and(|(_, last)| last.parse::<u8>().is_ok());
            is_part || path.contains("[*]") || path.match_indices('{').any(is_passed)
        };
        facts.is_some_and(|facts| facts.iter().any(|fact| is_given(self.names().text(fact.text))))
    }

    /// Whether all values are Rust's methods with an argument besides `self`.
    fn all_take_arguments(&self, values: &[Value]) -> bool {
        let takes = |value: &Value| match value {
            Value::Callable(id) => !self.takes_as_method(*id, Some(0)),
            _ => false,
        };
        self.is_rust() && !values.is_empty() && values.iter().all(takes)
    }

    /// Whether a function of this name makes an object of its type, for types that have no such function.
    fn is_constructor(&self, name: &str) -> bool {
        self.language().is_some_and(|language| language.constructor_names.contains(&name))
    }

    /// Whether a member of this name returns its receiver, for types that have no such member.
    pub(super) fn is_transparent_method(&self, name: &str) -> bool {
        self.language().is_some_and(|language| language.transparent_methods.contains(&name))
    }

    /// The values of a definition's name.
    pub(super) fn value_of(&self, id: SymbolId, depth: u32) -> PossibleValues {
        let symbol = self.symbol(id);
        match symbol.kind {
            kind if kind.is_type() || matches!(kind, Kind::Module | Kind::Namespace) => smallvec![Value::Type(id)],
            kind if kind.is_callable() => smallvec![Value::Callable(id)],
            Kind::EnumMember => symbol.container.map(Value::Instance).into_iter().collect(),
            Kind::Variable | Kind::Constant | Kind::Field | Kind::Property => {
                let (at, facts) = self.facts_for(id, None);
                // Of an object that is written by its members, nothing else is known.
                if facts.iter().all(|fact| self.names().text(fact.text).is_empty()) {
                    smallvec![Value::Instance(id)]
                } else {
                    self.evaluate_facts(at, facts, depth).as_ref().into()
                }
            }
            _ => PossibleValues::new(),
        }
    }

    /// The values that the facts about one name add up to. `at` identifies the facts in the cache.
    pub(crate) fn evaluate_facts(&self, at: usize, facts: &[InternedTypeFact], depth: u32) -> CachedValues {
        if let Some(known) = self.cache.fact_values.borrow().get(&at) {
            return Rc::clone(known);
        }
        if depth > MAX_DEPTH || facts.is_empty() || !self.cache.take_step() {
            return Rc::from([]);
        }
        // Until it is known, a name that is defined by itself has no value.
        self.cache.fact_values.borrow_mut().insert(at, Rc::from([]));
        self.cache.open_facts.borrow_mut().insert(at);
        let resolver = self.for_file(self.symbol(facts[0].symbol).file);
        let has_declared = facts.iter().any(|fact| fact.is_declared && !self.names().text(fact.text).is_empty());
        let mut all: PossibleValues = PossibleValues::new();
        for fact in facts.iter().filter(|fact| fact.is_declared == has_declared) {
            let text = self.names().text(fact.text);
            let values = if fact.is_declared {
                resolver.evaluate_type(fact.scope, text, depth + 1)
            } else {
                resolver.evaluate_access_path(fact.scope, text, depth + 1)
            };
            for value in values {
                if !all.contains(&value) {
                    all.push(value);
                }
            }
        }
        all.truncate(MAX_VALUES);
        let all: CachedValues = all.into_iter().collect();
        self.cache.open_facts.borrow_mut().remove(&at);
        if self.cache.is_budget_exhausted() {
            self.cache.fact_values.borrow_mut().remove(&at);
        } else {
            self.cache.fact_values.borrow_mut().insert(at, Rc::clone(&all));
        }
        all
    }

    /// The definition that a module exports as its default, for an import of the module or its default.
    pub(crate) fn default_export_target(&self, import: &Import, kind: EdgeKind) -> Option<SymbolId> {
        self.cache.reset_steps();
        let target = match self.imported_values(import, kind, 0).as_slice() {
            [Value::Callable(id) | Value::Type(id)] => Some(*id),
            _ => None,
        };
        target.filter(|&id| can_target(kind, self.symbol(id).kind))
    }

    /// The values of a member.
    pub(super) fn member_values(&self, value: &Value, name: &str, form: MemberForm, depth: u32) -> PossibleValues {
        if let Value::Callable(_) = value
            && depth < MAX_DEPTH
            && self.calls_without_parentheses()
        {
            let called = self.call_result(value, depth + 1);
            return called.iter().flat_map(|value| self.member_values(value, name, form, depth + 1)).collect();
        }
        if let Value::Tuple(file, scope, types) = value {
            return tuple_part(types, name)
                .map_or_else(PossibleValues::new, |part| self.for_file(*file).evaluate_type(*scope, part, depth + 1));
        }
        if let (Value::Elements(of), MemberForm::Read) = (value, form)
            && let Some(part) = self.part_of_elements(of, name, depth)
        {
            return part;
        }
        let (text, name) = (name, self.name(name));
        let found = match self.lookup_member(value, name, depth + 1) {
            MemberLookup::Definitions(ids) => {
                // A path, `Type::name`, may refer to either.
                let form = if matches!(value, Value::Instance(_)) { form } else { MemberForm::Any };
                let mut fitting: SymbolIds =
                    ids.into_iter().filter(|&id| self.fits_form(form, self.symbol(id).kind)).collect();
                self.retain_of_form(&mut fitting, form);
                fitting.into_iter().flat_map(|id| self.value_of(id, depth)).collect()
            }
            MemberLookup::External => match value {
                Value::Outside(outer) => smallvec![self.outside_member(outer, text)],
                _ => smallvec![Value::External],
            },
            MemberLookup::Missing | MemberLookup::Unknown => match value {
                Value::Module(files) => self.module_inside(files, text).into_iter().collect(),
                _ => PossibleValues::new(),
            },
        };
        let is_known = found.iter().any(|value| {
            !value.is_external() && !matches!(value, Value::Instance(id) if !self.symbol(*id).kind.is_type())
        });
        if !is_known && let Value::Instance(id) | Value::Type(id) | Value::Super(id) = value {
            // A member that is only assigned to has no symbol.
            for owner in std::iter::once(*id).chain(self.bases_of(*id, depth + 1).0) {
                let (at, facts) = self.facts_for(owner, Some(name));
                if !facts.is_empty() {
                    return self.evaluate_facts(at, facts, depth).as_ref().into();
                }
            }
        }
        found
    }
}
