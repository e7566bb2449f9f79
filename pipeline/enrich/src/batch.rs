//! One batch: requests, until each of its items has an answer or a reason why not.

use std::cell::RefCell;
use std::time::Duration;

use crate::answer::{self, Answers};
use crate::endpoint::{CallError, Reply};
use crate::estimate::{request_tokens, text_tokens};
use crate::prompt::{MAX_CODE_BYTES, PROMPT_VERSION, Question, cut_code, prompt};
use crate::report::{LoadCode, Options, Report, StopReason};
use crate::retry::{Gate, back_off};
use crate::{Endpoint, Item, Journal, Result, Summary, TokenCounts};

/// After so many requests in a row that failed in all their attempts, the endpoint counts as unreachable.
const MAX_FAILURES_IN_A_ROW: u32 = 3;
/// How often an item is asked about alone after an answer about it was missing or invalid.
const SINGLE_ATTEMPTS: u32 = 3;
/// Code that is too long for the model is cut to no less than this.
const MIN_CODE_BYTES: usize = 1 << 10;

/// Asks about the items of one run. All requests run on one thread.
pub(crate) struct Asker<'a> {
    items: &'a [Item],
    load: &'a LoadCode<'a>,
    endpoint: &'a Endpoint,
    journal: &'a Journal,
    options: &'a Options,
    gate: Gate,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    report: Report,
    /// Estimates of the requests under way.
    reserved: TokenCounts,
    failures_in_a_row: u32,
}

/// Items that are asked about in one request.
struct Part {
    items: Vec<usize>,
    /// How often its items were asked about alone.
    single_attempts: u32,
    max_code_bytes: usize,
}

/// The outcome of a request.
enum Outcome {
    Replied(Reply),
    TooLong,
    Refused,
    /// The run ends.
    Stopped,
    /// The request failed in all attempts.
    Failed,
}

/// What follows an attempt.
enum Settled {
    Done(Outcome),
    /// Another attempt, after the pause that the server asks for.
    Again {
        pause: Option<Duration>,
    },
}

impl<'a> Asker<'a> {
    pub(crate) fn new(
        items: &'a [Item],
        load: &'a LoadCode<'a>,
        endpoint: &'a Endpoint,
        journal: &'a Journal,
        options: &'a Options,
    ) -> Self {
        Self { items, load, endpoint, journal, options, gate: Gate::default(), state: RefCell::default() }
    }

    pub(crate) fn into_report(self) -> Report {
        self.state.into_inner().report
    }

    /// Ends the run; the first reason counts.
    pub(crate) fn stop(&self, reason: StopReason) {
        self.state.borrow_mut().report.stop.get_or_insert(reason);
    }

    /// Counts items without an answer.
    pub(crate) fn skip(&self, reason: &str, count: u64) {
        if count > 0 && self.state.borrow().report.stop.is_none() {
            *self.state.borrow_mut().report.skipped.entry(reason.to_owned()).or_default() += count;
        }
    }

    fn is_stopped(&self) -> bool {
        self.state.borrow().report.stop.is_some()
    }

    /// Asks about a batch. `summaries` has those of the symbols around blocks.
    pub(crate) async fn ask(&self, batch: Vec<usize>, summaries: &[Option<Summary>]) -> Result<()> {
        let mut parts = vec![Part { items: batch, single_attempts: 0, max_code_bytes: MAX_CODE_BYTES }];
        while let Some(part) = parts.pop() {
            if self.is_stopped() {
                return Ok(());
            }
            let texts: Vec<String> =
                (self.load)(&part.items)?.iter().map(|code| cut_code(code, part.max_code_bytes)).collect();
            let questions: Vec<Question<'_>> = part
                .items
                .iter()
                .zip(&texts)
                .map(|(&at, code)| {
                    let item = &self.items[at];
                    Question { item, code, parent_summary: item.parent_summary(summaries) }
                })
                .collect();
            let text = prompt(&questions);
            match self.request(&part, &text).await {
                Outcome::Replied(reply) => {
                    let missing = self.record(&part, &reply, summaries)?;
                    parts.extend(self.ask_again(part, missing, reply.was_cut));
                }
                Outcome::TooLong => parts.extend(self.shorten(part)),
                Outcome::Refused => parts.extend(self.divide(part, "the endpoint refused it")),
                Outcome::Failed => self.skip("the endpoint did not answer", part.items.len() as u64),
                Outcome::Stopped => return Ok(()),
            }
        }
        Ok(())
    }

    /// Sends a request, with retries.
    async fn request(&self, part: &Part, text: &str) -> Outcome {
        let estimate = request_tokens(part.items.iter().map(|&at| &self.items[at]));
        let seed = self.items[part.items[0]].key;
        for attempt in 1..=self.options.attempts.max(1) {
            self.gate.wait().await;
            if self.is_stopped() {
                return Outcome::Stopped;
            }
            if !self.reserve(estimate) {
                self.stop(StopReason::Budget);
                return Outcome::Stopped;
            }
            let result = self.endpoint.ask(text).await;
            match self.settle(result, text, estimate, attempt) {
                Settled::Done(outcome) => return outcome,
                Settled::Again { pause } => self.wait(attempt, pause, &seed).await,
            }
        }
        Outcome::Failed
    }

    /// Counts the result of an attempt, and decides what follows.
    fn settle(&self, result: Result<Reply, CallError>, text: &str, estimate: TokenCounts, attempt: u32) -> Settled {
        let mut state = self.state.borrow_mut();
        let State { report, reserved, failures_in_a_row } = &mut *state;
        *reserved = reserved.minus(estimate);
        report.requests += 1;
        report.retries += u64::from(attempt > 1);
        Settled::Done(match result {
            Ok(reply) => {
                *failures_in_a_row = 0;
                let tokens = reply.tokens.unwrap_or_else(|| text_tokens(text, &reply.text));
                report.tokens = report.tokens.plus(tokens);
                Outcome::Replied(reply)
            }
            Err(CallError::TooLong) => Outcome::TooLong,
            Err(CallError::Refused(what)) => {
                tracing::debug!(what, "a request was refused");
                Outcome::Refused
            }
            Err(CallError::Fatal(what)) => {
                report.stop.get_or_insert(StopReason::Refused(what));
                Outcome::Stopped
            }
            Err(CallError::Later { what, pause, may_have_cost }) => {
                tracing::debug!(what, attempt, "a request failed");
                if may_have_cost {
                    report.tokens.input += estimate.input;
                }
                if attempt < self.options.attempts.max(1) {
                    return Settled::Again { pause };
                }
                *failures_in_a_row += 1;
                if *failures_in_a_row >= MAX_FAILURES_IN_A_ROW {
                    report.stop.get_or_insert(StopReason::Unreachable(what));
                }
                Outcome::Failed
            }
        })
    }

    /// Waits before the next attempt. Where the server asks for a pause, all requests wait.
    async fn wait(&self, failures: u32, pause: Option<Duration>, seed: &[u8]) {
        let wait = back_off(self.options.first_wait, failures, seed);
        match pause {
            Some(pause) => self.gate.pause(pause.max(wait)),
            None => tokio::time::sleep(wait).await,
        }
    }

    fn reserve(&self, estimate: TokenCounts) -> bool {
        let mut state = self.state.borrow_mut();
        let reserved = state.reserved.plus(estimate);
        let allowed = self.options.budget.allows(state.report.tokens.plus(reserved));
        if allowed {
            state.reserved = reserved;
        }
        allowed
    }

    /// Stores the answers of a reply, and returns the items without one.
    fn record(&self, part: &Part, reply: &Reply, summaries: &[Option<Summary>]) -> Result<Vec<usize>> {
        let Answers { summaries: answers, was_repaired } = answer::parse(&reply.text, part.items.len());
        let mut missing = Vec::new();
        let mut answered = 0;
        for (&at, answer) in part.items.iter().zip(answers) {
            match (answer, self.items[at].answer_key(self.endpoint.model(), PROMPT_VERSION, summaries)) {
                (Some(answer), Some(key)) => {
                    self.journal.push(key, &answer)?;
                    answered += 1;
                }
                _ => missing.push(at),
            }
        }
        let report = &mut self.state.borrow_mut().report;
        report.answered += answered;
        report.repaired += u64::from(was_repaired && answered > 0);
        Ok(missing)
    }

    /// How to ask again about what a reply did not answer: in smaller requests if it was cut or has no answer at all, else
    /// each alone.
    fn ask_again(&self, part: Part, missing: Vec<usize>, was_cut: bool) -> Vec<Part> {
        let Part { items, single_attempts, max_code_bytes } = part;
        if missing.is_empty() {
            return Vec::new();
        }
        // An answer that is useless as a whole is more often one in other words than the fault of each item.
        if missing.len() > 1 && (was_cut || missing.len() == items.len()) {
            return halves(missing, max_code_bytes);
        }
        if items.len() == 1 && single_attempts + 1 >= SINGLE_ATTEMPTS {
            self.skip("its answers are not valid", 1);
            return Vec::new();
        }
        let attempts = if items.len() == 1 { single_attempts + 1 } else { 0 };
        let alone = |at| Part { items: vec![at], single_attempts: attempts, max_code_bytes };
        missing.into_iter().rev().map(alone).collect()
    }

    /// Smaller requests after one that is too long for the model.
    fn shorten(&self, part: Part) -> Vec<Part> {
        if part.items.len() > 1 {
            return halves(part.items, part.max_code_bytes);
        }
        let longest = part.items.iter().map(|&at| self.items[at].bytes).max().unwrap_or(0);
        let max_code_bytes = part.max_code_bytes.min(usize::try_from(longest).unwrap_or(usize::MAX)) / 2;
        if max_code_bytes < MIN_CODE_BYTES {
            self.skip("it is too long for the model", 1);
            return Vec::new();
        }
        vec![Part { max_code_bytes, ..part }]
    }

    /// Halves of a request that was refused, until one item is left, which is skipped.
    fn divide(&self, part: Part, reason: &str) -> Vec<Part> {
        if part.items.len() > 1 {
            return halves(part.items, part.max_code_bytes);
        }
        self.skip(reason, 1);
        Vec::new()
    }
}

/// The first half last, so that it is asked about first.
fn halves(mut items: Vec<usize>, max_code_bytes: usize) -> Vec<Part> {
    let rest = items.split_off(items.len() / 2);
    [rest, items].into_iter().map(|items| Part { items, single_attempts: 0, max_code_bytes }).collect()
}
