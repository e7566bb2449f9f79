//! The view of an index that overviews need.

use crate::Index;

/// Answers with overviews, composed of searches, navigation and source.
#[derive(Clone, Copy, Debug)]
pub struct Overviews<'a> {
    pub(super) index: &'a Index,
}

impl<'a> Overviews<'a> {
    /// Borrows an index; nothing is opened yet.
    #[must_use]
    pub const fn new(index: &'a Index) -> Self {
        Self { index }
    }
}
