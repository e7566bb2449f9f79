//! Distribution of indexes: packs ([`pack`]), where they are published ([`registry`], [`mod@publish`]), many of them
//! together ([`collection`]), how they are signed ([`sign`]) and pulled ([`pull`]). Only [`remote`] opens outgoing
//! connections.
//!
//! This crate must not know how rows are produced, nor how an index is searched.

pub mod collection;
mod error;
pub mod pack;
pub mod publish;
pub mod pull;
pub mod registry;
pub mod remote;
pub mod sign;

pub use error::{Error, Result};
