//! Language servers beside an index: whether and how long they are asked, and what the answer says about that.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::Index;
use sextant_search::live::Confirmation;

use super::defaults;
use crate::responses::{LiveReport, ServerState};
use crate::{Error, IndexSet, Result};

/// Time for language servers at most, in seconds.
pub(super) const MAX_LIVE_SECONDS: f32 = 600.0;

/// Whether language servers are asked.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
pub struct LiveRequest {
    /// Ask running language servers, too: results that one names are marked, and what it alone names is added
    #[arg(long)]
    #[serde(default)]
    pub live: bool,
    /// Time for language servers, in seconds
    #[arg(long, default_value_t = defaults::one_second(), value_name = "SECONDS", requires = "live")]
    #[serde(default = "defaults::one_second")]
    pub live_seconds: f32,
}

/// The servers' part of an answer while it is made.
pub(super) struct Asking<'a> {
    /// `None` if there are no servers to ask.
    confirmation: Option<Confirmation<'a>>,
    indexes: &'a IndexSet,
    started: Instant,
}

impl LiveRequest {
    /// The time until which servers are asked about all indexes together; `None` if they are not wanted.
    pub(super) fn deadline(&self) -> Result<Option<Instant>> {
        let time = self.live.then(|| live_time(self.live_seconds)).transpose()?;
        Ok(time.map(|time| Instant::now() + time))
    }
}

/// Begins to ask about an index; `None` if servers are not wanted.
pub(super) fn ask<'a>(indexes: &'a IndexSet, index: &'a Index, deadline: Option<Instant>) -> Option<Asking<'a>> {
    let deadline = deadline?;
    let confirmation = indexes.servers().map(|servers| Confirmation::new(index, servers, deadline));
    Some(Asking { confirmation, indexes, started: Instant::now() })
}

/// A time for language servers.
pub(super) fn live_time(seconds: f32) -> Result<Duration> {
    if !seconds.is_finite() || !(0.0..=MAX_LIVE_SECONDS).contains(&seconds) {
        return Err(Error::Parameter(format!("live_seconds is 0 to {MAX_LIVE_SECONDS}")));
    }
    Ok(Duration::from_secs_f32(seconds))
}

impl<'a> Asking<'a> {
    /// Puts a question; `None` if there are no servers.
    pub(super) fn confirm<T>(
        asking: &mut Option<Self>,
        question: impl FnOnce(&mut Confirmation<'a>) -> sextant_search::Result<T>,
    ) -> Result<Option<T>> {
        let confirmation = asking.as_mut().and_then(|asking| asking.confirmation.as_mut());
        Ok(confirmation.map(question).transpose()?)
    }

    /// What the answer says about the servers; `notes` gets why some did not answer.
    pub(super) fn report(self, notes: &mut Vec<String>) -> LiveReport {
        let (asked, answered, unanswered): (usize, usize, Vec<String>) = match self.confirmation {
            Some(Confirmation { asked, answered, failures, .. }) => (asked, answered, failures.into_iter().collect()),
            None => (0, 0, vec!["this server was started without --live".to_owned()]),
        };
        notes.extend(unanswered.iter().map(|why| format!("not live: {why}")));
        let servers = self.indexes.servers().map(|servers| servers.report()).unwrap_or_default();
        LiveReport {
            asked,
            answered,
            unanswered,
            milliseconds: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            servers: servers.into_iter().map(ServerState::from).collect(),
        }
    }
}
