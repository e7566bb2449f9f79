//! Answers that put several others together: where to begin with a question, and what a repository consists of.
//!
//! Both are cut to a budget of tokens, so that they can be read by a model. A token is taken to be four bytes.

mod explore;
mod map;

pub use explore::{EntryPoint, Explore, RelevantFile};
pub use map::{Connection, Export, Map, MapLimits, Module};

/// Bytes of a token, as far as a budget is concerned: English and code are between three and five.
pub const TOKEN_BYTES: usize = 4;

/// Edges of lower confidence are ignored: guesses among several candidates are below it.
const MIN_EDGE_CONFIDENCE: f32 = 0.5;

/// How many tokens a text is.
pub(crate) const fn tokens(text: &str) -> usize {
    text.len().div_ceil(TOKEN_BYTES)
}
