//! What a receiver is: its chain of names, members and calls is followed from definition to definition, a
//! step at a time, by the types that files write and by the values that names are given.
//!
//! Knows chains and types as `sextant_syntax::extract` writes them, and no language. Everything is by
//! name and without flow: a variable that is given two types has both.

use std::rc::Rc;

use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::extract::{BUILT_IN, DEFAULT_EXPORT, MODULE_EXPORTS};
use sextant_syntax::language::{ModuleSystem, ReceiverKeyword};
use smallvec::{SmallVec, smallvec};

use super::imports::Import;
use super::interner::NO_NAME;
use super::table::RawReference;
use super::type_facts::InternedTypeFact;
use super::{Resolver, SymbolIds, can_target};

/// A step from one definition to another is followed so deep.
pub(super) const MAX_DEPTH: u32 = 24;
/// One question is given up after so many steps.
const MAX_STEPS: u32 = 400;
/// More possible values say nothing.
const MAX_VALUES: usize = 8;

/// What a chain leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// An object of a type, or the object that a constant is.
    Instance(u32),
    /// A type, module or namespace itself.
    Type(u32),
    /// What a type has from its bases.
    Super(u32),
    /// A function.
    Callable(u32),
    /// What returns a type when it is called: the file, the scope, and the type's text.
    Returns(u32, u32, Rc<str>),
    /// The files of a module.
    Module(Rc<[u32]>),
    /// Something that the repository does not define.
    External,
}

/// What a member's name means.
pub(super) enum MemberLookup {
    /// These definitions.
    Definitions(SymbolIds),
    /// The receiver is known, and it has no such member here.
    Missing,
    /// The receiver is of something that the repository does not define.
    External,
    /// Nothing is known of the receiver.
    Unknown,
}

/// What something may be, as it is remembered.
pub(super) type CachedValues = Rc<[Value]>;

/// What something may be, one value as a rule.
pub(super) type PossibleValues = SmallVec<[Value; 1]>;

impl Resolver<'_, '_> {
    /// Counts a step of the question that is asked; false where it has had too many.
    pub(super) fn take_step(&self) -> bool {
        self.cache.steps.set(self.cache.steps.get().saturating_add(1));
        !self.is_budget_exhausted()
    }

    /// Whether the question has had too many steps: what comes out is not the whole answer.
    pub(super) fn is_budget_exhausted(&self) -> bool {
        self.cache.steps.get() > MAX_STEPS
    }

    /// What the name of a reference means in its receiver, and whether the receiver is a type or module by its name.
    pub(super) fn lookup_receiver_member(&self, reference: &RawReference) -> (MemberLookup, bool) {
        self.cache.reset_steps();
        let values = self.receiver_values(reference);
        let is_path = values.iter().all(|value| matches!(value, Value::Type(_) | Value::Module(_)));
        (self.lookup_member_in(&values, reference.name, reference.kind), is_path)
    }

    fn lookup_member_in(&self, values: &[Value], name: u32, kind: EdgeKind) -> MemberLookup {
        if values.is_empty() {
            return MemberLookup::Unknown;
        }
        let mut found = SymbolIds::new();
        let (mut is_external, mut is_open) = (false, false);
        for value in values {
            match self.lookup_member(value, name, 0) {
                MemberLookup::Definitions(ids) => {
                    found.extend(ids.into_iter().filter(|&id| can_target(kind, self.symbol(id).kind)))
                }
                MemberLookup::External => is_external = true,
                MemberLookup::Unknown => is_open = true,
                MemberLookup::Missing => {}
            }
        }
        found.sort_unstable();
        found.dedup();
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
        let owner = self.names().text(reference.owner);
        // A variable has its sign in the facts about it.
        let path = if is_variable { format!("${owner}") } else { sextant_syntax::extract::access_path(owner) };
        let values: CachedValues = self.evaluate_access_path(reference.source, &path, 0).into_iter().collect();
        self.cache.receivers.borrow_mut().insert(key, Rc::clone(&values));
        values
    }

    /// What a chain may be; nothing where that is not known.
    fn evaluate_access_path(&self, scope: u32, path: &str, depth: u32) -> PossibleValues {
        let mut all = PossibleValues::new();
        let mut rest = path;
        while !rest.is_empty() {
            // A type that the chain begins with may have alternatives of its own.
            let from = if rest.starts_with('<') { rest.find('>').unwrap_or(0) } else { 0 };
            let end = rest[from..].find('|').map_or(rest.len(), |at| from + at);
            for value in self.evaluate_alternative(scope, &rest[..end], depth) {
                if !all.contains(&value) {
                    all.push(value);
                }
            }
            rest = rest.get(end + 1..).unwrap_or("");
        }
        all.truncate(MAX_VALUES);
        all
    }

    fn evaluate_alternative(&self, scope: u32, path: &str, depth: u32) -> PossibleValues {
        if depth > MAX_DEPTH {
            return PossibleValues::new();
        }
        if path == BUILT_IN {
            return smallvec![Value::External];
        }
        let (mut values, mut rest) = if let Some((types, rest)) = path.strip_prefix('<').and_then(|c| c.split_once('>'))
        {
            (self.evaluate_type(scope, types, depth + 1), rest)
        } else {
            let end = path.find(['.', '(', '[']).unwrap_or(path.len());
            (self.resolve_root(scope, &path[..end], false, depth + 1), &path[end..])
        };
        while !rest.is_empty() && !values.is_empty() {
            if !self.take_step() {
                return PossibleValues::new();
            }
            let next: PossibleValues;
            if let Some(after) = rest.strip_prefix("()") {
                next = values.iter().flat_map(|value| self.call_result(value, depth + 1)).collect();
                rest = after;
            } else if let Some(after) = rest.strip_prefix("[]") {
                next = values.into_iter().filter(|value| *value == Value::External).collect();
                rest = after;
            } else {
                let after = rest.trim_start_matches('.');
                let end = after.find(['.', '(', '[']).unwrap_or(after.len());
                let name = &after[..end];
                rest = &after[end..];
                let found: PossibleValues =
                    values.iter().flat_map(|value| self.member_values(value, name, depth + 1)).collect();
                // `unwrap()` of a type that stands for its argument.
                next = match rest.strip_prefix("()") {
                    Some(after) if found.is_empty() && self.is_transparent_method(name) => {
                        rest = after;
                        values
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

    /// Whether a member of this name hands on what it is called on, where the type has none of that name.
    fn is_transparent_method(&self, name: &str) -> bool {
        let language = self.table.files[self.file as usize].language;
        language.is_some_and(|language| language.transparent_methods.contains(&name))
    }

    /// What a name means that a chain or a type begins with.
    fn resolve_root(&self, scope: u32, name: &str, wants_type: bool, depth: u32) -> PossibleValues {
        if let Some(keyword) = self.receiver_keyword(scope, name, depth)
            && !(wants_type && keyword == ReceiverKeyword::Super)
        {
            return self.keyword_value(scope, keyword).into_iter().collect();
        }
        let Some(name) = self.names().find(name) else { return PossibleValues::new() };
        let kind = if wants_type { EdgeKind::Type } else { EdgeKind::Reference };
        let compatible = self.candidates_named(name, kind, !wants_type);
        let here = self.index.in_file(&compatible, self.symbol(scope).file);
        let language = self.table.files[self.file as usize].language;
        let implicit_this = language.is_some_and(|language| language.implicit_this);
        let mut enclosing = scope;
        loop {
            let symbol = self.symbol(enclosing);
            let is_open = implicit_this || wants_type || !symbol.kind.is_type();
            if is_open {
                let inside = here.iter().copied().filter(|&id| self.symbol(id).container == enclosing);
                if let Some(id) = self.unique_definition(inside) {
                    return self.value_of(id, depth);
                }
                let (at, facts) = self.table.type_facts.facts_for(enclosing, name);
                if !facts.is_empty() && !wants_type {
                    return self.evaluate_facts(at, facts, depth).as_ref().into();
                }
                if implicit_this
                    && symbol.kind.is_type()
                    && let MemberLookup::Definitions(inherited) =
                        self.lookup_member(&Value::Instance(enclosing), name, depth + 1)
                    && let Some(id) =
                        self.unique_definition(&inherited).filter(|&id| can_target(kind, self.symbol(id).kind))
                {
                    return self.value_of(id, depth);
                }
            }
            if symbol.kind == Kind::File {
                break;
            }
            enclosing = symbol.container;
        }
        let top = self.index.in_file(&compatible, self.file).iter().copied();
        if let Some(id) = self.unique_definition(top.filter(|&id| self.is_top_level(id))) {
            return self.value_of(id, depth);
        }
        let imports = self.imports.binding(name);
        if !imports.is_empty() {
            return imports.iter().flat_map(|import| self.imported_values(import, kind, depth)).collect();
        }
        if let Some(id) = self.resolve_glob_import(name, kind, &compatible) {
            return self.value_of(id, depth);
        }
        let unique_where = |filter: &dyn Fn(u32) -> bool| {
            self.unique_definition(
                compatible.iter().copied().filter(|&id| self.is_visible_unqualified(id) && filter(id)),
            )
        };
        let folder = self.table.files[self.file as usize].folder;
        if language.is_some_and(|language| language.folder_is_package)
            && let Some(id) = unique_where(&|id| self.table.files[self.symbol(id).file as usize].folder == folder)
        {
            return self.value_of(id, depth);
        }
        if !self.requires_imports() {
            return unique_where(&|id| self.symbol(id).kind.is_type())
                .map_or_else(PossibleValues::new, |id| self.value_of(id, depth));
        }
        // Nobody here binds it: the language has it, or something that is installed.
        let is_external_name =
            self.imports.glob_files().is_empty() && !wants_type && !self.imports.is_module_path_root(name);
        if is_external_name { smallvec![Value::External] } else { PossibleValues::new() }
    }

    /// What an import binds: a definition, what a module is or exports as a whole, or the module's files.
    fn imported_values(&self, import: &Import, kind: EdgeKind, depth: u32) -> PossibleValues {
        let files = &import.files;
        if files.is_empty() {
            return smallvec![Value::External];
        }
        let default = self.names().find(DEFAULT_EXPORT);
        let is_default = import.is_default || default.is_some_and(|default| import.name == default);
        let export_keys: &[&str] = match import {
            _ if is_default => &[DEFAULT_EXPORT, MODULE_EXPORTS],
            Import { is_namespace_import: true, .. } => &[MODULE_EXPORTS],
            _ => &[],
        };
        for (file, key) in files.iter().flat_map(|file| export_keys.iter().map(move |key| (*file, *key))) {
            let Some(key) = self.names().find(key) else { continue };
            let (at, facts) = self.table.type_facts.facts_for(self.table.files[file as usize].first_symbol, key);
            if !facts.is_empty() {
                return self.evaluate_facts(at, facts, depth).as_ref().into();
            }
        }
        if let Some(id) = self.unique_definition(self.exported_definitions(files, import.name, kind)) {
            return self.value_of(id, depth);
        }
        // What another module exports without a name: `export { default } from`, `export { default as a } from`.
        let name = if is_default { default } else { Some(import.name) };
        for &file in files.iter().filter(|&&file| depth < MAX_DEPTH && self.reexports_imports(file)) {
            let reexported = name.map_or_else(SmallVec::new, |name| self.all_imports.imports_of(file).binding(name));
            for step in reexported.into_iter().filter(|step| Some(step.name) == default && self.take_step()) {
                let values = self.for_file(file).imported_values(step, kind, depth + 1);
                if !values.is_empty() && !values.iter().any(|value| matches!(value, Value::Module(_))) {
                    return values;
                }
            }
        }
        // A name that the module gives to something of its own: `export { a as b }`.
        for &file in files {
            let (at, facts) =
                self.table.type_facts.facts_for(self.table.files[file as usize].first_symbol, import.name);
            if !facts.is_empty() {
                return self.evaluate_facts(at, facts, depth).as_ref().into();
            }
        }
        let modules = if import.is_namespace_import { Vec::new() } else { self.reexported_module(files, import.name) };
        smallvec![Value::Module(if modules.is_empty() { files.as_slice().into() } else { modules.into() })]
    }

    /// The files of the module that a name of these files means: `import * as z from './z'; export { z }`.
    fn reexported_module(&self, files: &[u32], name: u32) -> Vec<u32> {
        let mut worklist: Vec<(u32, u32)> = files.iter().map(|&file| (file, name)).collect();
        let mut next = 0;
        while let Some(&(file, name)) = worklist.get(next) {
            next += 1;
            if !self.reexports_imports(file) || worklist.len() > super::MAX_REEXPORTS {
                continue;
            }
            let imports = self.all_imports.imports_of(file);
            for import in imports.binding(name) {
                if import.is_namespace_import {
                    return import.files.clone();
                }
                let steps = import.files.iter().map(|&file| (file, import.name));
                worklist.extend(steps.filter(|step| step.1 != NO_NAME && !worklist.contains(step)).collect::<Vec<_>>());
            }
            let glob_imported = imports.glob_files().iter().map(|&file| (file, name));
            worklist.extend(glob_imported.filter(|step| !worklist.contains(step)).collect::<Vec<_>>());
        }
        Vec::new()
    }

    /// What a definition is when its name is used.
    fn value_of(&self, id: u32, depth: u32) -> PossibleValues {
        let symbol = self.symbol(id);
        match symbol.kind {
            kind if kind.is_type() || matches!(kind, Kind::Module | Kind::Namespace) => smallvec![Value::Type(id)],
            kind if kind.is_callable() => smallvec![Value::Callable(id)],
            Kind::EnumMember => smallvec![Value::Instance(symbol.container)],
            Kind::Variable | Kind::Constant | Kind::Field | Kind::Property => {
                let (at, facts) = self.table.type_facts.facts_for(id, NO_NAME);
                if facts.is_empty() {
                    smallvec![Value::Instance(id)]
                } else {
                    self.evaluate_facts(at, facts, depth).as_ref().into()
                }
            }
            _ => PossibleValues::new(),
        }
    }

    /// What hints of one thing come to.
    pub(super) fn evaluate_facts(&self, at: usize, facts: &[InternedTypeFact], depth: u32) -> CachedValues {
        if let Some(known) = self.cache.fact_values.borrow().get(&at) {
            return Rc::clone(known);
        }
        if depth > MAX_DEPTH || facts.is_empty() || !self.take_step() {
            return Rc::from([]);
        }
        // What is defined by itself says nothing.
        self.cache.fact_values.borrow_mut().insert(at, Rc::from([]));
        let there = self.for_file(self.symbol(facts[0].symbol).file);
        let only_written = facts.iter().any(|fact| fact.is_declared && !self.names().text(fact.text).is_empty());
        let mut all: PossibleValues = PossibleValues::new();
        for fact in facts.iter().filter(|fact| fact.is_declared == only_written) {
            let text = self.names().text(fact.text);
            let values = if fact.is_declared {
                there.evaluate_type(fact.scope, text, depth + 1)
            } else {
                there.evaluate_access_path(fact.scope, text, depth + 1)
            };
            for value in values {
                if !all.contains(&value) {
                    all.push(value);
                }
            }
        }
        all.truncate(MAX_VALUES);
        let all: CachedValues = all.into_iter().collect();
        if self.is_budget_exhausted() {
            self.cache.fact_values.borrow_mut().remove(&at);
        } else {
            self.cache.fact_values.borrow_mut().insert(at, Rc::clone(&all));
        }
        all
    }

    /// Objects of the types that a written type may be.
    pub(super) fn evaluate_type(&self, scope: u32, text: &str, depth: u32) -> PossibleValues {
        if depth > MAX_DEPTH {
            return PossibleValues::new();
        }
        let mut all = PossibleValues::new();
        for path in text.split('|').filter(|path| !path.is_empty()) {
            if path == BUILT_IN {
                all.push(Value::External);
                continue;
            }
            if let Some(returned) = path.strip_prefix("()") {
                all.push(Value::Returns(self.file, scope, returned.into()));
                continue;
            }
            let mut segments = path.split('.');
            let first = segments.next().unwrap_or("");
            let mut values = self.resolve_root(scope, first, true, depth + 1);
            for segment in segments {
                values = values.iter().flat_map(|value| self.nested_type(value, segment)).collect();
            }
            if values.is_empty() && path == first && is_built_in(first) {
                values.push(Value::External);
            }
            for value in values {
                match value {
                    Value::Type(id) => {
                        let (at, facts) = self.table.type_facts.facts_for(id, NO_NAME);
                        // Another name for a type.
                        if self.symbol(id).kind == Kind::Type && !facts.is_empty() {
                            all.extend(self.evaluate_facts(at, facts, depth + 1).iter().cloned());
                        } else {
                            all.push(Value::Instance(id));
                        }
                    }
                    Value::Instance(_) | Value::External | Value::Returns(..) => all.push(value),
                    Value::Super(_) | Value::Callable(_) | Value::Module(_) => {}
                }
            }
        }
        all
    }

    /// A type inside of a type or module.
    fn nested_type(&self, value: &Value, name: &str) -> PossibleValues {
        let Some(id) = self.names().find(name) else { return PossibleValues::new() };
        match value {
            Value::External => smallvec![Value::External],
            Value::Module(files) => self
                .unique_definition(self.exported_definitions(files, id, EdgeKind::Type))
                .map(Value::Type)
                .into_iter()
                .collect(),
            Value::Type(container) => {
                let inside = self.index.named_in(id, self.symbol(*container).file).iter().copied();
                let inside = inside.filter(|&id| {
                    self.symbol(id).container == *container && can_target(EdgeKind::Type, self.symbol(id).kind)
                });
                self.unique_definition(inside).map(Value::Type).into_iter().collect()
            }
            _ => PossibleValues::new(),
        }
    }

    /// What a call of a value gives.
    fn call_result(&self, value: &Value, depth: u32) -> PossibleValues {
        match value {
            Value::Type(id) => smallvec![Value::Instance(*id)],
            Value::External => smallvec![Value::External],
            // `super().x` begins at the bases.
            Value::Super(id) => smallvec![Value::Super(*id)],
            Value::Returns(file, scope, text) => self.for_file(*file).evaluate_type(*scope, text, depth + 1),
            Value::Callable(id) if self.symbol(*id).kind == Kind::Constructor => {
                self.enclosing_type(*id).map(Value::Instance).into_iter().collect()
            }
            Value::Callable(id) => {
                let (at, facts) = self.table.type_facts.facts_for(*id, NO_NAME);
                self.evaluate_facts(at, facts, depth + 1).as_ref().into()
            }
            Value::Instance(id) if depth < MAX_DEPTH => {
                let members = self.language().map_or(&[][..], |language| language.callable_members);
                let names = members.iter().filter_map(|name| self.names().find(name));
                names
                    .flat_map(|name| self.own_members(*id, name))
                    .flat_map(|method| self.call_result(&Value::Callable(method), depth + 1))
                    .collect()
            }
            Value::Instance(_) => PossibleValues::new(),
            Value::Module(_) => PossibleValues::new(),
        }
    }

    /// The definition that stands for an import as a whole: what a module exports as its default.
    pub(super) fn default_export_target(&self, import: &Import, kind: EdgeKind) -> Option<u32> {
        self.cache.reset_steps();
        let target = match self.imported_values(import, kind, 0).as_slice() {
            [Value::Callable(id) | Value::Type(id)] => Some(*id),
            _ => None,
        };
        target.filter(|&id| can_target(kind, self.symbol(id).kind))
    }

    /// What a member of a value is.
    fn member_values(&self, value: &Value, name: &str, depth: u32) -> PossibleValues {
        // Without parentheses a method is called all the same.
        if let Value::Callable(_) = value
            && !self.is_ecma_or_python()
            && depth < MAX_DEPTH
        {
            let called = self.call_result(value, depth + 1);
            return called.iter().flat_map(|value| self.member_values(value, name, depth + 1)).collect();
        }
        let Some(name) = self.names().find(name) else {
            return if *value == Value::External { smallvec![Value::External] } else { PossibleValues::new() };
        };
        let found = match self.lookup_member(value, name, depth + 1) {
            MemberLookup::Definitions(ids) => ids.into_iter().flat_map(|id| self.value_of(id, depth)).collect(),
            MemberLookup::External => smallvec![Value::External],
            MemberLookup::Missing | MemberLookup::Unknown => PossibleValues::new(),
        };
        let is_known =
            found.iter().any(|value| !matches!(value, Value::Instance(id) if !self.symbol(*id).kind.is_type()));
        if !is_known && let Value::Instance(id) | Value::Type(id) | Value::Super(id) = value {
            // What is only ever assigned to has no symbol.
            for owner in std::iter::once(*id).chain(self.bases_of(*id, depth + 1).0) {
                let (at, facts) = self.table.type_facts.facts_for(owner, name);
                if !facts.is_empty() {
                    return self.evaluate_facts(at, facts, depth).as_ref().into();
                }
            }
        }
        found
    }

    /// Whether a name must be imported, or defined in the file, to mean something.
    pub(super) fn requires_imports(&self) -> bool {
        match self.table.files[self.file as usize].language.map(|language| language.modules) {
            Some(ModuleSystem::Python) => true,
            // A script that is no module shares its names with others.
            Some(ModuleSystem::EcmaScript) => self.table.files[self.file as usize].is_module,
            _ => false,
        }
    }

    /// Whether a receiver that is known and has no such member proves that nothing here is meant.
    pub(super) fn has_closed_members(&self) -> bool {
        self.table.files[self.file as usize].language.is_some_and(|language| language.closed_members)
    }

    pub(super) fn is_ecma_or_python(&self) -> bool {
        let rule = self.table.files[self.file as usize].language.map(|language| language.modules);
        matches!(rule, Some(ModuleSystem::Python | ModuleSystem::EcmaScript))
    }
}

/// Whether a type's name that nothing here defines is one that everybody has: a type parameter is not.
fn is_built_in(name: &str) -> bool {
    let mut chars = name.chars();
    let (first, second) = (chars.next().unwrap_or('_'), chars.next().unwrap_or('_'));
    if first.is_lowercase() {
        return true;
    }
    // `T`, `K1`, `TState`, `_T`.
    first != '_' && name.chars().count() > 2 && !(matches!(first, 'T' | 'K' | 'V') && second.is_uppercase())
}
