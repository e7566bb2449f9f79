//! Overviews that combine several requests: the entry points of a question, and the modules of a repository.
//!
//! Both are cut to a budget of tokens, so that a model can read them. A token counts as four bytes.

mod explore;
mod map;

pub use explore::{EntryPoint, Explore, RelevantFile};
pub use map::{Connection, Export, Map, MapLimits, Module};

/// Bytes of a token in a budget: English and code have between three and five.
pub const TOKEN_BYTES: usize = 4;

/// Edges of lower confidence are ignored: guesses among several candidates are below it.
const MIN_EDGE_CONFIDENCE: f32 = 0.5;

/// The number of tokens of a text.
pub(crate) const fn tokens(text: &str) -> usize {
    text.len().div_ceil(TOKEN_BYTES)
}
