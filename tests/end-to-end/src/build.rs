//! `sextant-index build`: its output, the files that it selects, and what it publishes.

use crate::harness::{Dir, POLYGLOT};
use crate::serve::Mcp;
use crate::tables::Tables;

const SMALL: &str = "
//- /main.py
def main():
    return 1
//- /README.md
# Title

Text.
";

#[test]
fn a_build_reports_on_standard_error_only() {
    let dir = Dir::with(SMALL);
    let output = dir.build(&["src"]).code(0);
    assert_eq!(output.stdout, "");
    insta::with_settings!({filters => vec![(r"in \d+\.\d s", "in [TIME]"), (r"gen-000001-[0-9a-f]{12}", "[GEN]")]}, {
        insta::assert_snapshot!(output.stderr.replace('\\', "/"), @r"
        2 files, 5 lines: 2 chunks, 4 symbols, 0 edges, 0 vectors in [TIME]
        published index/[GEN]
        ");
    });
    dir.assert_whole();
}

#[test]
fn json_events_are_lines_with_a_summary_at_the_end() {
    let dir = Dir::with(SMALL);
    dir.write("src/data.bin", b"a\0b");
    let output = dir.build(&["src", "--json"]).code(0);
    assert_eq!(output.stderr, "");
    let events = output.json_lines();
    assert!(events.iter().all(|event| event["schema_version"] == 1 && event["type"].is_string()), "{}", output.all());
    let stages: Vec<_> = events.iter().filter(|event| event["type"] == "stage").map(|event| &event["name"]).collect();
    assert_eq!(stages.first().and_then(|name| name.as_str()), Some("walk"));
    assert_eq!(stages.last().and_then(|name| name.as_str()), Some("publish"));
    let skipped = events.iter().find(|event| event["type"] == "skipped").unwrap();
    assert_eq!((&skipped["path"], &skipped["reason"]), (&"data.bin".into(), &"binary".into()));
    let summary = events.last().unwrap();
    assert_eq!(summary["type"], "summary");
    assert_eq!(summary["files"], 2);
    assert_eq!(summary["skipped"]["binary"], 1);
    assert_eq!(summary["generation"].as_str(), dir.generation().file_name().and_then(|name| name.to_str()));
    let tables = Tables::open(&dir.index());
    assert_eq!(summary["content_id"], tables.generation.manifest().content_id.as_str());
    for (field, rows) in [
        ("chunks", tables.chunks.len()),
        ("symbols", tables.symbols.len()),
        ("edges", tables.edges.len()),
        ("vectors", tables.generation.vectors().unwrap().unwrap().rows()),
    ] {
        assert_eq!(summary[field], rows, "{field}");
    }
}

#[test]
fn quiet_is_silent() {
    let dir = Dir::with(SMALL);
    let output = dir.build(&["src", "--quiet"]).code(0);
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("", ""));
    dir.index_cmd(&["build", "src", "--json", "--quiet"]).run().code(2);
}

#[test]
fn several_repositories_share_one_index() {
    let dir = Dir::empty();
    for folder in ["server", "web/src", "more/src"] {
        dir.write(&format!("{folder}/app.py"), "def app():\n    pass\n");
    }
    dir.build(&["server", "ui=web/src", "more/src"]).code(0);
    dir.assert_whole();
    let tables = Tables::open(&dir.index());
    assert_eq!(tables.paths(), ["server/app.py", "ui/app.py", "src/app.py"]);
    let manifest = tables.generation.manifest();
    let names: Vec<_> = manifest.repositories.iter().map(|repository| repository.name.as_str()).collect();
    assert_eq!(names, ["server", "ui", "src"]);
    assert_eq!(manifest.repositories[0].tree_hash, manifest.repositories[1].tree_hash);
}

#[test]
fn repositories_of_one_name_are_refused() {
    let dir = Dir::empty();
    dir.write("web/src/a.py", "x = 1\n");
    dir.write("api/src/a.py", "x = 1\n");
    dir.build(&["web/src", "api/src"]).failed(&["'src'", "NAME="]);
    dir.assert_nothing_published("index");
}

#[test]
fn globs_select_files() {
    let dir = Dir::empty();
    for path in ["a.py", "a.rs", "lib/b.py", "lib/b.min.js", "lib/deep/c.py", "node_modules/m/d.js", "vendor/v/e.go"] {
        dir.write(&format!("src/{path}"), "x\n");
    }
    for (args, expected) in [
        (&[][..], &["a.py", "a.rs", "lib/b.min.js", "lib/b.py", "lib/deep/c.py"][..]),
        (&["--include", "*.py"], &["a.py", "lib/b.py", "lib/deep/c.py"]),
        (&["--include", "lib/**", "--exclude", "*.min.js"], &["lib/b.py", "lib/deep/c.py"]),
        (&["--include", "lib/deep", "--include", "a.rs"], &["a.rs", "lib/deep/c.py"]),
        (&["--exclude", "lib"], &["a.py", "a.rs"]),
        (&["--include", "vendor"], &["vendor/v/e.go"]),
    ] {
        dir.build(&[&["src", "--model", "none"], args].concat()).code(0);
        let expected: Vec<String> = expected.iter().map(|path| format!("src/{path}")).collect();
        assert_eq!(Tables::open(&dir.index()).paths(), expected, "{args:?}");
    }
    dir.build(&["src", "--include", "["]).failed(&["glob", "cause:"]);
}

#[test]
fn ignore_files_are_respected() {
    let dir = Dir::with(
        "
//- /.gitignore
*.log
/out/
//- /.sextantignore
generated/
//- /kept.py
x = 1
//- /noise.log
x
//- /out/a.py
x = 1
//- /deep/out/b.py
x = 1
//- /deep/.gitignore
!important.log
local.py
//- /deep/important.log
x
//- /deep/local.py
x = 1
//- /deep/generated/c.py
x = 1
//- /.git/config
x
",
    );
    dir.build(&["src", "--model", "none", "--exclude", ".gitignore", "--exclude", ".sextantignore"]).code(0);
    assert_eq!(Tables::open(&dir.index()).paths(), ["src/deep/important.log", "src/deep/out/b.py", "src/kept.py"]);
}

#[test]
fn nothing_to_index_keeps_the_old_index() {
    let dir = Dir::indexed(SMALL);
    let before = dir.generation();
    dir.write("src/.gitignore", "*\n");
    dir.build(&["src"]).failed(&["no file", "src", "--no-ignore"]);
    dir.build(&["src", "--no-ignore", "--include", "*.nothing"]).failed(&["no file", "--include"]);
    assert_eq!(dir.generation(), before);
    dir.build(&["src", "--no-ignore", "--model", "none"]).code(0);
    assert_eq!(Tables::open(&dir.index()).paths(), ["src/.gitignore", "src/README.md", "src/main.py"]);
}

#[test]
fn an_index_inside_the_indexed_folder_is_not_indexed() {
    let dir = Dir::with(SMALL);
    for _ in 0..2 {
        dir.index_cmd(&["build", "src", "-o", "src/index"]).run().code(0);
        assert_eq!(Tables::open(&dir.path("src/index")).paths(), ["src/README.md", "src/main.py"]);
    }
}

#[test]
fn a_rebuild_keeps_one_older_generation() {
    let dir = Dir::empty();
    for n in 1..=4 {
        dir.write("src/a.py", format!("x = {n}\n"));
        dir.build(&["src", "--model", "none"]).code(0);
    }
    let names = dir.names("index");
    assert_eq!(names.len(), 5, "{names:?}");
    assert_eq!([0, 1, 4].map(|at| names[at].as_str()), ["CURRENT", "LOCK", "stamps"]);
    assert!(names[2].starts_with("gen-000003-") && names[3].starts_with("gen-000004-"), "{names:?}");
    assert!(dir.generation().ends_with(&names[3]));
}

#[test]
fn without_a_model_there_are_no_vectors() {
    let dir = Dir::with(SMALL);
    dir.build(&["src", "--model", "none"]).code(0);
    dir.assert_whole();
    let tables = Tables::open(&dir.index());
    assert_eq!(tables.generation.manifest().model, None);
    for part in ["vectors.i8", "vectors.lance", "model"] {
        assert!(!tables.generation.path(part).exists(), "{part}");
    }
}

#[test]
fn an_encoder_may_be_stored_by_reference() {
    let dir = Dir::indexed(POLYGLOT);
    let carried = dir.generation().join("model");
    let by_reference = &["build", "src", "-o", "named", "--model-by-reference"];
    dir.index_cmd(by_reference).run().code(0);
    let (one, other) = (Tables::open(&dir.index()), Tables::open(&dir.path("named")));
    assert_eq!(one.generation.manifest().content_id, other.generation.manifest().content_id);
    assert!(!other.generation.path("model").exists());
    dir.cmd(&["verify", "--index", "named"]).run().code(0);

    let search = &["search", "--index", "named", "--mode", "vector"];
    let query = &["--", "where is a session closed"];
    let without = dir.cmd(&[&search[..], query].concat()).run().code(1);
    assert!(without.stderr.contains("does not contain it"), "{}", without.all());
    let encoder = carried.to_str().unwrap();
    dir.cmd(&[&search[..], &["--encoder", encoder], query].concat()).run().code(0);

    let session =
        "class Session:\n    def close(self):\n        \"\"\"Close the session.\"\"\"\n        self.open = False\n";
    dir.write("one/s.py", session);
    let needle = r#"{"schema_version": 1, "needles": [{"query": "where is a session closed", "path": "s.py"}]}"#;
    dir.write("tests.json", needle);
    dir.index_cmd(&["build", "one", "-o", "small", "--model-by-reference"]).run().code(0);
    let eval = |args: &[&str]| {
        let eval = &["eval", "--index", "small", "--mode", "vector", "--fixtures", "tests.json", "--format", "json"];
        dir.cmd(&[&eval[..], args].concat()).run().code(0).json()["mean"]["needles"].as_f64()
    };
    assert_eq!((eval(&[]), eval(&["--encoder", encoder])), (Some(0.0), Some(1.0)));
    let mcp = |args: &[&str]| {
        let mut mcp = Mcp::start_with(&dir, &[&["--index", "named"], args].concat());
        mcp.call("search", serde_json::json!({"query": "where is a session closed", "mode": "vector"})).0
    };
    assert!(mcp(&[]).contains("does not contain it"));
    assert!(!mcp(&["--encoder", encoder]).contains("does not contain it"));

    // Another encoder is refused, even if it differs only in its name.
    for name in ["model.json", "tokenizer.json", "table.i8"] {
        let bytes = fs_err::read(carried.join(name)).unwrap();
        dir.write(&format!("renamed/{name}"), bytes);
    }
    let text = fs_err::read_to_string(carried.join("model.json")).unwrap();
    dir.write("renamed/model.json", text.replacen("\"name\": \"", "\"name\": \"other-", 1));
    for index in ["named", "index"] {
        let args = ["search", "--index", index, "--encoder", "renamed", "--", "where is a session closed"];
        dir.cmd(&args).run().failed(&["renamed", "other-", "hint:"]);
    }
}

#[test]
fn a_large_table_of_vectors_gets_an_approximate_index() {
    let dir = Dir::indexed(POLYGLOT);
    dir.index_cmd(&["build", "src", "-o", "large", "--ann-threshold", "10"]).run().code(0);
    let (one, other) = (Tables::open(&dir.index()), Tables::open(&dir.path("large")));
    assert_eq!(one.generation.manifest().content_id, other.generation.manifest().content_id);
    let indices = |tables: &Tables| tables.generation.path("vectors.lance/_indices").is_dir();
    assert!(!indices(&one) && indices(&other));
    dir.index_cmd(&["verify", "large"]).run().code(0);
}

#[test]
fn a_broken_model_folder_is_refused() {
    let dir = Dir::indexed(SMALL);
    let before = dir.generation();
    for (name, text) in [("broken", "{"), ("empty", "{}"), ("other", "[1, 2]")] {
        dir.write(&format!("{name}/model.json"), text);
        dir.build(&["src", "--model", name]).failed(&["model", name]);
    }
    dir.build(&["src", "--model", "missing"]).failed(&["model", "missing"]);
    // A valid description with a truncated table.
    for file in ["model.json", "tokenizer.json", "table.i8"] {
        let bytes = fs_err::read(before.join("model").join(file)).unwrap();
        let keep = if file == "table.i8" { bytes.len() / 2 } else { bytes.len() };
        dir.write(&format!("short/{file}"), &bytes[..keep]);
    }
    dir.build(&["src", "--model", "short"]).failed(&["model", "short"]);
    assert_eq!(dir.generation(), before);
    assert!(dir.names("index").iter().all(|name| !name.starts_with("staging-")));
    dir.assert_whole();
}

#[test]
fn a_model_folder_is_copied_completely() {
    let dir = Dir::indexed(SMALL);
    let built_in = dir.generation();
    dir.tree("copy", "");
    for name in ["model.json", "tokenizer.json", "table.i8"] {
        fs_err::copy(built_in.join("model").join(name), dir.path("copy").join(name)).unwrap();
    }
    let output = dir.index_cmd(&["build", "src", "-o", "other", "--model", "copy", "--json"]).run().code(0);
    let manifest = Tables::open(&dir.index()).generation.manifest().clone();
    assert_eq!(output.json_lines().last().unwrap()["content_id"], manifest.content_id.as_str());
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let dir = Dir::with(SMALL);
    for args in [&["src", "--json"][..], &["src"]] {
        let mut child = dir.build_cmd(args).spawn();
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
        dir.assert_whole();
    }
    for args in [&["search", "--", "main"][..], &["stats"], &["verify"], &["completions", "bash"]] {
        let mut child = dir.cmd(args).spawn();
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
    }
}

#[test]
fn an_unwritable_summary_is_reported_before_the_build() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    let build = ["build", "src", "-o", "index", "--model", "none", "--summary"];
    dir.index_cmd(&[&build[..], &["no/folder/summary.md"]].concat()).run().failed(&["no/folder/summary.md"]);
    dir.assert_nothing_published("index");
    dir.index_cmd(&[&build[..], &["summary.md"]].concat()).run().code(0);
    assert!(fs_err::read_to_string(dir.path("summary.md")).unwrap().starts_with("# Index "));
}
