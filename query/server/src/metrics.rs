//! What the HTTP server counts, in the format of Prometheus.

use std::time::Instant;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    call: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    call: &'static str,
}

/// The first bucket of durations, in seconds, how much wider each is than the one before, and how many there are:
/// from half a millisecond to 16 seconds.
const BUCKETS: (f64, f64, u16) = (0.0005, 2.0, 16);

/// The status of a request whose client did not wait for the answer, as nginx has it.
const GONE: u16 = 499;

/// A request that is not answered yet.
pub(super) struct UnderWay<'a> {
    metrics: &'a Metrics,
    call: &'static str,
    /// What it is answered with.
    pub(super) status: u16,
    started: Instant,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let Metrics { requests, seconds, under_way, .. } = self.metrics;
        under_way.dec();
        requests.get_or_create(&Request { call: self.call, status: self.status }).inc();
        seconds.get_or_create(&Asked { call: self.call }).observe(self.started.elapsed().as_secs_f64());
    }
}

/// The counters.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    seconds: Family<Asked, Histogram>,
    under_way: Gauge,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut registry = Registry::with_prefix("sextant");
        let requests = Family::<Request, Counter>::default();
        let histogram = || Histogram::new(exponential_buckets(BUCKETS.0, BUCKETS.1, BUCKETS.2));
        let seconds = Family::<Asked, Histogram>::new_with_constructor(histogram);
        let under_way = Gauge::default();
        registry.register("requests", "Requests by call and status", requests.clone());
        registry.register("request_seconds", "How long requests took", seconds.clone());
        registry.register("requests_under_way", "Requests that are not answered yet", under_way.clone());
        Self { registry, requests, seconds, under_way }
    }

    /// A request begins; it ends when what this gives is dropped, also where the client has gone.
    pub(super) fn begin(&self, call: &'static str) -> UnderWay<'_> {
        self.under_way.inc();
        UnderWay { metrics: self, call, status: GONE, started: Instant::now() }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a text does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
