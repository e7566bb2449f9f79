//! Programs for the tests: commands with a clean environment and limits, and their output.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Dir, effort};

/// A program that runs longer counts as hanging.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Returns an environment variable of the tests.
#[expect(clippy::disallowed_methods, reason = "tests have no command line, so variables configure them")]
pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the path of a program under test: from a variable, or in the folder of the test executable's profile, for
/// instance `target/release`.
pub(crate) fn find(name: &str, named_by: &str) -> PathBuf {
    if let Some(path) = variable(named_by) {
        return path.into();
    }
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let path = profile.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let missing = "is not there; run 'cargo build --release --workspace' first";
    assert!(path.is_file(), "{} {missing}, or set {named_by}", path.display());
    path
}

/// A command that runs in a folder.
pub(crate) struct Cmd {
    command: Command,
    stdin: Vec<u8>,
}

impl Cmd {
    pub(crate) fn new(dir: &Dir, program: &Path, args: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(args).current_dir(dir.path("")).env_clear();
        command.env("HOME", dir.path("home")).env("NO_COLOR", "1");
        for name in ["PATH", "TMPDIR", "SystemRoot"] {
            if let Some(value) = variable(name) {
                command.env(name, value);
            }
        }
        Self { command, stdin: Vec::new() }
    }

    /// Passes a text on standard input.
    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.stdin = text.as_bytes().to_vec();
        self
    }

    /// Runs in another folder.
    pub(crate) fn in_folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Limits the address space of the command, if the shell supports that: an oversized allocation then ends the
    /// program.
    pub(crate) fn limit_memory(self, mib: u64) -> Self {
        self.limit("-v", mib << 10)
    }

    /// Sets a limit of the shell's `ulimit`, if there is one.
    pub(crate) fn limit(self, what: &str, most: u64) -> Self {
        if cfg!(not(target_os = "linux")) {
            return self;
        }
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit {what} {most} && exec \"$0\" \"$@\""));
        command.arg(self.command.get_program()).args(self.command.get_args());
        command.current_dir(self.command.get_current_dir().unwrap()).env_clear();
        for (name, value) in self.command.get_envs() {
            command.env(name, value.unwrap());
        }
        Self { command, ..self }
    }

    /// Starts the command with both outputs piped.
    pub(crate) fn spawn(mut self) -> Child {
        let stdin = if self.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
        let mut child = self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if let Some(mut pipe) = child.stdin.take() {
            // The texts are short enough for the buffer of the pipe.
            pipe.write_all(&self.stdin).unwrap();
        }
        child
    }

    /// Starts the command with input and both outputs piped, for a dialogue.
    pub(crate) fn spawn_open(mut self) -> Child {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Runs the command and waits for its end.
    pub(crate) fn run(self) -> Output {
        let what = format!("{:?}", self.command);
        finish(self.spawn(), what)
    }
}

/// Waits for a program's end and reads its output; fails if it hangs.
pub(crate) fn finish(mut child: Child, command: String) -> Output {
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut status = None;
    let limit = TIME_LIMIT * u32::try_from(effort()).unwrap_or(u32::MAX);
    std::thread::scope(|scope| {
        scope.spawn(|| out.as_mut().map(|pipe| pipe.read_to_end(&mut stdout).unwrap()));
        scope.spawn(|| err.as_mut().map(|pipe| pipe.read_to_end(&mut stderr).unwrap()));
        let started = Instant::now();
        while status.is_none() && started.elapsed() < limit {
            std::thread::sleep(Duration::from_millis(1));
            status = child.try_wait().unwrap();
        }
        if status.is_none() {
            child.kill().unwrap();
        }
    });
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("programs write UTF-8");
    let (stdout, stderr) = (text(stdout), text(stderr));
    let Some(status) = status else { panic!("{command} hangs\nstdout: {stdout}\nstderr: {stderr}") };
    Output { command, code: status.code(), stdout, stderr }
}

/// The result of a program.
pub(crate) struct Output {
    command: String,
    /// The exit code; none after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.all());
        self
    }

    /// Asserts a failure in the usual form: exit code 2, nothing on standard output, and an `error:` that contains
    /// these words.
    #[track_caller]
    pub(crate) fn failed(self, words: &[&str]) -> Self {
        let output = self.code(2);
        assert_eq!(output.stdout, "", "{}", output.all());
        assert!(output.stderr.starts_with("error: "), "{}", output.all());
        assert!(!output.stderr.contains("panicked"), "{}", output.all());
        output.says(words)
    }

    /// Asserts that standard error contains these words.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "no '{word}' in {}", self.all());
        }
        self
    }

    /// Checks that standard output contains each of some words.
    #[track_caller]
    pub(crate) fn prints(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stdout.contains(word), "no '{word}' in {}", self.all());
        }
        self
    }

    /// Returns standard output as one JSON value.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {}", self.all()))
    }

    /// Returns standard output as JSON lines.
    #[track_caller]
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {}", self.all()));
        self.stdout.lines().map(parse).collect()
    }

    /// Returns exit code and both outputs, for messages.
    pub(crate) fn all(&self) -> String {
        format!("{}\ncode: {:?}\nstdout: {}\nstderr: {}", self.command, self.code, self.stdout, self.stderr)
    }
}
