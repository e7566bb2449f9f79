//! A chunk that is planned: its lines, before its text is taken. Must not know how chunks are found.

use sextant_format::kinds::Kind;

/// A chunk without its text. Lines are from 1, inclusive.
pub(super) struct ChunkPlan {
    pub(super) level: u8,
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) symbol: Option<u32>,
    pub(super) parent: Option<usize>,
}

/// The owner of a line that no chunk owns.
pub(super) const UNOWNED: u32 = u32::MAX;
