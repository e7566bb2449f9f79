//! Limits that all overviews keep.

/// Bytes of a token in a budget: English and code have between three and five.
pub const TOKEN_BYTES: usize = 4;

/// Edges of lower confidence are ignored: guesses among several candidates are below it.
pub(crate) const MIN_EDGE_CONFIDENCE: f32 = sextant_format::file_uses::MIN_CONFIDENCE;
