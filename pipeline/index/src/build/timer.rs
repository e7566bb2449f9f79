//! Start time and stage durations of a build. They do not count for the content id.

use std::time::{Duration, Instant, SystemTime};

use serde_json::json;

/// Measures the stages of a build.
pub(super) struct StageTimer {
    started: SystemTime,
    open: Option<(&'static str, Instant)>,
    pub(super) stages: Vec<(&'static str, Duration)>,
}

impl StageTimer {
    #[expect(clippy::disallowed_methods, reason = "build-info.json records the start time")]
    pub(super) fn new() -> Self {
        Self { started: SystemTime::now(), open: None, stages: Vec::new() }
    }

    /// Ends the current stage and begins the next one.
    pub(super) fn begin(&mut self, stage: &'static str) {
        self.end();
        self.open = Some((stage, Instant::now()));
    }

    pub(super) fn end(&mut self) {
        if let Some((stage, since)) = self.open.take() {
            let took = since.elapsed();
            tracing::info!(stage, seconds = took.as_secs_f64(), "stage finished");
            self.stages.push((stage, took));
        }
    }

    /// Returns the content of `build-info.json`: platform, threads, start time and durations in seconds.
    pub(super) fn build_info(&self, threads: usize) -> Vec<u8> {
        let seconds = self.started.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let stages: Vec<_> =
            self.stages.iter().map(|(stage, took)| json!({"stage": stage, "seconds": took.as_secs_f64()})).collect();
        let info = json!({
            "started_unix_seconds": seconds,
            "os": std::env::consts::OS,
            "arch": std::env::consts::ARCH,
            "threads": threads,
            "stages": stages,
        });
        format!("{info:#}\n").into_bytes()
    }
}
