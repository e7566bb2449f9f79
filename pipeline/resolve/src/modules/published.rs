//! What repositories publish: the names by which code elsewhere imports their modules, and where these are.

use rustc_hash::FxHashMap;
use sextant_format::ids::FileId;
use sextant_format::manifest::Package;
use sextant_syntax::language::ModuleSystem;

use super::Modules;
use super::owners::is_python_root;
use crate::model::FileInfo;
use crate::module_path::package_folder;

impl Modules<'_> {
    /// What repositories publish, by the number of the repository, in ascending order.
    pub(crate) fn published(&self) -> Vec<(u32, Package)> {
        let mut found: Vec<(u32, Package)> = Vec::new();
        let mut add = |repo: u32, family: &str, name: &str, path: &str| {
            let (family, name, path) = (family.to_owned(), name.to_owned(), path.to_owned());
            found.push((repo, Package { family, name, path }));
        };
        // A file of each repository that may import ECMAScript modules.
        let mut importers: FxHashMap<u32, FileId> = FxHashMap::default();
        for (id, file) in self.files.iter().enumerate().filter(|(_, file)| !file.is_test) {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            match file.language.map(|language| language.modules) {
                Some(ModuleSystem::Python) => {
                    if let Some(package) = self.python_package(file) {
                        add(file.repo, file.family, package, &file.path);
                    }
                }
                Some(ModuleSystem::Java) => {
                    let root = folder.strip_suffix(package_folder(folder)).unwrap_or(folder).trim_end_matches('/');
                    add(file.repo, file.family, "", root);
                }
                Some(ModuleSystem::EcmaScript) => {
                    importers.entry(file.repo).or_insert(FileId::at(id));
                }
                _ => {}
            }
        }
        for (repo, manifest, name) in self.projects.published() {
            match manifest {
                "go.mod" => {
                    if let Some(Some(folder)) = self.projects.go_folder(repo, name) {
                        add(repo, "go", name, &folder);
                    }
                }
                "Cargo.toml" => {
                    let root = self.projects.crate_root(repo, name);
                    if let Some(root) = root.filter(|root| self.by_path.contains_key(&(repo, root.as_str()))) {
                        add(repo, "rust", name, &root);
                    }
                }
                _ => {
                    let Some(&there) = importers.get(&repo) else { continue };
                    for module in self.projects.entry_points(repo, name) {
                        let paths = self.projects.paths(repo, "", &module);
                        if module.contains('*') {
                            let has_files = |path: &&String| {
                                path.split_once('*').is_some_and(|(folder, _)| self.has_files(repo, folder))
                            };
                            if let Some(path) = paths.iter().find(has_files) {
                                add(repo, "ecma", &module, path);
                            }
                            continue;
                        }
                        let files = paths.iter().map(|path| self.ecma_files_at(there, path));
                        if let Some(&file) = files.into_iter().find(|files| !files.is_empty()).iter().flatten().next() {
                            add(repo, "ecma", &module, &self.files[file.index()].path);
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a repository has ECMAScript modules whose paths begin with a text.
    fn has_files(&self, repo: u32, prefix: &str) -> bool {
        let is_module =
            |file: &FileInfo| file.language.is_some_and(|language| language.modules == ModuleSystem::EcmaScript);
        self.files.iter().any(|file| file.repo == repo && file.path.starts_with(prefix) && is_module(file))
    }

    /// The name of the outermost Python package whose `__init__.py` a file is.
    fn python_package<'f>(&self, file: &'f FileInfo) -> Option<&'f str> {
        let folder = file.path.strip_suffix("/__init__.py")?;
        let (above, package) = folder.rsplit_once('/').unwrap_or(("", folder));
        is_python_root(file.repo, above, &self.by_path).then_some(package)
    }
}
