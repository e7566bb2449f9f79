//! What is known of the requests of a server: metrics in Prometheus' format, and the access log.

use std::time::Instant;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::access_log::{AccessLog, Entry};

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    call: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TeamLabels {
    team: String,
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

/// Where a request comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    /// The team; empty if the server has none.
    pub(super) team: String,
    /// The address of the client; empty if it is unknown.
    pub(super) client: String,
    /// `http` or `mcp`.
    pub(super) protocol: &'static str,
}

/// A request in flight. It is counted when this is dropped.
pub(super) struct InFlight<'a> {
    metrics: &'a Metrics,
    call: &'static str,
    origin: Origin,
    /// The status of its response.
    pub(super) status: u16,
    /// Bytes of its answer.
    pub(super) bytes: usize,
    started: Instant,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        let Metrics { requests, of_teams, seconds, in_flight, log, .. } = self.metrics;
        let elapsed = self.started.elapsed().as_secs_f64();
        let Self { call, status, bytes, .. } = *self;
        let Origin { team, client, protocol } = &self.origin;
        in_flight.dec();
        requests.get_or_create(&RequestLabels { call, status }).inc();
        seconds.get_or_create(&DurationLabels { call }).observe(elapsed);
        if !team.is_empty() {
            of_teams.get_or_create(&TeamLabels { team: team.clone(), status }).inc();
        }
        if let Some(log) = log {
            log.add(Entry { team, client, protocol, call, status, ms: (elapsed * 1e6).round() / 1e3, bytes });
        }
        tracing::info!(request = call, status, "answered");
    }
}

/// The counters.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    of_teams: Family<TeamLabels, Counter>,
    seconds: Family<DurationLabels, Histogram>,
    in_flight: Gauge,
    log: Option<AccessLog>,
}

impl Metrics {
    pub(super) fn new(log: Option<AccessLog>) -> Self {
        let mut registry = Registry::with_prefix("sextant");
        let requests = Family::<RequestLabels, Counter>::default();
        let of_teams = Family::<TeamLabels, Counter>::default();
        let histogram = || Histogram::new(exponential_buckets(BUCKETS.0, BUCKETS.1, BUCKETS.2));
        let seconds = Family::<DurationLabels, Histogram>::new_with_constructor(histogram);
        let in_flight = Gauge::default();
        registry.register("requests", "Requests by call and status", requests.clone());
        registry.register("team_requests", "Requests by team and status", of_teams.clone());
        registry.register("request_seconds", "Duration of requests in seconds", seconds.clone());
        registry.register("requests_under_way", "Requests in flight", in_flight.clone());
        Self { registry, requests, of_teams, seconds, in_flight, log }
    }

    /// Starts the measurement of a request. It ends when the returned value is dropped, even if the client has gone.
    pub(super) fn begin(&self, call: &'static str, origin: Origin) -> InFlight<'_> {
        self.in_flight.inc();
        InFlight { metrics: self, call, origin, status: CLIENT_CLOSED, bytes: 0, started: Instant::now() }
    }

    /// All metrics; `further` are in the same format.
    pub(super) fn text(&self, further: &str) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        match text.strip_suffix(END) {
            Some(before) if !further.is_empty() => format!("{before}{further}{END}"),
            _ => text,
        }
    }
}

/// The last line of the format.
const END: &str = "# EOF\n";
