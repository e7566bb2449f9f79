//! What lies on disk: an index folder, its generations ([`generation`], [`manifest`]) and their parts, tables
//! ([`tables`]), graph ([`graph`]) and matrix of vectors ([`vectors`]); how they are opened, checked and published
//! ([`publish`]).
//!
//! This crate must not know what rows are made of, how results are ranked, nor of any network.
//! `formats/SPEC.md` is the normative description; a test holds it to the schemas here.

pub mod background;
pub mod digest;
pub mod error;
pub mod generation;
pub mod graph;
pub mod kinds;
pub mod manifest;
pub mod mapped;
pub mod names;
pub mod panics;
pub mod publish;
pub mod tables;
pub mod vectors;
pub mod version;

pub use error::{Error, Result};

#[cfg(test)]
mod spec;
