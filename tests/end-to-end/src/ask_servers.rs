//! `sextant-index build --lsp`: a language server resolves what rules do not, within its time, and its answers are kept.
//! The server is `formats/servers/testdata/server.py`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sextant_format::kinds::Tier;

use crate::harness::Dir;
use crate::program::Output;
use crate::tables::Tables;

/// The receiver's type is unknown to rules, and two classes have the method.
const PROJECT: &str = "
//- /shapes.py
class Circle:
    def measure_area(self):
        return 1
//- /solids.py
class Cube:
    def measure_area(self):
        return 2
//- /app.py
def report(thing):
    return thing.measure_area()
";

fn choice(mode: &str) -> String {
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats/servers/testdata/server.py");
    format!("python=python3 '{server}' {mode}")
}

/// Builds with the server in a mode; returns the summary's part about it, and the output.
fn build(dir: &Dir, mode: &str, args: &[&str]) -> (Value, Output) {
    let choice = choice(mode);
    let fixed = ["src", "--model", "none", "--json", "--lsp", &choice];
    let log = dir.path("asked.log");
    let out =
        dir.build_cmd(&[&fixed, args].concat()).env("ASKED_LOG", log.to_str().expect("a path in UTF-8")).run().code(0);
    let summary = out.json_lines().into_iter().find(|line| line["type"] == "summary").expect("a summary");
    (summary["lsp"]["python"].clone(), out)
}

fn asked(dir: &Dir) -> usize {
    fs_err::read_to_string(dir.path("asked.log")).map_or(0, |log| log.lines().count())
}

/// Tier and name of the target's owner, for each edge of the call in `app.py`.
fn call(dir: &Dir) -> Vec<(Tier, Option<String>)> {
    let tables = Tables::open(&dir.index());
    let edges = tables.edges.iter().filter(|edge| edge.target_name == "measure_area" && edge.line == 2);
    let edges = edges.filter(|edge| tables.files[edge.file_id.index()].path == "app.py");
    let name = |edge: &sextant_format::tables::EdgeRow| {
        edge.target_id.map(|id| tables.symbols[id.index()].qualified_name.clone())
    };
    edges.map(|edge| (edge.tier, name(edge))).collect()
}

#[test]
fn a_server_resolves_what_rules_do_not_and_is_not_asked_again() {
    let dir = Dir::with(PROJECT);
    dir.build(&["src", "--model", "none"]).code(0);
    let (circle, cube) = ("Circle.measure_area".to_owned(), "Cube.measure_area".to_owned());
    let ambiguous = vec![(Tier::Ambiguous, Some(circle.clone())), (Tier::Ambiguous, Some(cube))];
    assert_eq!(call(&dir), ambiguous);

    // The server names the first definition.
    let (answers, _) = build(&dir, "good", &[]);
    assert_eq!((&answers["doubts"], &answers["resolved"], &answers["left"]), (&json!(1), &json!(1), &json!(0)));
    assert_eq!((call(&dir), asked(&dir)), (vec![(Tier::Server, Some(circle.clone()))], 1));
    let content_id = |dir: &Dir| Tables::open(&dir.index()).generation.manifest().content_id.clone();
    let first = content_id(&dir);

    // Nothing has changed.
    let (_, out) = build(&dir, "good", &[]);
    assert!(out.stdout.contains(r#""unchanged":true"#), "{}", out.stdout);
    // Another file has changed: the answer is kept, although its target has moved.
    let shapes = fs_err::read_to_string(dir.path("src/shapes.py")).unwrap();
    dir.write("src/shapes.py", format!("import os\n\n\n{shapes}"));
    let (answers, _) = build(&dir, "good", &[]);
    assert_eq!((&answers["resolved"], &answers["known_before"]), (&json!(1), &json!(1)), "{answers}");
    assert_eq!((call(&dir), asked(&dir)), (vec![(Tier::Server, Some(circle))], 1));
    // Back again, from nothing but the answers: the same index.
    dir.write("src/shapes.py", &shapes);
    build(&dir, "good", &["--no-reuse"]);
    assert_eq!((content_id(&dir), asked(&dir)), (first, 1));
    // Its own file has changed: it is asked again.
    dir.write("src/app.py", "\ndef report(thing):\n    return thing.measure_area()\n");
    build(&dir, "good", &[]);
    assert_eq!(asked(&dir), 2);
    dir.assert_whole();

    // Without the option, rules alone count again.
    dir.write("src/app.py", "def report(thing):\n    return thing.measure_area()\n");
    dir.build(&["src", "--model", "none"]).code(0);
    assert_eq!(call(&dir), ambiguous);
}

#[test]
fn an_overlay_keeps_the_answers_of_files_that_are_the_same() {
    let dir = Dir::with(PROJECT);
    build(&dir, "good", &[]);
    let shapes = fs_err::read_to_string(dir.path("src/shapes.py")).unwrap();
    dir.write("src/shapes.py", format!("import os\n\n\n{shapes}"));
    let uses = |name: &str| -> Value {
        let args = ["references", name, "--index", "index", "--overlay", "src", "--format", "json"];
        dir.cmd(&args).run().json()["results"][0].clone()
    };
    let circle = uses("Circle.measure_area");
    assert_eq!((&circle["definition"]["start_line"], &circle["uses"][0]["resolution"]), (&json!(5), &json!("server")));
    // Another server answers otherwise: the overlay follows the index below it.
    dir.write("src/shapes.py", &shapes);
    build(&dir, "outside", &[]);
    dir.write("src/shapes.py", format!("import os\n\n\n{shapes}"));
    assert_eq!(uses("Circle.measure_area")["uses"], json!([]));
    dir.write("src/shapes.py", &shapes);
    build(&dir, "good", &[]);
    // Nobody was asked about a file that was edited.
    dir.write("src/app.py", "\ndef report(thing):\n    return thing.measure_area()\n");
    let out = dir.cmd(&["references", "Circle.measure_area", "--index", "index", "--overlay", "src"]).run().code(1);
    assert!(out.stdout.contains("1 more line mentions 'measure_area', and no edge explains it\n"), "{}", out.stdout);
    assert_eq!(asked(&dir), 3);
}

#[test]
fn what_is_defined_elsewhere_has_no_candidates() {
    let dir = Dir::with(PROJECT);
    let (answers, _) = build(&dir, "outside", &[]);
    assert_eq!((&answers["outside"], &answers["resolved"]), (&json!(1), &json!(0)), "{answers}");
    assert_eq!(call(&dir), [(Tier::Unresolved, None)]);
}

#[test]
fn a_bad_server_costs_its_time_and_nothing_else() {
    for mode in ["silent", "crash", "loading", "deaf"] {
        let dir = Dir::with(PROJECT);
        let started = Instant::now();
        let (answers, _) = build(&dir, mode, &["--lsp-seconds", "3"]);
        assert!(started.elapsed() < Duration::from_secs(30), "{mode}: {:?}", started.elapsed());
        assert_eq!((&answers["left"], &answers["resolved"]), (&json!(1), &json!(0)), "{mode}: {answers}");
        assert_eq!(call(&dir).len(), 2, "{mode}");
        // The next build asks the rest.
        let (answers, _) = build(&dir, "good", &[]);
        assert_eq!((&answers["left"], &answers["resolved"]), (&json!(0), &json!(1)), "{mode}: {answers}");
    }
    let dir = Dir::with(PROJECT);
    dir.build(&["src", "--lsp", "klingon"]).code(2).says(&["'klingon' is not a language that an index knows"]);
    let out = dir.build_cmd(&["src", "--model", "none", "--lsp", "python=/no/such/server"]).run().code(0);
    assert!(
        out.stderr.contains("1 left for the next build (no language server for python is installed"),
        "{}",
        out.stderr
    );
}
