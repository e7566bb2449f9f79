//! Stable symbol keys: they identify symbols by file and name, so they do not change when rows are added before them.

use std::ops::Range;

use rustc_hash::FxHashMap;

use sextant_format::digest::Digest;
use sextant_format::ids::{FileId, SymbolId};

/// The first eight bytes of a blake3 hash.
pub(super) type ShortHash = [u8; 8];

/// Identifies a symbol independently of its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StableSymbolKey {
    /// The key of its file.
    pub(super) file: ShortHash,
    /// The hash of its name.
    pub(super) hash: ShortHash,
    /// Index of the symbol among those of this name in the file, by id.
    pub(super) ordinal: u32,
}

fn short_hash(digest: Digest) -> ShortHash {
    let mut hash = [0; 8];
    hash.copy_from_slice(&digest.0[..8]);
    hash
}

/// The hash of a symbol's name.
pub(super) fn name_hash(name: &str) -> ShortHash {
    short_hash(Digest::hash_bytes(name.as_bytes()))
}

/// The key of a file.
pub(super) fn file_key(repo: &str, path: &str) -> ShortHash {
    short_hash(Digest::hash_bytes(format!("{repo}\0{path}").as_bytes()))
}

/// The key of an external symbol.
pub(super) fn external_key(name: &str, module: Option<&str>, family: &str) -> ShortHash {
    let module = module.map_or_else(|| "0".to_owned(), |module| format!("1{module}"));
    short_hash(Digest::hash_bytes(format!("{family}\0{module}\0{name}").as_bytes()))
}

/// Maps all symbols of an index to their keys and back.
#[derive(Default)]
pub(super) struct SymbolKeyTable {
    keys: Vec<ShortHash>,
    files: FxHashMap<ShortHash, FileId>,
    /// The first symbol of each file.
    starts: Vec<SymbolId>,
    names: Vec<ShortHash>,
    /// The symbols of each file, sorted by the hash of their name, then by id.
    order: Vec<SymbolId>,
}

impl SymbolKeyTable {
    /// Adds the next file with the names of its symbols.
    pub(super) fn add<'a>(&mut self, repo: &str, path: &str, names: impl Iterator<Item = &'a str>) {
        let start = self.names.len();
        let key = file_key(repo, path);
        self.files.insert(key, FileId::at(self.keys.len()));
        self.keys.push(key);
        self.starts.push(SymbolId::at(start));
        self.names.extend(names.map(name_hash));
        let mut order: Vec<SymbolId> = (start..self.names.len()).map(SymbolId::at).collect();
        order.sort_unstable_by_key(|&symbol| (self.names[symbol.index()], symbol));
        self.order.extend(order);
    }

    /// The ids of a file's symbols.
    pub(super) fn symbols_of(&self, file: FileId) -> Option<Range<SymbolId>> {
        let start = *self.starts.get(file.index())?;
        let all = SymbolId::new(u32::try_from(self.names.len()).ok()?);
        Some(start..self.starts.get(file.index() + 1).copied().unwrap_or(all))
    }

    fn sorted(&self, file: FileId) -> Option<&[SymbolId]> {
        let range = self.symbols_of(file)?;
        self.order.get(range.start.index()..range.end.index())
    }

    /// Position of the first symbol with this name hash among a file's sorted symbols.
    fn lower_bound(&self, sorted: &[SymbolId], hash: ShortHash) -> usize {
        sorted.partition_point(|&symbol| self.names[symbol.index()] < hash)
    }

    /// The key of a symbol.
    pub(super) fn key_of(&self, symbol: SymbolId) -> Option<StableSymbolKey> {
        let hash = *self.names.get(symbol.index())?;
        let file = self.starts.partition_point(|&start| start <= symbol).checked_sub(1)?;
        let sorted = self.sorted(FileId::new(u32::try_from(file).ok()?))?;
        let from = self.lower_bound(sorted, hash);
        let ordinal = sorted[from..].partition_point(|&other| self.names[other.index()] == hash && other < symbol);
        Some(StableSymbolKey { file: self.keys[file], hash, ordinal: u32::try_from(ordinal).ok()? })
    }

    /// The symbol with this key.
    pub(super) fn symbol_of(&self, key: &StableSymbolKey) -> Option<SymbolId> {
        let sorted = self.sorted(*self.files.get(&key.file)?)?;
        let symbol = *sorted.get(self.lower_bound(sorted, key.hash).checked_add(key.ordinal as usize)?)?;
        (self.names[symbol.index()] == key.hash).then_some(symbol)
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
        assert_eq!(symbol_keys.symbol_of(&StableSymbolKey { ordinal: 1, ..key }), None);
        assert_eq!(symbol_keys.symbol_of(&StableSymbolKey { ordinal: u32::MAX, ..key }), None);
    }
}
