//! Interned names: each distinct text once, identified by a number.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// In place of a name id: no name.
pub(crate) const NO_NAME: u32 = u32::MAX;

/// The interned names. Ids count from 0 in the order of insertion.
#[derive(Default)]
pub(crate) struct NameInterner(IndexSet<Box<str>, FxBuildHasher>);

impl NameInterner {
    /// The id of a name, which is added if it is new.
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        let id = self.0.get_index_of(text).unwrap_or_else(|| self.0.insert_full(text.into()).0);
        u32::try_from(id).unwrap_or(NO_NAME)
    }

    /// The id of a known name.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        self.0.get_index_of(text).and_then(|id| u32::try_from(id).ok())
    }

    /// The text of an id; empty for [`NO_NAME`].
    pub(crate) fn text(&self, id: u32) -> &str {
        self.0.get_index(id as usize).map_or("", |text| text)
    }

    /// The number of names.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
