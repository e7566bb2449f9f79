//! Folders for the tests: a temporary folder with file trees, and the commands that run there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

use crate::program::{Cmd, Output, find, variable};

/// One file in each of several languages.
pub(crate) const POLYGLOT: &str = include_str!("../fixtures/polyglot.txt");

/// The files of the index of [`POLYGLOT`]. It is built once, because many tests read it.
static POLYGLOT_INDEX: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let dir = Dir::indexed(POLYGLOT);
    walk(&dir.index()).into_iter().map(|(path, absolute)| (path, fs_err::read(absolute).unwrap())).collect()
});

/// Returns the factor by which randomised tests run longer, from `SEXTANT_TEST_EFFORT`.
pub(crate) fn effort() -> u64 {
    variable("SEXTANT_TEST_EFFORT").and_then(|text| text.to_str()?.parse().ok()).unwrap_or(1)
}

/// A temporary folder: `src` is the tree to index, `index` the index, `home` the user's home.
pub(crate) struct Dir {
    temp: TempDir,
}

impl Dir {
    /// Creates an empty folder.
    pub(crate) fn empty() -> Self {
        let temp = tempfile::Builder::new().prefix("sextant-it-").tempdir().unwrap();
        fs_err::create_dir(temp.path().join("home")).unwrap();
        Self { temp }
    }

    /// Creates a folder whose `src` contains the files of a fixture.
    pub(crate) fn with(fixture: &str) -> Self {
        let dir = Self::empty();
        dir.tree("src", fixture);
        dir
    }

    /// Creates a folder like [`Dir::with`] and indexes `src`.
    pub(crate) fn indexed(fixture: &str) -> Self {
        let dir = Self::with(fixture);
        dir.build(&["src"]).code(0);
        dir
    }

    /// Creates a folder whose `src` contains [`POLYGLOT`] and is indexed.
    pub(crate) fn polyglot() -> Self {
        let dir = Self::with(POLYGLOT);
        for (path, bytes) in POLYGLOT_INDEX.iter() {
            dir.write(&format!("index/{path}"), bytes);
        }
        dir
    }

    /// Returns a path below the folder.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.temp.path().join(below)
    }

    /// Returns the index folder.
    pub(crate) fn index(&self) -> PathBuf {
        self.path("index")
    }

    /// Returns the folder of the current generation.
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

    /// Moves a file or a folder.
    #[expect(clippy::disallowed_methods, reason = "the ban is for programs")]
    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs_err::rename(self.path(from), self.path(to)).unwrap();
    }

    /// Writes the files of a fixture, which begin with lines like `//- /src/main.rs`.
    pub(crate) fn tree(&self, below: &str, fixture: &str) {
        fs_err::create_dir_all(self.path(below)).unwrap();
        for (path, text) in files(fixture) {
            self.write(&format!("{below}/{path}"), text);
        }
    }

    /// Runs git in a repository, and returns what it prints.
    pub(crate) fn git(&self, repository: &str, args: &[&str], variables: &[(&str, &str)]) -> String {
        let identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];
        let mut command = Command::new("git");
        command.args(identity).arg("-C").arg(self.path(repository)).args(args).envs(variables.iter().copied());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Commits everything in a repository, which is created if need be, `hour` hours after the first commit.
    pub(crate) fn commit(&self, repository: &str, hour: u64, subject: &str) -> String {
        if !self.path(repository).join(".git").exists() {
            self.git(repository, &["init", "--quiet", "--initial-branch=main"], &[]);
        }
        self.git(repository, &["add", "--all"], &[]);
        let date = format!("{} +0000", 1_700_000_000 + 3600 * hour);
        let dates = [("GIT_AUTHOR_DATE", date.as_str()), ("GIT_COMMITTER_DATE", date.as_str())];
        self.git(repository, &["commit", "--quiet", "--allow-empty", "-m", subject], &dates);
        self.git(repository, &["rev-parse", "HEAD"], &[])
    }

    /// Returns a command of the indexing program.
    pub(crate) fn index_cmd(&self, args: &[&str]) -> Cmd {
        Cmd::new(self, &find("sextant-index", "SEXTANT_INDEX_BIN"), args)
    }

    /// Returns a command of the search program.
    pub(crate) fn cmd(&self, args: &[&str]) -> Cmd {
        Cmd::new(self, &find("sextant", "SEXTANT_BIN"), args)
    }

    /// Returns the path of one of the programs.
    pub(crate) fn path_of(&self, program: &str) -> PathBuf {
        find(program, if program == "sextant" { "SEXTANT_BIN" } else { "SEXTANT_INDEX_BIN" })
    }

    /// Returns `sextant-index build ... -o index` with few threads, because many tests run at the same time.
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

    /// Runs `sextant search --format json ...` on the index.
    pub(crate) fn search(&self, args: &[&str]) -> Output {
        self.cmd(&[&["search", "--index", "index", "--format", "json"], args].concat()).run()
    }

    /// Asserts that `sextant verify` finds the index intact.
    pub(crate) fn assert_whole(&self) {
        self.cmd(&["verify", "--index", "index"]).run().code(0);
    }

    /// Returns the names in a folder, sorted.
    pub(crate) fn names(&self, below: &str) -> Vec<String> {
        let mut names: Vec<String> = fs_err::read_dir(self.path(below))
            .map(|entries| entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect())
            .unwrap_or_default();
        names.sort();
        names
    }

    /// Asserts that a folder contains no published and no unfinished generation.
    pub(crate) fn assert_nothing_published(&self, index: &str) {
        let names = self.names(index);
        let made = |name: &&String| **name == "CURRENT" || name.starts_with("gen-") || name.starts_with("staging-");
        assert_eq!(names.iter().find(made), None, "{names:?}");
    }
}

/// Returns the paths and texts of a fixture.
pub(crate) fn files(fixture: &str) -> Vec<(&str, &str)> {
    let mut files = Vec::new();
    for section in fixture.split("//- /").skip(1) {
        let (path, text) = section.split_once('\n').unwrap();
        files.push((path.trim_end(), text));
    }
    assert!(!files.is_empty() || fixture.trim().is_empty(), "a fixture's files begin with '//- /path'");
    files
}

/// Returns the files below a folder with their relative and absolute paths, sorted.
pub(crate) fn walk(root: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                files.push((below, path));
            }
        }
    }
    files.sort();
    files
}

/// Pseudo-random numbers that are the same in every run (xorshift).
pub(crate) struct Seeded(pub(crate) u64);

impl Seeded {
    /// Returns a number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }
}
