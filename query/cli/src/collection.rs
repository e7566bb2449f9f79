//! The options of servers of a collection.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sextant_api::overlay::cache_folder;
use sextant_collection::{Collection, Settings};
use sextant_server::Answers;
use sextant_sync::registry::escape_branch;

use crate::configuration;
use crate::error::Error;

#[derive(clap::Args)]
pub(crate) struct CollectionArgs {
    /// Serve the members of the collection at this location instead: each is fetched when a request is about it
    #[arg(long, value_name = "LOCATION", conflicts_with_all = ["index", "overlay"])]
    collection: Option<String>,
    /// Folder for what is fetched of the collection; each server needs its own [default: in the user's cache]
    #[arg(long, value_name = "FOLDER", requires = "collection")]
    cache: Option<PathBuf>,
    /// Bytes of fetched indexes on disk; the least recently asked ones are removed
    #[arg(long, default_value_t = 50_000_000_000, value_name = "BYTES")]
    max_disk: u64,
    /// Bytes of open indexes, mapped into memory; the least recently asked ones are closed
    #[arg(long, default_value_t = 10_000_000_000, value_name = "BYTES")]
    max_open: u64,
    /// Seconds after which the list of the collection is read again
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    refresh: u64,
    /// Members that one request asks, the likeliest first; the answer names the others
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_indexes: u16,
    /// Public minisign key that must have signed the packs: the key itself, or its file
    #[arg(long, value_name = "KEY", env = "SEXTANT_KEY")]
    key: Option<String>,
}

impl CollectionArgs {
    /// How many members one request asks.
    pub(crate) fn most(&self) -> usize {
        usize::from(self.max_indexes)
    }

    /// Opens the collection; none if the command line names none.
    pub(crate) fn open(&self) -> Result<Option<Arc<dyn Answers>>, Error> {
        let Some(location) = &self.collection else { return Ok(None) };
        let in_cache = || cache_folder().map(|folder| folder.join("collections").join(escape_branch(location)));
        let Some(folder) = self.cache.clone().or_else(in_cache) else {
            return Err(Error::Usage("there is no cache folder; name one with --cache".to_owned()));
        };
        let settings = Settings {
            location: location.clone(),
            folder,
            disk_bytes: self.max_disk,
            open_bytes: self.max_open,
            refresh: Duration::from_secs(self.refresh),
            most: usize::from(self.max_indexes),
            key: self.key.clone(),
        };
        Ok(Some(Arc::new(Collection::open(settings, configuration::load()?)?)))
    }
}
