//! `definition`, `related`, `callers`, `callees`, `impact`, `affected` and `path`: their requests and responses.

use serde::Deserialize;

use crate::harness::Dir;

const PROJECT: &str = "
//- /pool.py
class Pool:
    def acquire(self):
        return self.grow()

    def grow(self):
        return connect(\"x\")


def connect(url):
    return url
//- /app.py
from pool import Pool, connect


def main():
    pool = Pool()
    return handle()


def handle():
    return connect(\"y\")
//- /tests/test_app.py
from app import handle


def test_handle():
    assert handle() == \"y\"
//- /lonely.py
def lonely():
    return 1
";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reach {
    schema_version: u32,
    command: String,
    definitions: Vec<Definition>,
    externals: Vec<External>,
    results: Vec<Reached>,
    truncated: bool,
    not_found: Option<Vec<serde_json::Value>>,
    #[serde(default)]
    mentions: Vec<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    key: String,
    name: String,
    qualified_name: String,
    kind: String,
    repo: String,
    path: String,
    start_line: u32,
    end_line: u32,
    signature: Option<String>,
    is_test: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct External {
    name: String,
    module: Option<String>,
    family: String,
    uses: u32,
}

#[derive(Debug, Deserialize)]
struct Reached {
    qualified_name: String,
    path: String,
    depth: u32,
    via: String,
    edge: String,
    resolution: String,
    confidence: f32,
    #[serde(default)]
    edge_lines: Vec<u32>,
}

fn ask(dir: &Dir, args: &[&str]) -> Reach {
    let output = dir.cmd(&[args, &["--format", "json"]].concat()).run();
    let reach: Reach = serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", output.all()));
    assert_eq!(output.code, Some(i32::from(reach.results.is_empty())), "{}", output.all());
    assert_eq!((reach.schema_version, reach.command.as_str()), (1, args[0]));
    reach
}

fn names(reach: &Reach) -> Vec<(u32, &str)> {
    reach.results.iter().map(|found| (found.depth, found.qualified_name.as_str())).collect()
}

#[test]
fn callers_and_callees_respect_the_depth() {
    let dir = Dir::indexed(PROJECT);
    let callers = ask(&dir, &["callers", "connect"]);
    assert_eq!(callers.definitions.len(), 1);
    let definition = &callers.definitions[0];
    assert_eq!((definition.path.as_str(), definition.start_line, definition.end_line), ("pool.py", 9, 10));
    assert_eq!((definition.kind.as_str(), definition.repo.as_str(), definition.is_test), ("function", "src", false));
    assert!(definition.signature.as_deref().unwrap().contains("connect(url)"));
    assert_eq!((definition.name.as_str(), definition.qualified_name.as_str()), ("connect", "connect"));
    let mut found = names(&callers);
    found.sort_unstable();
    assert_eq!(found, [(1, "Pool.grow"), (1, "handle")]);
    assert!(callers.results.iter().all(|r| r.via == definition.key && r.edge == "call" && r.confidence > 0.7));
    assert!(callers.results.iter().any(|r| r.path == "app.py" && r.resolution == "import"));

    let mut far = names(&ask(&dir, &["callers", "connect", "--depth", "3"]))
        .iter()
        .map(|(d, n)| (*d, (*n).to_owned()))
        .collect::<Vec<_>>();
    far.sort_unstable();
    let expected = [(1, "Pool.grow"), (1, "handle"), (2, "Pool.acquire"), (2, "main"), (2, "test_handle")];
    assert_eq!(far, expected.map(|(depth, name)| (depth, name.to_owned())));

    assert_eq!(names(&ask(&dir, &["callees", "Pool.acquire"])), [(1, "Pool.grow")]);
    assert_eq!(names(&ask(&dir, &["callees", "Pool.acquire", "--depth", "9"])), [(1, "Pool.grow"), (2, "connect")]);
    let cut = ask(&dir, &["callers", "connect", "--limit", "1"]);
    assert!(cut.truncated && cut.results.len() == 1);
}

#[test]
fn names_are_accepted_in_every_form() {
    let dir = Dir::indexed(PROJECT);
    for name in [
        "Pool.grow",
        "Pool::grow",
        "Pool#grow",
        "grow",
        "GROW",
        "pool.py:grow",
        "pool.py:6",
        "./pool.py:6",
        "pool.Pool.grow",
        "pool::grow",
    ] {
        assert_eq!(names(&ask(&dir, &["callers", name])), [(1, "Pool.acquire")], "{name}");
    }
    // A path stands for all symbols that the file defines.
    let file = ask(&dir, &["impact", "pool.py", "--depth", "1"]);
    assert!(file.definitions.len() >= 3 && names(&file).contains(&(1, "handle")), "{file:?}");

    let missing = dir.cmd(&["callers", "conect"]).run().code(1);
    assert!(missing.stderr.contains("no definition is called 'conect'"), "{}", missing.all());
    assert!(missing.stderr.contains("similar: connect"), "{}", missing.all());
    for odd in ["", ":", "::", "a:b:c", ":9", "pool.py:", "pool.py:99999", "\u{1F980}", "/"] {
        assert_eq!(dir.cmd(&["callers", "--", odd]).run().code, Some(1), "{odd}");
    }
}

#[test]
fn a_change_reaches_tests() {
    let dir = Dir::indexed(PROJECT);
    let tests = ask(&dir, &["affected", "connect"]);
    assert_eq!(names(&tests), [(2, "test_handle")]);
    let diff =
        "--- a/pool.py\n+++ b/pool.py\n@@ -9,2 +9,2 @@\n def connect(url):\n-    return url\n+    return url + url\n";
    let by_diff = dir.cmd(&["affected", "--format", "json"]).stdin(diff).run().code(0);
    let by_diff: Reach = serde_json::from_str(&by_diff.stdout).unwrap();
    assert_eq!(by_diff.definitions[0].qualified_name, "connect");
    assert_eq!(names(&by_diff), [(2, "test_handle")]);
    dir.cmd(&["affected", "lonely"]).run().code(1);
    dir.cmd(&["affected"]).run().failed(&["diff"]);
    let unknown = diff.replace("pool.py", "elsewhere.py");
    dir.cmd(&["affected"]).stdin(&unknown).run().code(1).says(&["elsewhere.py"]);
}

#[test]
fn callers_take_several_names_and_name_the_line_of_each_call() {
    let dir = Dir::indexed(PROJECT);
    let output = dir.cmd(&["callers", "handle", "Pool.grow", "nowhere", "--format", "json"]).run().code(0);
    let found: Reach = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(found.not_found.as_ref().unwrap()[0]["name"], "nowhere");
    dir.cmd(&["callers", "handle", "nowhere"]).run().code(0).says(&["no definition is called 'nowhere'"]);
    assert_eq!(found.definitions.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(), ["handle", "grow"]);
    let lines: Vec<(&str, &str, &[u32])> =
        found.results.iter().map(|r| (r.path.as_str(), r.qualified_name.as_str(), r.edge_lines.as_slice())).collect();
    let expected = [
        ("app.py", "main", &[6][..]),
        ("tests/test_app.py", "test_handle", &[5][..]),
        ("pool.py", "Pool.acquire", &[3][..]),
    ];
    // Name by name, those of tests last.
    assert_eq!(lines, expected);
    dir.cmd(&["callers", "nowhere", "elsewhere"]).run().code(1).says(&["nowhere", "elsewhere"]);
    dir.cmd(&["callers"]).run().code(2);
}

#[test]
fn a_caller_of_two_names_is_listed_for_both() {
    let dir = Dir::indexed(
        "
//- /graph.py
class Graph:
    def add_node(self, name):
        return name

    def add_edges(self, names):
        return names

    def clear(self):
        return None
//- /load.py
from graph import Graph


def load(names):
    graph = Graph()
    graph.add_node(names[0])
    graph.add_edges(names)


def reset(things):
    for thing in things:
        thing.clear()
",
    );
    let text = dir.cmd(&["callers", "Graph.add_node", "Graph.add_edges", "Graph.clear"]).run().code(0);
    insta::assert_snapshot!(text.stdout);
    text.says(&["nothing found for Graph.clear"]);
    let found = ask(&dir, &["callers", "Graph.add_edges", "Graph.add_node"]);
    assert_eq!(names(&found), [(1, "load"), (1, "load")]);
    assert!(found.mentions.is_empty());
    // What no edge explains is named: it may be a call.
    let found = ask(&dir, &["callers", "Graph.clear"]);
    assert!(found.results.is_empty());
    assert_eq!(found.mentions[0]["total"], 1);
    assert_eq!(found.mentions[0]["lines"][0]["text"], "thing.clear()");
}

#[test]
fn callers_say_where_they_did_not_look() {
    let uses: String = (0..210).map(|n| format!("def use_{n}(thing):\n    thing.clear()\n\n\n")).collect();
    let dir = Dir::indexed(&format!(
        "\n//- /graph.py\nclass Graph:\n    def clear(self):\n        return None\n//- /use.py\n{uses}"
    ));
    dir.cmd(&["callers", "Graph.clear"]).run().code(1).says(&["'clear'", "were not looked for", "'references' looks"]);
    assert_eq!(ask(&dir, &["callers", "Graph.clear"]).mentions, [] as [serde_json::Value; 0]);
}

#[test]
fn what_is_used_but_not_called_is_not_unused() {
    let dir = Dir::indexed(PROJECT);
    dir.write("src/limits.py", "LIMIT = 3\n\n\ndef low():\n    return LIMIT - 1\n");
    dir.build(&["src"]).code(0);
    let callers = |args: &[&str]| dir.cmd(&[&["callers", "LIMIT", "--index", "index"], args].concat()).run().code(1);
    callers(&[]).says(&["no call was found, but 1 symbol uses it", "'references'", "--min-confidence 0 includes"]);
    let all = callers(&["--min-confidence", "0"]);
    assert!(!all.stderr.contains("includes guesses"), "{}", all.all());
    // Other words for the same command.
    let lines = dir.cmd(&["refs", "LIMIT", "--index", "index"]).run().code(0).stdout;
    assert_eq!(lines, dir.cmd(&["references", "LIMIT", "--index", "index"]).run().code(0).stdout);
}

#[test]
fn a_path_names_every_step_and_edge() {
    let dir = Dir::indexed(PROJECT);
    let output = dir.cmd(&["path", "main", "connect", "--format", "json"]).run().code(0);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let steps: Vec<&str> = json["steps"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(steps, ["main", "handle", "connect"]);
    assert_eq!(json["steps"][0]["edge"], serde_json::Value::Null);
    assert_eq!(json["steps"][2]["edge"], "call");
    dir.cmd(&["path", "connect", "main"]).run().code(1).says(&["no path along calls"]);
    let text = dir.cmd(&["path", "main", "connect"]).run().code(0);
    insta::assert_snapshot!(text.stdout);
    let text = dir.cmd(&["callers", "connect", "--depth", "2"]).run().code(0);
    insta::assert_snapshot!(text.stdout);
}

#[test]
fn external_symbols_have_callers() {
    let dir = Dir::indexed(
        "
//- /a.py
import requests
from json import loads as read


def fetch():
    return read(requests.get(\"x\"))


def twice():
    return fetch()
",
    );
    let callers = ask(&dir, &["callers", "requests.get"]);
    assert!(callers.definitions.is_empty());
    let [external] = callers.externals.as_slice() else { panic!("{callers:?}") };
    assert_eq!((external.name.as_str(), external.module.as_deref()), ("requests.get", Some("requests")));
    assert_eq!((external.family.as_str(), external.uses), ("python", 1));
    assert_eq!(names(&callers), [(1, "fetch")]);
    assert_eq!((callers.results[0].resolution.as_str(), callers.results[0].edge.as_str()), ("external", "call"));
    // By the last part of its name, in any case, and over several edges.
    assert_eq!(ask(&dir, &["callers", "LOADS"]).externals[0].name, "json.loads");
    assert_eq!(names(&ask(&dir, &["impact", "get", "--depth", "2"])), [(1, "fetch"), (2, "twice")]);
    dir.cmd(&["callees", "requests.get"]).run().code(1);
    let text = dir.cmd(&["callers", "requests.get"]).run().code(0);
    assert_eq!(
        text.stdout,
        "external  python requests.get  1 uses\n  a.py:5  function fetch  call at 6, external 0.98\n"
    );
}

#[test]
fn definitions_are_found_by_similar_names_nearest_first() {
    let dir = Dir::indexed(
        "
//- /one/user.py
from one.pool import open_pool
//- /one/pool.py
def open_pool(): ...
def drain(): ...
//- /two/pool.py
def open_pool(): ...
class drain: ...
",
    );
    let find = |args: &[&str]| -> (String, Vec<String>) {
        let output = dir.cmd(&[&["definition"], args, &["--format", "json"]].concat()).run();
        let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        let results = json["results"].as_array().unwrap();
        let place = |d: &serde_json::Value| format!("{} {}", d["path"].as_str().unwrap(), d["name"].as_str().unwrap());
        assert_eq!(output.code, Some(i32::from(results.is_empty())));
        (json["match_kind"].as_str().unwrap().to_owned(), results.iter().map(place).collect())
    };
    let like = |word: &str, places: &[&str]| (word.to_owned(), places.iter().map(|p| (*p).to_owned()).collect());
    let (one, two) = ("one/pool.py open_pool", "two/pool.py open_pool");
    assert_eq!(find(&["open_pool"]), like("exact", &[one, two]));
    assert_eq!(find(&["open_pool", "--from", "two/pool.py"]), like("exact", &[two, one]));
    assert_eq!(find(&["open_pool", "--from", "one/user.py"]), like("exact", &[one, two]));
    assert_eq!(find(&["drain", "--kind", "class"]), like("exact", &["two/pool.py drain"]));
    assert_eq!(find(&["open_pool", "--kind", "class"]), like("other_kind", &[one, two]));
    assert_eq!(find(&["open_p"]), like("prefix", &[one, two]));
    assert_eq!(find(&["open_pol"]), like("fuzzy", &[one, two]));
    assert_eq!(find(&["nothing_like_it"]).1, Vec::<String>::new());
    dir.cmd(&["definition", "drain", "--from", "three.py"]).run().failed(&["no file 'three.py'"]);
    let text = dir.cmd(&["definition", "one/pool.py:1"]).run().code(0);
    assert_eq!(text.stdout, "one/pool.py:1  function open_pool\n    def open_pool()\n");
}

#[test]
fn related_symbols_are_found() {
    let dir = Dir::indexed(PROJECT);
    let output = dir.cmd(&["related", "Pool.grow", "--format", "json"]).run().code(0);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let results = json["results"].as_array().unwrap();
    let names: Vec<&str> = results.iter().map(|r| r["qualified_name"].as_str().unwrap()).collect();
    assert!(names.contains(&"Pool.acquire") && names.contains(&"connect") && !names.contains(&"lonely"), "{names:?}");
    let strengths: Vec<f64> = results.iter().map(|r| r["association"].as_f64().unwrap()).collect();
    assert!(strengths.is_sorted_by(|a, b| a >= b) && strengths.iter().all(|s| *s > 0.0 && *s <= 1.0), "{strengths:?}");
    dir.cmd(&["related", "no_such_name"]).run().code(1);
    dir.cmd(&["related", "pool.py", "-n", "2"]).run().code(0);
}
