//! The layout of the source: modules of a crate use each other in one direction, and files stay short enough to read.

mod graph;
mod modules;

use std::path::{Path, PathBuf};

use graph::cycles;
use modules::{Module, modules};

/// Lines of a source file at most.
const MAX_LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The `src` folders of all crates.
fn crates() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for group in ["formats", "pipeline", "query", "tests"] {
        for entry in std::fs::read_dir(root().join(group)).unwrap() {
            let src = entry.unwrap().path().join("src");
            if src.is_dir() {
                found.push(src);
            }
        }
    }
    found.sort();
    assert!(found.len() > 15, "{found:?}");
    found
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
    assert!(report.is_empty(), "modules in circles:\n{report}");
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

#[test]
fn a_cycle_is_found() {
    let dir = std::env::temp_dir().join(format!("sextant-layout-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("b")).unwrap();
    for (file, text) in [
        ("lib.rs", "mod a; mod b; pub use a::A;"),
        ("a.rs", "pub struct A; fn f() -> crate::b::inner::I { todo() }"),
        ("b/mod.rs", "pub mod inner; fn g() {}"),
        ("b/inner.rs", "pub struct I(crate::A);"),
    ] {
        std::fs::write(dir.join(file), text).unwrap();
    }
    let modules = modules(&dir);
    let found = cycles(&modules);
    let names: Vec<Vec<&str>> =
        found.iter().map(|cycle| cycle.iter().map(|&n| modules[n].name.as_str()).collect()).collect();
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!(names, [vec!["a", "b::inner", "a"]]);
}
