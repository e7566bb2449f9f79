//! Programs for the tests: commands with a clean environment and limits, and what they say.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Dir, effort};

/// A program that takes longer hangs.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A variable of the environment of the tests.
#[expect(clippy::disallowed_methods, reason = "tests are told by variables, they have no command line")]
pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// A program under test: the one that a variable names, else the one in the folder of the test
/// executable's profile, for instance `target/release`.
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

/// A command in a place.
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

    /// Gives it a text on standard input.
    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.stdin = text.as_bytes().to_vec();
        self
    }

    /// Sets a variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// The same command with at most this much address space, where the shell can say so: an oversized
    /// allocation ends the program.
    pub(crate) fn limit_memory(self, mib: u64) -> Self {
        self.limit("-v", mib << 10)
    }

    /// The same command under a limit of the shell's `ulimit`, where there is one.
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

    /// Starts it with both outputs piped.
    pub(crate) fn spawn(mut self) -> Child {
        let stdin = if self.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
        let mut child = self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if let Some(mut pipe) = child.stdin.take() {
            // Short texts only: they fit into the pipe.
            pipe.write_all(&self.stdin).unwrap();
        }
        child
    }

    /// Starts it with all three piped, for a conversation.
    pub(crate) fn spawn_open(mut self) -> Child {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Output {
        let what = format!("{:?}", self.command);
        finish(self.spawn(), what)
    }
}

/// Waits for a program's end and reads what it writes; one that hangs is a failure.
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

/// What a program said.
pub(crate) struct Output {
    command: String,
    /// The exit code; none after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// The exit code must be this one.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.all());
        self
    }

    /// A failure that says so as all failures do: exit code 2, nothing on standard output, and an
    /// `error:` that has these words.
    #[track_caller]
    pub(crate) fn failed(self, words: &[&str]) -> Self {
        let output = self.code(2);
        assert_eq!(output.stdout, "", "{}", output.all());
        assert!(output.stderr.starts_with("error: "), "{}", output.all());
        assert!(!output.stderr.contains("panicked"), "{}", output.all());
        output.says(words)
    }

    /// Standard error has these words.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "no '{word}' in {}", self.all());
        }
        self
    }

    /// Standard output as one JSON value.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {}", self.all()))
    }

    /// Standard output as JSON lines.
    #[track_caller]
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {}", self.all()));
        self.stdout.lines().map(parse).collect()
    }

    /// Everything, for messages.
    pub(crate) fn all(&self) -> String {
        format!("{}\ncode: {:?}\nstdout: {}\nstderr: {}", self.command, self.code, self.stdout, self.stderr)
    }
}
