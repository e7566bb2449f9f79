//! Names of languages whose rules say which full name a written name means: the imports and the namespace of the file
//! decide, and nothing is searched for (PHP).

use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Tier};
use smallvec::{SmallVec, smallvec};

use crate::confidence;
use crate::imports::Import;
use crate::raw_reference::RawReference;
use crate::resolution::{Resolution, SymbolIds, ambiguous, retain_preferred};
use crate::target_class::can_target;
use crate::view::Resolver;

/// What separates the parts of a path. A path that begins with it is a full name.
const SEPARATOR: char = '\\';
/// The first part of a path that begins in the namespace of the file.
const OWN_NAMESPACE: &str = "namespace";

/// How a written name leads to a full one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// By an import, or written in full.
    Import,
    /// By the namespace of the file.
    Namespace,
    /// A function that the namespace of the file does not define.
    Outermost,
}

/// A full name, its segments joined by dots.
struct FullName {
    text: String,
    origin: Origin,
}

impl Resolver<'_, '_> {
    /// Whether the language says which full name a written name means. Not in files of several namespaces.
    pub(crate) fn has_full_names(&self) -> bool {
        self.table.files[self.file.index()].namespace.is_some()
    }

    /// Resolves a type, or a function without a receiver; `None` for what else a name can be.
    pub(crate) fn resolve_by_full_name(&self, reference: &RawReference) -> Option<Resolution> {
        let names = self.full_names_of(reference)?;
        for name in &names {
            let mut found = self.defined_as(&name.text, reference.kind);
            retain_preferred(&mut found, |id| self.symbol(id).file == self.file);
            if !self.table.files[self.file.index()].is_test {
                retain_preferred(&mut found, |id| !self.table.files[self.symbol(id).file.index()].is_test);
            }
            if found.is_empty() {
                continue;
            }
            return Some(match self.unique_definition(&found) {
                Some(target) => {
                    let is_here = self.symbol(target).file == self.file;
                    let (tier, confidence) = match name.origin {
                        _ if is_here => (Tier::Scope, confidence::SCOPE),
                        Origin::Namespace => (Tier::Package, confidence::PACKAGE),
                        Origin::Import | Origin::Outermost => (Tier::Import, confidence::IMPORT),
                    };
                    Resolution::single(tier, confidence, target)
                }
                None => ambiguous(&found).unwrap_or_else(Resolution::unresolved),
            });
        }
        Some(Resolution::unresolved())
    }

    /// The definition that an import names; `None` if it names a namespace or nothing that is known.
    pub(crate) fn import_by_full_name(&self, import: &Import) -> Option<SymbolId> {
        self.has_full_names().then(|| self.defined_as(&self.imported_name(import), EdgeKind::Import)).and_then(
            |found| {
                let is_type = |&id: &SymbolId| self.symbol(id).kind.is_type();
                self.unique_definition(&found).or_else(|| self.unique_definition(found.iter().copied().filter(is_type)))
            },
        )
    }

    /// The definition that a path means, as written or with dots: a type, or with `is_called` a function.
    pub(crate) fn definition_of_path(&self, path: &str, is_called: bool) -> Option<SymbolId> {
        let kind = if is_called { EdgeKind::Call } else { EdgeKind::Type };
        let mut names = self.full_names(path, is_called);
        // The text of a type has lost the mark of a full path.
        names.push(FullName { text: segments(path).join("."), origin: Origin::Import });
        names.iter().find_map(|name| {
            let mut found = self.defined_as(&name.text, kind);
            retain_preferred(&mut found, |id| self.symbol(id).file == self.file);
            self.unique_definition(&found)
        })
    }

    /// The full name, as the language writes it, of a type or function that another repository defines, and whether an
    /// import or the text says so. The outer `None` means that the rules do not decide, the inner one that no such name is
    /// known: the repository has definitions of it, or the namespace of the file lacks one that a program may make.
    pub(crate) fn external_full_name(&self, reference: &RawReference) -> Option<Option<(String, bool)>> {
        let mut names = self.full_names_of(reference)?;
        let is_defined = names.iter().any(|name| !self.defined_as(&name.text, reference.kind).is_empty());
        let last = names.pop().filter(|_| !is_defined);
        let outside = last.filter(|name| name.origin != Origin::Namespace || !name.text.contains('.'));
        let separator = self.language().map_or("", |language| language.separator);
        Some(outside.map(|name| (name.text.replace('.', separator), name.origin == Origin::Import)))
    }

    /// The full names that a reference may mean, in order: the first that is defined counts. `None` unless the reference
    /// names a type or function.
    fn full_names_of(&self, reference: &RawReference) -> Option<SmallVec<[FullName; 2]>> {
        if !self.has_full_names() || reference.is_path_qualified {
            return None;
        }
        let (owner, name) = (self.names().text_or_empty(reference.owner), self.names().text(reference.name));
        let is_called = reference.kind == EdgeKind::Call;
        match reference.kind {
            EdgeKind::Type | EdgeKind::Inherit | EdgeKind::Implement | EdgeKind::Instantiate | EdgeKind::Decorate => {}
            EdgeKind::Call if reference.owner.is_none() || owner.ends_with(SEPARATOR) => {}
            _ => return None,
        }
        Some(self.full_names(&format!("{owner}{name}"), is_called))
    }

    /// The full names that a path may mean.
    fn full_names(&self, path: &str, is_called: bool) -> SmallVec<[FullName; 2]> {
        let parts = segments(path);
        let Some((&first, rest)) = parts.split_first() else { return SmallVec::new() };
        let namespace = self.table.files[self.file.index()].namespace.as_deref().unwrap_or("");
        let inside = |outer: &str, parts: &[&str]| {
            let all: SmallVec<[&str; 8]> =
                std::iter::once(outer).chain(parts.iter().copied()).filter(|part| !part.is_empty()).collect();
            all.join(".")
        };
        if path.starts_with(SEPARATOR) {
            return smallvec![FullName { text: parts.join("."), origin: Origin::Import }];
        }
        if first == OWN_NAMESPACE {
            return smallvec![FullName { text: inside(namespace, rest), origin: Origin::Namespace }];
        }
        let bound = self.imports.binding(self.name(first));
        let mut found: SmallVec<[FullName; 2]> = bound
            .iter()
            .map(|import| FullName { text: inside(&self.imported_name(import), rest), origin: Origin::Import })
            .collect();
        if found.is_empty() {
            found.push(FullName { text: inside(namespace, &parts), origin: Origin::Namespace });
            if is_called && rest.is_empty() && !namespace.is_empty() {
                found.push(FullName { text: first.to_owned(), origin: Origin::Outermost });
            }
        }
        found
    }

    /// The full name that an import names.
    fn imported_name(&self, import: &Import) -> String {
        let module = self.names().text(import.module);
        let name = import.name.filter(|_| !import.is_namespace_import).map(|name| self.names().text(name));
        let parts = segments(module).into_iter().chain(name.into_iter().flat_map(segments));
        parts.collect::<SmallVec<[&str; 8]>>().join(".")
    }

    /// The definitions of a full name.
    fn defined_as(&self, full_name: &str, kind: EdgeKind) -> SymbolIds {
        self.cache.reads.ask_modules();
        let mut parts = full_name.rsplit('.');
        let name = self.name(parts.next().unwrap_or(full_name));
        let owner = parts.next().map(|owner| self.name(owner));
        let files = self.all_imports.defining_files(self.file, full_name);
        let named = files.iter().flat_map(|&file| self.named_in(name, file)).copied();
        named
            .filter(|&id| {
                let symbol = self.symbol(id);
                let is_kind = match kind {
                    EdgeKind::Call => symbol.kind.is_callable(),
                    EdgeKind::Import => can_target(kind, symbol.kind),
                    _ => symbol.kind.is_type(),
                };
                is_kind && self.is_file_level(symbol.container) && symbol.owner == owner
            })
            .collect()
    }

    /// Whether the language has full names, and a path has no part that is a member.
    pub(crate) fn is_name_path(&self, path: &str) -> bool {
        self.has_full_names() && path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | SEPARATOR))
    }
}

/// The parts of a path, as written or joined by dots.
fn segments(path: &str) -> SmallVec<[&str; 8]> {
    path.split(['.', SEPARATOR]).filter(|part| !part.is_empty()).collect()
}
