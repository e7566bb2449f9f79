//! From module names to files of another repository of the index: the one that owns the module.
//!
//! Owned is what a manifest names (`package.json`, `go.mod`, `Cargo.toml`), the namespaces below a root in which most of
//! a repository's files are, and what `owners` knows. Must not know how the definitions of a file are found.

use sextant_format::ids::FileId;
use sextant_syntax::language::ModuleSystem;

use super::{Modules, split};
use crate::model::FileInfo;
use crate::projects::resolve_relative;

/// Folders of a repository whose headers others include by the path below them.
const HEADER_FOLDERS: &[&str] = &["", "include/", "src/", "lib/"];
/// A name with fewer segments says too little about its repository.
const MIN_PACKAGE_SEGMENTS: usize = 2;

impl Modules<'_> {
    /// The files of a module that another repository of the index owns, by its name as an import in `from` writes it.
    pub(super) fn find_elsewhere(&self, from: FileId, module: &str) -> Vec<FileId> {
        let file = &self.files[from.index()];
        let Some(language) = file.language.filter(|_| !self.owners.first_files.is_empty()) else { return Vec::new() };
        match language.modules {
            ModuleSystem::Python => self.python_elsewhere(file, module),
            ModuleSystem::EcmaScript => self.ecma_elsewhere(file, module).unwrap_or_default(),
            ModuleSystem::Go => self.go_elsewhere(file, module).unwrap_or_default(),
            ModuleSystem::Java => self.package_elsewhere(file, module),
            ModuleSystem::Swift => {
                self.only_other_repository(file, self.owners.packages.get(&(file.family, module)).into_iter().flatten())
            }
            ModuleSystem::Haskell => {
                let segments = split(module, '.');
                let Some(name) = segments.last().filter(|_| segments.len() >= MIN_PACKAGE_SEGMENTS) else {
                    return Vec::new();
                };
                let path = segments.join("/");
                let below = path.strip_suffix(name).unwrap_or("").trim_end_matches('/');
                self.named_elsewhere(file, &format!("{name}.hs"), |folder| {
                    // Folders of modules begin with a capital: a module inside of another has a longer name.
                    folder.strip_suffix(below).is_some_and(|above| {
                        above.is_empty() || above.ends_with('/') && !last_folder(above).starts_with(char::is_uppercase)
                    })
                })
            }
            ModuleSystem::Include if language.links_definitions => {
                let name = module.rsplit('/').next().unwrap_or(module);
                let below = module.strip_suffix(name).unwrap_or("").trim_end_matches('/');
                self.named_elsewhere(file, name, |folder| {
                    HEADER_FOLDERS.iter().any(|above| format!("{above}{below}").trim_end_matches('/') == folder)
                })
            }
            ModuleSystem::Namespaces | ModuleSystem::QualifiedNames => self.namespaces.files_elsewhere(file, module),
            // A Rust path needs more than the files: see `rust_module`.
            ModuleSystem::Rust | ModuleSystem::Include | ModuleSystem::None => Vec::new(),
        }
    }

    /// The file of a module below the folder of its outermost package.
    fn python_elsewhere(&self, from: &FileInfo, module: &str) -> Vec<FileId> {
        let first = module.split('.').next().unwrap_or(module);
        let Some(Some((repo, folder))) = self.owners.python.get(first).copied() else { return Vec::new() };
        let Some(path) = resolve_relative(folder, &module.replace('.', "/")).filter(|_| repo != from.repo) else {
            return Vec::new();
        };
        let paths = [format!("{path}/__init__.py"), format!("{path}.py")];
        paths.iter().find_map(|path| self.by_path.get(&(repo, path.as_str()))).copied().into_iter().collect()
    }

    /// The module of a package that the importing one depends on.
    fn ecma_elsewhere(&self, from: &FileInfo, module: &str) -> Option<Vec<FileId>> {
        let (repo, name) = self.projects.owner("package.json", module)?;
        let depends =
            repo != from.repo && self.projects.dependency(from.repo, &from.path, "package.json", name).is_some();
        let there = *self.owners.first_files.get(&(repo, from.family)).filter(|_| depends)?;
        let paths = self.projects.paths(repo, "", module);
        paths.iter().map(|path| self.ecma_files_at(there, path)).find(|found| !found.is_empty())
    }

    fn go_elsewhere(&self, from: &FileInfo, path: &str) -> Option<Vec<FileId>> {
        let (repo, _) = self.projects.owner("go.mod", path)?;
        let there = *self.owners.first_files.get(&(repo, from.family)).filter(|_| repo != from.repo)?;
        // The tests of a package are no part of it for others.
        Some(self.go(there, path).into_iter().filter(|id| !self.files[id.index()].is_test).collect())
    }

    /// The files of a class, or of a package. The last segments may be a member or a nested type.
    fn package_elsewhere(&self, from: &FileInfo, module: &str) -> Vec<FileId> {
        let mut segments = split(module, '.');
        let is_wildcard = segments.last() == Some(&"*");
        if is_wildcard {
            segments.pop();
        }
        for end in (1..=segments.len()).rev() {
            let package = segments[..end].join("/");
            let Some(files) = self.owners.packages.get(&(from.family, package.as_str())) else { continue };
            let stem = |id: &&FileId| self.files[id.index()].module_segments().last().copied();
            let named: Vec<FileId> =
                files.iter().filter(|id| stem(id) == segments.get(end).copied()).copied().collect();
            if named.is_empty() && end < MIN_PACKAGE_SEGMENTS {
                break;
            }
            // A file need not be named after its definitions.
            return self.only_other_repository(from, if named.is_empty() { files } else { &named });
        }
        Vec::new()
    }

    /// The files of a name whose folder fits.
    fn named_elsewhere(&self, from: &FileInfo, name: &str, fits: impl Fn(&str) -> bool) -> Vec<FileId> {
        let named = self.owners.by_name.get(name).into_iter().flatten();
        let fitting: Vec<FileId> = named
            .copied()
            .filter(|id| fits(self.files[id.index()].path.rsplit_once('/').map_or("", |(folder, _)| folder)))
            .collect();
        self.only_other_repository(from, &fitting)
    }

    /// Some files, if all are in one repository and it is not that of the importing file.
    fn only_other_repository<'i>(&self, from: &FileInfo, files: impl IntoIterator<Item = &'i FileId>) -> Vec<FileId> {
        let files: Vec<FileId> = files.into_iter().copied().collect();
        let repo = |id: &FileId| self.files[id.index()].repo;
        let is_one = files.iter().all(|id| repo(id) == repo(&files[0]) && repo(id) != from.repo);
        if is_one { files } else { Vec::new() }
    }
}

/// The name of the last folder of a path that ends with a slash.
fn last_folder(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or("")
}
