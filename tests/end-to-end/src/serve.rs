//! The servers: MCP on standard input and output, HTTP on loopback.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::Dir;

/// A minimal MCP client: one line for each message.
pub(crate) struct Mcp {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
    next: u64,
}

impl Mcp {
    fn open(dir: &Dir, args: &[&str]) -> Self {
        let mut child = dir.cmd(&[&["mcp", "--index", "index"], args].concat()).spawn_open();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out, next: 0 }
    }

    pub(crate) fn start(dir: &Dir) -> Self {
        Self::start_with(dir, &[])
    }

    pub(crate) fn start_with(dir: &Dir, args: &[&str]) -> Self {
        let mut mcp = Self::open(dir, args);
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer = mcp.ask("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "sextant", "{answer}");
        assert!(answer["result"]["instructions"].as_str().unwrap().contains("explore"));
        mcp.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        mcp
    }

    /// Returns the process id of the server.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    fn say(&mut self, message: &Value) {
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
        stdin.flush().unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.hear(&json!(id))
    }

    /// Reads the response to a message.
    fn hear(&mut self, id: &Value) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.out.read_line(&mut line).unwrap() > 0, "the server ended before it answered {id}");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == *id {
                return message;
            }
        }
    }

    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> (String, bool) {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text, result["isError"].as_bool().unwrap_or(false))
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        // The server ends when its client closes standard input.
        drop(self.child.stdin.take());
        let started = Instant::now();
        while self.child.try_wait().unwrap().is_none() && started.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let ended = self.child.try_wait().unwrap();
        let _ = self.child.kill();
        if !std::thread::panicking() {
            assert!(ended.is_some(), "the server outlives its client");
        }
    }
}

#[test]
fn agents_call_every_tool() {
    let dir = Dir::polyglot();
    let mut mcp = Mcp::start(&dir);
    let tools = mcp.ask("tools/list", json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    for name in [
        "search",
        "explore",
        "definition",
        "references",
        "symbols",
        "hover",
        "context",
        "callers",
        "callees",
        "impact",
        "path",
        "related",
        "show",
        "grep",
        "map",
        "stats",
    ] {
        assert!(names.contains(&name), "{name} is missing");
    }
    assert!(
        tools.iter().all(|tool| tool["inputSchema"]["type"] == "object" && tool["annotations"]["readOnlyHint"] == true)
    );
    for (name, arguments, says) in [
        ("search", json!({"query": "takes the item on top away"}), "Stack::pop"),
        ("explore", json!({"query": "how does a loop scrape"}), "scrapeLoop"),
        ("definition", json!({"name": "scrapeLoop.run"}), "go/scrape.go"),
        ("references", json!({"name": "scrapeLoop.scrapeOnce"}), "return sl.scrapeOnce()"),
        ("symbols", json!({"query": "scrape"}), "scrapeLoop.scrapeOnce"),
        ("hover", json!({"name": "NewLoop"}), "NewLoop makes a loop"),
        ("callers", json!({"name": "scrapeLoop.scrapeOnce"}), "scrapeLoop.run"),
        ("callees", json!({"name": "scrapeLoop.run"}), "scrapeOnce"),
        ("impact", json!({"name": "scrapeLoop.scrapeOnce", "depth": 2}), "scrapeLoop.run"),
        ("affected", json!({"names": "scrapeLoop.run"}), "nothing found"),
        ("path", json!({"from": "scrapeLoop.run", "to": "scrapeLoop.scrapeOnce"}), "scrapeOnce"),
        ("related", json!({"name": "scrapeLoop.run"}), "scrapeLoop"),
        ("outline", json!({"file": "go/scrape.go"}), "NewLoop"),
        ("show", json!({"names": ["scrapeLoop.run"]}), "func (sl *scrapeLoop) run() error {"),
        ("grep", json!({"pattern": "interval", "path": "go/**"}), "interval int"),
        ("context", json!({"file": "go/scrape.go", "detail": "brief"}), "scrapeOnce"),
        ("map", json!({}), "go"),
        ("stats", json!({}), "content id"),
    ] {
        let (text, is_error) = mcp.call(name, arguments);
        assert!(!is_error && text.contains(says), "{name} answers {text}");
        assert!(!text.contains('\u{1b}'), "{name} has colours");
    }
}

/// Replays a session of the official SDK (`scripts/mcp-transcript`); the responses must be the same.
#[test]
fn a_recorded_session_is_answered_the_same() {
    let dir = Dir::polyglot();
    let mut mcp = Mcp::open(&dir, &[]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/transcripts/mcp.jsonl");
    let transcript = fs_err::read_to_string(path).unwrap();
    let messages: Vec<Value> = transcript.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut compared = 0;
    for asked in messages.iter().filter_map(|message| message.get("client")) {
        mcp.say(asked);
        let Some(id) = asked.get("id") else { continue };
        let told = messages.iter().filter_map(|message| message.get("server")).find(|told| told["id"] == *id).unwrap();
        let answer = mcp.hear(id);
        // The name and the size of the index differ from run to run.
        if asked["params"]["name"] != "stats" {
            assert_eq!(answer, *told, "{asked}: if this is meant, run scripts/mcp-transcript");
        }
        compared += 1;
    }
    assert!(compared > 25);
}

#[test]
fn errors_are_explained_to_agents_and_long_answers_continue() {
    let dir = Dir::polyglot();
    let mut mcp = Mcp::start(&dir);
    for (name, arguments, says) in [
        ("definition", json!({}), "missing field `name`"),
        ("definition", json!({"name": "x", "nonsense": 1}), "nonsense"),
        ("definition", json!({"name": "x", "kind": ["nonsense"]}), "nonsense"),
        ("grep", json!({"pattern": "("}), "cannot be understood"),
        ("search", json!({"query": "x", "mode": "nonsense"}), "fusion"),
        ("search", json!({"query": "x", "max_tokens": "many"}), "max_tokens"),
    ] {
        let (text, is_error) = mcp.call(name, arguments);
        assert!(is_error && text.contains(says), "{name} answers {text}");
    }
    let (text, is_error) = mcp.call("definition", json!({"name": "scrapeLop"}));
    assert!(!is_error && text.contains("scrapeLoop"), "{text}");
    assert_eq!(mcp.ask("tools/call", json!({"name": "nonsense"}))["error"]["code"], -32602);
    assert_eq!(mcp.ask("no/such/method", json!({}))["error"]["code"], -32601);

    let (whole, _) = mcp.call("outline", json!({"file": "rust/stack.rs"}));
    let (mut parts, mut from) = (String::new(), 0);
    for _ in 0..50 {
        let (part, _) = mcp.call("outline", json!({"file": "rust/stack.rs", "max_tokens": 20, "continue_from": from}));
        let Some((body, cut)) = part.split_once("[cut: ") else {
            parts.push_str(&part);
            break;
        };
        parts.push_str(body);
        from = cut.split_once("\"continue_from\": ").unwrap().1.trim_end_matches([']', '\n']).parse().unwrap();
    }
    assert_eq!(parts, whole);
}

#[test]
fn files_are_resources() {
    let dir = Dir::polyglot();
    let mut mcp = Mcp::start(&dir);
    let listed = mcp.ask("resources/list", json!({}));
    let resources = listed["result"]["resources"].as_array().unwrap();
    let go = resources.iter().find(|r| r["uri"].as_str().unwrap().ends_with("/go/scrape.go")).unwrap();
    let read = mcp.ask("resources/read", json!({"uri": go["uri"]}));
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().starts_with("package scrape"));
    for wrong in ["sextant://x", "sextant://index/../../etc/passwd", "file:///etc/passwd", ""] {
        assert!(mcp.ask("resources/read", json!({"uri": wrong}))["error"].is_object(), "{wrong}");
    }
    assert!(mcp.ask("resources/list", json!({"cursor": "nonsense"}))["error"].is_object());
}

#[test]
fn a_session_continues_in_the_new_generation() {
    let dir = Dir::indexed("//- /a.py\ndef first():\n    return 1\n");
    let mut mcp = Mcp::start(&dir);
    assert!(mcp.call("definition", json!({"name": "first"})).0.contains("a.py:1"));
    dir.write("src/a.py", "def other():\n    return 2\n");
    dir.build(&["src"]).code(0);
    let started = Instant::now();
    while !mcp.call("definition", json!({"name": "other"})).0.contains("a.py:1") {
        assert!(started.elapsed() < Duration::from_secs(20), "the new generation is not seen");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A server on its own port.
pub(crate) struct Http {
    child: Child,
    pub(crate) address: String,
    /// Its standard error, open while it runs.
    _stderr: BufReader<std::process::ChildStderr>,
}

impl Http {
    fn start(dir: &Dir, args: &[&str]) -> Self {
        Self::serve(dir, &[&["--index", "index"], args].concat())
    }

    pub(crate) fn serve(dir: &Dir, args: &[&str]) -> Self {
        let all = [&["serve", "--listen", "127.0.0.1:0"], args].concat();
        let mut child = dir.cmd(&all).spawn();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        // Warnings may come before.
        let mut printed = String::new();
        let address = loop {
            let mut line = String::new();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "{printed}");
            if let Some(address) = line.trim().strip_prefix("listening on http://") {
                break address.to_owned();
            }
            printed += &line;
        };
        Self { child, address, _stderr: stderr }
    }

    /// Sends the bytes of a request; returns status and body of the response.
    pub(crate) fn raw(&self, request: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, text.split_once("\r\n\r\n").map_or_else(String::new, |(_, body)| body.to_owned()))
    }

    pub(crate) fn get(&self, path: &str, headers: &str) -> (u16, String) {
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n").as_bytes())
    }

    fn post(&self, path: &str, body: &str) -> (u16, String) {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        self.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn http_answers_what_the_command_line_does() {
    let dir = Dir::polyglot();
    let http = Http::start(&dir, &[]);
    let (status, body) = http.get("/api/v1/definition?name=scrapeLoop.run&limit=3", "");
    let by_command = dir.cmd(&["definition", "--index", "index", "--format", "json", "scrapeLoop.run"]).run();
    assert_eq!((status, body.trim_end()), (200, by_command.stdout.trim_end()));
    let (status, body) = http.post("/api/v1/search", r#"{"query": "Stack.pop", "limit": 2}"#);
    let found: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &found["results"][0]["qualified_name"]), (200, &json!("Stack::pop")));
    let (_, text) = http.get("/api/v1/outline?file=go%2Fscrape.go", "Accept: text/plain\r\n");
    assert!(text.contains("NewLoop") && !text.contains('\u{1b}'), "{text}");
    let (_, health) = http.get("/health", "");
    assert!(health.contains("\"status\":\"ok\"") && health.contains("gen-000001"), "{health}");
    let (_, openapi) = http.get("/openapi.json", "");
    let openapi: Value = serde_json::from_str(&openapi).unwrap();
    assert!(openapi["paths"]["/api/v1/explore"]["post"].is_object());
    let (_, metrics) = http.get("/metrics", "");
    assert!(metrics.contains("sextant_requests_total{call=\"search\",status=\"200\"} 1"), "{metrics}");
}

#[test]
fn http_refuses_what_is_wrong() {
    let dir = Dir::polyglot();
    let http = Http::start(&dir, &["--max-body", "1000", "--timeout", "1"]);
    for (path, status) in [
        ("/api/v1/definition", 400),
        ("/api/v1/definition?name=x&nonsense=1", 400),
        ("/api/v1/search?query=x&limit=many", 400),
        ("/api/v1/grep?pattern=(", 400),
        ("/api/v1/nonsense", 404),
        ("/no-such-file.js", 404),
        ("/api/v1/../../etc/passwd", 404),
    ] {
        let (found, body) = http.get(path, "");
        assert_eq!(found, status, "{path} {body}");
        assert!(serde_json::from_str::<Value>(&body).unwrap()["error"].is_string(), "{path} {body}");
    }
    assert_eq!(http.post("/api/v1/search", "{nonsense").0, 400);
    assert_eq!(http.post("/api/v1/search", "[1]").0, 400);
    assert_eq!(http.post("/api/v1/search", &format!("{{\"query\": \"{}\"}}", "x".repeat(2000))).0, 413);
    // DNS rebinding: another site's host name that resolves to this machine.
    for (host, status) in [("evil.example:7700", 403), ("10.0.0.1", 403), ("127.0.0.1:80", 200), ("[::1]:7700", 200)] {
        let asked = http.raw(format!("GET /health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes());
        assert_eq!(asked.0, status, "{host}");
    }
    assert_eq!(http.raw(b"DELETE /api/v1/search HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").0, 405);
    assert_eq!(http.raw(b"\x00\x01\x02 nonsense\r\n\r\n").0, 400);
    // A client that sends too slowly is refused, before and within the body.
    let started = Instant::now();
    http.raw(b"GET /api/v1/stats HTTP/1.1\r\nHost: localhost\r\n");
    assert_eq!(http.raw(b"POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{").0, 408);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(http.get("/health", "").0, 200);
}

#[test]
fn a_token_keeps_others_out() {
    let dir = Dir::polyglot();
    dir.write("token", "secret\n");
    let http = Http::start(&dir, &["--token-file", "token"]);
    assert_eq!(http.get("/api/v1/stats", "").0, 401);
    assert_eq!(http.get("/api/v1/stats", "Authorization: Bearer secre\r\n").0, 401);
    assert_eq!(http.get("/api/v1/stats", "Authorization: Bearer secret\r\n").0, 200);
    assert_eq!(http.post("/mcp", "{}").0, 401);
    assert_eq!(http.get("/health", "").0, 200);
    dir.write("empty", "\n");
    dir.cmd(&["serve", "--index", "index", "--token-file", "empty"]).run().failed(&["empty"]);
}

#[test]
fn no_request_fails_while_the_generation_changes() {
    let dir = Dir::indexed("//- /a.py\ndef first():\n    return 1\n");
    let http = Http::start(&dir, &[]);
    let seen = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (http, seen) = (&http, &seen);
        for _ in 0..3 {
            scope.spawn(move || {
                let started = Instant::now();
                while !seen.load(std::sync::atomic::Ordering::Relaxed) {
                    assert!(started.elapsed() < Duration::from_secs(40), "the new generation is not seen");
                    for call in ["stats?", "search?query=return", "map?", "definition?name=newest"] {
                        let (status, body) = http.get(&format!("/api/v1/{call}"), "");
                        assert_eq!(status, 200, "{call} {body}");
                        if call.starts_with("definition") && body.contains("a.py") {
                            seen.store(true, std::sync::atomic::Ordering::Relaxed);
                        }
                    }
                }
            });
        }
        for n in 0..3 {
            let name = if n == 2 { "newest" } else { "between" };
            dir.write("src/a.py", format!("def {name}():\n    return {n}\n"));
            dir.build(&["src"]).code(0);
        }
    });
}

#[test]
fn answers_about_whole_indexes_are_kept_until_the_generation_changes() {
    let dir = Dir::indexed("//- /a.py\ndef first():\n    return 1\n");
    let http = Http::start(&dir, &[]);
    let ask = |call: &str| http.get(&format!("/api/v1/{call}"), "").1;
    let before = [ask("map"), ask("stats"), ask("map?without_tests=true")];
    assert_eq!(before, [ask("map"), ask("stats"), ask("map?without_tests=true")]);
    dir.write("src/b/b.py", "def second():\n    return 2\n");
    dir.build(&["src"]).code(0);
    let started = Instant::now();
    while ask("map") == before[0] || ask("stats") == before[1] {
        assert!(started.elapsed() < Duration::from_secs(20), "the new generation is not seen");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(ask("map").contains("\"path\":\"b\""), "{}", ask("map"));
}

#[cfg(target_os = "linux")]
#[test]
fn colours_come_back_after_their_program_was_killed() {
    let dir = Dir::indexed("//- /a.py\ndef first():\n    return 1\n//- /b.py\nx = 'a'\n");
    let http = Http::start(&dir, &[]);
    let show = |file: &str| http.post("/api/v1/show", &format!("{{\"names\": [\"{file}\"], \"spans\": true}}")).1;
    assert!(show("a.py").contains("[1,0,3,\"keyword\"]"), "{}", show("a.py"));
    // The only child of the server.
    let server = http.child.id();
    let children = fs_err::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap_or_default();
    let tasks = fs_err::read_dir(format!("/proc/{server}/task")).unwrap();
    let of_task = |task: fs_err::DirEntry| fs_err::read_to_string(task.path().join("children")).unwrap_or_default();
    let all: String = tasks.flatten().map(of_task).chain([children]).collect::<Vec<_>>().join(" ");
    let child = all.split_whitespace().next().expect("a running program").to_owned();
    assert!(std::process::Command::new("kill").args(["-9", &child]).status().unwrap().success());
    assert!(show("b.py").contains("[1,4,7,\"string\"]"), "{}", show("b.py"));
}

#[cfg(unix)]
#[test]
fn a_server_ends_on_a_signal() {
    let dir = Dir::polyglot();
    let mut http = Http::start(&dir, &[]);
    let kill = std::process::Command::new("kill").args(["-TERM", &http.child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let started = Instant::now();
    let status = loop {
        if let Some(status) = http.child.try_wait().unwrap() {
            break status;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "the server still runs");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(0));
}

#[test]
fn install_prints_and_writes_client_settings() {
    let dir = Dir::polyglot();
    let printed = dir.cmd(&["mcp", "--index", "index", "--install", "cursor"]).run().code(0);
    assert!(printed.stdout.contains("\"mcpServers\"") && printed.stdout.contains(".cursor/mcp.json"));
    dir.cmd(&["mcp", "--index", "index", "--install", "claude-code", "--write"]).run().code(0);
    let written: Value = serde_json::from_str(&fs_err::read_to_string(dir.path(".mcp.json")).unwrap()).unwrap();
    let server = &written["mcpServers"]["sextant"];
    assert!(server["args"][2].as_str().unwrap().ends_with("/index"), "{server}");
    let laid = dir.cmd(&["mcp", "--index", "index", "--overlay", "a=src", "--install", "cursor"]).run().code(0);
    let server: Value = serde_json::from_str(laid.stdout.split("\n\nPut").next().unwrap()).unwrap();
    let arguments = server["mcpServers"]["sextant"]["args"].as_array().unwrap();
    assert!(arguments[4].as_str().unwrap().starts_with("a=/"), "{arguments:?}");
    dir.cmd(&["mcp", "--index", "index", "--install", "nonsense"]).run().code(2);
}
