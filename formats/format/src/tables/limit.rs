//! The size limit that follows from how tables are stored. This module must not know who applies it.

/// Largest file that can be indexed, in bytes: its text must fit into one page, whose size readers limit.
pub const MAX_FILE_BYTES: u64 = 128 << 20;
