//! The JSON forms, schema version 1. The shapes are a contract: they have types of their own here, so that a change
//! inside of the library cannot change them by accident. What is written at a field is in docs/json.md.

mod graph;
mod overview;
mod search;
mod source;
mod stats;

use serde::Serialize;

pub(crate) use graph::{
    Definitions, Hovers, Meant, Path, Reach, References, RelatedAnswer, Symbols, definitions_json, hover_json,
    nothing_json, path_json, reach_json, references_json, related_json, symbols_json,
};
pub(crate) use overview::{ContextAnswer, Explore, MapAnswer, context_json, explore_json, map_json};
pub(crate) use search::{Search, search_json};
pub(crate) use source::{Matches, Outlines, ShownAnswer, grep_json, outline_json, show_json};
pub(crate) use stats::{Stats, stats_json, verify_json};

/// The version of all shapes.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// A shape on one line.
pub(crate) fn line(value: &impl Serialize) -> String {
    // These shapes hold strings and numbers only; there is nothing that could fail.
    serde_json::to_string(value).unwrap_or_default()
}
