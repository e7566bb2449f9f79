//! Turns the git history of a checkout into its newest commits, each with the files that it changed, under the names
//! that they have now. Reads git's objects without the program git, whose configuration may name commands to run; knows
//! nothing of indexes.
//!
//! Everything in `.git` is untrusted: damaged, hostile, incomplete or changing while it is read. A history ends where
//! it cannot be read.

mod changes;
mod follow;
mod known;
mod model;
mod read;
#[cfg(test)]
mod tests;
mod walk;

pub use self::known::KnownChanges;
pub use self::model::{Checkout, Commit, History, Limits, Unreadable};
pub use self::read::read;
