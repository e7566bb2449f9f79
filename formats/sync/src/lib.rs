//! Distribution of indexes: packs ([`pack`]), where they are published ([`registry`], [`mod@publish`]) and signed
//! ([`sign`]), and how they are pulled ([`pull`]). Only [`remote`] opens outgoing connections.
//!
//! This crate must not know how rows are produced, nor how an index is searched.

mod error;
pub mod pack;
pub mod publish;
pub mod pull;
pub mod registry;
pub mod remote;
pub mod sign;

pub use error::{Error, Result};
