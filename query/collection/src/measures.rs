//! Metrics of a served collection, in OpenMetrics' format.

use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// The metrics.
pub(crate) struct Measures {
    registry: Registry,
    /// Members of the list.
    pub(crate) members: Gauge,
    /// Open indexes, and the bytes of their files.
    pub(crate) open: Gauge,
    pub(crate) open_bytes: Gauge,
    /// Bytes of fetched indexes.
    pub(crate) disk_bytes: Gauge,
    /// Indexes that were fetched, and bytes that came over the network for them.
    pub(crate) fetches: Counter,
    pub(crate) fetched_bytes: Counter,
    /// Fetches that failed.
    pub(crate) failures: Counter,
    /// Indexes that were closed or removed to stay within the budgets.
    pub(crate) closed: Counter,
    pub(crate) removed: Counter,
    /// Lists that were read, and those that could not be read.
    pub(crate) lists: Counter,
    pub(crate) list_failures: Counter,
    /// Members that requests asked.
    pub(crate) asked: Histogram,
    /// How long fetching and opening an index took.
    pub(crate) fetch_seconds: Histogram,
}

impl Measures {
    pub(crate) fn new() -> Self {
        let mut measures = Self {
            registry: Registry::with_prefix("sextant_collection"),
            members: Gauge::default(),
            open: Gauge::default(),
            open_bytes: Gauge::default(),
            disk_bytes: Gauge::default(),
            fetches: Counter::default(),
            fetched_bytes: Counter::default(),
            failures: Counter::default(),
            closed: Counter::default(),
            removed: Counter::default(),
            lists: Counter::default(),
            list_failures: Counter::default(),
            asked: Histogram::new(exponential_buckets(1.0, 2.0, 10)),
            fetch_seconds: Histogram::new(exponential_buckets(0.01, 2.0, 16)),
        };
        let registry = &mut measures.registry;
        registry.register("members", "Members of the list", measures.members.clone());
        registry.register("open", "Open indexes", measures.open.clone());
        registry.register("open_bytes", "Bytes of the files of open indexes", measures.open_bytes.clone());
        registry.register("disk_bytes", "Bytes of fetched indexes on disk", measures.disk_bytes.clone());
        registry.register("fetches", "Indexes that were fetched", measures.fetches.clone());
        registry.register("fetched_bytes", "Bytes that were fetched for indexes", measures.fetched_bytes.clone());
        registry.register("fetch_failures", "Fetches that failed", measures.failures.clone());
        registry.register("closed", "Indexes that were closed for the budget of open bytes", measures.closed.clone());
        registry.register("removed", "Indexes that were removed for the budget of the disk", measures.removed.clone());
        registry.register("lists", "Readings of the list", measures.lists.clone());
        registry.register("list_failures", "Readings of the list that failed", measures.list_failures.clone());
        registry.register("asked", "Members that a request asked", measures.asked.clone());
        registry.register("fetch_seconds", "Time to fetch and open an index", measures.fetch_seconds.clone());
        measures
    }

    /// The metrics without the end of the format.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode_registry(&mut text, &self.registry);
        text
    }
}
