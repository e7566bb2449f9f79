//! Checks the layout of the source: the groups of crates depend on `formats` alone, modules of a crate do not depend on
//! each other in cycles, files are short enough to read, and ARCHITECTURE.md lists every module.

mod graph;
mod map;
mod modules;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use graph::cycles;
use map::{in_backticks, listed_modules};
use modules::{Module, modules};

/// Maximum number of lines of a source file.
const MAX_LINES: usize = 600;

/// The root of the checkout in which the test runs: another one may have compiled it into the same target folder.
#[expect(clippy::disallowed_methods, reason = "cargo says where a test runs through the environment")]
fn root() -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&folder).join("../..")
}

/// Returns the `src` folders of all crates.
fn crates() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for group in ["formats", "pipeline", "query", "tests"] {
        let folder = root().join(group);
        let entries = fs_err::read_dir(&folder).unwrap_or_else(|error| panic!("{error}"));
        for entry in entries {
            let src = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path().join("src");
            if src.is_dir() {
                found.push(src);
            }
        }
    }
    found.sort();
    assert!(found.len() > 15, "{found:?}");
    found
}

/// The crates that a manifest names, optional ones too, with the group of each.
fn dependencies(manifest: &Path, groups: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let text = fs_err::read_to_string(manifest).unwrap_or_else(|error| panic!("{error}"));
    let names = text.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter_map(|name| Some((name.to_owned(), groups.get(name)?.clone()))).collect()
}

#[test]
fn groups_of_crates_depend_on_formats_alone() {
    let text = fs_err::read_to_string(root().join("Cargo.toml")).unwrap_or_else(|error| panic!("{error}"));
    let paths = text.lines().filter_map(|line| line.split_once(" = { path = \""));
    let groups: BTreeMap<String, String> =
        paths.filter_map(|(name, path)| Some((name.to_owned(), path.split_once('/')?.0.to_owned()))).collect();
    let (mut report, mut checked) = (Vec::new(), 0);
    for src in crates() {
        let group = ["formats", "pipeline", "query"].into_iter().find(|group| src.starts_with(root().join(group)));
        let Some(group) = group else { continue };
        for (name, of) in dependencies(&src.with_file_name("Cargo.toml"), &groups) {
            checked += 1;
            if of != group && of != "formats" {
                report.push(format!("{}: {name} is in {of}", src.display()));
            }
        }
    }
    assert!(checked > 50, "{checked} dependencies were found");
    assert!(report.is_empty(), "crates of one group that depend on another one:\n{}", report.join("\n"));
}

#[test]
fn modules_use_each_other_in_one_direction() {
    let mut report = String::new();
    for src in crates() {
        let modules = modules(&src);
        for cycle in cycles(&modules) {
            let names: Vec<&str> = cycle.iter().map(|&module| modules[module].name.as_str()).collect();
            report += &format!("{}: {}\n", src.display(), names.join(" -> "));
            for pair in cycle.windows(2) {
                let uses = &modules[pair[0]].uses;
                let paths: Vec<&str> =
                    uses.iter().filter(|(to, _)| *to == pair[1]).map(|(_, path)| path.as_str()).take(3).collect();
                report += &format!("    {} uses {}\n", modules[pair[0]].name, paths.join(", "));
            }
        }
    }
    assert!(report.is_empty(), "cycles of modules:\n{report}");
}

#[test]
fn source_files_are_short() {
    let mut long = Vec::new();
    for src in crates() {
        for Module { file, lines, .. } in modules(&src) {
            if lines > MAX_LINES {
                long.push(format!("{}: {lines} lines", file.display()));
            }
        }
    }
    assert!(long.is_empty(), "files over {MAX_LINES} lines:\n{}", long.join("\n"));
}

fn architecture() -> String {
    fs_err::read_to_string(root().join("ARCHITECTURE.md")).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the modules of the crate in `src` that the map lacks, and the listed modules that do not exist, one line
/// each.
fn differences(src: &Path, map: &str) -> Vec<String> {
    // `query/search` and `search`.
    let folder: Vec<_> = src.parent().into_iter().flat_map(Path::components).map(|part| part.as_os_str()).collect();
    let folder: Vec<_> = folder.iter().rev().take(2).rev().map(|part| part.to_string_lossy()).collect();
    let (folder, name) = (folder.join("/"), folder.last().map_or("", |name| name));
    let listed = listed_modules(map);
    let Some(listed) = listed.get(name) else {
        return vec![format!("{folder}: no section **`{name}`**")];
    };
    let mut differences = Vec::new();
    for module in modules(src) {
        let path = module.name.replace("::", "/");
        // The root has no name and is not listed.
        if !path.is_empty() && !listed.contains(&path) {
            differences.push(format!("{folder}: `{path}` is missing"));
        }
    }
    for path in listed {
        // Test modules and a program's root may be listed, too.
        if !src.join(format!("{path}.rs")).is_file() && !src.join(path).join("mod.rs").is_file() {
            differences.push(format!("{folder}: `{path}` is listed, but there is no such file"));
        }
    }
    differences
}

#[test]
fn architecture_names_every_module() {
    let map = architecture();
    let tests = root().join("tests");
    let report: Vec<String> =
        crates().iter().filter(|src| !src.starts_with(&tests)).flat_map(|src| differences(src, &map)).collect();
    assert!(report.is_empty(), "the map in ARCHITECTURE.md differs from the source:\n{}", report.join("\n"));
}

#[test]
fn architecture_names_existing_paths() {
    let map = architecture();
    let missing: Vec<&str> = map
        .lines()
        .flat_map(in_backticks)
        .filter(|text| ["formats/", "pipeline/", "query/"].iter().any(|group| text.starts_with(group)))
        .filter(|path| !root().join(path).exists())
        .collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names paths that do not exist: {missing:?}");
}

#[test]
fn a_missing_module_is_reported() {
    let dir = std::env::temp_dir().join(format!("sextant-layout-map-{}", std::process::id()));
    let src = dir.join("query/search/src");
    fs_err::create_dir_all(src.join("rank")).unwrap();
    for (file, text) in
        [("lib.rs", "mod other; mod rank;"), ("other.rs", ""), ("rank/mod.rs", "mod fuse; mod signals;")]
    {
        fs_err::write(src.join(file), text).unwrap();
    }
    for file in ["fuse.rs", "signals.rs"] {
        fs_err::write(src.join("rank").join(file), "").unwrap();
    }
    let map = "**`search`**: a crate, see `other`.\n\n\
        | module | |\n|---|---|\n| `rank`, `rank/fuse` | not `rank/signals` |\n| `gone` | |\n\n\
        **`api`**: another.\n\n| `other` | |\n";
    let found = differences(&src, map);
    let without_section = differences(&src, "# Map\n");
    fs_err::remove_dir_all(&dir).unwrap();
    assert_eq!(
        found,
        [
            "query/search: `other` is missing",
            "query/search: `rank/signals` is missing",
            "query/search: `gone` is listed, but there is no such file"
        ]
    );
    assert_eq!(without_section, ["query/search: no section **`search`**"]);
}

#[test]
fn a_cycle_is_found() {
    let dir = std::env::temp_dir().join(format!("sextant-layout-{}", std::process::id()));
    fs_err::create_dir_all(dir.join("b")).unwrap();
    for (file, text) in [
        ("lib.rs", "mod a; mod b; pub use a::A;"),
        ("a.rs", "pub struct A; fn f() -> crate::b::inner::I { todo() }"),
        ("b/mod.rs", "pub mod inner; fn g() {}"),
        ("b/inner.rs", "pub struct I(crate::A);"),
    ] {
        fs_err::write(dir.join(file), text).unwrap();
    }
    let modules = modules(&dir);
    let found = cycles(&modules);
    let names: Vec<Vec<&str>> =
        found.iter().map(|cycle| cycle.iter().map(|&n| modules[n].name.as_str()).collect()).collect();
    fs_err::remove_dir_all(&dir).unwrap();
    assert_eq!(names, [vec!["a", "b::inner", "a"]]);
}
