//! The indexes of members: fetched and opened when they are asked. The least recently asked ones are closed and removed
//! when there are more than the budgets allow.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sextant_format::generation::Generation;
use sextant_search::{Index, SharedModels};
use sextant_sync::collection::{Member, repository_of};
use sextant_sync::pack::{Profile, limit};
use sextant_sync::pull::{self, PullOptions, Reporter};

use crate::measures::Measures;
use crate::settings::Settings;
use crate::{Error, Result};

/// Concurrent downloads of one index.
const PARALLEL: usize = 8;

/// The indexes in a folder.
pub(crate) struct Store {
    settings: Arc<Settings>,
    models: Arc<SharedModels>,
    /// Locked as long as this server uses the folder.
    _lock: File,
    kept: Mutex<Kept>,
    /// By name, what is held by who fetches, opens or removes a member.
    work: Mutex<BTreeMap<String, Arc<Mutex<()>>>>,
    pub(crate) measures: Measures,
}

/// What is kept of each member, by name.
#[derive(Default)]
struct Kept {
    members: BTreeMap<String, Entry>,
    /// The number of times that a member was asked.
    clock: u64,
}

struct Entry {
    /// The folder of its index.
    folder: PathBuf,
    /// The content that is there; empty before the first fetch.
    content_id: String,
    /// Bytes of the folder.
    bytes: u64,
    /// None if it is not open.
    index: Option<Arc<Index>>,
    /// When it was asked last, on the clock.
    asked: u64,
}

/// An index from which a fetch may take files.
struct Near {
    folder: PathBuf,
    /// What is held by who works on it; none if only the encoder can be taken, which may be gone at any moment.
    work: Option<Arc<Mutex<()>>>,
}

struct Silent;

impl Reporter for Silent {
    fn stage(&self, _: &'static str, _: Option<u64>) {}
    fn step(&self, _: u64) {}
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// Uses the folder of the settings, with the indexes of `members` that are there.
    ///
    /// # Errors
    /// The folder cannot be used, or another server uses it.
    pub(crate) fn open<'a>(settings: Arc<Settings>, members: impl Iterator<Item = &'a Member>) -> Result<Self> {
        fs_err::create_dir_all(&settings.folder)?;
        let lock = fs_err::File::create(settings.folder.join("lock"))?.into_file();
        if lock.try_lock().is_err() {
            return Err(Error::InUse(settings.folder.clone()));
        }
        let store = Self {
            settings,
            models: Arc::default(),
            _lock: lock,
            kept: Mutex::default(),
            work: Mutex::default(),
            measures: Measures::new(),
        };
        let mut kept = lock_kept(&store);
        for member in members {
            let entry = store.entry(member);
            if !entry.content_id.is_empty() {
                kept.members.insert(member.name.clone(), entry);
            }
        }
        drop(kept);
        store.remove_unknown()?;
        store.stay_within_budgets(None)?;
        Ok(store)
    }

    /// A member as its folder is now.
    fn entry(&self, member: &Member) -> Entry {
        let folder = self.indexes().join(member.folder());
        let content_id = Generation::open(&folder).map(|found| found.manifest().content_id.clone()).unwrap_or_default();
        let bytes = if content_id.is_empty() { 0 } else { bytes_of(&folder) };
        Entry { folder, content_id, bytes, index: None, asked: 0 }
    }

    fn indexes(&self) -> PathBuf {
        self.settings.folder.join("indexes")
    }

    /// Removes the folders of members that are not listed.
    fn remove_unknown(&self) -> Result<()> {
        fs_err::create_dir_all(self.indexes())?;
        let kept = lock_kept(self);
        for entry in fs_err::read_dir(self.indexes())? {
            let path = entry?.path();
            if kept.members.values().all(|entry| entry.folder != path) {
                fs_err::remove_dir_all(path)?;
            }
        }
        Ok(())
    }

    /// The index of a member in the state that the list names, if it is open.
    pub(crate) fn opened(&self, member: &Member) -> Option<Arc<Index>> {
        let kept = lock_kept(self);
        let entry = kept.members.get(&member.name).filter(|entry| entry.content_id == member.content_id)?;
        entry.index.clone()
    }

    /// The index of a member: open, else from the folder, else fetched. If the listed state cannot be fetched and an older
    /// one is there, that is returned with the reason.
    ///
    /// # Errors
    /// The index can neither be fetched nor be opened.
    pub(crate) fn get(&self, member: &Member) -> Result<(Arc<Index>, Option<Error>)> {
        if let Some(index) = self.asked(member) {
            return Ok((index, None));
        }
        let work = self.work_on(&member.name);
        let working = lock(&work);
        // Another request may have fetched it meanwhile.
        if let Some(index) = self.opened(member) {
            return Ok((index, None));
        }
        let started = Instant::now();
        let got = self.fetch_and_open(member);
        drop(working);
        if got.is_ok() {
            self.measures.fetch_seconds.observe(started.elapsed().as_secs_f64());
        }
        self.stay_within_budgets(Some(&member.name))?;
        got
    }

    /// Notes that a member is asked, and returns its index if it is open in the state that the list names.
    fn asked(&self, member: &Member) -> Option<Arc<Index>> {
        let mut kept = lock_kept(self);
        kept.clock += 1;
        let clock = kept.clock;
        let entry = kept.members.entry(member.name.clone()).or_insert_with(|| self.entry(member));
        entry.asked = clock;
        entry.index.as_ref().filter(|_| entry.content_id == member.content_id).map(Arc::clone)
    }

    fn work_on(&self, name: &str) -> Arc<Mutex<()>> {
        Arc::clone(lock(&self.work).entry(name.to_owned()).or_default())
    }

    /// Fetches a member if its folder has another state, and opens it. The caller holds the lock of its work.
    fn fetch_and_open(&self, member: &Member) -> Result<(Arc<Index>, Option<Error>)> {
        let (folder, has, open) = {
            let mut kept = lock_kept(self);
            // It may have been removed since it was asked.
            let entry = kept.members.entry(member.name.clone()).or_insert_with(|| self.entry(member));
            (entry.folder.clone(), entry.content_id.clone(), entry.index.clone())
        };
        let mut older = None;
        if has != member.content_id
            && let Err(error) = self.fetch(member, &folder)
        {
            self.measures.failures.inc();
            match open {
                Some(index) => return Ok((index, Some(error))),
                None if has.is_empty() => return Err(error),
                None => older = Some(error),
            }
        }
        let index = Index::open(&folder)?.with_models(Arc::clone(&self.models));
        // No request waits for a part or finds it removed.
        index.open_all()?;
        let index = Arc::new(index);
        let (content_id, bytes) = (index.generation().manifest().content_id.clone(), bytes_of(&folder));
        let mut kept = lock_kept(self);
        let clock = kept.clock;
        let entry = Entry { folder, content_id, bytes, index: Some(Arc::clone(&index)), asked: clock };
        kept.members.insert(member.name.clone(), entry);
        Ok((index, older))
    }

    fn fetch(&self, member: &Member, folder: &Path) -> Result<()> {
        let near = self.near(member);
        // Another state is not removed while its files are read. One that somebody works on is left out.
        let working: Vec<_> = near.iter().map(|near| near.work.as_ref().map(|work| work.try_lock())).collect();
        let usable = near.iter().zip(&working).filter(|(_, working)| !matches!(working, Some(Err(_))));
        let near = usable.map(|(near, _)| near.folder.clone()).collect();
        let options = PullOptions {
            source: pull::location_of(&self.settings.location, &member.pack)?,
            branch: None,
            commit: None,
            index: folder.to_owned(),
            near,
            profile: Profile::Query,
            key: self.settings.key.clone(),
            parallel: PARALLEL,
            max_bytes: limit::TOTAL_BYTES,
        };
        fs_err::create_dir_all(folder)?;
        let pulled = pull::pull(&options, &Silent)?;
        self.measures.fetches.inc();
        self.measures.fetched_bytes.inc_by(pulled.fetched_bytes);
        if pulled.content_id == member.content_id { Ok(()) } else { Err(Error::OtherContent(member.name.clone())) }
    }

    /// Other indexes that are there: those of other states of the repository, and one more, which may have the encoder.
    fn near(&self, member: &Member) -> Vec<Near> {
        let kept = lock_kept(self);
        let others = kept.members.iter().filter(|(name, entry)| **name != member.name && !entry.content_id.is_empty());
        let is_state_of_same = |(name, _): &(&String, &Entry)| repository_of(name) == repository_of(&member.name);
        let (states, others): (Vec<_>, Vec<_>) = others.partition(is_state_of_same);
        let other = others.into_iter().max_by_key(|(_, entry)| entry.asked).map(|(_, entry)| entry.folder.clone());
        let states: Vec<(String, PathBuf)> =
            states.into_iter().map(|(name, entry)| (name.clone(), entry.folder.clone())).collect();
        drop(kept);
        let states = states.into_iter().map(|(name, folder)| Near { folder, work: Some(self.work_on(&name)) });
        states.chain(other.map(|folder| Near { folder, work: None })).collect()
    }

    /// Removes the members that are not listed any more.
    pub(crate) fn keep_only(&self, is_listed: impl Fn(&str) -> bool) -> Result<()> {
        let names: Vec<String> = lock_kept(self).members.keys().filter(|name| !is_listed(name)).cloned().collect();
        names.iter().try_for_each(|name| self.remove(name))?;
        self.stay_within_budgets(None)
    }

    /// Removes the index of a member. Requests in progress have its files open.
    fn remove(&self, name: &str) -> Result<()> {
        let work = self.work_on(name);
        let _working = lock(&work);
        let removed = lock_kept(self).members.remove(name);
        match removed.map(|entry| fs_err::remove_dir_all(entry.folder)) {
            Some(Err(error)) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Closes and removes the least recently asked indexes until the budgets are kept, `but` not the one just asked.
    fn stay_within_budgets(&self, but: Option<&str>) -> Result<()> {
        loop {
            let oldest = {
                let mut kept = lock_kept(self);
                self.close(&mut kept, but);
                self.measure(&kept);
                let total: u64 = kept.members.values().map(|entry| entry.bytes).sum();
                if total <= self.settings.disk_bytes {
                    return Ok(());
                }
                let may_go = |(name, entry): &(&String, &Entry)| Some(name.as_str()) != but && entry.bytes > 0;
                let oldest = kept.members.iter().filter(may_go).min_by_key(|(_, entry)| entry.asked);
                oldest.map(|(name, _)| name.clone())
            };
            let Some(name) = oldest else { return Ok(()) };
            self.remove(&name)?;
            self.measures.removed.inc();
        }
    }

    /// Closes the least recently asked indexes until the budget of open bytes is kept.
    fn close(&self, kept: &mut Kept, but: Option<&str>) {
        loop {
            let open = || kept.members.iter().filter(|(_, entry)| entry.index.is_some());
            if open().map(|(_, entry)| entry.bytes).sum::<u64>() <= self.settings.open_bytes {
                return;
            }
            let oldest = open().filter(|(name, _)| Some(name.as_str()) != but).min_by_key(|(_, entry)| entry.asked);
            let Some(name) = oldest.map(|(name, _)| name.clone()) else { return };
            if let Some(entry) = kept.members.get_mut(&name) {
                entry.index = None;
                self.measures.closed.inc();
            }
        }
    }

    fn measure(&self, kept: &Kept) {
        let gauge = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        let open = || kept.members.values().filter(|entry| entry.index.is_some());
        self.measures.open.set(gauge(open().count() as u64));
        self.measures.open_bytes.set(gauge(open().map(|entry| entry.bytes).sum()));
        self.measures.disk_bytes.set(gauge(kept.members.values().map(|entry| entry.bytes).sum()));
    }
}

fn lock_kept(store: &Store) -> MutexGuard<'_, Kept> {
    lock(&store.kept)
}

/// Bytes of the files of a folder; what cannot be read counts nothing.
fn bytes_of(folder: &Path) -> u64 {
    let Ok(entries) = fs_err::read_dir(folder) else { return 0 };
    let size = |entry: fs_err::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_of(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
