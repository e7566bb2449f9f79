//! From module names in imports to files: those of the same repository by paths, project files and namespaces, else
//! those of the repository of the index that owns the module.

mod dependencies;
mod owners;
mod published;
mod rust;
mod rust_imports;

use rustc_hash::FxHashMap;
use sextant_format::ids::FileId;
use sextant_syntax::language::ModuleSystem;

use crate::interner::NameInterner;
use crate::model::FileInfo;
use crate::module_path::{MAX_MODULE_FILES, swift_module};
use crate::namespaces::Namespaces;
use crate::projects::{self, Projects};
use owners::Owners;

/// Names of source folders between a package's folder and its modules.
const SOURCE_FOLDERS: &[&str] = &["src", "lib"];

/// Files by the names that imports use.
pub(crate) struct Modules<'a> {
    files: &'a [FileInfo],
    projects: &'a Projects,
    /// Files by repository, family and last segment.
    by_last_segment: FxHashMap<(u32, &'static str, &'a str), Vec<FileId>>,
    /// Files by repository, family and last segment of their folder.
    by_folder: FxHashMap<(u32, &'static str, &'a str), Vec<FileId>>,
    /// Files by repository and name with extension.
    by_name: FxHashMap<(u32, &'a str), Vec<FileId>>,
    /// Files by repository and path.
    by_path: FxHashMap<(u32, &'a str), FileId>,
    /// Files by repository and Swift module.
    by_module: FxHashMap<(u32, &'a str), Vec<FileId>>,
    namespaces: &'a Namespaces,
    owners: Owners<'a>,
    /// Rust modules whose file an attribute names, by the file that declares them and their name.
    path_modules: FxHashMap<(FileId, &'a str), FileId>,
    /// What Rust files import, by file and local name.
    uses: FxHashMap<(FileId, &'a str), rust_imports::Use<'a>>,
    /// The paths of the modules all of whose names the Rust files import.
    globs: FxHashMap<FileId, Vec<&'a str>>,
}

impl<'a> Modules<'a> {
    pub(crate) fn new(
        files: &'a [FileInfo],
        names: &'a NameInterner,
        projects: &'a Projects,
        namespaces: &'a Namespaces,
    ) -> Self {
        let (mut by_last_segment, mut by_folder) = (FxHashMap::default(), FxHashMap::default());
        let mut by_name: FxHashMap<_, Vec<FileId>> = FxHashMap::default();
        let mut by_path = FxHashMap::default();
        let mut by_module: FxHashMap<_, Vec<FileId>> = FxHashMap::default();
        for (id, file) in files.iter().enumerate().filter(|(_, file)| file.language.is_some()) {
            let id = FileId::at(id);
            // The module of the repository's root has no segment.
            let last = file.module_segments().last().copied().unwrap_or("");
            by_last_segment.entry((file.repo, file.family, last)).or_insert_with(Vec::new).push(id);
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let folder = folder.rsplit('/').next().unwrap_or("");
            by_folder.entry((file.repo, file.family, folder)).or_insert_with(Vec::new).push(id);
            by_name.entry((file.repo, name)).or_default().push(id);
            by_path.insert((file.repo, file.path.as_str()), id);
            if file.language.is_some_and(|language| language.modules == ModuleSystem::Swift) {
                let module = swift_module(&file.path).rsplit('/').next().unwrap_or("");
                let files = by_module.entry((file.repo, module)).or_default();
                if files.len() < MAX_MODULE_FILES {
                    files.push(id);
                }
            }
        }
        let owners = Owners::new(files, &by_path);
        let path_modules = rust_imports::path_modules(files, names, &by_path);
        let (uses, globs) = (rust_imports::uses(files, names), rust_imports::globs(files, names));
        Self {
            files,
            projects,
            by_last_segment,
            by_folder,
            by_name,
            by_path,
            by_module,
            namespaces,
            owners,
            path_modules,
            uses,
            globs,
        }
    }

    /// The files of a module, by its name as an import in the file `from` writes it. Empty for modules outside of the
    /// index.
    pub(crate) fn find(&self, from: FileId, module: &str) -> Vec<FileId> {
        let found = self.find_here(from, module);
        if found.is_empty() { self.find_elsewhere(from, module) } else { found }
    }

    /// The files of a module of the same repository. Rust paths lead to crates of other repositories, too.
    fn find_here(&self, from: FileId, module: &str) -> Vec<FileId> {
        let file = &self.files[from.index()];
        let Some(language) = file.language else { return Vec::new() };
        match language.modules {
            ModuleSystem::None => Vec::new(),
            ModuleSystem::Python => self.python(from, module),
            ModuleSystem::EcmaScript => self.ecma(from, module),
            ModuleSystem::Go => self.go(from, module),
            ModuleSystem::Java => self.java(from, module),
            ModuleSystem::Haskell => self.nearest_with_suffix(from, &split(module, '.')),
            ModuleSystem::Rust => self.rust(from, module),
            ModuleSystem::Include => self.include(from, module),
            ModuleSystem::Swift => self.by_module.get(&(file.repo, module)).cloned().unwrap_or_default(),
            ModuleSystem::Namespaces | ModuleSystem::QualifiedNames => self.namespaces.files(file, module),
        }
    }

    fn python(&self, from: FileId, module: &str) -> Vec<FileId> {
        let dots = module.len() - module.trim_start_matches('.').len();
        let segments = split(module.trim_start_matches('.'), '.');
        if dots == 0 {
            // Absolute names do not start inside of a package.
            let mut found = self.with_suffix(from, &segments);
            found.retain(|&id| !self.is_package(from, &self.files[id.index()].module_segments(), segments.len()));
            return self.nearest(from, found);
        }
        let mut path: Vec<&str> = self.files[from.index()].path.split('/').collect();
        path.truncate(path.len().saturating_sub(dots));
        path.extend(segments);
        self.exact(from, &path)
    }

    fn ecma(&self, from: FileId, module: &str) -> Vec<FileId> {
        let file = &self.files[from.index()];
        let files_at = |path: &str| self.ecma_files_at(from, path);
        if module.starts_with('.') {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let path = projects::resolve_relative(folder, projects::without_extension(module));
            let Some(path) = path else { return Vec::new() };
            let found = files_at(&path);
            if !found.is_empty() {
                return found;
            }
            let entries = self.projects.folder_entry_points(file.repo, &path);
            return entries.iter().map(|path| files_at(path)).find(|found| !found.is_empty()).unwrap_or_default();
        }
        let configured = self.projects.paths(file.repo, &file.path, module);
        let found = configured.iter().map(|path| files_at(path)).find(|found| !found.is_empty());
        let below = module.strip_prefix("@/").or_else(|| module.strip_prefix("~/"));
        let by_convention =
            || below.map(|below| self.nearest_with_suffix(from, &split(projects::without_extension(below), '/')));
        found.or_else(by_convention).unwrap_or_default()
    }

    /// The files of a module by its path in the repository of a file.
    fn ecma_files_at(&self, from: FileId, path: &str) -> Vec<FileId> {
        let language = self.files[from.index()].language;
        let mut segments = split(path, '/');
        if segments.last().is_some_and(|last| language.is_some_and(|language| language.folder_stems.contains(last))) {
            segments.pop();
        }
        self.exact(from, &segments)
    }

    fn go(&self, from: FileId, path: &str) -> Vec<FileId> {
        let file = &self.files[from.index()];
        let Some(folder) = self.projects.go_folder(file.repo, path) else {
            return self.files_in_folder(from, &split(path, '/'), 2);
        };
        let Some(folder) = folder else { return Vec::new() };
        let last = folder.rsplit('/').next().unwrap_or("");
        let inside = self.by_folder.get(&(file.repo, file.family, last)).into_iter().flatten().copied();
        let is_there = |id: &FileId| {
            let path = &self.files[id.index()].path;
            path.rsplit_once('/').map_or("", |(folder, _)| folder) == folder
        };
        inside.filter(is_there).take(MAX_MODULE_FILES).collect()
    }

    fn java(&self, from: FileId, module: &str) -> Vec<FileId> {
        let mut segments = split(module, '.');
        if segments.last() == Some(&"*") {
            segments.pop();
            return self.files_in_folder(from, &segments, segments.len());
        }
        // The last segments may be a member or a nested type.
        while segments.len() > 1 {
            let found = self.nearest_with_suffix(from, &segments);
            if !found.is_empty() {
                return found;
            }
            segments.pop();
        }
        // A file need not be named after its definitions: all files of the package.
        let mut package = split(module, '.');
        package.pop();
        self.files_in_folder(from, &package, package.len().max(2))
    }

    fn include(&self, from: FileId, path: &str) -> Vec<FileId> {
        // What a variable or a command stands for is not known: `"$ROOT/lib/a.sh"` ends with `lib/a.sh`.
        let known = path.rfind('$').and_then(|at| path[at..].split_once('/')).map_or(path, |(_, rest)| rest);
        let parts = known.trim_end_matches('"').split('/');
        let wanted: Vec<&str> = parts.filter(|part| !matches!(*part, "." | ".." | "")).collect();
        let Some(&name) = wanted.last() else { return Vec::new() };
        let file = &self.files[from.index()];
        // Where the extension is left out, it is that of the file, or another one of the language. In C++, `<string>` has
        // none.
        let own = file.path.rsplit_once('.').map(|(_, extension)| extension);
        let language = file.language.filter(|language| !language.links_definitions && !name.contains('.'));
        let others = language.map_or(&[][..], |language| language.extensions).iter().copied();
        let extended = own.into_iter().chain(others).map(|extension| format!("{name}.{extension}"));
        // A build writes `a.h` from `a.h.in`.
        let template = file.language.is_some_and(|language| language.links_definitions).then(|| format!("{name}.in"));
        for name in std::iter::once(name.to_owned()).chain(extended).chain(template) {
            let name = name.as_str();
            let found = self.by_name.get(&(file.repo, name)).into_iter().flatten().copied().filter(|&id| {
                let folder = self.files[id.index()].path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let above = &wanted[..wanted.len() - 1];
                above.is_empty() || folder.split('/').collect::<Vec<_>>().ends_with(above)
            });
            let found = self.nearest(from, self.served(from, found.collect(), wanted.len()));
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Of headers that an include may name, those of folders that serve the including file. A folder of headers serves what
    /// stands beside it and below: `tools/include` is for `tools`, and `include` for everybody. If none serves it, the
    /// headers are alternatives, as for several machines, and a copy elsewhere is none of them: those below the folder
    /// with the most, without those of a folder that repeats the layout around it for itself (`tools/arch/arm/...` beside
    /// `arch/arm/...`). Tests' own headers are for tests. The last `length` parts of a header's path are those of the include.
    fn served(&self, from: FileId, mut found: Vec<FileId>, length: usize) -> Vec<FileId> {
        let here = &self.files[from.index()].path;
        let serves = |&id: &FileId| {
            let parts: Vec<&str> = self.files[id.index()].path.split('/').collect();
            // Without the include's own parts, and the folder of headers itself.
            let around = parts.len().saturating_sub(length + 1);
            here.split('/').take(around).eq(parts[..around].iter().copied())
        };
        if found.iter().any(serves) {
            found.retain(serves);
            return found;
        }
        if !self.files[from.index()].is_test {
            found.retain(|id| !self.files[id.index()].is_test);
        }
        let path = |id: &FileId| self.files[id.index()].path.as_str();
        let is_copy = |id: &FileId| {
            let around = found.iter().filter_map(|other| path(id).strip_suffix(path(other)));
            around.filter(|around| around.ends_with('/')).any(|around| !here.starts_with(around))
        };
        let found: Vec<FileId> = found.iter().copied().filter(|id| !is_copy(id)).collect();
        let outermost = |id: &FileId| path(id).split('/').next().unwrap_or("");
        let count = |id: &FileId| found.iter().filter(|other| outermost(other) == outermost(id)).count();
        let most = found.iter().map(count).max().unwrap_or(0);
        found.iter().copied().filter(|id| count(id) == most).collect()
    }

    /// Files whose module path is this one.
    fn exact(&self, from: FileId, path: &[&str]) -> Vec<FileId> {
        self.with_last_segment(from, path)
            .into_iter()
            .filter(|&id| self.files[id.index()].module_segments() == path)
            .collect()
    }

    /// Whether the folder above the last segments of a path contains an `__init__.py`.
    fn is_package(&self, from: FileId, path: &[&str], last: usize) -> bool {
        let above = &path[..path.len().saturating_sub(last)];
        let is_init = |id: &FileId| self.files[id.index()].path.ends_with("/__init__.py");
        !above.is_empty() && self.exact(from, above).iter().any(is_init)
    }

    /// The nearest files whose module path ends with these segments.
    fn nearest_with_suffix(&self, from: FileId, segments: &[&str]) -> Vec<FileId> {
        self.nearest(from, self.with_suffix(from, segments))
    }

    /// The files whose module path ends with these segments.
    fn with_suffix(&self, from: FileId, segments: &[&str]) -> Vec<FileId> {
        let found = self.with_last_segment(from, segments).into_iter().filter(|&id| {
            let path: Vec<&str> = self.files[id.index()].module_segments();
            path.ends_with(segments) || {
                let plain: Vec<&str> = path.into_iter().filter(|part| !SOURCE_FOLDERS.contains(part)).collect();
                plain.ends_with(segments)
            }
        });
        found.collect()
    }

    /// The files whose last segment is the last of these.
    fn with_last_segment(&self, from: FileId, segments: &[&str]) -> Vec<FileId> {
        let file = &self.files[from.index()];
        let last = segments.last().copied().unwrap_or("");
        self.by_last_segment.get(&(file.repo, file.family, last)).cloned().unwrap_or_default()
    }

    /// The files of the folder whose path ends with the most of these segments: at least `min_segments` of them, or
    /// all where there are fewer.
    fn files_in_folder(&self, from: FileId, segments: &[&str], min_segments: usize) -> Vec<FileId> {
        let file = &self.files[from.index()];
        let Some(last) = segments.last() else { return Vec::new() };
        let mut best = (min_segments.min(segments.len()).max(1), Vec::new());
        for &id in self.by_folder.get(&(file.repo, file.family, *last)).into_iter().flatten() {
            let path = &self.files[id.index()].path;
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let common = folder.rsplit('/').zip(segments.iter().rev()).take_while(|(a, b)| a == *b).count();
            if common > best.0 {
                best = (common, vec![id]);
            } else if common == best.0 && best.1.len() < MAX_MODULE_FILES {
                best.1.push(id);
            }
        }
        best.1
    }

    /// Those of several files that share the longest path with the importing file.
    fn nearest(&self, from: FileId, mut found: Vec<FileId>) -> Vec<FileId> {
        if found.len() > 1 {
            let here = &self.files[from.index()].path;
            let shared = |id: FileId| {
                here.split('/').zip(self.files[id.index()].path.split('/')).take_while(|(a, b)| a == b).count()
            };
            let max_shared = found.iter().map(|&id| shared(id)).max().unwrap_or(0);
            found.retain(|&id| shared(id) == max_shared);
            found.truncate(MAX_MODULE_FILES);
        }
        found
    }
}

fn split(text: &str, separator: char) -> Vec<&str> {
    text.split(separator).filter(|part| !part.is_empty()).collect()
}
