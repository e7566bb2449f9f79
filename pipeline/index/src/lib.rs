//! Turns repositories into one portable index: walk, read, parse, extract, chunk, embed, resolve, publish.
//!
//! `build` runs the stages in order; each stage is a module that does not depend on the others.
//! This crate must not know how an index is searched.

mod build;
mod build_config;
mod changes;
pub mod cli;
mod collection;
mod doctor;
pub mod embed;
mod embedding;
mod enrich;
mod git;
mod history;
pub mod interrupt;
mod learn;
pub mod memory;
pub mod model;
mod overlay;
mod pack;
pub mod process;
pub mod progress;
pub mod read;
mod reuse;
mod servers;
pub mod settings;
mod stat_cache;
mod summaries;
pub mod walk;
mod write;

pub use reuse::{ReuseCounts, ReuseOptions};
pub use write::{Counts, ScipCounts};
