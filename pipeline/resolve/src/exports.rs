//! The definitions that an imported name refers to, through any chain of re-exports.

use crate::interner::NameId;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::extract::MODULE_EXPORTS;
use sextant_syntax::language::ModuleSystem;
use smallvec::SmallVec;

use crate::candidates::UseCandidates;
use crate::classes::Classes;
use crate::imports::Import;
use crate::raw_reference::RawReference;
use crate::resolution::SymbolIds;
use crate::target_class::can_target;
use crate::view::Resolver;

/// Steps after which a chain of re-exports is given up.
pub(crate) const MAX_REEXPORTS: usize = 200;

impl Resolver<'_, '_> {
    /// Whether other files can import from a file what it imports itself.
    pub(crate) fn reexports_imports(&self, file: FileId) -> bool {
        let language = self.table.files[file.index()].language;
        language.is_some_and(|language| {
            matches!(
                language.modules,
                ModuleSystem::Python | ModuleSystem::EcmaScript | ModuleSystem::Rust | ModuleSystem::Haskell
            )
        })
    }

    /// The definition of a name that a glob import brings into scope.
    pub(crate) fn resolve_glob_import(
        &self,
        name: NameId,
        kind: EdgeKind,
        candidates: &UseCandidates<'_, '_, '_>,
    ) -> Option<SymbolId> {
        let glob_files = self.imports.glob_files();
        if glob_files.is_empty() {
            return None;
        }
        let is_rust = self.is_rust();
        let is_there = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            let is_member = is_rust && symbol.kind == Kind::EnumMember;
            let is_in_module = || {
                let container = symbol.container.map(|container| self.symbol(container));
                self.names_are_paths() && container.is_some_and(|container| self.is_file_level(container.container))
            };
            (self.is_visible_unqualified(*id) || is_in_module())
                && (!is_member || self.imports.glob_includes(symbol.file, symbol.owner))
        };
        let there: SymbolIds = candidates.in_files(glob_files).into_iter().filter(is_there).collect();
        // A type inside of another needs a path where its namesake needs none.
        let outer: SymbolIds = there.iter().copied().filter(|&id| self.is_top_level(id)).collect();
        let unique = |found: &[SymbolId]| self.unique_definition(found).or_else(|| self.nearest_definition(found));
        unique(&outer).or_else(|| unique(&there)).or_else(|| {
            if self.reexports_imports(self.file) {
                return self.unique_definition(self.exported_definitions(glob_files, name, kind));
            }
            // What is included is looked up by `resolve_included`.
            if self.uses_includes() {
                return None;
            }
            let is_visible =
                |id: &SymbolId| can_target(kind, self.symbol(*id).kind) && self.is_visible_unqualified(*id);
            let elsewhere = glob_files.iter().filter(|&&file| !self.table.share_repository(self.file, file));
            let named = elsewhere.flat_map(|&file| self.named_in(name, file)).copied();
            self.unique_definition(named.filter(is_visible))
        })
    }

    /// The exported Rust macros of a name that are at the root of a crate, wherever they are defined, if the file is the
    /// root.
    fn macros_of_crate(&self, file: FileId, name: NameId) -> SymbolIds {
        if !self.is_rust() || !self.table.files[file.index()].path.ends_with("lib.rs") {
            return SymbolIds::new();
        }
        let crate_folder = self.crate_folder(file);
        let is_exported = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            symbol.kind == Kind::Macro && symbol.is_exported && self.crate_folder(symbol.file) == crate_folder
        };
        self.named(name, Classes::MACRO).iter().copied().filter(is_exported).collect()
    }

    /// The members of a name that a module has by the definition which it exports as a whole: `return M`.
    fn members_of_module(&self, file: FileId, name: NameId) -> SymbolIds {
        let root = self.table.files[file.index()].first_symbol;
        let [exported] = self.facts_for(root, Some(self.name(MODULE_EXPORTS))).1 else { return SymbolIds::new() };
        let definitions = self.named_in(exported.text, file).iter().copied();
        let whole = self.unique_definition(definitions.filter(|&id| self.symbol(id).container == Some(root)));
        whole.map_or_else(SymbolIds::new, |whole| self.own_members(whole, name))
    }

    /// Of definitions of one name in packages of one name, the one in the part of the repository that the file is in.
    fn nearest_definition(&self, candidates: &[SymbolId]) -> Option<SymbolId> {
        if self.language().is_none_or(|language| language.modules != ModuleSystem::Java) {
            return None;
        }
        let here = &self.table.files[self.file.index()].path;
        let shared = |id: SymbolId| {
            let there = &self.table.files[self.symbol(id).file.index()].path;
            here.split('/').zip(there.split('/')).take_while(|(a, b)| a == b).count()
        };
        let most = candidates.iter().map(|&id| shared(id)).max()?;
        self.unique_definition(candidates.iter().copied().filter(|&id| shared(id) == most))
    }

    /// The definition of an imported name that has an alias here, or that its module re-exports.
    pub(crate) fn resolve_imported_name(&self, reference: &RawReference, import: &Import) -> Option<SymbolId> {
        self.unique_definition(self.exported_definitions(&import.files, import.name?, reference.kind))
    }

    /// The definitions of a name that a module exports: its own, else those of the modules from which it re-exports
    /// the name, and so on.
    pub(crate) fn exported_definitions(&self, files: &[FileId], name: NameId, kind: EdgeKind) -> SymbolIds {
        let mut found = SymbolIds::new();
        let mut worklist: SmallVec<[(FileId, NameId); 4]> = files.iter().map(|&file| (file, name)).collect();
        let mut next = 0;
        while let Some(&(file, name)) = worklist.get(next) {
            next += 1;
            let here = |id: &SymbolId| {
                let symbol = self.symbol(*id);
                // A method that is defined outside of its type is at the top of the file, too. A function that extends
                // a type is imported by its name.
                self.can_target(kind, symbol.kind)
                    && self.is_top_level(*id)
                    && (symbol.kind != Kind::Method || self.has_open_types() || self.imports_extensions())
                    && !self.is_associated_item(*id)
            };
            let before = found.len();
            found.extend(self.named_in(name, file).iter().copied().filter(here));
            if found.len() == before && kind == EdgeKind::Call {
                found.extend(self.macros_of_crate(file, name));
            }
            if found.len() == before {
                found.extend(
                    self.members_of_module(file, name).into_iter().filter(|&id| can_target(kind, self.symbol(id).kind)),
                );
            }
            if found.len() > before || worklist.len() > MAX_REEXPORTS {
                continue;
            }
            if !self.reexports_imports(file) {
                continue;
            }
            let imports = self.imports_in(file);
            // Under another name: `export { a as b }`.
            let there = &self.table.files[file.index()];
            let is_ecma = there.language.is_some_and(|language| language.modules == ModuleSystem::EcmaScript);
            let renamed = if is_ecma { self.facts_for(there.first_symbol, Some(name)).1 } else { &[] };
            let is_name = |text: &str| !text.contains(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')));
            let renamed = renamed.iter().filter(|fact| !fact.is_declared && is_name(self.names().text(fact.text)));
            let renamed = renamed.map(|fact| (file, fact.text));
            let named = imports
                .binding(name)
                .into_iter()
                .filter(|import| !import.is_module)
                .filter_map(|import| Some((import, import.name?)))
                .flat_map(|(import, name)| import.files.iter().map(move |&file| (file, name)));
            let glob_imported = imports.glob_files().iter().map(|&file| (file, name));
            for step in renamed.chain(named).chain(glob_imported) {
                if !worklist.contains(&step) {
                    worklist.push(step);
                }
            }
        }
        found
    }
}
