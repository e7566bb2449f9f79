//! The view of an index that reading needs.

use crate::Index;

/// Reads the source in an index: files, excerpts, and `grep`.
#[derive(Clone, Copy, Debug)]
pub struct SourceReader<'a> {
    pub(super) index: &'a Index,
}

impl<'a> SourceReader<'a> {
    /// Borrows an index; nothing is opened yet.
    #[must_use]
    pub const fn new(index: &'a Index) -> Self {
        Self { index }
    }
}
