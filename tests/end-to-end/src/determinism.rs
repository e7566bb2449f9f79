//! Equal files give an equal index, for any number of threads, at any path, at any time.

use std::collections::BTreeMap;

use sextant_format::digest;

use crate::harness::{Dir, POLYGLOT, Seeded, files};
use crate::tables::Tables;

/// Names of parts whose bytes must be equal. The LanceDB table and the text index give their files random names; the
/// content id covers their rows.
const SAME_BYTES: &[&str] = &[
    "files.parquet",
    "directory.parquet",
    "segments/000000/chunks.parquet",
    "segments/000000/symbols.parquet",
    "segments/000000/edges.parquet",
    "skipped.parquet",
    "segments/000000/vectors.i8",
    "graph.arrow",
    "file_uses.arrow",
    "model/model.json",
    "model/table.i8",
    "model/tokenizer.json",
];

/// Returns a tree of files that use each other, some of which cannot be indexed.
fn tree() -> Vec<(String, String)> {
    let mut seeded = Seeded(0x5e_87a7);
    let mut tree: Vec<(String, String)> = Vec::new();
    for (path, text) in files(POLYGLOT) {
        tree.push((path.to_owned(), text.to_owned()));
    }
    for n in 0..60 {
        let (a, b) = (seeded.below(60), seeded.below(60));
        let text = format!(
            "from pkg.m{a} import f{a}\n\n\nclass C{n}(C{b}):\n    \"\"\"Number {n}.\"\"\"\n\n    def go(self):\n        return f{a}() + g{b}() + self.go()\n\n\ndef f{n}():\n    return {n}\n\n\ndef shared():\n    return f{b}()\n"
        );
        tree.push((format!("pkg/m{n}.py"), text));
    }
    tree.push(("trouble/a.bin".to_owned(), "a\0b".to_owned()));
    tree.push(("trouble/b.js".to_owned(), "x=1;".repeat(5000)));
    tree
}

/// Returns the content id of an index and the digests of its parts.
fn identity(dir: &Dir, index: &str) -> (String, BTreeMap<&'static str, String>) {
    let generation = Tables::open(&dir.path(index)).generation;
    // An index without edges has no table of edges.
    let digest =
        |part| digest::hash_file(&generation.path(part)).map_or_else(|_| String::new(), |(digest, _)| digest.to_hex());
    assert!(generation.path("graph.arrow").exists());
    (generation.manifest().content_id.clone(), SAME_BYTES.iter().map(|part| (*part, digest(*part))).collect())
}

fn build(dir: &Dir, source: &str, index: &str, args: &[&str]) {
    dir.index_cmd(&[&["build", source, "-o", index, "--quiet"], args].concat()).run().code(0);
}

#[test]
fn threads_do_not_matter() {
    let dir = Dir::empty();
    tree().into_iter().for_each(|(path, text)| drop(dir.write(&format!("src/{path}"), text)));
    build(&dir, "src", "one", &["--threads", "1"]);
    let one = identity(&dir, "one");
    for threads in ["2", "8"] {
        build(&dir, "src", threads, &["--threads", threads]);
        assert_eq!(identity(&dir, threads), one, "{threads} threads");
    }
    // A rebuild of an existing index does not change it, either.
    build(&dir, "src", "one", &["--threads", "3"]);
    assert_eq!(identity(&dir, "one"), one);
}

#[test]
fn the_path_and_the_order_of_creation_do_not_matter() {
    let dir = Dir::empty();
    let mut tree = tree();
    for (path, text) in &tree {
        dir.write(&format!("src/{path}"), text);
    }
    build(&dir, "src", "here", &[]);
    // In reverse order, in another, deeper folder, and with an absolute path.
    tree.reverse();
    for (path, text) in &tree {
        dir.write(&format!("some/where else/src/{path}"), text);
    }
    build(&dir, dir.path("some/where else/src").to_str().unwrap(), "there", &[]);
    assert_eq!(identity(&dir, "here"), identity(&dir, "there"));
}

#[test]
fn names_contents_and_settings_change_the_content_id() {
    let dir = Dir::with("//- /a.py\nx = 1\n//- /b.py\ny = 1\n");
    let mut ids = Vec::new();
    let mut note = |args: &[&str]| {
        build(&dir, args[0], "index", &args[1..]);
        ids.push(Tables::open(&dir.index()).generation.manifest().content_id.clone());
    };
    note(&["src"]);
    note(&["other=src"]);
    note(&["src", "--model", "none"]);
    note(&["src", "--exclude", "b.py"]);
    note(&["src", "--max-file-bytes", "1000"]);
    dir.rename("src/b.py", "src/c.py");
    note(&["src"]);
    dir.write("src/c.py", "y = 2\n");
    note(&["src"]);
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn a_commit_is_recorded_and_does_not_count() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    build(&dir, "src", "plain", &[]);
    let commit = "0123456789abcdef0123456789abcdef01234567";
    dir.write("src/.git/HEAD", "ref: refs/heads/main\n");
    dir.write("src/.git/refs/heads/main", format!("{commit}\n"));
    build(&dir, "src", "checkout", &[]);
    let (plain, checkout) = (Tables::open(&dir.path("plain")), Tables::open(&dir.path("checkout")));
    assert_eq!(plain.generation.manifest().repositories[0].commit, None);
    assert_eq!(checkout.generation.manifest().repositories[0].commit.as_deref(), Some(commit));
    assert_eq!(plain.generation.manifest().content_id, checkout.generation.manifest().content_id);
}

#[test]
fn ignore_files_outside_of_the_tree_do_not_count() {
    let fixture = "//- /a.py\nx = 1\n//- /b.py\ny = 1\n";
    let dir = Dir::with(fixture);
    build(&dir, "src", "plain", &[]);
    let plain = identity(&dir, "plain");
    // An ignore file in a folder above it, such as a home folder under version control.
    dir.tree("below/src", fixture);
    dir.write("below/.gitignore", "*.py\n");
    build(&dir, "below/src", "below-index", &[]);
    assert_eq!(identity(&dir, "below-index"), plain, "an ignore file above the folder counts");
}

#[test]
fn the_users_own_git_settings_do_not_count() {
    let dir = Dir::with("//- /a.py\nx = 1\n//- /b.py\ny = 1\n");
    build(&dir, "src", "plain", &[]);
    let plain = identity(&dir, "plain");
    dir.write("home/.config/git/ignore", "*.py\n");
    build(&dir, "src", "ignoring", &[]);
    assert_eq!(identity(&dir, "ignoring"), plain, "~/.config/git/ignore counts");
}
