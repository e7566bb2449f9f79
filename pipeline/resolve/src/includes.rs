//! Names that a file sees through what it includes, directly or not: C and its relatives.
//!
//! What an included file names is looked up in what the including file includes, as the compiler does.

use std::cell::Ref;

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind, Tier};

use crate::candidates::UseCandidates;
use crate::classes::Classes;
use crate::confidence;
use crate::included_files::IncludedFiles;
use crate::interner::NameId;
use crate::reads::Key;
use crate::resolution::{MAX_CANDIDATES, Resolution, SymbolIds, ambiguous, retain_preferred};
use crate::target_class::can_target;
use crate::view::Resolver;

/// The usual name of a folder of headers.
const HEADERS: &str = "include";

impl Resolver<'_, '_> {
    /// Whether the file's language includes the text of other files.
    pub(crate) fn uses_includes(&self) -> bool {
        self.language().is_some_and(|language| language.links_definitions)
    }

    /// Whether the file that is resolved is another one, or includes it, directly or not.
    pub(crate) fn includes(&self, other: FileId) -> bool {
        self.included_files().contains(other)
    }

    /// What the file that is resolved includes.
    fn included_files(&self) -> Ref<'_, IncludedFiles> {
        let is_known = self.cache.included.borrow().is_known;
        if !is_known {
            let mut included = self.cache.included.borrow_mut();
            included.compute(self.table.files.len(), |from| self.all_imports.imports_of(from).glob_files());
        }
        self.cache.included.borrow()
    }

    /// Whether a use in this file can refer to a definition in another without including it: those that a file keeps to
    /// itself are out of reach, and so is what needs a declaration before its use.
    pub(crate) fn is_linked(&self, edge: EdgeKind, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        if !self.uses_includes() || symbol.file == self.file {
            return true;
        }
        let has_namespaces = self.language().is_some_and(|language| language.implicit_this);
        let is_in_header = || self.is_header(symbol.file);
        let is_linkable = match symbol.kind {
            Kind::Field => false,
            // A struct may be known by a declaration alone. In C++ an unknown name is often a parameter of a template.
            kind if kind.is_type() => !has_namespaces || self.is_top_level(id) && is_in_header(),
            Kind::Macro | Kind::EnumMember => is_in_header(),
            _ => symbol.is_exported,
        };
        // A plain reference may be an argument of a macro, and name nothing.
        let needs_declaration = edge == EdgeKind::Reference
            || matches!(symbol.kind, Kind::Macro | Kind::EnumMember | Kind::Variable | Kind::Constant);
        is_linkable && (!needs_declaration || self.may_see(symbol.file))
    }

    /// Whether a file is one that others include: a source file is not, whatever a few do.
    fn is_header(&self, file: FileId) -> bool {
        let extension = self.table.files[file.index()].path.rsplit_once('.').map_or("", |found| found.1);
        !extension.starts_with(['c', 'C'])
    }

    /// Whether the file may see what another one declares though it does not include it, because an option of the compiler
    /// or whoever includes both does: one in a folder around it or below it, or, for a header, one in a folder of headers
    /// that serves it.
    fn may_see(&self, other: FileId) -> bool {
        let parts = |file: FileId| {
            let path = &self.table.files[file.index()].path;
            path.rsplit_once('/').map_or("", |(folder, _)| folder).split('/').filter(|part| !part.is_empty())
        };
        let common = parts(self.file).zip(parts(other)).take_while(|(a, b)| a == b).count();
        let (here, there) = (parts(self.file).count(), parts(other).count());
        let is_around = common == here.min(there);
        let serves = || parts(other).nth(common) == Some(HEADERS) && self.is_header(self.file);
        self.table.share_repository(self.file, other) && (is_around || serves())
    }

    /// The definition that an included file contains, or that it declares and another file defines.
    /// Alternatives among which conditions choose are candidates.
    pub(crate) fn resolve_included(
        &self,
        name: NameId,
        kind: EdgeKind,
        candidates: &UseCandidates<'_, '_, '_>,
    ) -> Option<Resolution> {
        let found = |id| Some(Resolution::single(Tier::Import, confidence::GLOB_IMPORT, id));
        let is_there = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            // The namespaces of another repository are closed: what they contain needs a path.
            let is_outermost =
                || self.visible_container(*id).is_none_or(|container| self.symbol(container).kind == Kind::File);
            let is_reachable =
                self.table.share_repository(self.file, symbol.file) || symbol.kind != Kind::Namespace && is_outermost();
            is_reachable && self.is_visible_unqualified(*id)
        };
        let files = self.included_files();
        let is_included = |file| files.contains(file);
        let mut included: SymbolIds = candidates.in_files_where(is_included).into_iter().filter(is_there).collect();
        if !included.is_empty() {
            // A type in another one needs a path.
            retain_preferred(&mut included, |id| self.is_top_level(id) || !self.symbol(id).kind.is_type());
            let Some(included) = self.unique_definition(&included).or_else(|| self.main_definition(&included)) else {
                return ambiguous(&included).or_else(|| Some(Resolution::unresolved()));
            };
            return found(self.linked_definition(included, candidates).unwrap_or(included));
        }
        // A declaration, or what a header of another repository defines.
        self.ask(Key::named(self.hash(name), Classes::targets_of(kind)));
        let declarations = self.index.named_where(name, is_included).into_iter().filter(|id| {
            let symbol = self.symbol(*id);
            let stands_alone = !symbol.has_body || !self.table.share_repository(self.file, symbol.file);
            stands_alone && can_target(kind, symbol.kind) && is_there(id)
        });
        let declared = self.unique_definition(declarations)?;
        found(self.linked_definition(declared, candidates).unwrap_or(declared))
    }

    /// Of definitions in several included files, the one in the file that includes the others itself: it defines the name
    /// unless a condition has it take another file's definition.
    fn main_definition(&self, included: &[SymbolId]) -> Option<SymbolId> {
        if included.len() > MAX_CANDIDATES {
            return None;
        }
        let includes = |file: FileId, other: FileId| self.all_imports.imports_of(file).glob_files().contains(&other);
        let file_of = |id: &SymbolId| self.symbol(*id).file;
        let is_main = |file: FileId| included.iter().map(file_of).all(|other| other == file || includes(file, other));
        let main = included.iter().map(file_of).find(|&file| is_main(file))?;
        self.unique_definition(included.iter().filter(|id| file_of(id) == main))
    }

    /// What another file defines of a declared function or variable, if there is only one such definition.
    fn linked_definition(&self, declaration: SymbolId, candidates: &UseCandidates<'_, '_, '_>) -> Option<SymbolId> {
        let declared = self.symbol(declaration);
        let is_linkable = matches!(declared.kind, Kind::Function | Kind::Variable | Kind::Constant);
        if !is_linkable || declared.has_body {
            return None;
        }
        self.unique_definition(candidates.all().iter().copied().filter(|&id| {
            let symbol = self.symbol(id);
            symbol.kind == declared.kind && symbol.is_exported && self.is_top_level(id) && !self.includes(symbol.file)
        }))
    }
}
