//! Keys of symbols and chunks: commands accept what answers print, and a key means the same after the next build.

use serde_json::Value;

use crate::harness::Dir;

const PROJECT: &str = "//- /store.rs
//! Stores things.
use std::fmt;

pub struct Store;
impl Store {
    pub fn get(&self) -> u32 {
        1
    }
}
impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
pub fn read_all(store: &Store) -> u32 {
    store.get()
}
//- /notes.md
# Notes
## How to: read a store
Call `get`.
";

/// A long function with two blocks.
fn long_function() -> String {
    let mut text = "fn sweep_everything(limit: u32) -> u32 {\n    let mut total = 0;\n".to_owned();
    for name in ["first", "second"] {
        text += &format!("    for {name} in 0..limit {{\n");
        for n in 0..60 {
            text += &format!("        total += {name} * {n};\n");
        }
        text += "    }\n";
    }
    text + "    total\n}\n"
}

fn json(dir: &Dir, args: &[&str]) -> Value {
    let output = dir.cmd(&[&args[..1], &["--index", "index", "--format", "json"], &args[1..]].concat()).run();
    serde_json::from_str(output.code(0).stdout.lines().next().unwrap()).unwrap()
}

/// Every `key` in an answer.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str() {
                    Some(key) if name == "key" => found.push(key.to_owned()),
                    _ => keys(value, found),
                }
            }
        }
        _ => {}
    }
}

/// The text that `show` prints for a key.
fn shown(dir: &Dir, key: &str) -> String {
    let answer = json(dir, &["show", key]);
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{key} shows {answer}");
    results[0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_key_names_one_symbol_or_chunk_in_every_build() {
    let dir = Dir::with(PROJECT);
    dir.write("src/sweep.rs", long_function());
    dir.build(&["src"]).code(0);
    let mut found = Vec::new();
    for query in ["store get", "read a store", "sweep second limit", "use std fmt", "Debug fmt"] {
        keys(&json(&dir, &["search", "--min-score", "0", "--", query]), &mut found);
    }
    for name in ["Store", "get", "fmt", "read_all", "sweep_everything"] {
        keys(&json(&dir, &["symbols", name]), &mut found);
    }
    found.sort();
    found.dedup();
    for key in ["src/store.rs:Store::fmt~1", "src/store.rs:Store::fmt~2", "src/store.rs:Store::get"] {
        assert!(found.iter().any(|found| found == key), "{key} in {found:?}");
    }
    for part in ["src/sweep.rs:sweep_everything@", "src/store.rs@", "src/notes.md:"] {
        assert!(found.iter().any(|key| key.starts_with(part)), "{part} in {found:?}");
    }
    let before: Vec<String> = found.iter().map(|key| shown(&dir, key)).collect();

    // Rows move: a file comes before the others, and lines before what is named.
    dir.write("src/a_first.rs", "pub fn get() {}\npub struct Store;\n");
    for path in ["store.rs", "sweep.rs"] {
        let text = fs_err::read_to_string(dir.path(&format!("src/{path}"))).unwrap();
        dir.write(&format!("src/{path}"), format!("{text}\npub fn added_after() {{}}\n"));
    }
    dir.build(&["src"]).code(0);
    for (key, before) in found.iter().zip(before) {
        assert_eq!(shown(&dir, key), before, "{key}");
    }
    let answer = json(&dir, &["callers", "src/store.rs:Store::get"]);
    assert_eq!(answer["results"][0]["key"], "src/store.rs:read_all", "{answer}");
    assert_eq!(answer["results"][0]["via"], "src/store.rs:Store::get", "{answer}");
}

#[test]
fn a_key_of_several_names_all_and_a_wrong_one_none() {
    let dir = Dir::indexed(PROJECT);
    let both = json(&dir, &["definition", "src/store.rs:Store::fmt"]);
    assert_eq!(both["results"].as_array().unwrap().len(), 2, "{both}");
    for nothing in ["src/store.rs:Store::fmt~3", "src/store.rs:Store::get@7", "src/none.rs@0", "src/store.rs@99"] {
        dir.cmd(&["show", nothing, "--index", "index"]).run().code(1);
    }
}
