//! Types and modules that several places open and that add up: which of them stands for all, and what all have.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use smallvec::SmallVec;

use crate::classes::Classes;
use crate::interner::NameId;
use crate::view::Resolver;

use super::members::MAX_BASES;

impl Resolver<'_, '_> {
    /// The bases of a type as they are written, with the definition that names them: its own, then those of its other
    /// definitions, where these add up.
    pub(super) fn bases_of_openings(&self, type_id: SymbolId) -> SmallVec<[(SymbolId, Option<NameId>, NameId); 4]> {
        let with_opening = |(id, bases): (SymbolId, &[(Option<NameId>, NameId)])| {
            bases.iter().map(move |&(owner, name)| (id, owner, name)).collect::<SmallVec<[_; 4]>>()
        };
        let mut found = with_opening((type_id, self.written_bases(type_id)));
        let home = self.symbol(type_id);
        let language = self.table.files[home.file.index()].language;
        if language.is_some_and(|language| language.reopened_types) {
            let is_other = |id: SymbolId| {
                let is_here = self.share_linkage_group(self.symbol(id).file, home.file);
                id != type_id && is_here && self.is_same_type(id, type_id)
            };
            let others = self.named_with_bases(home.name).filter(|(id, _)| is_other(*id));
            found.extend(others.take(MAX_BASES).flat_map(with_opening));
        }
        found
    }

    /// What some definitions define, if it is one thing.
    pub(crate) fn only_definition(&self, candidates: &[SymbolId]) -> Option<SymbolId> {
        self.unique_definition(candidates).or_else(|| self.reopened_definition(candidates))
    }

    /// The first of several definitions of one type, where they add up.
    pub(super) fn reopened_type(&self, candidates: &[SymbolId]) -> Option<SymbolId> {
        if !self.language().is_some_and(|language| language.reopened_types) {
            return None;
        }
        let mut types = candidates.iter().copied().filter(|&id| self.symbol(id).kind.is_type());
        let first = types.next()?;
        types.all(|id| self.is_same_type(id, first)).then_some(first)
    }

    /// The main one of several definitions of one type or module, where they add up. `None` if they define several things, or
    /// one that is outside of the repository.
    pub(crate) fn reopened_definition(&self, candidates: &[SymbolId]) -> Option<SymbolId> {
        let first = candidates.first()?;
        if !self.language().is_some_and(|language| language.reopened_types) {
            return None;
        }
        if let Some(known) = self.cache.opened.borrow().get(&self.file).and_then(|of_file| of_file.get(candidates)) {
            return *known;
        }
        let is_scope = |id: SymbolId| self.symbol(id).kind.is_type() || self.symbol(id).kind == Kind::Module;
        let are_one = candidates.iter().all(|&id| is_scope(id) && self.is_same_type(id, *first));
        let is_outside = || self.is_ruby() && candidates.iter().all(|&id| self.opens_external(id));
        let found = if are_one && !is_outside() { self.main_opening(candidates) } else { None };
        self.cache.opened.borrow_mut().entry(self.file).or_default().insert(candidates.into(), found);
        found
    }

    /// The definition that stands for all: product before tests, then that of a file with its name (`http_client.rb` has
    /// `HttpClient`), then the one in the highest folder, then what is included, then the one with the shortest path.
    fn main_opening(&self, candidates: &[SymbolId]) -> Option<SymbolId> {
        let path = |id: SymbolId| self.table.files[self.symbol(id).file.index()].path.as_str();
        let rank = |id: SymbolId| {
            let is_test = self.table.files[self.symbol(id).file.index()].is_test;
            let is_named = is_named_after(path(id), self.names().text(self.symbol(id).name));
            (is_test, !is_named, path(id).matches('/').count())
        };
        let second = |id: SymbolId| {
            let is_included = self.imports.glob_files().contains(&self.symbol(id).file);
            (!is_included, path(id).len(), path(id), id)
        };
        let ranked = candidates.iter().map(|&id| (rank(id), id));
        ranked.min_by(|a, b| a.0.cmp(&b.0).then_with(|| second(a.1).cmp(&second(b.1)))).map(|(_, id)| id)
    }

    /// Whether a definition opens a type of a module that is outside of the repository: `class ActiveSupport::TestCase`.
    fn opens_external(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let is_here = |&other: &SymbolId| self.share_linkage_group(self.symbol(other).file, symbol.file);
        let owner = symbol.owner.filter(|_| self.is_file_level(symbol.container));
        owner.is_some_and(|owner| !self.named(owner, Classes::TYPE.or(Classes::MODULE)).iter().any(is_here))
    }

    /// Whether two definitions are of one type: they have one name, and so have the types and namespaces around them.
    pub(crate) fn is_same_type(&self, one: SymbolId, other: SymbolId) -> bool {
        let (mut a, mut b) = (self.symbol(one), self.symbol(other));
        loop {
            if a.name != b.name || a.kind.is_type() != b.kind.is_type() {
                return false;
            }
            // Directly in a file, the owner is the namespace that the file declares.
            let (Some(above_a), Some(above_b)) = (a.container, b.container) else { return false };
            let (above_a, above_b) = (self.symbol(above_a), self.symbol(above_b));
            if above_a.kind == Kind::File || above_b.kind == Kind::File {
                return above_a.kind == above_b.kind && a.owner == b.owner;
            }
            (a, b) = (above_a, above_b);
        }
    }

    /// Whether a symbol is inside of another module with the name of a type.
    pub(super) fn is_in_namesake(&self, id: SymbolId, type_id: SymbolId) -> bool {
        let container = self.symbol(id).container;
        container.is_some_and(|container| {
            let around = self.symbol(container);
            around.kind == Kind::Module
                && around.name == self.symbol(type_id).name
                && !self.is_same_type(container, type_id)
        })
    }

    /// The names of modules with methods for the types that include the module around them.
    pub(super) fn class_method_modules(&self) -> SmallVec<[NameId; 1]> {
        let names = self.language().map_or(&[][..], |language| language.class_method_modules);
        names.iter().map(|name| self.name(name)).collect()
    }

    /// Puts modules with methods of the type itself first if the type is meant, and last for its objects.
    pub(super) fn order_class_methods(&self, bases: &mut [SymbolId], is_type: bool) {
        let names = self.class_method_modules();
        let has_class_methods = |&base: &SymbolId| names.contains(&self.symbol(base).name);
        if !names.is_empty() && bases.iter().any(has_class_methods) {
            bases.sort_by_key(|base| has_class_methods(base) != is_type);
        }
    }
}

/// Whether a file has the name of a definition, but for case and underscores.
fn is_named_after<'a>(path: &'a str, name: &'a str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let letters = |text: &'a str| text.chars().filter(|c| *c != '_').flat_map(char::to_lowercase);
    letters(stem).eq(letters(name))
}
