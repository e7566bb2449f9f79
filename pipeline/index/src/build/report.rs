//! What a build came to.

use std::time::Duration;

use sextant_format::kinds::SkipReason;

use crate::changes::Changes;
use crate::process::WorkerStats;
use crate::reuse::ReuseCounts;
use crate::write::Counts;

/// A published build.
#[derive(Debug)]
pub struct PublishedBuild {
    /// The generation's name.
    pub generation: String,
    /// The content id.
    pub content_id: String,
    /// What was counted.
    pub counts: Counts,
    /// Skipped paths that speak of trouble, as opposed to binary files and links.
    pub unexpected_skips: u64,
    /// Stages and how long they took.
    pub stages: Vec<(&'static str, Duration)>,
    /// What the workers of the stage `index` spent.
    pub worker_stats: WorkerStats,
    /// What was taken over.
    pub reuse: ReuseCounts,
    /// What is different from the generation before; none where there was none.
    pub changes: Option<Changes>,
}

/// Skipped paths that speak of trouble.
pub(super) fn unexpected_skips(counts: &Counts) -> u64 {
    let is_unexpected = |reason: &&str| ![SkipReason::Binary.as_str(), SkipReason::NotAFile.as_str()].contains(reason);
    counts.skipped.iter().filter(|(reason, _)| is_unexpected(reason)).map(|(_, count)| count).sum()
}
