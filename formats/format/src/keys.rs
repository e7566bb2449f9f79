//! Keys of files, symbols and external symbols: hashes of names, so they stay the same when rows are added before them.
//! Packs and the content id identify rows by them. A key that people write is [`crate::names::symbol_key`].

use std::ops::Range;
use std::sync::OnceLock;

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

/// The names of symbols.
pub trait SymbolNames {
    /// The name of a symbol; empty if there is none.
    fn name_of(&self, symbol: SymbolId) -> &str;
}

/// What is known of the symbols of a file.
struct FileKeys {
    /// The hash and the ordinal of each symbol.
    symbols: Box<[(ShortHash, u32)]>,
    /// The numbers of the symbols, sorted by the hash of their name, then by id.
    order: Box<[u32]>,
}

impl FileKeys {
    fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut symbols: Box<[(ShortHash, u32)]> = names.map(|name| (name_hash(name), 0)).collect();
        let mut order: Box<[u32]> = (0..).take(symbols.len()).collect();
        order.sort_unstable_by_key(|&at| (symbols[at as usize].0, at));
        let mut last: Option<(ShortHash, u32)> = None;
        for &at in &order {
            let (hash, ordinal) = &mut symbols[at as usize];
            *ordinal = last.filter(|(before, _)| before == hash).map_or(0, |(_, ordinal)| ordinal + 1);
            last = Some((*hash, *ordinal));
        }
        Self { symbols, order }
    }
}

/// Maps all symbols of an index to their keys and back.
#[derive(Default)]
pub struct SymbolKeyTable {
    keys: Vec<ShortHash>,
    files: FxHashMap<ShortHash, FileId>,
    /// The first symbol of each file.
    starts: Vec<SymbolId>,
    /// The file of each symbol.
    file_of: Vec<FileId>,
    /// The keys of the symbols of each file, once their names are known.
    known: Vec<OnceLock<FileKeys>>,
}

impl SymbolKeyTable {
    /// Adds the next file with the names of its symbols.
    pub fn add<'a>(&mut self, repo: &str, path: &str, names: impl Iterator<Item = &'a str>) {
        let keys = FileKeys::new(names);
        self.add_file(repo, path, keys.symbols.len(), OnceLock::from(keys));
    }

    /// Adds the next file with the number of its symbols. They have no keys until [`Self::name`] is called.
    pub fn add_unnamed(&mut self, repo: &str, path: &str, symbols: usize) {
        self.add_file(repo, path, symbols, OnceLock::new());
    }

    fn add_file(&mut self, repo: &str, path: &str, symbols: usize, known: OnceLock<FileKeys>) {
        let key = file_key(repo, path);
        let file = FileId::at(self.keys.len());
        self.files.insert(key, file);
        self.keys.push(key);
        self.starts.push(SymbolId::at(self.file_of.len()));
        self.file_of.resize(self.file_of.len() + symbols, file);
        self.known.push(known);
    }

    /// Gives the symbols of the file of a symbol their names, unless they have them.
    pub fn name(&self, symbol: SymbolId, names: &dyn SymbolNames) {
        let Some(&file) = self.file_of.get(symbol.index()) else { return };
        let symbols = || self.symbols_of(file).unwrap_or_default();
        if let Some(known) = self.known.get(file.index()) {
            known.get_or_init(|| FileKeys::new(SymbolId::range(symbols()).map(|symbol| names.name_of(symbol))));
        }
    }

    /// The ids of a file's symbols.
    #[must_use]
    pub fn symbols_of(&self, file: FileId) -> Option<Range<SymbolId>> {
        let start = *self.starts.get(file.index())?;
        let all = SymbolId::new(u32::try_from(self.file_of.len()).ok()?);
        Some(start..self.starts.get(file.index() + 1).copied().unwrap_or(all))
    }

    /// Makes room for so many symbols in all.
    pub fn reserve(&mut self, symbols: usize) {
        self.file_of.reserve(symbols.saturating_sub(self.file_of.len()));
    }

    /// The number of symbols of all files.
    #[must_use]
    pub const fn symbols(&self) -> usize {
        self.file_of.len()
    }

    /// The key of a symbol; none if it is not known.
    #[must_use]
    pub fn key_of(&self, symbol: SymbolId) -> Option<SymbolKey> {
        let file = *self.file_of.get(symbol.index())?;
        let at = symbol.rows_after(*self.starts.get(file.index())?)?;
        let &(hash, ordinal) = self.known.get(file.index())?.get()?.symbols.get(at as usize)?;
        Some(SymbolKey { file: *self.keys.get(file.index())?, hash, ordinal })
    }

    /// The symbol with this key.
    #[must_use]
    pub fn symbol_of(&self, key: &SymbolKey) -> Option<SymbolId> {
        let file = *self.files.get(&key.file)?;
        let FileKeys { symbols, order } = self.known.get(file.index())?.get()?;
        let hash_of = |at: u32| symbols[at as usize].0;
        let first = order.partition_point(|&at| hash_of(at) < key.hash);
        let at = *order.get(first.checked_add(key.ordinal as usize)?)?;
        (hash_of(at) == key.hash).then(|| self.starts.get(file.index()).map(|start| start.plus(at)))?
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

    impl SymbolNames for Vec<&str> {
        fn name_of(&self, symbol: SymbolId) -> &str {
            self.get(symbol.index()).unwrap_or(&"")
        }
    }

    #[test]
    fn names_may_come_later() {
        let (mut early, mut late) = (SymbolKeyTable::default(), SymbolKeyTable::default());
        let files = [("a", vec!["a", "x", "y", "x"]), ("empty", vec![]), ("b", vec!["b", "x"])];
        let names: Vec<&str> = files.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for (path, names) in &files {
            early.add("r", path, names.iter().copied());
            late.add_unnamed("r", path, names.len());
        }
        let last = SymbolId::new(5);
        assert_eq!((late.symbols(), late.key_of(last)), (early.symbols(), None));
        assert_eq!(late.symbol_of(&early.key_of(last).unwrap()), None);
        late.name(last, &names);
        assert_eq!((late.key_of(last), late.key_of(SymbolId::new(0))), (early.key_of(last), None));
        assert_eq!(late.symbol_of(&early.key_of(last).unwrap()), Some(last));
        late.name(SymbolId::new(6), &names);
    }
}
