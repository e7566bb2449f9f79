//! The sizes by which a text is divided. Must not know how it is divided.

use serde::{Deserialize, Serialize};

/// The sizes by which text is divided. They are part of the configuration hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// A symbol of more lines than this is divided into blocks. Symbols inside a callable get chunks of
    /// their own only if the callable has more lines than this.
    pub divide_lines: u32,
    /// A symbol of more lines than this is divided into its outermost blocks only.
    pub outermost_lines: u32,
    /// Blocks of fewer lines than this get no chunk.
    pub block_lines: u32,
    /// Left-over text is cut at the first blank line after this many lines ...
    pub window_lines: u32,
    /// ... and at the latest after this many ...
    pub window_max_lines: u32,
    /// ... or this many bytes.
    pub window_max_bytes: usize,
}

impl Limits {
    /// The default sizes. A window is about a screen.
    pub const STANDARD: Self = Self {
        divide_lines: 100,
        outermost_lines: 500,
        block_lines: 5,
        window_lines: 30,
        window_max_lines: 60,
        window_max_bytes: 6000,
    };
}
