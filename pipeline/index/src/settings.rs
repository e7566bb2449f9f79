//! What decides how a file is processed. The debug form of these types is hashed into the content id and the keys of
//! caches: their names and fields stay as they are.

use serde::{Deserialize, Serialize};
use sextant_syntax::chunk::Limits;

/// What decides how a file is processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Larger files are skipped.
    pub max_file_bytes: u64,
    /// How text is divided.
    pub limits: Limits,
    /// Which chunks get a vector.
    pub embedding: Embedding,
}

/// Which chunks get a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Embedding {
    /// Symbols of fewer lines get none, unless they have documentation.
    pub symbol_lines: u32,
    /// Left-over text of fewer lines gets none.
    pub code_lines: u32,
}

impl Embedding {
    /// The default; docs/lab says what it saves and costs.
    pub const STANDARD: Self = Self { symbol_lines: 7, code_lines: 12 };
}
