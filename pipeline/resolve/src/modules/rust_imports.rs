//! What Rust files declare about modules elsewhere: names that they import, and modules whose file an attribute names.

use rustc_hash::FxHashMap;
use sextant_format::ids::FileId;
use sextant_format::kinds::EdgeKind;
use sextant_syntax::language::ModuleSystem;

use crate::interner::NameInterner;
use crate::model::FileInfo;
use crate::projects::resolve_relative;

/// An import of a Rust file.
#[derive(Clone, Copy)]
pub(super) struct Use<'a> {
    /// The path in front of the name; may be empty.
    pub(super) owner: &'a str,
    pub(super) name: &'a str,
    /// Whether the module of the file has it, and not a module or function inside of it.
    pub(super) is_at_top: bool,
}

/// What the Rust files import, by file and local name; what the file's module imports precedes.
pub(super) fn uses<'a>(files: &'a [FileInfo], names: &'a NameInterner) -> FxHashMap<(FileId, &'a str), Use<'a>> {
    let mut found: FxHashMap<(FileId, &str), Use<'_>> = FxHashMap::default();
    for (id, file) in files.iter().enumerate().filter(|(_, file)| is_rust(file)) {
        for import in file.links.iter().filter(|reference| reference.kind == EdgeKind::Import) {
            let local = names.text(import.alias.unwrap_or(import.name));
            // `mod a;` is found by its path.
            if local != "*" && (import.owner.is_some() || import.alias.is_some()) {
                let (owner, name) = (names.text_or_empty(import.owner), names.text(import.name));
                let (key, is_at_top) = ((FileId::at(id), local), import.source == file.first_symbol);
                if is_at_top || found.get(&key).is_none_or(|known| !known.is_at_top) {
                    found.insert(key, Use { owner, name, is_at_top });
                }
            }
        }
    }
    found
}

fn is_rust(file: &FileInfo) -> bool {
    file.language.is_some_and(|language| language.modules == ModuleSystem::Rust)
}

/// The modules whose file an attribute names: `#[path = "../support/mod.rs"] mod support;`.
pub(super) fn path_modules<'a>(
    files: &'a [FileInfo],
    names: &'a NameInterner,
    by_path: &FxHashMap<(u32, &'a str), FileId>,
) -> FxHashMap<(FileId, &'a str), FileId> {
    let mut found = FxHashMap::default();
    for (id, file) in files.iter().enumerate().filter(|(_, file)| is_rust(file)) {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for import in file.links.iter().filter(|reference| reference.kind == EdgeKind::Import) {
            let path = names.text_or_empty(import.owner);
            if path.ends_with(".rs")
                && let Some(path) = resolve_relative(folder, path)
                && let Some(&target) = by_path.get(&(file.repo, path.as_str()))
            {
                found.insert((FileId::at(id), names.text(import.name)), target);
            }
        }
    }
    found
}

/// The paths of the modules all of whose names the Rust files import, by file.
pub(super) fn globs<'a>(files: &'a [FileInfo], names: &'a NameInterner) -> FxHashMap<FileId, Vec<&'a str>> {
    let mut found: FxHashMap<FileId, Vec<&str>> = FxHashMap::default();
    for (id, file) in files.iter().enumerate().filter(|(_, file)| is_rust(file)) {
        let imports = file.links.iter().filter(|reference| reference.kind == EdgeKind::Import);
        let globs = imports.filter(|import| names.text(import.name) == "*");
        let paths: Vec<&str> = globs.filter_map(|import| Some(names.text(import.owner?))).collect();
        if !paths.is_empty() {
            found.insert(FileId::at(id), paths);
        }
    }
    found
}
