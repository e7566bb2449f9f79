//! The process of a server, in a process group of its own, so that what it starts ends with it.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::exchange::Exchange;
use super::frame::{read_frame, write_frame};

/// How often an ending process is looked at.
const POLL: Duration = Duration::from_millis(5);
/// How long the threads at the streams are waited for once the process has ended.
const JOIN_TIME: Duration = Duration::from_millis(200);
/// Bytes of standard error that are kept, the last ones: the reason why a server ended.
const MAX_ERRORS: usize = 2_000;

/// A server's process and the threads at its streams.
pub(super) struct ServerProcess {
    child: Mutex<Box<dyn ChildWrapper>>,
    threads: Vec<JoinHandle<()>>,
    id: u32,
}

impl ServerProcess {
    /// Starts a program and connects its streams.
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        folder: &Path,
        exchange: &Arc<Exchange>,
    ) -> std::io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let mut child = command.spawn()?;
        let id = child.id();
        let streams = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let mut process = Self { child: Mutex::new(child), threads: Vec::new(), id };
        if let (Some(stdin), Some(stdout), Some(stderr)) = streams {
            let errors = Arc::new(Mutex::new(Vec::new()));
            let (kept, shared) = (Arc::clone(&errors), Arc::clone(exchange));
            process.thread("server-stderr", move || keep_errors(stderr, &kept))?;
            process.thread("server-stdin", move || write(stdin, &shared))?;
            let shared = Arc::clone(exchange);
            process.thread("server-stdout", move || read(stdout, &shared, &errors))?;
        }
        Ok(process)
    }

    /// Starts a thread that ends when the process's streams are closed.
    fn thread(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        self.threads.push(Builder::new().name(name.to_owned()).spawn(work)?);
        Ok(())
    }

    pub(super) const fn id(&self) -> u32 {
        self.id
    }

    /// Waits for the process to end by itself, then ends it and everything that it started.
    pub(super) fn end(&mut self, deadline: Instant) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        while Instant::now() < deadline && matches!(child.inner_mut().try_wait(), Ok(None)) {
            sleep(POLL);
        }
        // Also if the process has ended: others of its group may be left.
        let _ = child.start_kill();
        let _ = child.inner_mut().wait();
        drop(child);
        // A program that left the group may keep a stream open; the threads are not waited for then.
        let deadline = Instant::now() + JOIN_TIME;
        for thread in self.threads.drain(..) {
            while !thread.is_finished() && Instant::now() < deadline {
                sleep(POLL);
            }
            if thread.is_finished() {
                let _ = thread.join();
            }
        }
    }
}

/// Reads what the server writes until it stops or breaks the protocol.
fn read(stdout: ChildStdout, exchange: &Exchange, errors: &Mutex<Vec<u8>>) {
    let mut input = BufReader::new(stdout);
    let why = loop {
        match read_frame(&mut input) {
            Ok(Some(body)) => {
                if let Err(error) = exchange.receive(body) {
                    break format!("it sent what is not a message: {error}");
                }
            }
            Ok(None) => break last_words(errors),
            Err(error) => break format!("it broke the protocol: {error}"),
        }
    };
    tracing::info!(why, "language server ended");
    exchange.end(&why);
}

/// Why a server ended: its last line on standard error, if it wrote one.
fn last_words(errors: &Mutex<Vec<u8>>) -> String {
    // Standard error is read by another thread, which may be a moment behind.
    sleep(POLL);
    let errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&errors);
    match text.lines().map(str::trim).rfind(|line| !line.is_empty()) {
        Some(line) => format!("it ended: {}", line.chars().filter(|c| !c.is_control()).take(200).collect::<String>()),
        None => "it ended".to_owned(),
    }
}

/// Writes what the exchange queues until it is closed or the server stops reading.
fn write(mut stdin: ChildStdin, exchange: &Exchange) {
    let Some(outgoing) = exchange.take_outgoing() else { return };
    for body in outgoing {
        if write_frame(&mut stdin, &body).is_err() {
            break;
        }
    }
}

/// Reads standard error to its end, so that the server never waits for it; the last bytes are kept.
fn keep_errors(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..read]);
        let excess = kept.len().saturating_sub(MAX_ERRORS);
        kept.drain(..excess);
    }
}
