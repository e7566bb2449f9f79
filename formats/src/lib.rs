//! The contract between `sextant-index` and `sextant`: what lies on disk, how it is opened, verified, written and
//! published ([`write`], [`publish`]), how it travels ([`pack`], [`published`]), and the two things that both sides must
//! do identically, turning text into tokens ([`tokens`]) and text into vectors ([`encoder`]).
//!
//! This crate must not know what rows are made of (pipeline), how results are ranked (query), nor of any network.
//! `SPEC.md` beside it is the normative description; a test holds it to the schemas here.

mod beside;
pub mod digest;
pub mod encoder;
pub mod error;
pub mod fence;
pub mod generation;
pub mod graph;
pub mod kinds;
pub mod manifest;
pub mod mapped;
pub mod names;
pub mod pack;
pub mod publish;
pub mod published;
pub mod tables;
pub mod text;
pub mod tokens;
pub mod vectors;
pub mod verify;
pub mod version;
pub mod write;

pub use error::{Error, Result};

#[cfg(test)]
mod spec;
