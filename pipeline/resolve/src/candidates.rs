//! The definitions that a use of a name may refer to, as far as a rule asks for them.
//!
//! Which of all definitions of a name a use can refer to depends on the others: a type precedes a module, a definition
//! its declaration, product code test code. Most rules only want those of one file or owner, though, and whether these
//! are among them can often be told without the others. So a part is looked up by itself, and all definitions of the
//! name only where a rule needs them; a file then depends on what its rules looked at.

use std::cell::OnceCell;

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use smallvec::SmallVec;

use crate::classes::Classes;
use crate::fingerprint;
use crate::interner::NameId;
use crate::raw_reference::{MemberForm, RawReference};
use crate::reads::{Key, NameHash};
use crate::resolution::{Candidates, MAX_CANDIDATES, SymbolIds};
use crate::target_class::can_target;
use crate::view::Resolver;

/// Files that are asked one by one; of more, their folders are asked.
const MAX_FILES: usize = 8;
/// Folders that are asked one by one; of more, all definitions of the name are looked at.
const MAX_FOLDERS: usize = 8;

/// How a name is used.
#[derive(Clone, Copy)]
pub(crate) enum Use<'r> {
    /// As a reference uses it.
    Reference(&'r RawReference),
    /// In a use of this kind. With `is_value`, a value precedes a type of the same name.
    Kind { name: NameId, kind: EdgeKind, is_value: bool },
    /// The definitions are given.
    Given(NameId),
}

/// The candidates for one use of a name.
pub(crate) struct UseCandidates<'r, 'a, 'm> {
    resolver: &'r Resolver<'a, 'm>,
    of: Use<'r>,
    all: OnceCell<Candidates>,
}

impl<'r, 'a, 'm> UseCandidates<'r, 'a, 'm> {
    pub(crate) const fn new(resolver: &'r Resolver<'a, 'm>, of: Use<'r>) -> Self {
        Self { resolver, of, all: OnceCell::new() }
    }

    /// Candidates that are known.
    pub(crate) fn given(resolver: &'r Resolver<'a, 'm>, name: NameId, candidates: &[SymbolId]) -> Self {
        let mut all: SmallVec<[SymbolId; 8]> = candidates.into();
        all.sort_unstable();
        Self { resolver, of: Use::Given(name), all: OnceCell::from(Candidates::Owned(all)) }
    }

    /// All of them, by id.
    pub(crate) fn all(&self) -> &[SymbolId] {
        self.all.get_or_init(|| match self.of {
            Use::Reference(reference) => self.resolver.candidates_of(reference),
            Use::Kind { name, kind, is_value } => self.resolver.candidates_named(name, kind, is_value),
            Use::Given(_) => Candidates::Owned(SmallVec::new()),
        })
    }

    /// All of them, by id; none if there are more than [`MAX_CANDIDATES`].
    pub(crate) fn if_few(&self) -> Option<&[SymbolId]> {
        if self.all.get().is_none() && self.is_common() {
            return None;
        }
        Some(self.all()).filter(|all| all.len() <= MAX_CANDIDATES)
    }

    /// Whether there are more than [`MAX_CANDIDATES`], as far as functions tell that are candidates for every call.
    fn is_common(&self) -> bool {
        let Use::Reference(reference) = self.of else { return false };
        let resolver = self.resolver;
        if reference.kind != EdgeKind::Call || resolver.excludes_members(reference) || resolver.has_exact_arity() {
            return false;
        }
        let here = &resolver.table.files[resolver.file.index()];
        let counts = |id: &&SymbolId| {
            let symbol = resolver.symbol(**id);
            symbol.makes_common(resolver.table) && resolver.share_linkage_group(symbol.file, resolver.file)
        };
        let is_common = resolver.index.named(self.name()).iter().filter(counts).nth(MAX_CANDIDATES).is_some();
        if is_common {
            resolver.ask(Key::is_common(self.hash(), here.state.place.group));
        }
        is_common
    }

    /// Those in a file, by id.
    pub(crate) fn in_file(&self, file: FileId) -> SymbolIds {
        self.in_files(&[file])
    }

    /// Those in some files, by id.
    pub(crate) fn in_files(&self, files: &[FileId]) -> SymbolIds {
        let resolver = self.resolver;
        if files.is_empty() {
            return SymbolIds::new();
        }
        if let Some(all) = self.all.get() {
            return resolver.index.in_files(all, files);
        }
        let named = resolver.index.named(self.name());
        if files.len() <= MAX_FILES {
            files.iter().for_each(|&file| resolver.ask_in(self.name(), file));
            return self.part(&resolver.index.in_files(named, files));
        }
        let mut folders: SmallVec<[u32; MAX_FOLDERS]> = SmallVec::new();
        for &file in files {
            let folder = resolver.table.files[file.index()].folder;
            if folders.contains(&folder) {
                continue;
            }
            if folders.len() == MAX_FOLDERS {
                self.ask_all();
                return self.part(&resolver.index.in_files(named, files));
            }
            folders.push(folder);
            resolver.ask(Key::in_folder(self.hash(), resolver.table.files[file.index()].state.place.folder));
        }
        self.part(&resolver.index.in_files(named, files))
    }

    /// Those in files of which something holds, by id.
    pub(crate) fn in_files_where(&self, is_wanted: impl Fn(FileId) -> bool) -> SymbolIds {
        let found = self.resolver.index.named_where(self.name(), is_wanted);
        if let Some(all) = self.all.get() {
            return found.into_iter().filter(|id| all.binary_search(id).is_ok()).collect();
        }
        self.ask_all();
        self.part(&found)
    }

    /// Says that all definitions of the name are asked for to which the use can refer.
    fn ask_all(&self) {
        let (kind, form) = match self.of {
            Use::Reference(reference) => (reference.kind, self.resolver.form_of(reference)),
            Use::Kind { kind, .. } => (kind, MemberForm::Any),
            Use::Given(_) => return,
        };
        self.resolver.ask_compatible(self.name(), kind, form, &[]);
    }

    /// Those in the folder, package or namespace of a file, by id.
    pub(crate) fn in_folder_of(&self, file: FileId) -> SymbolIds {
        let files = &self.resolver.table.files;
        let (folder, key) = (files[file.index()].folder, files[file.index()].state.place.folder);
        let is_there = |id: SymbolId| files[self.resolver.symbol(id).file.index()].folder == folder;
        self.look_up(Key::in_folder(self.hash(), key), is_there)
    }

    /// Those in files that have a name as modules, by id.
    pub(crate) fn in_module(&self, module: &str) -> SymbolIds {
        let files = &self.resolver.table.files;
        let is_there = |id: SymbolId| files[self.resolver.symbol(id).file.index()].module_name == module;
        self.look_up(Key::in_module(self.hash(), fingerprint::of_text(module)), is_there)
    }

    /// Those whose owner has a name, by id.
    pub(crate) fn owned_by(&self, owner: NameId) -> SymbolIds {
        let is_there = |id: SymbolId| self.resolver.symbol(id).owner == Some(owner);
        self.look_up(Key::member(self.hash(), self.resolver.hash(owner)), is_there)
    }

    /// Those of some classes, by id.
    pub(crate) fn of_classes(&self, classes: Classes) -> SymbolIds {
        let is_there = |id: SymbolId| classes.contain(self.resolver.symbol(id).kind);
        self.look_up(Key::named(self.hash(), classes), is_there)
    }

    fn name(&self) -> NameId {
        match self.of {
            Use::Reference(reference) => reference.name,
            Use::Kind { name, .. } | Use::Given(name) => name,
        }
    }

    fn hash(&self) -> NameHash {
        self.resolver.hash(self.name())
    }

    /// The candidates that are somewhere; the key asks for all definitions of the name there.
    fn look_up(&self, key: Key, is_there: impl Fn(SymbolId) -> bool) -> SymbolIds {
        if let Some(all) = self.all.get() {
            return all.iter().copied().filter(|&id| is_there(id)).collect();
        }
        self.resolver.ask(key);
        let named = self.resolver.index.named(self.name()).iter().copied();
        let found: SymbolIds = named.filter(|&id| is_there(id)).collect();
        self.part(&found)
    }

    /// Those of some definitions of the name that are candidates.
    fn part(&self, of: &[SymbolId]) -> SymbolIds {
        let possible: SymbolIds = of.iter().copied().filter(|&id| self.is_possible(id)).collect();
        if possible.iter().all(|&id| self.is_certain(id)) {
            return match self.of {
                Use::Reference(reference) => {
                    possible.into_iter().filter(|&id| self.resolver.accepts_arguments(reference, id)).collect()
                }
                _ => possible,
            };
        }
        let all = self.all();
        possible.into_iter().filter(|id| all.binary_search(id).is_ok()).collect()
    }

    /// Whether a definition is a candidate if it is the only one.
    fn is_possible(&self, id: SymbolId) -> bool {
        let resolver = self.resolver;
        match self.of {
            Use::Given(_) => true,
            Use::Kind { kind, .. } => resolver.may_be_compatible(id, kind),
            Use::Reference(reference) => {
                let kind = resolver.symbol(id).kind;
                let is_left_out = resolver.uses_includes()
                    && reference.kind == EdgeKind::Reference
                    && matches!(kind, Kind::Constructor | Kind::Namespace);
                resolver.may_be_compatible(id, reference.kind)
                    && !is_left_out
                    && !(resolver.excludes_members(reference) && resolver.is_member(id))
                    && resolver.fits_form(resolver.form_of(reference), kind)
            }
        }
    }

    /// Whether a possible candidate is one whatever other definitions there are. What is asked for this is recorded.
    fn is_certain(&self, id: SymbolId) -> bool {
        let resolver = self.resolver;
        let symbol = resolver.symbol(id);
        let kind = match self.of {
            Use::Given(_) => return true,
            Use::Kind { kind, .. } => kind,
            Use::Reference(reference) => reference.kind,
        };
        if !can_target(kind, symbol.kind) || kind == EdgeKind::Type && !symbol.kind.is_type() {
            return false;
        }
        match self.of {
            Use::Kind { is_value, .. } => !is_value || !matches!(symbol.kind, Kind::Interface | Kind::Type),
            _ => {
                let here = &resolver.table.files[resolver.file.index()];
                (here.is_test || !resolver.table.files[symbol.file.index()].is_test)
                    && (symbol.has_body || !resolver.prefers_body() || !self.has_body_elsewhere(symbol.kind))
                    && !(resolver.uses_includes() && kind == EdgeKind::Reference && self.is_namespace())
            }
        }
    }

    /// Whether the name has a definition of a kind with a body.
    fn has_body_elsewhere(&self, kind: Kind) -> bool {
        let resolver = self.resolver;
        resolver.ask(Key::with_body(self.hash(), Classes::of(kind), true));
        let has_body = |&id: &SymbolId| resolver.symbol(id).kind == kind && resolver.symbol(id).has_body;
        let named = resolver.index.named(self.name());
        resolver.cache.has_body(self.name(), kind, || named.iter().any(has_body))
    }

    /// Whether the name is that of a namespace.
    fn is_namespace(&self) -> bool {
        self.resolver.ask(Key::named(self.hash(), Classes::OTHER));
        self.resolver.index.is_namespace(self.name())
    }
}

impl<'a, 'm> Resolver<'a, 'm> {
    /// The candidates for a use of a kind.
    pub(crate) fn uses_of(&self, name: NameId, kind: EdgeKind, is_value: bool) -> UseCandidates<'_, 'a, 'm> {
        UseCandidates::new(self, Use::Kind { name, kind, is_value })
    }
}
