//! The answers of earlier builds, in a file that is appended to while servers are asked: one JSON object for each file
//! that was asked about. A line that a killed build left incomplete is ignored; an answer holds as long as the text of its
//! file is the same.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use sextant_format::digest::Digest;

/// Longest line in bytes; a longer one is damaged.
const MAX_LINE_BYTES: usize = 16 << 20;

/// What a server answered about one reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    /// Symbols of the index: several if a symbol is declared in one place and defined in another.
    Symbols(Vec<Target>),
    /// Something outside of the index.
    Outside,
    /// The server does not know, or it names something that is not a symbol of the index.
    Unknown,
}

/// A symbol, named so that a later build finds it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Target {
    /// The repository.
    pub(super) repo: String,
    /// The path in it.
    pub(super) path: String,
    /// The names of the symbols around it, and its own.
    pub(super) names: Vec<String>,
    /// Its number among symbols of these names in the file.
    pub(super) number: usize,
}

/// The answers about a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    /// The server; absent if none was installed, or for answers of any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    repo: String,
    path: String,
    /// blake3 of the file's text.
    text: String,
    /// Line from 1, column in bytes from 0, answer.
    answers: Vec<(u32, u32, Answer)>,
}

/// A file with the digest of its text.
pub(super) type FileKey = (String, String, String);

/// The answers about one text, by line and column.
pub(super) type FileAnswers = BTreeMap<(u32, u32), Answer>;

/// The answers of this and of earlier builds.
pub(super) struct Journal {
    path: PathBuf,
    /// The server whose answers it has.
    server: Option<String>,
    file: std::fs::File,
    answers: BTreeMap<FileKey, FileAnswers>,
    /// The files that this build asked about; the others are forgotten at its end.
    used: FxHashSet<FileKey>,
}

impl Journal {
    /// Opens or creates a journal. The lock of the index keeps other processes away. Answers of another server than this
    /// one are forgotten; without a server, all are kept.
    ///
    /// # Errors
    /// The file cannot be opened or read, or its folder is a link.
    pub(super) fn open(path: &Path, server: Option<String>) -> anyhow::Result<Self> {
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder)?;
            if !fs_err::symlink_metadata(folder)?.is_dir() {
                bail!("{} is not a folder", folder.display());
            }
        }
        let mut file = sextant_format::publish::open_no_follow(path)?;
        let mut bytes = Vec::new();
        // The end of what is read is where answers are appended.
        file.read_to_end(&mut bytes).with_context(|| path.display().to_string())?;
        if bytes.last().is_some_and(|&last| last != b'\n') {
            file.write_all(b"\n").with_context(|| path.display().to_string())?;
        }
        let mut answers: BTreeMap<FileKey, FileAnswers> = BTreeMap::new();
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| line.len() <= MAX_LINE_BYTES) {
            let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
            if server.is_some() && line.server != server {
                continue;
            }
            let places = line.answers.into_iter().map(|(line, column, answer)| ((line, column), answer));
            answers.entry((line.repo, line.path, line.text)).or_default().extend(places);
        }
        Ok(Self { path: path.to_owned(), server, file, answers, used: FxHashSet::default() })
    }

    /// The answers about a text.
    pub(super) fn answers(&mut self, key: &FileKey) -> FileAnswers {
        self.used.insert(key.clone());
        self.answers.get(key).cloned().unwrap_or_default()
    }

    /// Appends answers about a text. When this returns, they outlive the process.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn push(&mut self, key: &FileKey, answers: &FileAnswers) -> anyhow::Result<()> {
        let line = self.line(key, answers)?;
        self.file.write_all(&line).with_context(|| self.path.display().to_string())?;
        self.answers.entry(key.clone()).or_default().extend(answers.clone());
        Ok(())
    }

    /// Replaces the file by one with what this build used, sorted; returns its digest. Without a server the file stays: its
    /// answers are those of the server that may be installed again.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn compact(self) -> anyhow::Result<Digest> {
        if self.server.is_none() {
            return Ok(digest(None, &fs_err::read(&self.path)?));
        }
        let mut bytes = Vec::new();
        for (key, answers) in &self.answers {
            if self.used.contains(key) && !answers.is_empty() {
                bytes.extend(self.line(key, answers)?);
            }
        }
        drop(self.file);
        let folder = self.path.parent().unwrap_or_else(|| Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&bytes)?;
        sextant_format::publish::persist(file.into_temp_path(), &self.path)?;
        Ok(digest(self.server.as_deref(), &bytes))
    }

    fn line(&self, (repo, path, text): &FileKey, answers: &FileAnswers) -> anyhow::Result<Vec<u8>> {
        let answers = answers.iter().map(|(&(line, column), answer)| (line, column, answer.clone())).collect();
        let (repo, path, text) = (repo.clone(), path.clone(), text.clone());
        let mut line = serde_json::to_vec(&Line { server: self.server.clone(), repo, path, text, answers })?;
        line.push(b'\n');
        Ok(line)
    }
}

/// The digest of a server and its answers.
pub(super) fn digest(server: Option<&str>, journal: &[u8]) -> Digest {
    let mut bytes = server.unwrap_or_default().as_bytes().to_vec();
    bytes.push(b'\n');
    bytes.extend_from_slice(journal);
    Digest::hash_bytes(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(path: &str) -> FileKey {
        ("r".to_owned(), path.to_owned(), "00".to_owned())
    }

    fn answers(at: u32, answer: Answer) -> FileAnswers {
        BTreeMap::from([((at, 0), answer)])
    }

    #[test]
    fn answers_outlive_a_kill_and_unused_ones_are_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("servers/python.jsonl");
        let open = || Journal::open(&path, Some("a".to_owned())).unwrap();
        let target = Target { repo: "r".to_owned(), path: "b.py".to_owned(), names: vec!["B".to_owned()], number: 0 };
        let mut journal = open();
        journal.push(&key("a.py"), &answers(1, Answer::Symbols(vec![target.clone()]))).unwrap();
        journal.push(&key("a.py"), &answers(2, Answer::Outside)).unwrap();
        journal.push(&key("gone.py"), &answers(3, Answer::Unknown)).unwrap();
        drop(journal);
        // A build was killed while it wrote, and so was the next.
        let mut bytes = fs_err::read(&path).unwrap();
        bytes.extend_from_slice(b"{\"repo\": \"r\", \"pa");
        fs_err::write(&path, bytes).unwrap();
        open().push(&key("a.py"), &answers(4, Answer::Unknown)).unwrap();

        let mut journal = open();
        let known = journal.answers(&key("a.py"));
        assert_eq!(known.get(&(1, 0)), Some(&Answer::Symbols(vec![target])));
        assert_eq!((known.get(&(2, 0)), known.len()), (Some(&Answer::Outside), 3));
        let digest_of = journal.compact().unwrap();
        assert_eq!(digest(Some("a"), &fs_err::read(&path).unwrap()), digest_of);

        let mut journal = open();
        assert_eq!(journal.answers(&key("a.py")).len(), 3);
        assert!(journal.answers(&key("gone.py")).is_empty());
        assert_eq!(journal.compact().unwrap(), digest_of);
        // Another server says what it knows itself; without one, what is there counts.
        let mut journal = Journal::open(&path, None).unwrap();
        assert_eq!(journal.answers(&key("a.py")).len(), 3);
        journal.compact().unwrap();
        assert_eq!(open().answers(&key("a.py")).len(), 3);
        assert!(Journal::open(&path, Some("b".to_owned())).unwrap().answers(&key("a.py")).is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_is_a_link_is_not_written_to() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(dir.path(), dir.path().join("servers")).unwrap();
        assert!(Journal::open(&dir.path().join("servers/python.jsonl"), None).is_err());
    }
}
