//! Keys of files, symbols and external symbols: hashes of names, so they stay the same when rows are added before them.
//! Packs and the content id identify rows by them. A key that people write is [`crate::names::symbol_key`].

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::digest::Digest;
use crate::ids::{FileId, SymbolId};

/// The first eight bytes of a blake3 hash.
pub type ShortHash = [u8; 8];

/// Identifies a symbol independently of its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolKey {
    /// The key of its file.
    pub file: ShortHash,
    /// The hash of its name.
    pub hash: ShortHash,
    /// Index of the symbol among those of this name in the file, by id.
    pub ordinal: u32,
}

fn short_hash(digest: Digest) -> ShortHash {
    let mut hash = [0; 8];
    hash.copy_from_slice(&digest.0[..8]);
    hash
}

/// The hash of a symbol's name.
#[must_use]
pub fn name_hash(name: &str) -> ShortHash {
    short_hash(Digest::hash_bytes(name.as_bytes()))
}

/// The key of a file.
#[must_use]
pub fn file_key(repo: &str, path: &str) -> ShortHash {
    short_hash(Digest::hash_bytes(format!("{repo}\0{path}").as_bytes()))
}

/// The key of an external symbol. Its module is not part of it, because it is that of the first use.
#[must_use]
pub fn external_key(family: &str, name: &str) -> ShortHash {
    short_hash(Digest::hash_bytes(format!("{family}\0{name}").as_bytes()))
}

/// What the table knows of a symbol.
struct Entry {
    hash: ShortHash,
    file: FileId,
    ordinal: u32,
}

/// Maps all symbols of an index to their keys and back.
#[derive(Default)]
pub struct SymbolKeyTable {
    keys: Vec<ShortHash>,
    files: FxHashMap<ShortHash, FileId>,
    /// The first symbol of each file.
    starts: Vec<SymbolId>,
    symbols: Vec<Entry>,
    /// The symbols of each file, sorted by the hash of their name, then by id.
    order: Vec<SymbolId>,
}

impl SymbolKeyTable {
    /// Adds the next file with the names of its symbols.
    pub fn add<'a>(&mut self, repo: &str, path: &str, names: impl Iterator<Item = &'a str>) {
        let start = self.symbols.len();
        let key = file_key(repo, path);
        let file = FileId::at(self.keys.len());
        self.files.insert(key, file);
        self.keys.push(key);
        self.starts.push(SymbolId::at(start));
        self.symbols.extend(names.map(|name| Entry { hash: name_hash(name), file, ordinal: 0 }));
        let mut order: Vec<SymbolId> = (start..self.symbols.len()).map(SymbolId::at).collect();
        order.sort_unstable_by_key(|&symbol| (self.symbols[symbol.index()].hash, symbol));
        let mut last: Option<(ShortHash, u32)> = None;
        for symbol in &order {
            let entry = &mut self.symbols[symbol.index()];
            entry.ordinal = last.filter(|(hash, _)| *hash == entry.hash).map_or(0, |(_, ordinal)| ordinal + 1);
            last = Some((entry.hash, entry.ordinal));
        }
        self.order.extend(order);
    }

    /// The ids of a file's symbols.
    #[must_use]
    pub fn symbols_of(&self, file: FileId) -> Option<Range<SymbolId>> {
        let start = *self.starts.get(file.index())?;
        let all = SymbolId::new(u32::try_from(self.symbols.len()).ok()?);
        Some(start..self.starts.get(file.index() + 1).copied().unwrap_or(all))
    }

    /// Makes room for so many symbols in all.
    pub fn reserve(&mut self, symbols: usize) {
        self.symbols.reserve(symbols.saturating_sub(self.symbols.len()));
        self.order.reserve(symbols.saturating_sub(self.order.len()));
    }

    /// The number of symbols of all files.
    #[must_use]
    pub const fn symbols(&self) -> usize {
        self.symbols.len()
    }

    /// The key of a symbol.
    #[must_use]
    pub fn key_of(&self, symbol: SymbolId) -> Option<SymbolKey> {
        let &Entry { hash, file, ordinal } = self.symbols.get(symbol.index())?;
        Some(SymbolKey { file: *self.keys.get(file.index())?, hash, ordinal })
    }

    /// The symbol with this key.
    #[must_use]
    pub fn symbol_of(&self, key: &SymbolKey) -> Option<SymbolId> {
        let range = self.symbols_of(*self.files.get(&key.file)?)?;
        let sorted = self.order.get(range.start.index()..range.end.index())?;
        let first = sorted.partition_point(|&symbol| self.symbols[symbol.index()].hash < key.hash);
        let symbol = *sorted.get(first.checked_add(key.ordinal as usize)?)?;
        (self.symbols[symbol.index()].hash == key.hash).then_some(symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_is_found_by_its_key() {
        let mut symbol_keys = SymbolKeyTable::default();
        symbol_keys.add("r", "a", ["a", "x", "y", "x", "x"].into_iter());
        symbol_keys.add("r", "empty", std::iter::empty());
        symbol_keys.add("r", "b", ["b", "x"].into_iter());
        for symbol in (0..7).map(SymbolId::new) {
            assert_eq!(symbol_keys.symbol_of(&symbol_keys.key_of(symbol).unwrap()), Some(symbol));
        }
        assert_eq!(symbol_keys.key_of(SymbolId::new(4)).unwrap().ordinal, 2);
        assert_eq!(symbol_keys.key_of(SymbolId::new(7)), None);
        let key = symbol_keys.key_of(SymbolId::new(6)).unwrap();
        assert_eq!(symbol_keys.symbol_of(&SymbolKey { ordinal: 1, ..key }), None);
        assert_eq!(symbol_keys.symbol_of(&SymbolKey { ordinal: u32::MAX, ..key }), None);
    }
}
