//! Turns the git histories of the checkouts into the table of commits, on a thread of its own while files are analysed.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use anyhow::Context as _;
use rustc_hash::FxHashSet;
use sextant_diagnostics::catch;
use sextant_format::generation::{Generation, part};
use sextant_format::manifest::{HistoryInfo, Manifest};
use sextant_format::publish::link_or_copy_file;
use sextant_format::tables::{HistoryRow, TableWriter};
use sextant_history::{Checkout, Commit, KnownChanges, Limits};
use sextant_writer::check_files;

use crate::git::checkout_of;
use crate::interrupt;
use crate::model::Source;
use crate::walk::Repository;

/// Commits that are kept of a repository: with 500 to 6,000, search was about as good (docs/lab/ranking.md).
const COMMITS: usize = 1000;
/// Commits that are kept of all repositories together, and of each at least.
const ALL_COMMITS: (usize, usize) = (10_000, 100);
/// A commit that changed more files says little about each.
const FILES_PER_COMMIT: usize = 100;

/// Where the histories of an index come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HistoryChoice {
    /// The index has none.
    None,
    /// The checkouts.
    Checkouts,
    /// Another index, below an overlay: what differs from it is not committed.
    Index(PathBuf),
}

/// Histories that are being read, or those of another index.
pub(crate) enum HistoryTask {
    /// They are being read.
    Reads(JoinHandle<Histories>),
    /// Another index has them.
    Linked(Box<Generation>),
}

/// The histories of repositories.
#[derive(Default)]
pub(crate) struct Histories {
    /// For each repository, the commit that is checked out and those that are kept; none if it has no history.
    repositories: Vec<Option<(String, Vec<Commit>)>>,
    known: KnownChanges,
    /// The index that has them instead.
    linked: Option<Box<Generation>>,
    /// Sentences about what could not be read.
    pub(crate) notes: Vec<String>,
}

/// Whether a generation has the histories as they are now.
pub(crate) fn is_current(manifest: &Manifest, repositories: &[Repository], choice: &HistoryChoice) -> bool {
    let now = |(number, repository): (usize, &Repository)| match choice {
        HistoryChoice::None => None,
        HistoryChoice::Checkouts => checkout_of(&repository.root).map(|checkout| checkout.commit),
        HistoryChoice::Index(index) => {
            let below = Generation::open(index).ok()?;
            below.manifest().repositories.get(number)?.history.as_ref().map(|history| history.commit.clone())
        }
    };
    let recorded = manifest.repositories.iter().map(|recorded| recorded.history.as_ref().map(|h| h.commit.clone()));
    recorded.eq(repositories.iter().enumerate().map(now))
}

impl HistoryTask {
    /// Begins to read the histories of the files that were found. `previous` has what an earlier build found out.
    ///
    /// # Errors
    /// The other index cannot be read, or no thread can be started.
    pub(crate) fn start(
        repositories: &[Repository],
        sources: &[Source],
        previous: Option<&Generation>,
        choice: &HistoryChoice,
    ) -> anyhow::Result<Self> {
        if let HistoryChoice::Index(index) = choice {
            return Ok(Self::Linked(Box::new(Generation::open(index)?)));
        }
        let mut jobs: Vec<Job> = Vec::new();
        for repository in repositories.iter().filter(|_| *choice == HistoryChoice::Checkouts) {
            let checkout = checkout_of(&repository.root);
            jobs.push(Job { name: repository.name.clone(), checkout, paths: FxHashSet::default() });
        }
        for source in sources {
            if let Some(job) = jobs.get_mut(source.repo as usize).filter(|job| job.checkout.is_some()) {
                job.paths.insert(source.path.clone());
            }
        }
        let known = previous.map(known_changes).unwrap_or_default();
        let work = move || catch(|| read_all(jobs, known)).unwrap_or_else(|panic| unreadable(&panic.to_string()));
        let thread = std::thread::Builder::new().name("history".to_owned()).spawn(work);
        Ok(Self::Reads(thread.context("no thread can be started")?))
    }

    /// The histories. What could not be read is missing.
    pub(crate) fn finish(self) -> Histories {
        match self {
            Self::Reads(thread) => thread.join().unwrap_or_else(|_| unreadable("its thread stopped")),
            Self::Linked(generation) => Histories { linked: Some(generation), ..Histories::default() },
        }
    }
}

/// A repository whose history is to be read, and its files.
struct Job {
    name: String,
    checkout: Option<Checkout>,
    paths: FxHashSet<String>,
}

fn unreadable(why: &str) -> Histories {
    Histories { notes: vec![format!("the git history is not in the index: {why}")], ..Histories::default() }
}

fn read_all(jobs: Vec<Job>, mut known: KnownChanges) -> Histories {
    let (all, at_least) = ALL_COMMITS;
    let commits = COMMITS.min((all / jobs.len().max(1)).max(at_least));
    let limits = Limits { commits, files_per_commit: FILES_PER_COMMIT };
    let mut histories = Histories::default();
    for Job { name, checkout, paths } in jobs {
        let read = checkout.map(|checkout| {
            let history = sextant_history::read(&checkout, &paths, limits, &mut known, interrupt::requested);
            (checkout.commit, history)
        });
        histories.repositories.push(match read {
            None => None,
            Some((_, Err(error))) => {
                histories.notes.push(format!("{name}: {error}"));
                None
            }
            Some((commit, Ok(history))) => {
                let kept = history.commits.len();
                let note =
                    history.end.map(|why| format!("{name}: the git history ends after {kept} commits: it {why}"));
                histories.notes.extend(note);
                Some((commit, history.commits))
            }
        });
    }
    histories.known = known;
    histories
}

/// What an earlier build found out, as far as it is intact.
fn known_changes(previous: &Generation) -> KnownChanges {
    let path = previous.path(part::KNOWN_CHANGES);
    let intact = check_files(previous, |path| path == part::KNOWN_CHANGES).is_ok() && path.exists();
    let bytes = if intact { fs_err::read(path).unwrap_or_default() } else { Vec::new() };
    KnownChanges::from_bytes(&bytes)
}

impl Histories {
    /// Writes the table of commits below `root`, without files that are not in the index, and what later builds need.
    /// Returns what the manifest says of each repository.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(crate) fn write(
        self,
        root: &Path,
        names: &[String],
        skipped: &FxHashSet<(u32, String)>,
    ) -> anyhow::Result<Vec<Option<HistoryInfo>>> {
        if let Some(below) = self.linked {
            let infos = below.manifest().repositories.iter().map(|repository| repository.history.clone());
            if below.path(part::HISTORY).exists() {
                check_files(&below, |path| path == part::HISTORY)?;
                link_or_copy_file(below.root(), root, part::HISTORY)?;
            }
            return Ok(infos.collect());
        }
        if self.repositories.iter().all(Option::is_none) {
            return Ok(vec![None; names.len()]);
        }
        let mut table = TableWriter::create(&root.join(part::HISTORY))?;
        let mut infos = Vec::with_capacity(names.len());
        for ((number, repo), history) in (0..).zip(names).zip(self.repositories) {
            let Some((commit, commits)) = history else {
                infos.push(None);
                continue;
            };
            let mut info = HistoryInfo { commit, ..HistoryInfo::default() };
            for Commit { id, time, author, subject, paths } in commits {
                let rows = info.rows;
                for path in paths.into_iter().filter(|path| !skipped.contains(&(number, path.clone()))) {
                    let (commit, author, subject) = (id.clone(), author.clone(), subject.clone());
                    table.push(HistoryRow { repo: repo.clone(), path, commit, time, author, subject })?;
                    info.rows += 1;
                }
                if info.rows > rows {
                    info.commits += 1;
                    info.since = Some(info.since.map_or(time, |since| since.min(time)));
                }
            }
            infos.push(Some(info));
        }
        table.finish()?;
        fs_err::create_dir_all(root.join(part::ANALYSIS_CACHE))?;
        fs_err::write(root.join(part::KNOWN_CHANGES), self.known.into_bytes()?)?;
        Ok(infos)
    }
}
