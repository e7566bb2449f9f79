//! Names at the beginning of an access path or type, and the names that imports bind.

use std::rc::Rc;

use crate::interner::NameId;
use crate::resolution::SymbolIds;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_syntax::extract::{DEFAULT_EXPORT, MODULE_EXPORTS};
use sextant_syntax::language::ReceiverKeyword;
use smallvec::{SmallVec, smallvec};

use crate::classes::Classes;
use crate::exports::MAX_REEXPORTS;
use crate::imports::Import;
use crate::target_class::can_target;
use crate::value::{MAX_DEPTH, MemberLookup, PossibleValues, Value};
use crate::view::Resolver;

/// How the first name of a path is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// As a value.
    Value,
    /// As a value that is called.
    Called,
    /// As a type.
    Type,
}

impl Resolver<'_, '_> {
    /// The values of the first name of an access path or type.
    pub(super) fn resolve_root(&self, scope: SymbolId, name: &str, root: Root, depth: u32) -> PossibleValues {
        let wants_type = root == Root::Type;
        if let Some(keyword) = self.receiver_keyword(scope, name, depth)
            && !(wants_type && keyword == ReceiverKeyword::Super)
        {
            return self.keyword_value(scope, keyword).into_iter().collect();
        }
        let (text, name) = (name, self.name(name));
        let kind = if wants_type { EdgeKind::Type } else { EdgeKind::Reference };
        let compatible = self.uses_of(name, kind, !wants_type);
        let here = compatible.in_file(self.symbol(scope).file);
        let language = self.language();
        let implicit_this = language.is_some_and(|language| language.implicit_this);
        let mut enclosing = scope;
        loop {
            let symbol = self.symbol(enclosing);
            let is_open = implicit_this || wants_type || !symbol.kind.is_type();
            if is_open {
                let inside = here.iter().copied();
                let inside = inside.filter(|&id| {
                    let is_inside = self.symbol(id).container == Some(enclosing);
                    is_inside && !self.is_associated_item(id) && !self.needs_path(id)
                });
                if let Some(id) = self.unique_definition(inside) {
                    return self.value_of(id, depth);
                }
                let (at, facts) = self.facts_for(enclosing, Some(name));
                // In `let make = make()`, what is called is another one.
                let is_own_value = root == Root::Called && self.cache.is_being_evaluated(at);
                if !facts.is_empty() && !wants_type && !is_own_value {
                    return self.evaluate_facts(at, facts, depth).as_ref().into();
                }
                if implicit_this
                    && let Some(home) = self.home_type(enclosing)
                    && let MemberLookup::Definitions(inherited) =
                        self.lookup_member(&Value::Instance(home), name, depth + 1)
                    && let Some(id) =
                        self.unique_definition(&inherited).filter(|&id| can_target(kind, self.symbol(id).kind))
                {
                    return self.value_of(id, depth);
                }
            }
            let Some(container) = symbol.container else { break };
            enclosing = container;
        }
        if !wants_type {
            let found = self.values_in_scope(scope, name, depth);
            if !found.is_empty() {
                return found;
            }
        }
        if self.is_name_path(text) {
            if let Some(found) = self.definition_of_path(text, root == Root::Called) {
                return self.value_of(found, depth);
            }
            if wants_type && self.imports_of_name(name, scope).is_empty() {
                return PossibleValues::new();
            }
        }
        if self.is_constant_name(name)
            && let Some((_, id)) = self.lexical_constant(scope, compatible.all())
        {
            return self.value_of(id, depth);
        }
        let top = compatible.in_file(self.file);
        if let Some(id) = self.unique_definition(
            top.into_iter().filter(|&id| self.is_top_level(id) && !self.is_associated_item(id) && !self.needs_path(id)),
        ) {
            return self.value_of(id, depth);
        }
        let imports = self.imports_of_name(name, scope);
        if !imports.is_empty() {
            return imports.iter().flat_map(|import| self.imported_values(import, kind, depth)).collect();
        }
        if let Some(id) = self.resolve_glob_import(name, kind, &compatible) {
            return self.value_of(id, depth);
        }
        if self.uses_includes()
            && let Some(found) = self.resolve_included(name, kind, &compatible)
            && let (Tier::Import, [id]) = (found.tier, found.targets.as_slice())
        {
            return self.value_of(*id, depth);
        }
        if let Some(module) = self.rust_module(self.file, text) {
            return smallvec![Value::Module(Rc::from([module]))];
        }
        if wants_type && let Some(bounds) = self.bounds_of_type_parameter(scope, name, depth) {
            return bounds;
        }
        let unique_of =
            |found: SymbolIds| self.unique_definition(found.into_iter().filter(|&id| self.is_visible_unqualified(id)));
        if language.is_some_and(|language| language.folder_is_package)
            && let Some(id) = self.unique_in_package(&compatible.in_folder_of(self.file))
        {
            return self.value_of(id, depth);
        }
        // `apply { ... }` without a receiver is called on the object itself.
        if !wants_type
            && implicit_this
            && self.is_transparent_method(text)
            && let Some(around) = self.enclosing_type(scope)
        {
            return smallvec![Value::Instance(around)];
        }
        // A constant of another module is out of scope: `Enumerable` is not `HasMany::Enumerable`.
        if !self.requires_imports() && !self.is_constant_name(name) {
            let types = compatible.of_classes(Classes::TYPE);
            return unique_of(types.clone())
                .or_else(|| self.reopened_type(&types))
                .map_or_else(PossibleValues::new, |id| self.value_of(id, depth));
        }
        // Nothing in scope binds the name: it is built in, or global in an installed package.
        let is_external_name =
            self.imports.glob_files().is_empty() && !wants_type && !self.imports.is_module_path_root(name);
        if is_external_name { smallvec![Value::External] } else { PossibleValues::new() }
    }

    /// The Rust module of a name inside of a module.
    pub(super) fn module_inside(&self, files: &[FileId], name: &str) -> Option<Value> {
        let path = format!("self::{name}");
        let module = files.iter().find_map(|&file| self.rust_module(file, &path))?;
        Some(Value::Module(Rc::from([module])))
    }

    /// Values of the types that bound a type parameter of this name, which the scope or one around it declares.
    fn bounds_of_type_parameter(&self, scope: SymbolId, name: NameId, depth: u32) -> Option<PossibleValues> {
        std::iter::successors(Some(scope), |&id| self.symbol(id).container).find_map(|id| {
            let (at, facts) = self.facts_for(id, Some(name));
            let is_bound = facts.iter().any(|fact| fact.is_declared);
            is_bound.then(|| self.evaluate_facts(at, facts, depth + 1).as_ref().into())
        })
    }

    /// The values of the name that an import binds: a definition, the export of a whole module, or the module.
    pub(super) fn imported_values(&self, import: &Import, kind: EdgeKind, depth: u32) -> PossibleValues {
        let files = &import.files;
        if files.is_empty() {
            return smallvec![self.outside_value(import)];
        }
        if import.is_module {
            return smallvec![Value::Module(files.as_slice().into())];
        }
        let default = Some(self.name(DEFAULT_EXPORT));
        let is_default = import.is_default || import.name == default;
        let export_keys: &[&str] = match import {
            _ if is_default => &[DEFAULT_EXPORT, MODULE_EXPORTS],
            Import { is_namespace_import: true, .. } => &[MODULE_EXPORTS],
            _ => &[],
        };
        for (file, key) in files.iter().flat_map(|file| export_keys.iter().map(move |key| (*file, *key))) {
            let key = Some(self.name(key));
            let (at, facts) = self.facts_for(self.table.files[file.index()].first_symbol, key);
            if !facts.is_empty() {
                return self.evaluate_facts(at, facts, depth).as_ref().into();
            }
        }
        let exported = |name| self.unique_definition(self.exported_definitions(files, name, kind));
        if let Some(id) = import.name.and_then(exported) {
            return self.value_of(id, depth);
        }
        let members = import.name.map_or_else(SmallVec::new, |name| self.imported_members(files, name, kind));
        if !members.is_empty() {
            return members.into_iter().flat_map(|id| self.value_of(id, depth)).collect();
        }
        // The default export of another module: `export { default } from`, `export { default as a } from`.
        let name = if is_default { default } else { import.name };
        for &file in files.iter().filter(|&&file| depth < MAX_DEPTH && self.reexports_imports(file)) {
            let reexported = name.map_or_else(SmallVec::new, |name| self.imports_in(file).binding(name));
            for step in reexported
                .into_iter()
                .filter(|step| step.name.is_some() && step.name == default && self.cache.take_step())
            {
                let values = self.for_file(file).imported_values(step, kind, depth + 1);
                if !values.is_empty() && !values.iter().any(|value| matches!(value, Value::Module(_))) {
                    return values;
                }
            }
        }
        // The exported name may have no symbol: `const { a } = f(); export { a as b }`.
        for &file in files.iter().filter(|_| import.name.is_some()) {
            let (at, facts) = self.facts_for(self.table.files[file.index()].first_symbol, import.name);
            if !facts.is_empty() {
                return self.evaluate_facts(at, facts, depth).as_ref().into();
            }
        }
        let reexported = import.name.filter(|_| !import.is_namespace_import);
        let modules = reexported.map_or_else(Vec::new, |name| self.reexported_module(files, name));
        smallvec![Value::Module(if modules.is_empty() { files.as_slice().into() } else { modules.into() })]
    }

    /// The members of a type that an import binds by their name, as `import static` does: overloads of one type.
    fn imported_members(&self, files: &[FileId], name: NameId, kind: EdgeKind) -> SmallVec<[SymbolId; 2]> {
        if !self.language().is_some_and(|language| language.implicit_this) {
            return SmallVec::new();
        }
        let candidates = self.uses_of(name, kind, true).in_files(files);
        let members: SmallVec<[SymbolId; 2]> = candidates.into_iter().filter(|&id| !self.is_top_level(id)).collect();
        let owner = members.first().map(|&id| self.symbol(id).container);
        let is_one_type = members.iter().all(|&id| Some(self.symbol(id).container) == owner);
        if is_one_type { members } else { SmallVec::new() }
    }

    /// The files of a module that these files export under a name: `import * as z from './z'; export { z }`.
    fn reexported_module(&self, files: &[FileId], name: NameId) -> Vec<FileId> {
        let mut worklist: Vec<(FileId, NameId)> = files.iter().map(|&file| (file, name)).collect();
        let mut next = 0;
        while let Some(&(file, name)) = worklist.get(next) {
            next += 1;
            if !self.reexports_imports(file) || worklist.len() > MAX_REEXPORTS {
                continue;
            }
            let imports = self.imports_in(file);
            for import in imports.binding(name) {
                if import.is_namespace_import {
                    return import.files.clone();
                }
                let steps = import.files.iter().filter_map(|&file| Some((file, import.name?)));
                worklist.extend(steps.filter(|step| !worklist.contains(step)).collect::<Vec<_>>());
            }
            let glob_imported = imports.glob_files().iter().map(|&file| (file, name));
            worklist.extend(glob_imported.filter(|step| !worklist.contains(step)).collect::<Vec<_>>());
        }
        Vec::new()
    }
}
