//! Types and modules by their full names, which need no import.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_syntax::language::ModuleSystem;
use smallvec::{SmallVec, smallvec};

use crate::classes::Classes;
use crate::value::{PossibleValues, Value};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// The type or object with whose full name a path begins, `a.b.C.d`, and the rest of the path.
    pub(super) fn fully_named_value<'p>(&self, path: &'p str) -> Option<(PossibleValues, &'p str)> {
        let names = &path[..path.find(['(', '[', '{']).unwrap_or(path.len())];
        let mut ends = names.match_indices('.').map(|(at, _)| at).skip(1).chain([names.len()]);
        ends.find_map(|end| {
            let (package, name) = names[..end].rsplit_once('.')?;
            let is_type = |&id: &SymbolId| self.symbol(id).kind.is_type() && self.is_top_level(id);
            // The look-up makes the file depend on all modules.
            let is_possible = self.named(self.name(name), Classes::TYPE).iter().any(is_type);
            let found = is_possible.then(|| self.fully_named_type(package, name)).flatten()?;
            Some((smallvec![Value::Type(found)], &path[end..]))
        })
    }

    /// The module with whose full name a path begins, `A.B.c`, and the rest of the path.
    pub(super) fn longest_module<'p>(&self, path: &'p str) -> Option<(PossibleValues, &'p str)> {
        let names = &path[..path.find(['(', '[', '{']).unwrap_or(path.len())];
        if self.is_name_path(names) && names.contains('.') {
            let ends = names.match_indices('.').map(|(at, _)| at).skip(1).chain([names.len()]);
            let ends: SmallVec<[usize; 8]> = ends.collect();
            return ends.into_iter().rev().find_map(|end| {
                let found = self.definition_of_path(&path[..end], false)?;
                Some((smallvec![Value::Type(found)], &path[end..]))
            });
        }
        if self.language()?.modules != ModuleSystem::Namespaces {
            return None;
        }
        let modules = names.split('.').take_while(|name| name.starts_with(char::is_uppercase));
        let end = modules.map(|name| name.len() + 1).sum::<usize>().checked_sub(1)?;
        let found = self.module_of_path(&path[..end])?;
        Some((smallvec![Value::Type(found)], &path[end..]))
    }

    /// The module or type of a full name, `A.B`, whose first part an import may bind, in languages where the text declares
    /// full names.
    pub(crate) fn module_of_path(&self, path: &str) -> Option<SymbolId> {
        if self.language()?.modules != ModuleSystem::Namespaces || !path.starts_with(char::is_uppercase) {
            return None;
        }
        let (first, rest) = path.split_once('.')?;
        let bound = self.imports.binding(self.name(first));
        let full = bound.iter().map(|import| format!("{}.{rest}", self.names().text(import.module)));
        full.chain([path.to_owned()]).find_map(|full| {
            let (owner, name) = full.rsplit_once('.')?;
            let owner = Some(self.name(owner.rsplit('.').next().unwrap_or(owner)));
            let files = self.module_files(self.file, &full);
            let named = files.iter().flat_map(|&file| self.named_in(self.name(name), file)).copied();
            let is_module = |id: &SymbolId| {
                let symbol = self.symbol(*id);
                (symbol.kind.is_type() || symbol.kind == Kind::Module) && symbol.owner == owner
            };
            self.unique_definition(named.filter(is_module))
        })
    }
}
