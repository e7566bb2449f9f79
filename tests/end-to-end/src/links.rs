//! Links between indexes: names that code of one index uses under the name of a package, and their definitions in another.

use serde_json::Value;

use crate::harness::Dir;

/// Pairs of repositories that were indexed apart: a library that exports its names through other modules, and its user.
const LIBRARIES: &[(&str, &str, &str)] = &[
    (
        "python",
        "//- /pyproject.toml
[project]
name = \"kit\"
//- /src/kit/__init__.py
from .store import Store as Store, open_store
//- /src/kit/store.py
class Store:
    def read(self):
        return load(self)

def open_store():
    return Store()

def load(store):
    return store
//- /src/kit/deep/__init__.py
//- /src/kit/deep/tools.py
def polish():
    return 1
",
        "//- /main.py
import kit
from kit import Store
from kit.deep.tools import polish

def run(store: Store):
    kit.open_store()
    polish()
    return store.read()

def start():
    run(None)
",
    ),
    (
        "go",
        "//- /go.mod
module example.com/kit/v2
//- /store.go
package kit

type Store struct{}

func (s *Store) Read() int { return load() }

func OpenStore() *Store { return &Store{} }

func load() int { return 1 }
//- /tools/polish.go
package tools

func Polish() {}
",
        "//- /go.mod
module example.com/app
//- /main.go
package main

import (
\t\"example.com/kit/v2\"
\t\"example.com/kit/v2/tools\"
)

func run(store *kit.Store) int {
\tkit.OpenStore()
\ttools.Polish()
\treturn store.Read()
}

func start() { run(nil) }
",
    ),
    (
        "typescript",
        "//- /package.json
{\"name\": \"@x/kit\", \"exports\": {\".\": \"./dist/index.js\", \"./deep/*\": \"./dist/deep/*.js\"}}
//- /src/index.ts
export * from './store'
//- /src/store.ts
export class Store {
  read() { return load() }
}
export function openStore() { return new Store() }
function load() { return 1 }
//- /src/deep/tools.ts
export function polish() {}
",
        "//- /main.ts
import { Store, openStore } from '@x/kit'
import { polish } from '@x/kit/deep/tools'

export function run(store: Store) {
  openStore()
  polish()
  return store.read()
}

function start() { run(undefined) }
",
    ),
    (
        "rust",
        "//- /Cargo.toml
[package]
name = \"my-kit\"
//- /src/lib.rs
mod store;
pub mod tools;
pub use store::{Store, open_store};
//- /src/store.rs
pub struct Store;
impl Store {
    pub fn read(&self) -> u32 { load() }
}
pub fn open_store() -> Store { Store }
fn load() -> u32 { 1 }
//- /src/tools.rs
pub fn polish() {}
",
        "//- /Cargo.toml
[package]
name = \"app\"
[dependencies]
my-kit = \"1\"
//- /src/main.rs
use my_kit::Store;
use my_kit::tools::polish;

fn run(store: &Store) -> u32 {
    my_kit::open_store();
    polish();
    store.read()
}

fn start() { run(&my_kit::Store); }
",
    ),
    (
        "java",
        "//- /src/main/java/com/kit/Store.java
package com.kit;
public class Store {
    public int read() { return load(); }
    public static Store openStore() { return new Store(); }
    private static int load() { return 1; }
}
//- /src/main/java/com/kit/tools/Tools.java
package com.kit.tools;
public class Tools {
    public static void polish() {}
}
",
        "//- /src/main/java/com/app/Main.java
package com.app;
import com.kit.Store;
import com.kit.tools.Tools;
class Main {
    int run(Store store) {
        Store.openStore();
        Tools.polish();
        return store.read();
    }
    int start() { return run(null); }
}
",
    ),
];

/// Indexes a library and its user, apart.
fn pair(library: &str, user: &str) -> Dir {
    let dir = Dir::empty();
    dir.tree("kit", library);
    dir.tree("app", user);
    for name in ["kit", "app"] {
        dir.index_cmd(&["build", name, "-o", &format!("indexes/{name}"), "--model", "none"]).run().code(0);
    }
    dir
}

fn ask(dir: &Dir, args: &[&str], indexes: &[&str]) -> Value {
    let folders: Vec<String> = indexes.iter().map(|index| format!("indexes/{index}")).collect();
    let flags = folders.iter().flat_map(|folder| ["--index", folder]);
    let args: Vec<&str> = args.iter().copied().chain(flags).chain(["--format", "json"]).collect();
    dir.cmd(&args).run().code(0).json()
}

/// The answer of one index of several.
fn answer_of<'a>(answer: &'a Value, index: &str) -> &'a Value {
    let answers = answer["indexes"].as_array().unwrap();
    &answers.iter().find(|answer| answer["index"] == index).unwrap()["answer"]
}

/// The names of results.
fn names(answer: &Value, list: &str) -> Vec<String> {
    let results = answer[list].as_array().into_iter().flatten();
    results.map(|result| result["name"].as_str().unwrap().to_lowercase().replace('_', "")).collect()
}

#[test]
fn callers_callees_impact_and_paths_cross_from_one_index_to_another() {
    for (language, library, user) in LIBRARIES {
        let dir = pair(library, user);
        let both = &["kit", "app"];
        let method = if *language == "go" { "Store.Read" } else { "Store.read" };
        let function = if language.starts_with(['p', 'r']) { "open_store" } else { "openStore" };
        let polish = if *language == "go" { "Polish" } else { "polish" };
        for name in [method, function, polish] {
            let callers = ask(&dir, &["callers", name], both);
            let callers = answer_of(&callers, "app");
            assert_eq!(names(callers, "results"), ["run"], "{language} {name}: {callers}");
            assert!(callers["externals"][0]["definition"].is_string(), "{language} {name}: {callers}");
            assert_eq!(callers["results"][0]["via"], callers["externals"][0]["definition"], "{language}: {callers}");
        }
        let impact = ask(&dir, &["impact", method], both);
        assert_eq!(names(answer_of(&impact, "app"), "results"), ["run", "start"], "{language}: {impact}");
        let callees = ask(&dir, &["callees", "run"], both);
        let mut found = names(answer_of(&callees, "app"), "results");
        found.sort_unstable();
        assert_eq!(found, ["openstore", "polish", "read"], "{language}: {callees}");
        let path = ask(&dir, &["path", "start", "load"], both);
        let path = answer_of(&path, "app");
        assert_eq!(names(path, "steps"), ["start", "run", "read", "load"], "{language}: {path}");
        let uses = ask(&dir, &["references", method], both);
        let uses = answer_of(&uses, "app");
        assert_eq!(uses["externals"][0]["uses"].as_array().unwrap().len(), 1, "{language}: {uses}");
        assert!(uses["externals"][0]["external"]["definition"].as_str().unwrap().starts_with("kit/"), "{uses}");
    }
}

#[test]
fn definitions_are_found_by_the_name_under_which_others_import_them() {
    let full_names = [
        ("python", "kit.Store", "src/kit/store.py"),
        ("python", "kit.deep.tools.polish", "src/kit/deep/tools.py"),
        ("go", "example.com/kit/v2.OpenStore", "store.go"),
        ("go", "example.com/kit/v2/tools.Polish", "tools/polish.go"),
        ("typescript", "@x/kit.Store.read", "src/store.ts"),
        ("typescript", "@x/kit/deep/tools.polish", "src/deep/tools.ts"),
        ("rust", "my_kit::open_store", "src/store.rs"),
        ("java", "com.kit.tools.Tools.polish", "src/main/java/com/kit/tools/Tools.java"),
    ];
    for (language, library, user) in LIBRARIES {
        let dir = pair(library, user);
        for (_, name, path) in full_names.iter().filter(|(of, ..)| of == language) {
            let found = ask(&dir, &["definition", name], &["kit"]);
            assert_eq!(found["results"][0]["path"], *path, "{name}: {found}");
        }
    }
}

#[test]
fn what_two_indexes_publish_is_a_guess_and_what_others_call_the_same_is_no_link() {
    let (_, library, user) = LIBRARIES[0];
    let dir = pair(library, user);
    dir.tree("fork", library);
    // A function of the same name in a package that nobody imports.
    dir.tree("other", "//- /pyproject.toml\n[project]\n//- /tools/__init__.py\ndef polish():\n    return 2\n");
    for name in ["fork", "other"] {
        dir.index_cmd(&["build", name, "-o", &format!("indexes/{name}"), "--model", "none"]).run().code(0);
    }
    let callers = |flags: &[&str], indexes: &[&str]| {
        let answer = ask(&dir, &[&["callers", "polish"], flags].concat(), indexes);
        let results = answer_of(&answer, "app")["results"].as_array().cloned().unwrap_or_default();
        results.iter().map(|result| result["confidence"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(callers(&[], &["kit", "app", "other"]).len(), 1);
    // Either of two: below the default confidence.
    let certain = callers(&[], &["kit", "app"])[0];
    let guessed = callers(&["--min-confidence", "0"], &["kit", "fork", "app"]);
    assert!(guessed.len() == 1 && (guessed[0] - certain / 2.0).abs() < 1e-6, "{guessed:?}");
    let folders = ["--index", "indexes/kit", "--index", "indexes/fork", "--index", "indexes/app"];
    let output = dir.cmd(&[&["callers", "polish"], folders.as_slice()].concat()).run();
    assert!(!output.stdout.contains("function run"), "{}", output.all());
    // The library that nobody imports has no callers, although a function of this name is called.
    let other = ask(&dir, &["definition", "polish"], &["other", "app"]);
    let key = answer_of(&other, "other")["results"][0]["key"].as_str().unwrap().to_owned();
    let folders = ["--index", "indexes/other", "--index", "indexes/app"];
    let output = dir.cmd(&[&["callers", &key], folders.as_slice()].concat()).run();
    assert!(!output.stdout.contains("function run"), "{}", output.all());
}

#[test]
fn an_index_whose_definitions_others_cannot_find_says_so() {
    let (_, _, user) = LIBRARIES[0];
    let dir = pair("//- /lib.c\nint polish(void) { return 1; }\n", user);
    let folders = ["--index", "indexes/kit", "--index", "indexes/app"];
    for command in ["callers", "references"] {
        let output = dir.cmd(&[&[command, "polish"], folders.as_slice()].concat()).run();
        assert!(output.stderr.contains("the other indexes were not searched"), "{}", output.all());
    }
}

#[test]
fn links_survive_a_pack_and_need_no_build_together() {
    let (_, library, user) = LIBRARIES[2];
    let dir = pair(library, user);
    for name in ["kit", "app"] {
        let (index, pack) = (format!("indexes/{name}"), format!("{name}.sxt"));
        dir.index_cmd(&["pack", &index, "-o", &pack, "--profile", "query"]).run().code(0);
        dir.cmd(&["pull", &pack, "-o", &format!("indexes/pulled-{name}")]).run().code(0);
    }
    let callers = ask(&dir, &["callers", "Store.read"], &["pulled-kit", "pulled-app"]);
    assert_eq!(names(answer_of(&callers, "pulled-app"), "results"), ["run"], "{callers}");
}
