//! Interned names: each distinct text once, identified by a number.

use std::num::NonZeroU32;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The id of an interned name. An `Option` of it takes as much space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(NonZeroU32);

impl NameId {
    /// The id of the name at `index`; the last id where there are more names than ids.
    fn new(index: usize) -> Self {
        Self(u32::try_from(index).map_or(NonZeroU32::MAX, |index| NonZeroU32::MIN.saturating_add(index)))
    }

    /// The position of the name in the order of insertion.
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The interned names, in the order of insertion.
#[derive(Default)]
pub(crate) struct NameInterner(IndexSet<Box<str>, FxBuildHasher>);

impl NameInterner {
    /// The id of a name, which is added if it is new.
    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        NameId::new(self.0.get_index_of(text).unwrap_or_else(|| self.0.insert_full(text.into()).0))
    }

    /// The id of a known name.
    pub(crate) fn find(&self, text: &str) -> Option<NameId> {
        self.0.get_index_of(text).map(NameId::new)
    }

    /// The text of a name.
    pub(crate) fn text(&self, id: NameId) -> &str {
        self.0.get_index(id.index()).map_or("", |text| text)
    }

    /// The text of a name that may be missing; empty where it is.
    pub(crate) fn text_or_empty(&self, id: Option<NameId>) -> &str {
        id.map_or("", |id| self.text(id))
    }

    /// The number of names.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
