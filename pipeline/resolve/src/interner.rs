//! Interned names: each distinct text once, identified by a number.

use std::num::NonZeroU32;

use hashbrown::HashTable;
use serde::{Deserialize, Serialize};

use crate::fingerprint;

/// The id of an interned name. An `Option` of it takes as much space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct NameId(NonZeroU32);

impl NameId {
    /// The id of the name at `index`; the last id where there are more names than ids.
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).map_or(NonZeroU32::MAX, |index| NonZeroU32::MIN.saturating_add(index)))
    }

    /// The number that stands for it, from 1.
    pub(crate) const fn get(self) -> u32 {
        self.0.get()
    }

    /// The position of the name in the order of insertion.
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Room for one more name in so many of an earlier build.
const MORE_ONE_IN: usize = 16;

/// The interned names, in the order of insertion.
#[derive(Default)]
pub(crate) struct NameInterner {
    /// The texts of all names, one after the other.
    text: String,
    /// Where the text of each name ends.
    ends: Vec<usize>,
    /// The fingerprint of each name.
    fingerprints: Vec<u64>,
    /// The names by their fingerprints.
    table: HashTable<NameId>,
}

impl NameInterner {
    /// Names that are different, given by their texts one after the other and the length of each; none if these are not of
    /// this text.
    pub(crate) fn from_texts(text: String, lengths: &[u32]) -> Option<Self> {
        let mut names = Self { text, ..Self::default() };
        names.reserve(lengths.len() + lengths.len() / MORE_ONE_IN);
        let mut start = 0_usize;
        for (at, &length) in lengths.iter().enumerate() {
            let end = start.checked_add(length as usize)?;
            let fingerprint = fingerprint::of_text(names.text.get(start..end)?);
            names.ends.push(end);
            names.add_to_table(fingerprint, NameId::new(at));
            start = end;
        }
        (start == names.text.len()).then_some(names)
    }

    fn add_to_table(&mut self, fingerprint: u64, id: NameId) {
        self.fingerprints.push(fingerprint);
        let fingerprints = &self.fingerprints;
        let of = |id: &NameId| fingerprints.get(id.index()).copied().unwrap_or_default();
        self.table.insert_unique(fingerprint, id, of);
    }

    /// The id of a name, which is added if it is new.
    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        let fingerprint = fingerprint::of_text(text);
        if let Some(known) = self.find_by(fingerprint, text) {
            return known;
        }
        let id = NameId::new(self.ends.len());
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.add_to_table(fingerprint, id);
        id
    }

    /// Makes room for so many more names.
    fn reserve(&mut self, names: usize) {
        self.ends.reserve(names);
        self.fingerprints.reserve(names);
        let fingerprints = &self.fingerprints;
        self.table.reserve(names, |id| fingerprints.get(id.index()).copied().unwrap_or_default());
    }

    /// The id of a known name.
    pub(crate) fn find(&self, text: &str) -> Option<NameId> {
        self.find_by(fingerprint::of_text(text), text)
    }

    fn find_by(&self, fingerprint: u64, text: &str) -> Option<NameId> {
        let is_same = |id: &NameId| self.fingerprint(*id) == fingerprint && self.text(*id) == text;
        self.table.find(fingerprint, is_same).copied()
    }

    /// The text of a name.
    pub(crate) fn text(&self, id: NameId) -> &str {
        let end_of = |at: usize| self.ends.get(at).copied().unwrap_or_default();
        let start = id.index().checked_sub(1).map_or(0, end_of);
        self.text.get(start..end_of(id.index())).unwrap_or("")
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
    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_one_id() {
        let mut names = NameInterner::default();
        let texts = (0..5000).map(|n| format!("name{}", n % 2000)).chain(["".to_owned(), "größe".to_owned()]);
        let texts: Vec<String> = texts.collect();
        let ids: Vec<NameId> = texts.iter().map(|text| names.intern(text)).collect();
        assert_eq!(names.len(), 2002);
        for (text, &id) in texts.iter().zip(&ids) {
            assert_eq!(names.intern(text), id);
            assert_eq!((names.text(id), names.find(text)), (text.as_str(), Some(id)));
        }
        assert_eq!((names.find("name2000"), names.text(NameId::new(2002)), names.len()), (None, "", 2002));
    }

    #[test]
    fn names_come_back_from_their_texts() {
        let mut names = NameInterner::from_texts("abcgröße".to_owned(), &[1, 0, 2, 7]).unwrap();
        let texts = ["a", "", "bc", "größe"];
        assert_eq!(texts.map(|text| names.intern(text).index()), [0, 1, 2, 3]);
        assert_eq!((0..5).map(|at| names.text(NameId::new(at))).collect::<Vec<_>>(), ["a", "", "bc", "größe", ""]);
        assert_eq!((names.intern("a new one").index(), names.find("c")), (4, None));
        for lengths in [&[3, 3][..], &[3, 7, 1], &[3, 3, 4], &[3]] {
            assert!(NameInterner::from_texts("abcgröße".to_owned(), lengths).is_none(), "{lengths:?}");
        }
    }
}
