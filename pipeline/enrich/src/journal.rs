//! All answers so far, in a file that is only appended to: one JSON object in each line. A line that a killed run left
//! incomplete is ignored.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::item::ItemKey;
use crate::{Error, Result, Summary};

/// Longest line in bytes; a longer one is damaged.
const MAX_LINE_BYTES: usize = 64 << 10;

/// The answers of this and of earlier runs.
pub struct Journal {
    path: PathBuf,
    file: Mutex<std::fs::File>,
    answers: Mutex<FxHashMap<ItemKey, Summary>>,
    damaged: u64,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    #[serde(flatten)]
    summary: Summary,
}

impl Journal {
    /// Opens or creates a journal. One process at a time may use it.
    ///
    /// # Errors
    /// The file cannot be opened, read or written, or another process uses it.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |source: std::io::Error| Error::Journal { path: path.to_owned(), source };
        path.parent().map_or(Ok(()), fs_err::create_dir_all).map_err(failed)?;
        let open = || -> std::io::Result<_> {
            let mut file = sextant_format::publish::open_no_follow(path).map_err(std::io::Error::other)?;
            file.try_lock().map_err(std::io::Error::from)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            if bytes.last().is_some_and(|&last| last != b'\n') {
                file.write_all(b"\n")?;
            }
            Ok((file, bytes))
        };
        let (file, bytes) = open().map_err(failed)?;
        let (mut answers, mut damaged) = (FxHashMap::default(), 0);
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            match parse_line(line) {
                Some((key, summary)) => drop(answers.insert(key, summary)),
                None => damaged += 1,
            }
        }
        Ok(Self { path: path.to_owned(), file: Mutex::new(file), answers: Mutex::new(answers), damaged })
    }

    /// The number of lines that were ignored when the journal was opened.
    #[must_use]
    pub const fn damaged_lines(&self) -> u64 {
        self.damaged
    }

    /// The answer with this key.
    pub(crate) fn get(&self, key: &ItemKey) -> Option<Summary> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Appends an answer. When this returns, the answer outlives the process.
    pub(crate) fn push(&self, key: ItemKey, summary: &Summary) -> Result<()> {
        let failed = |source: std::io::Error| Error::Journal { path: self.path.clone(), source };
        let mut line = serde_json::to_vec(&Line { key: hex(&key), summary: summary.clone() })
            .map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line).map_err(failed)?;
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).insert(key, summary.clone());
        Ok(())
    }

    /// Makes all answers outlive the machine's power.
    pub(crate) fn sync(&self) -> Result<()> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.sync_data().map_err(|source| Error::Journal { path: self.path.clone(), source })
    }
}

fn parse_line(line: &[u8]) -> Option<(ItemKey, Summary)> {
    if line.len() > MAX_LINE_BYTES {
        return None;
    }
    let line: Line = serde_json::from_slice(line).ok()?;
    Some((unhex(&line.key)?, line.summary))
}

fn hex(key: &ItemKey) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<ItemKey> {
    if text.len() != 32 || !text.is_ascii() {
        return None;
    }
    let mut key = [0; 16];
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_outlive_a_kill_and_damage() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("below/answers.jsonl");
        let summary = |text: &str| Summary { summary: text.to_owned(), ..Summary::default() };
        {
            let journal = Journal::open(&path).unwrap();
            journal.push([1; 16], &summary("One")).unwrap();
            journal.push([2; 16], &summary("Two")).unwrap();
            assert!(matches!(Journal::open(&path), Err(Error::Journal { .. })), "it is in use");
        }
        let mut bytes = fs_err::read(&path).unwrap();
        bytes.truncate(bytes.len() - 5);
        fs_err::write(&path, [b"\xff\xfe no json\n".as_slice(), &bytes].concat()).unwrap();
        let journal = Journal::open(&path).unwrap();
        assert_eq!((journal.get(&[1; 16]), journal.get(&[2; 16])), (Some(summary("One")), None));
        assert_eq!(journal.damaged_lines(), 2);
        journal.push([2; 16], &summary("Again")).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path).unwrap().get(&[2; 16]), Some(summary("Again")));
    }
}
