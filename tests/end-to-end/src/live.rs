//! `sextant hybrid-search` with a language server that answers, and with servers that behave badly in every way that
//! they can. The server is `formats/servers/testdata/server.py`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::Dir;
use crate::program::Output;

const PROJECT: &str = "
//- /pool.py
class Pool:
    \"\"\"Connections that are reused.\"\"\"

    def acquire_connection(self):
        \"\"\"Takes a connection out of the pool.\"\"\"
        return self.grow_pool()

    def grow_pool(self):
        \"\"\"Opens another connection for the pool.\"\"\"
        return 1
//- /app.py
from pool import Pool


def run_requests(pool: Pool):
    return pool.acquire_connection()


def main_program():
    return run_requests(Pool())
";

/// An index whose Python is asked of the fake server in a mode.
fn project(mode: &str) -> Dir {
    let dir = Dir::indexed(PROJECT);
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats/servers/testdata/server.py");
    let others: String =
        ["basedpyright", "ty", "pylsp"].map(|name| format!("[servers.{name}]\nenabled = false\n")).concat();
    let config = format!("{others}[servers.pyright]\ncommand = ['python3', '{server}', '{mode}']\n");
    dir.write("home/.config/sextant/sextant.toml", config);
    dir
}

/// A search whose relations come from the server as far as it answers in one second.
fn search(dir: &Dir, args: &[&str]) -> Output {
    let query = ["--", "take a connection out of the pool"];
    let fixed = ["hybrid-search", "--index", "index", "--checkout", "src", "--format", "json", "--fusion"];
    dir.cmd(&[&fixed, args, &query].concat()).env("XDG_CONFIG_HOME", dir.path("home/.config").to_str().unwrap()).run()
}

fn edges(answer: &Value) -> Vec<String> {
    let clusters = answer["results"].as_array().unwrap().iter();
    let edges = clusters.flat_map(|cluster| cluster["edges"].as_array().unwrap());
    let mut edges: Vec<String> = edges
        .map(|edge| {
            let live = if edge["live"] == true { "live" } else { "index" };
            format!("{} {} {} {live}", edge["from"], edge["type"], edge["to"]).replace('"', "")
        })
        .collect();
    edges.sort();
    edges
}

#[test]
fn relations_come_from_a_server_and_each_is_marked() {
    let dir = project("good");
    let answer = search(&dir, &["--live-seconds", "20"]).code(0).json();
    assert_eq!(answer["live"]["servers"], json!([{"server": "pyright", "state": "ready"}]), "{answer}");
    assert!(answer["live"]["live_symbols"].as_u64().unwrap() > 0 && answer["live"]["index_symbols"] == 0, "{answer}");
    let live = edges(&answer);
    assert!(live.contains(&"pool.py:Pool:1 references app.py:run_requests:4 live".to_owned()), "{live:?}");
    assert!(live.iter().all(|edge| edge.ends_with("live")), "{live:?}");
    let mut symbols = answer["results"].as_array().unwrap().iter().flat_map(|c| c["symbols"].as_array().unwrap());
    let grow = symbols.find(|symbol| symbol["name"] == "grow_pool").unwrap();
    assert!(grow["is_seed"] == true && grow["raw_code"].as_str().unwrap().contains("return 1"), "{grow}");
    assert!(answer["query_id"].as_str().unwrap().starts_with("hs-20"), "{}", answer["query_id"]);

    let from_index = search(&dir, &["--no-live"]).code(0).json();
    assert_eq!(from_index["live"]["servers"], json!([]));
    let known = edges(&from_index);
    assert!(known.contains(&"app.py:main_program:8 calls app.py:run_requests:4 index".to_owned()), "{known:?}");
}

#[test]
fn a_server_sees_the_checkout_as_it_is_now() {
    let dir = project("good");
    let text = fs_err::read_to_string(dir.path("src/app.py")).unwrap();
    // A line above everything, and a new user, which the index does not know.
    let new = "\n\ndef run_again(pool):\n    return pool.acquire_connection()\n";
    dir.write("src/app.py", format!("import sys\n{text}{new}"));
    let answer = search(&dir, &["--live-seconds", "20"]).code(0).json();
    let live = edges(&answer);
    // Moved functions are found by their places in the index.
    assert!(live.contains(&"app.py:run_requests:4 references app.py:main_program:8 live".to_owned()), "{live:?}");
}

#[test]
fn bad_servers_neither_delay_an_answer_nor_outlive_it() {
    for (mode, expected) in [
        ("silent", "pyright is starting"),
        ("loading", "pyright is not ready: Loading"),
        ("empty", "does not know the symbol"),
        ("slow", "no answer in time"),
        ("crash", "out of luck"),
        ("garbage", "not a header"),
        ("huge", "104857600 bytes"),
        ("deaf", "no answer in time"),
    ] {
        let dir = project(mode);
        let started = Instant::now();
        let answer = search(&dir, &[]).code(0).json();
        // One second for the server, half a second to shut down, and a busy machine.
        assert!(started.elapsed() < Duration::from_secs(20), "{mode}: {:?}", started.elapsed());
        let notes = answer["notes"].to_string();
        assert!(notes.contains(expected), "{mode}: {notes}");
        // The index stands in.
        let known = edges(&answer);
        let expected = "app.py:main_program:8 calls app.py:run_requests:4 index".to_owned();
        assert!(known.contains(&expected), "{mode}: {known:?}");
    }
}

#[test]
fn places_outside_of_the_checkout_are_left_out() {
    let answer = search(&project("wrong"), &["--live-seconds", "20"]).code(0).json();
    assert_eq!(edges(&answer), Vec::<String>::new());
    assert!(answer["live"]["live_symbols"].as_u64().unwrap() > 0, "{answer}");
    let files: Vec<&Value> = answer["results"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|cluster| cluster["symbols"].as_array().unwrap())
        .map(|symbol| &symbol["file_path"])
        .collect();
    assert!(files.iter().all(|file| *file == "pool.py" || *file == "app.py"), "{files:?}");
}

#[test]
fn a_server_that_asks_is_answered() {
    let answer = search(&project("asks"), &["--live-seconds", "20"]).code(0).json();
    assert!(!answer["notes"].to_string().contains("unanswered"), "{}", answer["notes"]);
    assert!(answer["live"]["live_edges"].as_u64().unwrap() > 0, "{answer}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_server_starts_ends_with_it() {
    let dir = project("child");
    search(&dir, &["--live-seconds", "20"]).code(0);
    let id = fs_err::read_to_string(dir.path("src/child.pid")).unwrap();
    let is_gone = || {
        let status = fs_err::read_to_string(format!("/proc/{id}/status"));
        // A process whose parent has not asked for its end is a zombie.
        status.map_or(true, |status| status.contains("State:\tZ"))
    };
    let deadline = Instant::now() + Duration::from_secs(10);
    while !is_gone() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(is_gone(), "process {id} is still running");
}

#[test]
fn a_checkout_cannot_name_programs() {
    let dir = project("good");
    dir.write("sextant.toml", "[servers.pyright]\ncommand = ['./evil']\n");
    search(&dir, &[]).code(2).says(&["[servers] names programs", "user's own"]);
}

#[test]
fn without_a_checkout_or_a_server_the_index_answers_and_says_why() {
    let dir = project("good");
    let answer = dir
        .cmd(&["hybrid-search", "--index", "index", "--checkout", "home", "--format", "json", "--", "pool"])
        .run()
        .json();
    assert!(answer["notes"].to_string().contains("no checkout of src was found"), "{}", answer["notes"]);
    let text = dir.cmd(&["hybrid-search", "--index", "index", "--no-live", "--", "connection pool"]).run().code(0);
    assert!(text.stdout.contains("relations: ") && text.stdout.contains("named by the index"), "{}", text.stdout);
}

/// A command that also asks the server, with time enough.
fn live(dir: &Dir, args: &[&str]) -> Output {
    let fixed = ["--index", "index", "--live", "--live-seconds", "20", "--checkout", "src"];
    let home = dir.path("home/.config");
    dir.cmd(&[args, &fixed].concat()).env("XDG_CONFIG_HOME", home.to_str().expect("a path in UTF-8")).run()
}

#[test]
fn references_are_confirmed_and_added() {
    let dir = project("good");
    let text = fs_err::read_to_string(dir.path("src/app.py")).unwrap();
    let new = "\n\ndef run_again(pool):\n    return pool.acquire_connection()\n";
    dir.write("src/app.py", format!("import sys\n{text}{new}"));
    let answer = live(&dir, &["references", "acquire_connection", "--format", "json"]).code(0).json();
    let group = &answer["results"][0];
    let [known] = group["uses"].as_array().unwrap().as_slice() else { panic!("{group}") };
    // The index has it one line above.
    let text = "return pool.acquire_connection()";
    assert_eq!((&known["text"], &known["live"], &known["start_line"]), (&json!(text), &json!(true), &json!(5)));
    assert_eq!(known["line_now"], 6);
    let [added] = group["live_only"].as_array().unwrap().as_slice() else { panic!("{group}") };
    assert_eq!((&added["path"], &added["start_line"], &added["text"]), (&json!("app.py"), &json!(14), &json!(text)));
    assert_eq!((&added["qualified_name"], &added["key"]), (&json!("run_again"), &Value::Null));
    let live_part = &answer["live"];
    assert_eq!((&live_part["asked"], &live_part["answered"]), (&json!(1), &json!(1)), "{live_part}");

    let text = live(&dir, &["references", "acquire_connection"]).code(0).stdout;
    assert!(text.contains("live, now line 6") && text.contains("named by a language server alone"), "{text}");
    // Without --live nothing is asked, and nothing is marked.
    let plain = dir.cmd(&["references", "acquire_connection", "--index", "index", "--format", "json"]).run().stdout;
    assert!(!plain.contains("\"live"), "{plain}");
}

#[test]
fn definitions_that_the_index_lacks_are_found() {
    let dir = project("good");
    dir.write("src/new.py", "def close_everything():\n    pass\n");
    let answer = live(&dir, &["definition", "close_everything", "--format", "json"]).code(0).json();
    let [found] = answer["live_only"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    assert_eq!((&found["path"], &found["start_line"]), (&json!("new.py"), &json!(1)));
    assert_eq!(found["qualified_name"], "close_everything");

    let known = live(&dir, &["definition", "grow_pool", "--format", "json"]).code(0).json();
    assert_eq!(known["results"][0]["live"], true, "{known}");
    assert!(known.get("live_only").is_none(), "{known}");
    live(&dir, &["definition", "no_such_name_anywhere"]).code(1);
}

#[test]
fn hovers_and_callers_have_what_the_server_says() {
    let dir = project("good");
    let hover = live(&dir, &["hover", "Pool", "--format", "json"]).code(0).json();
    assert_eq!(hover["results"][0]["live_text"], "live: Pool");
    // The server has no hierarchies of calls: its references confirm, and add nothing.
    let callers = live(&dir, &["callers", "run_requests", "--format", "json"]).code(0).json();
    assert_eq!(
        (&callers["results"][0]["name"], &callers["results"][0]["live"]),
        (&json!("main_program"), &json!(true))
    );
    assert!(callers.get("live_only").is_none(), "{callers}");
}

#[test]
fn callers_are_where_the_calls_are() {
    let dir = project("calls");
    let text = fs_err::read_to_string(dir.path("src/pool.py")).unwrap();
    // The name is called by what the index does not know, by itself, and outside of all functions.
    let more = "\n\ndef run_twice(pool):\n    run_requests(pool)\n    run_requests(pool)\n\n\nrun_requests(None)\n";
    dir.write("src/new.py", format!("from app import run_requests{more}"));
    dir.write("src/pool.py", format!("{text}\n\ndef again():\n    return again()\n"));
    let answer = live(&dir, &["callers", "run_requests", "--format", "json"]).code(0).json();
    assert_eq!((&answer["results"][0]["name"], &answer["results"][0]["live"]), (&json!("main_program"), &json!(true)));
    let only: Vec<&str> =
        answer["live_only"].as_array().unwrap().iter().map(|found| found["qualified_name"].as_str().unwrap()).collect();
    assert_eq!(only, ["run_twice"], "{answer}");
    dir.build(&["src"]).code(0);
    let answer = live(&dir, &["callers", "again", "--format", "json"]).json();
    assert!(answer.get("live_only").is_none(), "{answer}");
}

#[test]
fn bad_servers_leave_the_answer_of_the_index() {
    for mode in ["silent", "loading", "empty", "crash", "garbage", "wrong"] {
        let dir = project(mode);
        let started = Instant::now();
        let fixed = ["references", "acquire_connection", "--index", "index", "--live", "--checkout", "src"];
        let home = dir.path("home/.config");
        let answer =
            dir.cmd(&[&fixed[..], &["--format", "json"]].concat()).env("XDG_CONFIG_HOME", home.to_str().unwrap()).run();
        let answer = answer.code(0).json();
        assert_eq!(answer["results"][0]["uses"].as_array().unwrap().len(), 1, "{mode}: {answer}");
        // One second for the server, half a second to shut down, and a busy machine.
        assert!(started.elapsed() < Duration::from_secs(20), "{mode}: {:?}", started.elapsed());
        let group = &answer["results"][0];
        assert!(group.get("live_only").is_none() && group["uses"][0].get("live").is_none(), "{mode}: {group}");
        assert!(mode == "wrong" || answer["live"]["unanswered"].to_string().contains("pyright"), "{mode}: {answer}");
    }
}
