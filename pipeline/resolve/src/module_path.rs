//! Names of modules and packages: those of files by their paths, and what imports make of them.

use sextant_syntax::language::{Language, ModuleSystem};

/// Folders of a Rust package in which every file is a crate.
pub(crate) const OWN_CRATE_FOLDERS: &[&str] = &["tests", "benches", "examples"];

/// Most files of one module: a Go package, a Java package.
pub(crate) const MAX_MODULE_FILES: usize = 256;

/// The segments of a file's path as a module: without extension, and without the stem where it is one of the
/// language's folder stems (`index`, `__init__`, `mod`).
pub(crate) fn module_segments<'a>(path: &'a str, language: Option<&Language>) -> Vec<&'a str> {
    let mut segments: Vec<&str> = path.split('/').collect();
    if let Some(last) = segments.pop() {
        let stem = last.strip_suffix(".d.ts").unwrap_or_else(|| last.rsplit_once('.').map_or(last, |(stem, _)| stem));
        if !language.is_some_and(|language| language.folder_stems.contains(&stem)) {
            segments.push(stem);
        }
    }
    segments
}

/// The folder of a Swift file's module: the one directly below `Sources` or `Tests`, else the outermost.
pub(crate) fn swift_module(path: &str) -> &str {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut end = 0;
    let mut is_next = false;
    for part in folder.split('/') {
        end += part.len();
        if is_next {
            return &folder[..end];
        }
        is_next = matches!(part, "Sources" | "Tests");
        end += 1;
    }
    folder.split('/').next().unwrap_or(folder)
}

/// Source folders below `src/main` and `src/test`. A package may have files in several of them.
const SOURCE_ROOTS: &[&str] = &["java", "kotlin", "scala", "groovy"];

/// The part of a folder below its source folder, which is the package; the whole folder where it is in none.
pub(crate) fn package_folder(folder: &str) -> &str {
    let mut from = 0;
    let mut below_source = folder;
    let parts: Vec<&str> = folder.split('/').collect();
    for (n, part) in parts.iter().enumerate() {
        from += part.len() + 1;
        if n >= 2 && parts[n - 2] == "src" && SOURCE_ROOTS.contains(part) {
            return folder.get(from..).unwrap_or("");
        }
        // `src/a/b`, `test/src/a/b`, `src-jvm/a/b`. What is in the folder itself has no package.
        if *part == "src" || part.starts_with("src-") {
            below_source = folder.get(from..).filter(|package| !package.is_empty()).unwrap_or(folder);
        }
    }
    below_source
}

/// The name that a whole-module import binds where it has no alias.
pub(crate) fn bound_name(name: &str, rule: ModuleSystem) -> &str {
    match rule {
        ModuleSystem::Java => name.rsplit('.').next().unwrap_or(name),
        ModuleSystem::Go => assumed_package_name(name),
        ModuleSystem::Namespaces | ModuleSystem::QualifiedNames => name.rsplit(['.', '\\']).next().unwrap_or(name),
        _ => name,
    }
}

/// The first segment of the path of a module.
pub(crate) fn path_root(name: &str) -> Option<&str> {
    name.split_once('.').map(|(first, _)| first)
}

/// The name that the Go package at an import path has by convention. A major version at the end of the path is not the
/// name; neither is a prefix `go-`, nor anything from the first character on that an identifier cannot have. The rule is
/// that of `goimports` (`ImportPathToAssumedName` in golang.org/x/tools).
fn assumed_package_name(path: &str) -> &str {
    let is_version = |segment: &str| {
        segment.strip_prefix('v').is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut segments = path.rsplit('/');
    let last = segments.next().unwrap_or(path);
    let name = segments.next().filter(|_| is_version(last)).unwrap_or(last);
    let name = name.strip_prefix("go-").unwrap_or(name);
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
    &name[..end]
}

#[cfg(test)]
mod tests {
    use super::assumed_package_name;

    #[test]
    fn packages_are_named_by_their_path() {
        for (path, expected) in [
            ("fmt", "fmt"),
            ("net/http", "http"),
            ("github.com/caddyserver/caddy/v2", "caddy"),
            ("github.com/caddyserver/caddy/v2/internal", "internal"),
            ("gopkg.in/yaml.v3", "yaml"),
            ("github.com/mattn/go-sqlite3", "sqlite3"),
            ("example.com/v", "v"),
            ("v2", "v2"),
        ] {
            assert_eq!(assumed_package_name(path), expected, "{path}");
        }
    }
}
