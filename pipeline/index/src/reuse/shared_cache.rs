//! A cache that builds share: a folder of stores. Each build reads all of them and adds files of its own.
//!
//! Files are immutable and appear atomically, so any number of builds may use a folder at once, and a killed build
//! leaves complete files behind. Small files are merged, and the oldest are evicted when the folder exceeds its limit.

use std::path::{Path, PathBuf};

use anyhow::Context;

use sextant_format::publish;

use super::cache_entry::CacheEntry;
use super::entry_store::{EntryStore, EntryStoreWriter, Key};

/// The extension of a store's name.
const EXTENSION: &str = ".facts";
/// The prefix of the name of a store that is not closed yet.
const TEMPORARY_PREFIX: &str = "tmp-";
/// Size in bytes at which a file is closed and named, so that an interrupted build loses little.
const TARGET_FILE_BYTES: u64 = 64 << 20;
/// More files than this below [`TARGET_FILE_BYTES`] are merged.
const MAX_SMALL_FILES: usize = 16;

/// The folder, and the file that this build writes.
pub(crate) struct SharedCache {
    folder: PathBuf,
    max_bytes: u64,
    file_bytes: u64,
    open: Option<(EntryStoreWriter, tempfile::TempPath)>,
}

impl SharedCache {
    /// Opens the folder and every store in it. Files that are not valid stores are left out, and the reason is appended
    /// to `miss_reasons`.
    pub(crate) fn open(
        folder: &Path,
        max_bytes: u64,
        miss_reasons: &mut Vec<String>,
    ) -> anyhow::Result<(Self, Vec<EntryStore>)> {
        fs_err::create_dir_all(folder)?;
        publish::remove_abandoned(folder, TEMPORARY_PREFIX);
        let mut stores = Vec::new();
        for file in files(folder)? {
            match EntryStore::open(&file.path) {
                Ok(store) => stores.push(store),
                // Another build may have merged it with others.
                Err(_) if !file.path.exists() => {}
                Err(error) => miss_reasons.push(format!("{error:#}")),
            }
        }
        Ok((Self { folder: folder.to_owned(), max_bytes, file_bytes: TARGET_FILE_BYTES, open: None }, stores))
    }

    /// Adds an entry.
    pub(crate) fn push(&mut self, entry: &CacheEntry) -> anyhow::Result<()> {
        self.add(&entry.key, entry.value.as_slice())
    }

    fn add(&mut self, key: &Key, value: &[u8]) -> anyhow::Result<()> {
        let (writer, _) = match &mut self.open {
            Some(open) => open,
            none => {
                let path =
                    tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(&self.folder)?.into_temp_path();
                none.insert((EntryStoreWriter::create(&path)?, path))
            }
        };
        writer.push(key, value)?;
        if writer.bytes() >= self.file_bytes { self.commit_open_file() } else { Ok(()) }
    }

    /// Closes the open file and gives it its final name.
    pub(crate) fn commit_open_file(&mut self) -> anyhow::Result<()> {
        let Some((writer, path)) = self.open.take() else { return Ok(()) };
        writer.finish()?;
        let (digest, _) = sextant_format::digest::hash_file(&path)?;
        let name = format!("{}{EXTENSION}", &digest.to_hex()[..32]);
        publish::persist(path, &self.folder.join(name)).context("the cache cannot be written")
    }

    /// Closes the open file, merges small files, and evicts the oldest files above the limit.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.commit_open_file()?;
        let mut small: Vec<CacheFile> = files(&self.folder)?;
        small.retain(|file| file.bytes < self.file_bytes);
        if small.len() > MAX_SMALL_FILES {
            for file in &small {
                let Ok(store) = EntryStore::open(&file.path) else { continue };
                for key in store.keys() {
                    if let Some(value) = store.get(&key) {
                        self.add(&key, value.as_slice())?;
                    }
                }
            }
            self.commit_open_file()?;
            // This may fail: another build may have removed them, or reads them on a system that forbids removal then.
            small.iter().for_each(|file| drop(fs_err::remove_file(&file.path)));
        }
        let mut remaining = files(&self.folder)?;
        remaining.sort_by_key(|file| std::cmp::Reverse(file.age));
        let mut bytes: u64 = remaining.iter().map(|file| file.bytes).sum();
        for file in &remaining {
            if bytes <= self.max_bytes {
                break;
            }
            bytes -= file.bytes;
            drop(fs_err::remove_file(&file.path));
        }
        Ok(())
    }
}

struct CacheFile {
    path: PathBuf,
    bytes: u64,
    /// Time since it was written.
    age: std::time::Duration,
}

/// Lists the stores of a folder, sorted by name.
fn files(folder: &Path) -> anyhow::Result<Vec<CacheFile>> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().ends_with(EXTENSION) {
            continue;
        }
        // Another build may have removed it.
        let Ok(metadata) = entry.metadata() else { continue };
        let age = metadata.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        found.push(CacheFile { path: entry.path(), bytes: metadata.len(), age });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(n: u8) -> CacheEntry {
        CacheEntry::new([n; 16], vec![n; 100], true)
    }

    fn build(folder: &Path, max_bytes: u64, entries: &[u8]) -> usize {
        let mut miss_reasons = Vec::new();
        let (mut cache, stores) = SharedCache::open(folder, max_bytes, &mut miss_reasons).unwrap();
        for &n in entries {
            if stores.iter().all(|store| store.get(&[n; 16]).is_none()) {
                cache.push(&entry(n)).unwrap();
            }
        }
        cache.finish().unwrap();
        assert!(miss_reasons.is_empty(), "{miss_reasons:?}");
        stores.iter().map(|store| store.keys().len()).sum()
    }

    #[test]
    fn builds_append_and_small_files_are_merged() {
        let dir = tempfile::tempdir().unwrap();
        for n in 0..20 {
            assert_eq!(build(dir.path(), u64::MAX, &[n, n / 2]), usize::from(n));
        }
        assert_eq!(build(dir.path(), u64::MAX, &[]), 20);
        assert!(files(dir.path()).unwrap().len() <= MAX_SMALL_FILES);
    }

    #[test]
    fn damaged_files_are_reported_and_the_oldest_are_evicted() {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), u64::MAX, &[1, 2, 3]);
        fs_err::write(dir.path().join("x.facts"), b"no").unwrap();
        let mut miss_reasons = Vec::new();
        let (cache, stores) = SharedCache::open(dir.path(), 0, &mut miss_reasons).unwrap();
        assert_eq!((stores.len(), miss_reasons.len()), (1, 1));
        cache.finish().unwrap();
        assert!(files(dir.path()).unwrap().is_empty());
    }
}
