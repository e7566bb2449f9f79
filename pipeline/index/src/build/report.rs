//! The result of a build.

use std::collections::BTreeMap;
use std::time::Duration;

use sextant_format::kinds::SkipReason;

use crate::changes::Changes;
use crate::process::WorkerStats;
use crate::reuse::ReuseCounts;
use crate::servers::LanguageAnswers;
use crate::write::Counts;

/// A published build.
#[derive(Debug)]
pub(crate) struct PublishedBuild {
    /// The generation's name.
    pub generation: String,
    /// Its content id, in hexadecimal digits.
    pub content_id: String,
    /// Numbers of files, rows and edges.
    pub counts: Counts,
    /// Number of skipped paths, except for binary files, links and special files.
    pub unexpected_skips: u64,
    /// The stages in order, with their durations.
    pub stages: Vec<(&'static str, Duration)>,
    /// Times and tokens of the workers of the stage `index`.
    pub worker_stats: WorkerStats,
    /// What was reused, and why not more.
    pub reuse: ReuseCounts,
    /// The differences from the previous generation; none if there was none or it could not be read.
    pub changes: Option<Changes>,
    /// What language servers answered, by language.
    pub server_answers: BTreeMap<String, LanguageAnswers>,
}

/// Returns the number of skipped paths, except for binary files, links and special files.
pub(super) fn unexpected_skips(counts: &Counts) -> u64 {
    let is_unexpected = |reason: &&str| ![SkipReason::Binary.as_str(), SkipReason::NotAFile.as_str()].contains(reason);
    counts.skipped.iter().filter(|(reason, _)| is_unexpected(reason)).map(|(_, count)| count).sum()
}
