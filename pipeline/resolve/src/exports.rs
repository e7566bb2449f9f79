//! What files give to others: the definitions that an import names, through all the modules that hand a name on.

use sextant_format::kinds::{EdgeKind, Tier};
use sextant_syntax::language::ModuleSystem;
use smallvec::SmallVec;

use super::interner::NO_NAME;
use super::table::RawReference;
use super::{MAX_CANDIDATES, MAX_REEXPORTS, Resolution, Resolver, SymbolIds, can_target, confidence, imports};

impl Resolver<'_, '_> {
    /// Whether others can import from a file what it imports itself.
    pub(super) fn reexports_imports(&self, file: u32) -> bool {
        let language = self.table.files[file as usize].language;
        language.is_some_and(|language| {
            matches!(language.modules, ModuleSystem::Python | ModuleSystem::EcmaScript | ModuleSystem::Rust)
        })
    }

    /// What an import names: a symbol of the module, else the module's file itself.
    pub(super) fn resolve_import(&self, reference: &RawReference) -> Option<Resolution> {
        let import = self.imports.import_of(reference)?;
        let confidence = confidence::IMPORT;
        let default_export = import.is_default.then(|| self.default_export_target(import, reference.kind)).flatten();
        let target = default_export
            .or_else(|| self.unique_definition(self.exported_definitions(&import.files, import.name, reference.kind)));
        if let Some(target) = target {
            return Some(Resolution::single(Tier::Import, confidence, target));
        }
        match import.files.as_slice() {
            [] => None,
            [file] => {
                let target = self.table.files[*file as usize].first_symbol;
                Some(Resolution::single(Tier::Import, confidence, target))
            }
            // A package of several files: each of them is meant.
            files => {
                let targets = files.iter().take(MAX_CANDIDATES).map(|&f| self.table.files[f as usize].first_symbol);
                Some(Resolution { tier: Tier::Import, confidence, targets: targets.collect() })
            }
        }
    }

    /// What a name means that is of a file all of whose names can be used here.
    pub(super) fn resolve_glob_import(&self, name: u32, kind: EdgeKind, candidates: &[u32]) -> Option<u32> {
        let glob_files = self.imports.glob_files();
        let is_there = |id: &u32| glob_files.contains(&self.symbol(*id).file) && self.is_visible_unqualified(*id);
        self.unique_definition(candidates.iter().copied().filter(is_there)).or_else(|| {
            self.reexports_imports(self.file)
                .then(|| self.unique_definition(self.exported_definitions(glob_files, name, kind)))
                .flatten()
        })
    }

    /// An imported name that is called otherwise here, or that its module has from another one.
    pub(super) fn resolve_imported_name(&self, reference: &RawReference, import: &imports::Import) -> Option<u32> {
        self.unique_definition(self.exported_definitions(&import.files, import.name, reference.kind))
    }

    /// The definitions that a name of a module means: its own, else those of the modules that it has the
    /// name from, and so on.
    pub(super) fn exported_definitions(&self, files: &[u32], name: u32, kind: EdgeKind) -> SymbolIds {
        let mut found = SymbolIds::new();
        let mut worklist: SmallVec<[(u32, u32); 4]> = files.iter().map(|&file| (file, name)).collect();
        let mut next = 0;
        while let Some(&(file, name)) = worklist.get(next) {
            next += 1;
            let here = |id: &u32| {
                let symbol = self.symbol(*id);
                can_target(kind, symbol.kind) && self.is_top_level(*id)
            };
            let before = found.len();
            found.extend(self.index.named_in(name, file).iter().copied().filter(here));
            if found.len() > before || worklist.len() > MAX_REEXPORTS {
                continue;
            }
            if !self.reexports_imports(file) {
                continue;
            }
            let imports = self.all_imports.imports_of(file);
            let named = imports.binding(name).into_iter().flat_map(|i| i.files.iter().map(move |&file| (file, i.name)));
            let glob_imported = imports.glob_files().iter().map(|&file| (file, name));
            for step in named.chain(glob_imported) {
                if step.1 != NO_NAME && !worklist.contains(&step) {
                    worklist.push(step);
                }
            }
        }
        found
    }
}
