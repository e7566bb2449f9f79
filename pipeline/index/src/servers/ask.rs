//! Questions about the references of one file after the other, and what the answers mean for the index.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sextant_format::digest::Digest;
use sextant_format::ids::{FileId, SymbolId};
use sextant_protocol::canonical;
use sextant_resolve::{Doubt, SymbolPath, SymbolTable};
use sextant_servers::operations::{At, Place, definitions};
use sextant_servers::{Failure, Phase, Pool, ServerFor};

use super::journal::{Answer, FileAnswers, FileKey, Journal, Target};
use crate::interrupt;
use crate::progress::Progress;
use crate::walk::Repository;

/// References that are asked about at the same time.
const BATCH: usize = 10;
/// How long Ctrl-C may wait.
const INTERRUPT_TIME: Duration = Duration::from_millis(200);
/// A server that answers none of so many batches one after the other is given up.
const MAX_SILENT_BATCHES: u32 = 20;
/// Time for one batch; a request has two seconds.
const BATCH_TIME: Duration = Duration::from_secs(10);

/// With more symbols than this, an answer says too little.
const MAX_TARGETS: usize = 4;

/// The answers for the table: file, line, column, and the symbols, none if it is outside of the index.
pub(super) type TableAnswers = Vec<(FileId, u32, u32, Vec<SymbolId>)>;

/// How the questions of one language went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LanguageAnswers {
    /// References that rules did not resolve.
    pub(crate) doubts: u64,
    /// Those whose symbol a server named, now or in an earlier build.
    pub(crate) resolved: u64,
    /// Those that are defined outside of the index.
    pub(crate) outside: u64,
    /// Those about which it did not know.
    pub(crate) unknown: u64,
    /// Answers that an earlier build got.
    pub(crate) known: u64,
    /// Those that were not answered in time.
    pub(crate) left: u64,
    /// Why some were left, for people.
    pub(crate) why: Option<String>,
    /// The digest of the answers; empty if some were left.
    pub(crate) digest: String,
}

/// The questions of one language.
pub(super) struct Questions<'a> {
    table: &'a SymbolTable,
    repositories: &'a [Repository],
    /// The folders of the repositories, without links.
    roots: Vec<PathBuf>,
    files: BTreeMap<(u32, &'a str), FileId>,
    pool: &'a Pool,
    journal: &'a mut Journal,
    deadline: Instant,
    answers: TableAnswers,
    counts: LanguageAnswers,
    /// Batches without any answer, one after the other.
    silent: Cell<u32>,
}

impl<'a> Questions<'a> {
    pub(super) fn new(
        table: &'a SymbolTable,
        repositories: &'a [Repository],
        pool: &'a Pool,
        journal: &'a mut Journal,
        deadline: Instant,
    ) -> Self {
        let roots = repositories.iter().map(|repository| canonical(&repository.root)).collect();
        let files = (0..table.file_count()).map(FileId::at).map(|id| {
            let (repo, path, _) = table.file(id);
            ((repo, path), id)
        });
        let files = files.collect();
        let counts = LanguageAnswers::default();
        Self {
            table,
            repositories,
            roots,
            files,
            pool,
            journal,
            deadline,
            answers: Vec::new(),
            counts,
            silent: Cell::new(0),
        }
    }

    /// What was found, for the table and for people.
    pub(super) fn finish(self) -> (TableAnswers, LanguageAnswers) {
        (self.answers, self.counts)
    }

    /// Asks about the references of one file, and keeps the answers.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub(super) fn ask_file(&mut self, language: &str, doubts: &[&Doubt], progress: &Progress) -> anyhow::Result<()> {
        let Some(first) = doubts.first() else { return Ok(()) };
        self.counts.doubts += doubts.len() as u64;
        let (repo, path, _) = self.table.file(first.file);
        let root = &self.roots[repo as usize];
        let file = root.join(path);
        let key = |text: &str| -> FileKey {
            let digest = Digest::hash_bytes(text.as_bytes()).to_hex();
            (self.repositories[repo as usize].name.clone(), path.to_owned(), digest)
        };
        // The server reads the same file; one that is not UTF-8 has other columns there.
        let Ok(text) = fs_err::read_to_string(&file) else {
            self.counts.unknown += doubts.len() as u64;
            return Ok(());
        };
        let key = key(&text);
        let mut known = self.journal.answers(&key);
        // What was moved or removed is asked about again.
        known.retain(|_, answer| match answer {
            Answer::Symbols(targets) => targets.iter().any(|target| self.find(target).is_some()),
            Answer::Outside | Answer::Unknown => true,
        });
        let lines: Vec<&str> = text.lines().collect();
        let is_open = |doubt: &&&Doubt| !known.contains_key(&(doubt.line, doubt.column));
        let open: Vec<&Doubt> = doubts.iter().filter(is_open).copied().collect();
        self.counts.known += (doubts.len() - open.len()) as u64;
        if !open.is_empty() {
            let new = match self.ready_server(language, root, &file) {
                Ok(server) => self.ask_server(&server, &file, &text, &lines, &open, progress),
                Err(why) => {
                    self.counts.why.get_or_insert(why);
                    FileAnswers::new()
                }
            };
            if !new.is_empty() {
                self.journal.push(&key, &new)?;
            }
            known.extend(new);
        }
        for doubt in doubts {
            match known.get(&(doubt.line, doubt.column)) {
                None => self.leave(1, "no answer in time"),
                Some(answer) => self.take(doubt, answer),
            }
        }
        Ok(())
    }

    fn leave(&mut self, count: usize, why: &str) {
        self.counts.left += count as u64;
        self.counts.why.get_or_insert_with(|| why.to_owned());
    }

    /// The server of a file, once it is ready.
    fn ready_server(&self, language: &str, root: &Path, file: &Path) -> Result<ServerFor, String> {
        if Instant::now() >= self.deadline {
            return Err("the time was up".to_owned());
        }
        if self.silent.get() >= MAX_SILENT_BATCHES {
            return Err("the server did not answer again and again".to_owned());
        }
        let server = self.pool.server_for(language, root, file)?;
        loop {
            let now = Instant::now();
            match server.session.wait_until_ready(self.deadline.min(now + INTERRUPT_TIME)) {
                Phase::Ready => return Ok(server),
                Phase::Ended(why) => return Err(format!("{} ended: {why}", server.name)),
                Phase::Starting | Phase::Indexing(_) if now >= self.deadline || interrupt::requested() => {
                    return Err(format!("{} did not become ready in time", server.name));
                }
                Phase::Starting | Phase::Indexing(_) => {}
            }
        }
    }

    /// Asks a server about references of a file; those that it does not answer are missing in the result.
    fn ask_server(
        &self,
        server: &ServerFor,
        file: &Path,
        text: &str,
        lines: &[&str],
        open: &[&Doubt],
        progress: &Progress,
    ) -> FileAnswers {
        let mut found = FileAnswers::new();
        let encoding = server.session.encoding();
        // A failure shows in the answers.
        let _ = server.session.open(file, &server.language, text);
        for batch in open.chunks(BATCH) {
            let now = Instant::now();
            if now >= self.deadline || interrupt::requested() {
                break;
            }
            let place = |doubt: &&&Doubt| {
                let line = doubt.line.checked_sub(1)?;
                let text = lines.get(line as usize)?;
                // The text may have changed since it was indexed.
                let name = text.get(doubt.column as usize..)?;
                name.starts_with(doubt.name.as_str()).then(|| At {
                    file: file.to_owned(),
                    line,
                    column: encoding.column(text, doubt.column as usize),
                })
            };
            let asked: Vec<(&Doubt, At)> = batch.iter().filter_map(|doubt| Some((*doubt, place(&doubt)?))).collect();
            for doubt in batch.iter().filter(|doubt| asked.iter().all(|(other, _)| other != *doubt)) {
                found.insert((doubt.line, doubt.column), Answer::Unknown);
            }
            let places: Vec<At> = asked.iter().map(|(_, at)| at.clone()).collect();
            let outcomes = definitions(&server.session, &places, self.deadline.min(now + BATCH_TIME));
            // Slow files do not count as failures of the server: the time of the build bounds them.
            let is_answer = |outcome: &Result<Vec<Place>, Failure>| !matches!(outcome, Err(Failure::TimedOut));
            let silent = !outcomes.is_empty() && !outcomes.iter().any(is_answer);
            self.silent.set(if silent { self.silent.get() + 1 } else { 0 });
            if self.silent.get() >= MAX_SILENT_BATCHES {
                break;
            }
            for ((doubt, _), outcome) in asked.into_iter().zip(outcomes) {
                let answer = match outcome {
                    Ok(places) => self.answer(&doubt.name, &places),
                    Err(Failure::TimedOut | Failure::Ended(_)) => continue,
                    Err(_) => Answer::Unknown,
                };
                found.insert((doubt.line, doubt.column), answer);
            }
            batch.iter().for_each(|_| progress.step());
            if matches!(server.session.phase(), Phase::Ended(_)) {
                break;
            }
        }
        found
    }

    /// What the places of an answer mean: the symbols that they name, of overloads in one file the last that has a body.
    fn answer(&self, name: &str, places: &[Place]) -> Answer {
        let located: Vec<Option<FileId>> = places.iter().map(|place| self.file_at(&place.file)).collect();
        if !places.is_empty() && located.iter().all(Option::is_none) {
            return Answer::Outside;
        }
        let mut found: BTreeMap<(FileId, Vec<String>), (bool, SymbolId, usize)> = BTreeMap::new();
        for (place, file) in places.iter().zip(located) {
            let start = place.range.start;
            let line = start.line.saturating_add(1);
            let symbol = file.and_then(|file| self.table.symbol_named_at(file, line, start.character, name));
            let Some(symbol) = symbol else { continue };
            let (file, SymbolPath { names, number }) = self.table.path_of(symbol);
            let candidate = (self.table.has_body(symbol), symbol, number);
            let best = found.entry((file, names)).or_insert(candidate);
            *best = candidate.max(*best);
        }
        if found.is_empty() || found.len() > MAX_TARGETS {
            return Answer::Unknown;
        }
        let target = |((file, names), (_, _, number)): ((FileId, Vec<String>), (bool, SymbolId, usize))| {
            let (repo, path, _) = self.table.file(file);
            let repo = self.repositories[repo as usize].name.clone();
            Target { repo, path: path.to_owned(), names, number }
        };
        Answer::Symbols(found.into_iter().map(target).collect())
    }

    /// The file of the index at a path.
    fn file_at(&self, path: &Path) -> Option<FileId> {
        self.roots.iter().enumerate().find_map(|(repo, root)| {
            let relative = path.strip_prefix(root).ok()?;
            let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            self.files.get(&(u32::try_from(repo).ok()?, parts.join("/").as_str())).copied()
        })
    }

    /// Adds the answer to a reference.
    fn take(&mut self, doubt: &Doubt, answer: &Answer) {
        let targets: Vec<SymbolId> = match answer {
            Answer::Unknown => Vec::new(),
            Answer::Outside => {
                self.counts.outside += 1;
                self.answers.push((doubt.file, doubt.line, doubt.column, Vec::new()));
                return;
            }
            // One that was moved or removed since is not found.
            Answer::Symbols(targets) => targets.iter().filter_map(|target| self.find(target)).collect(),
        };
        if targets.is_empty() {
            self.counts.unknown += 1;
        } else {
            self.counts.resolved += 1;
            self.answers.push((doubt.file, doubt.line, doubt.column, targets));
        }
    }

    fn find(&self, target: &Target) -> Option<SymbolId> {
        let repo = self.repositories.iter().position(|repository| repository.name == target.repo)?;
        let file = *self.files.get(&(u32::try_from(repo).ok()?, target.path.as_str()))?;
        self.table.symbol_at_path(file, &SymbolPath { names: target.names.clone(), number: target.number })
    }
}
