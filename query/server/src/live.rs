//! Indexes that are replaced while they answer requests.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::json;
use sextant_api::config::Config;
use sextant_api::overlay::{CurrentIndex, OverlayIndex, cache_folder};
use sextant_api::requests::RequestInfo;
use sextant_api::responses::Response;
use sextant_api::{Error, IndexSet, NamedIndex};
use sextant_search::live::LanguageServers;

use crate::Result;
use crate::access::Access;
use crate::answers::{Answers, Chosen, no_index};
use crate::watch::{Waker, Watcher};

/// How long `CURRENT` is not read again.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// How long a checkout that is not watched is not compared with its overlay again.
const OVERLAY_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How long the updating thread sleeps at most.
const MAX_SLEEP: Duration = Duration::from_secs(3600);

/// Requests about whole indexes: their answers take seconds, and are the same until the indexes change.
const KEPT_REQUESTS: [&str; 2] = ["map", "stats"];
/// Their answers that are kept. One has some hundred kilobytes at most.
const MAX_KEPT: usize = 32;

/// Indexes that are reopened when their `CURRENT` or a checkout changes.
pub struct Live {
    served: Arc<Served>,
    /// Keeps them current as files of checkouts are saved; none without checkouts, or if they cannot be watched.
    _updater: Option<Updater>,
}

impl Live {
    /// Opens the indexes, and watches the checkouts.
    ///
    /// # Errors
    /// An index cannot be opened, or its overlay cannot be built.
    pub fn open(
        overlays: Vec<OverlayIndex>,
        config: Config,
        servers: Option<Arc<dyn LanguageServers>>,
    ) -> Result<Self> {
        let saved = Arc::new(AtomicBool::new(false));
        // Before the first comparison, so that nothing is missed between.
        let watcher = watch(&overlays, &saved);
        let opened = Opened::open(&overlays, refresh(&overlays, false)?, &config, servers.clone())?;
        let (opened, checked) = (RwLock::new(Arc::new(opened)), Mutex::new(Instant::now()));
        let is_watched = watcher.is_some();
        let served = Arc::new(Served { overlays, config, servers, opened, checked, is_watched, saved });
        let updater =
            watcher.map(|(watcher, waker)| Updater::start(Arc::clone(&served), watcher, waker)).transpose()?;
        Ok(Self { served, _updater: updater })
    }

    /// Returns the current indexes. If a new generation cannot be opened, a warning is printed and the old one stays in
    /// use.
    pub fn indexes(&self) -> Arc<IndexSet> {
        self.served.indexes()
    }

    /// The current indexes that may be asked and that a request names.
    fn chosen(&self, access: &Access, chosen: &Chosen) -> Result<Arc<IndexSet>> {
        let all = self.indexes();
        let is_asked = |name: &str| access.allows(name) && chosen.includes(name);
        if all.indexes.iter().all(|named| is_asked(&named.name)) {
            return Ok(all);
        }
        let some = all.only(is_asked);
        if some.indexes.is_empty() { Err(no_index(chosen)) } else { Ok(Arc::new(some)) }
    }

    fn compute(
        &self,
        access: &Access,
        info: &RequestInfo,
        parameters: serde_json::Value,
        chosen: &Chosen,
    ) -> Result<Response> {
        let request = (info.parse)(parameters)?;
        match request.answer(&*self.chosen(access, chosen)?) {
            // The old generation may have been deleted before all of its parts were open.
            Err(Error::Search(error)) if !error.is_callers() && self.served.has_new_generation() => {
                self.served.reopen_changed()?;
                Ok(request.answer(&*self.chosen(access, chosen)?)?)
            }
            response => Ok(response?),
        }
    }
}

impl Answers for Live {
    fn indexes(&self, access: &Access) -> Arc<IndexSet> {
        let all = self.served.indexes();
        if all.indexes.iter().all(|named| access.allows(&named.name)) {
            return all;
        }
        Arc::new(all.only(|name| access.allows(name)))
    }

    fn answer(
        &self,
        access: &Access,
        info: &RequestInfo,
        parameters: serde_json::Value,
        chosen: &Chosen,
    ) -> Result<Response> {
        if !KEPT_REQUESTS.contains(&info.name) {
            return self.compute(access, info, parameters, chosen);
        }
        let asked = self.chosen(access, chosen)?;
        let names: Vec<&str> = asked.indexes.iter().map(|named| named.name.as_str()).collect();
        let opened = self.served.opened();
        let key = format!("{} {parameters} {names:?}", info.name);
        let kept = || opened.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, response)) = kept().iter().find(|(known, _)| *known == key) {
            return Ok(response.clone());
        }
        let response = self.compute(access, info, parameters, chosen)?;
        let mut kept = kept();
        if kept.len() >= MAX_KEPT {
            kept.pop_front();
        }
        // The indexes may have been replaced meanwhile: then nobody looks here again.
        kept.push_back((key, response.clone()));
        Ok(response)
    }

    fn health(&self, access: &Access) -> Vec<serde_json::Value> {
        let named = |named: &NamedIndex| json!({"name": named.name, "generation": named.index.generation().name()});
        Answers::indexes(self, access).indexes.iter().map(named).collect()
    }
}

/// Watches the checkouts and their index folders; `saved` is set at each event. None without checkouts. If they cannot
/// be watched, a warning says so, and requests look for edits.
fn watch(overlays: &[OverlayIndex], saved: &Arc<AtomicBool>) -> Option<(Watcher, Waker)> {
    let edited = || overlays.iter().filter(|overlay| overlay.has_checkouts());
    edited().next()?;
    let below: Vec<_> = edited().flat_map(OverlayIndex::checkout_folders).collect();
    let inside: Vec<_> = edited().map(|overlay| overlay.as_ref().to_owned()).collect();
    let saved = Arc::clone(saved);
    let on_event = move || saved.store(true, Ordering::Release);
    match Watcher::new(&below, &inside, cache_folder().into_iter().collect(), on_event) {
        Ok(watcher) => Some(watcher),
        Err(error) => {
            anstream::eprintln!("warning: requests look for edits at most once a second: {error}");
            None
        }
    }
}

/// A thread that keeps indexes current, so that requests seldom wait. It never outlives this value.
struct Updater {
    waker: Waker,
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Updater {
    fn start(served: Arc<Served>, watcher: Watcher, waker: Waker) -> Result<Self> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&is_stopped);
        let update = move || {
            while !stopped.load(Ordering::Acquire) {
                if watcher.wait(MAX_SLEEP) && !stopped.load(Ordering::Acquire) {
                    // What failed is tried again with the next file that is saved.
                    if let Err(panic) = sextant_diagnostics::catch(|| served.update_saved()) {
                        anstream::eprintln!("warning: local edits could not be indexed: {panic}");
                    }
                }
            }
        };
        let thread = Builder::new().name("overlay".to_owned()).spawn(update);
        let thread = thread.map_err(|error| crate::Error::Server(format!("a thread cannot be started: {error}")))?;
        Ok(Self { waker, is_stopped, thread: Some(thread) })
    }
}

impl Drop for Updater {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Release);
        self.waker.wake();
        // A panic of the thread was printed when it happened.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// The indexes that are served.
struct Served {
    overlays: Vec<OverlayIndex>,
    config: Config,
    /// The language servers that may be asked, if any.
    servers: Option<Arc<dyn LanguageServers>>,
    opened: RwLock<Arc<Opened>>,
    /// The time of the last check for changes. The lock ensures that only one thread checks at a time.
    checked: Mutex<Instant>,
    /// Whether checkouts are watched: they are compared only after something was saved.
    is_watched: bool,
    /// Whether something was saved since the last comparison began.
    saved: Arc<AtomicBool>,
}

/// Open indexes, and the folders that they were opened from.
struct Opened {
    indexes: Arc<IndexSet>,
    current: Vec<CurrentIndex>,
    /// Answers about whole indexes, by request and parameters, the oldest first.
    kept: Mutex<VecDeque<(String, Response)>>,
}

impl Served {
    fn indexes(&self) -> Arc<IndexSet> {
        if self.is_watched {
            self.update_saved();
            return Arc::clone(&self.opened().indexes);
        }
        let interval = if self.has_checkouts() { OVERLAY_CHECK_INTERVAL } else { CHECK_INTERVAL };
        if let Ok(checked) = self.checked.try_lock()
            && checked.elapsed() >= interval
        {
            self.reopen_or_warn(checked);
        }
        Arc::clone(&self.opened().indexes)
    }

    /// Brings the indexes up to date if something was saved, or waits for the thread that does.
    fn update_saved(&self) {
        let checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        // Cleared first: what is saved from now on counts again.
        if self.saved.swap(false, Ordering::AcqRel) {
            self.reopen_or_warn(checked);
        }
    }

    fn reopen_or_warn(&self, mut checked: MutexGuard<'_, Instant>) {
        if let Err(error) = self.reopen_changed() {
            anstream::eprintln!("warning: still using the previous indexes: {error}");
        }
        *checked = Instant::now();
    }

    fn has_checkouts(&self) -> bool {
        self.overlays.iter().any(OverlayIndex::has_checkouts)
    }

    fn opened(&self) -> Arc<Opened> {
        Arc::clone(&self.opened.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reopens the indexes if a generation or a checkout has changed.
    fn reopen_changed(&self) -> Result<()> {
        if !self.has_new_generation() && !self.has_checkouts() {
            return Ok(());
        }
        let current = refresh(&self.overlays, true)?;
        if current == self.opened().current && !self.has_new_generation() {
            return Ok(());
        }
        let opened = Opened::open(&self.overlays, current, &self.config, self.servers.clone())?;
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(opened);
        Ok(())
    }

    /// Returns whether the `CURRENT` of an index names another generation than the open one.
    fn has_new_generation(&self) -> bool {
        let opened = self.opened();
        opened.current.iter().zip(&opened.indexes.indexes).any(|(current, named)| {
            let generation = fs_err::read_to_string(current.folder.join("CURRENT"));
            generation.is_ok_and(|generation| generation.trim() != named.index.generation().name())
        })
    }
}

/// Brings all overlays up to date and returns the folders to open.
fn refresh(overlays: &[OverlayIndex], is_quiet: bool) -> Result<Vec<CurrentIndex>> {
    overlays.iter().map(|overlay| Ok(overlay.refresh(is_quiet)?)).collect()
}

impl Opened {
    /// Opens indexes with all their parts, so that no request waits for a part or finds it deleted.
    fn open(
        overlays: &[OverlayIndex],
        current: Vec<CurrentIndex>,
        config: &Config,
        servers: Option<Arc<dyn LanguageServers>>,
    ) -> Result<Self> {
        let pairs: Vec<OverlayPair<'_>> =
            overlays.iter().zip(&current).map(|(overlay, current)| OverlayPair { overlay, current }).collect();
        let indexes = IndexSet::open_with(&pairs, config.clone(), |pair| pair.overlay.open_current(pair.current))?;
        let indexes = indexes.with_servers(servers);
        for named in &indexes.indexes {
            named.index.open_all()?;
        }
        Ok(Self { indexes: Arc::new(indexes), current, kept: Mutex::default() })
    }
}

/// An index that is named after its own folder and opened from the folder of its overlay.
struct OverlayPair<'a> {
    overlay: &'a OverlayIndex,
    current: &'a CurrentIndex,
}

impl AsRef<std::path::Path> for OverlayPair<'_> {
    fn as_ref(&self) -> &std::path::Path {
        self.overlay.as_ref()
    }
}
