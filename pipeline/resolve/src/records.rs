//! Records of files as one build stores them for the next: a base, and an update with those that differ from it.
//!
//! A build after few changes shares the base of the build before and writes another update, so what it writes depends on
//! what differs from the base and not on the size of the index. Must not know what is in a record, nor how files are
//! stored.
//!
//! A part is its records one after the other, a directory, a rest whose meaning is up to its reader, and where these two
//! begin. Records are numbered from 0, those of the update after those of the base.

use std::io::{Error, Result, Write};
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// With a smaller share of records in the base, in percent, a new base is written.
const MIN_SHARED_PERCENT: usize = 75;

/// Bytes of the places at the end of a part.
const PLACES_BYTES: usize = 2 * size_of::<u64>();

/// The parts that an earlier build stored.
#[derive(Debug, Default)]
pub(crate) struct Records {
    parts: Vec<Part>,
    origins: Origins,
}

#[derive(Debug)]
struct Part {
    bytes: Vec<u8>,
    records: Vec<Range<usize>>,
    rest: Range<usize>,
}

#[derive(Serialize, Deserialize)]
struct Directory {
    /// The bytes of each record.
    lengths: Vec<u32>,
    /// For each file, in order, one more than the number of its record, or 0 if it has none.
    #[serde(with = "differences")]
    files: Vec<u32>,
}

/// Where an earlier build stored the record of each file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    /// For each file, in order, one more than the number of its record, or 0 if it has none.
    files: Vec<u32>,
    /// The number of records of the base.
    base: u32,
}

impl Records {
    /// Opens a base and, if there is one, the update that was written for it. `None` if they are damaged.
    pub(crate) fn open(parts: Vec<Vec<u8>>) -> Option<Self> {
        let mut records = Self::default();
        for bytes in parts {
            let (places, from_end) =
                bytes.len().checked_sub(PLACES_BYTES).and_then(|end| bytes.split_at_checked(end))?;
            let (directory, rest) = from_end.split_at(size_of::<u64>());
            let place = |bytes: &[u8]| usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok();
            let (start, rest) = (place(directory)?, place(rest)?..places.len());
            let directory: Directory = postcard::from_bytes(places.get(start..rest.start)?).ok()?;
            let mut at = 0_usize;
            let mut ranges = Vec::with_capacity(directory.lengths.len());
            for length in directory.lengths {
                let next = at.checked_add(length as usize).filter(|next| *next <= start)?;
                ranges.push(at..next);
                at = next;
            }
            if records.parts.is_empty() {
                records.origins.base = u32::try_from(ranges.len()).ok()?;
            }
            records.origins.files = directory.files;
            records.parts.push(Part { bytes, records: ranges, rest });
        }
        let count: usize = records.parts.iter().map(|part| part.records.len()).sum();
        let is_known = |&number: &u32| number as usize <= count;
        (!records.parts.is_empty() && records.origins.files.iter().all(is_known)).then_some(records)
    }

    /// The record of a file, by its number; none if it has none.
    pub(crate) fn of(&self, file: usize) -> Option<&[u8]> {
        let record = self.origins.files.get(file)?.checked_sub(1)?;
        let (part, at) = match record.checked_sub(self.origins.base) {
            Some(at) => (self.parts.get(1)?, at),
            None => (self.parts.first()?, record),
        };
        part.bytes.get(part.records.get(at as usize)?.clone())
    }

    /// Whether a file has a record.
    pub(crate) fn has(&self, file: usize) -> bool {
        self.origins.files.get(file).is_some_and(|&record| record > 0)
    }

    /// The number of files.
    pub(crate) const fn file_count(&self) -> usize {
        self.origins.files.len()
    }

    /// What follows the directories of base and update.
    pub(crate) fn rests(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().map(|part| part.bytes.get(part.rest.clone()).unwrap_or_default())
    }

    pub(crate) const fn origins(&self) -> &Origins {
        &self.origins
    }
}

impl Origins {
    /// The number of the record of a file of the earlier build, by its number there, if the base has it.
    fn in_base(&self, file: usize) -> Option<u32> {
        self.files.get(file)?.checked_sub(1).filter(|&record| record < self.base)
    }

    /// Whether the base has enough of the records of files, each given by its number in the earlier build if its record is
    /// the same.
    pub(crate) fn has_most(&self, files: impl Iterator<Item = Option<usize>>) -> bool {
        let has_none = |file: usize| self.files.get(file) == Some(&0);
        let (mut count, mut shared) = (0_usize, 0_usize);
        for file in files.filter(|file| !file.is_some_and(has_none)) {
            count += 1;
            shared += usize::from(file.is_some_and(|file| self.in_base(file).is_some()));
        }
        self.base > 0 && shared * 100 >= count * MIN_SHARED_PERCENT
    }
}

/// Writes a base or an update.
pub(crate) struct RecordsWriter<'o, W> {
    out: W,
    /// Where the base has records; none while it is written.
    base: Option<&'o Origins>,
    directory: Directory,
    written: u64,
}

impl<'o, W: Write> RecordsWriter<'o, W> {
    /// Begins an update of a base, or a base.
    pub(crate) const fn new(out: W, base: Option<&'o Origins>) -> Self {
        Self { out, base, directory: Directory { lengths: Vec::new(), files: Vec::new() }, written: 0 }
    }

    /// Adds a file whose record is that of a file of the earlier build, by its number there. False, and nothing is added, if
    /// the base does not have it.
    pub(crate) fn share(&mut self, file: Option<usize>) -> bool {
        let record = file.zip(self.base).and_then(|(file, base)| base.in_base(file));
        self.directory.files.extend(record.map(|record| record + 1));
        record.is_some()
    }

    /// Adds a file with its record, or without one if that is empty.
    pub(crate) fn push(&mut self, record: &[u8]) -> Result<()> {
        if record.is_empty() {
            self.directory.files.push(0);
            return Ok(());
        }
        self.out.write_all(record)?;
        self.written += record.len() as u64;
        self.directory.lengths.push(u32::try_from(record.len()).map_err(Error::other)?);
        let own = u32::try_from(self.directory.lengths.len()).map_err(Error::other)?;
        self.directory.files.push(self.base.map_or(0, |base| base.base).saturating_add(own));
        Ok(())
    }

    /// Ends the part with its rest.
    pub(crate) fn finish(self, rest: impl FnOnce(&mut W) -> Result<()>) -> Result<()> {
        let Self { mut out, directory, written, .. } = self;
        let directory = postcard::to_stdvec(&directory).map_err(Error::other)?;
        out.write_all(&directory)?;
        rest(&mut out)?;
        out.write_all(&written.to_le_bytes())?;
        out.write_all(&(written + directory.len() as u64).to_le_bytes())
    }
}

/// Numbers of things in what is stored: those of the base keep theirs, the others are counted when they are first used.
pub(crate) struct Numbering {
    /// How many the base has.
    base: usize,
    /// The number of each other one, or the largest number.
    numbers: Vec<u32>,
    /// The others in the order of their numbers.
    order: Vec<usize>,
}

impl Numbering {
    /// Of so many things, of which the base has the first ones.
    pub(crate) fn new(base: usize, count: usize) -> Self {
        Self { base, numbers: vec![u32::MAX; count.saturating_sub(base)], order: Vec::new() }
    }

    /// The number of a thing, by its place among all.
    pub(crate) fn number(&mut self, at: usize) -> u32 {
        let Some(number) = at.checked_sub(self.base).and_then(|at| self.numbers.get_mut(at)) else {
            return u32::try_from(at).unwrap_or(u32::MAX);
        };
        if *number == u32::MAX {
            *number = u32::try_from(self.base + self.order.len()).unwrap_or(u32::MAX);
            self.order.push(at);
        }
        *number
    }

    /// The places of those that the base lacks, in the order of their numbers.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }
}

/// Stores numbers as the differences between neighbours, which are small where they mostly ascend.
mod differences {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(numbers: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
        let mut last = 0;
        serializer.collect_seq(numbers.iter().map(|&number| number.wrapping_sub(std::mem::replace(&mut last, number))))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
        let mut numbers = Vec::<u32>::deserialize(deserializer)?;
        let mut last: u32 = 0;
        for number in &mut numbers {
            last = last.wrapping_add(*number);
            *number = last;
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Writes records after an earlier build; each is that of a file there, or a new one.
    fn written(base: Option<&Origins>, files: &[(Option<usize>, Vec<u8>)], rest: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = RecordsWriter::new(&mut bytes, base);
        for (earlier, record) in files {
            if !writer.share(*earlier) {
                writer.push(record).unwrap();
            }
        }
        writer.finish(|out| out.write_all(rest)).unwrap();
        bytes
    }

    fn all(records: &Records) -> Vec<Vec<u8>> {
        (0..records.file_count()).map(|file| records.of(file).unwrap_or_default().to_vec()).collect()
    }

    proptest! {
        #[test]
        fn an_update_of_a_base_says_what_a_new_base_does(
            first in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 1..20),
            edits in prop::collection::vec((0_usize..20, prop::collection::vec(any::<u8>(), 0..9)), 0..30),
        ) {
            let new = first.iter().map(|record| (None, record.clone())).collect::<Vec<_>>();
            let base = written(None, &new, b"base");
            let mut records = Records::open(vec![base.clone()]).unwrap();
            prop_assert_eq!(&all(&records), &first);
            for (at, record) in edits {
                let mut files: Vec<_> = all(&records).into_iter().enumerate().map(|(n, r)| (Some(n), r)).collect();
                // An edited file, a new one or a removed one.
                match at {
                    at if at < files.len() => files[at] = (None, record),
                    at if at % 2 == 0 || files.len() == 1 => files.insert(at % files.len(), (None, record)),
                    at => drop(files.remove(at % files.len())),
                }
                let origins = records.origins().clone();
                let update = written(Some(&origins), &files, b"update");
                let wanted: Vec<Vec<u8>> = files.into_iter().map(|(_, record)| record).collect();
                records = Records::open(vec![base.clone(), update]).unwrap();
                prop_assert_eq!(&all(&records), &wanted);
                prop_assert_eq!(records.rests().collect::<Vec<_>>(), vec![b"base".as_slice(), b"update"]);
                prop_assert!((0..wanted.len()).all(|file| records.has(file) != wanted[file].is_empty()));
            }
        }

        #[test]
        fn damage_is_never_a_panic(at in 0_usize..200, bit in 0_u8..8, cut in 0_usize..200) {
            let base = written(None, &[(None, vec![1; 40]), (None, vec![2; 9])], b"rest");
            let origins = Records::open(vec![base.clone()]).unwrap().origins().clone();
            let update = written(Some(&origins), &[(Some(1), vec![]), (None, vec![3; 20])], b"more");
            for part in 0..2 {
                let mut parts = vec![base.clone(), update.clone()];
                let len = parts[part].len();
                parts[part][at % len] ^= 1 << bit;
                parts[part].truncate(len - cut % len);
                if let Some(found) = Records::open(parts) {
                    all(&found);
                    found.rests().count();
                }
            }
        }
    }

    #[test]
    fn a_base_serves_while_most_records_are_its_own() {
        let files: Vec<(Option<usize>, Vec<u8>)> = (0..8).map(|n| (None, vec![n + 1])).collect();
        let base = Records::open(vec![written(None, &files, b"")]).unwrap();
        let kept = |changed: usize| (0..8).map(move |n| (n >= changed).then_some(n)).collect::<Vec<_>>();
        assert_eq!(
            [0, 2, 3, 8].map(|changed| base.origins().has_most(kept(changed).into_iter())),
            [true, true, false, false]
        );
        assert!(!Origins::default().has_most(std::iter::empty()), "there is no base");
    }
}
