//! Asks a language model for summaries of chunks, by any endpoint that speaks the chat completions of the OpenAI API.
//!
//! A list of [`Item`]s becomes a [`Summary`] for each, as far as the model answers and the budget lasts. Every answer is
//! in the [`Journal`] before it counts, so a run that was stopped continues where it ended. This crate must not know how
//! an index is laid out, nor what summaries are used for.

pub mod answer;
mod batch;
mod endpoint;
mod error;
mod estimate;
mod item;
mod journal;
pub mod prompt;
mod report;
mod retry;
mod run;

pub use endpoint::{ApiKey, Endpoint};
pub use error::{Error, Result};
pub use estimate::{Budget, Estimate, Prices, TokenCounts};
pub use item::{Item, ItemKey, Parent, Summary};
pub use journal::Journal;
pub use report::{Finished, LoadCode, Options, Report, StopReason};
pub use run::{plan, run};

#[cfg(test)]
mod tests;
