//! Folders and programs for the tests: a temporary place with file trees in it, and commands that run
//! there with a clean environment and a time limit.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A program that takes longer hangs.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A temporary place: `src` is the tree to index, `index` the artifact, `home` the user's home.
pub(crate) struct Dir {
    temp: TempDir,
}

impl Dir {
    /// A place with nothing in it.
    pub(crate) fn empty() -> Self {
        let temp = tempfile::Builder::new().prefix("sextant-it-").tempdir().unwrap();
        fs_err::create_dir(temp.path().join("home")).unwrap();
        Self { temp }
    }

    /// A place whose `src` holds the files of a fixture.
    pub(crate) fn with(fixture: &str) -> Self {
        let dir = Self::empty();
        dir.tree("src", fixture);
        dir
    }

    /// A place whose `src` is indexed.
    pub(crate) fn indexed(fixture: &str) -> Self {
        let dir = Self::with(fixture);
        dir.build(&["src"]).code(0);
        dir
    }

    /// A path below the place.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.temp.path().join(below)
    }

    /// The artifact.
    pub(crate) fn index(&self) -> PathBuf {
        self.path("index")
    }

    /// The folder of the current generation.
    pub(crate) fn generation(&self) -> PathBuf {
        let current = fs_err::read_to_string(self.path("index/CURRENT")).unwrap();
        self.index().join(current.trim_end())
    }

    /// Writes a file and the folders above it.
    pub(crate) fn write(&self, below: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, bytes).unwrap();
        path
    }

    /// Writes the files of a fixture, which begin with lines like `//- /src/main.rs`.
    pub(crate) fn tree(&self, below: &str, fixture: &str) {
        fs_err::create_dir_all(self.path(below)).unwrap();
        for (path, text) in files(fixture) {
            self.write(&format!("{below}/{path}"), text);
        }
    }

    /// A command of the indexing program.
    pub(crate) fn index_cmd(&self, args: &[&str]) -> Cmd {
        Cmd::new(self, &program("sextant-index", "SEXTANT_INDEX_BIN"), args)
    }

    /// A command of the searching program.
    pub(crate) fn cmd(&self, args: &[&str]) -> Cmd {
        Cmd::new(self, &program("sextant", "SEXTANT_BIN"), args)
    }

    /// `sextant-index build ... -o index` with few threads, since many tests run side by side.
    pub(crate) fn build_cmd(&self, args: &[&str]) -> Cmd {
        let mut all = vec!["build", "-o", "index"];
        if !args.contains(&"--threads") {
            all.extend(["--threads", "2"]);
        }
        all.extend(args);
        self.index_cmd(&all)
    }

    /// Runs [`Dir::build_cmd`].
    pub(crate) fn build(&self, args: &[&str]) -> Output {
        self.build_cmd(args).run()
    }

    /// `sextant search --format json ...` on the artifact.
    pub(crate) fn search(&self, args: &[&str]) -> Output {
        self.cmd(&[&["search", "--index", "index", "--format", "json"], args].concat()).run()
    }

    /// `sextant verify`, which must find the artifact whole.
    pub(crate) fn assert_whole(&self) {
        self.cmd(&["verify", "--index", "index"]).run().code(0);
    }

    /// What lies in a folder, sorted.
    pub(crate) fn names(&self, below: &str) -> Vec<String> {
        let mut names: Vec<String> = fs_err::read_dir(self.path(below))
            .map(|entries| entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect())
            .unwrap_or_default();
        names.sort();
        names
    }

    /// Nothing is published in a folder, and nothing half-made lies about.
    pub(crate) fn assert_nothing_published(&self, index: &str) {
        let names = self.names(index);
        let made = |name: &&String| **name == "CURRENT" || name.starts_with("gen-") || name.starts_with("staging-");
        assert_eq!(names.iter().find(made), None, "{names:?}");
    }
}

/// Paths and texts of a fixture.
pub(crate) fn files(fixture: &str) -> Vec<(&str, &str)> {
    let mut files = Vec::new();
    for section in fixture.split("//- /").skip(1) {
        let (path, text) = section.split_once('\n').unwrap();
        files.push((path.trim_end(), text));
    }
    assert!(!files.is_empty() || fixture.trim().is_empty(), "a fixture's files begin with '//- /path'");
    files
}

/// The folder of the test executable's profile, for instance `target/release`.
fn program(name: &str, variable: &str) -> PathBuf {
    if let Some(path) = std::env::var_os(variable) {
        return path.into();
    }
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let path = profile.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let missing = "is not there; run 'cargo build --release --workspace' first";
    assert!(path.is_file(), "{} {missing}, or set {variable}", path.display());
    path
}

/// A command in a place.
pub(crate) struct Cmd {
    command: Command,
}

impl Cmd {
    pub(crate) fn new(dir: &Dir, program: &Path, args: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(args).current_dir(dir.temp.path()).env_clear();
        command.env("HOME", dir.path("home")).env("NO_COLOR", "1");
        for name in ["PATH", "TMPDIR", "SystemRoot"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        Self { command }
    }

    /// Sets a variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// The same command with at most this much address space, where the shell can say so: an oversized
    /// allocation ends the program.
    pub(crate) fn limit_memory(self, mib: u64) -> Self {
        if cfg!(not(target_os = "linux")) {
            return self;
        }
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -v {} && exec \"$0\" \"$@\"", mib << 10));
        command.arg(self.command.get_program()).args(self.command.get_args());
        command.current_dir(self.command.get_current_dir().unwrap()).env_clear();
        for (name, value) in self.command.get_envs() {
            command.env(name, value.unwrap());
        }
        Self { command }
    }

    /// Starts it with both outputs piped.
    pub(crate) fn spawn(mut self) -> Child {
        self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
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
    std::thread::scope(|scope| {
        scope.spawn(|| out.as_mut().map(|pipe| pipe.read_to_end(&mut stdout).unwrap()));
        scope.spawn(|| err.as_mut().map(|pipe| pipe.read_to_end(&mut stderr).unwrap()));
        let started = Instant::now();
        while status.is_none() && started.elapsed() < TIME_LIMIT {
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

/// Numbers without a pattern that are the same in every run (xorshift).
pub(crate) struct Seeded(pub(crate) u64);

impl Seeded {
    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }
}
