//! Builds the indexes of many repositories on many machines: a plan divides sources among shards, each shard builds and
//! uploads the packs of its sources, and a merge lists them as one collection. A large source is analysed in parts, each by a
//! shard of its own, and built by another.
//!
//! This module knows no engine: whatever can run a command N times, runs the shards.

mod analyses;
mod git;
mod job;
mod member;
mod merge;
mod plan;
mod shard;
mod source;
mod vocabulary;

pub(crate) use job::ShardOptions;
pub(crate) use merge::{MergeOptions, merge};
pub(crate) use plan::Plan;
pub(crate) use shard::run_shard;
pub(crate) use source::Source;
