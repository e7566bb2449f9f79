//! Interned names: each distinct text once, identified by a number.

use std::num::NonZeroU32;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::fingerprint;

/// The id of an interned name. An `Option` of it takes as much space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(NonZeroU32);

impl NameId {
    /// The id of the name at `index`; the last id where there are more names than ids.
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).map_or(NonZeroU32::MAX, |index| NonZeroU32::MIN.saturating_add(index)))
    }

    /// The position of the name in the order of insertion.
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The interned names, in the order of insertion.
#[derive(Default)]
pub(crate) struct NameInterner {
    names: IndexSet<Box<str>, FxBuildHasher>,
    /// The fingerprint of each name.
    fingerprints: Vec<u64>,
}

impl NameInterner {
    /// The id of a name, which is added if it is new.
    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        NameId::new(self.names.get_index_of(text).unwrap_or_else(|| {
            self.fingerprints.push(fingerprint::of_text(text));
            self.names.insert_full(text.into()).0
        }))
    }

    pub(crate) fn reserve(&mut self, names: usize) {
        self.names.reserve(names);
        self.fingerprints.reserve(names);
    }

    /// The id of a known name.
    pub(crate) fn find(&self, text: &str) -> Option<NameId> {
        self.names.get_index_of(text).map(NameId::new)
    }

    /// The text of a name.
    pub(crate) fn text(&self, id: NameId) -> &str {
        self.names.get_index(id.index()).map_or("", |text| text)
    }

    /// The text of a name that may be missing; empty where it is.
    pub(crate) fn text_or_empty(&self, id: Option<NameId>) -> &str {
        id.map_or("", |id| self.text(id))
    }

    /// The fingerprint of a name, which is the same in every build.
    pub(crate) fn fingerprint(&self, id: NameId) -> u64 {
        self.fingerprints.get(id.index()).copied().unwrap_or_default()
    }

    /// The fingerprint of a name that may be missing.
    pub(crate) fn fingerprint_or_none(&self, id: Option<NameId>) -> u64 {
        id.map_or(0, |id| self.fingerprint(id))
    }

    /// The number of names.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}
