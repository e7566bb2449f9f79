//! Metrics of the HTTP server, in Prometheus' format.

use std::time::Instant;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    call: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DurationLabels {
    call: &'static str,
}

/// The first bucket of durations in seconds, the factor between buckets, and their number: from half a millisecond to
/// 16 seconds.
const BUCKETS: (f64, f64, u16) = (0.0005, 2.0, 16);

/// The status of a request whose client closed the connection before the answer; nginx uses the same number.
const CLIENT_CLOSED: u16 = 499;

/// A request in flight. It is counted when this is dropped.
pub(super) struct InFlight<'a> {
    metrics: &'a Metrics,
    call: &'static str,
    /// The status of its response.
    pub(super) status: u16,
    started: Instant,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        let Metrics { requests, seconds, in_flight, .. } = self.metrics;
        in_flight.dec();
        requests.get_or_create(&RequestLabels { call: self.call, status: self.status }).inc();
        seconds.get_or_create(&DurationLabels { call: self.call }).observe(self.started.elapsed().as_secs_f64());
    }
}

/// The counters.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<DurationLabels, Histogram>,
    in_flight: Gauge,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut registry = Registry::with_prefix("sextant");
        let requests = Family::<RequestLabels, Counter>::default();
        let histogram = || Histogram::new(exponential_buckets(BUCKETS.0, BUCKETS.1, BUCKETS.2));
        let seconds = Family::<DurationLabels, Histogram>::new_with_constructor(histogram);
        let in_flight = Gauge::default();
        registry.register("requests", "Requests by call and status", requests.clone());
        registry.register("request_seconds", "Duration of requests in seconds", seconds.clone());
        registry.register("requests_under_way", "Requests in flight", in_flight.clone());
        Self { registry, requests, seconds, in_flight }
    }

    /// Starts the measurement of a request. It ends when the returned value is dropped, even if the client has gone.
    pub(super) fn begin(&self, call: &'static str) -> InFlight<'_> {
        self.in_flight.inc();
        InFlight { metrics: self, call, status: CLIENT_CLOSED, started: Instant::now() }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
