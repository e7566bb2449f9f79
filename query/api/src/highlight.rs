//! Texts to classes of highlighting, by `sextant-index`, which has the grammars. It is started when the first text is
//! coloured, and stopped with the last index. Colours are never worth an error: what fails or takes too long has none.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::indexer;
use crate::responses::Span;

/// How long a text may take. A language's first text takes up to a second more than others.
const DEADLINE: Duration = Duration::from_secs(4);
/// Texts whose spans are kept: those that a page asks for part by part.
const MAX_KEPT: usize = 8;

/// Colours texts.
pub(crate) struct Highlighter {
    hasher: RandomState,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    worker: Option<Worker>,
    /// Spans by the hash of language and text, the newest last.
    kept: VecDeque<(u64, Arc<[Span]>)>,
}

/// The running program.
struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    /// Reads what it answers; ends with it.
    reader: Option<JoinHandle<()>>,
}

#[derive(Deserialize)]
struct Answer {
    spans: Vec<Span>,
}

impl Highlighter {
    pub(crate) fn new() -> Self {
        Self { hasher: RandomState::new(), state: Mutex::default() }
    }

    /// Returns the spans of a text, line by line from 1; none where it cannot be coloured.
    pub(crate) fn spans(&self, language: &str, text: &str) -> Arc<[Span]> {
        let hash = self.hasher.hash_one((language, text));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, spans)) = state.kept.iter().find(|(kept, _)| *kept == hash) {
            return Arc::clone(spans);
        }
        let spans: Arc<[Span]> = state.ask(language, text).into();
        state.kept.push_back((hash, Arc::clone(&spans)));
        if state.kept.len() > MAX_KEPT {
            state.kept.pop_front();
        }
        spans
    }
}

impl State {
    /// Asks the running program, or starts one. If it ended since the text before, another one is asked.
    fn ask(&mut self, language: &str, text: &str) -> Vec<Span> {
        let request = json!({ "language": language, "text": text }).to_string();
        let running = self.worker.take();
        let was_running = running.is_some();
        let Some(mut worker) = running.or_else(Worker::start) else { return Vec::new() };
        let mut asked = worker.ask(&request);
        if was_running && matches!(asked, Asked::Ended) {
            let Some(another) = Worker::start() else { return Vec::new() };
            worker = another;
            asked = worker.ask(&request);
        }
        // One that is stuck is stopped: the next text has another.
        let Asked::Answered(spans) = asked else { return Vec::new() };
        self.worker = Some(worker);
        spans
    }
}

/// What became of a request.
enum Asked {
    Answered(Vec<Span>),
    /// The program has ended.
    Ended,
    /// It did not answer in time, or not as agreed.
    Failed,
}

impl Worker {
    fn ask(&mut self, request: &str) -> Asked {
        if writeln!(self.input, "{request}").and_then(|()| self.input.flush()).is_err() {
            return Asked::Ended;
        }
        match self.answers.recv_timeout(DEADLINE) {
            Ok(answer) => {
                serde_json::from_str::<Answer>(&answer).map_or(Asked::Failed, |one| Asked::Answered(one.spans))
            }
            Err(RecvTimeoutError::Disconnected) => Asked::Ended,
            Err(RecvTimeoutError::Timeout) => Asked::Failed,
        }
    }

    fn start() -> Option<Self> {
        let mut command = Command::new(indexer::program());
        command.arg("highlight").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        let (input, output) = (child.stdin.take()?, child.stdout.take()?);
        let (send, answers) = sync_channel(1);
        let read = move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        };
        let reader = Builder::new().name("highlight".to_owned()).spawn(read).ok();
        Some(Self { child, input, answers, reader })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Nobody waits for an answer any more, so the thread cannot wait for somebody to take one.
        self.answers = sync_channel(0).1;
        drop(self.reader.take().map(JoinHandle::join));
    }
}
