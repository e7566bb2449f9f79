//! Overlays: every answer equals that of a rebuilt index, and results in edited files are marked.

use std::io::BufRead as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Dir, POLYGLOT, files, walk};
use crate::program::{Output, find};
use crate::serve::Mcp;

/// Writes Python files that use each other, and files of many languages.
fn tree(dir: &Dir) {
    for (path, text) in files(POLYGLOT) {
        dir.write(&format!("src/{path}"), text);
    }
    for n in 0..30 {
        dir.write(&format!("src/pkg/m{n}.py"), module(n, n + 1));
    }
    dir.write("src/build/left.out", "nothing");
    dir.write("src/.gitignore", "build/\n");
}

fn module(n: u64, used: u64) -> String {
    format!(
        "from pkg.m{used} import f{used}, C{used}\n\n\nclass C{n}(C{used}):\n    \"\"\"Number {n}.\"\"\"\n\n    def go(self):\n        \
         value = C{used}()\n        return f{used}() + value.go()\n\n\ndef f{n}():\n    return {n}\n"
    )
}

/// Edits files in every way: definitions with references are renamed, added, moved and deleted.
fn edit(dir: &Dir) {
    dir.write("src/pkg/m3.py", module(3, 9).replace("def f3", "def renamed3"));
    dir.write("src/pkg/m7.py", format!("import os\n\n\n{}", module(7, 8)));
    dir.write("src/pkg/aaa.py", "from pkg.m5 import f5\n\n\ndef before_all():\n    return f5()\n");
    dir.write("src/zzz/new.py", "def retry_with_backoff(times):\n    return [f5() for _ in range(times)]\n");
    dir.rename("src/pkg/m12.py", "src/pkg/moved12.py");
    fs_err::remove_file(dir.path("src/pkg/m20.py")).unwrap();
    dir.write("src/pkg/m21.py", b"\0\0binary now");
    dir.write("src/build/also.out", "ignored");
}

const CALLS: &[&[&str]] = &[
    &["search", "--", "how does the loop scrape its target"],
    &["search", "--explain", "--", "number of the class"],
    &["search", "--mode", "vector", "--", "go to the next value"],
    &["search", "--mode", "text", "--", "return value"],
    &["search", "--", "C7.go"],
    &["search", "--", "renamed3"],
    &["explore", "--", "how does go reach its value"],
    &["definition", "f3"],
    &["definition", "renamed3"],
    &["definition", "before_all"],
    &["references", "f5"],
    &["references", "C8"],
    &["symbols", "f1"],
    &["hover", "C9"],
    &["callers", "f20", "--depth", "2"],
    &["callers", "C12.go"],
    &["callees", "C2.go", "--depth", "3"],
    &["impact", "C21"],
    &["path", "C1.go", "f3"],
    &["related", "C7"],
    &["outline", "pkg/m7.py"],
    &["show", "pkg/m3.py"],
    &["grep", "def (f|r)"],
    &["context", "pkg/m7.py"],
    &["map"],
];

fn ask(dir: &Dir, call: &[&str], args: &[&str], cache: &str) -> Output {
    let (name, rest) = call.split_first().unwrap();
    let cache = dir.path(cache).display().to_string();
    dir.cmd(&[&[*name][..], args, rest].concat()).env("XDG_CACHE_HOME", &cache).run()
}

/// Removes marks and times from a response; returns whether there was a mark.
fn without_marks(value: &mut Value) -> bool {
    match value {
        Value::Object(fields) => {
            fields.remove("took_ms");
            let own = fields.remove("edited").is_some();
            fields.values_mut().fold(own, |found, value| without_marks(value) | found)
        }
        Value::Array(values) => values.iter_mut().fold(false, |found, value| without_marks(value) | found),
        _ => false,
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_overlay_answers_like_a_rebuilt_index() {
    let dir = Dir::empty();
    tree(&dir);
    dir.build(&["src"]).code(0);
    let before: Vec<(String, Vec<u8>)> =
        walk(&dir.index()).into_iter().map(|(name, path)| (name, fs_err::read(path).unwrap())).collect();
    // Nothing differs: the base index answers.
    let args = ["--overlay", "src", "--format", "json"];
    let plain = ask(&dir, CALLS[0], &args, "cache").code(0).json();
    assert!(!plain.to_string().contains("\"edited\""));
    assert!(walk(&dir.path("cache")).iter().all(|(name, _)| !name.ends_with("CURRENT")));

    edit(&dir);
    dir.index_cmd(&["build", "src", "-o", "fresh", "--threads", "2"]).run().code(0);
    let mut marked = 0;
    for call in CALLS {
        let laid = ask(&dir, call, &args, "cache");
        let fresh = ask(&dir, call, &["--index", "fresh", "--format", "json"], "cache");
        assert_eq!(laid.code, fresh.code, "{call:?} {}", laid.all());
        let (mut found, mut expected) = (laid.json(), fresh.json());
        marked += usize::from(without_marks(&mut found));
        without_marks(&mut expected);
        assert_eq!(found, expected, "{call:?}");
    }
    assert!(marked > CALLS.len() / 2, "{marked}");

    // Exactly the files that differ are marked, also in text output.
    let text = ask(&dir, &["grep", "def (f|r)"], &["--overlay", "src"], "cache").code(0);
    let heads: Vec<&str> = text.stdout.lines().filter(|line| line.contains(".py") && !line.starts_with(' ')).collect();
    let of = |path: &str| heads.iter().find(|line| line.contains(path)).unwrap_or_else(|| panic!("{heads:?}"));
    for path in ["pkg/m3.py", "pkg/m7.py", "pkg/moved12.py", "zzz/new.py"] {
        assert!(of(path).contains("(edited)"), "{path}");
    }
    assert!(!of("pkg/m5.py").contains("(edited)"));
    assert!(heads.iter().all(|line| !line.contains("m20.py") && !line.contains("m21.py")));

    let after: Vec<(String, Vec<u8>)> =
        walk(&dir.index()).into_iter().map(|(name, path)| (name, fs_err::read(path).unwrap())).collect();
    assert!(before == after, "the base index was written to");
    // After the edits are undone, the base index answers again.
    fs_err::remove_dir_all(dir.path("src")).unwrap();
    tree(&dir);
    let undone = ask(&dir, CALLS[0], &args, "cache").code(0).json();
    assert!(!undone.to_string().contains("\"edited\""));
}

#[cfg(target_os = "linux")]
#[test]
fn an_overlay_is_built_once_and_reuses_unchanged_files() {
    let dir = Dir::empty();
    tree(&dir);
    dir.build(&["src"]).code(0);
    edit(&dir);
    let overlay = |index: &str| {
        let cache = dir.path("cache").display().to_string();
        dir.index_cmd(&["overlay", index, "src", "--cache", &cache, "--json"]).run().code(0).json()
    };
    let first = overlay("index");
    assert_eq!(first["built"], true);
    assert!(first["reused_files"].as_u64().unwrap() > 30, "{first}");
    let names = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&first["added"]), ["pkg/aaa.py", "pkg/moved12.py", "zzz/new.py"]);
    assert_eq!(names(&first["changed"]), ["pkg/m21.py", "pkg/m3.py", "pkg/m7.py"]);
    assert_eq!(names(&first["removed"]), ["pkg/m12.py", "pkg/m20.py"]);
    let second = overlay("index");
    assert_eq!((&second["built"], &second["content_id"]), (&Value::Bool(false), &first["content_id"]));
    dir.index_cmd(&["build", "src", "-o", "fresh", "--threads", "2"]).run().code(0);
    let fresh = crate::tables::Tables::open(&dir.path("fresh")).generation.manifest().content_id.clone();
    assert_eq!(first["content_id"], fresh);

    // A pulled index contains no cached analyses; the next overlay reuses those in the cache.
    dir.index_cmd(&["pack", "index", "-o", "index.sxt"]).run().code(0);
    dir.cmd(&["pull", "index.sxt", "-o", "pulled"]).run().code(0);
    assert_eq!(overlay("pulled")["content_id"], fresh);
    dir.write("src/pkg/m4.py", module(4, 6));
    let again = overlay("pulled");
    assert!(again["reused_files"].as_u64().unwrap() > 30, "{again}");
    // A damaged cache costs only time.
    for (_, path) in walk(&dir.path("cache")).into_iter().filter(|(name, _)| !name.ends_with("lock")) {
        // Not in place: the overlay shares files with the index below.
        fs_err::remove_file(&path).unwrap();
        fs_err::write(path, "damaged").unwrap();
    }
    assert_eq!(overlay("pulled")["content_id"], again["content_id"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_overlay_needs_no_analyses_of_an_index_with_the_profile_overlay() {
    let dir = Dir::empty();
    tree(&dir);
    dir.build(&["src"]).code(0);
    for profile in ["query", "overlay", "full"] {
        let pack = format!("{profile}.sxt");
        dir.index_cmd(&["pack", "index", "-o", &pack, "--profile", profile]).run().code(0);
        dir.cmd(&["pull", &pack, "-o", profile, "--profile", profile]).run().code(0);
    }
    // A pack of a larger profile has what a smaller one needs.
    dir.cmd(&["pull", "full.sxt", "-o", "smaller", "--profile", "overlay"]).run().code(0);
    let refused = dir.cmd(&["pull", "query.sxt", "-o", "larger", "--profile", "overlay"]).run();
    refused.failed(&["has the profile query, but overlay is requested", "pack with '--profile overlay'"]);
    edit(&dir);
    dir.index_cmd(&["build", "src", "-o", "fresh", "--threads", "2"]).run().code(0);
    let generation = |index: &str| crate::tables::Tables::open(&dir.path(index)).generation;
    let content_id = |index: &str| generation(index).manifest().content_id.clone();
    let fresh = content_id("fresh");
    let overlay = |index: &str| {
        let cache = dir.path(&format!("cache of {index}")).display().to_string();
        dir.index_cmd(&["overlay", index, "src", "--cache", &cache, "--json"]).run().code(0).json()
    };
    let has_analyses = |index: &str| generation(index).path("facts/0000.arrow").exists();
    assert!(has_analyses("full") && !has_analyses("overlay") && !has_analyses("smaller"));
    let again = dir.cmd(&["pull", "overlay.sxt", "-o", "overlay", "--profile", "overlay", "--format", "json"]).run();
    assert_eq!(again.json()["was_current"], true);
    let reused = |index: &str| {
        let built = overlay(index);
        assert_eq!(built["content_id"], fresh, "{index}");
        built["reused_files"].as_u64().unwrap()
    };
    let counts = ["query", "overlay", "smaller", "full"].map(reused);
    // The analysis of the file that was moved is in the profile `full` only.
    assert_eq!(counts, [0, counts[1], counts[1], counts[1] + 1]);
    assert!(counts[1] > 30);
    // The second overlay begins with the first.
    dir.write("src/pkg/m4.py", module(4, 6).replace("def f4", "def renamed4"));
    let again = overlay("overlay");
    assert!(again["reused_files"].as_u64().unwrap() > 30, "{again}");
    dir.index_cmd(&["build", "src", "-o", "fresh", "--threads", "2"]).run().code(0);
    assert_eq!(again["content_id"], content_id("fresh"));
    // A build of an index that was pulled without analyses computes them.
    dir.index_cmd(&["build", "src", "-o", "overlay", "--threads", "2"]).run().code(0);
    assert!(has_analyses("overlay"));
    assert_eq!(content_id("overlay"), content_id("fresh"));
    assert!(generation("overlay").path("vectors.lance").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn errors_of_an_overlay_are_reported() {
    let dir = Dir::empty();
    tree(&dir);
    dir.write("other/a.py", "def a():\n    return 1\n");
    dir.build(&["src", "other"]).code(0);
    let ask_with = |args: &[&str]| ask(&dir, &["definition", "f3"], args, "cache");
    ask_with(&["--overlay", "src"]).code(2).says(&["'other'", "other=PATH"]);
    ask_with(&["--overlay", "nothing"]).code(2).says(&["nothing"]);
    assert!(ask_with(&["--overlay", "src", "--overlay", "other"]).code(0).stdout.contains("pkg/m3.py"));
    dir.cmd(&["verify", "--index", "index", "--overlay", "src"]).run().failed(&["unexpected argument"]);
    // An overlay needs the other program.
    fs_err::create_dir(dir.path("bin")).unwrap();
    let (program, alone) = (find("sextant", "SEXTANT_BIN"), dir.path("bin/sextant"));
    // A copy is "busy" while a process that another test began has inherited its descriptor.
    fs_err::hard_link(&program, &alone).or_else(|_| fs_err::copy(&program, &alone).map(|_| ())).unwrap();
    let alone = crate::program::Cmd::new(&dir, &alone, &["definition", "f3", "--overlay", "src"]);
    alone.env("PATH", "/nonexistent").run().failed(&["sextant-index", "hint"]);
    // An index of an earlier version does not record its settings.
    let manifest = dir.generation().join("manifest.json");
    let mut manifest_json: Value = serde_json::from_slice(&fs_err::read(&manifest).unwrap()).unwrap();
    manifest_json.as_object_mut().unwrap().remove("settings");
    fs_err::write(&manifest, manifest_json.to_string()).unwrap();
    let old = ask(&dir, &["definition", "f3"], &["--overlay", "src", "--overlay", "other"], "cache");
    old.code(2).says(&["build it again"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_encoder_by_reference_must_be_the_same() {
    let dir = Dir::empty();
    tree(&dir);
    dir.index_cmd(&["build", "src", "-o", "index", "--model-by-reference"]).run().code(0);
    edit(&dir);
    let cache = dir.path("cache").display().to_string();
    let overlay = || dir.index_cmd(&["overlay", "index", "src", "--cache", &cache, "--json"]).run();
    assert_eq!(overlay().code(0).json()["built"], true);
    assert_eq!(overlay().code(0).json()["built"], false);
    // An encoder that this program does not have.
    let manifest = dir.generation().join("manifest.json");
    let mut manifest_json: Value = serde_json::from_slice(&fs_err::read(&manifest).unwrap()).unwrap();
    manifest_json["model"]["hash"] = "ab".repeat(32).into();
    fs_err::write(&manifest, manifest_json.to_string()).unwrap();
    overlay().failed(&["does not contain it", "SEXTANT_ENCODER"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_agent_sees_what_was_edited_since() {
    let dir = Dir::empty();
    tree(&dir);
    dir.build(&["src"]).code(0);
    let mut mcp = Mcp::start_with(&dir, &["--overlay", "src"]);
    assert!(!mcp.call("definition", serde_json::json!({"name": "added_now"})).0.contains("m5.py"));
    dir.write("src/pkg/m5.py", "def added_now():\n    return 1\n");
    let started = Instant::now();
    loop {
        let (text, _) = mcp.call("definition", serde_json::json!({"name": "added_now"}));
        if text.contains("pkg/m5.py:1 (edited)") {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(40), "{text}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn watch_tells_when_the_overlay_follows_an_edit() {
    let dir = Dir::empty();
    tree(&dir);
    dir.build(&["src"]).code(0);
    let cache = dir.path("cache").display().to_string();
    let cmd = dir.cmd(&["watch", "--index", "index", "--overlay", "src", "--format", "json"]);
    let mut child = cmd.env("XDG_CACHE_HOME", &cache).spawn();
    let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let first = next();
    assert_eq!(first["edited"], serde_json::json!([]), "{first}");
    dir.write("src/pkg/m5.py", "def added_now():\n    return 1\n");
    let edited = next();
    assert_eq!(edited["edited"], serde_json::json!([{"repo": "src", "path": "pkg/m5.py"}]), "{edited}");
    // Another command finds the overlay as it is.
    let overlay = std::path::Path::new(edited["overlay"].as_str().unwrap());
    let generation = || fs_err::read_to_string(overlay.join("CURRENT")).unwrap();
    let before = generation();
    let found = ask(&dir, &["definition", "added_now"], &["--overlay", "src"], "cache").code(0);
    assert!(found.stdout.contains("pkg/m5.py:1 (edited)"), "{}", found.all());
    assert_eq!(generation(), before);
    dir.write("src/pkg/m5.py", module(5, 6));
    assert_eq!(next()["content_id"], first["content_id"]);
    child.kill().unwrap();
    child.wait().unwrap();
}
