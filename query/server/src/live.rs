//! Indexes that are replaced while they answer requests.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use sextant_api::config::Config;
use sextant_api::overlay::{CurrentIndex, OverlayIndex};
use sextant_api::requests::RequestInfo;
use sextant_api::responses::Response;
use sextant_api::{Error, IndexSet};
use sextant_search::live::LanguageServers;

use crate::Result;

/// How long `CURRENT` is not read again.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// How long a checkout is not compared with its overlay again.
const OVERLAY_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Indexes that are reopened when their `CURRENT` or a checkout changes.
pub struct Live {
    overlays: Vec<OverlayIndex>,
    config: Config,
    /// The language servers that may be asked, if any.
    servers: Option<Arc<dyn LanguageServers>>,
    opened: RwLock<Arc<Opened>>,
    /// The time of the last check for changes. The lock ensures that only one thread checks at a time.
    checked: Mutex<Instant>,
}

/// Open indexes, and the folders that they were opened from.
struct Opened {
    indexes: Arc<IndexSet>,
    current: Vec<CurrentIndex>,
}

impl Live {
    /// Opens the indexes.
    ///
    /// # Errors
    /// An index cannot be opened, or its overlay cannot be built.
    pub fn open(
        overlays: Vec<OverlayIndex>,
        config: Config,
        servers: Option<Arc<dyn LanguageServers>>,
    ) -> Result<Self> {
        let opened = Opened::open(&overlays, refresh(&overlays, false)?, &config, servers.clone())?;
        let (opened, checked) = (RwLock::new(Arc::new(opened)), Mutex::new(Instant::now()));
        Ok(Self { overlays, config, servers, opened, checked })
    }

    /// Returns the current indexes. If a new generation cannot be opened, a warning is printed and the old one stays in
    /// use.
    pub fn indexes(&self) -> Arc<IndexSet> {
        let interval = if self.has_checkouts() { OVERLAY_CHECK_INTERVAL } else { CHECK_INTERVAL };
        if let Ok(mut checked) = self.checked.try_lock()
            && checked.elapsed() >= interval
        {
            if let Err(error) = self.reopen_changed() {
                anstream::eprintln!("warning: still using the previous indexes: {error}");
            }
            *checked = Instant::now();
        }
        Arc::clone(&self.opened().indexes)
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

    /// Answers a request of a client on this machine: the files that the answer names are compared with the checkout in
    /// which the server runs.
    pub(crate) fn answer_here(&self, request: &RequestInfo, parameters: serde_json::Value) -> Result<Response> {
        let mut response = self.answer(request, parameters)?;
        if let Ok(folder) = std::env::current_dir() {
            response.compare(&self.indexes(), &folder)?;
        }
        Ok(response)
    }

    /// Answers a request whose parameters are JSON.
    pub(crate) fn answer(&self, request: &RequestInfo, parameters: serde_json::Value) -> Result<Response> {
        let request = (request.parse)(parameters)?;
        match request.run(&self.indexes()) {
            // The old generation may have been deleted before all of its parts were open.
            Err(Error::Search(error)) if !error.is_callers() && self.has_new_generation() => {
                self.reopen_changed()?;
                Ok(request.run(&self.opened().indexes)?)
            }
            response => Ok(response?),
        }
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
        Ok(Self { indexes: Arc::new(indexes), current })
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
