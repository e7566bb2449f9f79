//! The resolver's view of one file: the tables, the file's imports, and lookups that need no types.

use sextant_format::ids::{FileId, SymbolId};
use std::borrow::Borrow;

use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::language::{Language, ModuleSystem};
use smallvec::SmallVec;

use crate::cache::ResolverCache;
use crate::imports::{AllImports, FileImports, Import};
use crate::interner::{NameId, NameInterner};
use crate::model::SymbolInfo;
use crate::raw_reference::{MemberForm, RawReference};
use crate::symbol_lookup::SymbolLookup;
use crate::table::SymbolTable;
use crate::target_class::can_target;

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

    fn is_ecma(&self) -> bool {
        self.language().is_some_and(|language| language.modules == ModuleSystem::EcmaScript)
    }

    pub(crate) fn is_ecma_or_python(&self) -> bool {
        let modules = self.language().map(|language| language.modules);
        matches!(modules, Some(ModuleSystem::Python | ModuleSystem::EcmaScript))
    }

    /// Whether a reference can refer to a symbol, by the kinds of both and by the form of the reference.
    pub(crate) fn fits(&self, reference: &RawReference, id: SymbolId) -> bool {
        let kind = self.symbol(id).kind;
        self.can_target(reference.kind, kind) && self.fits_form(self.form_of(reference), kind)
    }

    /// Whether a reference of a kind can refer to a symbol of a kind in this language. In Haskell, a use of a type does not
    /// refer to the module of the same name; in Swift, an attribute does not refer to an enum or a protocol.
    pub(crate) fn can_target(&self, edge: EdgeKind, kind: Kind) -> bool {
        let is_haskell = || self.language().is_some_and(|language| language.modules == ModuleSystem::Haskell);
        let is_swift = || self.language().is_some_and(|language| language.modules == ModuleSystem::Swift);
        match kind {
            Kind::Module => can_target(edge, kind) && (edge == EdgeKind::Import || !is_haskell()),
            // What is an attribute is a macro, or a type that wraps or builds values.
            Kind::Enum | Kind::Interface => can_target(edge, kind) && (edge != EdgeKind::Decorate || !is_swift()),
            _ => can_target(edge, kind),
        }
    }

    /// How a name is used: after a receiver, or alone where methods have names of their own.
    pub(crate) fn form_of(&self, reference: &RawReference) -> MemberForm {
        let is_separate = self.language().is_some_and(|language| language.separate_call_namespace);
        match reference.kind {
            EdgeKind::Call | EdgeKind::Instantiate if is_separate => MemberForm::Called,
            EdgeKind::Call if self.names_are_paths() => MemberForm::Called,
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
            // What has a path for a name is a function or a field; `@name` is a constant, and `t :: name` a type.
            MemberForm::Called if is_value && language.dotted_names => false,
            MemberForm::Read if kind == Kind::Type && language.dotted_names => false,
            _ if !language.separate_member_namespaces => true,
            MemberForm::Any => true,
            MemberForm::Called if kind == Kind::Property => language.calls_read_properties,
            MemberForm::Called => kind != Kind::Field,
            MemberForm::Read => !kind.is_callable(),
        }
    }

    /// Whether the file is a Rust file.
    pub(crate) fn is_rust(&self) -> bool {
        self.language().is_some_and(|language| language.modules == ModuleSystem::Rust)
    }

    /// Whether the file is a Ruby file.
    pub(crate) fn is_ruby(&self) -> bool {
        self.language().is_some_and(|language| language.reopened_types && language.modules == ModuleSystem::Include)
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

    /// Whether one symbol is another, or around it without a module between them that has names of its own only.
    fn is_in_module_scope(&self, outer: SymbolId, mut inner: SymbolId) -> bool {
        loop {
            if inner == outer {
                return true;
            }
            let symbol = self.symbol(inner);
            let is_open = !symbol.kind.is_transparent() || self.imports.is_open(inner);
            match symbol.container.filter(|_| is_open) {
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
                    // Functions of an object are methods there; others are in a function that is called at once.
                    Kind::Variable | Kind::Constant | Kind::Property | Kind::Field if self.is_ecma() => false,
                    // What is inside of a property with a body is inside of a function.
                    Kind::Property => !self.symbol(container).has_body,
                    kind => matches!(kind, Kind::Variable | Kind::Constant | Kind::Field),
                })
    }

    /// Whether references in one file can resolve to definitions in another: same repository and language family.
    pub(crate) fn share_linkage_group(&self, file: FileId, other: FileId) -> bool {
        self.table.share_linkage_group(file, other)
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
            // Where members are names of the scope around, a type and its constructor of the same name are one.
            let is_outer = |found: &(SymbolId, bool)| symbol.container == Some(found.0);
            if symbol.kind == Kind::Constructor && self.has_open_types() && firsts.iter().flatten().any(is_outer) {
                continue;
            }
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
        // An interface inside of a type declares no namesake of other places.
        let stands_for =
            |id: &SymbolId| firsts[1].is_none() || !self.symbol(*id).kind.is_type() || self.is_top_level(*id);
        is_unique(firsts[1]).or_else(|| is_unique(firsts[0]).filter(stands_for))
    }
}
