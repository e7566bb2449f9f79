//! Names that a file sees through what it includes, directly or not: C and its relatives.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::Kind;
use sextant_syntax::language::ModuleSystem;

use crate::model::RawReference;
use crate::target_class::can_target;
use crate::view::Resolver;

/// The files that one file includes, directly or not.
#[derive(Default)]
pub(crate) struct IncludedFiles {
    /// The file whose includes are known.
    of: Option<FileId>,
    files: Vec<FileId>,
    /// For each file of the index, whether it is one of `files`.
    is_included: Vec<bool>,
}

impl IncludedFiles {
    pub(crate) fn clear(&mut self) {
        for file in self.files.drain(..) {
            self.is_included[file.index()] = false;
        }
        self.of = None;
    }

    fn compute<'i>(&mut self, file: FileId, count: usize, includes: impl Fn(FileId) -> &'i [FileId]) {
        self.clear();
        self.of = Some(file);
        self.is_included.resize(count, false);
        let mut add = |files: &mut Vec<FileId>, from: FileId| {
            for &included in includes(from) {
                if !self.is_included[included.index()] && included != file {
                    self.is_included[included.index()] = true;
                    files.push(included);
                }
            }
        };
        let mut files = std::mem::take(&mut self.files);
        add(&mut files, file);
        let mut next = 0;
        while let Some(&from) = files.get(next) {
            add(&mut files, from);
            next += 1;
        }
        self.files = files;
    }
}

impl Resolver<'_, '_> {
    /// Whether the file's language includes the text of other files.
    pub(crate) fn uses_includes(&self) -> bool {
        self.language().is_some_and(|language| language.modules == ModuleSystem::Include)
    }

    /// Whether the file includes another, directly or not.
    fn includes(&self, other: FileId) -> bool {
        let mut included = self.cache.included.borrow_mut();
        if included.of != Some(self.file) {
            included.compute(self.file, self.table.files.len(), |from| self.all_imports.imports_of(from).glob_files());
        }
        included.is_included[other.index()]
    }

    /// Whether a use in this file can refer to a definition in another without including it: those that a file keeps to
    /// itself are out of reach.
    pub(crate) fn is_linked(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        !self.uses_includes() || symbol.is_exported || symbol.file == self.file || symbol.kind.is_type()
    }

    /// The definition that an included file contains, or that it declares and another file defines.
    pub(crate) fn resolve_included(&self, reference: &RawReference, candidates: &[SymbolId]) -> Option<SymbolId> {
        let is_there = |id: &SymbolId| self.is_visible_unqualified(*id) && self.includes(self.symbol(*id).file);
        let mut included = candidates.iter().copied().filter(is_there).peekable();
        if included.peek().is_some() {
            let included = self.unique_definition(included)?;
            return Some(self.linked_definition(included, candidates).unwrap_or(included));
        }
        let declarations = self.index.named(reference.name).iter().copied().filter(|id| {
            let symbol = self.symbol(*id);
            !symbol.has_body && can_target(reference.kind, symbol.kind) && is_there(id)
        });
        let declared = self.unique_definition(declarations)?;
        Some(self.linked_definition(declared, candidates).unwrap_or(declared))
    }

    /// What another file defines of a declared function or variable, if there is only one such definition.
    fn linked_definition(&self, declaration: SymbolId, candidates: &[SymbolId]) -> Option<SymbolId> {
        let declared = self.symbol(declaration);
        let is_linkable = matches!(declared.kind, Kind::Function | Kind::Variable | Kind::Constant);
        if !is_linkable || declared.has_body {
            return None;
        }
        self.unique_definition(candidates.iter().copied().filter(|&id| {
            let symbol = self.symbol(id);
            symbol.kind == declared.kind && symbol.is_exported && self.is_top_level(id) && !self.includes(symbol.file)
        }))
    }
}
