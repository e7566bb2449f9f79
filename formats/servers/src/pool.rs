//! The running servers: one for each program and workspace, started when it is first needed, restarted after it ended,
//! left alone for a while after it failed again and again.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::Failure;
use crate::breaker::Breaker;
use crate::server::{ServerSpec, ServerTable};
use crate::session::{Phase, Session};

/// Servers that run at the same time at most.
const MAX_SERVERS: usize = 8;

/// The running servers.
pub struct Pool {
    table: ServerTable,
    /// The folders in which programs are looked for.
    path: Option<OsString>,
    entries: Mutex<BTreeMap<Place, Entry>>,
    /// Languages that no installed server knows.
    missing: Mutex<BTreeMap<String, String>>,
}

/// A server's name and its workspace.
type Place = (String, PathBuf);

#[derive(Default)]
struct Entry {
    breaker: Breaker,
    session: Option<Arc<Session>>,
    /// How often it was started.
    starts: u32,
    /// Why it ended the last time.
    last_end: Option<String>,
}

/// A session with what is needed to ask it about a file.
#[derive(Clone)]
pub struct ServerFor {
    /// The session.
    pub session: Arc<Session>,
    /// The name of the server in the table.
    pub name: String,
    /// The protocol's name for the file's language.
    pub language: String,
    place: Place,
}

impl Pool {
    /// Servers of a table; programs are looked up in the folders of `path`.
    #[must_use]
    pub const fn new(table: ServerTable, path: Option<OsString>) -> Self {
        Self { table, path, entries: Mutex::new(BTreeMap::new()), missing: Mutex::new(BTreeMap::new()) }
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<Place, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The server for a file, started if it does not run; the reason if there is none.
    ///
    /// # Errors
    /// There is none, or it is left alone because it failed: why, for people.
    pub fn server_for(&self, language: &str, checkout: &Path, file: &Path) -> Result<ServerFor, String> {
        let mut known = Vec::new();
        for server in self.table.for_language(language) {
            match server.program(self.path.as_deref(), checkout) {
                Some(program) => return self.running(server, &program, language, &server.workspace(checkout, file)),
                None => known.push(server.command.first().map_or("", String::as_str)),
            }
        }
        let why = if known.is_empty() {
            format!("no language server for {language} is known")
        } else {
            format!("no language server for {language} is installed (looked for {})", known.join(", "))
        };
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        missing.insert(language.to_owned(), why.clone());
        Err(why)
    }

    /// What tells the server of a language from others: its name, command, and the size of its program. `None` if none is
    /// installed.
    #[must_use]
    pub fn identity(&self, language: &str, checkout: &Path) -> Option<String> {
        self.table.for_language(language).find_map(|server| {
            let program = server.program(self.path.as_deref(), checkout)?;
            let bytes = program.metadata().map_or(0, |data| data.len());
            Some(format!("{} {bytes} {}", server.name, server.command.join(" ")))
        })
    }

    fn running(
        &self,
        server: &ServerSpec,
        program: &Path,
        language: &str,
        workspace: &Path,
    ) -> Result<ServerFor, String> {
        let place = (server.name.clone(), workspace.to_owned());
        let mut entries = self.entries();
        if !entries.contains_key(&place) && entries.len() >= MAX_SERVERS {
            return Err(format!("{} language servers run already", entries.len()));
        }
        let entry = entries.entry(place.clone()).or_default();
        let now = Instant::now();
        if let Some(Phase::Ended(why)) = entry.session.as_ref().map(|session| session.phase()) {
            entry.breaker.failed(now);
            entry.last_end = Some(why);
            entry.session = None;
        }
        if !entry.breaker.allows(now) {
            let why = entry.last_end.as_deref().unwrap_or("it did not answer in time");
            return Err(format!("{} failed repeatedly and is left alone for a minute: {why}", server.name));
        }
        let session = match &entry.session {
            Some(session) => Arc::clone(session),
            None => {
                let started = Session::start(server, program, workspace).map_err(|error| {
                    entry.breaker.failed(now);
                    entry.last_end = Some(error.to_string());
                    format!("{} cannot be started: {error}", program.display())
                })?;
                entry.starts += 1;
                let session = Arc::new(started);
                entry.session = Some(Arc::clone(&session));
                session
            }
        };
        let language = server.languages.get(language).cloned().unwrap_or_default();
        Ok(ServerFor { session, name: server.name.clone(), language, place })
    }

    /// Notes how requests ended that were asked together: one answer is a success, and none one failure, because a
    /// caller with little time asks for more than a server can say in it.
    pub fn note<T>(&self, server: &ServerFor, outcomes: &[Result<T, Failure>]) {
        let mut entries = self.entries();
        let Some(entry) = entries.get_mut(&server.place) else { return };
        let is_answer = |outcome: &Result<T, Failure>| !matches!(outcome, Err(failure) if failure.is_servers());
        // An end is counted when the server is started again.
        let is_end = |outcome: &Result<T, Failure>| matches!(outcome, Err(Failure::Ended(_)));
        if outcomes.iter().any(is_answer) {
            entry.breaker.succeeded();
        } else if !outcomes.is_empty() && !outcomes.iter().any(is_end) {
            entry.breaker.failed(Instant::now());
        }
    }

    /// The servers and how far each is, then the languages without one.
    pub fn report(&self) -> Vec<(String, String)> {
        let state = |entry: &Entry| {
            let state = match entry.session.as_ref().map(|session| session.phase()) {
                Some(Phase::Starting) => "starting".to_owned(),
                Some(Phase::Indexing(what)) => format!("indexing: {what}"),
                Some(Phase::Ready) => "ready".to_owned(),
                Some(Phase::Ended(why)) => format!("ended: {why}"),
                None => format!("not running: {}", entry.last_end.as_deref().unwrap_or("not started")),
            };
            if entry.starts > 1 { format!("{state}, started {} times", entry.starts) } else { state }
        };
        let mut report: Vec<(String, String)> =
            self.entries().iter().map(|((name, _), entry)| (name.clone(), state(entry))).collect();
        let missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        report.extend(missing.iter().map(|(language, why)| (language.clone(), why.clone())));
        report
    }
}
