//! References into edges: which definition each use means, how that was found, and how sure it is.
//!
//! Runs once, when the symbol table is complete. Ways of finding are tried from the most certain to
//! the least ([`Tier`]); a use that several definitions fit keeps them all as ambiguous, and one
//! that none fits is unresolved. This module must not know any grammar; of a language it uses the
//! row only.

mod cache;
mod confidence;
mod derived;
mod error;
mod exports;
mod external;
mod imports;
mod interner;
mod members;
mod modules;
mod projects;
mod receivers;
mod resolution;
pub mod scip;
mod scip_uses;
mod table;
mod target_class;
mod type_facts;
mod typing;

use std::borrow::Borrow;
use std::rc::Rc;

use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_format::tables::{BorrowedEdgeRow, ExternalRow};
use smallvec::SmallVec;

pub use error::{Error, Result};
pub use table::{FileContext, SymbolTable};

use cache::{ResolverCache, UseKey};
use external::{ExternalSymbol, ExternalSymbols};
use imports::{AllImports, FileImports};
use interner::{NO_NAME, NameInterner};
use resolution::{Candidates, Resolution, SymbolIds, ambiguous, retain_preferred};
use sextant_ordered::ordered_parallel_map;
use sextant_syntax::language::{ModuleSystem, ReceiverKeyword};
use table::{NO_SYMBOL, RawReference, SymbolInfo, SymbolLookup};
use target_class::{TargetClass, can_target};
use typing::MemberLookup;

/// More candidates than this say nothing: the use is unresolved.
const MAX_CANDIDATES: usize = 6;

/// What so many definitions share as their name is remembered.
const MIN_CACHED_DEFINITIONS: usize = 32;

/// Files in flight for each thread.
const WINDOW_PER_THREAD: usize = 32;

/// A name that is handed on more often than this is followed no farther.
const MAX_REEXPORTS: usize = 200;

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
        mut emit: impl FnMut(BorrowedEdgeRow<'a>) -> Result<(), E>,
    ) -> Result<Vec<ExternalRow>, E> {
        self.type_facts.sort(self.symbols.len());
        self.scip_uses.sort();
        let table: &'a Self = self;
        let index = SymbolLookup::new(table);
        let all_imports = AllImports::new(table);
        let mut externals = ExternalSymbols::default();
        ordered_parallel_map(
            threads,
            threads.max(1) * WINDOW_PER_THREAD,
            0..u32::try_from(table.files.len()).unwrap_or(u32::MAX),
            stop,
            ResolverCache::default,
            |cache, &file| {
                // What is remembered must not depend on which files a thread had before.
                cache.clear_file();
                let resolver = Resolver {
                    table,
                    index: &index,
                    imports: all_imports.imports_of(file),
                    all_imports: &all_imports,
                    cache,
                    file,
                };
                Ok::<_, Error>(resolver.edges())
            },
            |&file, panic| {
                let path = &table.files[file as usize].path;
                Err(Error::Panic { path: path.to_string(), panic })
            },
            |_, edges| {
                edges?.into_iter().try_for_each(|(mut edge, external)| {
                    edge.external_id = external.map(|external| externals.record_use(external));
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
    index: &'m SymbolLookup,
    imports: &'m FileImports<'a>,
    all_imports: &'m AllImports<'a>,
    cache: &'m ResolverCache,
    file: u32,
}

impl<'a> Resolver<'a, '_> {
    /// Whether only imports lead to a definition.
    fn is_module_scoped(&self, id: u32) -> bool {
        self.table.files[self.symbol(id).file as usize].is_module
    }

    /// The edges of the file: its references in their order, what a compiler knows beyond them, then what follows.
    fn edges(&self) -> Vec<(BorrowedEdgeRow<'a>, Option<ExternalSymbol>)> {
        let file = &self.table.files[self.file as usize];
        let references = &file.references;
        let mut edges = Vec::with_capacity(references.len());
        for (number, reference) in (file.first_reference..).zip(references) {
            let source_id = self.index.implementor_of(number).unwrap_or(reference.source);
            let scip_resolution =
                self.table.scip_uses.resolution_at(self.file, reference.line, reference.column, reference.kind);
            let found = scip_resolution.unwrap_or_else(|| self.resolve(reference));
            let edge = |target_id, confidence| BorrowedEdgeRow {
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
                let external = self.external_target(reference);
                edges.push(match &external {
                    Some(found) => {
                        (BorrowedEdgeRow { tier: Tier::External, ..edge(None, found.evidence.confidence()) }, external)
                    }
                    None => (edge(None, 0.0), None),
                });
            }
            edges.extend(found.targets.iter().map(|&target| (edge(Some(target), found.confidence), None)));
        }
        for (scip_use, target) in self.table.scip_uses.unmatched(self.file, references) {
            let row = BorrowedEdgeRow {
                source_id: scip_use.source,
                target_id: Some(target),
                external_id: None,
                target_name: self.names().text(self.symbol(target).name).into(),
                kind: EdgeKind::Reference,
                file_id: self.file,
                line: scip_use.line,
                column: scip_use.column,
                tier: Tier::Scip,
                confidence: confidence::SCIP,
            };
            edges.push((row, None));
        }
        let derived = self.derived_edges(&edges);
        edges.extend(derived.into_iter().map(|edge| (edge, None)));
        edges
    }

    /// The view of another file.
    fn for_file(&self, file: u32) -> Self {
        Self { imports: self.all_imports.imports_of(file), file, ..*self }
    }

    fn resolve(&self, reference: &RawReference) -> Resolution {
        if reference.kind == EdgeKind::Import {
            return self.resolve_import(reference).unwrap_or_else(Resolution::unresolved);
        }
        if reference.is_local {
            return Resolution::unresolved();
        }
        let candidates = self.candidates(reference);
        let found = if reference.owner == NO_NAME || reference.is_out_of_line_impl(self.table) {
            self.resolve_unqualified(reference, &candidates)
        } else {
            self.resolve_qualified(reference, &candidates)
        };
        let found = found.map(|mut found| {
            if let [target] = found.targets.as_mut_slice() {
                *target = self.select_overload(reference, *target);
            }
            found
        });
        // A plain reference is as often a local variable of the same name as what it seems: it is
        // an edge only where something close says so.
        if reference.kind == EdgeKind::Reference {
            return found
                .filter(|found| !matches!(found.tier, Tier::Unique | Tier::Ambiguous))
                .unwrap_or_else(Resolution::unresolved);
        }
        if found.is_none() && self.resolves_externally(reference) {
            return Resolution::unresolved();
        }
        found.or_else(|| ambiguous(&candidates)).unwrap_or_else(Resolution::unresolved)
    }

    fn symbol(&self, id: u32) -> &'a SymbolInfo {
        &self.table.symbols[id as usize]
    }

    fn names(&self) -> &'a NameInterner {
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
    fn share_linkage_group(&self, file: u32, other: u32) -> bool {
        self.table.share_linkage_group(file, other)
    }

    /// Definitions of a name that a use may mean, as `compute` finds them. Those of common names are many, and
    /// remembered.
    fn cached_candidates(
        &self,
        name: u32,
        use_key: UseKey,
        compute: impl FnOnce() -> SmallVec<[u32; 8]>,
    ) -> Candidates {
        if self.index.named(name).len() < MIN_CACHED_DEFINITIONS {
            return Candidates::Owned(compute());
        }
        let key = (self.table.files[self.file as usize].linkage_group, name, use_key);
        if let Some(known) = self.cache.candidates.borrow().get(&key) {
            return Candidates::Shared(Rc::clone(known));
        }
        let found: Rc<[u32]> = compute().as_slice().into();
        self.cache.candidates.borrow_mut().insert(key, Rc::clone(&found));
        Candidates::Shared(found)
    }

    /// Definitions of a name that a use of this kind may mean, in this repository and language family.
    fn compatible_definitions(&self, name: u32, kind: EdgeKind) -> SmallVec<[u32; 8]> {
        let is_compatible = |id: &u32| {
            let symbol = self.symbol(*id);
            can_target(kind, symbol.kind) && self.share_linkage_group(symbol.file, self.file)
        };
        self.index.named(name).iter().copied().filter(is_compatible).collect()
    }

    /// The same, and where a value and a type share their name and `is_value`, the value.
    fn candidates_named(&self, name: u32, kind: EdgeKind, is_value: bool) -> Candidates {
        let use_key = if is_value {
            UseKey::PreferValue(TargetClass::for_edge(kind))
        } else {
            UseKey::Any(TargetClass::for_edge(kind))
        };
        self.cached_candidates(name, use_key, || {
            let mut found = self.compatible_definitions(name, kind);
            if is_value {
                retain_preferred(&mut found, |id| !matches!(self.symbol(id).kind, Kind::Interface | Kind::Type));
            }
            found
        })
    }

    /// What of [`Self::compatible_definitions`] is likeliest to be meant by a reference.
    fn candidates(&self, reference: &RawReference) -> Candidates {
        let file = &self.table.files[self.file as usize];
        // Of a header's declaration and the definition, which are one function, the latter.
        let prefers_body = file.language.is_some_and(|language| language.modules == ModuleSystem::Include);
        let excludes_members = reference.owner == NO_NAME && self.members_need_receiver();
        let target_class = TargetClass::for_edge(reference.kind);
        let use_key = UseKey::Reference { target_class, prefers_body, is_test: file.is_test, excludes_members };
        self.cached_candidates(reference.name, use_key, || {
            let mut found = self.compatible_definitions(reference.name, reference.kind);
            if prefers_body {
                retain_preferred(&mut found, |id| self.symbol(id).has_body);
            }
            if !file.is_test {
                retain_preferred(&mut found, |id| !self.table.files[self.symbol(id).file as usize].is_test);
            }
            if excludes_members {
                found.retain(|id| !self.is_member(*id));
            }
            found
        })
    }

    /// Of a function and those beside it that have its name, the first that takes as many arguments as a
    /// call has.
    fn select_overload(&self, reference: &RawReference, target: u32) -> u32 {
        let accepts = |id: u32| {
            let (min, max) = self.symbol(id).arity;
            reference.argument_count.is_none_or(|count| (min..=max).contains(&count))
        };
        if accepts(target) {
            return target;
        }
        let chosen = self.symbol(target);
        let is_sibling = |&id: &u32| {
            let symbol = self.symbol(id);
            (symbol.container, symbol.has_body) == (chosen.container, chosen.has_body)
        };
        self.index
            .named_in(chosen.name, chosen.file)
            .iter()
            .copied()
            .filter(is_sibling)
            .find(|&id| accepts(id))
            .unwrap_or(target)
    }

    /// A name without a receiver.
    fn resolve_unqualified(&self, reference: &RawReference, candidates: &[u32]) -> Option<Resolution> {
        let resolved = |tier, confidence, target| Some(Resolution::single(tier, confidence, target));
        if let Some(target) = self.in_scope(reference, candidates) {
            return resolved(Tier::Scope, confidence::SCOPE, target);
        }
        let unique_where =
            |filter: &dyn Fn(u32) -> bool| self.unique_definition(candidates.iter().copied().filter(|&id| filter(id)));
        let imported = self.imports.binding(reference.name);
        if let Some(target) = unique_where(&|id| imported.iter().any(|i| i.files.contains(&self.symbol(id).file))) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(target) = imported.iter().find_map(|import| self.resolve_imported_name(reference, import)) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(target) = imported.iter().find_map(|import| self.default_export_target(import, reference.kind)) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(target) = self.resolve_glob_import(reference.name, reference.kind, candidates) {
            return resolved(Tier::Import, confidence::GLOB_IMPORT, target);
        }
        // Nothing else can be meant: an import from elsewhere, or what the language itself has.
        if self.requires_imports() || self.is_ecma_or_python() && candidates.iter().all(|&id| self.is_module_scoped(id))
        {
            let is_external = !imported.is_empty() && imported.iter().all(|import| import.files.is_empty());
            return is_external.then(Resolution::unresolved);
        }
        let file = &self.table.files[self.file as usize];
        if file.language.is_some_and(|language| language.folder_is_package)
            && let Some(target) = unique_where(&|id| {
                self.table.files[self.symbol(id).file as usize].folder == file.folder && self.is_visible_unqualified(id)
            })
        {
            return resolved(Tier::Package, confidence::PACKAGE, target);
        }
        let target = unique_where(&|id| self.is_visible_unqualified(id))?;
        resolved(Tier::Unique, confidence::UNIQUE, target)
    }

    /// A name with a receiver or a path in front.
    fn resolve_qualified(&self, reference: &RawReference, candidates: &[u32]) -> Option<Resolution> {
        let resolved = |tier, confidence, target| Some(Resolution::single(tier, confidence, target));
        let unique_where = |filter: &dyn Fn(&SymbolInfo) -> bool| {
            self.unique_definition(candidates.iter().copied().filter(|&id| filter(self.symbol(id))))
        };
        let owner = self.names().text(reference.owner);
        let relative = self.relative_path(reference, owner);
        if relative.is_none()
            && self.has_type_queries()
            && let Some(resolution) = self.resolve_by_receiver_type(reference)
        {
            return resolution;
        }
        let last = imports::last_segment(owner);
        if relative.is_none()
            && let Some((keyword, home)) = self.keyword_receiver(reference)
        {
            let home = home?;
            let starts_at_bases = keyword == ReceiverKeyword::Super;
            if let Some(target) = unique_where(&|symbol| symbol.container == home).filter(|_| !starts_at_bases) {
                return resolved(Tier::Scope, confidence::SCOPE, target);
            }
            let bases = self.index.bases(home);
            let target = unique_where(&|symbol| bases.iter().any(|&(_, base)| base == self.container_name(symbol)))?;
            return resolved(Tier::Receiver, confidence::RECEIVER, target);
        }
        if let Some(module) = relative.as_ref().and_then(|relative| relative.module)
            && let Some(target) = unique_where(&|symbol| symbol.container == module)
        {
            return resolved(Tier::Scope, confidence::SCOPE, target);
        }
        let path = relative.as_ref().map_or(owner, |relative| relative.path.as_ref());
        let imported = if relative.is_some() { SmallVec::new() } else { self.imports.for_receiver(owner) };
        let is_imported = |file: u32| imported.iter().any(|import| import.files.contains(&file));
        if let Some(target) = unique_where(&|symbol| is_imported(symbol.file)) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if imported.is_empty() {
            let named = self.all_imports.module_files(self.file, path);
            // The module itself is named: only what stands at its top level is meant.
            let is_root = relative.as_ref().is_some_and(|relative| relative.is_root);
            let target = unique_where(&|symbol| named.contains(&symbol.file) && !is_root)
                .or_else(|| self.unique_definition(self.exported_definitions(&named, reference.name, reference.kind)));
            if let Some(target) = target {
                return resolved(Tier::Import, confidence::IMPORT, target);
            }
        }
        let member = |import: &&imports::Import| {
            self.unique_definition(self.exported_definitions(&import.files, reference.name, reference.kind))
        };
        if let Some(target) = imported.iter().find_map(member) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(last) = self.names().find(last) {
            let members: SymbolIds =
                candidates.iter().copied().filter(|&id| self.container_name(self.symbol(id)) == last).collect();
            let file = &self.table.files[self.file as usize];
            let unique_member_where = |filter: &dyn Fn(u32) -> bool| {
                self.unique_definition(members.iter().copied().filter(|&id| filter(self.symbol(id).file)))
            };
            if let Some(target) = unique_member_where(&|home| home == self.file) {
                return resolved(Tier::Scope, confidence::SCOPE, target);
            }
            let locals = self.imports.binding(last);
            if let Some(target) = unique_member_where(&|home| locals.iter().any(|import| import.files.contains(&home)))
            {
                return resolved(Tier::Import, confidence::IMPORT, target);
            }
            if let Some(target) = unique_member_where(&|home| self.table.files[home as usize].folder == file.folder) {
                return resolved(Tier::Package, confidence::PACKAGE, target);
            }
            if let Some(target) = self.unique_definition(&members) {
                return resolved(Tier::Unique, confidence::UNIQUE, target);
            }
        }
        let in_module = unique_where(&|symbol| {
            self.table.files[symbol.file as usize].module_name == last && self.is_file_level(symbol.container)
        });
        if let Some(target) = in_module {
            return resolved(Tier::Unique, confidence::UNIQUE, target);
        }
        // The receiver's type is unknown: only a member that is alone with its name can be meant, and something
        // external as well. That is a candidate, and no fact.
        unique_where(&|symbol| !self.is_file_level(symbol.container)).filter(|_| candidates.len() == 1)?;
        ambiguous(candidates)
    }

    /// Whether the files of this language say something of types.
    fn has_type_queries(&self) -> bool {
        let language = self.table.files[self.file as usize].language;
        language.is_some_and(|language| !language.queries.types.is_empty())
    }

    /// A member of a receiver whose type can be told. Nothing where it cannot be; a receiver that is known and
    /// has no such member gives `Some(None)`.
    fn resolve_by_receiver_type(&self, reference: &RawReference) -> Option<Option<Resolution>> {
        let (member, is_path) = self.lookup_receiver_member(reference);
        match member {
            MemberLookup::Definitions(targets) => Some(match self.unique_definition(&targets) {
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
                    Some(Resolution::single(tier, confidence, target))
                }
                None => ambiguous(&targets),
            }),
            // Where not all that can be said of types is understood, not finding says nothing.
            _ if !self.has_closed_members() => None,
            MemberLookup::External => Some(Some(Resolution::unresolved())),
            MemberLookup::Missing => Some(None),
            MemberLookup::Unknown => None,
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
        let mut enclosing = reference.source;
        loop {
            let is_open = implicit_this || !self.symbol(enclosing).kind.is_type();
            let is_inside = |&id: &u32| {
                let symbol = self.symbol(id);
                symbol.container == enclosing && (is_open || symbol.kind.is_type())
            };
            if let Some(target) = self.unique_definition(here.iter().copied().filter(is_inside)) {
                return Some(target);
            }
            if self.symbol(enclosing).kind == Kind::File {
                break;
            }
            enclosing = self.symbol(enclosing).container;
        }
        // Transparent scopes of the same file (modules, namespaces) beside the one of the use.
        self.unique_definition(here.iter().copied().filter(|&id| self.is_top_level(id)))
    }

    /// The type around a symbol, or the symbol itself where it is one. A method that stands outside of its
    /// type has it by the name of its owner.
    fn enclosing_type(&self, mut id: u32) -> Option<u32> {
        let mut qualified = None;
        loop {
            let symbol = self.symbol(id);
            if symbol.kind.is_type() {
                return Some(id);
            }
            if symbol.container == NO_SYMBOL {
                break;
            }
            qualified =
                (symbol.owner != NO_NAME && self.is_file_level(symbol.container)).then_some(symbol).or(qualified);
            id = symbol.container;
        }
        let method = qualified?;
        let here = &self.table.files[method.file as usize];
        let named = self.index.named(method.owner).iter().copied();
        let mut types: SymbolIds = named
            .filter(|&id| self.symbol(id).kind.is_type() && self.share_linkage_group(self.symbol(id).file, method.file))
            .collect();
        retain_preferred(&mut types, |id| self.table.files[self.symbol(id).file as usize].folder == here.folder);
        self.unique_definition(&types)
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
    fn is_visible_unqualified(&self, id: u32) -> bool {
        let symbol = self.symbol(id);
        self.is_top_level(id) || symbol.kind.is_type() || symbol.kind == Kind::EnumMember
    }

    /// The one that is meant by several definitions of one thing: declarations give way to the
    /// definition, and overloads in one container are one.
    fn unique_definition(&self, candidates: impl IntoIterator<Item = impl Borrow<u32>>) -> Option<u32> {
        // The first that has no body or has one, and whether the others of its kind stand beside it.
        let mut firsts: [Option<(u32, bool)>; 2] = [None; 2];
        for id in candidates {
            let (id, symbol) = (*id.borrow(), self.symbol(*id.borrow()));
            match &mut firsts[usize::from(symbol.has_body)] {
                none @ None => *none = Some((id, true)),
                Some((first, are_siblings)) => {
                    let first = self.symbol(*first);
                    *are_siblings &= (first.file, first.container) == (symbol.file, symbol.container);
                }
            }
        }
        let (first, are_siblings) = firsts[1].or(firsts[0])?;
        are_siblings.then_some(first)
    }
}

#[cfg(test)]
mod tests;
