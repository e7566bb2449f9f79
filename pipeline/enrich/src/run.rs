//! A run: symbols first, then blocks with the summaries of their symbols, in batches, several at the same time.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::StreamExt as _;
use futures::future::{Either, select};
use rustc_hash::FxHashSet;

use crate::batch::Asker;
use crate::estimate::request_tokens;
use crate::item::ItemKey;
use crate::prompt::MAX_CODE_BYTES;
use crate::{Budget, Endpoint, Error, Estimate, Item, Journal, Parent, Result, Summary, TokenCounts};

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
    /// The summary of each item; none if there is no valid answer yet.
    pub summaries: Vec<Option<Summary>>,
    /// What happened.
    pub report: Report,
}

/// The texts of the items with these numbers.
pub type LoadCode<'a> = dyn Fn(&[usize]) -> Result<Vec<String>> + 'a;

/// Asks about all items that the journal does not know. `step` is called with a number of items that need not be asked
/// any more.
///
/// # Errors
/// No client can be created, the journal cannot be written, or a text cannot be read. What the endpoint does wrong is in
/// the report.
pub fn run(
    items: &[Item],
    load: &LoadCode<'_>,
    endpoint: &Endpoint,
    journal: &Journal,
    options: &Options,
    interrupted: &dyn Fn() -> bool,
    step: &dyn Fn(u64),
) -> Result<Finished> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::Client(error.to_string()))?;
    let asker = Asker::new(items, load, endpoint, journal, options);
    let mut summaries: Vec<Option<Summary>> = vec![None; items.len()];
    let mut known = 0;
    for level in [1, 2] {
        let pending = Pending::find(items, &summaries, level, endpoint.model(), journal);
        known += pending.known;
        step(pending.known + pending.without_parent);
        asker.skip("the symbol around it has no summary", pending.without_parent);
        let batches = batches(items, &pending.ask, options.batch_size);
        let asking = async {
            let mut replies = futures::stream::iter(batches.into_iter().map(|batch| {
                let (asker, summaries) = (&asker, &summaries);
                async move {
                    let count = batch.len() as u64;
                    let result = asker.ask(batch, summaries).await;
                    step(count);
                    result
                }
            }))
            .buffer_unordered(options.concurrency.max(1));
            while let Some(result) = replies.next().await {
                result?;
            }
            Ok(())
        };
        let watching = async {
            while !interrupted() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let result = runtime.block_on(async {
            match select(std::pin::pin!(asking), std::pin::pin!(watching)).await {
                Either::Left((result, _)) => result,
                Either::Right(((), _)) => {
                    asker.stop(StopReason::Interrupted);
                    Ok(())
                }
            }
        });
        journal.sync()?;
        result?;
        for (at, item) in items.iter().enumerate().filter(|(_, item)| item.level == level) {
            summaries[at] = answer_key(item, &summaries, endpoint.model()).and_then(|key| journal.get(&key));
        }
    }
    let mut report = asker.into_report();
    report.known = known;
    Ok(Finished { summaries, report })
}

/// What a run would take.
#[must_use]
pub fn plan(items: &[Item], model: &str, journal: &Journal, batch_size: usize) -> Estimate {
    let mut estimate = Estimate::default();
    let mut summaries: Vec<Option<Summary>> = vec![None; items.len()];
    for level in [1, 2] {
        let pending = Pending::find(items, &summaries, level, model, journal);
        let mut ask = pending.ask;
        if level == 1 {
            for (at, item) in items.iter().enumerate().filter(|(_, item)| item.level == 1) {
                summaries[at] = journal.get(&item.answer_key(model, None));
            }
        } else {
            // The summaries of their symbols are still to come.
            ask.extend(pending.orphans);
        }
        estimate.known += pending.known;
        *(if level == 1 { &mut estimate.symbols } else { &mut estimate.blocks }) += ask.len() as u64;
        for batch in batches(items, &ask, batch_size) {
            estimate.requests += 1;
            estimate.tokens = estimate.tokens.plus(request_tokens(batch.iter().map(|&at| &items[at])));
        }
    }
    estimate
}

/// The items of a level that have to be asked about, each key once.
#[derive(Default)]
struct Pending {
    ask: Vec<usize>,
    known: u64,
    without_parent: u64,
    /// Items whose parent has no summary yet, each key once.
    orphans: Vec<usize>,
}

impl Pending {
    fn find(items: &[Item], summaries: &[Option<Summary>], level: u8, model: &str, journal: &Journal) -> Self {
        let mut pending = Self::default();
        let mut seen: FxHashSet<ItemKey> = FxHashSet::default();
        for (at, item) in items.iter().enumerate().filter(|(_, item)| item.level == level) {
            match answer_key(item, summaries, model) {
                None => {
                    pending.without_parent += 1;
                    if seen.insert(item.key) {
                        pending.orphans.push(at);
                    }
                }
                Some(key) if journal.get(&key).is_some() => pending.known += 1,
                Some(key) => {
                    if seen.insert(key) {
                        pending.ask.push(at);
                    }
                }
            }
        }
        pending
    }
}

/// The key of an item's answer; none for a block whose symbol has no summary.
pub(crate) fn answer_key(item: &Item, summaries: &[Option<Summary>], model: &str) -> Option<ItemKey> {
    match &item.parent {
        None => Some(item.answer_key(model, None)),
        Some(_) => Some(item.answer_key(model, Some(parent_summary(item, summaries)?))),
    }
}

/// The summary of the symbol around a block.
pub(crate) fn parent_summary<'a>(item: &'a Item, summaries: &'a [Option<Summary>]) -> Option<&'a str> {
    match item.parent.as_ref()? {
        Parent::Known(summary) => Some(summary),
        Parent::Item(at) => summaries.get(*at)?.as_ref().map(|summary| summary.summary.as_str()),
    }
}

/// Divides items into requests: at most so many, and at most [`MAX_CODE_BYTES`] of code unless one alone has more.
fn batches(items: &[Item], ask: &[usize], batch_size: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut bytes = 0;
    for &at in ask {
        let size = items[at].bytes;
        match batches.last_mut() {
            Some(batch) if batch.len() < batch_size && bytes + size <= MAX_CODE_BYTES as u64 => {
                batch.push(at);
                bytes += size;
            }
            _ => {
                batches.push(vec![at]);
                bytes = size;
            }
        }
    }
    batches
}
