//! NameInterner as numbers: every name that is defined or used, once.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// No name.
pub(super) const NO_NAME: u32 = u32::MAX;

/// The names; a name's number is its id.
#[derive(Default)]
pub(super) struct NameInterner(IndexSet<Box<str>, FxBuildHasher>);

impl NameInterner {
    /// The number of a name, new or not.
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        let id = self.0.get_index_of(text).unwrap_or_else(|| self.0.insert_full(text.into()).0);
        u32::try_from(id).unwrap_or(NO_NAME)
    }

    /// The number of a name that is known.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.0.get_index_of(text).and_then(|id| u32::try_from(id).ok())
    }

    /// The text of a number.
    pub(super) fn text(&self, id: u32) -> &str {
        self.0.get_index(id as usize).map_or("", |text| text)
    }

    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
