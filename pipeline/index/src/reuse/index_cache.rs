//! The analysis cache in an index, its part `facts`. Files of the previous index that are still useful are linked, and
//! new entries are written to one more file.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use sextant_format::generation::{Generation, part};
use sextant_format::publish::link_or_copy_file;

use super::cache_entry::CacheEntry;
use super::entry_store::{EntryStore, EntryStoreWriter, Key};

/// The extension of a file's name.
const EXTENSION: &str = ".arrow";
/// Files are compacted if less than this share of their bytes is still used.
const MIN_USED_PERCENT: u64 = 80;
/// Files are compacted from this number on, because every look-up searches each of them.
const MAX_FILES: usize = 8;

/// The analysis cache of a generation.
#[derive(Default)]
pub(crate) struct IndexCache {
    /// The opened files.
    pub(crate) stores: Vec<EntryStore>,
    /// Their names and sizes.
    pub(crate) files: IndexCacheFiles,
}

/// The files of an analysis cache.
#[derive(Debug, Default)]
pub(crate) struct IndexCacheFiles {
    root: PathBuf,
    names: Vec<String>,
    /// Bytes of all values.
    bytes: u64,
}

impl IndexCache {
    /// Opens the cache of a generation. Files that cannot be read are left out, and the reason is appended to
    /// `miss_reasons`.
    pub(crate) fn open(generation: &Generation, miss_reasons: &mut Vec<String>) -> Self {
        let mut cache = Self::default();
        cache.files.root = generation.root().to_owned();
        let mut has_some = false;
        for entry in generation.manifest().files.iter().filter(|entry| file_number(&entry.path).is_some()) {
            if cache.files.names.contains(&entry.path) {
                continue;
            }
            has_some = true;
            match EntryStore::open(&generation.path(&entry.path)) {
                Ok(store) => {
                    cache.files.names.push(entry.path.clone());
                    cache.files.bytes += store.bytes();
                    cache.stores.push(store);
                }
                Err(error) => miss_reasons.push(format!("{error:#}")),
            }
        }
        if !has_some {
            miss_reasons.push(format!("{} contains no cached analyses", generation.name()));
        }
        cache
    }
}

impl IndexCacheFiles {
    /// Returns the number for a new file, greater than those of all files.
    fn next_number(&self) -> u32 {
        self.names.iter().filter_map(|name| file_number(name)).max().map_or(0, |last| last + 1)
    }
}

/// Returns the number of a cache file by its path below the generation; none for other files.
fn file_number(path: &str) -> Option<u32> {
    let name = path.strip_prefix(part::ANALYSIS_CACHE)?.strip_prefix('/')?.strip_suffix(EXTENSION)?;
    let is_ours = (1..=8).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_digit());
    name.parse().ok().filter(|_| is_ours)
}

/// Writes the analysis cache of a new generation.
pub(crate) struct IndexCacheWriter {
    root: PathBuf,
    path: PathBuf,
    new: EntryStoreWriter,
    previous: IndexCacheFiles,
    /// Entries of the previous files that are still used.
    used: Vec<CacheEntry>,
    seen_keys: FxHashSet<Key>,
    bytes: u64,
}

impl IndexCacheWriter {
    /// Creates the cache below `root`; `previous` are the files of the previous index.
    pub(crate) fn create(root: &Path, previous: IndexCacheFiles) -> anyhow::Result<Self> {
        fs_err::create_dir_all(root.join(part::ANALYSIS_CACHE))?;
        let path = root.join(part::ANALYSIS_CACHE).join(format!("{:04}{EXTENSION}", previous.next_number()));
        let new = EntryStoreWriter::create(&path)?;
        Ok(Self {
            root: root.to_owned(),
            path,
            new,
            previous,
            used: Vec::new(),
            seen_keys: FxHashSet::default(),
            bytes: 0,
        })
    }

    /// Adds an entry that is for an index, unless one with this key was added before.
    pub(crate) fn push(&mut self, entry: &CacheEntry) -> anyhow::Result<()> {
        if !entry.is_for_index {
            return Ok(());
        }
        if !entry.is_in_index {
            return self.new.push(&entry.key, entry.value.as_slice());
        }
        if self.seen_keys.insert(entry.key) {
            self.bytes += entry.value.len() as u64;
            self.used.push(entry.clone());
        }
        Ok(())
    }

    /// Links the previous files, or copies their used entries, and closes the new file.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let files = self.previous.names.len();
        let needs_compaction =
            files == 0 || files >= MAX_FILES || self.bytes * 100 < self.previous.bytes * MIN_USED_PERCENT;
        // Another build may have removed them. They are still mapped, so their entries can be copied.
        let are_files_linked = !needs_compaction
            && self.previous.names.iter().all(|name| link_or_copy_file(&self.previous.root, &self.root, name).is_ok());
        if !are_files_linked {
            for entry in &self.used {
                self.new.push(&entry.key, entry.value.as_slice())?;
            }
        }
        if self.new.finish()? == 0 && are_files_linked {
            fs_err::remove_file(&self.path)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(n: u8, is_in_index: bool) -> CacheEntry {
        CacheEntry { is_in_index, ..CacheEntry::new([n; 16], vec![n; 1000], true) }
    }

    fn files(root: &Path) -> IndexCacheFiles {
        let mut names: Vec<String> = fs_err::read_dir(root.join(part::ANALYSIS_CACHE))
            .unwrap()
            .map(|entry| format!("{}/{}", part::ANALYSIS_CACHE, entry.unwrap().file_name().to_string_lossy()))
            .collect();
        names.sort();
        let bytes = names.iter().map(|name| EntryStore::open(&root.join(name)).unwrap().bytes()).sum();
        IndexCacheFiles { root: root.to_owned(), names, bytes }
    }

    #[test]
    fn files_are_linked_until_they_need_compaction() {
        let dir = tempfile::tempdir().unwrap();
        let mut before = IndexCacheFiles::default();
        let mut counts = Vec::new();
        for build in 0..12_u8 {
            let root = dir.path().join(format!("gen-{build}"));
            let mut writer = IndexCacheWriter::create(&root, before).unwrap();
            // The last build uses only two of the previous entries.
            let oldest = if build == 11 { build + 28 } else { 0 };
            for n in oldest..build + 30 {
                writer.push(&entry(n, true)).unwrap();
                writer.push(&entry(n, true)).unwrap();
            }
            writer.push(&entry(build + 30, false)).unwrap();
            writer.finish().unwrap();
            before = files(&root);
            counts.push(before.names.len());
            let stores: Vec<EntryStore> =
                before.names.iter().map(|name| EntryStore::open(&root.join(name)).unwrap()).collect();
            for n in oldest..=build + 30 {
                // This includes the entries of the first build, although it had no previous index to contain them.
                let is_there = stores.iter().any(|store| store.get(&[n; 16]).is_some());
                assert!(is_there, "build {build}, {n}");
            }
        }
        assert_eq!(counts, [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 1]);
    }
}
