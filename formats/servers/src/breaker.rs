//! When a server that fails is asked again. Knows no server: times and outcomes only.

use std::time::{Duration, Instant};

/// Failures in a row after which a server is left alone.
const MAX_FAILURES: u32 = 5;
/// For how long; after that one request tries again.
const PAUSE: Duration = Duration::from_secs(60);

/// Counts the failures of a server in a row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Breaker {
    failures: u32,
    paused_until: Option<Instant>,
}

impl Breaker {
    /// Whether the server may be asked now.
    pub(crate) fn allows(&self, now: Instant) -> bool {
        self.paused_until.is_none_or(|until| now >= until)
    }

    /// The server answered.
    pub(crate) const fn succeeded(&mut self) {
        *self = Self { failures: 0, paused_until: None };
    }

    /// The server failed; one more failure after a pause begins the next.
    pub(crate) fn failed(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= MAX_FAILURES {
            self.paused_until = Some(now + PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_failures_in_a_row_pause_a_server_for_a_minute() {
        let now = Instant::now();
        let mut breaker = Breaker::default();
        for _ in 0..MAX_FAILURES - 1 {
            breaker.failed(now);
        }
        breaker.succeeded();
        for _ in 0..MAX_FAILURES {
            assert!(breaker.allows(now));
            breaker.failed(now);
        }
        assert!(!breaker.allows(now + PAUSE / 2) && breaker.allows(now + PAUSE));
        breaker.failed(now + PAUSE);
        assert!(!breaker.allows(now + PAUSE + PAUSE / 2));
        breaker.succeeded();
        assert!(breaker.allows(now));
    }
}
