//! A folder of stores that builds share: each build reads all of them and adds files of its own.
//!
//! Files are immutable and appear whole, so any number of builds may use a folder at once, and one that is killed
//! leaves what it had placed. Small files are put together, the oldest go when the folder is full.

use std::path::{Path, PathBuf};

use anyhow::Context;

use sextant_format::publish;

use super::store::{Store, StoreWriter};
use super::{Fact, Key};

/// How a store's name ends.
const ENDING: &str = ".facts";
/// How the name of a store begins that is not yet closed.
const TEMPORARY: &str = "tmp-";
/// A file of so many bytes is closed and placed, so that an interrupted build loses little.
const FILE_BYTES: u64 = 64 << 20;
/// So many files of less than [`FILE_BYTES`] are put together.
const SMALL_FILES: usize = 16;

/// The folder, and the file that this build adds to.
pub(crate) struct Cache {
    folder: PathBuf,
    limit: u64,
    file_bytes: u64,
    open: Option<(StoreWriter, tempfile::TempPath)>,
}

impl Cache {
    /// Opens the folder, and every store in it. What is no store is told to `why`.
    pub(crate) fn open(folder: &Path, limit: u64, why: &mut Vec<String>) -> anyhow::Result<(Self, Vec<Store>)> {
        fs_err::create_dir_all(folder)?;
        publish::remove_left(folder, TEMPORARY);
        let mut stores = Vec::new();
        for file in files(folder)? {
            match Store::open(&file.path) {
                Ok(store) => stores.push(store),
                // Another build may have put it together with others.
                Err(_) if !file.path.exists() => {}
                Err(error) => why.push(format!("{error:#}")),
            }
        }
        Ok((Self { folder: folder.to_owned(), limit, file_bytes: FILE_BYTES, open: None }, stores))
    }

    /// Adds an entry.
    pub(crate) fn push(&mut self, fact: &Fact) -> anyhow::Result<()> {
        self.add(&fact.key, fact.value.as_slice())
    }

    fn add(&mut self, key: &Key, value: &[u8]) -> anyhow::Result<()> {
        let (writer, _) = match &mut self.open {
            Some(open) => open,
            none => {
                let path = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&self.folder)?.into_temp_path();
                none.insert((StoreWriter::create(&path)?, path))
            }
        };
        writer.push(key, value)?;
        if writer.bytes() >= self.file_bytes { self.place() } else { Ok(()) }
    }

    /// Closes the open file and gives it its name.
    pub(crate) fn place(&mut self) -> anyhow::Result<()> {
        let Some((writer, path)) = self.open.take() else { return Ok(()) };
        writer.finish()?;
        let (digest, _) = sextant_format::digest::of_file(&path)?;
        let name = format!("{}{ENDING}", &digest.to_hex()[..32]);
        publish::place(path, &self.folder.join(name)).context("the cache cannot be written")
    }

    /// Closes the open file, puts small files together and removes the oldest beyond the limit.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.place()?;
        let mut small: Vec<File> = files(&self.folder)?;
        small.retain(|file| file.bytes < self.file_bytes);
        if small.len() > SMALL_FILES {
            for file in &small {
                let Ok(store) = Store::open(&file.path) else { continue };
                for key in store.keys() {
                    if let Some(value) = store.get(&key) {
                        self.add(&key, value.as_slice())?;
                    }
                }
            }
            self.place()?;
            // Another build may have removed them first, or still read them where that forbids removal.
            small.iter().for_each(|file| drop(fs_err::remove_file(&file.path)));
        }
        let mut left = files(&self.folder)?;
        left.sort_by_key(|file| std::cmp::Reverse(file.age));
        let mut bytes: u64 = left.iter().map(|file| file.bytes).sum();
        for file in &left {
            if bytes <= self.limit {
                break;
            }
            bytes -= file.bytes;
            drop(fs_err::remove_file(&file.path));
        }
        Ok(())
    }
}

struct File {
    path: PathBuf,
    bytes: u64,
    /// Since it was written.
    age: std::time::Duration,
}

/// The stores of a folder, by name.
fn files(folder: &Path) -> anyhow::Result<Vec<File>> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().ends_with(ENDING) {
            continue;
        }
        // It may be gone by now.
        let Ok(metadata) = entry.metadata() else { continue };
        let age = metadata.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        found.push(File { path: entry.path(), bytes: metadata.len(), age });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use arrow_buffer::Buffer;

    use super::*;

    fn fact(n: u8) -> Fact {
        Fact { key: [n; 16], value: Buffer::from_vec(vec![n; 100]), is_cached: false, is_held: false }
    }

    fn build(folder: &Path, limit: u64, facts: &[u8]) -> usize {
        let mut why = Vec::new();
        let (mut cache, stores) = Cache::open(folder, limit, &mut why).unwrap();
        for &n in facts {
            if stores.iter().all(|store| store.get(&[n; 16]).is_none()) {
                cache.push(&fact(n)).unwrap();
            }
        }
        cache.finish().unwrap();
        assert!(why.is_empty(), "{why:?}");
        stores.iter().map(|store| store.keys().len()).sum()
    }

    #[test]
    fn builds_add_and_small_files_are_put_together() {
        let dir = tempfile::tempdir().unwrap();
        for n in 0..20 {
            assert_eq!(build(dir.path(), u64::MAX, &[n, n / 2]), usize::from(n));
        }
        assert_eq!(build(dir.path(), u64::MAX, &[]), 20);
        assert!(files(dir.path()).unwrap().len() <= SMALL_FILES);
    }

    #[test]
    fn what_is_no_store_is_told_and_the_oldest_go() {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), u64::MAX, &[1, 2, 3]);
        fs_err::write(dir.path().join("x.facts"), b"no").unwrap();
        let mut why = Vec::new();
        let (cache, stores) = Cache::open(dir.path(), 0, &mut why).unwrap();
        assert_eq!((stores.len(), why.len()), (1, 1));
        cache.finish().unwrap();
        assert!(files(dir.path()).unwrap().is_empty());
    }
}
