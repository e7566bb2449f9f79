//! What a receiver is: its chain of names, members and calls is followed from definition to definition, a
//! step at a time, by the types that files write and by the values that names are given.
//!
//! Knows chains and types as `sextant_syntax::extract` writes them, and no language. Everything is by
//! name and without flow: a variable that is given two types has both.

use std::rc::Rc;

use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::extract::{BUILT_IN, DEFAULT_EXPORT, WHOLE_MODULE};
use sextant_syntax::language::Modules as Rule;
use smallvec::{SmallVec, smallvec};

use super::hints::Hint;
use super::names::NO_NAME;
use super::scope::Import;
use super::{Ids, Resolver, fits};

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
    Above(u32),
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
pub(super) enum Member {
    /// These definitions.
    Found(Ids),
    /// The receiver is known, and it has no such member here.
    Missing,
    /// The receiver is of something that the repository does not define.
    External,
    /// Nothing is known of the receiver.
    Unknown,
}

/// What something may be, as it is remembered.
pub(super) type Values = Rc<[Value]>;

/// What something may be, one value as a rule.
pub(super) type Few = SmallVec<[Value; 1]>;

impl Resolver<'_, '_> {
    /// Counts a step of the question that is asked; false where it has had too many.
    pub(super) fn step(&self) -> bool {
        self.memory.steps.set(self.memory.steps.get().saturating_add(1));
        !self.is_given_up()
    }

    /// Whether the question has had too many steps: what comes out is not the whole answer.
    pub(super) fn is_given_up(&self) -> bool {
        self.memory.steps.get() > MAX_STEPS
    }

    /// What `owner.name` means for a use inside of `scope`, and whether the owner is a type or module by its name.
    pub(super) fn member_of_receiver(&self, scope: u32, owner: u32, name: u32, kind: EdgeKind) -> (Member, bool) {
        self.memory.begin();
        let values = self.receiver(scope, owner);
        let is_path = values.iter().all(|value| matches!(value, Value::Type(_) | Value::Module(_)));
        (self.member_of(&values, name, kind), is_path)
    }

    fn member_of(&self, values: &[Value], name: u32, kind: EdgeKind) -> Member {
        if values.is_empty() {
            return Member::Unknown;
        }
        let mut found = Ids::new();
        let (mut is_external, mut is_open) = (false, false);
        for value in values {
            match self.members(value, name, 0) {
                Member::Found(ids) => found.extend(ids.into_iter().filter(|&id| fits(kind, self.symbol(id).kind))),
                Member::External => is_external = true,
                Member::Unknown => is_open = true,
                Member::Missing => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        if !found.is_empty() {
            Member::Found(found)
        } else if is_external {
            Member::External
        } else if is_open {
            Member::Unknown
        } else {
            Member::Missing
        }
    }

    fn receiver(&self, scope: u32, owner: u32) -> Values {
        if let Some(known) = self.memory.receivers.borrow().get(&(scope, owner)) {
            return Rc::clone(known);
        }
        let chain = sextant_syntax::extract::chain(self.names().text(owner));
        let values: Values = self.chain(scope, &chain, 0).into_iter().collect();
        self.memory.receivers.borrow_mut().insert((scope, owner), Rc::clone(&values));
        values
    }

    /// What a chain may be; nothing where that is not known.
    fn chain(&self, scope: u32, chain: &str, depth: u32) -> Few {
        let mut all = Few::new();
        let mut rest = chain;
        while !rest.is_empty() {
            // A type that the chain begins with may have alternatives of its own.
            let from = if rest.starts_with('<') { rest.find('>').unwrap_or(0) } else { 0 };
            let end = rest[from..].find('|').map_or(rest.len(), |at| from + at);
            for value in self.alternative(scope, &rest[..end], depth) {
                if !all.contains(&value) {
                    all.push(value);
                }
            }
            rest = rest.get(end + 1..).unwrap_or("");
        }
        all.truncate(MAX_VALUES);
        all
    }

    fn alternative(&self, scope: u32, chain: &str, depth: u32) -> Few {
        if depth > MAX_DEPTH {
            return Few::new();
        }
        if chain == BUILT_IN {
            return smallvec![Value::External];
        }
        let (mut values, mut rest) =
            if let Some((types, rest)) = chain.strip_prefix('<').and_then(|c| c.split_once('>')) {
                (self.types(scope, types, depth + 1), rest)
            } else {
                let end = chain.find(['.', '(', '[']).unwrap_or(chain.len());
                (self.start(scope, &chain[..end], false, depth + 1), &chain[end..])
            };
        while !rest.is_empty() && !values.is_empty() {
            if !self.step() {
                return Few::new();
            }
            let next: Few;
            if let Some(after) = rest.strip_prefix("()") {
                next = values.iter().flat_map(|value| self.call(value, depth + 1)).collect();
                rest = after;
            } else if let Some(after) = rest.strip_prefix("[]") {
                next = values.into_iter().filter(|value| *value == Value::External).collect();
                rest = after;
            } else {
                let after = rest.trim_start_matches('.');
                let end = after.find(['.', '(', '[']).unwrap_or(after.len());
                let name = &after[..end];
                rest = &after[end..];
                let found: Few = values.iter().flat_map(|value| self.member_value(value, name, depth + 1)).collect();
                // `unwrap()` of a type that stands for its argument.
                next = match rest.strip_prefix("()") {
                    Some(after) if found.is_empty() && self.passes_through(name) => {
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
    fn passes_through(&self, name: &str) -> bool {
        let language = self.table.files[self.file as usize].language;
        language.is_some_and(|language| language.pass_through.contains(&name))
    }

    /// What a name means that a chain or a type begins with.
    fn start(&self, scope: u32, name: &str, wants_type: bool, depth: u32) -> Few {
        match name {
            "self" | "this" | "$this" => {
                return self.enclosing_type(scope).map(Value::Instance).into_iter().collect();
            }
            "cls" | "Self" | "static" => {
                return self.enclosing_type(scope).map(Value::Type).into_iter().collect();
            }
            "super" | "base" | "parent" if !wants_type => {
                return self.enclosing_type(scope).map(Value::Above).into_iter().collect();
            }
            _ => {}
        }
        let Some(name) = self.names().find(name) else { return Few::new() };
        let kind = if wants_type { EdgeKind::Type } else { EdgeKind::Reference };
        let fitting = self.meant(name, kind, !wants_type);
        let here = self.index.in_file(&fitting, self.symbol(scope).file);
        let language = self.table.files[self.file as usize].language;
        let implicit_this = language.is_some_and(|language| language.implicit_this);
        let mut around = scope;
        loop {
            let symbol = self.symbol(around);
            let is_open = implicit_this || wants_type || !symbol.kind.is_type();
            if is_open {
                let inside = here.iter().copied().filter(|&id| self.symbol(id).container == around);
                if let Some(id) = self.one(inside) {
                    return self.value_of(id, depth);
                }
                let (at, said) = self.table.hints.of(around, name);
                if !said.is_empty() && !wants_type {
                    return self.said(at, said, depth).as_ref().into();
                }
                if implicit_this
                    && symbol.kind.is_type()
                    && let Member::Found(inherited) = self.members(&Value::Instance(around), name, depth + 1)
                    && let Some(id) = self.one(&inherited).filter(|&id| fits(kind, self.symbol(id).kind))
                {
                    return self.value_of(id, depth);
                }
            }
            if symbol.kind == Kind::File {
                break;
            }
            around = symbol.container;
        }
        let top = self.index.in_file(&fitting, self.file).iter().copied();
        if let Some(id) = self.one(top.filter(|&id| self.is_top_level(id))) {
            return self.value_of(id, depth);
        }
        let imports = self.imports.local(name);
        if !imports.is_empty() {
            return imports.iter().flat_map(|import| self.imported(import, kind, depth)).collect();
        }
        if let Some(id) = self.starred(name, kind, &fitting) {
            return self.value_of(id, depth);
        }
        let by = |filter: &dyn Fn(u32) -> bool| {
            self.one(fitting.iter().copied().filter(|&id| self.is_bare(id) && filter(id)))
        };
        let folder = self.table.files[self.file as usize].folder;
        if language.is_some_and(|language| language.folder_is_package)
            && let Some(id) = by(&|id| self.table.files[self.symbol(id).file as usize].folder == folder)
        {
            return self.value_of(id, depth);
        }
        if !self.names_are_imported() {
            return by(&|id| self.symbol(id).kind.is_type()).map_or_else(Few::new, |id| self.value_of(id, depth));
        }
        // Nobody here binds it: the language has it, or something that is installed.
        let is_elsewhere = self.imports.star_files().is_empty() && !wants_type && !self.imports.is_path(name);
        if is_elsewhere { smallvec![Value::External] } else { Few::new() }
    }

    /// What an import binds: a definition, what a module is or exports as a whole, or the module's files.
    fn imported(&self, import: &Import, kind: EdgeKind, depth: u32) -> Few {
        let files = &import.files;
        if files.is_empty() {
            return smallvec![Value::External];
        }
        let default = self.names().find(DEFAULT_EXPORT);
        let is_default = import.is_default || default.is_some_and(|default| import.name == default);
        let wholes: &[&str] = match import {
            _ if is_default => &[DEFAULT_EXPORT, WHOLE_MODULE],
            Import { is_whole: true, .. } => &[WHOLE_MODULE],
            _ => &[],
        };
        for (file, whole) in files.iter().flat_map(|file| wholes.iter().map(move |whole| (*file, *whole))) {
            let Some(whole) = self.names().find(whole) else { continue };
            let (at, said) = self.table.hints.of(self.table.files[file as usize].first_symbol, whole);
            if !said.is_empty() {
                return self.said(at, said, depth).as_ref().into();
            }
        }
        if let Some(id) = self.one(self.exported(files, import.name, kind)) {
            return self.value_of(id, depth);
        }
        // What another module exports without a name: `export { default } from`, `export { default as a } from`.
        let name = if is_default { default } else { Some(import.name) };
        for &file in files.iter().filter(|&&file| depth < MAX_DEPTH && self.hands_on(file)) {
            let handed_on = name.map_or_else(SmallVec::new, |name| self.all.of(file).local(name));
            for step in handed_on.into_iter().filter(|step| Some(step.name) == default && self.step()) {
                let values = self.at(file).imported(step, kind, depth + 1);
                if !values.is_empty() && !values.iter().any(|value| matches!(value, Value::Module(_))) {
                    return values;
                }
            }
        }
        // A name that the module gives to something of its own: `export { a as b }`.
        for &file in files {
            let (at, said) = self.table.hints.of(self.table.files[file as usize].first_symbol, import.name);
            if !said.is_empty() {
                return self.said(at, said, depth).as_ref().into();
            }
        }
        let modules = if import.is_whole { Vec::new() } else { self.module_inside(files, import.name) };
        smallvec![Value::Module(if modules.is_empty() { files.as_slice().into() } else { modules.into() })]
    }

    /// The files of the module that a name of these files means: `import * as z from './z'; export { z }`.
    fn module_inside(&self, files: &[u32], name: u32) -> Vec<u32> {
        let mut open: Vec<(u32, u32)> = files.iter().map(|&file| (file, name)).collect();
        let mut next = 0;
        while let Some(&(file, name)) = open.get(next) {
            next += 1;
            if !self.hands_on(file) || open.len() > super::MAX_HANDED_ON {
                continue;
            }
            let imports = self.all.of(file);
            for import in imports.local(name) {
                if import.is_whole {
                    return import.files.clone();
                }
                let steps = import.files.iter().map(|&file| (file, import.name));
                open.extend(steps.filter(|step| step.1 != NO_NAME && !open.contains(step)).collect::<Vec<_>>());
            }
            let starred = imports.star_files().iter().map(|&file| (file, name));
            open.extend(starred.filter(|step| !open.contains(step)).collect::<Vec<_>>());
        }
        Vec::new()
    }

    /// What a definition is when its name is used.
    fn value_of(&self, id: u32, depth: u32) -> Few {
        let symbol = self.symbol(id);
        match symbol.kind {
            kind if kind.is_type() || matches!(kind, Kind::Module | Kind::Namespace) => smallvec![Value::Type(id)],
            kind if kind.is_callable() => smallvec![Value::Callable(id)],
            Kind::EnumMember => smallvec![Value::Instance(symbol.container)],
            Kind::Variable | Kind::Constant | Kind::Field | Kind::Property => {
                let (at, said) = self.table.hints.of(id, NO_NAME);
                if said.is_empty() {
                    smallvec![Value::Instance(id)]
                } else {
                    self.said(at, said, depth).as_ref().into()
                }
            }
            _ => Few::new(),
        }
    }

    /// What hints of one thing come to.
    fn said(&self, at: usize, said: &[Hint], depth: u32) -> Values {
        if let Some(known) = self.memory.hints.borrow().get(&at) {
            return Rc::clone(known);
        }
        if depth > MAX_DEPTH || said.is_empty() || !self.step() {
            return Rc::from([]);
        }
        // What is defined by itself says nothing.
        self.memory.hints.borrow_mut().insert(at, Rc::from([]));
        let there = self.at(self.symbol(said[0].symbol).file);
        let only_written = said.iter().any(|hint| hint.is_written && !self.names().text(hint.text).is_empty());
        let mut all: Few = Few::new();
        for hint in said.iter().filter(|hint| hint.is_written == only_written) {
            let text = self.names().text(hint.text);
            let values = if hint.is_written {
                there.types(hint.scope, text, depth + 1)
            } else {
                there.chain(hint.scope, text, depth + 1)
            };
            for value in values {
                if !all.contains(&value) {
                    all.push(value);
                }
            }
        }
        all.truncate(MAX_VALUES);
        let all: Values = all.into_iter().collect();
        if self.is_given_up() {
            self.memory.hints.borrow_mut().remove(&at);
        } else {
            self.memory.hints.borrow_mut().insert(at, Rc::clone(&all));
        }
        all
    }

    /// Objects of the types that a written type may be.
    pub(super) fn types(&self, scope: u32, text: &str, depth: u32) -> Few {
        if depth > MAX_DEPTH {
            return Few::new();
        }
        let mut all = Few::new();
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
            let mut values = self.start(scope, first, true, depth + 1);
            for segment in segments {
                values = values.iter().flat_map(|value| self.type_inside(value, segment)).collect();
            }
            if values.is_empty() && path == first && is_built_in(first) {
                values.push(Value::External);
            }
            for value in values {
                match value {
                    Value::Type(id) => {
                        let (at, said) = self.table.hints.of(id, NO_NAME);
                        // Another name for a type.
                        if self.symbol(id).kind == Kind::Type && !said.is_empty() {
                            all.extend(self.said(at, said, depth + 1).iter().cloned());
                        } else {
                            all.push(Value::Instance(id));
                        }
                    }
                    Value::Instance(_) | Value::External | Value::Returns(..) => all.push(value),
                    Value::Above(_) | Value::Callable(_) | Value::Module(_) => {}
                }
            }
        }
        all
    }

    /// A type inside of a type or module.
    fn type_inside(&self, value: &Value, name: &str) -> Few {
        let Some(id) = self.names().find(name) else { return Few::new() };
        match value {
            Value::External => smallvec![Value::External],
            Value::Module(files) => {
                self.one(self.exported(files, id, EdgeKind::Type)).map(Value::Type).into_iter().collect()
            }
            Value::Type(container) => {
                let inside = self.index.named_in(id, self.symbol(*container).file).iter().copied();
                let inside = inside.filter(|&id| {
                    self.symbol(id).container == *container && fits(EdgeKind::Type, self.symbol(id).kind)
                });
                self.one(inside).map(Value::Type).into_iter().collect()
            }
            _ => Few::new(),
        }
    }

    /// What a call of a value gives.
    fn call(&self, value: &Value, depth: u32) -> Few {
        match value {
            Value::Type(id) => smallvec![Value::Instance(*id)],
            Value::External => smallvec![Value::External],
            // `super().x` begins at the bases.
            Value::Above(id) => smallvec![Value::Above(*id)],
            Value::Returns(file, scope, text) => self.at(*file).types(*scope, text, depth + 1),
            Value::Callable(id) if self.symbol(*id).kind == Kind::Constructor => {
                self.enclosing_type(*id).map(Value::Instance).into_iter().collect()
            }
            Value::Callable(id) => {
                let (at, said) = self.table.hints.of(*id, NO_NAME);
                self.said(at, said, depth + 1).as_ref().into()
            }
            Value::Instance(id) => match self.names().find("__call__") {
                Some(name) if depth < MAX_DEPTH && self.is_ecma_or_python() => self
                    .own_members(*id, name)
                    .into_iter()
                    .flat_map(|method| self.call(&Value::Callable(method), depth + 1))
                    .collect(),
                _ => Few::new(),
            },
            Value::Module(_) => Few::new(),
        }
    }

    /// The definition that stands for an import as a whole: what a module exports as its default.
    pub(super) fn whole(&self, import: &Import, kind: EdgeKind) -> Option<u32> {
        self.memory.begin();
        let target = match self.imported(import, kind, 0).as_slice() {
            [Value::Callable(id) | Value::Type(id)] => Some(*id),
            _ => None,
        };
        target.filter(|&id| fits(kind, self.symbol(id).kind))
    }

    /// What a member of a value is.
    fn member_value(&self, value: &Value, name: &str, depth: u32) -> Few {
        // Without parentheses a method is called all the same.
        if let Value::Callable(_) = value
            && !self.is_ecma_or_python()
            && depth < MAX_DEPTH
        {
            let called = self.call(value, depth + 1);
            return called.iter().flat_map(|value| self.member_value(value, name, depth + 1)).collect();
        }
        let Some(name) = self.names().find(name) else {
            return if *value == Value::External { smallvec![Value::External] } else { Few::new() };
        };
        let found = match self.members(value, name, depth + 1) {
            Member::Found(ids) => ids.into_iter().flat_map(|id| self.value_of(id, depth)).collect(),
            Member::External => smallvec![Value::External],
            Member::Missing | Member::Unknown => Few::new(),
        };
        let is_known =
            found.iter().any(|value| !matches!(value, Value::Instance(id) if !self.symbol(*id).kind.is_type()));
        if !is_known && let Value::Instance(id) | Value::Type(id) | Value::Above(id) = value {
            // What is only ever assigned to has no symbol.
            for owner in std::iter::once(*id).chain(self.bases_of(*id, depth + 1).0) {
                let (at, said) = self.table.hints.of(owner, name);
                if !said.is_empty() {
                    return self.said(at, said, depth).as_ref().into();
                }
            }
        }
        found
    }

    /// Whether a name must be imported, or defined in the file, to mean something.
    pub(super) fn names_are_imported(&self) -> bool {
        match self.table.files[self.file as usize].language.map(|language| language.modules) {
            Some(Rule::Python) => true,
            // A script that is no module shares its names with others.
            Some(Rule::EcmaScript) => self.table.files[self.file as usize].is_module,
            _ => false,
        }
    }

    /// Whether a receiver that is known and has no such member proves that nothing here is meant.
    pub(super) fn is_strict(&self) -> bool {
        self.table.files[self.file as usize].language.is_some_and(|language| language.types_are_told)
    }

    pub(super) fn is_ecma_or_python(&self) -> bool {
        let rule = self.table.files[self.file as usize].language.map(|language| language.modules);
        matches!(rule, Some(Rule::Python | Rule::EcmaScript))
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
