//! Type arguments: what a function that is called with one returns, and the members of a type that has one.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};

use sextant_syntax::extract::{CLASS_MARK, PART_MARK, split_alternatives, split_tuple};
use smallvec::smallvec;

use super::names::Root;
use super::types::is_type_parameter;
use crate::raw_reference::RawReference;
use crate::resolution::SymbolIds;
use crate::value::{Elements, MemberLookup, PossibleValues, Value};
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
            Value::Callable(id) | Value::Type(id) => Value::Applied(id, self.argument_elements(scope, argument)),
            _ => called,
        }
    }

    /// Elements of the type that a type argument is, `A`, or `:A` if it is the last of several.
    fn argument_elements(&self, scope: SymbolId, argument: &str) -> Elements {
        let last = argument.strip_prefix(':');
        let types = last.unwrap_or(argument).into();
        Elements { file: self.file, scope, types, is_by_key: last.is_some() }
    }

    /// What something outside of the repository results in that is called with a type argument, `{<A>}()`, with the rest of
    /// the path: an object that is made has elements of the type; what a function returns is an object of the type
    /// (`container.get<A>()`), or has such elements. `called_path` is the path of what is called.
    pub(super) fn made_with_argument<'p>(
        &self,
        called: &[Value],
        scope: SymbolId,
        called_path: &str,
        path: &'p str,
        depth: u32,
    ) -> Option<(PossibleValues, &'p str)> {
        let (argument, rest) = path.strip_prefix("{<")?.split_once(">}()")?;
        if let Some(argument) = argument.strip_prefix(CLASS_MARK) {
            // `cast(A, b)` is an A; what others do with a class is not known.
            let casts = self.language().map_or(&[][..], |language| language.casts);
            let is_cast = |value: &Value| matches!(value, Value::Outside(of) if casts.contains(&of.name.as_ref()));
            return called.iter().any(is_cast).then(|| (self.evaluate_type(scope, argument, depth + 1), rest));
        }
        if called.is_empty() || !called.iter().all(Value::is_external) {
            return None;
        }
        let elements = self.argument_elements(scope, argument);
        let is_last = elements.is_by_key;
        let made = called.iter().filter_map(|value| match value {
            Value::Outside(called) => match self.made_outside(called) {
                Value::Outside(made) if made.is_instance => Some(Value::Outside(made)),
                _ => None,
            },
            _ => None,
        });
        let made: PossibleValues = made.collect();
        let makers = self.language().map_or(&[][..], |language| language.collection_makers);
        let is_made = !made.is_empty()
            || called_path.starts_with(char::is_uppercase) && !called_path.contains('.')
            || makers.contains(&called_path);
        if is_last && !is_made {
            return None;
        }
        let returned = if is_made { PossibleValues::new() } else { self.evaluate_type(scope, argument, depth + 1) };
        let returned = returned.into_iter().filter(|value| matches!(value, Value::Instance(_)));
        let outside = if made.is_empty() { smallvec![Value::External] } else { made };
        Some((returned.chain([Value::Elements(elements)]).chain(outside).collect(), rest))
    }

    /// Something outside of the repository at the root of a path that calls a function with a type argument, where nothing
    /// in the repository has its name.
    pub(super) fn asked_for_type(&self, path: &str, root: &str) -> Option<Value> {
        let is_open = || {
            let name = self.name(root);
            [EdgeKind::Reference, EdgeKind::Type].iter().all(|&kind| self.has_no_compatible_definition(name, kind))
        };
        let asks = path.contains("{<") && !path.contains("{<^") || path.contains("{@");
        (asks && is_open()).then_some(Value::External)
    }

    /// What a function or type returns that is called with a type argument.
    pub(super) fn applied_result(&self, id: SymbolId, argument: &Elements, depth: u32) -> PossibleValues {
        if self.symbol(id).kind.is_type() {
            return smallvec![Value::Instance(id), Value::Argument(argument.clone())];
        }
        // Of several type arguments of a function, it is not known which one its result has.
        let substituted = if argument.is_by_key { None } else { self.substituted_result(id, argument, depth) };
        substituted.unwrap_or_else(|| self.call_result(&Value::Callable(id), depth))
    }

    /// What a function returns that is called with a type argument, if its result depends on it.
    pub(super) fn substituted_result(&self, id: SymbolId, argument: &Elements, depth: u32) -> Option<PossibleValues> {
        let facts = self.facts_for(id, None).1;
        let fact = facts.iter().find(|fact| fact.is_declared && !self.symbol(id).kind.is_type())?;
        let alternatives = split_alternatives(self.names().text(fact.text));
        let substituted =
            alternatives.filter_map(|one| self.substituted(id, fact.scope, one, argument, depth)).flatten();
        Some(substituted.collect()).filter(|found: &PossibleValues| !found.is_empty())
    }

    /// The path after a class that is an argument of a call, `{<A>}()`, if none of the functions takes the class of what it
    /// returns.
    pub(super) fn without_class<'p>(&self, values: &[Value], name: &str, rest: &'p str, depth: u32) -> Option<&'p str> {
        let call = rest.strip_prefix("{<")?.strip_prefix(CLASS_MARK)?.split_once(">}")?.1;
        let functions = values.iter().flat_map(|value| match self.lookup_member(value, self.name(name), depth) {
            MemberLookup::Definitions(ids) => ids,
            _ => SymbolIds::new(),
        });
        // What a module or something outside of the repository does with the class is decided where it is called.
        let is_of_module = values.iter().all(|value| matches!(value, Value::Module(_) | Value::Outside(_)));
        let takes_class = |function: SymbolId| self.parameter_texts(function).any(may_take_class);
        (!is_of_module && !functions.into_iter().any(takes_class)).then_some(call)
    }

    fn parameter_texts(&self, function: SymbolId) -> impl Iterator<Item = &str> {
        self.table.parameters.of(function).iter().map(|parameter| self.names().text(parameter.written))
    }

    /// Whether a name in the signature of a function stands for the type with which it is called, or for the one whose class
    /// is an argument.
    fn is_type_parameter_of(&self, function: SymbolId, name: &str, argument: &Elements) -> bool {
        if argument.types.starts_with(CLASS_MARK) {
            // A type variable is no class.
            let is_class = || {
                let resolver = self.for_file(self.symbol(function).file);
                let types = resolver.resolve_root(function, name, Root::Type, 0);
                types.iter().any(|value| matches!(value, Value::Type(id) if self.symbol(*id).kind != Kind::Type))
            };
            return self.parameter_texts(function).any(|text| takes_class_of(text, name)) && !is_class();
        }
        let is_bound = || self.facts_for(function, Some(self.name(name))).1.iter().any(|fact| fact.is_declared);
        is_type_parameter(name) || is_bound()
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
        let is_parameter = |name: &str| self.is_type_parameter_of(function, name, argument);
        let elements = || self.element_values(argument.file, argument.scope, &argument.types, depth + 1);
        if is_parameter(text) {
            return Some(elements());
        }
        if let Some(parts) = split_tuple(text) {
            let types = argument.types.trim_start_matches(CLASS_MARK);
            let parts = parts.into_iter().map(|part| {
                let (name, written) = part.split_once(PART_MARK).map_or(("", part), |(name, rest)| (name, rest));
                let known = if is_parameter(written) { types } else { "" };
                if name.is_empty() { known.to_owned() } else { format!("{name}{PART_MARK}{known}") }
            });
            let parts: Vec<String> = parts.collect();
            let has_known = parts.iter().any(|part| !part.is_empty() && !part.ends_with(PART_MARK));
            let tuple = format!("#({})", parts.join(",")).into();
            return has_known.then(|| smallvec![Value::Tuple(argument.file, argument.scope, tuple)]);
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
        let types = argument.types.trim_start_matches(CLASS_MARK).into();
        let elements = Elements { is_by_key: false, types, ..argument.clone() };
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
                    None => self.element_values(argument.file, argument.scope, &argument.types, depth + 1),
                };
                return (!found.is_empty()).then_some((found, called.filter(|_| is_called).unwrap_or(rest)));
            }
        }
        None
    }
}

/// Whether a parameter takes the class of a type, by its written type: `type[A] | None`, `Class<A>`, `new () => A`.
fn takes_class_of(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_word =
        |&(at, _): &(usize, &str)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part);
    let is_object = split_alternatives(text).any(|one| one.trim() == name);
    may_take_class(text) && !is_object && text.match_indices(name).any(|found| is_word(&found))
}

/// Whether a parameter may take a class, by its written type.
fn may_take_class(text: &str) -> bool {
    ["type[", "Type[", "<", "new "].iter().any(|mark| text.contains(mark))
}
