//! Names that a file sees through what it includes, directly or not: C and its relatives.
//!
//! What an included file names is looked up in what the including file includes, as the compiler does.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};

use crate::classes::Classes;
use crate::interner::NameId;
use crate::resolution::{SymbolIds, retain_preferred};
use crate::target_class::can_target;
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// Whether the file's language includes the text of other files.
    pub(crate) fn uses_includes(&self) -> bool {
        self.language().is_some_and(|language| language.links_definitions)
    }

    /// Whether the file that is resolved is another one, or includes it, directly or not.
    pub(crate) fn includes(&self, other: FileId) -> bool {
        let mut included = self.cache.included.borrow_mut();
        if !included.is_known {
            included.compute(self.table.files.len(), |from| self.all_imports.imports_of(from).glob_files());
        }
        included.contains(other)
    }

    /// Whether a use in this file can refer to a definition in another without including it: those that a file keeps to
    /// itself are out of reach.
    pub(crate) fn is_linked(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        if !self.uses_includes() || symbol.file == self.file {
            return true;
        }
        let has_namespaces = self.language().is_some_and(|language| language.implicit_this);
        // Nobody includes a source file. A header may be included by an option of the compiler.
        let is_in_header = || {
            let extension = self.table.files[symbol.file.index()].path.rsplit_once('.').map_or("", |found| found.1);
            !extension.starts_with(['c', 'C'])
        };
        match symbol.kind {
            // A struct may be known by a declaration alone. In C++ an unknown name is often a parameter of a template.
            kind if kind.is_type() => !has_namespaces || self.is_top_level(id) && is_in_header(),
            Kind::Macro => is_in_header(),
            _ => symbol.is_exported,
        }
    }

    /// The definition that an included file contains, or that it declares and another file defines.
    pub(crate) fn resolve_included(&self, name: NameId, kind: EdgeKind, candidates: &[SymbolId]) -> Option<SymbolId> {
        let is_there = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            // The namespaces of another repository are closed: what they contain needs a path.
            let is_outermost =
                || self.visible_container(*id).is_none_or(|container| self.symbol(container).kind == Kind::File);
            let is_reachable =
                self.table.share_repository(self.file, symbol.file) || symbol.kind != Kind::Namespace && is_outermost();
            is_reachable && self.is_visible_unqualified(*id) && self.includes(symbol.file)
        };
        let mut included: SymbolIds = candidates.iter().copied().filter(is_there).collect();
        if !included.is_empty() {
            // A type in another one needs a path.
            retain_preferred(&mut included, |id| self.is_top_level(id) || !self.symbol(id).kind.is_type());
            let included = self.unique_definition(&included)?;
            return Some(self.linked_definition(included, candidates).unwrap_or(included));
        }
        // A declaration, or what a header of another repository defines.
        let declarations = self.named(name, Classes::targets_of(kind)).iter().copied().filter(|id| {
            let symbol = self.symbol(*id);
            let stands_alone = !symbol.has_body || !self.table.share_repository(self.file, symbol.file);
            stands_alone && can_target(kind, symbol.kind) && is_there(id)
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
