//! Names without a receiver: scope, imports, package, then a unique definition of the repository.

use sextant_format::ids::FileId;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind, Tier};

use sextant_syntax::language::{Language, ModuleSystem};
use smallvec::SmallVec;

use crate::candidates::UseCandidates;
use crate::classes::Classes;
use crate::confidence;
use crate::imports::Import;
use crate::interner::NameId;
use crate::module_path::OWN_CRATE_FOLDERS;
use crate::qualifier::last_segment;
use crate::raw_reference::RawReference;
use crate::resolution::{Resolution, ambiguous};
use crate::value::{MemberLookup, Value};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// Resolves a name without a receiver by the first rule that finds exactly one definition.
    pub(crate) fn resolve_unqualified(
        &self,
        reference: &RawReference,
        candidates: &UseCandidates<'_, '_, '_>,
    ) -> Option<Resolution> {
        let resolved = |tier, confidence, target| Some(Resolution::single(tier, confidence, target));
        if let Some((tier, confidence, target)) = self.in_scope(reference, candidates) {
            return resolved(tier, confidence, target);
        }
        if let Some(target) = self.member_in_scope(reference) {
            return resolved(Tier::Receiver, confidence::RECEIVER, target);
        }
        if let Some(target) = self.member_beside_base(reference, candidates) {
            return resolved(Tier::Receiver, confidence::RECEIVER, target);
        }
        if let Some(target) = self.aliased_function(reference) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if self.is_lexical_constant(reference) {
            let (tier, target) = self.lexical_constant(reference.source, candidates.all())?;
            let confidence = if tier == Tier::Scope { confidence::SCOPE } else { confidence::UNIQUE };
            return resolved(tier, confidence, target);
        }
        let unique_where = |filter: &dyn Fn(SymbolId) -> bool| {
            self.unique_definition(candidates.all().iter().copied().filter(|&id| filter(id)))
        };
        let imported = self.imports_of_name(reference.name, reference.source);
        let names: SmallVec<[&Import; 4]> = imported.iter().copied().filter(|import| !import.is_module).collect();
        // The import binds a module and a function: a name that is not called is more often the first segment of a path.
        let is_path = reference.kind == EdgeKind::Reference && names.len() < imported.len() && !names.is_empty();
        if self.is_rust() && is_path {
            return Some(Resolution::unresolved());
        }
        let files: SmallVec<[FileId; 8]> = names.iter().flat_map(|import| &import.files).copied().collect();
        let mut there = candidates.in_files(&files);
        there.retain(|id| !self.is_of_another_type(*id, &names));
        if let Some(target) = self.unique_definition(&there) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if names.len() > 1 && reference.kind == EdgeKind::Call && self.imports_overloads() {
            let has_others = names.iter().any(|import| import.is_outside);
            return match self.overload_among(reference, &there, has_others) {
                Some(target) => resolved(Tier::Import, confidence::IMPORT, target),
                None => ambiguous(&there),
            };
        }
        if let Some(target) = names.iter().find_map(|import| self.resolve_imported_name(reference, import)) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(target) = imported.iter().find_map(|import| self.default_export_target(import, reference.kind)) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if self.is_imported_from_elsewhere(&names, candidates) {
            return Some(Resolution::unresolved());
        }
        if let Some(target) = self.resolve_glob_import(reference.name, reference.kind, candidates) {
            return resolved(Tier::Import, confidence::GLOB_IMPORT, target);
        }
        if self.is_rust()
            && reference.kind == EdgeKind::Call
            && let Some(found) =
                self.resolve_macro(reference.name, !imported.is_empty(), &candidates.of_classes(Classes::MACRO))
        {
            return Some(found);
        }
        // No definition of this repository is left: the name is imported from elsewhere or built in.
        if self.requires_imports()
            || self.is_ecma_or_python() && candidates.all().iter().all(|&id| self.is_module_scoped(id))
        {
            let is_external = !imported.is_empty() && imported.iter().all(|import| import.is_outside);
            return is_external.then(Resolution::unresolved);
        }
        if self.uses_includes()
            && let Some(found) = self.resolve_included(reference.name, reference.kind, candidates)
        {
            return Some(found);
        }
        let file = &self.table.files[self.file.index()];
        if file.language.is_some_and(|language| language.folder_is_package)
            && let Some(target) = self.unique_in_package(&candidates.in_folder_of(self.file))
        {
            return resolved(Tier::Package, confidence::PACKAGE, target);
        }
        // What is left leads from a plain reference to types and modules only.
        if reference.kind == EdgeKind::Reference
            && !self.uses_includes()
            && candidates.of_classes(Classes::TYPE.or(Classes::MODULE)).is_empty()
        {
            return None;
        }
        // Where a type is a scope, one inside of another needs a path or an import.
        let types_are_scopes = self.language().is_some_and(|language| language.implicit_this);
        let is_in_scope =
            |id: &SymbolId| !types_are_scopes || self.is_top_level(*id) || !self.symbol(*id).kind.is_type();
        let is_visible = |id| self.is_visible_unqualified(id) && !self.needs_path(id);
        let target = unique_where(&|id| is_visible(id) && self.is_linked(reference.kind, id)).filter(is_in_scope);
        let target = target
            .or_else(|| self.reopened_definition(candidates.all()))
            .or_else(|| self.only_method(reference, candidates))?;
        // What another module defines needs an import, or the module's name.
        let is_in_other_module = |id: SymbolId| {
            let container = self.symbol(id).container.map(|container| self.symbol(container));
            self.names_are_paths()
                && self.symbol(id).kind.is_callable()
                && container.is_some_and(|container| container.kind != Kind::File)
        };
        if is_in_other_module(target) {
            return None;
        }
        resolved(Tier::Unique, confidence::UNIQUE, target)
    }

    /// Whether imports of the full name take it from outside of the repository, as those of Java do, and not from a type
    /// of the repository: `import org.junit.Test` is no `Test` of another package.
    fn is_imported_from_elsewhere(&self, imports: &[&Import], candidates: &UseCandidates<'_, '_, '_>) -> bool {
        if imports.is_empty() || self.language().is_none_or(|language| language.modules != ModuleSystem::Java) {
            return false;
        }
        let is_elsewhere = |import: &&Import| {
            let full_name = self.names().text(import.module);
            let name = import.name.map_or("", |name| self.names().text(name));
            let path = full_name.strip_suffix(name).map_or(full_name, |path| path.trim_end_matches('.'));
            import.is_outside && candidates.owned_by(self.name(last_segment(path))).is_empty()
        };
        imports.iter().all(is_elsewhere)
    }

    /// Whether a symbol of Rust is inside of a type that is not the one from which one of these imports takes its name.
    fn is_of_another_type(&self, id: SymbolId, imports: &[&Import]) -> bool {
        let symbol = self.symbol(id);
        let is_inside = self.is_rust() && (symbol.kind == Kind::EnumMember || self.is_member(id));
        let Some(owner) = symbol.owner.filter(|_| is_inside) else { return false };
        let type_of = |import: &&Import| last_segment(self.names().text(import.module));
        !imports.iter().any(|import| type_of(import) == self.names().text(owner))
    }

    /// Whether several imports of one name together bind the functions of all: Java's static imports.
    fn imports_overloads(&self) -> bool {
        self.language().is_some_and(|language| language.modules == ModuleSystem::Java)
    }

    /// The only definition that a call of Ruby can mean which has no receiver: a block is often evaluated in another object
    /// than the one around it. Not what the standard library has, too.
    fn only_method(&self, reference: &RawReference, candidates: &UseCandidates<'_, '_, '_>) -> Option<SymbolId> {
        let standard_members = self.language().filter(|_| self.is_ruby())?.standard_members;
        let is_standard = || standard_members.binary_search(&self.names().text(reference.name)).is_ok();
        match candidates.all() {
            &[only] if reference.kind == EdgeKind::Call && self.symbol(only).kind.is_callable() => {
                let is_local = self.symbol(only).container.is_some_and(|outer| self.symbol(outer).kind.is_callable());
                Some(only).filter(|_| !is_local && !is_standard())
            }
            _ => None,
        }
    }

    /// The only visible one of the definitions of a package; a type inside of another needs a path where its namesake
    /// needs none.
    pub(crate) fn unique_in_package(&self, found: &[SymbolId]) -> Option<SymbolId> {
        let visible = || found.iter().copied().filter(|&id| self.is_visible_unqualified(id));
        self.unique_definition(visible().filter(|&id| self.is_top_level(id)))
            .or_else(|| self.unique_definition(visible()))
    }

    /// The function that a called name stands for. The name itself has no symbol: `local map = tables.map`.
    fn aliased_function(&self, reference: &RawReference) -> Option<SymbolId> {
        if reference.kind != EdgeKind::Call {
            return None;
        }
        let scopes = std::iter::successors(Some(reference.source), |&scope| self.symbol(scope).container);
        let facts = scopes.map(|scope| self.facts_for(scope, Some(reference.name)));
        let (at, facts) = facts.into_iter().find(|(_, facts)| !facts.is_empty())?;
        self.cache.reset_steps();
        match self.evaluate_facts(at, facts, 0).as_ref() {
            [Value::Callable(target)] => Some(*target).filter(|&id| self.fits(reference, id)),
            _ => None,
        }
    }

    /// The member that the repository adds to an external namespace in which the enclosing type has a base:
    /// `Minitest::Assertions` for a `Minitest::Test`.
    fn member_beside_base(&self, reference: &RawReference, candidates: &UseCandidates<'_, '_, '_>) -> Option<SymbolId> {
        if !self.language()?.reopened_types || reference.kind != EdgeKind::Call {
            return None;
        }
        let home = self.enclosing_type(reference.source)?;
        let outer: SmallVec<[NameId; 2]> = self.written_bases(home).iter().filter_map(|&(owner, _)| owner).collect();
        if outer.is_empty() {
            return None;
        }
        self.unique_definition(candidates.all().iter().copied().filter(|&id| {
            let container = self.symbol(id).container.map(|container| self.symbol(container));
            container.and_then(|container| container.owner).is_some_and(|owner| outer.contains(&owner))
        }))
    }

    /// The Rust macro that a name means without an import: one of the file's crate, or one that a crate exports on which
    /// the file's crate depends, for `#[macro_use] extern crate`.
    fn resolve_macro(&self, name: NameId, is_imported: bool, macros: &[SymbolId]) -> Option<Resolution> {
        let is_standard = |language: &Language| language.prelude_macros.contains(&self.names().text(name));
        if self.language().is_none_or(is_standard) {
            return None;
        }
        if let Some(own) = self.unique_definition(macros.iter().filter(|&&id| self.is_macro_in_scope(id))) {
            return Some(Resolution::single(Tier::Package, confidence::PACKAGE, own));
        }
        let exported =
            self.unique_definition(macros.iter().filter(|&&id| self.symbol(id).is_exported && !is_imported))?;
        self.depends_on_crate_of(self.symbol(exported).file)
            .then(|| Resolution::single(Tier::Unique, confidence::UNIQUE, exported))
    }

    /// Whether a symbol is a Rust macro of the file's crate, and not inside of an inline module.
    fn is_macro_in_scope(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let is_outermost = symbol.container.is_none_or(|container| self.symbol(container).kind == Kind::File);
        symbol.kind == Kind::Macro
            && is_outermost
            && self.crate_folder(symbol.file) == self.crate_folder(self.file)
            && [self.crate_target(self.file), None].contains(&self.crate_target(symbol.file))
    }

    /// The folder of tests, benchmarks or examples that a file is in, whose files are crates of their own or modules of
    /// such; `None` for the rest of the package.
    fn crate_target(&self, file: FileId) -> Option<&str> {
        let path = &self.table.files[file.index()].path;
        let inside = path.strip_prefix(self.crate_folder(file)?)?.trim_start_matches('/');
        let (folder, _) = inside.split_once('/')?;
        OWN_CRATE_FOLDERS.contains(&folder).then_some(folder)
    }

    /// Whether a definition is in a module, so that other files reach it through imports only.
    fn is_module_scoped(&self, id: SymbolId) -> bool {
        self.table.files[self.symbol(id).file.index()].is_module
    }

    /// The definition in the innermost scope around the use: one of this file, or a member of the type to which the code
    /// belongs.
    fn in_scope(
        &self,
        reference: &RawReference,
        candidates: &UseCandidates<'_, '_, '_>,
    ) -> Option<(Tier, f32, SymbolId)> {
        let here = candidates.in_file(self.file);
        let implicit_this = self.language().is_some_and(|language| language.implicit_this);
        let mut enclosing = reference.source;
        loop {
            let is_open = implicit_this || !self.symbol(enclosing).kind.is_type();
            let is_inside = |&id: &SymbolId| {
                let symbol = self.symbol(id);
                self.visible_container(id) == Some(enclosing)
                    && (is_open || symbol.kind.is_type())
                    && !self.needs_path(id)
            };
            if let Some(target) = self.unique_definition(here.iter().copied().filter(is_inside)) {
                return Some((Tier::Scope, confidence::SCOPE, target));
            }
            if implicit_this && let Some(target) = self.implicit_member(reference, enclosing) {
                let is_own = self.home_type(enclosing) == self.symbol(target).container;
                return Some(if is_own {
                    (Tier::Scope, confidence::SCOPE, target)
                } else {
                    (Tier::Receiver, confidence::RECEIVER, target)
                });
            }
            let Some(container) = self.symbol(enclosing).container else { break };
            enclosing = container;
        }
        // Modules and namespaces of the file that do not enclose the use.
        let target =
            self.unique_definition(here.iter().copied().filter(|&id| self.is_top_level(id) && !self.needs_path(id)))?;
        Some((Tier::Scope, confidence::SCOPE, target))
    }

    /// The member that a name means in a type, or in a member that is defined outside of its type: one of the type, or an
    /// inherited one.
    fn implicit_member(&self, reference: &RawReference, scope: SymbolId) -> Option<SymbolId> {
        let home = self.home_type(scope)?;
        self.cache.reset_steps();
        match self.lookup_member(&Value::Instance(home), reference.name, 0) {
            MemberLookup::Definitions(ids) => {
                self.unique_definition(ids.into_iter().filter(|&id| self.fits(reference, id)))
            }
            _ => None,
        }
    }
}
