//! When a failed request is sent again, and how all requests wait while the server asks for a pause.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Longest pause that a server may ask for.
const MAX_PAUSE: Duration = Duration::from_secs(120);
/// Longest wait of the back-off.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The wait before the attempt after `failures` (at least 1): exponential, with a jitter of up to a half, so that
/// requests that failed together do not come back together. `seed` decides the jitter.
pub(crate) fn back_off(first: Duration, failures: u32, seed: &[u8]) -> Duration {
    let wait = first.saturating_mul(1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX)).min(MAX_WAIT);
    let mut hasher = blake3::Hasher::new();
    hasher.update(seed).update(&failures.to_le_bytes());
    let jitter = f64::from(hasher.finalize().as_bytes()[0]) / 255.0;
    wait.mul_f64(0.75 + jitter / 2.0)
}

/// A pause that all requests keep.
#[derive(Default)]
pub(crate) struct Gate {
    until: Mutex<Option<Instant>>,
}

impl Gate {
    /// Makes all requests wait.
    pub(crate) fn pause(&self, pause: Duration) {
        let until = Instant::now() + pause.min(MAX_PAUSE);
        let mut held = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        *held = Some(held.map_or(until, |held| held.max(until)));
    }

    /// Waits until no pause is left.
    pub(crate) async fn wait(&self) {
        loop {
            let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
            match until {
                Some(until) if until > Instant::now() => tokio::time::sleep_until(until).await,
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_limit() {
        let first = Duration::from_secs(1);
        for (failures, seconds) in [(1, 1.0), (2, 2.0), (4, 8.0), (40, 60.0)] {
            let wait = back_off(first, failures, b"seed").as_secs_f64();
            assert!((0.75 * seconds..=1.25 * seconds).contains(&wait), "{failures}: {wait}");
        }
        assert_ne!(back_off(first, 1, b"a"), back_off(first, 1, b"b"));
    }
}
