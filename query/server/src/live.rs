//! Indexes that are replaced while they are asked.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use sextant_api::config::Config;
use sextant_api::overlay::{Fresh, Laid};
use sextant_api::requests::RequestInfo;
use sextant_api::responses::Response;
use sextant_api::{Error, IndexSet};

use crate::Result;

/// How long what `CURRENT` says is believed.
const BELIEVED: Duration = Duration::from_millis(200);
/// How long an overlay is believed to be what the checkout holds.
const OVERLAY_BELIEVED: Duration = Duration::from_secs(1);

/// Indexes, opened again when their `CURRENT` moves or the checkouts over them change.
pub struct Live {
    laid: Vec<Laid>,
    config: Config,
    opened: RwLock<Arc<Opened>>,
    /// When it was looked at last whether something has changed. Whoever looks holds this, so that only one does.
    checked: Mutex<Instant>,
}

/// Open indexes, and what they were opened from.
struct Opened {
    indexes: Arc<IndexSet>,
    fresh: Vec<Fresh>,
}

impl Live {
    /// Opens the indexes.
    ///
    /// # Errors
    /// An index cannot be opened, or a checkout not be laid over it.
    pub fn open(laid: Vec<Laid>, config: Config) -> Result<Self> {
        let opened = Opened::open(&laid, refresh(&laid, false)?, &config)?;
        Ok(Self { laid, config, opened: RwLock::new(Arc::new(opened)), checked: Mutex::new(Instant::now()) })
    }

    /// The indexes as they are now. What is new and cannot be opened is told, and the old stays.
    pub(crate) fn indexes(&self) -> Arc<IndexSet> {
        let believed = if self.laid.iter().all(Laid::is_plain) { BELIEVED } else { OVERLAY_BELIEVED };
        if let Ok(mut checked) = self.checked.try_lock()
            && checked.elapsed() >= believed
        {
            if let Err(error) = self.renew() {
                anstream::eprintln!("warning: the indexes stay as they were: {error}");
            }
            *checked = Instant::now();
        }
        Arc::clone(&self.opened().indexes)
    }

    fn opened(&self) -> Arc<Opened> {
        Arc::clone(&self.opened.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens the indexes again if they are others now.
    fn renew(&self) -> Result<()> {
        if !self.has_moved() && self.laid.iter().all(Laid::is_plain) {
            return Ok(());
        }
        let fresh = refresh(&self.laid, true)?;
        if fresh == self.opened().fresh && !self.has_moved() {
            return Ok(());
        }
        let opened = Opened::open(&self.laid, fresh, &self.config)?;
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(opened);
        Ok(())
    }

    /// Whether another generation than an opened one is the current one.
    fn has_moved(&self) -> bool {
        let opened = self.opened();
        opened.fresh.iter().zip(&opened.indexes.indexes).any(|(fresh, named)| {
            let current = fs_err::read_to_string(fresh.folder.join("CURRENT"));
            current.is_ok_and(|current| current.trim() != named.index.generation().name())
        })
    }

    /// Answers a request whose parameters are JSON.
    pub(crate) fn answer(&self, request: &RequestInfo, parameters: serde_json::Value) -> Result<Response> {
        let request = (request.parse)(parameters)?;
        match request.run(&self.indexes()) {
            // A part of a generation that is gone by now was not open yet: the new one answers.
            Err(Error::Search(error)) if !error.is_callers() && self.has_moved() => {
                self.renew()?;
                Ok(request.run(&self.opened().indexes)?)
            }
            response => Ok(response?),
        }
    }
}

/// What the indexes are opened from.
fn refresh(laid: &[Laid], is_quiet: bool) -> Result<Vec<Fresh>> {
    laid.iter().map(|laid| Ok(laid.refresh(is_quiet)?)).collect()
}

impl Opened {
    /// Opens indexes with all their parts: a server must not wait for them, nor find them gone.
    fn open(laid: &[Laid], fresh: Vec<Fresh>, config: &Config) -> Result<Self> {
        let pairs: Vec<Pair<'_>> = laid.iter().zip(&fresh).map(|(laid, fresh)| Pair { laid, fresh }).collect();
        let indexes = IndexSet::open_with(&pairs, config.clone(), |pair| pair.laid.open_fresh(pair.fresh))?;
        for named in &indexes.indexes {
            named.index.open_all()?;
        }
        Ok(Self { indexes: Arc::new(indexes), fresh })
    }
}

/// An index is called by its own folder, and opened from where it is fresh.
struct Pair<'a> {
    laid: &'a Laid,
    fresh: &'a Fresh,
}

impl AsRef<std::path::Path> for Pair<'_> {
    fn as_ref(&self) -> &std::path::Path {
        self.laid.as_ref()
    }
}
