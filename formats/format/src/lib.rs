//! The formats on disk: an index folder, its generations ([`generation`], [`manifest`]) and their parts: tables
//! ([`tables`]), graph ([`graph`]) and vector matrix ([`vectors`]). Opens, checks and publishes them ([`publish`]).
//!
//! This crate must not know how rows are produced, how results are ranked, nor any network. `formats/SPEC.md` is the
//! normative description; a test compares it with the schemas here.

pub mod background;
mod batch;
mod batch_writer;
pub mod digest;
pub mod endpoints;
pub mod error;
pub mod file_rows;
pub mod file_uses;
pub mod generation;
pub mod graph;
pub mod hashes;
pub mod ids;
pub mod keys;
pub mod kinds;
pub mod manifest;
pub mod mapped;
pub mod names;
pub mod panics;
pub mod publish;
pub mod segments;
pub mod tables;
pub mod vectors;
pub mod vectors_by_file;
pub mod version;

pub use error::{Error, Result};

#[cfg(test)]
mod spec;
