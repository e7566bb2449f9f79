//! `sextant lsp` as an editor uses it: frames over pipes, positions, unsaved text, edited files.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::harness::Dir;

const PROJECT: &str = "
//- /pool.py
class Pool:
    \"\"\"Connections that are reused.\"\"\"

    def acquire(self):
        \"\"\"Takes a connection out of the pool.\"\"\"
        return self.grow()

    def grow(self):
        return 1


class Small(Pool):
    def grow(self):
        return 0
//- /app.py
from pool import Pool


def run():
    pool = Pool()
    größe = pool.acquire(); pool.acquire()
    return größe
";

/// An editor with one folder.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i64,
    folder: String,
}

impl Editor {
    fn start(dir: &Dir, args: &[&str], encodings: &[&str]) -> (Self, Value) {
        let mut child = dir.cmd(&[&["lsp", "--index", "index"], args].concat()).spawn_open();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let folder = uri(&dir.path("src"));
        let mut editor = Self { child, input, output, next: 0, folder };
        let started = editor.ask(
            "initialize",
            &json!({
                "processId": null,
                "capabilities": {"general": {"positionEncodings": encodings}},
                "workspaceFolders": [{"uri": editor.folder, "name": "src"}],
            }),
        );
        editor.tell("initialized", &json!({}));
        (editor, started)
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    /// Sends a request and returns its result or its error.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        loop {
            let answer = self.read();
            if answer["id"] == self.next {
                return if answer["error"].is_null() { answer["result"].clone() } else { answer["error"].clone() };
            }
        }
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            match line.trim_end().split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn at(&self, file: &str, line: u32, character: u32) -> Value {
        json!({
            "textDocument": {"uri": format!("{}/{file}", self.folder)},
            "position": {"line": line, "character": character},
            "context": {"includeDeclaration": true},
        })
    }

    /// The places of an answer: file, line, first and last column.
    fn places(&mut self, method: &str, file: &str, line: u32, character: u32) -> Vec<String> {
        let params = self.at(file, line, character);
        let answer = self.ask(method, &params);
        let places = answer.as_array().into_iter().flatten();
        places.map(|place| self.place(&place["uri"], &place["range"])).collect()
    }

    fn place(&self, uri: &Value, range: &Value) -> String {
        let file = uri.as_str().unwrap().strip_prefix(&self.folder).unwrap().trim_start_matches('/').to_owned();
        let (start, end) = (&range["start"], &range["end"]);
        format!("{file}:{}:{}-{}", start["line"], start["character"], end["character"])
    }

    /// Says goodbye and waits for the end.
    fn stop(mut self) {
        assert_eq!(self.ask("shutdown", &Value::Null), Value::Null);
        self.tell("exit", &Value::Null);
        assert!(self.child.wait().unwrap().success());
    }
}

fn uri(path: &Path) -> String {
    let path = path.to_str().unwrap().replace('\\', "/");
    format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
}

#[test]
fn an_editor_navigates() {
    let dir = Dir::indexed(PROJECT);
    let (mut editor, started) = Editor::start(&dir, &[], &["utf-8", "utf-16"]);
    assert_eq!(started["capabilities"]["positionEncoding"], "utf-8");
    // The name of a call, of a class in a call, and of an import; from inside and from the end.
    let definition = "textDocument/definition";
    assert_eq!(editor.places(definition, "app.py", 5, 19), ["pool.py:3:8-15"]);
    assert_eq!(editor.places(definition, "app.py", 4, 15), ["pool.py:0:6-10"]);
    assert_eq!(editor.places(definition, "app.py", 0, 18), ["pool.py:0:6-10"]);
    assert_eq!(editor.places("textDocument/declaration", "pool.py", 5, 21), ["pool.py:7:8-12"]);
    assert_eq!(editor.places(definition, "app.py", 3, 1), Vec::<String>::new());
    // A local variable is no symbol of the index.
    assert_eq!(editor.places(definition, "app.py", 6, 12), Vec::<String>::new());
    let references = editor.places("textDocument/references", "pool.py", 3, 10);
    assert_eq!(references, ["pool.py:3:8-15", "app.py:5:19-26", "app.py:5:35-42"]);
    assert_eq!(editor.places("textDocument/implementation", "pool.py", 0, 7), ["pool.py:11:6-11"]);
    assert_eq!(editor.places("textDocument/implementation", "pool.py", 7, 9), ["pool.py:12:8-12"]);

    let params = editor.at("app.py", 5, 19);
    let hover = editor.ask("textDocument/hover", &params);
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("def acquire(self)") && text.contains("Takes a connection"), "{text}");
    assert!(text.contains("`pool.py:4`, 1 caller"), "{text}");

    let params = editor.at("pool.py", 0, 0);
    let outline = editor.ask("textDocument/documentSymbol", &params);
    let names = |symbols: &Value| -> Vec<String> {
        symbols.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        (names(&outline), names(&outline[0]["children"])),
        (vec!["Pool".into(), "Small".into()], vec!["acquire".into(), "grow".into()])
    );
    assert_eq!(outline[0]["selectionRange"]["start"], json!({"line": 0, "character": 6}));
    let found = editor.ask("workspace/symbol", &json!({"query": "acq"}));
    assert_eq!((found[0]["name"].as_str(), found[0]["containerName"].as_str()), (Some("acquire"), Some("Pool")));
    assert_eq!(editor.ask("workspace/symbol", &json!({"query": ""})), json!([]));
    editor.stop();
}

#[test]
fn an_editor_follows_hierarchies() {
    let dir = Dir::indexed(PROJECT);
    let (mut editor, _) = Editor::start(&dir, &[], &[]);
    let params = editor.at("pool.py", 3, 10);
    let prepared = editor.ask("textDocument/prepareCallHierarchy", &params);
    assert_eq!((prepared[0]["name"].as_str(), prepared.as_array().unwrap().len()), (Some("Pool.acquire"), 1));
    let incoming = editor.ask("callHierarchy/incomingCalls", &json!({"item": prepared[0]}));
    assert_eq!(
        (incoming[0]["from"]["name"].as_str(), incoming[0]["fromRanges"].as_array().unwrap().len()),
        (Some("run"), 2)
    );
    // UTF-16: two letters of the line take two bytes.
    assert_eq!(incoming[0]["fromRanges"][0]["start"], json!({"line": 5, "character": 17}));
    let outgoing = editor.ask("callHierarchy/outgoingCalls", &json!({"item": prepared[0]}));
    assert_eq!(outgoing[0]["to"]["name"], "Pool.grow");
    let params = editor.at("pool.py", 11, 8);
    let small = editor.ask("textDocument/prepareTypeHierarchy", &params);
    let above = editor.ask("typeHierarchy/supertypes", &json!({"item": small[0]}));
    assert_eq!(above[0]["name"], "Pool");
    let below = editor.ask("typeHierarchy/subtypes", &json!({"item": above[0]}));
    assert_eq!(below[0]["name"], "Small");
    editor.stop();
}

#[test]
fn edits_move_positions_and_edited_lines_are_unknown() {
    let dir = Dir::indexed(PROJECT);
    let (mut editor, _) = Editor::start(&dir, &[], &["utf-8"]);
    let definition = "textDocument/definition";
    let text = fs_err::read_to_string(dir.path("src/app.py")).unwrap();
    let document = format!("{}/app.py", editor.folder);
    let opened = json!({"uri": document, "languageId": "python", "version": 1, "text": text});
    editor.tell("textDocument/didOpen", &json!({"textDocument": opened}));
    // Two unsaved lines above, and a change within a call.
    let insert = |line: u32, character: u32, text: &str| {
        let place = json!({"line": line, "character": character});
        json!({"range": {"start": place, "end": place}, "text": text})
    };
    let changed = |changes: Value| json!({"textDocument": {"uri": document, "version": 2}, "contentChanges": changes});
    editor.tell("textDocument/didChange", &changed(json!([insert(0, 0, "# one\n# two\n"), insert(6, 4, "x = ")])));
    assert_eq!(editor.places(definition, "app.py", 7, 19), ["pool.py:3:8-15"]);
    assert_eq!(editor.places(definition, "app.py", 5, 19), Vec::<String>::new());
    assert_eq!(editor.places(definition, "app.py", 6, 19), Vec::<String>::new());
    let references = editor.places("textDocument/references", "pool.py", 3, 10);
    assert_eq!(references, ["pool.py:3:8-15", "app.py:7:19-26", "app.py:7:35-42"]);
    editor.tell("textDocument/didClose", &json!({"textDocument": {"uri": document}}));
    assert_eq!(editor.places(definition, "app.py", 5, 19), ["pool.py:3:8-15"]);
    // The file of the definition changes on disk.
    let pool = fs_err::read_to_string(dir.path("src/pool.py")).unwrap();
    dir.write("src/pool.py", format!("\n\n\n{pool}"));
    assert_eq!(editor.places(definition, "app.py", 5, 19), ["pool.py:6:8-15"]);
    fs_err::remove_file(dir.path("src/pool.py")).unwrap();
    assert_eq!(editor.places(definition, "app.py", 5, 19), Vec::<String>::new());
    editor.stop();
}

#[test]
fn strange_requests_are_refused_and_the_next_is_answered() {
    let dir = Dir::indexed(PROJECT);
    let (mut editor, started) = Editor::start(&dir, &[], &["utf-32"]);
    assert_eq!(started["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(editor.ask("textDocument/formatting", &json!({}))["code"], -32601);
    assert_eq!(editor.ask("textDocument/definition", &json!({"position": 3}))["code"], -32602);
    editor.tell("textDocument/didChange", &json!({"nothing": 1}));
    editor.tell("$/setTrace", &json!({"value": "off"}));
    for (file, line, column) in [("gone.py", 0, 0), ("app.py", 9999, 4), ("app.py", 5, u32::MAX), ("..%2Fapp.py", 0, 0)]
    {
        assert_eq!(editor.places("textDocument/definition", file, line, column), Vec::<String>::new(), "{file}:{line}");
    }
    let strange = json!({"item": {"name": "x", "kind": 1, "uri": "file:///x", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "selectionRange": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "data": {"index": 99, "content_id": "", "symbol": 4_000_000_000_u32}}});
    assert_eq!(editor.ask("callHierarchy/incomingCalls", &strange), Value::Null);
    assert_eq!(editor.places("textDocument/definition", "app.py", 5, 19), ["pool.py:3:8-15"]);
    editor.stop();
}

#[test]
fn the_server_ends_with_its_editor() {
    let dir = Dir::indexed(PROJECT);
    let (mut editor, _) = Editor::start(&dir, &[], &[]);
    drop(editor.input);
    editor.child.wait().unwrap();
    let (folder, index) = (dir.path("elsewhere"), dir.path("index"));
    fs_err::create_dir_all(folder).unwrap();
    dir.cmd(&["lsp", "--index", index.join("gone").to_str().unwrap()]).run().failed(&["gone"]);
}

#[test]
fn names_of_modules_lead_to_their_files() {
    let dir = Dir::indexed(
        "
//- /shop/__init__.py
//- /shop/fields.py
class Date:
    pass
//- /app.py
from shop import fields
from shop import fields as known


def run(fields_of):
    fields = fields_of
    fields.clear()
    return known.Date


other = fields.Date
",
    );
    let (mut editor, _) = Editor::start(&dir, &[], &["utf-8"]);
    let definition = "textDocument/definition";
    assert_eq!(editor.places(definition, "app.py", 10, 8), ["shop/fields.py:0:0-0"]);
    assert_eq!(editor.places(definition, "app.py", 7, 11), ["shop/fields.py:0:0-0"]);
    // A local variable of the same name is another thing.
    assert_eq!(editor.places(definition, "app.py", 6, 4), Vec::<String>::new());
    editor.stop();
}
