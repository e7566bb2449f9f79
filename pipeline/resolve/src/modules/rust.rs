//! From paths of Rust modules to files: `crate`, `self`, `super`, child modules, and crates of the same repository by
//! their manifests.

use sextant_format::ids::FileId;

use super::Modules;
use super::rust_imports::Use;
use crate::module_path::OWN_CRATE_FOLDERS;

/// Modules that are exported under another path are followed this often.
const MAX_REEXPORTED_MODULES: u32 = 8;
/// An import of all names of a module counts as so many.
const GLOB_DEPTH: u32 = 4;
/// Crates of the Rust toolchain.
const STANDARD_CRATES: &[&str] = &["std", "core", "alloc", "proc_macro", "test"];

/// Where the path of a module leads.
#[derive(Default)]
struct ModulePath {
    /// The file of the innermost module.
    files: Vec<FileId>,
    /// Whether every segment is a module.
    is_whole_path: bool,
}

impl Modules<'_> {
    /// The file of the innermost module that a path names. Later segments are definitions in that file.
    pub(crate) fn rust(&self, from: FileId, path: &str) -> Vec<FileId> {
        self.rust_module(from, path, 0).files
    }

    /// The file of the module that a path names; `None` if its last segment is not a module.
    pub(crate) fn rust_whole_module(&self, from: FileId, path: &str) -> Option<FileId> {
        let found = self.rust_module(from, path, 0);
        found.files.first().copied().filter(|_| found.is_whole_path)
    }

    /// Whether a file imports a function, type or constant under a name, and not a module.
    pub(crate) fn rust_exports_item(&self, module: FileId, name: &str) -> bool {
        self.uses.get(&(module, name)).is_some_and(|found| {
            let path = || format!("{}::{}", found.owner, found.name);
            found.is_at_top && !found.owner.is_empty() && self.rust_whole_module(module, &path()).is_none()
        })
    }

    fn rust_module(&self, from: FileId, path: &str, depth: u32) -> ModulePath {
        let mut segments: Vec<&str> = path
            .split("::")
            .map(|segment| segment.trim().trim_start_matches("r#"))
            .filter(|segment| !segment.is_empty())
            .collect();
        let Some(&first) = segments.first() else { return ModulePath::default() };
        if STANDARD_CRATES.contains(&first) {
            return ModulePath::default();
        }
        let file = &self.files[from.index()];
        if let Some(found) = self.rust_declared(from, &segments, depth) {
            return found;
        }
        if self.projects.enclosing_crate(file.repo, &file.path).is_none() {
            segments.retain(|segment| !matches!(*segment, "crate" | "self" | "super"));
            return ModulePath { files: self.rust_by_suffix(from, &segments, first), is_whole_path: false };
        }
        let (root, is_root) = self.rust_root(from);
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        let here = if is_root || stem == "mod" { folder.to_owned() } else { child_path(folder, stem) };
        let mut at;
        match first {
            "crate" => {
                at = root.clone();
                segments.remove(0);
                let declared = self.rust_test_root(from).and_then(|root| self.rust_declared(root, &segments, depth));
                if let Some(found) = declared {
                    return found;
                }
            }
            "self" | "super" => {
                at = here.clone();
                while let Some(&step @ ("self" | "super")) = segments.first() {
                    if step == "super" {
                        at = at.rsplit_once('/').map_or_else(String::new, |(above, _)| above.to_owned());
                    }
                    segments.remove(0);
                }
            }
            _ if self.rust_file(file.repo, &child_path(&here, first)).is_some() => at = here.clone(),
            _ => match self.rust_crate(from, first) {
                Some(library) => {
                    let Some(root) = self.by_path.get(&(file.repo, library.as_str())) else {
                        return ModulePath::default();
                    };
                    let above = library.rsplit_once('/').map_or("", |(folder, _)| folder);
                    return self.rust_inside(*root, above, &segments[1..], depth);
                }
                None if self.rust_file(file.repo, &child_path(&root, first)).is_some() => at = root.clone(),
                // The name of another import: `use a::b;`, `use b::C;`.
                None => {
                    let found = self.rust_imported(from, first, &segments[1..], depth);
                    return found.unwrap_or_else(|| self.rust_crate_elsewhere(from, &segments, depth));
                }
            },
        }
        let roots = [child_path(&at, "lib.rs"), child_path(&at, "main.rs")];
        let root_file = || roots.iter().find_map(|path| self.by_path.get(&(file.repo, path.as_str())).copied());
        let module = match () {
            () if at == here => Some(from),
            () if at == root => root_file(),
            () => self.rust_file(file.repo, &at),
        };
        match module {
            Some(module) => self.rust_inside(module, &at, &segments, depth),
            None => {
                let (found, nested) = self.rust_descend(file.repo, &at, &segments);
                ModulePath { files: found.into_iter().collect(), is_whole_path: nested == segments.len() }
            }
        }
    }

    /// The root file of a crate of the same repository, by the name that the crate of a file has for it.
    fn rust_crate(&self, from: FileId, name: &str) -> Option<String> {
        let file = &self.files[from.index()];
        let package = self.projects.dependency(file.repo, &file.path, "Cargo.toml", name);
        let renamed = package.filter(|package| *package != name);
        renamed
            .and_then(|package| self.projects.crate_root(file.repo, package))
            .or_else(|| self.projects.crate_root(file.repo, name))
    }

    /// What is inside of a module that a file imports under a name.
    fn rust_imported(&self, from: FileId, name: &str, inside: &[&str], depth: u32) -> Option<ModulePath> {
        let found = self.uses.get(&(from, name)).filter(|_| depth < MAX_REEXPORTED_MODULES)?;
        let path = [found.owner, found.name].into_iter().filter(|part| !part.is_empty()).chain(inside.iter().copied());
        let path: Vec<&str> = path.collect();
        let is_itself = path.first().is_some_and(|first| first.split("::").next() == Some(name));
        let found = (!is_itself).then(|| self.rust_module(from, &path.join("::"), depth + 1))?;
        (!found.files.is_empty()).then_some(found)
    }

    /// The same in a module whose file an attribute names, in the file that declares it.
    fn rust_declared(&self, from: FileId, segments: &[&str], depth: u32) -> Option<ModulePath> {
        let &declared = self.path_modules.get(&(from, *segments.first()?))?;
        let path = &self.files[declared.index()].path;
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        let inside = if stem == "mod" { folder.to_owned() } else { child_path(folder, stem) };
        Some(self.rust_inside(declared, &inside, &segments[1..], depth))
    }

    /// The folder of tests, benchmarks or examples that a file is below, each file of which is a crate, and the path of
    /// the file from there.
    fn rust_test_folder(&self, from: FileId) -> Option<(String, &str)> {
        let file = &self.files[from.index()];
        let package = self.projects.crate_folder(file.repo, &file.path)?;
        let inside = file.path.strip_prefix(package)?.trim_start_matches('/');
        let (folder, rest) = inside.split_once('/')?;
        (OWN_CRATE_FOLDERS.contains(&folder) && rest.contains('/')).then(|| (child_path(package, folder), rest))
    }

    /// The crate root of a module in a folder that has the name of a test: `tests/a.rs` of `tests/a/b.rs`.
    fn rust_test_root(&self, from: FileId) -> Option<FileId> {
        let (folder, rest) = self.rust_test_folder(from)?;
        let path = child_path(&folder, &format!("{}.rs", rest.split('/').next()?));
        self.by_path.get(&(self.files[from.index()].repo, path.as_str())).copied()
    }

    /// The same in a crate of another repository that the file's crate depends on.
    fn rust_crate_elsewhere(&self, from: FileId, segments: &[&str], depth: u32) -> ModulePath {
        let file = &self.files[from.index()];
        let found = segments.first().and_then(|first| {
            let name = self.projects.dependency(file.repo, &file.path, "Cargo.toml", first)?;
            let (repo, name) = self.projects.owner("Cargo.toml", name).filter(|(repo, _)| *repo != file.repo)?;
            let library = self.projects.crate_root(repo, name)?;
            let root = *self.by_path.get(&(repo, library.as_str()))?;
            let above = library.rsplit_once('/').map_or("", |(folder, _)| folder);
            let found = self.rust_inside(root, above, &segments[1..], depth);
            // A module that is not found, because a macro or another crate defines it, is not the one around it.
            let (module, nested) = self.rust_descend(repo, above, &segments[1..]);
            let next = segments.get(1 + nested);
            let is_type = next.is_none_or(|next| next.starts_with(char::is_uppercase));
            (is_type || found.files != [module.unwrap_or(root)]).then_some(found)
        });
        found.unwrap_or_default()
    }

    /// The file of the innermost of these nested modules inside of a module, whose children are in `folder`. Follows
    /// modules that are exported under another path.
    fn rust_inside(&self, module: FileId, folder: &str, segments: &[&str], depth: u32) -> ModulePath {
        let (found, nested) = self.rust_descend(self.files[module.index()].repo, folder, segments);
        let found = found.unwrap_or(module);
        if let Some(next) = segments.get(nested)
            && depth < MAX_REEXPORTED_MODULES
            && let Some(&Use { owner, name, .. }) = self.uses.get(&(found, *next)).filter(|found| found.is_at_top)
        {
            let rest = segments[nested + 1..].iter().copied();
            let path: Vec<&str> = [owner, name].into_iter().filter(|part| !part.is_empty()).chain(rest).collect();
            let exported = self.rust_module(found, &path.join("::"), depth + 1);
            if !exported.files.is_empty() {
                return exported;
            }
        }
        // A module of another one, all of whose names are exported. Each file may have many such imports: they are followed
        // less deep.
        if nested == 0
            && depth + GLOB_DEPTH <= MAX_REEXPORTED_MODULES
            && let Some(&first) = segments.first().filter(|first| first.starts_with(char::is_lowercase))
        {
            let through = self.globs.get(&found).into_iter().flatten().find_map(|path| {
                let rest = segments.iter().copied();
                let path: Vec<&str> = path.split("::").chain(rest).collect();
                let exported = self.rust_module(found, &path.join("::"), depth + GLOB_DEPTH);
                (self.is_in_module_named(&exported, first) && exported.files != [found]).then_some(exported)
            });
            if let Some(through) = through {
                return through;
            }
        }
        ModulePath { files: vec![found], is_whole_path: nested == segments.len() }
    }

    /// Whether a path led to the module of a name, or to one inside of it.
    fn is_in_module_named(&self, path: &ModulePath, name: &str) -> bool {
        path.files.iter().any(|file| {
            let path = &self.files[file.index()].path;
            path.split('/').any(|part| part.strip_suffix(".rs").unwrap_or(part) == name)
        })
    }

    /// The file of the innermost of these nested modules below a folder, if the first is one, and how many of them
    /// there are.
    fn rust_descend(&self, repo: u32, folder: &str, segments: &[&str]) -> (Option<FileId>, usize) {
        let mut at = folder.to_owned();
        let mut found = None;
        for (nested, segment) in segments.iter().enumerate() {
            at = child_path(&at, segment);
            match self.rust_file(repo, &at) {
                Some(file) => found = Some(file),
                None => return (found, nested),
            }
        }
        (found, segments.len())
    }

    /// The file of the module whose children are in a folder.
    fn rust_file(&self, repo: u32, folder: &str) -> Option<FileId> {
        let paths = [format!("{folder}.rs"), child_path(folder, "mod.rs")];
        paths.iter().find_map(|path| self.by_path.get(&(repo, path.as_str())).copied())
    }

    /// The root folder of the crate (library, program, test) that a file belongs to, and whether the file is the crate
    /// root.
    fn rust_root(&self, from: FileId) -> (String, bool) {
        let file = &self.files[from.index()];
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let mut at = folder;
        loop {
            let is_root = |name: &str| self.by_path.contains_key(&(file.repo, child_path(at, name).as_str()));
            if is_root("lib.rs") || is_root("main.rs") {
                return (at.to_owned(), at == folder && matches!(name, "lib.rs" | "main.rs"));
            }
            match at.rsplit_once('/') {
                Some((above, _)) => at = above,
                // Each file of `tests` or `examples` is a crate, and folders there have its modules.
                None => {
                    let tests = self.rust_test_folder(from);
                    return tests.map_or_else(|| (folder.to_owned(), true), |(folder, _)| (folder, false));
                }
            }
        }
    }

    /// Without a manifest: files whose paths end with the module's path.
    fn rust_by_suffix(&self, from: FileId, segments: &[&str], first: &str) -> Vec<FileId> {
        let is_local = matches!(first, "crate" | "self" | "super");
        // The first segment of an outer path is a crate; the last ones may be types instead of modules.
        for end in (1..=segments.len()).rev() {
            for start in 0..end.min(if is_local { 1 } else { 2 }) {
                let found = self.nearest_with_suffix(from, &segments[start..end]);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        if is_local && segments.is_empty() {
            let repo = self.files[from.index()].repo;
            let roots = ["lib.rs", "main.rs"].iter().flat_map(|name| self.by_name.get(&(repo, *name))).flatten();
            return self.nearest(from, roots.copied().collect());
        }
        Vec::new()
    }
}

fn child_path(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
