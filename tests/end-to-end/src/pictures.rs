//! What is looked at: drawings, classes of highlighting, and pages without a server.

use serde_json::{Value, json};

use crate::harness::Dir;

const PROJECT: &str = "
//- /src/pool.py
class Pool:
    \"\"\"Lends connections.\"\"\"

    def acquire(self):
        '''Lends a connection,
        and waits.'''
        return self.grow()

    def grow(self):
        return connect(\"x\")


def connect(url):
    return url
//- /src/app.py
from src.pool import Pool


def main():
    return handle(Pool())


def handle(pool: Pool):
    return pool.acquire()
//- /tests/test_app.py
from src.app import handle


def test_handle():
    assert handle(None)
";

/// The attribute of all boxes of a drawing.
fn boxes<'a>(drawing: &'a Value, attribute: &str) -> Vec<&'a str> {
    let elements = drawing["elements"].as_array().unwrap();
    elements.iter().filter_map(|element| element["attributes"][attribute].as_str()).collect()
}

#[test]
fn calls_and_paths_are_drawn_and_json_has_the_same_drawing() {
    let dir = Dir::indexed(PROJECT);
    let draw = |args: &[&str], format: &str| {
        let all = [args, &["--index", "index", "--draw", format]].concat();
        dir.cmd(&all).run().code(0).stdout
    };
    let callers = ["callers", "Pool.grow", "--depth", "3"];
    let picture = draw(&callers, "svg");
    for name in ["acquire", "handle", "main", "grow"] {
        assert!(picture.contains(name), "{picture}");
    }
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{picture}");
    assert!(!picture.contains("class=") && !picture.contains("data-"), "an image needs no style sheet: {picture}");
    assert_eq!(picture, draw(&callers, "svg"), "twice the same");
    assert!(draw(&callers, "mermaid").starts_with("flowchart LR\n"));
    assert!(draw(&callers, "dot").starts_with("digraph sextant {\n  rankdir=LR;\n"));

    let json = dir
        .cmd(&["callers", "Pool.grow", "--depth", "3", "--index", "index", "--draw", "svg", "--format", "json"])
        .run()
        .code(0)
        .json();
    let keys = boxes(&json["drawing"], "data-key");
    assert_eq!(keys.len(), 1 + json["results"].as_array().unwrap().len(), "{keys:?}");
    assert!(keys[0].ends_with(":Pool.grow"), "{keys:?}");
    let plain = dir.cmd(&["callers", "Pool.grow", "--index", "index", "--format", "json"]).run().code(0).json();
    assert!(plain.get("drawing").is_none(), "{plain}");

    let path = draw(&["path", "main", "connect"], "mermaid");
    assert_eq!(path.matches("-->").count(), 4, "{path}");
    assert!(path.starts_with("flowchart TD\n  m0[\"main<br/>src/app.py:4\"]"), "{path}");
    let uses = draw(&["impact", "connect"], "svg");
    assert!(uses.contains("grow") && uses.contains("acquire"), "{uses}");
    // Nothing is drawn where nothing is found.
    let none = dir.cmd(&["callers", "main", "--index", "index", "--draw", "svg"]).run().code(1);
    assert!(none.stdout.starts_with("<svg ") && none.stdout.contains(">main</text>"), "{}", none.all());
}

#[test]
fn source_has_classes_of_highlighting_in_json() {
    let dir = Dir::indexed(PROJECT);
    let shown = dir.cmd(&["show", "src/pool.py:5-7", "--spans", "--index", "index", "--format", "json"]).run().code(0);
    let shown = shown.json();
    let spans = shown["results"][0]["spans"].as_array().unwrap();
    // The string begins before the second of its lines: the whole file is read.
    assert!(spans.contains(&json!([6, 0, 21, "string"])), "{spans:?}");
    assert!(spans.contains(&json!([7, 8, 14, "keyword"])), "{spans:?}");
    assert!(spans.iter().all(|span| (5..=7).contains(&span[0].as_u64().unwrap())), "{spans:?}");
    let plain = dir.cmd(&["show", "src/pool.py:5-7", "--index", "index", "--format", "json"]).run().code(0).json();
    assert!(plain["results"][0].get("spans").is_none(), "{plain}");
}

#[test]
fn colours_are_lines_of_json_and_other_lines_are_refused() {
    let dir = Dir::empty();
    let requests =
        "{\"language\": \"python\", \"text\": \"a = 1\"}\n{\"language\": \"klingon\", \"text\": \"a = 1\"}\n";
    let answered = dir.index_cmd(&["highlight"]).stdin(requests).run().code(0);
    assert_eq!(answered.json_lines(), [json!({"spans": [[1, 4, 5, "number"]]}), json!({"spans": []})]);
    dir.index_cmd(&["highlight"]).stdin("{\"language\": 1}\n").run().code(2).says(&["standard input", "no request"]);
}

#[test]
fn imports_alone_and_names_of_some_lines() {
    let dir = Dir::indexed(PROJECT);
    let all = ["context", "src/app.py", "--index", "index", "--format", "json"];
    let whole = dir.cmd(&all).run().code(0).json();
    let alone = dir.cmd(&[&all[..], &["--without-symbols"]].concat()).run().code(0).json();
    assert_eq!((&alone["file"]["imports"], &alone["file"]["symbols"]), (&json!(["src/pool.py"]), &json!([])));
    for field in ["imported_by", "resolved", "unresolved", "lines"] {
        assert_eq!(alone["file"][field], whole["file"][field], "{field}");
    }
    let outline = ["outline", "src/app.py", "--names", "--index", "index", "--format", "json"];
    let some = dir.cmd(&[&outline[..], &["--lines", "8-9"]].concat()).run().code(0).json();
    let names = some["results"][0]["names"].as_array().unwrap();
    let lines: Vec<u64> = names.iter().map(|name| name["line"].as_u64().unwrap()).collect();
    assert!(lines.contains(&9) && lines.iter().all(|line| (8..=9).contains(line)), "{names:?}");
    let targets = some["results"][0]["targets"].as_array().unwrap();
    assert!(targets.iter().any(|target| target["qualified_name"] == "Pool.acquire"), "{targets:?}");
    dir.cmd(&[&outline[..], &["--lines", "9-x"]].concat()).run().failed(&["12-40", "9-x"]);
}

#[test]
fn a_map_leaves_out_tests_if_asked() {
    let dir = Dir::indexed(PROJECT);
    let modules = |args: &[&str]| {
        let map = dir.cmd(&[args, &["--index", "index", "--format", "json"]].concat()).run().code(0).json();
        map["modules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["path"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(modules(&["map"]), ["src", "tests"]);
    assert_eq!(modules(&["map", "--without-tests"]), ["src"]);
}

#[test]
fn pages_are_written_and_a_folder_of_others_is_left_alone() {
    let dir = Dir::indexed(&format!(
        "{PROJECT}//- /src/hostile.py\ndef hostile():\n    return \"</pre><script>alert(1)</script>\"\n"
    ));
    let export = |names: &[&str]| dir.cmd(&[&["export", "--index", "index", "--html", "pages"], names].concat()).run();
    export(&["Pool.acquire", "hostile", "main"]).code(0).prints(&["pages/index.html"]);
    let written =
        ["Pool-acquire.html", "code.css", "hostile.html", "index.html", "main.html", "screens.css", "style.css"];
    assert_eq!(dir.names("pages"), written);
    let page = |name: &str| fs_err::read_to_string(dir.path("pages").join(name)).unwrap();
    let acquire = page("Pool-acquire.html");
    for part in
        ["<svg ", "src/src/pool.py:4-7", "Callers", "handle", "class=\"h-keyword\">return<", "default-src 'none'"]
    {
        assert!(acquire.contains(part), "no {part} in {acquire}");
    }
    assert!(!page("hostile.html").contains("<script"), "{}", page("hostile.html"));
    assert!(page("index.html").contains("href=\"Pool-acquire.html\""), "{}", page("index.html"));
    // The next export replaces its own pages, and nothing else.
    dir.write("pages/notes.txt", "mine");
    export(&["handle", "no_such_name"]).code(1).says(&["no_such_name"]);
    assert_eq!(dir.names("pages"), ["code.css", "handle.html", "index.html", "notes.txt", "screens.css", "style.css"]);
    let json = export(&["handle", "--format", "json"]).code(0).json();
    assert_eq!((&json["pages"], &json["not_found"]), (&json!(["handle.html"]), &json!([])), "{json}");
    dir.write("other/notes.txt", "mine");
    dir.cmd(&["export", "--index", "index", "--html", "other"]).run().failed(&["did not write", "another folder"]);
    assert_eq!(dir.names("other"), ["notes.txt"]);
}
