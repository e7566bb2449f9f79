//! How a run asks, and what it reports.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::{Budget, Result, Summary, TokenCounts};

/// How a run asks.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Maximum chunks of one request; long ones make it fewer.
    pub batch_size: usize,
    /// Requests at the same time.
    pub concurrency: usize,
    /// Attempts for a request that fails for a reason that may pass.
    pub attempts: u32,
    /// Wait after the first failure; it doubles.
    pub first_wait: Duration,
    /// What may be used.
    pub budget: Budget,
}

/// Why a run ended before everything was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The budget would have been exceeded.
    Budget,
    /// The user interrupted it.
    Interrupted,
    /// Several requests in a row failed in all attempts; the last failure.
    Unreachable(String),
    /// The endpoint refuses all requests; its message.
    Refused(String),
}

/// What happened.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Chunks that were answered in this run.
    pub answered: u64,
    /// Chunks whose answer was known.
    pub known: u64,
    /// Chunks without a valid answer, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Replies that were not the JSON that was asked for, but contained it.
    pub repaired: u64,
    /// Requests, retries included.
    pub requests: u64,
    /// Requests that were repeated.
    pub retries: u64,
    /// Tokens, as the server counts them; estimated where it does not.
    pub tokens: TokenCounts,
    /// Why not everything was asked; none if it was.
    pub stop: Option<StopReason>,
}

/// The summaries of a run.
#[derive(Debug)]
pub struct Finished {
    /// The summary of each item; none until a valid answer arrives.
    pub summaries: Vec<Option<Summary>>,
    /// What happened.
    pub report: Report,
}

/// The texts of the items with these numbers.
pub type LoadCode<'a> = dyn Fn(&[usize]) -> Result<Vec<String>> + 'a;
