//! From names of modules to paths without extension, by project files: `paths` of the nearest `tsconfig.json`, packages
//! of the repository and their exports.

use rustc_hash::FxHashMap;
use sextant_syntax::project::ProjectConfig;

/// Longest chain of `extends` that is followed.
const MAX_EXTENDS: usize = 8;

/// Folders of build output, whose sources are in a sibling folder.
const BUILD_OUTPUT_FOLDERS: &[&str] =
    &["dist", "build", "lib", "out", "es", "esm", "cjs", "types", "dist-types", "umd"];

/// Files that name packages.
const MANIFESTS: &[&str] = &["package.json", "go.mod", "Cargo.toml"];

/// The project files of all repositories.
#[derive(Default)]
pub(crate) struct Projects {
    /// By repository and path.
    files: FxHashMap<(u32, String), ProjectConfig>,
    /// Folders of packages by repository, manifest file name and package name.
    packages: FxHashMap<(u32, &'static str, String), String>,
    /// The repository of each package by manifest file name and package name; `None` if several have one of this name.
    owners: FxHashMap<(&'static str, String), Option<u32>>,
}

impl Projects {
    /// Adds a project file. A package of tests is none that other repositories use.
    pub(crate) fn add(&mut self, repo: u32, path: &str, is_test: bool, project: ProjectConfig) {
        let folder = folder(path);
        let manifest = MANIFESTS.iter().find(|manifest| path.rsplit('/').next() == Some(*manifest));
        if let (Some(name), Some(manifest)) = (&project.name, manifest) {
            self.packages.entry((repo, manifest, name.clone())).or_insert_with(|| folder.to_owned());
            if !is_test {
                let owner = self.owners.entry((manifest, name.clone())).or_insert(Some(repo));
                *owner = owner.filter(|owner| *owner == repo);
            }
        }
        self.files.insert((repo, path.to_owned()), project);
    }

    /// A project file.
    pub(crate) fn of_file(&self, repo: u32, path: &str) -> Option<&ProjectConfig> {
        if self.files.is_empty() { None } else { self.files.get(&(repo, path.to_owned())) }
    }

    /// The paths that a module's name in the file `from` may refer to, without extension, most likely first.
    pub(crate) fn paths(&self, repo: u32, from: &str, module: &str) -> Vec<String> {
        let mut found = Vec::new();
        if self.files.is_empty() {
            return found;
        }
        if module.starts_with('#') {
            if let Some((path, package)) = self.nearest(repo, from, &["package.json"]) {
                expand_mapping(&package.path_mappings, module, folder(path), &mut found);
            }
            return found;
        }
        self.tsconfig_paths(repo, from, module, &mut found);
        self.package_paths(repo, module, &mut found);
        found
    }

    /// The entry points of a folder, by its own `package.json`.
    pub(crate) fn folder_entry_points(&self, repo: u32, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(project) = resolve_relative(folder, "package.json").and_then(|path| self.files.get(&(repo, path))) {
            expand_mapping(&project.path_mappings, ".", folder, &mut found);
        }
        found
    }

    /// The nearest file of one of these names, from a file's folder upwards.
    fn nearest<'a>(&'a self, repo: u32, from: &str, names: &[&str]) -> Option<(&'a str, &'a ProjectConfig)> {
        let mut at = folder(from);
        loop {
            for name in names {
                if let Some(((_, path), project)) = self.files.get_key_value(&(repo, resolve_relative(at, name)?)) {
                    return Some((path, project));
                }
            }
            if at.is_empty() {
                return None;
            }
            at = folder(at);
        }
    }

    fn tsconfig_paths(&self, repo: u32, from: &str, module: &str, found: &mut Vec<String>) {
        let Some((path, mut settings)) = self.nearest(repo, from, &["tsconfig.json", "jsconfig.json"]) else { return };
        let mut path = path.to_owned();
        let mut base = None;
        for _ in 0..MAX_EXTENDS {
            let here = settings.base_path.as_deref().and_then(|base| resolve_relative(folder(&path), base));
            if !settings.path_mappings.is_empty() {
                let from = here.as_deref().unwrap_or_else(|| folder(&path));
                expand_mapping(&settings.path_mappings, module, from, found);
            }
            base = base.or(here);
            if !found.is_empty() {
                break;
            }
            let Some(extends) = &settings.extends else { break };
            let Some(mut next) = resolve_relative(folder(&path), extends) else { break };
            if !next.ends_with(".json") {
                next.push_str(".json");
            }
            match self.files.get(&(repo, next.clone())) {
                Some(project) => (path, settings) = (next, project),
                None => break,
            }
        }
        found.extend(base.and_then(|base| resolve_relative(&base, module)));
    }

    /// The folder of the package whose name a module's name begins with, and the rest of the name.
    fn package<'a>(&'a self, repo: u32, manifest: &'static str, module: &'a str) -> Option<(&'a str, &'a str)> {
        let mut end = module.len();
        loop {
            match self.packages.get(&(repo, manifest, module[..end].to_owned())) {
                Some(folder) => return Some((folder, module[end..].trim_start_matches('/'))),
                None => end = module[..end].rfind('/')?,
            }
        }
    }

    /// The packages of the product that manifests name: repository, file name of the manifest, and name.
    pub(crate) fn published(&self) -> impl Iterator<Item = (u32, &'static str, &str)> {
        let is_product = |manifest: &'static str, name: &str| self.owners.contains_key(&(manifest, name.to_owned()));
        self.packages
            .keys()
            .filter(move |(_, manifest, name)| is_product(manifest, name))
            .map(|(repo, manifest, name)| (*repo, *manifest, name.as_str()))
    }

    /// The names by which others import an npm package of a repository: its own, and those of its entry points, in which
    /// `*` stands for any text.
    pub(crate) fn entry_points(&self, repo: u32, package: &str) -> Vec<String> {
        let folder = self.packages.get(&(repo, "package.json", package.to_owned()));
        let manifest = folder.and_then(|folder| resolve_relative(folder, "package.json"));
        let project = manifest.and_then(|path| self.files.get(&(repo, path)));
        let written = project.map_or(&[][..], |project| &project.path_mappings);
        let below = written.iter().filter_map(|(name, _)| name.strip_prefix("./"));
        [package.to_owned()].into_iter().chain(below.map(|name| format!("{package}/{name}"))).collect()
    }

    /// The repository that owns the package whose name a module's name begins with, and the package's name.
    pub(crate) fn owner<'a>(&self, manifest: &'static str, module: &'a str) -> Option<(u32, &'a str)> {
        let mut end = module.len();
        loop {
            match self.owners.get(&(manifest, module[..end].to_owned())) {
                Some(owner) => return owner.map(|repo| (repo, &module[..end])),
                None => end = module[..end].rfind('/')?,
            }
        }
    }

    /// The package that a manifest of this name, in a folder around a file, depends on by a name.
    pub(crate) fn dependency<'a>(&'a self, repo: u32, from: &str, manifest: &str, name: &str) -> Option<&'a str> {
        let mut at = folder(from);
        loop {
            let project = resolve_relative(at, manifest).and_then(|path| self.files.get(&(repo, path)));
            let dependencies = project.map_or(&[][..], |project| &project.dependencies);
            if let Some((_, package)) = dependencies.iter().find(|(local, _)| local == name) {
                return Some(package);
            }
            if at.is_empty() {
                return None;
            }
            at = folder(at);
        }
    }

    /// The folder of a Go package: below the module whose name its path begins with. `Some(None)` if the repository has
    /// modules, but not that one.
    pub(crate) fn go_folder(&self, repo: u32, path: &str) -> Option<Option<String>> {
        if let Some((folder, below)) = self.package(repo, "go.mod", path) {
            return Some(resolve_relative(folder, below));
        }
        let is_module = |(of, path): &&(u32, String)| *of == repo && (path == "go.mod" || path.ends_with("/go.mod"));
        self.files.keys().any(|key| is_module(&key)).then_some(None)
    }

    /// The manifest of the crate that a Rust file belongs to.
    pub(crate) fn enclosing_crate(&self, repo: u32, from: &str) -> Option<&ProjectConfig> {
        self.nearest(repo, from, &["Cargo.toml"]).map(|(_, project)| project)
    }

    /// The folder of the crate that a Rust file belongs to.
    pub(crate) fn crate_folder(&self, repo: u32, from: &str) -> Option<&str> {
        self.nearest(repo, from, &["Cargo.toml"]).map(|(path, _)| folder(path))
    }

    /// Whether the crate that a Rust file belongs to depends on that of another file.
    pub(crate) fn depends_on_crate(&self, from: (u32, &str), other: (u32, &str)) -> bool {
        let crates = self.enclosing_crate(from.0, from.1).zip(self.enclosing_crate(other.0, other.1));
        crates.is_some_and(|(from, other)| {
            let mut packages = from.dependencies.iter().map(|(_, package)| package);
            other.name.as_ref().is_some_and(|name| packages.any(|package| package == name))
        })
    }

    /// The path of the crate root of the repository's library of this name.
    pub(crate) fn crate_root(&self, repo: u32, name: &str) -> Option<String> {
        let folder = self.packages.get(&(repo, "Cargo.toml", name.to_owned()))?;
        let manifest = resolve_relative(folder, "Cargo.toml")?;
        resolve_relative(folder, self.files.get(&(repo, manifest))?.base_path.as_deref()?)
    }

    fn package_paths(&self, repo: u32, module: &str, found: &mut Vec<String>) {
        let Some((package, below)) = self.package(repo, "package.json", module) else { return };
        let entry = if below.is_empty() { ".".to_owned() } else { format!("./{below}") };
        let mut written = Vec::new();
        if let Some(project) = resolve_relative(package, "package.json").and_then(|path| self.files.get(&(repo, path)))
        {
            expand_mapping(&project.path_mappings, &entry, "", &mut written);
        }
        let in_package = |path: &str| resolve_relative(package, path);
        for path in &written {
            found.extend(in_package(path));
            // Build output has its sources in another folder.
            if let Some((_, rest)) = path.split_once('/').filter(|(first, _)| BUILD_OUTPUT_FOLDERS.contains(first)) {
                found.extend(in_package(&format!("src/{rest}")));
                found.extend(in_package(rest));
                // Folders of formats come first: `dist/types/a/index` is of `src/a/index`.
                let inside = rest.match_indices('/').map(|(at, _)| &rest[at + 1..]);
                found.extend(inside.filter_map(|rest| in_package(&format!("src/{rest}"))));
            }
        }
        let rest = if below.is_empty() { "index" } else { below };
        found.extend(
            [format!("src/{rest}"), rest.to_owned(), format!("lib/{rest}")].iter().filter_map(|path| in_package(path)),
        );
    }
}

/// Appends the paths of the mapping's most specific entry for a module, relative to a folder.
fn expand_mapping(maps: &[(String, Vec<String>)], module: &str, folder: &str, found: &mut Vec<String>) {
    let match_entry = |name: &str| match name.split_once('*') {
        None => (name == module).then_some((usize::MAX, "")),
        Some((before, after)) => {
            let inside = module.strip_prefix(before)?.strip_suffix(after)?;
            Some((before.len(), inside))
        }
    };
    let best = maps.iter().filter_map(|(name, targets)| match_entry(name).map(|(len, inside)| (len, inside, targets)));
    if let Some((_, inside, targets)) = best.max_by_key(|(len, ..)| *len) {
        let paths = targets.iter().map(|target| target.replacen('*', inside, 1));
        found.extend(
            paths.filter_map(|path| resolve_relative(folder, &path)).map(|path| without_extension(&path).to_owned()),
        );
    }
}

/// A path without the extension of an ECMAScript module.
pub(crate) fn without_extension(path: &str) -> &str {
    let endings =
        [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte"];
    endings.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path relative to a folder, normalised; `None` if it leads out of the repository.
pub(crate) fn resolve_relative(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = if path.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop().filter(|part| !part.is_empty())?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_syntax::project::parse_project_config;

    fn projects(files: &[(&str, &str)]) -> Projects {
        let mut all = Projects::default();
        for (path, text) in files {
            all.add(0, path, false, parse_project_config(path, text).unwrap());
        }
        all
    }

    #[test]
    fn paths_follow_the_nearest_tsconfig() {
        let all = projects(&[
            (
                "tsconfig.json",
                r#"{"compilerOptions": {"paths": {"@vue/*": ["packages/*/src"], "@vue/a": ["./a/x.ts"]}}}"#,
            ),
            ("app/tsconfig.json", r#"{"extends": "../tsconfig", "compilerOptions": {"baseUrl": "src"}}"#),
        ]);
        assert_eq!(all.paths(0, "packages/b/src/x.ts", "@vue/shared"), ["packages/shared/src"]);
        assert_eq!(all.paths(0, "x.ts", "@vue/a"), ["a/x"]);
        assert_eq!(all.paths(0, "app/src/y.ts", "util/z"), ["app/src/util/z"]);
        assert_eq!(all.paths(0, "app/src/y.ts", "@vue/shared")[0], "packages/shared/src");
        assert_eq!(all.paths(1, "x.ts", "@vue/a"), [""; 0]);
    }

    #[test]
    fn workspace_packages_resolve_to_their_sources() {
        let all = projects(&[
            (
                "packages/a/package.json",
                r#"{"name": "@x/a", "exports": {".": "./dist/index.js", "./*": "./dist/*.js", "./t": "./dist/types/t/index.d.ts"}}"#,
            ),
            ("package.json", r##"{"name": "root", "imports": {"#in/*": "./src/in/*.js"}}"##),
        ]);
        assert_eq!(all.paths(0, "y.ts", "@x/a")[..2], ["packages/a/dist/index", "packages/a/src/index"]);
        assert_eq!(all.paths(0, "y.ts", "@x/a/deep")[1], "packages/a/src/deep");
        let inside = all.paths(0, "y.ts", "@x/a/t");
        let at = |path: &str| inside.iter().position(|found| found == path).unwrap();
        assert!(at("packages/a/src/t/index") < at("packages/a/src/index"), "{inside:?}");
        assert_eq!(all.paths(0, "src/y.ts", "#in/z"), ["src/in/z"]);
        assert!(all.paths(0, "y.ts", "@x/ab").is_empty());
        assert!(all.paths(0, "y.ts", "other").is_empty());
    }

    #[test]
    fn paths_outside_the_repository_are_rejected() {
        assert_eq!(resolve_relative("a/b", "../../c").as_deref(), Some("c"));
        assert_eq!(resolve_relative("a", "../../c"), None);
    }
}
