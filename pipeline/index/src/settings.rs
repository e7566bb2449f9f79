//! Settings of how a file is processed. The `Debug` form of these types is hashed into the content id and into cache
//! keys, so their names and fields must not change.

use serde::{Deserialize, Serialize};
use sextant_syntax::chunk::Limits;

/// Settings of how a file is processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Size in bytes above which files are skipped.
    pub max_file_bytes: u64,
    /// How text is divided into chunks.
    pub limits: Limits,
    /// Which chunks get a vector.
    pub embedding: Embedding,
}

/// Which chunks get a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Embedding {
    /// Minimum number of lines of an undocumented symbol.
    pub symbol_lines: u32,
    /// Minimum number of lines of text outside symbols.
    pub code_lines: u32,
}

impl Embedding {
    /// The default; docs/lab has its savings and its costs.
    pub const STANDARD: Self = Self { symbol_lines: 7, code_lines: 12 };
}
