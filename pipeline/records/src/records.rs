//! The parts that an earlier build stored, and where the record of each file is in them.
//!
//! Records are numbered from 0, those of the update after those of the base.

use std::io::Result;
use std::path::{Path, PathBuf};

use crate::part::{Part, damaged};
use crate::recent_frames::FrameContent;

/// With a smaller share of records in the base, in percent, a new base is written.
const MIN_SHARED_PERCENT: usize = 75;

/// What an earlier build stored.
#[derive(Debug, Default)]
pub struct Records {
    /// The base and, if there is one, the update.
    parts: Vec<Part>,
    paths: Vec<PathBuf>,
    origins: Origins,
}

/// Where an earlier build stored the record of each file.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// For each file, in order, one more than the number of its record, or 0 if it has none.
    files: Vec<u32>,
    /// The number of records of the base.
    base: u32,
}

impl Records {
    /// Opens a base and, if there is one, the update that was written for it.
    ///
    /// # Errors
    /// A part cannot be read, or is damaged.
    pub fn open(base: &Path, update: Option<&Path>) -> Result<Self> {
        let mut records = Self::default();
        for path in [base].into_iter().chain(update) {
            let (part, files) = Part::open(path)?;
            if records.parts.is_empty() {
                records.origins.base = u32::try_from(part.len()).map_err(|_| damaged(path))?;
            }
            records.origins.files = files;
            records.parts.push(part);
            records.paths.push(path.to_owned());
        }
        let count: usize = records.parts.iter().map(Part::len).sum();
        let is_known = |&number: &u32| number as usize <= count;
        if records.origins.files.iter().all(is_known) { Ok(records) } else { Err(damaged(base)) }
    }

    /// Reads records on one thread.
    #[must_use]
    pub const fn reader(&self) -> RecordReader<'_> {
        RecordReader { records: self, last: [None, None] }
    }

    /// Whether a file has a record.
    #[must_use]
    pub fn has(&self, file: usize) -> bool {
        self.origins.files.get(file).is_some_and(|&record| record > 0)
    }

    /// The number of files.
    #[must_use]
    pub const fn file_count(&self) -> usize {
        self.origins.files.len()
    }

    /// A blob of the base and, if there is one, that of the update.
    ///
    /// # Errors
    /// It is missing, or damaged.
    pub fn blobs(&self, number: usize) -> Result<Vec<Vec<u8>>> {
        let parts = self.parts.iter().zip(&self.paths);
        parts.map(|(part, path)| part.blob(number).ok_or_else(|| damaged(path))).collect()
    }

    /// Where the record of each file is.
    #[must_use]
    pub const fn origins(&self) -> &Origins {
        &self.origins
    }

    /// The error that says that a record is damaged.
    #[must_use]
    pub fn damage(&self) -> std::io::Error {
        damaged(self.paths.last().map_or(Path::new(""), PathBuf::as_path))
    }
}

/// Reads records, and keeps the last frame of each part, with its number: files of the update lie between those of the
/// base.
pub struct RecordReader<'r> {
    records: &'r Records,
    last: [Option<(usize, FrameContent)>; 2],
}

impl RecordReader<'_> {
    /// The record of a file, by its number; none if it has none, or if it is damaged.
    pub fn read(&mut self, file: usize) -> Option<&[u8]> {
        let Origins { files, base } = &self.records.origins;
        let record = files.get(file)?.checked_sub(1)?;
        let (part, record) = record.checked_sub(*base).map_or((0, record), |record| (1, record));
        let found = self.records.parts.get(part)?;
        let (frame, bytes) = found.place_of(record as usize)?;
        let last = self.last.get_mut(part)?;
        if last.as_ref().is_none_or(|(number, _)| *number != frame) {
            // Before another frame is read, so that it can have the memory.
            *last = None;
            *last = Some((frame, found.frame(frame)));
        }
        last.as_ref()?.1.get()?.as_deref()?.get(bytes)
    }
}

impl Origins {
    /// The number of the record of a file of the earlier build, by its number there, if the base has it.
    pub(crate) fn in_base(&self, file: usize) -> Option<u32> {
        self.files.get(file)?.checked_sub(1).filter(|&record| record < self.base)
    }

    /// The number of records of the base.
    pub(crate) const fn base(&self) -> u32 {
        self.base
    }

    /// Whether the base has enough of the records of files, each given by its number in the earlier build if its record is
    /// the same, that an update is worth writing.
    pub fn has_most(&self, files: impl Iterator<Item = Option<usize>>) -> bool {
        let has_none = |file: usize| self.files.get(file) == Some(&0);
        let (mut count, mut shared) = (0_usize, 0_usize);
        for file in files.filter(|file| !file.is_some_and(has_none)) {
            count += 1;
            shared += usize::from(file.is_some_and(|file| self.in_base(file).is_some()));
        }
        self.base > 0 && shared * 100 >= count * MIN_SHARED_PERCENT
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;
    use crate::RecordsWriter;

    /// Writes a part after an earlier build; each record is that of a file there, or a new one.
    fn write(path: &Path, base: Option<&Origins>, files: &[(Option<usize>, Vec<u8>)], blob: &[u8]) {
        let mut bytes = Vec::new();
        let mut writer = RecordsWriter::new(&mut bytes, base);
        for (earlier, record) in files {
            if !writer.share(*earlier) {
                writer.push(record).unwrap();
            }
        }
        writer.blob(|out| out.write_all(blob)).unwrap();
        writer.finish().unwrap();
        fs_err::write(path, bytes).unwrap();
    }

    fn all(records: &Records) -> Vec<Vec<u8>> {
        let mut reader = records.reader();
        (0..records.file_count()).map(|file| reader.read(file).unwrap_or_default().to_vec()).collect()
    }

    proptest! {
        #[test]
        fn an_update_of_a_base_says_what_a_new_base_does(
            first in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 1..20),
            edits in prop::collection::vec((0_usize..20, prop::collection::vec(any::<u8>(), 0..9)), 0..15),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let (base, update) = (dir.path().join("base"), dir.path().join("update"));
            let new = first.iter().map(|record| (None, record.clone())).collect::<Vec<_>>();
            write(&base, None, &new, b"base");
            let mut records = Records::open(&base, None).unwrap();
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
                drop(records);
                write(&update, Some(&origins), &files, b"update");
                let wanted: Vec<Vec<u8>> = files.into_iter().map(|(_, record)| record).collect();
                records = Records::open(&base, Some(&update)).unwrap();
                prop_assert_eq!(&all(&records), &wanted);
                prop_assert_eq!(records.blobs(0).unwrap(), [b"base".to_vec(), b"update".to_vec()]);
                prop_assert!((0..wanted.len()).all(|file| records.has(file) != wanted[file].is_empty()));
            }
        }

        #[test]
        fn damage_is_never_a_panic(at in 0_usize..300, bit in 0_u8..8, cut in 0_usize..300, is_base in any::<bool>()) {
            let dir = tempfile::tempdir().unwrap();
            let (base, update) = (dir.path().join("base"), dir.path().join("update"));
            write(&base, None, &[(None, vec![1; 40]), (None, vec![2; 9])], b"rest");
            let origins = Records::open(&base, None).unwrap().origins().clone();
            write(&update, Some(&origins), &[(Some(1), vec![]), (None, vec![3; 20])], b"more");
            let path = if is_base { &base } else { &update };
            let mut bytes = fs_err::read(path).unwrap();
            let len = bytes.len();
            bytes[at % len] ^= 1 << bit;
            bytes.truncate(len - cut % len);
            fs_err::write(path, bytes).unwrap();
            if let Ok(found) = Records::open(&base, Some(&update)) {
                all(&found);
                drop(found.blobs(0));
            }
        }
    }

    #[test]
    fn records_and_blobs_of_several_frames_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("base");
        let files: Vec<(Option<usize>, Vec<u8>)> =
            (0..9_u8).map(|n| (None, vec![n + 1; if n == 4 { 9 << 20 } else { 1 << 20 }])).collect();
        let blob: Vec<u8> = (0..9_000_000_u32).map(|n| (n >> 12) as u8).collect();
        write(&path, None, &files, &blob);
        assert!(fs_err::metadata(&path).unwrap().len() < 100_000);
        let records = Records::open(&path, None).unwrap();
        assert!(all(&records).iter().eq(files.iter().map(|(_, record)| record)));
        assert_eq!(records.blobs(0).unwrap(), [blob]);
        assert!(records.blobs(1).is_err());
        let mut reader = records.reader();
        assert_eq!([8, 0, 8].map(|file| reader.read(file).unwrap()[0]), [9, 1, 9]);
        assert!(reader.read(9).is_none());
    }

    #[test]
    fn a_base_serves_while_most_records_are_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("base");
        let files: Vec<(Option<usize>, Vec<u8>)> = (0..8).map(|n| (None, vec![n + 1])).collect();
        write(&path, None, &files, b"");
        let base = Records::open(&path, None).unwrap();
        let has_most = |changed: usize| base.origins().has_most((0..8).map(|n| (n >= changed).then_some(n)));
        assert_eq!([0, 2, 3, 8].map(has_most), [true, true, false, false]);
        assert!(!Origins::default().has_most(std::iter::empty()), "there is no base");
    }
}
