//! Edges without a reference: overrides, declarations of definitions, and the symbols that a test covers.
//!
//! They follow from symbols, bases and the resolved references of one file.

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_format::tables::BorrowedEdgeRow;
use sextant_syntax::language::{self, ModuleSystem};
use sextant_text::tokens::words;

use crate::classes::Classes;
use crate::confidence;
use crate::external::ExternalSymbol;
use crate::interner::NameId;
use crate::qualifier::type_name;
use crate::raw_reference::RawReference;
use crate::reads::Key;
use crate::resolution::retain_preferred;
use crate::view::Resolver;

/// A test that seems to cover more symbols than this gets no edge.
const MAX_TEST_TARGETS: usize = 6;

/// Edges between that of a member and that of what is assigned to it, at most.
const MAX_BETWEEN: usize = 8;

/// A method that more interfaces than this declare is not compared with them.
const MAX_INTERFACES: usize = 24;

/// An edge to a target.
#[derive(Clone, Copy)]
struct DerivedEdge {
    target: SymbolId,
    kind: EdgeKind,
    tier: Tier,
    confidence: f32,
}

impl<'a> Resolver<'a, '_> {
    /// The derived edges of the file, in the order of its symbols. `edges` are those of its references.
    pub(crate) fn derived_edges(
        &self,
        references: &[RawReference],
        edges: &[(BorrowedEdgeRow<'a>, Option<ExternalSymbol>)],
    ) -> Vec<BorrowedEdgeRow<'a>> {
        let mut tests = self.test_edges(edges);
        tests.extend(self.assigned_functions(references, edges));
        tests.sort_by_key(|(source, _)| *source);
        let mut tests = tests.iter().peekable();
        let mut out = Vec::new();
        for id in self.file_symbols() {
            let symbol = self.symbol(id);
            let mut found: Vec<DerivedEdge> = Vec::new();
            if symbol.kind.is_callable() && symbol.has_body {
                found.extend(self.overridden_methods(id));
                found.extend(self.declarations_of(id));
            }
            while let Some((_, derived)) = tests.next_if(|(test, _)| *test == id) {
                found.push(*derived);
            }
            out.extend(found.into_iter().map(|derived| BorrowedEdgeRow {
                source_id: id,
                target_id: Some(derived.target),
                external_id: None,
                first_edge: 0,
                target_name: self.names().text(self.symbol(derived.target).name).into(),
                kind: derived.kind,
                file_id: self.file,
                line: symbol.line,
                column: symbol.column,
                tier: derived.tier,
                confidence: derived.confidence,
            }));
        }
        out
    }

    /// The functions of the file that are assigned to members of types, `.open = f` or `a->open = f`: a call of the member may
    /// run them, like a call of a method that they override. One edge for each member.
    fn assigned_functions(
        &self,
        references: &[RawReference],
        edges: &[(BorrowedEdgeRow<'a>, Option<ExternalSymbol>)],
    ) -> Vec<(SymbolId, DerivedEdge)> {
        let mut found: Vec<(SymbolId, DerivedEdge)> = Vec::new();
        let is_assigned = |reference: &&RawReference| reference.kind == EdgeKind::Reference;
        let references = references.iter().filter(is_assigned);
        let assigned: Vec<(&RawReference, NameId)> =
            references.filter_map(|reference| Some((reference, reference.alias?))).collect();
        if assigned.is_empty() {
            return found;
        }
        let mut first_at: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for (at, (edge, _)) in edges.iter().enumerate() {
            first_at.entry((edge.line, edge.column)).or_insert(at);
        }
        let mut known: FxHashSet<(SymbolId, SymbolId)> = FxHashSet::default();
        for (reference, member) in assigned {
            let Some(&at) = first_at.get(&(reference.line, reference.column)) else { continue };
            let Some(function) = edges[at].0.target_id else { continue };
            let symbol = self.symbol(function);
            if symbol.file != self.file || !symbol.kind.is_callable() || !symbol.has_body {
                continue;
            }
            let is_member = |edge: &BorrowedEdgeRow<'_>| {
                let target = edge.target_id.map(|target| self.symbol(target));
                target
                    .is_some_and(|target| matches!(target.kind, Kind::Field | Kind::Property) && target.name == member)
            };
            let before = edges[..at].iter().rev().take(MAX_BETWEEN).map(|(edge, _)| edge).find(|edge| is_member(edge));
            let Some(target) = before.filter(|edge| edge.confidence >= confidence::IMPLICIT) else { continue };
            let Some(target) = target.target_id else { continue };
            if known.insert((function, target)) {
                let (tier, confidence) = (Tier::Receiver, confidence::IMPLICIT);
                found.push((function, DerivedEdge { target, kind: EdgeKind::Override, tier, confidence }));
            }
        }
        found
    }

    /// The symbols of the file, by id.
    fn file_symbols(&self) -> impl Iterator<Item = SymbolId> {
        let files = &self.table.files;
        let next = files.get(self.file.index() + 1);
        let end = next.map_or(self.table.symbols.len(), |next| next.first_symbol.index());
        (files[self.file.index()].first_symbol.index()..end).map(SymbolId::at)
    }

    /// The method of the nearest base that has one of this name; among overloads, one of the same arity.
    fn overridden_methods(&self, id: SymbolId) -> Vec<DerivedEdge> {
        let symbol = self.symbol(id);
        if !matches!(symbol.kind, Kind::Method | Kind::Function) || symbol.owner.is_none() {
            return Vec::new();
        }
        let Some(owner) = self.enclosing_type(id) else { return Vec::new() };
        self.cache.reset_steps();
        for base in self.bases_of(owner, 0).0 {
            let mut above = self.own_members(base, symbol.name);
            above.retain(|member| matches!(self.symbol(*member).kind, Kind::Method | Kind::Function));
            retain_preferred(&mut above, |member| self.symbol(member).arity == symbol.arity);
            if let Some(target) = self.unique_definition(&above) {
                let (tier, confidence) = (Tier::Receiver, confidence::RECEIVER);
                return vec![DerivedEdge { target, kind: EdgeKind::Override, tier, confidence }];
            }
            if !above.is_empty() {
                break;
            }
        }
        if self.language().is_some_and(|language| language.implicit_interfaces) {
            return self.implemented_methods(id, owner);
        }
        Vec::new()
    }

    /// The methods of interfaces that a type has without saying so, because it has methods of all their names, with the same
    /// parameters and results as far as these are known. An interface of one method says too little: its name alone would
    /// decide.
    fn implemented_methods(&self, id: SymbolId, owner: SymbolId) -> Vec<DerivedEdge> {
        let symbol = self.symbol(id);
        self.ask(Key::with_body(self.hash(symbol.name), Classes::FUNCTION, false));
        let is_declaration = |&other: &SymbolId| {
            let there = self.symbol(other);
            let container = there.container.map(|container| self.symbol(container).kind);
            !there.has_body
                && container == Some(Kind::Interface)
                && self.share_linkage_group(there.file, self.file)
                && self.has_signature_of(id, other)
        };
        let declared: Vec<SymbolId> =
            self.index.named(symbol.name).iter().copied().filter(is_declaration).take(MAX_INTERFACES + 1).collect();
        if declared.len() > MAX_INTERFACES {
            return Vec::new();
        }
        let mut found: Vec<DerivedEdge> = Vec::new();
        for target in declared {
            let Some(interface) = self.symbol(target).container.filter(|&interface| interface != owner) else {
                continue;
            };
            if self.has_methods_of(owner, interface) {
                let (tier, confidence) = (Tier::Receiver, confidence::IMPLICIT);
                found.push(DerivedEdge { target, kind: EdgeKind::Override, tier, confidence });
            }
        }
        found
    }

    /// Whether a type has methods that fit all methods of an interface, of at least two. What an interface or a type gets
    /// from outside of the repository is not known, and counts as missing.
    fn has_methods_of(&self, owner: SymbolId, interface: SymbolId) -> bool {
        self.cache.reset_steps();
        let (around, is_incomplete) = self.bases_of(interface, 0);
        let mut wanted: Vec<SymbolId> = Vec::new();
        for &declaring in around.iter().chain([&interface]) {
            wanted.extend(self.members_without_body(declaring));
        }
        if is_incomplete || wanted.len() < 2 {
            return false;
        }
        let types = [owner].into_iter().chain(self.bases_of(owner, 0).0).collect::<Vec<SymbolId>>();
        wanted.into_iter().all(|method| {
            types.iter().any(|&of| {
                let members = self.own_members(of, self.symbol(method).name);
                members.iter().any(|&member| self.has_signature_of(member, method))
            })
        })
    }

    /// Whether a method has as many arguments as a declaration, and no parameter or result whose type has another name, as
    /// far as both are known.
    fn has_signature_of(&self, member: SymbolId, declaration: SymbolId) -> bool {
        let (own, declared) = (self.symbol(member), self.symbol(declaration));
        if !matches!(own.kind, Kind::Method | Kind::Function) || own.arity != declared.arity {
            return false;
        }
        let is_same = |a: NameId, b: NameId| {
            let (a, b) = (type_name(self.names().text(a)), type_name(self.names().text(b)));
            a.is_empty() || b.is_empty() || a == b
        };
        let parameters = |id: SymbolId| self.table.parameters.of(id).iter().filter(|parameter| !parameter.is_receiver);
        let result = |id: SymbolId| {
            let facts = self.facts_for(id, None).1;
            facts.iter().find(|fact| fact.is_declared).map(|fact| fact.text)
        };
        let is_count_same = parameters(member).count() == parameters(declaration).count();
        let mut pairs = parameters(member).zip(parameters(declaration));
        (!is_count_same || pairs.all(|(a, b)| is_same(a.written, b.written)))
            && result(member).zip(result(declaration)).is_none_or(|(a, b)| is_same(a, b))
    }

    /// The declarations of a definition: overload signatures in the same container, and declarations in included headers
    /// or in the header file of the same stem.
    fn declarations_of(&self, id: SymbolId) -> Vec<DerivedEdge> {
        let symbol = self.symbol(id);
        let here = &self.table.files[self.file.index()];
        let rule = here.language.map(|language| language.modules);
        let is_header = |file: FileId| {
            let there = &self.table.files[file.index()];
            match rule {
                Some(ModuleSystem::Include) => self.imports.glob_files().contains(&file),
                _ => {
                    there.language.is_some_and(|language| language.is_header_language)
                        && stem(&there.path) == stem(&here.path)
                }
            }
        };
        let is_declaration = |&other: &SymbolId| {
            let there = self.symbol(other);
            !there.has_body
                && Classes::of(there.kind) == Classes::of(symbol.kind)
                && there.owner == symbol.owner
                && self.share_linkage_group(there.file, self.file)
                && if there.file == self.file {
                    there.container == symbol.container || rule == Some(ModuleSystem::Include)
                } else {
                    is_header(there.file)
                }
        };
        let derived = |target| DerivedEdge {
            target,
            kind: EdgeKind::Define,
            tier: if self.symbol(target).file == self.file { Tier::Scope } else { Tier::Import },
            confidence: confidence::IMPORT,
        };
        let may_be_elsewhere = rule == Some(ModuleSystem::Include)
            || here.language.is_some_and(|language| language::has_header_languages(language.family));
        if !may_be_elsewhere {
            return self
                .index
                .named_in(symbol.name, self.file)
                .iter()
                .copied()
                .filter(is_declaration)
                .map(derived)
                .collect();
        }
        self.ask(Key::with_body(self.hash(symbol.name), Classes::of(symbol.kind), false));
        let named = self.index.named(symbol.name).iter().copied();
        named.filter(is_declaration).map(derived).collect()
    }

    /// The symbols that the file's tests cover, in the order of the tests. Of the symbols that a test uses, these are
    /// those that it is named after, else those that its file, or the type or test around it, is named after.
    fn test_edges(&self, edges: &[(BorrowedEdgeRow<'_>, Option<ExternalSymbol>)]) -> Vec<(SymbolId, DerivedEdge)> {
        let here = &self.table.files[self.file.index()];
        if !here.is_test && !self.file_symbols().any(|id| self.symbol(id).kind == Kind::Test) {
            return Vec::new();
        }
        let mut used: Vec<(SymbolId, SymbolId)> = edges
            .iter()
            .map(|(edge, _)| edge)
            .filter(|edge| matches!(edge.kind, EdgeKind::Call | EdgeKind::Instantiate | EdgeKind::Reference))
            .filter(|edge| edge.tier < Tier::Ambiguous)
            .filter_map(|edge| Some((self.enclosing_test(edge.source_id)?, edge.target_id?)))
            .filter(|&(_, target)| self.is_testable(target))
            .collect();
        used.sort_unstable();
        used.dedup();
        used.chunk_by(|a, b| a.0 == b.0)
            .flat_map(|uses_of_test| {
                let test = uses_of_test[0].0;
                let name = words(self.names().text(self.symbol(test).name));
                let targets = || uses_of_test.iter().map(|&(_, target)| target);
                // The target with the most words in the test's name is the likeliest.
                let shared_words = |target: SymbolId| {
                    let words = words(self.names().text(self.symbol(target).name));
                    let has = name.windows(words.len().max(1)).any(|part| part == words.as_slice());
                    if has { words.len() } else { 0 }
                };
                let max_shared = targets().map(shared_words).max().unwrap_or(0);
                let (found, confidence): (Vec<SymbolId>, f32) = if max_shared > 0 {
                    (targets().filter(|&target| shared_words(target) == max_shared).collect(), confidence::TEST_BY_NAME)
                } else {
                    (
                        targets().filter(|&target| self.is_counterpart(test, target)).collect(),
                        confidence::TEST_BY_LOCATION,
                    )
                };
                let found = if found.len() > MAX_TEST_TARGETS { Vec::new() } else { found };
                found.into_iter().map(move |target| {
                    (test, DerivedEdge { target, kind: EdgeKind::Test, tier: Tier::Unique, confidence })
                })
            })
            .collect()
    }

    /// The innermost test around a symbol: a symbol of kind test, or a function of a test file.
    fn enclosing_test(&self, mut id: SymbolId) -> Option<SymbolId> {
        let in_test_file = self.table.files[self.file.index()].is_test;
        loop {
            let symbol = self.symbol(id);
            let is_file_level = symbol.kind == Kind::File || self.is_top_level(id);
            if symbol.kind == Kind::Test || in_test_file && symbol.kind.is_callable() {
                return Some(id);
            }
            if is_file_level {
                return None;
            }
            id = symbol.container?;
        }
    }

    fn is_testable(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let is_code = symbol.kind != Kind::Test && (symbol.kind.is_callable() || symbol.kind.is_type());
        is_code && !self.table.files[symbol.file.index()].is_test
    }

    /// Whether a test is located where the tests of a target belong: in the target's file, in a file named after that
    /// file, or in a type or test named after the target's file, owner or name.
    fn is_counterpart(&self, test: SymbolId, target: SymbolId) -> bool {
        let target = self.symbol(target);
        if target.file == self.file {
            return true;
        }
        let file_subject = |file: FileId| {
            let path = self.table.files[file.index()].path.as_str();
            let name = path.rsplit('/').next().unwrap_or(path);
            subject_words(name.split('.').next().unwrap_or(name))
        };
        let mut subjects = vec![file_subject(self.file)];
        let mut id = test;
        while let Some(container) = self.symbol(id).container.filter(|_| !self.is_top_level(id)) {
            id = container;
            subjects.push(subject_words(self.names().text(self.symbol(id).name)));
        }
        let owner = target.owner.map(|owner| subject_words(self.names().text(owner)));
        let names = [Some(file_subject(target.file)), owner, Some(subject_words(self.names().text(target.name)))];
        names.iter().flatten().any(|name| !name.is_empty() && subjects.contains(name))
    }
}

/// A path without its last extension.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// The words of a name without `test`, `spec` and the like.
fn subject_words(name: &str) -> Vec<String> {
    let mut words = words(name);
    words.retain(|word| !matches!(word.as_str(), "test" | "tests" | "spec" | "specs"));
    words
}
