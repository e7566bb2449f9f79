//! Requests: every command's response matches its schema and the contents of the fixture.

use serde_json::{Value, json};

use crate::harness::Dir;
use crate::program::Output;

const PROJECT: &str = "
//- /src/pool.py
\"\"\"Pools of connections.\"\"\"

import threading


class Pool:
    \"\"\"Lends connections and takes them back.\"\"\"

    def __init__(self, size):
        self.size = size
        self.lock = threading.Lock()

    def acquire(self):
        \"\"\"Lends a connection, and waits while there is none.\"\"\"
        with self.lock:
            return self.grow()

    def grow(self):
        return connect(\"x\")


def connect(url):
    # TODO: retry with back-off
    return url
//- /src/app.py
from src.pool import Pool, connect


def main():
    pool = Pool(3)

    return handle(pool)


def handle(pool):
    return pool.acquire() or connect(\"y\")
//- /tests/test_app.py
from src.app import handle
from src.pool import Pool


def test_handle():
    assert handle(Pool(1)) == \"x\"
//- /docs/guide.md
# Guide

Connections are lent by a pool.
";

/// Runs a command on the index with JSON output.
fn ask(dir: &Dir, args: &[&str]) -> Output {
    dir.cmd(&[&[args[0], "--index", "index", "--format", "json"], &args[1..]].concat()).run()
}

/// Every request, with parameters that find something.
const FOUND: &[&[&str]] = &[
    &["search", "--explain", "--", "how are connections lent"],
    &["search", "--", "Pool.acquire"],
    &["explore", "--", "how are connections lent"],
    &["hybrid-search", "--no-live", "--", "how are connections lent"],
    &["definition", "Pool.acquire"],
    &["references", "connect"],
    &["symbols", "Po"],
    &["hover", "Pool"],
    &["callers", "connect", "--depth", "3"],
    &["callees", "main"],
    &["impact", "Pool"],
    &["affected", "connect"],
    &["path", "main", "connect"],
    &["related", "Pool"],
    &["outline", "src/pool.py"],
    &["show", "Pool.acquire"],
    &["grep", "TODO|retry"],
    &["context", "src/app.py", "--depth", "2"],
    &["map"],
    &["vectors", "nearest", "pools of connections"],
    &["stats"],
];

/// Asserts that a value matches a schema: types, required fields, and no unknown fields.
pub(crate) fn matches_schema(root: &Value, schema: &Value, value: &Value, place: &str) {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return matches_schema(root, root.pointer(reference.strip_prefix('#').unwrap()).unwrap(), value, place);
    }
    if let Some(alternatives) = schema.get("anyOf").and_then(Value::as_array) {
        let is_null = |schema: &Value| schema["type"] == "null";
        let alternative = alternatives.iter().find(|schema| is_null(schema) == value.is_null());
        return matches_schema(root, alternative.unwrap_or_else(|| panic!("{place}: {value}")), value, place);
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        other => panic!("{place}: the schema's type is {other}"),
    };
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    assert!(kinds.iter().any(|kind| is(kind)), "{place}: {value} is none of {kinds:?}");
    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
        matches_schema(root, &schema["items"], item, &format!("{place}[{n}]"));
    }
    let Some(object) = value.as_object() else { return };
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(object.contains_key(name.as_str().unwrap()), "{place}: there is no {name}");
    }
    for (name, inner) in object {
        let place = format!("{place}.{name}");
        match (schema["properties"].get(name), schema.get("additionalProperties")) {
            (Some(schema), _) | (None, Some(schema @ Value::Object(_))) => matches_schema(root, schema, inner, &place),
            _ => panic!("{place} is not in the schema"),
        }
    }
}

#[test]
fn every_response_matches_its_schema() {
    let dir = Dir::indexed(PROJECT);
    let schemas = dir.cmd(&["schema"]).run().code(0).json();
    for args in FOUND {
        let answer = ask(&dir, args).code(0).json();
        let schema = &schemas[args[0]]["answer"];
        matches_schema(schema, schema, &answer, args[0]);
        // The text output is not empty, either.
        let text = dir.cmd(&[&[args[0], "--index", "index"], &args[1..]].concat()).run().code(0);
        assert!(text.stdout.len() > 10 && text.stdout.ends_with('\n'), "{}", text.all());
    }
    let asked: std::collections::BTreeSet<&str> = FOUND.iter().map(|args| args[0]).collect();
    for name in schemas.as_object().unwrap().keys() {
        // The fixture has no duplicates and no endpoints, and `review` reads a diff: `vectors.rs` and `endpoints.rs` ask.
        let is_asked_there = matches!(name.as_str(), "duplicates" | "review" | "endpoints");
        assert!(asked.contains(name.as_str()) || is_asked_there, "no test asks {name}");
    }
}

#[test]
fn the_json_page_is_current() {
    let dir = Dir::empty();
    let page = dir.cmd(&["schema", "--markdown"]).run().code(0).stdout;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md");
    let hint = "run 'sextant schema --markdown > docs/json.md'";
    assert!(fs_err::read_to_string(path).unwrap() == page, "docs/json.md differs from the program's output: {hint}");
}

#[test]
fn references_have_locations_and_lines() {
    let dir = Dir::indexed(PROJECT);
    let answer = ask(&dir, &["references", "connect"]).code(0).json();
    let uses = answer["results"][0]["uses"].as_array().unwrap();
    let told: Vec<String> = uses
        .iter()
        .map(|u| {
            format!(
                "{}:{} {} {}",
                u["path"].as_str().unwrap(),
                u["start_line"],
                u["kind"].as_str().unwrap(),
                u["text"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "src/app.py:1 import from src.pool import Pool, connect",
            "src/app.py:11 call return pool.acquire() or connect(\"y\")",
            "src/pool.py:19 call return connect(\"x\")",
        ]
    );
    assert_eq!(answer["results"][0]["total"], 3);
    let calls = ask(&dir, &["references", "connect", "--kind", "call", "--limit", "1"]).code(0).json();
    assert_eq!((calls["results"][0]["uses"].as_array().unwrap().len(), &calls["truncated"]), (1, &json!(true)));
    ask(&dir, &["references", "nothing_at_all"]).code(1);
    ask(&dir, &["references", "connect", "--kind", "nonsense"]).code(2);
}

#[test]
fn source_is_returned_unchanged() {
    let dir = Dir::indexed(PROJECT);
    for path in ["src/pool.py", "src/app.py", "tests/test_app.py"] {
        let shown = ask(&dir, &["show", path]).code(0).json();
        let source = fs_err::read_to_string(dir.path(&format!("src/{path}"))).unwrap();
        assert_eq!(shown["results"][0]["text"].as_str().unwrap(), source.trim_end(), "{path}");
    }
    let lines = ask(&dir, &["show", "src/app.py:4-5"]).code(0).json();
    assert_eq!(lines["results"][0]["text"], "def main():\n    pool = Pool(3)");
    let symbol = ask(&dir, &["show", "Pool.grow", "--context", "1"]).code(0).json();
    assert_eq!(symbol["results"][0]["text"], "\n    def grow(self):\n        return connect(\"x\")\n");
    for nothing in ["src/none.py", "src/none.py:3", "no_such_name", "4000000000"] {
        ask(&dir, &["show", nothing]).code(1);
    }
}

#[test]
fn grep_finds_lines() {
    let dir = Dir::indexed(PROJECT);
    let lines = |args: &[&str]| -> Vec<String> {
        let answer = ask(&dir, &[&["grep"], args].concat());
        assert!(answer.code == Some(0) || answer.code == Some(1), "{}", answer.all());
        let files = answer.json()["results"].as_array().unwrap().clone();
        let in_file = |file: &Value| {
            let path = file["path"].as_str().unwrap().to_owned();
            file["lines"]
                .as_array()
                .unwrap()
                .iter()
                .map(|l| format!("{path}:{}:{}", l["line"], l["column"]))
                .collect::<Vec<_>>()
        };
        files.iter().flat_map(in_file).collect()
    };
    assert_eq!(lines(&["^class \\w+"]), ["src/pool.py:6:0"]);
    // Methods are chunks inside the chunk of their type, and still have the line numbers of the file.
    assert_eq!(
        lines(&["return"]),
        ["src/app.py:7:4", "src/app.py:11:4", "src/pool.py:16:12", "src/pool.py:19:8", "src/pool.py:24:4"]
    );
    assert_eq!(lines(&["-F", "self.grow()"]), ["src/pool.py:16:19"]);
    assert_eq!(lines(&["-i", "todo"]), ["src/pool.py:23:6"]);
    assert_eq!(lines(&["-w", "Poo"]), Vec::<String>::new());
    assert_eq!(lines(&["Pool", "--path", "tests/**"]), ["tests/test_app.py:2:21", "tests/test_app.py:6:18"]);
    assert_eq!(lines(&["pool", "--language", "markdown"]), ["docs/guide.md:3:26"]);
    let cut = ask(&dir, &["grep", "return", "--limit", "2"]).code(0).json();
    assert_eq!((&cut["lines"], &cut["files"]), (&json!(5), &json!(2)));
    ask(&dir, &["grep", "("]).failed(&["cannot be understood"]);
    ask(&dir, &["grep", ""]).failed(&["empty"]);
    ask(&dir, &["grep", "(((((x{1000}){1000}){1000}){1000}){1000})"]).code(2);
}

#[test]
fn symbols_are_found_by_a_part_of_their_name() {
    let dir = Dir::indexed(PROJECT);
    let names = |args: &[&str]| -> Vec<String> {
        let answer = ask(&dir, &[&["symbols"], args].concat()).json();
        answer["results"].as_array().unwrap().iter().map(|d| d["qualified_name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&["Po", "--kind", "class"]), ["Pool"]);
    assert_eq!(names(&["Pool.g"]), ["Pool.grow"]);
    assert_eq!(names(&["nnec"]), ["connect"]);
    assert_eq!(names(&["aquire"]), ["Pool.acquire"]);
    assert_eq!(names(&["handle", "--path", "tests/**"]), Vec::<String>::new());
    assert!(names(&["zzzzzzzz"]).is_empty());
}

#[test]
fn hover_describes_a_symbol() {
    let dir = Dir::indexed(PROJECT);
    let answer = ask(&dir, &["hover", "Pool"]).code(0).json();
    let hover = &answer["results"][0];
    assert_eq!(hover["doc"], "Lends connections and takes them back.");
    assert_eq!((&hover["language"], &hover["kind"]), (&json!("python"), &json!("class")));
    let members: Vec<&str> = hover["members"].as_array().unwrap().iter().filter_map(|m| m["name"].as_str()).collect();
    assert!(members.contains(&"acquire") && members.contains(&"grow"), "{members:?}");
    assert!(hover["callers"].as_u64().unwrap() >= 2);
}

#[test]
fn context_lists_imports_and_importers_of_a_file() {
    let dir = Dir::indexed(PROJECT);
    let answer = ask(&dir, &["context", "app.py"]).code(0).json();
    let file = &answer["file"];
    assert_eq!((&file["path"], &file["imports"]), (&json!("src/app.py"), &json!(["src/pool.py"])));
    assert_eq!(file["imported_by"], json!(["tests/test_app.py"]));
    let handle = file["symbols"].as_array().unwrap().iter().find(|s| s["name"] == "handle").unwrap();
    let calls: Vec<&str> =
        handle["calls"].as_array().unwrap().iter().filter_map(|c| c["qualified_name"].as_str()).collect();
    // The type of the receiver of `acquire` is unknown: that a method has the name is no evidence.
    assert_eq!(calls, ["connect"]);
    let pool = ask(&dir, &["context", "src/pool.py"]).code(0).json();
    let init = pool["file"]["symbols"].as_array().unwrap().iter().find(|s| s["name"] == "__init__").unwrap().clone();
    assert!(init["unresolved_names"].to_string().contains("Lock"), "{init}");
    for detail in ["brief", "detailed", "tree"] {
        let text =
            dir.cmd(&["context", "--index", "index", "src/app.py", "--detail", detail, "--depth", "2"]).run().code(0);
        assert!(text.stdout.contains("handle"), "{}", text.all());
    }
    assert_eq!(ask(&dir, &["context", "none.py"]).code(1).json()["file"], Value::Null);
}

#[test]
fn explore_keeps_to_its_budget() {
    let dir = Dir::indexed(PROJECT);
    let whole = dir.cmd(&["explore", "--index", "index", "--", "how are connections lent"]).run().code(0);
    for word in ["Pool.acquire", "def acquire", "relevant files"] {
        assert!(whole.stdout.contains(word), "no {word} in {}", whole.all());
    }
    for tokens in [20, 60, 200] {
        let args =
            ["explore", "--index", "index", "--max-tokens", &tokens.to_string(), "--", "how are connections lent"];
        let cut = dir.cmd(&args).run().code(0);
        assert!(cut.stdout.len() <= tokens * 4, "{} bytes for {tokens} tokens", cut.stdout.len());
    }
}

#[test]
fn a_map_has_modules_and_their_edges() {
    let dir = Dir::indexed(PROJECT);
    let map = ask(&dir, &["map"]).code(0).json();
    let paths: Vec<&str> = map["modules"].as_array().unwrap().iter().filter_map(|m| m["path"].as_str()).collect();
    assert_eq!(paths, ["src", "docs", "tests"]);
    let joined = |from: &str, to: &str| {
        map["connections"].as_array().unwrap().iter().any(|c| c["from"] == from && c["to"] == to)
    };
    assert!(joined("tests", "src") && !joined("src", "tests"), "{map}");
    for (draw, begins) in [("mermaid", "flowchart TD\n"), ("dot", "digraph sextant {\n"), ("svg", "<svg ")] {
        let drawn = dir.cmd(&["map", "--index", "index", "--draw", draw]).run().code(0);
        assert!(drawn.stdout.starts_with(begins) && drawn.stdout.contains("src"), "{}", drawn.all());
    }
    // The path may begin with the repository's name, as it does in responses about several repositories.
    for folder in ["docs", "./docs/", "src/docs"] {
        let one = ask(&dir, &["map", folder]).code(0).json();
        assert_eq!(
            (one["modules"].as_array().unwrap().len(), &one["modules"][0]["path"]),
            (1, &json!("docs")),
            "{folder}"
        );
    }
    ask(&dir, &["map", "no/such/folder"]).failed(&["no file below"]);
}

#[test]
fn several_indexes_are_searched_together() {
    let dir = Dir::indexed(PROJECT);
    dir.tree("other", "//- /store.go\npackage store\n\n// Flush writes what is waiting to the disk.\nfunc Flush() error {\n\treturn nil\n}\n");
    dir.index_cmd(&["build", "other", "-o", "second/index"]).run().code(0);
    let both = |args: &[&str]| {
        let asked =
            [&[args[0], "--index", "index", "--index", "second/index", "--format", "json"], &args[1..]].concat();
        dir.cmd(&asked).run().code(0).json()
    };
    let found = both(&["search", "--", "write what is waiting to the disk"]);
    assert_eq!(
        (&found["results"][0]["qualified_name"], &found["results"][0]["index"]),
        (&json!("Flush"), &json!("second"))
    );
    let other = both(&["search", "--", "lends a connection and waits"]);
    assert_eq!(other["results"][0]["path"], "src/pool.py");
    let answers = both(&["definition", "Flush"]);
    // The index that has nothing is left out.
    assert_eq!((&answers["asked"], answers["indexes"].as_array().unwrap().len()), (&json!(2), 1));
    assert_eq!(answers["indexes"][0]["answer"]["results"][0]["path"], "store.go");
    // What fits one of them is answered by that one, with all tokens.
    let explored = both(&["explore", "--", "what writes what is waiting to the disk"]);
    assert_eq!(explored["indexes"][0]["index"], "second", "{explored}");
    assert_eq!(explored["indexes"][0]["answer"]["entries"][0]["qualified_name"], "Flush");
    let lines = both(&["grep", "return", "--limit", "2"]);
    let shown = |index: &serde_json::Value| index["answer"]["results"].as_array().unwrap().len();
    assert_eq!(lines["indexes"].as_array().unwrap().iter().map(shown).sum::<usize>(), 2, "{lines}");
    dir.cmd(&["verify", "--index", "index", "--index", "second/index"]).run().failed(&["one index"]);
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let dir = Dir::empty();
    dir.cmd(&["manual", "man"]).run().code(0);
    let pages = dir.names("man");
    assert!(pages.contains(&"sextant.1".to_owned()) && pages.contains(&"sextant-search.1".to_owned()), "{pages:?}");
}
