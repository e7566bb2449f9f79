//! What the repositories of an index own: names of modules, and the files behind them.
//!
//! Owned are the Python packages next to a project file, the Java packages and Swift modules of the product's sources,
//! and headers and Haskell modules by their names. A name that two repositories own belongs to none.

use rustc_hash::FxHashMap;
use sextant_format::ids::FileId;
use sextant_syntax::language::ModuleSystem;

use crate::model::FileInfo;
use crate::module_path::{MAX_MODULE_FILES, package_folder, swift_module};
use crate::projects::resolve_relative;

/// Files that make a folder the root of a Python project.
const PYTHON_PROJECTS: &[&str] = &["pyproject.toml", "setup.py"];
/// What the repositories of an index own. Empty if there is only one.
#[derive(Default)]
pub(super) struct Owners<'a> {
    /// Any file of each repository and family.
    pub(super) first_files: FxHashMap<(u32, &'static str), FileId>,
    /// The repository and folder of each outermost Python package; `None` if several repositories have it.
    pub(super) python: FxHashMap<&'a str, Option<(u32, &'a str)>>,
    /// The files of each Java package and Swift module, without tests.
    pub(super) packages: FxHashMap<(&'static str, &'a str), Vec<FileId>>,
    /// Headers and Haskell modules by name.
    pub(super) by_name: FxHashMap<&'a str, Vec<FileId>>,
}

impl<'a> Owners<'a> {
    pub(super) fn new(files: &'a [FileInfo], by_path: &FxHashMap<(u32, &'a str), FileId>) -> Self {
        let mut owners = Self::default();
        if files.iter().all(|file| file.repo == files[0].repo) {
            return owners;
        }
        for (id, file) in files.iter().enumerate().filter(|(_, file)| !file.is_test) {
            let id = FileId::at(id);
            let Some(language) = file.language else { continue };
            owners.first_files.entry((file.repo, file.family)).or_insert(id);
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            match language.modules {
                ModuleSystem::Python if name == "__init__.py" => {
                    let (above, package) = folder.rsplit_once('/').unwrap_or(("", folder));
                    if is_python_root(file.repo, above, by_path) {
                        let owner = owners.python.entry(package).or_insert(Some((file.repo, above)));
                        *owner = owner.filter(|&(repo, _)| repo == file.repo);
                    }
                }
                ModuleSystem::Java => owners.add_to_package(file.family, package_folder(folder), id),
                ModuleSystem::Swift if file.path.starts_with("Sources/") || file.path.contains("/Sources/") => {
                    let module = swift_module(&file.path);
                    owners.add_to_package(file.family, module.rsplit('/').next().unwrap_or(module), id);
                }
                ModuleSystem::Haskell => owners.by_name.entry(name).or_default().push(id),
                ModuleSystem::Include if language.links_definitions => {
                    owners.by_name.entry(name).or_default().push(id);
                }
                _ => {}
            }
        }
        owners
    }

    fn add_to_package(&mut self, family: &'static str, package: &'a str, file: FileId) {
        let files = self.packages.entry((family, package)).or_default();
        if files.len() < MAX_MODULE_FILES {
            files.push(file);
        }
    }
}

/// Whether Python packages directly in a folder are those of a project: the folder has a project file, or it is the
/// source folder of one that has.
pub(super) fn is_python_root(repo: u32, folder: &str, by_path: &FxHashMap<(u32, &str), FileId>) -> bool {
    let is_project = |folder: &str| {
        PYTHON_PROJECTS
            .iter()
            .any(|name| resolve_relative(folder, name).is_some_and(|path| by_path.contains_key(&(repo, path.as_str()))))
    };
    is_project(folder) || folder.strip_suffix("src").is_some_and(|above| is_project(above.trim_end_matches('/')))
}
