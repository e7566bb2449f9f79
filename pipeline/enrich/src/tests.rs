//! Whole runs against a server of its own that behaves badly in turns.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    ApiKey, Budget, Endpoint, Finished, Item, Journal, Options, Parent, Prices, StopReason, TokenCounts, plan, run,
};

/// What the server does with a request.
#[derive(Clone, Debug)]
enum Turn {
    /// Answers every item.
    Answer,
    /// Another status, with headers and a body.
    Status(&'static str, &'static str, &'static str),
    /// Closes the connection, before or in the middle of a reply.
    Drop { in_reply: bool },
    /// Answers too late.
    Hang,
    /// Answers with this text instead of JSON.
    Say(&'static str),
    /// Answers, but ends the text after so many characters.
    Cut(usize),
}

/// A server; requests get the turns in order, then [`Turn::Answer`].
struct Server {
    listener: TcpListener,
    turns: Mutex<Vec<Turn>>,
    /// The prompts that were answered completely, and the keys that were sent.
    prompts: Mutex<Vec<String>>,
    keys: Mutex<Vec<String>>,
    ends: AtomicBool,
}

impl Server {
    fn new(turns: &[Turn]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let turns = Mutex::new(turns.iter().rev().cloned().collect());
        Self { listener, turns, prompts: Mutex::default(), keys: Mutex::default(), ends: AtomicBool::new(false) }
    }

    fn base(&self) -> String {
        format!("http://{}/v1", self.listener.local_addr().unwrap())
    }

    fn serve(&self) {
        std::thread::scope(|scope| {
            for stream in self.listener.incoming() {
                if self.ends.load(SeqCst) {
                    return;
                }
                scope.spawn(|| self.answer(stream.unwrap()));
            }
        });
    }

    fn end(&self) {
        self.ends.store(true, SeqCst);
        drop(TcpStream::connect(self.listener.local_addr().unwrap()));
    }

    fn answer(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut length, mut line) = (0, String::new());
        while reader.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap(),
                "authorization" => self.keys.lock().unwrap().push(value.trim().to_owned()),
                _ => {}
            }
            line.clear();
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() || length == 0 {
            return;
        }
        let request: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&request["model"], &request["temperature"]), (&json!("m"), &json!(0)));
        let prompt = request["messages"][1]["content"].as_str().unwrap().to_owned();
        let turn = self.turns.lock().unwrap().pop().unwrap_or(Turn::Answer);
        let text = answer_to(&prompt);
        let (text, reason) = match turn {
            Turn::Answer => (text, "stop"),
            Turn::Cut(characters) => (text.chars().take(characters).collect(), "length"),
            Turn::Say(text) => (text.to_owned(), "stop"),
            Turn::Hang => {
                std::thread::sleep(Duration::from_millis(1_500));
                (text, "stop")
            }
            Turn::Drop { in_reply } => {
                if in_reply {
                    drop(stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{\"choices\": [{"));
                }
                return;
            }
            Turn::Status(status, headers, body) => {
                let length = body.len();
                let head =
                    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n");
                drop(stream.write_all(format!("{head}{body}").as_bytes()));
                return;
            }
        };
        let reply = json!({
            "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": reason}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        });
        let body = reply.to_string();
        let length = body.len();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
        if stream.write_all(format!("{head}{body}").as_bytes()).is_ok() {
            self.prompts.lock().unwrap().push(prompt);
        }
    }
}

/// The answer of a good model: each summary repeats the code.
fn answer_to(prompt: &str) -> String {
    let codes: Vec<&str> = prompt.split("```java\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect();
    let one = |code: &str| json!({"summary": format!("About {code}."), "keywords": ["k"], "purpose": "p"});
    if prompt.contains("ITEM 1") {
        let items: Vec<Value> = (1..)
            .zip(&codes)
            .map(|(id, code)| {
                let mut one = one(code);
                one["id"] = json!(id);
                one
            })
            .collect();
        json!({"items": items}).to_string()
    } else {
        one(codes[0]).to_string()
    }
}

const OPTIONS: Options = Options {
    batch_size: 3,
    concurrency: 2,
    attempts: 4,
    first_wait: Duration::from_millis(20),
    budget: Budget { max_tokens: None, max_cost: None },
};

/// Seven symbols, and a block in the first one.
fn items() -> Vec<Item> {
    let item = |at: u8, level: u8| Item {
        key: [at; 16],
        level,
        kind: "method",
        language: "java".to_owned(),
        name: format!("m{at}"),
        members: Vec::new(),
        bytes: 6,
        parent: (level == 2).then_some(Parent::Item(0)),
    };
    (0..7).map(|at| item(at, 1)).chain([item(7, 2)]).collect()
}

/// A run over [`items`] and the server's turns.
fn run_with(server: &Server, path: &std::path::Path, options: &Options, key: Option<&str>) -> Finished {
    std::thread::scope(|scope| {
        scope.spawn(|| server.serve());
        let endpoint =
            Endpoint::new(&server.base(), "m", key.and_then(ApiKey::new), Duration::from_millis(900)).unwrap();
        let journal = Journal::open(path).unwrap();
        let load = |numbers: &[usize]| Ok(numbers.iter().map(|at| format!("code {at}\n")).collect());
        let finished = run(&items(), &load, &endpoint, &journal, options, &|| false, &|_| ());
        server.end();
        finished.unwrap()
    })
}

fn is_complete(finished: &Finished) -> bool {
    finished
        .summaries
        .iter()
        .enumerate()
        .all(|(at, summary)| summary.as_ref().is_some_and(|summary| summary.summary == format!("About code {at}.")))
}

#[test]
fn symbols_come_first_and_nothing_is_asked_twice() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    let server = Server::new(&[]);
    let finished = run_with(&server, &path, &OPTIONS, None);
    assert!(is_complete(&finished), "{finished:?}");
    let prompts = server.prompts.lock().unwrap();
    assert_eq!(prompts.len(), 4, "three batches of symbols and one of a block");
    assert!(prompts[3].contains("- Parent Purpose: About code 0."), "{}", prompts[3]);
    assert_eq!(finished.report.tokens, TokenCounts { input: 400, output: 40 });

    let server = Server::new(&[]);
    let again = run_with(&server, &path, &OPTIONS, None);
    assert!(is_complete(&again) && again.report.known == 8, "{again:?}");
    assert!(server.prompts.lock().unwrap().is_empty());
}

#[test]
fn a_server_that_fails_in_turns_is_asked_until_all_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    let turns = [
        Turn::Status("400 Bad Request", "", "{\"error\": \"the prompt exceeds the maximum context length\"}"),
        Turn::Status("429 Too Many Requests", "retry-after: 0\r\n", "{\"error\": {\"message\": \"slow down\"}}"),
        Turn::Status("503 Service Unavailable", "", ""),
        Turn::Drop { in_reply: false },
        Turn::Drop { in_reply: true },
        Turn::Hang,
        Turn::Say("I am sorry, I cannot do that."),
        Turn::Cut(60),
        Turn::Status("400 Bad Request", "", "{\"error\": {\"message\": \"response_format is not supported\"}}"),
    ];
    let server = Server::new(&turns);
    let finished = run_with(&server, &dir.path().join("answers.jsonl"), &OPTIONS, None);
    assert!(is_complete(&finished), "{finished:?}");
    assert!(finished.report.retries >= 5 && finished.report.skipped.is_empty(), "{:?}", finished.report);
    assert_eq!(finished.report.answered, 8);
}

#[test]
fn a_chunk_without_a_valid_answer_is_skipped_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    // The first batch of three is refused in words, then the first item alone, three times.
    let turns = [Turn::Say("no"), Turn::Say("no"), Turn::Say("{\"summary\": 1}"), Turn::Say("null")];
    let server = Server::new(&turns);
    let options = Options { concurrency: 1, ..OPTIONS };
    let finished = run_with(&server, &dir.path().join("answers.jsonl"), &options, None);
    assert!(finished.summaries[0].is_none() && finished.summaries[1].is_some(), "{finished:?}");
    assert_eq!(finished.report.skipped["its answers are not valid"], 1);
    assert_eq!(finished.report.skipped["the symbol around it has no summary"], 1, "the block in it");
    assert_eq!(finished.report.stop, None);
}

#[test]
fn a_wrong_key_ends_the_run_at_once_and_is_never_shown() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    let refused = Turn::Status("401 Unauthorized", "", "{\"error\": {\"message\": \"Incorrect API key: hunter2\"}}");
    let server = Server::new(&[refused.clone(), refused]);
    let finished = run_with(&server, &path, &OPTIONS, Some("hunter2"));
    assert!(matches!(&finished.report.stop, Some(StopReason::Refused(what)) if what.contains("401")), "{finished:?}");
    assert!(!format!("{finished:?}").contains("hunter2"), "{finished:?}");
    assert!(server.keys.lock().unwrap().iter().all(|key| key == "Bearer hunter2"));
    assert!(!fs_err::read_to_string(&path).unwrap().contains("hunter2"));
    assert!(finished.report.requests <= 2, "{finished:?}");
}

#[test]
fn a_server_that_is_gone_ends_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::new(&[]);
    let base = server.base();
    drop(server);
    let endpoint = Endpoint::new(&base, "m", None, Duration::from_millis(500)).unwrap();
    let journal = Journal::open(&dir.path().join("answers.jsonl")).unwrap();
    let load = |numbers: &[usize]| Ok(numbers.iter().map(|_| String::new()).collect());
    let options = Options { batch_size: 1, attempts: 2, ..OPTIONS };
    let finished = run(&items(), &load, &endpoint, &journal, &options, &|| false, &|_| ()).unwrap();
    assert!(matches!(finished.report.stop, Some(StopReason::Unreachable(_))), "{finished:?}");
    assert!(finished.report.requests <= 8, "{finished:?}");
}

#[test]
fn budgets_end_a_run_before_they_are_exceeded() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    let journal = Journal::open(&path).unwrap();
    let estimate = plan(&items(), "m", &journal, 3);
    assert_eq!((estimate.symbols, estimate.blocks, estimate.requests, estimate.known), (7, 1, 4, 0));
    drop(journal);
    // Enough for one request of three symbols, whose estimate is larger than what the server counts.
    let one = crate::estimate::request_tokens(&items()[..3]);
    let cost = Prices { input: 1e6, output: 1e6 };
    for budget in [
        Budget { max_tokens: Some(one.total() + 50), max_cost: None },
        Budget { max_tokens: None, max_cost: Some((one.total() as f64 + 50.0, cost)) },
    ] {
        let server = Server::new(&[]);
        let options = Options { concurrency: 1, budget, ..OPTIONS };
        let journal = dir.path().join(format!("{:?}", budget.max_tokens));
        let finished = run_with(&server, &journal, &options, None);
        assert_eq!((finished.report.answered, finished.report.stop), (3, Some(StopReason::Budget)));
        // The next run continues.
        let server = Server::new(&[]);
        let finished = run_with(&server, &journal, &OPTIONS, None);
        assert!(is_complete(&finished) && finished.report.answered == 5, "{finished:?}");
    }
}

#[test]
fn an_interruption_keeps_what_was_answered() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    let server = Server::new(&[Turn::Answer, Turn::Hang]);
    let options = Options { concurrency: 1, ..OPTIONS };
    std::thread::scope(|scope| {
        scope.spawn(|| server.serve());
        let endpoint = Endpoint::new(&server.base(), "m", None, Duration::from_secs(9)).unwrap();
        let journal = Journal::open(&path).unwrap();
        let load = |numbers: &[usize]| Ok(numbers.iter().map(|at| format!("code {at}\n")).collect());
        let interrupted = || server.prompts.lock().unwrap().len() == 1;
        let finished = run(&items(), &load, &endpoint, &journal, &options, &interrupted, &|_| ()).unwrap();
        assert_eq!((finished.report.answered, finished.report.stop), (3, Some(StopReason::Interrupted)));
        server.end();
    });
}
