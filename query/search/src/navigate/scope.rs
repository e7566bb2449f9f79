//! Names inside of packages, modules and types: from a scope and the names below it to definitions.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::graph::Graph;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::names::{is_folder_stem, segments};
use sextant_format::tables::{EdgeRow, ExternalRow};
use tantivy::Term;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;

use super::definition::{Definition, read_definitions};
use super::keys::file_at;
use super::navigator::Navigator;
use crate::{Index, Result};

/// Symbols of one name that are looked at.
const MAX_NAMESAKES: usize = 4_000;
/// Modules in a row that export all names of another one.
const MAX_FORWARDED: u32 = 4;
/// Scopes that are looked through for one name.
const MAX_SCOPES: usize = 256;

/// Definitions by name and files by path, as one question needs them: names of externals repeat.
pub(super) struct Names<'a> {
    index: &'a Index,
    /// The definitions of a name.
    known: RefCell<FxHashMap<String, Rc<[Definition]>>>,
    /// The symbols of files, by repository and path.
    files: RefCell<FxHashMap<(String, String), Option<SymbolId>>>,
}

/// Where names are looked up.
pub(super) enum Scope {
    /// The files directly in one of some folders, given with their repositories: a Go or Java package.
    Folders(FxHashSet<(String, String)>),
    /// Files, modules and types.
    Symbols(Vec<SymbolId>),
}

impl<'a> Names<'a> {
    pub(super) fn new(index: &'a Index) -> Self {
        Self { index, known: RefCell::default(), files: RefCell::default() }
    }

    pub(super) const fn index(&self) -> &'a Index {
        self.index
    }

    /// The definitions of a name in the written case, files excepted.
    fn of(&self, name: &str) -> Result<Rc<[Definition]>> {
        if let Some(known) = self.known.borrow().get(name) {
            return Ok(Rc::clone(known));
        }
        let symbols = self.index.symbols()?;
        let term = Term::from_field_text(symbols.fields.name, &name.to_lowercase());
        let mut ids = symbols.rows(&TermQuery::new(term, IndexRecordOption::Basic))?;
        ids.retain(|&id| symbols.catalog.kind(id) != Some(Kind::File));
        ids.truncate(MAX_NAMESAKES);
        let found = read_definitions(self.index, &ids)?;
        let found: Rc<[Definition]> = found.into_iter().filter(|d| d.name == name).collect();
        self.known.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
        Ok(found)
    }

    /// The symbol of the file with exactly this path.
    fn file(&self, repository: &str, path: &str) -> Result<Option<SymbolId>> {
        let key = (repository.to_owned(), path.to_owned());
        if let Some(known) = self.files.borrow().get(&key) {
            return Ok(*known);
        }
        let found = match file_at(self.index, &format!("{repository}/{path}"))? {
            Some(file) => {
                let symbols = self.index.symbol_rows()?.rows_of_files(&[file])?;
                let catalog = &self.index.symbols()?.catalog;
                symbols.into_iter().find(|&id| catalog.kind(id) == Some(Kind::File))
            }
            None => None,
        };
        self.files.borrow_mut().insert(key, found);
        Ok(found)
    }
}

impl Scope {
    /// The scope of a file; none if the index does not have it.
    pub(super) fn file(names: &Names<'_>, repository: &str, path: &str) -> Result<Option<Self>> {
        Ok(names.file(repository, path)?.map(|file| Self::Symbols(vec![file])))
    }

    /// The definitions of a name below a scope, each segment inside of what the one before it names.
    pub(super) fn resolve(self, names: &Names<'_>, below: &[&str]) -> Result<Vec<SymbolId>> {
        let mut scope = self;
        for name in below {
            let found = scope.step(names, name)?;
            if found.is_empty() {
                return Ok(Vec::new());
            }
            scope = Self::Symbols(found);
        }
        let Self::Symbols(found) = scope else { return Ok(Vec::new()) };
        let index = names.index;
        let found = without_files(index, found)?;
        // A module may have the name of the function in it, which is exported beside it.
        if let (Some(name), true) = (below.last(), is_file(index, &found)?) {
            let inside = members(index.graph()?, &read_sorted(index, &found)?, &names.of(name)?);
            if !inside.is_empty() {
                return Ok(inside);
            }
        }
        Ok(found)
    }

    /// The definitions of one name directly in a scope, and what the scope exports by it.
    fn step(&self, names: &Names<'_>, name: &str) -> Result<Vec<SymbolId>> {
        let (index, namesakes) = (names.index, names.of(name)?);
        match self {
            Self::Folders(folders) => {
                let is_there = |d: &&Definition| {
                    let (folder, _) = d.path.rsplit_once('/').unwrap_or(("", &d.path));
                    !d.is_test
                        && segments(&d.qualified_name).len() == 1
                        && folders.contains(&(d.repo.clone(), folder.to_owned()))
                };
                Ok(namesakes.iter().filter(is_there).map(|d| d.symbol_id).collect())
            }
            Self::Symbols(scopes) => {
                let graph = index.graph()?;
                let mut seen: FxHashSet<SymbolId> = scopes.iter().copied().collect();
                let mut scopes = scopes.clone();
                for _ in 0..=MAX_FORWARDED {
                    let around = read_sorted(index, &scopes)?;
                    let mut found = members(graph, &around, &namesakes);
                    if found.is_empty() {
                        found = modules(names, graph, &around, name)?;
                    }
                    // What another package defines is not in this one, though a module around it may use the name.
                    if !found.is_empty() || imports_external(index, &scopes, name)? {
                        return Ok(found);
                    }
                    // A module that exports all of another one; a type that inherits.
                    let forwards =
                        |kind: EdgeKind| matches!(kind, EdgeKind::Import | EdgeKind::Inherit | EdgeKind::Implement);
                    let catalog = &index.symbols()?.catalog;
                    let next = scopes.iter().flat_map(|&scope| graph.out_edges(scope)).filter(|edge| {
                        let is_module = catalog.kind(edge.node) == Some(Kind::File);
                        forwards(edge.kind) && (edge.kind != EdgeKind::Import || is_module)
                    });
                    let next: Vec<SymbolId> = next.map(|edge| edge.node).filter(|&node| seen.insert(node)).collect();
                    scopes = next;
                    if scopes.is_empty() || seen.len() > MAX_SCOPES {
                        break;
                    }
                }
                Ok(Vec::new())
            }
        }
    }
}

/// Those of some definitions that are in one of the scopes, or that one of them imports and thereby exports. Where none
/// is, those that belong to a type by their qualified names: in its file, else in its folder.
fn members(graph: &Graph, scopes: &[Definition], namesakes: &[Definition]) -> Vec<SymbolId> {
    let leads_here = |d: &&Definition| {
        let mut edges = graph.in_edges(d.symbol_id);
        edges.any(|edge| {
            matches!(edge.kind, EdgeKind::Contains | EdgeKind::Import)
                && scopes.iter().any(|scope| scope.symbol_id == edge.node)
        })
    };
    let is_in_file = |d: &&Definition| scopes.iter().any(|s| s.path == d.path && is_member_of_type(s, d));
    let is_in_folder = |d: &&Definition| scopes.iter().any(|scope| is_member_of_type(scope, d));
    let which: [&dyn Fn(&&Definition) -> bool; 3] = [&leads_here, &is_in_file, &is_in_folder];
    let ids = |is_member: &dyn Fn(&&Definition) -> bool| -> Vec<SymbolId> {
        namesakes.iter().filter(is_member).map(|d| d.symbol_id).collect()
    };
    which.into_iter().map(ids).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Whether one of the scopes imports an external symbol of this name, and so exports that.
fn imports_external(index: &Index, scopes: &[SymbolId], name: &str) -> Result<bool> {
    let used = Navigator::new(index).used_externals(scopes)?;
    let is_import = |(external, edge): &(ExternalRow, EdgeRow)| {
        edge.kind == EdgeKind::Import && segments(&external.name).last() == Some(&name)
    };
    Ok(used.iter().any(is_import))
}

/// Whether a definition is a member of a type by its qualified name, in the folder of the type: members need not be
/// written inside of it.
fn is_member_of_type(scope: &Definition, member: &Definition) -> bool {
    let folder = |d: &Definition| d.path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
    let (owner, own) = (segments(&scope.qualified_name), segments(&member.qualified_name));
    scope.kind.is_type()
        && own.len() == owner.len() + 1
        && own.starts_with(&owner)
        && scope.repo == member.repo
        && scope.path[..folder(scope)] == member.path[..folder(member)]
}

/// The files of modules of this name: those that a scope declares or imports, for Rust also those that it may declare.
fn modules(names: &Names<'_>, graph: &Graph, scopes: &[Definition], name: &str) -> Result<Vec<SymbolId>> {
    let index = names.index;
    let catalog = &index.symbols()?.catalog;
    let imported = scopes.iter().flat_map(|scope| graph.out_edges(scope.symbol_id));
    let imported = imported.filter(|edge| edge.kind == EdgeKind::Import).map(|edge| edge.node);
    let files: Vec<SymbolId> = imported.filter(|&node| catalog.kind(node) == Some(Kind::File)).collect();
    let is_named = |d: &&Definition| {
        let (folder, file) = d.path.rsplit_once('/').unwrap_or(("", &d.path));
        let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
        let module = if is_folder_stem(stem) { folder.rsplit('/').next().unwrap_or(folder) } else { stem };
        module == name
    };
    let mut found: Vec<SymbolId> = read_sorted(index, &files)?.iter().filter(is_named).map(|d| d.symbol_id).collect();
    // A macro may declare it.
    let is_undeclared = found.is_empty();
    for scope in scopes.iter().filter(|scope| is_undeclared && scope.path.ends_with(".rs")) {
        let (folder, file) = scope.path.rsplit_once('/').unwrap_or(("", &scope.path));
        let inside = match file {
            "lib.rs" | "main.rs" | "mod.rs" => folder,
            _ => scope.path.trim_end_matches(".rs"),
        };
        let inside = if inside.is_empty() { String::new() } else { format!("{inside}/") };
        for path in [format!("{inside}{name}.rs"), format!("{inside}{name}/mod.rs")] {
            found.extend(names.file(&scope.repo, &path)?);
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn read_sorted(index: &Index, ids: &[SymbolId]) -> Result<Vec<Definition>> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    read_definitions(index, &ids)
}

/// Files among some symbols stand for modules: if there are others, those are meant.
fn without_files(index: &Index, mut found: Vec<SymbolId>) -> Result<Vec<SymbolId>> {
    let catalog = &index.symbols()?.catalog;
    if found.iter().any(|&id| catalog.kind(id) != Some(Kind::File)) {
        found.retain(|&id| catalog.kind(id) != Some(Kind::File));
    }
    Ok(found)
}

/// Whether the first of some symbols is a file.
fn is_file(index: &Index, symbols: &[SymbolId]) -> Result<bool> {
    let catalog = &index.symbols()?.catalog;
    Ok(symbols.first().is_some_and(|&id| catalog.kind(id) == Some(Kind::File)))
}
