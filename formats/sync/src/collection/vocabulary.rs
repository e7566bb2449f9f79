//! The vocabulary of a member: what its index defines, uses and contains, as a file that is small enough to ask every
//! member of a collection before one of them is fetched.
//!
//! The file is a finite-state map (the `fst` crate) from a letter and a text to a count. The letter says what the text
//! is, see [`Entry`].

use std::collections::BTreeMap;
use std::path::Path;

use fst::{IntoStreamer as _, Map, MapBuilder, Streamer as _};
use serde::{Deserialize, Serialize};
use sextant_format::panics::catch_panic;

use crate::{Error, Result};

/// Longer texts are left out.
pub const MAX_TEXT_BYTES: usize = 128;
/// Bytes of all keys for each byte of the file at most. Real ones have about 4; a hostile file may contain more keys than
/// can be read.
const MAX_KEY_BYTES_PER_BYTE: usize = 64;

/// What an entry of a vocabulary is about. All texts are lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry {
    /// A name that the index defines; the count is that of its definitions.
    Definition,
    /// The last part of a file's path; the count is that of the files.
    File,
    /// The last part of a name that the index uses and does not define; the count is that of such names.
    External,
    /// An endpoint that the index serves or asks, with its whole name.
    Endpoint,
    /// A word; the count is that of the chunks that contain it.
    Word,
}

impl Entry {
    const fn letter(self) -> u8 {
        match self {
            Self::Definition => b'd',
            Self::External => b'e',
            Self::Endpoint => b'r',
            Self::File => b'f',
            Self::Word => b'w',
        }
    }
}

/// Where a vocabulary is, and what it must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VocabularyFile {
    /// Its path, relative to the location.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The BLAKE3 digest of its bytes, in hexadecimal digits.
    pub blake3: String,
}

/// Counts of texts, to be written.
#[derive(Clone, Debug, Default)]
pub struct VocabularyBuilder(BTreeMap<Vec<u8>, u64>);

impl VocabularyBuilder {
    /// Adds to the count of a text, in lower case.
    pub fn add(&mut self, entry: Entry, text: &str, count: u64) {
        if !text.is_empty() && text.len() <= MAX_TEXT_BYTES && count > 0 {
            *self.0.entry(key(entry, text)).or_default() += count;
        }
    }

    /// Writes the file and returns its description, with the path `name`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, file: &Path, name: String) -> Result<VocabularyFile> {
        let mut builder = MapBuilder::memory();
        // The keys of a tree are sorted and different, as the format wants them.
        let built = self.0.iter().try_for_each(|(key, count)| builder.insert(key, *count));
        let bytes = built.and_then(|()| builder.into_inner()).map_err(|error| Error::damaged(file, error))?;
        fs_err::write(file, &bytes)?;
        let blake3 = blake3::hash(&bytes).to_hex().to_string();
        Ok(VocabularyFile { path: name, bytes: bytes.len() as u64, blake3 })
    }
}

/// The vocabulary of a member.
pub struct Vocabulary(Map<Vec<u8>>);

impl Vocabulary {
    /// Reads the bytes of a vocabulary, and all of its keys: damage is found here.
    ///
    /// # Errors
    /// They are not those that the list names, or no vocabulary; `path` says where they are from.
    pub fn read(bytes: Vec<u8>, expected: &VocabularyFile, path: &Path) -> Result<Self> {
        check(&bytes, expected, path)?;
        Self::parse(bytes, path)
    }

    /// Reads the bytes of a vocabulary that [`Self::read`] accepted when it was fetched: only its digest is compared, because
    /// reading all keys of many vocabularies takes longer than most requests.
    ///
    /// # Errors
    /// They are not those that the list names, or no vocabulary.
    pub fn read_again(bytes: Vec<u8>, expected: &VocabularyFile, path: &Path) -> Result<Self> {
        check(&bytes, expected, path)?;
        let damaged = |what: &dyn std::fmt::Display| sextant_format::Error::damaged(path, what);
        Ok(catch_panic(path, || Map::new(bytes).map(Self).map_err(|error| damaged(&error)))?)
    }

    fn parse(bytes: Vec<u8>, path: &Path) -> Result<Self> {
        let mut left = bytes.len().saturating_mul(MAX_KEY_BYTES_PER_BYTE);
        let damaged = |what: &dyn std::fmt::Display| sextant_format::Error::damaged(path, what);
        // The library checks the beginning, and indexes into the rest without doing so.
        let read = catch_panic(path, || {
            let map = Map::new(bytes).map_err(|error| damaged(&error))?;
            let mut keys = map.stream();
            while let Some((key, _)) = keys.next() {
                let rest = left.checked_sub(key.len().max(1)).filter(|_| key.len() <= MAX_TEXT_BYTES + 1);
                left = rest.ok_or_else(|| damaged(&"its keys are too long or too many"))?;
            }
            map.as_fst().verify().map_err(|error| damaged(&error))?;
            Ok(Self(map))
        });
        Ok(read?)
    }

    /// The count of a text, in lower case; 0 if there is none.
    #[must_use]
    pub fn count(&self, entry: Entry, text: &str) -> u64 {
        self.0.get(key(entry, text)).unwrap_or(0)
    }

    /// Whether a text begins like this, in lower case.
    #[must_use]
    pub fn begins(&self, entry: Entry, text: &str) -> bool {
        let from = key(entry, text);
        let mut found = self.0.range().ge(&from).into_stream();
        found.next().is_some_and(|(key, _)| key.starts_with(&from))
    }

    /// The size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.as_fst().size()
    }
}

fn check(bytes: &[u8], expected: &VocabularyFile, path: &Path) -> Result<()> {
    if bytes.len() as u64 != expected.bytes || blake3::hash(bytes).to_hex().as_str() != expected.blake3 {
        return Err(Error::damaged(path, "its digest is not the one in the list of the collection"));
    }
    Ok(())
}

fn key(entry: Entry, text: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(text.len() + 1);
    key.push(entry.letter());
    key.extend_from_slice(text.as_bytes());
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> VocabularyBuilder {
        let mut words = VocabularyBuilder::default();
        words.add(Entry::Word, "retry", 3);
        words.add(Entry::Word, "retry", 2);
        words.add(Entry::Definition, "retry", 1);
        words.add(Entry::File, "retry.rs", 1);
        words.add(Entry::External, "spawn", 1);
        words.add(Entry::Word, &"x".repeat(MAX_TEXT_BYTES + 1), 1);
        words
    }

    #[test]
    fn a_vocabulary_says_what_an_index_has() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("v");
        let described = example().write(&path, "packs/v".to_owned()).unwrap();
        let found = Vocabulary::read(fs_err::read(&path).unwrap(), &described, &path).unwrap();
        assert_eq!(found.count(Entry::Word, "retry"), 5);
        assert_eq!(found.count(Entry::Definition, "retry"), 1);
        assert_eq!(found.count(Entry::File, "retry"), 0);
        assert!(found.begins(Entry::File, "retry") && found.begins(Entry::Definition, "re"));
        assert!(!found.begins(Entry::External, "re") && !found.begins(Entry::Word, "retry2"));
        let other = VocabularyFile { blake3: blake3::hash(b"").to_hex().to_string(), ..described };
        assert!(Vocabulary::read(fs_err::read(&path).unwrap(), &other, &path).is_err());
    }

    #[test]
    fn damaged_vocabularies_are_refused_or_read_without_a_panic() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("v");
        example().write(&path, String::new()).unwrap();
        let good = fs_err::read(&path).unwrap();
        for at in 0..good.len() {
            for bit in [1, 16, 128] {
                let mut bytes = good.clone();
                bytes[at] ^= bit;
                if let Ok(read) = Vocabulary::parse(bytes, &path) {
                    let _ = (read.count(Entry::Word, "retry"), read.begins(Entry::Word, "re"));
                }
            }
            assert!(Vocabulary::parse(good[..at].to_vec(), &path).is_err());
        }
    }
}
