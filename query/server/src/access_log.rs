//! The access log: one line of JSON for each request, appended to a file. It says who asked which command, and never what.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use sextant_api::date::date_time;

use crate::{Error, Result};

/// A request as a line of the log describes it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Entry<'a> {
    /// The team; empty if the server has none.
    pub(crate) team: &'a str,
    /// The address of the client; empty if it is unknown.
    pub(crate) client: &'a str,
    /// `http` or `mcp`.
    pub(crate) protocol: &'static str,
    /// The command.
    pub(crate) call: &'static str,
    /// The HTTP status, or what it would be.
    pub(crate) status: u16,
    /// The duration in milliseconds.
    pub(crate) ms: f64,
    /// Bytes of the answer.
    pub(crate) bytes: usize,
}

/// A file to which a line is added for each request.
#[derive(Debug)]
pub(crate) struct AccessLog {
    file: Mutex<File>,
    /// Whether a line could not be written since one could.
    fails: AtomicBool,
}

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    #[serde(flatten)]
    entry: Entry<'a>,
}

impl AccessLog {
    /// Opens the file, and creates it if it is not there.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = fs_err::OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|error| Error::Server(format!("the access log cannot be opened: {error}")))?;
        Ok(Self { file: Mutex::new(file.into_file()), fails: AtomicBool::new(false) })
    }

    /// Adds a line. A full disk stops the log and not the server.
    #[expect(clippy::disallowed_methods, reason = "the time of a request is no part of an index")]
    pub(crate) fn add(&self, entry: Entry<'_>) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let line = serde_json::to_string(&Line { time: time(now), entry }).unwrap_or_default() + "\n";
        let written = self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
        let failed = written.is_err();
        if let Err(error) = written
            && !self.fails.load(Ordering::Relaxed)
        {
            anstream::eprintln!("warning: requests are missing in the access log: {error}");
        }
        self.fails.store(failed, Ordering::Relaxed);
    }
}

/// A time as RFC 3339 has it, in UTC with milliseconds.
fn time(since_1970: Duration) -> String {
    let (seconds, milliseconds) = (since_1970.as_secs(), since_1970.subsec_millis());
    format!("{}:{:02}.{milliseconds:03}Z", date_time(seconds).replace(' ', "T"), seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_one_line_of_json() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("access.log");
        let log = AccessLog::open(&path).unwrap();
        let entry =
            Entry { team: "a", client: "127.0.0.1", protocol: "http", call: "search", status: 200, ms: 1.5, bytes: 7 };
        log.add(entry);
        log.add(Entry { team: "b\n", ..entry });
        let text = fs_err::read_to_string(&path).unwrap();
        let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines.len(), &lines[0]["call"], &lines[1]["team"]), (2, &"search".into(), &"b\n".into()));
        assert_eq!(time(Duration::from_millis(951_827_696_007)), "2000-02-29T12:34:56.007Z");
    }
}
