//! `sextant-index enrich` against a server that answers as a language model would, and in turns does not.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use serde_json::{Value, json};
use sextant_format::generation::Generation;

use crate::harness::{Dir, walk};
use crate::program::Output;

const PROJECT: &str = "
//- /src/store.py
\"\"\"Keeps rows.\"\"\"


class Store:
    \"\"\"Rows by key.\"\"\"

    def put(self, key, row):
        self.rows[key] = row
        self.size += len(row)
        self.dirty = True
        return self.size

    def drop(self, key):
        row = self.rows.pop(key)
        self.size -= len(row)
        self.dirty = True
        return row
//- /src/report.py
def totals(rows):
    result = {}
    for row in rows:
        result.setdefault(row.key, 0)
        result[row.key] += row.value
    return result
//- /tests/test_store.py
def test_put():
    store = Store()
    store.put('a', [1])
    store.put('b', [2])
    assert store.size == 2
";

/// A word of every summary that no source contains.
const WORD: &str = "quixotic";

/// A server of chat completions. `fails` says which requests, counted from 0, fail, each in another way.
struct Model {
    listener: TcpListener,
    fails: fn(usize) -> bool,
    requests: AtomicUsize,
    /// The code of every item whose answer was sent completely.
    answered: Mutex<Vec<String>>,
    ends: AtomicBool,
}

impl Model {
    fn new(fails: fn(usize) -> bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (requests, answered, ends) = (AtomicUsize::new(0), Mutex::default(), AtomicBool::new(false));
        Self { listener, fails, requests, answered, ends }
    }

    /// Serves while `run` runs with the base address.
    fn serve<T>(&self, run: impl FnOnce(&str) -> T) -> T {
        struct End<'a>(&'a Model);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.ends.store(true, SeqCst);
                drop(TcpStream::connect(self.0.listener.local_addr().unwrap()));
            }
        }
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for stream in self.listener.incoming() {
                    if self.ends.load(SeqCst) {
                        return;
                    }
                    let stream = stream.unwrap();
                    scope.spawn(move || self.answer(stream));
                }
            });
            let _end = End(self);
            run(&format!("http://{}/v1", self.listener.local_addr().unwrap()))
        })
    }

    fn answer(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut length, mut line) = (0, String::new());
        while reader.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut body = vec![0; length];
        if length == 0 || reader.read_exact(&mut body).is_err() {
            return;
        }
        let number = self.requests.fetch_add(1, SeqCst);
        let request: Value = serde_json::from_slice(&body).unwrap();
        let prompt = request["messages"][1]["content"].as_str().unwrap();
        let codes: Vec<&str> =
            prompt.split("```python\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect();
        let items: Vec<Value> = (1..).zip(&codes).map(|(id, code)| item(id, code)).collect();
        let text = if prompt.contains("ITEM 1\n") { json!({"items": items}) } else { items[0].clone() }.to_string();
        let way = if (self.fails)(number) { number % 5 } else { 5 };
        let (status, text) = match way {
            0 => ("429 Too Many Requests\r\nretry-after: 0", text),
            1 => ("200 OK", "Certainly! This code is about rows.".to_owned()),
            2 => ("200 OK", text[..text.len() / 2].to_owned()),
            3 => {
                // Longer than the test's time-out.
                std::thread::sleep(Duration::from_millis(1_500));
                return;
            }
            4 => return,
            _ => ("200 OK", text),
        };
        let body = json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).to_string();
        let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        if stream.write_all(format!("{head}{body}").as_bytes()).is_ok() && way == 5 {
            self.answered.lock().unwrap().extend(codes.iter().map(|code| (*code).to_owned()));
        }
    }
}

fn item(id: usize, code: &str) -> Value {
    let name = code.split(['(', ':']).next().unwrap().trim();
    json!({"id": id, "summary": format!("A {WORD} part, {name}. More."), "keywords": ["k1", "k2"], "purpose": "storage"})
}

fn enrich(dir: &Dir, base: &str, args: &[&str]) -> Output {
    let all = ["enrich", "index", "--endpoint", base, "--model", "m", "--timeout", "1", "--json"];
    dir.index_cmd(&[&all, args].concat()).env("KEY_OF_TEST", "hunter2").run()
}

fn last(output: &Output) -> Value {
    output.json_lines().pop().unwrap()
}

fn content_id(dir: &Dir, index: &str) -> String {
    Generation::open(&dir.path(index)).unwrap().manifest().content_id.clone()
}

/// The qualified names that a search for [`WORD`] finds, with their summaries.
fn found(dir: &Dir, index: &str) -> Vec<(String, Value)> {
    let answer = dir.cmd(&["search", "--index", index, "--format", "json", "--min-score", "0", "--", WORD]).run();
    let answer: Value = serde_json::from_str(&answer.stdout).unwrap();
    let name = |hit: &Value| hit["qualified_name"].as_str().unwrap_or("").to_owned();
    let hits = answer["results"].as_array().unwrap().iter();
    let mut names: Vec<_> = hits
        .filter(|hit| hit["summary"].is_object())
        .flat_map(|hit| {
            let related = hit["related_hits"].as_array().unwrap().iter().map(|related| (name(related), Value::Null));
            [(name(hit), hit["summary"].clone())].into_iter().chain(related).collect::<Vec<_>>()
        })
        .collect();
    names.sort_by(|a, b| a.0.cmp(&b.0));
    names
}

#[test]
fn summaries_are_searched_shown_packed_and_kept_by_builds() {
    let dir = Dir::indexed(PROJECT);
    let plain = content_id(&dir, "index");
    dir.index_cmd(&["pack", "index", "-o", "plain.sxt"]).run().code(0);
    let model = Model::new(|_| false);
    let (dry, first, second) = model.serve(|base| {
        let dry = enrich(&dir, base, &["--dry-run"]);
        assert_eq!(model.requests.load(SeqCst), 0, "a dry run asks nothing");
        let first = enrich(&dir, base, &["--key-variable", "KEY_OF_TEST"]).code(0);
        let asked = model.requests.load(SeqCst);
        let second = enrich(&dir, base, &[]).code(0);
        assert_eq!(model.requests.load(SeqCst), asked, "nothing is asked twice");
        (dry, first, second)
    });
    let estimate = last(&dry.code(0));
    assert_eq!((&estimate["symbols"], &estimate["blocks"]), (&json!(4), &json!(0)), "{estimate}");
    let summary = last(&first);
    assert_eq!((&summary["answered"], &summary["missing"], &summary["summaries"]), (&json!(4), &json!(0), &json!(4)));
    assert_eq!(last(&second)["generation"], Value::Null, "nothing changed");
    dir.assert_whole();
    dir.index_cmd(&["verify", "index"]).run().code(0);
    for (path, absolute) in walk(&dir.index()) {
        let bytes = fs_err::read(absolute).unwrap();
        assert!(!bytes.windows(7).any(|window| window == b"hunter2"), "the key is in {path}");
    }

    // Found by words of the summaries, shown with them, and marked as the model's.
    let names = found(&dir, "index");
    let all: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(all, ["Store", "Store.drop", "Store.put", "totals"]);
    let shown = &names.iter().find(|(name, _)| name == "totals").unwrap().1;
    let expected = json!({
        "summary": format!("A {WORD} part, def totals. More."), "keywords": ["k1", "k2"], "purpose": "storage", "model": "m",
    });
    assert_eq!(shown, &expected);
    for (args, words) in [
        (&["search", "--index", "index", "--", "totals"][..], "part, def totals. (by m)"),
        (&["hover", "--index", "index", "totals"], "More. (by m)"),
        (&["stats", "--index", "index"], "summaries    4 chunks, by m"),
    ] {
        let output = dir.cmd(args).run().code(0);
        assert!(output.stdout.contains(words), "{words}: {}", output.all());
    }
    let enriched = content_id(&dir, "index");
    assert_ne!(enriched, plain);

    // Packs carry them, also onto an index without, whose text must not be reused.
    dir.index_cmd(&["pack", "index", "-o", "enriched.sxt"]).run().code(0);
    dir.cmd(&["pull", "plain.sxt", "-o", "pulled"]).run().code(0);
    dir.cmd(&["pull", "enriched.sxt", "-o", "pulled"]).run().code(0);
    assert_eq!((content_id(&dir, "pulled"), found(&dir, "pulled")), (enriched.clone(), names.clone()));
    dir.cmd(&["pull", "plain.sxt", "-o", "pulled"]).run().code(0);
    assert!(found(&dir, "pulled").is_empty());

    // Builds keep them for unchanged chunks, whatever else they reuse.
    let report = fs_err::read_to_string(dir.path("src/src/report.py")).unwrap();
    dir.write("src/src/report.py", report.replace("+=", "-="));
    dir.build(&["src"]).code(0);
    let all: Vec<String> = found(&dir, "index").into_iter().map(|(name, _)| name).collect();
    assert_eq!(all, ["Store", "Store.drop", "Store.put"]);
    dir.write("src/src/report.py", &report);
    dir.cmd(&["pull", "enriched.sxt", "-o", "pulled"]).run().code(0);
    dir.index_cmd(&["build", "src", "-o", "again", "--base", "pulled"]).run().code(0);
    assert_eq!(content_id(&dir, "again"), enriched, "another build with the summaries of a pulled index");
    dir.index_cmd(&["build", "src", "-o", "again", "--no-reuse"]).run().code(0);
    assert_eq!(content_id(&dir, "again"), enriched, "summaries are no cache");
    let cache = dir.path("cache");
    let overlay = ["overlay", "again", "src", "--cache", cache.to_str().unwrap(), "--json"];
    dir.write("src/tests/test_store.py", "def test_nothing():\n    assert True\n");
    let overlay = dir.index_cmd(&overlay).run().code(0).json();
    let overlay = overlay["index"].as_str().unwrap().to_owned();
    assert_eq!(found(&dir, &overlay).len(), 4);
    dir.tree("src", PROJECT);
    dir.index_cmd(&["build", "src", "-o", "again", "--no-summaries"]).run().code(0);
    assert_eq!(content_id(&dir, "again"), plain);
}

#[test]
fn a_run_that_was_killed_continues_with_a_bad_server() {
    let dir = Dir::indexed(PROJECT);
    let plain = content_id(&dir, "index");
    let model = Model::new(|number| number < 20);
    let args = ["--batch-size", "2", "--concurrency", "2", "--min-lines", "1", "--tests"];
    model.serve(|base| {
        let all = ["enrich", "index", "--endpoint", base, "--model", "m", "--timeout", "1"];
        for millis in [100, 700, 1_500] {
            let mut child = dir.index_cmd(&[&all[..], &args].concat()).spawn();
            std::thread::sleep(Duration::from_millis(millis));
            child.kill().unwrap();
            child.wait().unwrap();
            dir.assert_whole();
        }
        // A chunk whose answers were all useless is asked about again in the next run.
        let runs = (1..).find(|_| enrich(&dir, base, &args).code == Some(0));
        assert!(runs.is_some_and(|runs| runs <= 4), "{runs:?}");
    });
    dir.assert_whole();
    assert_ne!(content_id(&dir, "index"), plain);
    // The class, its methods, the function and the test.
    let mut answered = model.answered.into_inner().unwrap();
    let count = answered.len();
    answered.sort();
    answered.dedup();
    assert_eq!((answered.len(), count), (5, 5), "each chunk was answered once");
}

#[test]
fn failures_say_what_is_left_and_how_to_go_on() {
    let dir = Dir::indexed(PROJECT);
    let plain = content_id(&dir, "index");
    // Nothing listens there.
    let gone = ["enrich", "index", "--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--attempts", "1"];
    let output = dir.index_cmd(&[&gone[..], &["--batch-size", "1"]].concat()).run().code(1);
    output.says(&[
        "error: http://127.0.0.1:9/v1/chat/completions does not answer, 4 chunks are left",
        "hint: run it again",
    ]);
    for (args, words) in [
        (&["--endpoint", "nonsense", "--model", "m"][..], "cannot be used"),
        (&["--endpoint", "https://a:hunter2@example.com", "--model", "m"], "a user or a password"),
        (&["--endpoint", "http://127.0.0.1:9", "--model", "m", "--key-variable", "NO_SUCH"], "NO_SUCH has no key"),
        (&["--endpoint", "http://127.0.0.1:9", "--model", "m", "--language", "klingon"], "is not a language"),
    ] {
        let output = dir.index_cmd(&[&["enrich", "index"], args].concat()).run().failed(&[words]);
        assert!(!output.stdout.contains("hunter2") && !output.stderr.contains("hunter2"), "{}", output.stderr);
    }
    let model = Model::new(|_| false);
    model.serve(|base| {
        let output = enrich(&dir, base, &["--max-tokens", "900", "--batch-size", "1", "--concurrency", "1"]).code(1);
        let summary = last(&output);
        assert_eq!(summary["stopped"], "budget", "{summary}");
        assert!(summary["answered"].as_u64().unwrap() >= 1 && summary["missing"].as_u64().unwrap() >= 1, "{summary}");
        // What was answered is published, and the rest follows.
        assert_ne!(content_id(&dir, "index"), plain);
        let rest = last(&enrich(&dir, base, &[]).code(0));
        assert_eq!(rest["summaries"], 4, "{rest}");
    });
    dir.assert_whole();
}
