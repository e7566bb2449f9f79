//! The type to which code belongs: the one around it, or the one that a member outside of its type names.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};

use crate::candidates::UseCandidates;
use crate::classes::Classes;
use crate::interner::NameId;
use crate::resolution::{SymbolIds, retain_preferred};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// The innermost type around a symbol, or the symbol itself if it is a type. For a method that is defined outside
    /// of its type, the type that its qualified name names.
    pub(crate) fn enclosing_type(&self, mut id: SymbolId) -> Option<SymbolId> {
        let mut qualified = None;
        loop {
            let symbol = self.symbol(id);
            if symbol.kind.is_type() {
                return Some(id);
            }
            let Some(container) = symbol.container else { break };
            qualified =
                symbol.owner.filter(|_| self.is_file_level(Some(container))).map(|owner| (symbol, owner)).or(qualified);
            id = container;
        }
        let (method, owner) = qualified?;
        self.named_type(method.file, owner)
    }

    /// The type whose members are in scope in a symbol itself: the type, a module that takes members from others, or the
    /// type of a member that is defined outside of it.
    pub(crate) fn home_type(&self, id: SymbolId) -> Option<SymbolId> {
        let symbol = self.symbol(id);
        if symbol.kind.is_type() || symbol.kind == Kind::Module && !self.written_bases(id).is_empty() {
            return Some(id);
        }
        let has_code = symbol.kind.is_callable() || symbol.kind == Kind::Property;
        let owner = symbol.owner.filter(|_| has_code && self.is_file_level(symbol.container))?;
        self.named_type(symbol.file, owner)
    }

    /// The type that the name of an owner names in a file: one of the file, an imported one, one of the folder, the only
    /// one of the repository.
    pub(crate) fn named_type(&self, file: FileId, owner: NameId) -> Option<SymbolId> {
        if let Some((known, questions)) = self.cache.named_types.borrow().get(&(file, owner)) {
            self.cache.reads.repeat(questions);
            return *known;
        }
        let (found, questions) = self.cache.reads.record(|| self.find_named_type(file, owner));
        self.cache.named_types.borrow_mut().insert((file, owner), (found, questions));
        found
    }

    fn find_named_type(&self, file: FileId, owner: NameId) -> Option<SymbolId> {
        let here = &self.table.files[file.index()];
        let is_type = |id: &SymbolId| self.symbol(*id).kind.is_type();
        let mut types: SymbolIds = self.named(owner, Classes::TYPE).iter().copied().filter(is_type).collect();
        types.retain(|id| self.share_linkage_group(self.symbol(*id).file, file));
        if types.len() > 1 && !types.iter().any(|&id| self.symbol(id).file == file) {
            let resolver = self.for_file(file);
            let exported = |import: &crate::imports::Import| {
                self.unique_definition(resolver.exported_definitions(&import.files, import.name?, EdgeKind::Type))
            };
            let imported = resolver.imports.binding(owner).into_iter().find_map(exported);
            let imported = imported.or_else(|| {
                resolver.resolve_glob_import(owner, EdgeKind::Type, &UseCandidates::given(&resolver, owner, &types))
            });
            if let Some(imported) = imported.filter(is_type) {
                return Some(imported);
            }
        }
        retain_preferred(&mut types, |id| self.symbol(id).file == file);
        retain_preferred(&mut types, |id| self.table.files[self.symbol(id).file.index()].folder == here.folder);
        self.unique_definition(&types)
    }
}
