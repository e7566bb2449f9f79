//! The two versions of an artifact, and their histories.
//!
//! `FORMAT_VERSION`, the layout of the files; an index outside
//! [`OLDEST_FORMAT_VERSION`]`..=`[`FORMAT_VERSION`] is refused.
//!
//! 1. First layout.
//!
//! `FEATURE_VERSION`, the meaning of the rows (grammars, chunker, tokenizer): an index of another
//! feature version is readable, but nothing may be taken over from it.
//!
//! 1. Nine languages and Markdown, chunks of two levels, edges in six tiers.

/// The layout that this build writes.
pub const FORMAT_VERSION: u32 = 1;

/// The oldest layout that this build reads.
pub const OLDEST_FORMAT_VERSION: u32 = 1;

/// What the rows mean in this build.
pub const FEATURE_VERSION: u32 = 1;
