//! Indexes that are replaced while they are asked.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::calls::{Answer, CallInfo, Form, Sources};
use crate::config::Config;
use crate::{Error, Result};

/// How long what `CURRENT` says is believed.
const BELIEVED: Duration = Duration::from_millis(200);

/// Indexes, opened again when their `CURRENT` moves.
pub(crate) struct Live {
    folders: Vec<PathBuf>,
    config: Config,
    sources: RwLock<Arc<Sources>>,
    /// When `CURRENT` was read last. Whoever reads it holds this, so that only one does.
    checked: Mutex<Instant>,
}

impl Live {
    /// Opens the indexes.
    pub(crate) fn open(folders: Vec<PathBuf>, config: Config) -> Result<Self> {
        let sources = open(&folders, &config)?;
        Ok(Self { folders, config, sources: RwLock::new(Arc::new(sources)), checked: Mutex::new(Instant::now()) })
    }

    /// The indexes as they are now. A new generation that cannot be opened is told, and the old one stays.
    pub(crate) fn sources(&self) -> Arc<Sources> {
        if let Ok(mut checked) = self.checked.try_lock()
            && checked.elapsed() >= BELIEVED
        {
            *checked = Instant::now();
            if self.has_moved()
                && let Err(error) = self.reopen()
            {
                anstream::eprintln!("warning: the new generation cannot be opened: {error}");
            }
        }
        Arc::clone(&self.sources.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn reopen(&self) -> Result<()> {
        let sources = open(&self.folders, &self.config)?;
        *self.sources.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(sources);
        Ok(())
    }

    fn has_moved(&self) -> bool {
        let sources = self.sources.read().unwrap_or_else(PoisonError::into_inner);
        self.folders.iter().zip(&sources.indexes).any(|(folder, named)| {
            let current = fs_err::read_to_string(folder.join("CURRENT"));
            current.is_ok_and(|current| current.trim() != named.index.generation().name())
        })
    }

    /// Answers a call with parameters as JSON.
    pub(crate) fn answer(&self, call: &CallInfo, parameters: serde_json::Value, form: Form) -> Result<Answer> {
        let call = (call.parse)(parameters)?;
        let sources = self.sources();
        match call.answer(&sources, form) {
            // What was not open yet of a generation that is gone now is asked of the new one.
            Err(Error::Index(_) | Error::Text(_)) if self.has_moved() => {
                self.reopen()?;
                call.answer(&self.sources(), form)
            }
            answered => answered,
        }
    }
}

/// Opens the indexes with all their parts: a server must not wait for them, nor find them gone.
fn open(folders: &[PathBuf], config: &Config) -> Result<Sources> {
    let sources = Sources::open(folders, config.clone())?;
    for named in &sources.indexes {
        named.index.open_all()?;
    }
    Ok(sources)
}
