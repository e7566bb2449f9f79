//! The resolver's view of one file: the tables, the file's imports, and lookups that need no types.

use sextant_format::ids::{FileId, SymbolId};
use std::borrow::Borrow;
use std::rc::Rc;

use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::language::{Language, ModuleSystem};
use smallvec::SmallVec;

use crate::cache::{ResolverCache, UseKey};
use crate::candidates::{Use, UseCandidates};
use crate::classes::Classes;
use crate::imports::{AllImports, FileImports, Import};
use crate::interner::{NameId, NameInterner};
use crate::model::{MemberForm, RawReference, SymbolInfo};
use crate::reads::Key;
use crate::resolution::{Candidates, retain_preferred};
use crate::symbol_lookup::SymbolLookup;
use crate::table::SymbolTable;
use crate::target_class::can_target;

/// Candidates of names with at least this many definitions are cached.
const MIN_CACHED_DEFINITIONS: usize = 32;

/// Resolves the references of one file.
pub(crate) struct Resolver<'a, 'm> {
    pub(crate) table: &'a SymbolTable,
    pub(crate) index: &'m SymbolLookup,
    pub(crate) imports: &'m FileImports<'a>,
    pub(crate) all_imports: &'m AllImports<'a>,
    pub(crate) cache: &'m ResolverCache,
    pub(crate) file: FileId,
}

impl<'a, 'm> Resolver<'a, 'm> {
    /// The same tables, seen from another file.
    pub(crate) fn for_file(&self, file: FileId) -> Self {
        Self { imports: self.imports_in(file), file, ..*self }
    }

    pub(crate) fn symbol(&self, id: SymbolId) -> &'a SymbolInfo {
        &self.table.symbols[id.index()]
    }

    pub(crate) fn names(&self) -> &'a NameInterner {
        &self.table.names
    }

    pub(crate) fn language(&self) -> Option<&'static Language> {
        self.table.files[self.file.index()].language
    }

    /// Whether the file's language reaches members through a receiver only.
    pub(crate) fn members_need_receiver(&self) -> bool {
        self.language().is_some_and(|language| language.members_need_receiver)
    }

    /// Whether a name must be imported or defined in the file.
    pub(crate) fn requires_imports(&self) -> bool {
        match self.language().map(|language| language.modules) {
            Some(ModuleSystem::Python | ModuleSystem::Rust | ModuleSystem::Haskell) => true,
            // Scripts that are no modules share one global scope.
            Some(ModuleSystem::EcmaScript) => self.table.files[self.file.index()].is_module,
            _ => false,
        }
    }

    /// Whether a known receiver type without a member of the name proves that no definition of the repository is
    /// referred to.
    pub(crate) fn has_closed_members(&self) -> bool {
        self.language().is_some_and(|language| language.closed_members)
    }

    pub(crate) fn is_ecma_or_python(&self) -> bool {
        let modules = self.language().map(|language| language.modules);
        matches!(modules, Some(ModuleSystem::Python | ModuleSystem::EcmaScript))
    }

    /// Whether a reference can refer to a symbol, by the kinds of both and by the form of the reference.
    pub(crate) fn fits(&self, reference: &RawReference, id: SymbolId) -> bool {
        let kind = self.symbol(id).kind;
        can_target(reference.kind, kind) && self.fits_form(self.form_of(reference), kind)
    }

    /// How a name is used: after a receiver, or alone where methods have names of their own.
    pub(crate) fn form_of(&self, reference: &RawReference) -> MemberForm {
        let is_separate = self.language().is_some_and(|language| language.separate_call_namespace);
        match reference.kind {
            EdgeKind::Call | EdgeKind::Instantiate if is_separate => MemberForm::Called,
            EdgeKind::Reference if is_separate && reference.owner.is_none() => MemberForm::Read,
            // The name of a function with the number of its parameters, `&f/2`.
            EdgeKind::Reference if reference.argument_count.is_some() => MemberForm::Called,
            _ => reference.member_form(),
        }
    }

    /// Whether a member of a value can be of a kind, where methods and fields have separate names.
    pub(crate) fn fits_form(&self, form: MemberForm, kind: Kind) -> bool {
        let Some(language) = self.language() else { return true };
        let is_value = matches!(kind, Kind::Constant | Kind::EnumMember | Kind::Variable);
        match form {
            MemberForm::Called if is_value && language.separate_call_namespace => false,
            _ if !language.separate_member_namespaces => true,
            MemberForm::Any => true,
            MemberForm::Called => !matches!(kind, Kind::Field | Kind::Property),
            MemberForm::Read => !kind.is_callable(),
        }
    }

    /// Whether the file is a Rust file.
    pub(crate) fn is_rust(&self) -> bool {
        self.language().is_some_and(|language| language.modules == ModuleSystem::Rust)
    }

    /// Whether a symbol is an associated type or constant, which only a path through its type reaches. Only Rust has them.
    pub(crate) fn is_associated_item(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        self.is_rust()
            && matches!(symbol.kind, Kind::Type | Kind::Constant)
            && symbol.container.is_some_and(|container| match self.symbol(container).kind {
                // Directly in a file, the owner is the type of an `impl`.
                Kind::File => symbol.owner.is_some(),
                kind => kind.is_type(),
            })
    }

    /// The imports that bind a name in a symbol. Only Rust's are scoped: to the module or function that contains them.
    pub(crate) fn imports_of_name(&self, name: NameId, scope: SymbolId) -> SmallVec<[&'m Import; 4]> {
        self.visible_imports(self.imports.binding(name), scope)
    }

    /// Those of some imports of the file that are in scope in a symbol.
    pub(crate) fn visible_imports(
        &self,
        mut imports: SmallVec<[&'m Import; 4]>,
        scope: SymbolId,
    ) -> SmallVec<[&'m Import; 4]> {
        if self.is_rust() {
            imports.retain(|import| self.is_in_module_scope(import.scope, scope));
        }
        imports
    }

    /// Whether one symbol is another, or around it without a module between them.
    fn is_in_module_scope(&self, outer: SymbolId, mut inner: SymbolId) -> bool {
        loop {
            if inner == outer {
                return true;
            }
            let symbol = self.symbol(inner);
            match symbol.container.filter(|_| !symbol.kind.is_transparent()) {
                Some(container) => inner = container,
                None => return false,
            }
        }
    }

    /// Whether a symbol is a member of a type or an object.
    pub(crate) fn is_member(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        if self.is_associated_item(id) {
            return true;
        }
        matches!(symbol.kind, Kind::Method | Kind::Field | Kind::Property)
            || symbol.kind == Kind::Function
                && symbol.container.is_some_and(|container| match self.symbol(container).kind {
                    // A function whose name has its owner in front: `function a.b()`.
                    Kind::File => symbol.owner.is_some(),
                    kind => matches!(kind, Kind::Variable | Kind::Constant | Kind::Property | Kind::Field),
                })
    }

    /// Whether references in one file can resolve to definitions in another: same repository and language family.
    pub(crate) fn share_linkage_group(&self, file: FileId, other: FileId) -> bool {
        self.table.share_linkage_group(file, other)
    }

    /// The candidates for a use of a name, as `compute` returns them. Those of common names are cached.
    pub(crate) fn cached_candidates(
        &self,
        name: NameId,
        use_key: UseKey,
        compute: impl FnOnce() -> SmallVec<[SymbolId; 8]>,
    ) -> Candidates {
        if self.index.named(name).len() < MIN_CACHED_DEFINITIONS {
            return Candidates::Owned(compute());
        }
        let language = self.language().map(|language| language.name);
        let key = (self.table.files[self.file.index()].linkage_group, language, name, use_key);
        if let Some(known) = self.cache.candidates.borrow().get(&key) {
            return Candidates::Shared(Rc::clone(known));
        }
        let found: Rc<[SymbolId]> = compute().as_slice().into();
        self.cache.candidates.borrow_mut().insert(key, Rc::clone(&found));
        Candidates::Shared(found)
    }

    /// The definitions of a name in this linkage group that a use of this kind can refer to. The caller says what it asks
    /// for.
    fn compatible_definitions(&self, name: NameId, kind: EdgeKind) -> SmallVec<[SymbolId; 8]> {
        let named = self.index.named(name).iter().copied();
        let mut found: SmallVec<[SymbolId; 8]> = named.clone().filter(|&id| self.is_compatible(id, kind)).collect();
        if kind == EdgeKind::Type {
            // A module may have the name of the type that it is for.
            retain_preferred(&mut found, |id| self.symbol(id).kind.is_type());
        }
        if found.is_empty() && kind == EdgeKind::Type {
            found.extend(named.filter(|&id| self.may_stand_for_type(id)));
        }
        found
    }

    fn is_compatible(&self, id: SymbolId, kind: EdgeKind) -> bool {
        can_target(kind, self.symbol(id).kind) && self.share_linkage_group(self.symbol(id).file, self.file)
    }

    /// Whether a definition can be meant where a type is expected, and none is known: a macro may stand for one, or for
    /// the statement that the parser does not see. An argument of a template may be a value. A constant may hold a type.
    fn may_stand_for_type(&self, id: SymbolId) -> bool {
        let is_linked = self.uses_includes();
        let has_templates = self.language().is_some_and(|language| language.implicit_this);
        let is_possible = match self.symbol(id).kind {
            Kind::Macro => is_linked,
            Kind::Function | Kind::EnumMember => is_linked && has_templates,
            Kind::Variable | Kind::Constant => !is_linked || has_templates,
            _ => false,
        };
        is_possible && self.share_linkage_group(self.symbol(id).file, self.file)
    }

    /// Whether a use of a kind can refer to a definition if there is no other one.
    pub(crate) fn may_be_compatible(&self, id: SymbolId, kind: EdgeKind) -> bool {
        self.is_compatible(id, kind) || kind == EdgeKind::Type && self.may_stand_for_type(id)
    }

    /// Whether a use of this kind can refer to nothing.
    pub(crate) fn has_no_compatible_definition(&self, name: NameId, kind: EdgeKind) -> bool {
        let found = self.compatible_definitions(name, kind);
        self.ask_compatible(name, kind, MemberForm::Any, &found);
        found.is_empty()
    }

    /// Says that the definitions of a name to which a use of a kind and form can refer are asked for; these are `found`.
    pub(crate) fn ask_compatible(&self, name: NameId, kind: EdgeKind, form: MemberForm, found: &[SymbolId]) {
        let is_separate = self.language().is_some_and(|language| language.separate_member_namespaces);
        let classes = Classes::targets_of(kind).in_form(if is_separate { form } else { MemberForm::Any });
        self.ask(Key::named(self.hash(name), classes));
        if kind == EdgeKind::Type && found.first().is_none_or(|&id| !can_target(kind, self.symbol(id).kind)) {
            self.ask(Key::named(self.hash(name), Classes::STAND_FOR_TYPES));
        }
    }

    /// The same; with `is_value`, without a type where a value has the same name.
    pub(crate) fn candidates_named(&self, name: NameId, kind: EdgeKind, is_value: bool) -> Candidates {
        let use_key = if is_value { UseKey::PreferValue(kind) } else { UseKey::Any(kind) };
        let found = self.cached_candidates(name, use_key, || {
            let mut found = self.compatible_definitions(name, kind);
            if is_value {
                retain_preferred(&mut found, |id| !matches!(self.symbol(id).kind, Kind::Interface | Kind::Type));
            }
            found
        });
        self.ask_compatible(name, kind, MemberForm::Any, &found);
        found
    }

    /// The candidates for a use of a kind.
    pub(crate) fn uses_of(&self, name: NameId, kind: EdgeKind, is_value: bool) -> UseCandidates<'_, 'a, 'm> {
        UseCandidates::new(self, Use::Kind { name, kind, is_value })
    }

    /// Those definitions of its name that a reference most likely refers to.
    pub(crate) fn candidates_of(&self, reference: &RawReference) -> Candidates {
        let file = &self.table.files[self.file.index()];
        let (prefers_body, excludes_members) = (self.prefers_body(), self.excludes_members(reference));
        let form = self.form_of(reference);
        let kind = reference.kind;
        let use_key = UseKey::Reference { kind, prefers_body, is_test: file.is_test, excludes_members, form };
        let found = self.cached_candidates(reference.name, use_key, || {
            let mut found = self.compatible_definitions(reference.name, reference.kind);
            // First what counts for each by itself: what is left out decides nothing.
            found.retain(|id| self.fits_form(form, self.symbol(*id).kind));
            if excludes_members {
                found.retain(|id| !self.is_member(*id));
            }
            if prefers_body {
                // A variable has no body, and a function of its name elsewhere is another thing.
                let bodies: SmallVec<[Kind; 8]> = found
                    .iter()
                    .map(|&id| self.symbol(id))
                    .filter(|found| found.has_body)
                    .map(|found| found.kind)
                    .collect();
                found.retain(|id| self.symbol(*id).has_body || !bodies.contains(&self.symbol(*id).kind));
            }
            if !file.is_test {
                retain_preferred(&mut found, |id| !self.table.files[self.symbol(id).file.index()].is_test);
            }
            if self.uses_includes() && reference.kind == EdgeKind::Reference {
                // A namespace may be opened anywhere: which of its places is meant says nothing.
                if found.iter().any(|&id| self.symbol(id).kind == Kind::Namespace) {
                    found.clear();
                }
                found.retain(|id| self.symbol(*id).kind != Kind::Constructor);
            }
            found
        });
        self.ask_compatible(reference.name, kind, form, &found);
        if self.has_exact_arity() && reference.argument_count.is_some() {
            return Candidates::Owned(
                found.iter().copied().filter(|&id| self.accepts_arguments(reference, id)).collect(),
            );
        }
        found
    }

    /// Whether a header's declaration and its definition are one function: the definition represents both.
    pub(crate) fn prefers_body(&self) -> bool {
        self.language().is_some_and(|language| language.links_definitions)
    }

    /// Whether a reference can refer to no member.
    pub(crate) fn excludes_members(&self, reference: &RawReference) -> bool {
        reference.owner.is_none() && self.members_need_receiver()
    }

    /// Whether a definition can be called with the arguments of a reference, where their number is part of the name.
    pub(crate) fn accepts_arguments(&self, reference: &RawReference, id: SymbolId) -> bool {
        !self.has_exact_arity() || reference.argument_count.is_none() || self.may_call(reference, id)
    }

    /// Whether a container is a file, module or namespace, as opposed to a type or function.
    pub(crate) fn is_file_level(&self, container: Option<SymbolId>) -> bool {
        container.is_none_or(|container| self.symbol(container).kind.is_transparent())
    }

    /// Whether a definition is known by its full path only, as are Elixir's modules and what is in them.
    pub(crate) fn names_are_paths(&self) -> bool {
        self.language().is_some_and(|language| language.dotted_names)
    }

    /// Whether its last name alone does not mean a definition: `defmodule A.B` defines `A.B`, and no `B`.
    pub(crate) fn needs_path(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let is_module = symbol.kind == Kind::Module || symbol.kind.is_type();
        let around = symbol.container.map(|container| self.symbol(container));
        let written_in = around.filter(|around| around.kind != Kind::File).map(|around| around.name);
        is_module && self.names_are_paths() && symbol.owner != written_in
    }

    /// Whether a symbol is in no type or function.
    pub(crate) fn is_top_level(&self, id: SymbolId) -> bool {
        let container = self.symbol(id).container;
        self.is_file_level(if self.has_open_types() { self.visible_container(id) } else { container })
    }

    /// Whether the members of types are names of the scope around them.
    pub(crate) fn has_open_types(&self) -> bool {
        self.language().is_some_and(|language| language.open_types)
    }

    /// Whether a function that extends a type is imported like others.
    pub(crate) fn imports_extensions(&self) -> bool {
        self.language().is_some_and(|language| language.modules == ModuleSystem::Java)
    }

    /// The symbol in whose scope a name is visible without a receiver: its container, or what is around its enum. Where
    /// types are no scopes, it is what is around all of them.
    pub(crate) fn visible_container(&self, id: SymbolId) -> Option<SymbolId> {
        let symbol = self.symbol(id);
        let container = symbol.container?;
        if self.has_open_types() {
            return std::iter::successors(Some(container), |&id| self.symbol(id).container)
                .find(|&id| !self.symbol(id).kind.is_type() && !matches!(self.symbol(id).kind, Kind::EnumMember));
        }
        let Some(language) = self.language().filter(|language| language.open_enums) else { return Some(container) };
        if symbol.kind == Kind::Macro && self.uses_includes() {
            return Some(self.table.files[symbol.file.index()].first_symbol);
        }
        if symbol.kind != Kind::EnumMember {
            return Some(container);
        }
        // An enum without a name belongs to its field.
        let is_left = |id: SymbolId| {
            let kind = self.symbol(id).kind;
            matches!(kind, Kind::Enum | Kind::Field) || kind.is_type() && !language.implicit_this
        };
        std::iter::successors(Some(container), |&id| self.symbol(id).container).find(|&id| !is_left(id))
    }

    /// Whether other files can refer to a symbol by its name without a receiver.
    pub(crate) fn is_visible_unqualified(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        // A method in a module is reached through what includes the module.
        let needs_receiver = symbol.kind == Kind::Method
            && symbol.container.is_some_and(|container| self.symbol(container).kind == Kind::Module)
            && self.language().is_some_and(|language| language.implicit_this);
        self.is_top_level(id) && !needs_receiver
            || symbol.kind.is_type()
            || symbol.kind == Kind::EnumMember
            || symbol.kind == Kind::Macro && self.uses_includes()
    }

    /// The first of several definitions if all define one thing, which is the case for declarations with their
    /// definition, and for overloads in one container.
    pub(crate) fn unique_definition(
        &self,
        candidates: impl IntoIterator<Item = impl Borrow<SymbolId>>,
    ) -> Option<SymbolId> {
        // Separately without and with a body: the first, and whether the others have the same container.
        let mut firsts: [Option<(SymbolId, bool)>; 2] = [None; 2];
        for id in candidates {
            let (id, symbol) = (*id.borrow(), self.symbol(*id.borrow()));
            match &mut firsts[usize::from(symbol.has_body)] {
                none @ None => *none = Some((id, true)),
                Some((first, are_siblings)) => {
                    let first = self.symbol(*first);
                    *are_siblings &= (first.file, first.container) == (symbol.file, symbol.container);
                }
            }
        }
        // Where several define what one declares, the declaration stands for them.
        let is_unique =
            |found: Option<(SymbolId, bool)>| found.filter(|(_, are_siblings)| *are_siblings).map(|found| found.0);
        is_unique(firsts[1]).or_else(|| is_unique(firsts[0]))
    }
}
