//! References into edges: which definition each use means, how that was found, and how sure it is.
//!
//! Runs once, when the symbol table is complete. Ways of finding are tried from the most certain to
//! the least ([`Tier`]); a use that several definitions fit keeps them all as ambiguous, and one
//! that none fits is unresolved. This module must not know any grammar; of a language it uses the
//! row only.

mod compiled;
mod confidence;
mod derived;
mod error;
mod exports;
mod external;
mod fits;
mod found;
mod hints;
mod members;
mod memory;
mod modules;
mod names;
mod projects;
pub mod scip;
mod scope;
mod table;
mod typing;

use std::borrow::Borrow;
use std::rc::Rc;

use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_format::tables::{Edge, ExternalRow};
use smallvec::SmallVec;

pub use error::{Error, Result};
pub use table::{FileScope, SymbolTable};

use external::{External, Externals};
use fits::{Fits, fits};
use found::{Found, Ids, Meant, ambiguous, prefer};
use memory::{Memory, Use};
use names::{NO_NAME, Names};
use scope::{AllImports, FileImports};
use sextant_ordered::ordered;
use sextant_syntax::language::Modules as Rule;
use table::{NO_SYMBOL, RawReference, SymbolInfo};
use typing::Member;

/// More candidates than this say nothing: the use is unresolved.
const MAX_CANDIDATES: usize = 6;

/// What so many definitions share as their name is remembered.
const MANY: usize = 32;

/// Files in flight for each thread.
const WINDOW_PER_THREAD: usize = 32;

/// A name that is handed on more often than this is followed no farther.
const MAX_HANDED_ON: usize = 200;

impl SymbolTable {
    /// Resolves every reference on so many threads, and hands the edges to `emit` in the order of the files. Gives the
    /// external symbols that they lead to.
    /// `stop` is asked before each file.
    ///
    /// # Errors
    /// `emit` fails, or a file's references made a worker panic.
    pub fn resolve<'a, E: From<Error>>(
        &'a mut self,
        threads: usize,
        stop: impl Fn() -> bool + Sync,
        mut emit: impl FnMut(Edge<'a>) -> Result<(), E>,
    ) -> Result<Vec<ExternalRow>, E> {
        self.hints.sort(self.symbols.len());
        self.compiled.sort();
        let table: &'a Self = self;
        let index = table::Index::new(table);
        let all = AllImports::new(table);
        let mut externals = Externals::default();
        ordered(
            threads,
            threads.max(1) * WINDOW_PER_THREAD,
            0..u32::try_from(table.files.len()).unwrap_or(u32::MAX),
            stop,
            Memory::default,
            |memory, &file| {
                // What is remembered must not depend on which files a thread had before.
                memory.forget();
                let resolver = Resolver { table, index: &index, imports: all.of(file), all: &all, memory, file };
                Ok::<_, Error>(resolver.edges())
            },
            |&file, panic| {
                let path = &table.files[file as usize].path;
                Err(Error::Panic { path: path.to_string(), panic })
            },
            |_, edges| {
                edges?.into_iter().try_for_each(|(mut edge, external)| {
                    edge.external_id = external.map(|external| externals.used(external));
                    emit(edge)
                })
            },
        )?;
        Ok(externals.into_rows())
    }
}

/// The view of one file.
struct Resolver<'a, 'm> {
    table: &'a SymbolTable,
    index: &'m table::Index,
    imports: &'m FileImports<'a>,
    all: &'m AllImports<'a>,
    memory: &'m Memory,
    file: u32,
}

impl<'a> Resolver<'a, '_> {
    /// Whether only imports lead to a definition.
    fn is_in_module(&self, id: u32) -> bool {
        self.table.files[self.symbol(id).file as usize].is_module
    }

    /// The edges of the file: its references in their order, what a compiler knows beyond them, then what follows.
    fn edges(&self) -> Vec<(Edge<'a>, Option<External>)> {
        let file = &self.table.files[self.file as usize];
        let references = &file.references;
        let mut edges = Vec::with_capacity(references.len());
        for (number, reference) in (file.first_reference..).zip(references) {
            let source_id = self.index.implementor_of(number).unwrap_or(reference.source);
            let said = self.table.compiled.at(self.file, reference.line, reference.column, reference.kind);
            let found = said.unwrap_or_else(|| self.resolve(reference));
            let edge = |target_id, confidence| Edge {
                source_id,
                target_id,
                external_id: None,
                target_name: self.names().text(reference.name).into(),
                kind: reference.kind,
                file_id: self.file,
                line: reference.line,
                column: reference.column,
                tier: found.tier,
                confidence,
            };
            // That a value is used of which nothing is known says nothing.
            if found.targets.is_empty() && reference.kind != EdgeKind::Reference {
                let external = self.external(reference);
                edges.push(match &external {
                    Some(found) => (Edge { tier: Tier::External, ..edge(None, found.evidence.confidence()) }, external),
                    None => (edge(None, 0.0), None),
                });
            }
            edges.extend(found.targets.iter().map(|&target| (edge(Some(target), found.confidence), None)));
        }
        for (place, target) in self.table.compiled.others(self.file, references) {
            let row = Edge {
                source_id: place.source,
                target_id: Some(target),
                external_id: None,
                target_name: self.names().text(self.symbol(target).name).into(),
                kind: EdgeKind::Reference,
                file_id: self.file,
                line: place.line,
                column: place.column,
                tier: Tier::Scip,
                confidence: confidence::SCIP,
            };
            edges.push((row, None));
        }
        let derived = self.derived(&edges);
        edges.extend(derived.into_iter().map(|edge| (edge, None)));
        edges
    }

    /// The view of another file.
    fn at(&self, file: u32) -> Self {
        Self { imports: self.all.of(file), file, ..*self }
    }

    fn resolve(&self, reference: &RawReference) -> Found {
        if reference.kind == EdgeKind::Import {
            return self.import(reference).unwrap_or_else(Found::nothing);
        }
        if reference.is_local {
            return Found::nothing();
        }
        let candidates = self.candidates(reference);
        let found = if reference.owner == NO_NAME || reference.is_outside(self.table) {
            self.bare(reference, &candidates)
        } else {
            self.owned(reference, &candidates)
        };
        let found = found.map(|mut found| {
            if let [target] = found.targets.as_mut_slice() {
                *target = self.overload(reference, *target);
            }
            found
        });
        // A plain reference is as often a local variable of the same name as what it seems: it is
        // an edge only where something close says so.
        if reference.kind == EdgeKind::Reference {
            return found
                .filter(|found| !matches!(found.tier, Tier::Unique | Tier::Ambiguous))
                .unwrap_or_else(Found::nothing);
        }
        if found.is_none() && self.leads_elsewhere(reference) {
            return Found::nothing();
        }
        found.or_else(|| ambiguous(&candidates)).unwrap_or_else(Found::nothing)
    }

    fn symbol(&self, id: u32) -> &'a SymbolInfo {
        &self.table.symbols[id as usize]
    }

    fn names(&self) -> &'a Names {
        &self.table.names
    }

    /// Whether the language of the file reaches members through a receiver only.
    fn members_need_receiver(&self) -> bool {
        self.table.files[self.file as usize].language.is_some_and(|language| language.members_need_receiver)
    }

    /// Whether a symbol belongs to a type or to an object.
    fn is_member(&self, id: u32) -> bool {
        let symbol = self.symbol(id);
        matches!(symbol.kind, Kind::Method | Kind::Field | Kind::Property)
            || symbol.kind == Kind::Function
                && symbol.container != NO_SYMBOL
                && matches!(
                    self.symbol(symbol.container).kind,
                    Kind::Variable | Kind::Constant | Kind::Property | Kind::Field
                )
    }

    /// Whether definitions in one file can be meant in another: of one repository and language family.
    fn are_kin(&self, file: u32, other: u32) -> bool {
        self.table.are_kin(file, other)
    }

    /// Definitions of a name that a use may mean, as `meant` finds them. Those of common names are many, and
    /// remembered.
    fn remembered(&self, name: u32, of: Use, meant: impl FnOnce() -> SmallVec<[u32; 8]>) -> Meant {
        if self.index.named(name).len() < MANY {
            return Meant::Few(meant());
        }
        let key = (self.table.files[self.file as usize].kin, name, of);
        if let Some(known) = self.memory.meant.borrow().get(&key) {
            return Meant::Many(Rc::clone(known));
        }
        let found: Rc<[u32]> = meant().as_slice().into();
        self.memory.meant.borrow_mut().insert(key, Rc::clone(&found));
        Meant::Many(found)
    }

    /// Definitions of a name that a use of this kind may mean, in this repository and language family.
    fn fitting(&self, name: u32, kind: EdgeKind) -> SmallVec<[u32; 8]> {
        let fits = |id: &u32| {
            let symbol = self.symbol(*id);
            fits(kind, symbol.kind) && self.are_kin(symbol.file, self.file)
        };
        self.index.named(name).iter().copied().filter(fits).collect()
    }

    /// The same, and where a value and a type share their name and `is_value`, the value.
    fn meant(&self, name: u32, kind: EdgeKind, is_value: bool) -> Meant {
        let of = if is_value { Use::Value(Fits::of(kind)) } else { Use::Plain(Fits::of(kind)) };
        self.remembered(name, of, || {
            let mut found = self.fitting(name, kind);
            if is_value {
                prefer(&mut found, |id| !matches!(self.symbol(id).kind, Kind::Interface | Kind::Type));
            }
            found
        })
    }

    /// What of [`Self::fitting`] is likeliest to be meant by a reference.
    fn candidates(&self, reference: &RawReference) -> Meant {
        let file = &self.table.files[self.file as usize];
        // Of a header's declaration and the definition, which are one function, the latter.
        let prefers_body = file.language.is_some_and(|language| language.modules == Rule::Include);
        let is_bare = reference.owner == NO_NAME && self.members_need_receiver();
        let fits = Fits::of(reference.kind);
        let of = Use::Reference { fits, prefers_body, is_test: file.is_test, is_bare };
        self.remembered(reference.name, of, || {
            let mut found = self.fitting(reference.name, reference.kind);
            if prefers_body {
                prefer(&mut found, |id| self.symbol(id).has_body);
            }
            if !file.is_test {
                prefer(&mut found, |id| !self.table.files[self.symbol(id).file as usize].is_test);
            }
            if is_bare {
                found.retain(|id| !self.is_member(*id));
            }
            found
        })
    }

    /// Of a function and those beside it that have its name, the first that takes as many arguments as a
    /// call has.
    fn overload(&self, reference: &RawReference, target: u32) -> u32 {
        let takes = |id: u32| {
            let (least, most) = self.symbol(id).takes;
            reference.arguments.is_none_or(|count| (least..=most).contains(&count))
        };
        if takes(target) {
            return target;
        }
        let chosen = self.symbol(target);
        let beside = |&id: &u32| {
            let symbol = self.symbol(id);
            (symbol.container, symbol.has_body) == (chosen.container, chosen.has_body)
        };
        self.index
            .named_in(chosen.name, chosen.file)
            .iter()
            .copied()
            .filter(beside)
            .find(|&id| takes(id))
            .unwrap_or(target)
    }

    /// A name without a receiver.
    fn bare(&self, reference: &RawReference, candidates: &[u32]) -> Option<Found> {
        let found = |tier, confidence, target| Some(Found::one(tier, confidence, target));
        if let Some(target) = self.in_scope(reference, candidates) {
            return found(Tier::Scope, confidence::SCOPE, target);
        }
        let by = |filter: &dyn Fn(u32) -> bool| self.one(candidates.iter().copied().filter(|&id| filter(id)));
        let imported = self.imports.local(reference.name);
        if let Some(target) = by(&|id| imported.iter().any(|i| i.files.contains(&self.symbol(id).file))) {
            return found(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(target) = imported.iter().find_map(|import| self.renamed(reference, import)) {
            return found(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(target) = imported.iter().find_map(|import| self.whole(import, reference.kind)) {
            return found(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(target) = self.starred(reference.name, reference.kind, candidates) {
            return found(Tier::Import, confidence::STAR_IMPORT, target);
        }
        // Nothing else can be meant: an import from elsewhere, or what the language itself has.
        if self.names_are_imported() || self.is_ecma_or_python() && candidates.iter().all(|&id| self.is_in_module(id)) {
            let is_external = !imported.is_empty() && imported.iter().all(|import| import.files.is_empty());
            return is_external.then(Found::nothing);
        }
        let file = &self.table.files[self.file as usize];
        if file.language.is_some_and(|language| language.folder_is_package)
            && let Some(target) =
                by(&|id| self.table.files[self.symbol(id).file as usize].folder == file.folder && self.is_bare(id))
        {
            return found(Tier::Package, confidence::PACKAGE, target);
        }
        let target = by(&|id| self.is_bare(id))?;
        found(Tier::Unique, confidence::UNIQUE, target)
    }

    /// A name with a receiver or a path in front.
    fn owned(&self, reference: &RawReference, candidates: &[u32]) -> Option<Found> {
        let found = |tier, confidence, target| Some(Found::one(tier, confidence, target));
        let by = |filter: &dyn Fn(&SymbolInfo) -> bool| {
            self.one(candidates.iter().copied().filter(|&id| filter(self.symbol(id))))
        };
        if self.is_typed()
            && let Some(found) = self.typed(reference)
        {
            return found;
        }
        let owner = self.names().text(reference.owner);
        let last = if owner == "super()" { "super" } else { scope::last_segment(owner) };
        if matches!(last, "self" | "this" | "Self" | "cls" | "super" | "base" | "static" | "parent" | "__MODULE__") {
            let home = self.enclosing_type(reference.source)?;
            let is_above = matches!(last, "super" | "base" | "parent");
            if let Some(target) = by(&|symbol| symbol.container == home).filter(|_| !is_above) {
                return found(Tier::Scope, confidence::SCOPE, target);
            }
            let bases = self.index.bases(home);
            let target = by(&|symbol| bases.iter().any(|&(_, base)| base == self.container_name(symbol)))?;
            return found(Tier::Receiver, confidence::RECEIVER, target);
        }
        let imported = self.imports.receiver(owner);
        let is_imported = |file: u32| imported.iter().any(|import| import.files.contains(&file));
        if let Some(target) = by(&|symbol| is_imported(symbol.file)) {
            return found(Tier::Import, confidence::IMPORT, target);
        }
        if imported.is_empty() {
            let named = self.all.named(self.file, owner);
            let target = by(&|symbol| named.contains(&symbol.file))
                .or_else(|| self.one(self.exported(&named, reference.name, reference.kind)));
            if let Some(target) = target {
                return found(Tier::Import, confidence::IMPORT, target);
            }
        }
        let member = |import: &&scope::Import| self.one(self.exported(&import.files, reference.name, reference.kind));
        if let Some(target) = imported.iter().find_map(member) {
            return found(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(last) = self.names().find(last) {
            let members: Ids =
                candidates.iter().copied().filter(|&id| self.container_name(self.symbol(id)) == last).collect();
            let file = &self.table.files[self.file as usize];
            let near = |filter: &dyn Fn(u32) -> bool| {
                self.one(members.iter().copied().filter(|&id| filter(self.symbol(id).file)))
            };
            if let Some(target) = near(&|home| home == self.file) {
                return found(Tier::Scope, confidence::SCOPE, target);
            }
            let locals = self.imports.local(last);
            if let Some(target) = near(&|home| locals.iter().any(|import| import.files.contains(&home))) {
                return found(Tier::Import, confidence::IMPORT, target);
            }
            if let Some(target) = near(&|home| self.table.files[home as usize].folder == file.folder) {
                return found(Tier::Package, confidence::PACKAGE, target);
            }
            if let Some(target) = self.one(&members) {
                return found(Tier::Unique, confidence::UNIQUE, target);
            }
        }
        let in_module = by(&|symbol| {
            self.table.files[symbol.file as usize].module_name == last && self.is_file_level(symbol.container)
        });
        if let Some(target) = in_module {
            return found(Tier::Unique, confidence::UNIQUE, target);
        }
        // The receiver's type is unknown: only a member that is alone with its name can be meant, and something
        // external as well. That is a candidate, and no fact.
        by(&|symbol| !self.is_file_level(symbol.container)).filter(|_| candidates.len() == 1)?;
        ambiguous(candidates)
    }

    /// Whether the files of this language say something of types.
    fn is_typed(&self) -> bool {
        let language = self.table.files[self.file as usize].language;
        language.is_some_and(|language| !language.queries.types.is_empty())
    }

    /// A member of a receiver whose type can be told. Nothing where it cannot be; a receiver that is known and
    /// has no such member gives `Some(None)`.
    fn typed(&self, reference: &RawReference) -> Option<Option<Found>> {
        let (member, is_path) =
            self.member_of_receiver(reference.source, reference.owner, reference.name, reference.kind);
        match member {
            Member::Found(targets) => Some(match self.one(&targets) {
                Some(target) => {
                    let is_own = self.enclosing_type(reference.source) == Some(self.symbol(target).container);
                    let is_here = self.symbol(target).file == self.file;
                    let (tier, confidence) = if is_own || is_path && is_here {
                        (Tier::Scope, confidence::SCOPE)
                    } else if is_path {
                        (Tier::Import, confidence::IMPORT)
                    } else {
                        (Tier::Receiver, confidence::RECEIVER)
                    };
                    Some(Found::one(tier, confidence, target))
                }
                None => ambiguous(&targets),
            }),
            // Where not all that can be said of types is understood, not finding says nothing.
            _ if !self.is_strict() => None,
            Member::External => Some(Some(Found::nothing())),
            Member::Missing => Some(None),
            Member::Unknown => None,
        }
    }

    /// The definition in this file whose container is nearest around the use.
    fn in_scope(&self, reference: &RawReference, candidates: &[u32]) -> Option<u32> {
        let here = self.index.in_file(candidates, self.file);
        if here.is_empty() {
            return None;
        }
        let implicit_this =
            self.table.files[self.file as usize].language.is_some_and(|language| language.implicit_this);
        let mut around = reference.source;
        loop {
            let is_open = implicit_this || !self.symbol(around).kind.is_type();
            let is_inside = |&id: &u32| {
                let symbol = self.symbol(id);
                symbol.container == around && (is_open || symbol.kind.is_type())
            };
            if let Some(target) = self.one(here.iter().copied().filter(is_inside)) {
                return Some(target);
            }
            if self.symbol(around).kind == Kind::File {
                break;
            }
            around = self.symbol(around).container;
        }
        // Transparent scopes of the same file (modules, namespaces) beside the one of the use.
        self.one(here.iter().copied().filter(|&id| self.is_top_level(id)))
    }

    /// The type around a symbol, or the symbol itself where it is one. A method that stands outside of its
    /// type has it by the name of its owner.
    fn enclosing_type(&self, mut id: u32) -> Option<u32> {
        let mut owned = None;
        loop {
            let symbol = self.symbol(id);
            if symbol.kind.is_type() {
                return Some(id);
            }
            if symbol.container == NO_SYMBOL {
                break;
            }
            owned = (symbol.owner != NO_NAME && self.is_file_level(symbol.container)).then_some(symbol).or(owned);
            id = symbol.container;
        }
        let method = owned?;
        let here = &self.table.files[method.file as usize];
        let named = self.index.named(method.owner).iter().copied();
        let mut types: Ids = named
            .filter(|&id| self.symbol(id).kind.is_type() && self.are_kin(self.symbol(id).file, method.file))
            .collect();
        prefer(&mut types, |id| self.table.files[self.symbol(id).file as usize].folder == here.folder);
        self.one(&types)
    }

    fn container_name(&self, symbol: &SymbolInfo) -> u32 {
        symbol.owner
    }

    /// Stands in a file, module or namespace, and not in a type or function.
    fn is_file_level(&self, container: u32) -> bool {
        container == NO_SYMBOL || self.symbol(container).kind.is_transparent()
    }

    fn is_top_level(&self, id: u32) -> bool {
        self.is_file_level(self.symbol(id).container)
    }

    /// Can be meant by a name without a receiver from another file.
    fn is_bare(&self, id: u32) -> bool {
        let symbol = self.symbol(id);
        self.is_top_level(id) || symbol.kind.is_type() || symbol.kind == Kind::EnumMember
    }

    /// The one that is meant by several definitions of one thing: declarations give way to the
    /// definition, and overloads in one container are one.
    fn one(&self, candidates: impl IntoIterator<Item = impl Borrow<u32>>) -> Option<u32> {
        // The first that has no body or has one, and whether the others of its kind stand beside it.
        let mut firsts: [Option<(u32, bool)>; 2] = [None; 2];
        for id in candidates {
            let (id, symbol) = (*id.borrow(), self.symbol(*id.borrow()));
            match &mut firsts[usize::from(symbol.has_body)] {
                none @ None => *none = Some((id, true)),
                Some((first, are_beside)) => {
                    let first = self.symbol(*first);
                    *are_beside &= (first.file, first.container) == (symbol.file, symbol.container);
                }
            }
        }
        let (first, are_beside) = firsts[1].or(firsts[0])?;
        are_beside.then_some(first)
    }
}

#[cfg(test)]
mod tests;
