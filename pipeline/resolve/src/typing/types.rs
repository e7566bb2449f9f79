//! Written types as values.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::extract::{BUILT_IN, split_alternatives, split_elements, split_tuple};
use smallvec::smallvec;

use super::names::Root;
use crate::classes::Classes;
use crate::resolution::{SymbolIds, retain_preferred};
use crate::target_class::can_target;
use crate::value::{Elements, MAX_DEPTH, Outside, PossibleValues, Value};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// Objects of a written type, or of its alternatives.
    pub(super) fn evaluate_type(&self, scope: SymbolId, text: &str, depth: u32) -> PossibleValues {
        if depth > MAX_DEPTH {
            return PossibleValues::new();
        }
        let mut all = PossibleValues::new();
        for alternative in split_alternatives(text).filter(|alternative| !alternative.is_empty()) {
            if alternative.starts_with('(') {
                all.push(Value::Returns(self.file, scope, alternative.into()));
                continue;
            }
            if split_tuple(alternative).is_some() {
                all.push(Value::Tuple(self.file, scope, alternative.into()));
                continue;
            }
            let (path, elements) = split_elements(alternative);
            if path == BUILT_IN {
                all.push(Value::External);
                all.extend(elements.map(|of| self.elements(scope, of)));
                continue;
            }
            let mut segments = path.split('.');
            let first = segments.next().unwrap_or("");
            let is_full_name = self.is_name_path(path) && path.contains(['.', '\\']);
            let found = is_full_name.then(|| self.definition_of_path(path, false)).flatten();
            let mut values: PossibleValues = match found.or_else(|| self.included_type(path)) {
                Some(found) => smallvec![Value::Type(found)],
                None => segments.fold(self.resolve_root(scope, first, Root::Type, depth + 1), |values, segment| {
                    values.iter().flat_map(|value| self.nested_type(value, segment)).collect()
                }),
            };
            if values.is_empty() {
                values.extend(self.type_opened_by_path(path).map(Value::Type));
            }
            if values.is_empty()
                && let Some((package, name)) = path.rsplit_once('.')
            {
                let found = self.fully_named_type(package, name).or_else(|| self.module_of_path(path));
                values.extend(found.map(Value::Type));
            }
            if values.is_empty() && path == first {
                values.extend(self.type_defined_elsewhere(first).map(Value::Type));
            }
            if values.is_empty() && path == first && is_built_in(first) {
                values.push(Value::BuiltIn(first.into()));
            }
            if let Some(wrapped) =
                elements.filter(|of| !of.is_by_key && values.iter().any(|value| self.is_wrapper(value)))
            {
                all.extend(self.evaluate_type(scope, wrapped.types, depth + 1));
                continue;
            }
            // What a type of the repository does with its arguments is not known.
            if values.iter().all(Value::is_external) {
                all.extend(elements.map(|of| self.elements(scope, of)));
            } else if let Some(Value::Elements(argument)) = elements.map(|of| self.elements(scope, of)) {
                all.push(Value::Argument(argument));
            }
            for value in values {
                match value {
                    Value::Type(id) => {
                        let (at, facts) = self.facts_for(id, None);
                        // A type alias.
                        if self.symbol(id).kind == Kind::Type && !facts.is_empty() {
                            let aliased = self.evaluate_facts(at, facts, depth + 1);
                            // A collection with a name may have methods of its own.
                            if aliased.iter().any(|value| matches!(value, Value::Elements(_))) {
                                all.push(Value::Instance(id));
                            }
                            all.extend(aliased.iter().cloned());
                        } else {
                            all.push(Value::Instance(self.tagged_type(id).unwrap_or(id)));
                        }
                    }
                    Value::Outside(found) => all.push(Value::Outside(Outside { is_instance: true, ..found })),
                    Value::Instance(_)
                    | Value::Argument(_)
                    | Value::External
                    | Value::BuiltIn(_)
                    | Value::Returns(..)
                    | Value::Tuple(..)
                    | Value::Elements(_) => all.push(value),
                    Value::Super(_) | Value::Callable(_) | Value::Applied(..) | Value::Module(_) => {}
                }
            }
        }
        all
    }

    /// Whether a value is an alias that has the name of a type which is replaced by its argument: `type Result<T> = ...`.
    fn is_wrapper(&self, value: &Value) -> bool {
        let Value::Type(id) = value else { return false };
        let symbol = self.symbol(*id);
        symbol.kind == Kind::Type
            && self.language().is_some_and(|language| language.wrappers.contains(&self.names().text(symbol.name)))
    }

    fn elements(&self, scope: SymbolId, written: sextant_syntax::extract::Elements<'_>) -> Value {
        let (file, types) = (self.file, written.types.into());
        Value::Elements(Elements { file, scope, types, is_by_key: written.is_by_key })
    }

    /// The type that is opened by its path alone, where what the path begins with is defined elsewhere: Ruby's
    /// `class Minitest::Test`.
    fn type_opened_by_path(&self, path: &str) -> Option<SymbolId> {
        let (owner, name) = path.rsplit_once('.')?;
        let owner = self.name(owner.rsplit('.').next().unwrap_or(owner));
        let members = self.members_named(self.name(name), owner).iter().copied();
        let here: SymbolIds = members.filter(|&id| self.share_linkage_group(self.symbol(id).file, self.file)).collect();
        self.reopened_type(&here).or_else(|| self.reopened_definition(&here).filter(|_| self.is_ruby()))
    }

    /// The type of C++ that a path names, `zoo::Dog`: in a namespace, which many files open, or in another type.
    fn included_type(&self, path: &str) -> Option<SymbolId> {
        let (owner, name) = path.rsplit_once('.').filter(|_| self.uses_includes())?;
        let owner = self.name(owner.rsplit('.').next().unwrap_or(owner));
        let members = self.members_named(self.name(name), owner).iter().copied();
        let is_known = |&id: &SymbolId| self.symbol(id).kind.is_type() && self.includes(self.symbol(id).file);
        let mut types: SymbolIds = members.filter(is_known).collect();
        retain_preferred(&mut types, |id| self.symbol(id).has_body);
        self.unique_definition(&types)
    }

    /// The type that an included file only declares, `class Name;`, if one file alone defines it.
    fn type_defined_elsewhere(&self, name: &str) -> Option<SymbolId> {
        if !self.uses_includes() {
            return None;
        }
        let named = self.named(self.name(name), Classes::TYPE).iter().copied();
        let types: SymbolIds = named
            .filter(|&id| self.symbol(id).kind.is_type() && self.symbol(id).kind != Kind::Type)
            .filter(|&id| self.symbol(id).has_body && self.share_linkage_group(self.symbol(id).file, self.file))
            .collect();
        self.unique_definition(&types)
    }

    /// The struct, union or enum that a typedef names like itself: `typedef struct a a`.
    fn tagged_type(&self, id: SymbolId) -> Option<SymbolId> {
        let alias = self.symbol(id);
        if alias.kind != Kind::Type || !self.uses_includes() {
            return None;
        }
        let named = self.named(alias.name, Classes::TYPE).iter().copied();
        let mut types: SymbolIds = named
            .filter(|&id| self.symbol(id).kind.is_type() && self.symbol(id).kind != Kind::Type)
            .filter(|&id| self.share_linkage_group(self.symbol(id).file, alias.file))
            .collect();
        retain_preferred(&mut types, |id| self.symbol(id).has_body);
        retain_preferred(&mut types, |id| self.symbol(id).file == self.file);
        retain_preferred(&mut types, |id| self.symbol(id).file == alias.file);
        self.unique_definition(&types)
    }

    /// A type that is nested in a type or module.
    fn nested_type(&self, value: &Value, name: &str) -> PossibleValues {
        let id = self.name(name);
        match value {
            Value::External | Value::BuiltIn(_) => smallvec![Value::External],
            Value::Outside(outer) => smallvec![self.outside_member(outer, name)],
            Value::Module(files) => self
                .unique_definition(self.exported_definitions(files, id, EdgeKind::Type))
                .map(Value::Type)
                .or_else(|| self.module_inside(files, name))
                .into_iter()
                .collect(),
            Value::Type(container) => {
                let inside = self.named_in(id, self.symbol(*container).file).iter().copied();
                let inside = inside.filter(|&id| {
                    let around = self.symbol(id).container;
                    let is_inside =
                        around == Some(*container) || around.is_some_and(|id| self.are_companions(id, *container));
                    let is_variant = self.is_rust() && self.symbol(id).kind == Kind::EnumMember;
                    is_inside && (is_variant || can_target(EdgeKind::Type, self.symbol(id).kind))
                });
                self.unique_definition(inside).map(Value::Type).into_iter().collect()
            }
            _ => PossibleValues::new(),
        }
    }
}

/// Whether a type has the name of a type parameter: `T`, `K1`, `TState`.
pub(super) fn is_type_parameter(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric) && !is_built_in(name)
}

/// Whether an undefined name of a type is taken to be built in, as opposed to a type parameter.
fn is_built_in(name: &str) -> bool {
    let mut chars = name.chars();
    let (first, second) = (chars.next().unwrap_or('_'), chars.next().unwrap_or('_'));
    if first.is_lowercase() {
        return true;
    }
    // `T`, `K1`, `TState`, `_T`.
    first != '_' && name.chars().count() > 2 && !(matches!(first, 'T' | 'K' | 'V') && second.is_uppercase())
}
