//! Answers from the members of a collection at a location. The list and the vocabularies of the members are here; a
//! member's index is fetched when a request is about it, and the least recently asked ones leave within a budget of memory
//! and disk.
//!
//! Of members that were pulled, [`Pulled`] chooses those that a request asks, and [`PulledAnswers`] answers from them.
//!
//! This crate must not know how a request is answered, nor who asks.

mod choose;
mod error;
mod list;
mod measures;
mod pulled;
mod pulled_answers;
mod served;
mod settings;
mod store;

pub use error::{Error, Result};
pub use pulled::Pulled;
pub use pulled_answers::PulledAnswers;
pub use served::Collection;
pub use settings::Settings;
