//! A run: symbols first, then blocks with the summaries of their symbols, in batches, several at the same time.

use std::time::Duration;

use futures::StreamExt as _;
use futures::future::{Either, select};
use rustc_hash::FxHashSet;

use crate::batch::Asker;
use crate::estimate::request_tokens;
use crate::item::ItemKey;
use crate::prompt::{MAX_CODE_BYTES, PROMPT_VERSION};
use crate::report::{Finished, LoadCode, Options, StopReason};
use crate::{Endpoint, Error, Estimate, Item, Journal, Result, Summary};

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
            summaries[at] =
                item.answer_key(endpoint.model(), PROMPT_VERSION, &summaries).and_then(|key| journal.get(&key));
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
                summaries[at] = item.answer_key(model, PROMPT_VERSION, &summaries).and_then(|key| journal.get(&key));
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
            match item.answer_key(model, PROMPT_VERSION, summaries) {
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
