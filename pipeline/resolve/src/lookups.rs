//! Look-ups of a resolver that other files answer. All of them go through here, so that it is known which files must be
//! resolved again when one changes.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::EdgeKind;
use sextant_syntax::language::ModuleSystem;

use crate::classes::Classes;
use crate::imports::FileImports;
use crate::interner::NameId;
use crate::reads::{Key, NameHash};
use crate::type_facts::InternedTypeFact;
use crate::view::Resolver;

impl<'a, 'm> Resolver<'a, 'm> {
    /// The id of a name, also of one that no file contains.
    pub(crate) fn name(&self, text: &str) -> NameId {
        let names = &self.table.names;
        names.find(text).unwrap_or_else(|| self.cache.unknown_name(names.len(), text))
    }

    fn fingerprint(&self, name: NameId) -> u64 {
        let known = self.table.names.len();
        match name.index().checked_sub(known) {
            None => self.table.names.fingerprint(name),
            Some(unknown) => self.cache.fingerprint_of_unknown(unknown),
        }
    }

    fn file_key(&self, file: FileId) -> u64 {
        self.table.files[file.index()].state.place.key
    }

    pub(crate) fn ask(&self, key: Key) {
        self.cache.reads.ask(key);
    }

    /// The hash of a name in keys.
    pub(crate) fn hash(&self, name: NameId) -> NameHash {
        NameHash::new(self.fingerprint(name))
    }

    /// Says that the symbols of a name in a file are asked for.
    pub(crate) fn ask_in(&self, name: NameId, file: FileId) {
        if file != self.cache.reads.file() {
            self.ask(Key::in_file(self.hash(name), self.file_key(file)));
        }
    }

    /// The symbols of a name, by id. Only those of some classes are asked for: the caller must not look at others.
    pub(crate) fn named(&self, name: NameId, classes: Classes) -> &'m [SymbolId] {
        self.ask(Key::named(self.hash(name), classes));
        self.index.named(name)
    }

    /// The symbols of a name in a file, by id.
    pub(crate) fn named_in(&self, name: NameId, file: FileId) -> &'m [SymbolId] {
        self.ask_in(name, file);
        self.index.named_in(name, file)
    }

    /// The symbols of a name whose owner has this name, by id.
    pub(crate) fn members_named(&self, name: NameId, owner: NameId) -> &'m [SymbolId] {
        self.ask(Key::member(self.hash(name), self.hash(owner)));
        self.index.members_named(self.table, name, owner)
    }

    /// Those of them that no type contains.
    pub(crate) fn members_outside_of_types(
        &self,
        name: NameId,
        owner: NameId,
    ) -> impl Iterator<Item = SymbolId> + use<'_, 'a, 'm> {
        self.ask(Key::outside_of_types(self.hash(name), self.hash(owner)));
        let members = self.index.members_named(self.table, name, owner).iter().copied();
        members.filter(|&id| !self.is_in_type(id))
    }

    /// Whether a type contains a symbol.
    pub(crate) fn is_in_type(&self, id: SymbolId) -> bool {
        self.symbol(id).container.is_some_and(|container| self.symbol(container).kind.is_type())
    }

    /// Whether a type of this name has named extensions.
    pub(crate) fn is_extended(&self, name: NameId) -> bool {
        self.ask(Key::extensions(self.hash(name)));
        self.index.is_extended(name)
    }

    /// The types that a type inherits from or implements, as written: (qualifier, name).
    pub(crate) fn written_bases(&self, symbol: SymbolId) -> &'m [(Option<NameId>, NameId)] {
        let about = self.symbol(symbol);
        let name = self.hash(about.name);
        if about.file != self.cache.reads.file() {
            self.ask(Key::bases(name, self.file_key(about.file)));
        }
        self.ask(Key::bases_elsewhere(name));
        self.index.bases(symbol)
    }

    /// The symbols of a name that have bases, by id, with these as they are written.
    pub(crate) fn named_with_bases(
        &self,
        name: NameId,
    ) -> impl Iterator<Item = (SymbolId, &'m [(Option<NameId>, NameId)])> {
        self.ask(Key::bases_elsewhere(self.hash(name)));
        let index = self.index;
        let bases = index.named(name).iter().map(move |&id| (id, index.bases(id)));
        bases.filter(|(_, bases)| !bases.is_empty())
    }

    /// The facts about a name inside a symbol, or about the symbol itself, and the index of the first.
    pub(crate) fn facts_for(&self, symbol: SymbolId, name: Option<NameId>) -> (usize, &'a [InternedTypeFact]) {
        let about = self.symbol(symbol);
        if about.file != self.cache.reads.file() {
            let name = self.fingerprint(name.unwrap_or(about.name));
            self.ask(Key::fact(self.file_key(about.file), name));
        }
        self.table.type_facts.facts_for(symbol, name)
    }

    /// The imports of a file.
    pub(crate) fn imports_in(&self, file: FileId) -> &'m FileImports<'a> {
        if file != self.cache.reads.file() {
            self.ask(Key::imports(self.file_key(file)));
        }
        self.all_imports.imports_of(file)
    }

    /// The files of a module or type by its full path, in languages where code may use full paths without an import.
    pub(crate) fn module_files(&self, file: FileId, name: &str) -> Vec<FileId> {
        if self.all_imports.has_full_paths(file) {
            self.cache.reads.ask_modules();
        }
        self.all_imports.module_files(file, name)
    }

    /// The type of a full name, `a.b.C`, without an import.
    pub(crate) fn fully_named_type(&self, path: &str, name: &str) -> Option<SymbolId> {
        if !self.may_name_package(path) {
            return None;
        }
        self.cache.reads.ask_modules();
        let files = self.all_imports.packaged_type_files(self.file, &format!("{path}.{name}"));
        self.unique_definition(self.exported_definitions(&files, self.name(name), EdgeKind::Type))
    }

    /// Whether a path may be the name of a package, by which types are named without an import.
    pub(crate) fn may_name_package(&self, path: &str) -> bool {
        let is_package = path.starts_with(char::is_lowercase) && !path.contains(['(', '[', '<', '{', ' ']);
        is_package && self.language().is_some_and(|language| language.modules == ModuleSystem::Java)
    }

    /// The file of the Rust module that a path names in a file: a crate of the repository, or a module in one.
    pub(crate) fn rust_module(&self, file: FileId, path: &str) -> Option<FileId> {
        if self.all_imports.has_full_paths(file) {
            self.cache.reads.ask_modules();
        }
        self.all_imports.rust_module(file, path)
    }

    /// The folder of the crate that a Rust file belongs to.
    pub(crate) fn crate_folder(&self, file: FileId) -> Option<&'a str> {
        self.cache.reads.ask_modules();
        let file = &self.table.files[file.index()];
        self.table.projects.crate_folder(file.repo, &file.path)
    }

    /// Whether the crate that the file belongs to depends on that of another one.
    pub(crate) fn depends_on_crate_of(&self, other: FileId) -> bool {
        self.cache.reads.ask_modules();
        let place = |file: FileId| {
            let file = &self.table.files[file.index()];
            (file.repo, file.path.as_str())
        };
        self.table.projects.depends_on_crate(place(self.file), place(other))
    }
}
