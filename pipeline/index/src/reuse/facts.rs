//! The facts of an index: what is taken over stays in the files where it lies, what is new goes into one more.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use sextant_format::generation::{Generation, part};
use sextant_format::publish::take_file;

use super::Fact;
use super::store::{Key, Store, StoreWriter};

/// How a file's name ends.
const ENDING: &str = ".arrow";
/// Of the bytes that are taken over so many per cent must be of use; else all is written anew.
const LEAST_USE: u64 = 80;
/// From so many files on all is written anew: each is looked into.
const MOST_FILES: usize = 8;

/// The facts of a generation.
#[derive(Default)]
pub(crate) struct Facts {
    /// What is in them.
    pub(crate) stores: Vec<Store>,
    /// Where they lie.
    pub(crate) files: FactFiles,
}

/// The files of facts.
#[derive(Debug, Default)]
pub(crate) struct FactFiles {
    root: PathBuf,
    names: Vec<String>,
    /// Bytes of all values in them.
    bytes: u64,
}

impl Facts {
    /// Opens the facts of a generation. What is wrong with them is told to `why`, and is no error.
    pub(crate) fn open(generation: &Generation, why: &mut Vec<String>) -> Self {
        let mut facts = Self::default();
        facts.files.root = generation.root().to_owned();
        let mut has_some = false;
        for entry in generation.manifest().files.iter().filter(|entry| number(&entry.path).is_some()) {
            if facts.files.names.contains(&entry.path) {
                continue;
            }
            has_some = true;
            match Store::open(&generation.path(&entry.path)) {
                Ok(store) => {
                    facts.files.names.push(entry.path.clone());
                    facts.files.bytes += store.bytes();
                    facts.stores.push(store);
                }
                Err(error) => why.push(format!("{error:#}")),
            }
        }
        if !has_some {
            why.push(format!("{} holds nothing to take over", generation.name()));
        }
        facts
    }
}

impl FactFiles {
    /// The first number that none of the files has.
    fn next(&self) -> u32 {
        self.names.iter().filter_map(|name| number(name)).max().map_or(0, |last| last + 1)
    }
}

/// The number of a file of facts, by its path below the generation; none where it is no such file.
fn number(path: &str) -> Option<u32> {
    let name = path.strip_prefix(part::FACTS)?.strip_prefix('/')?.strip_suffix(ENDING)?;
    let is_ours = (1..=8).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_digit());
    name.parse().ok().filter(|_| is_ours)
}

/// The facts of a generation that is being built.
pub(crate) struct FactsWriter {
    root: PathBuf,
    path: PathBuf,
    new: StoreWriter,
    before: FactFiles,
    /// What is of use of what was there before.
    used: Vec<Fact>,
    known: FxHashSet<Key>,
    bytes: u64,
}

impl FactsWriter {
    /// Creates the folder below `root`; `before` are files from which entries may be taken over.
    pub(crate) fn create(root: &Path, before: FactFiles) -> anyhow::Result<Self> {
        fs_err::create_dir_all(root.join(part::FACTS))?;
        let path = root.join(part::FACTS).join(format!("{:04}{ENDING}", before.next()));
        let new = StoreWriter::create(&path)?;
        Ok(Self { root: root.to_owned(), path, new, before, used: Vec::new(), known: FxHashSet::default(), bytes: 0 })
    }

    /// Takes an entry, once.
    pub(crate) fn push(&mut self, fact: &Fact) -> anyhow::Result<()> {
        if !fact.is_held {
            return self.new.push(&fact.key, fact.value.as_slice());
        }
        if self.known.insert(fact.key) {
            self.bytes += fact.value.len() as u64;
            self.used.push(fact.clone());
        }
        Ok(())
    }

    /// Closes everything.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let files = self.before.names.len();
        let is_worn = files == 0 || files >= MOST_FILES || self.bytes * 100 < self.before.bytes * LEAST_USE;
        // Another build may have removed them; what is in them is still mapped.
        let is_taken =
            !is_worn && self.before.names.iter().all(|name| take_file(&self.before.root, &self.root, name).is_ok());
        if !is_taken {
            for fact in &self.used {
                self.new.push(&fact.key, fact.value.as_slice())?;
            }
        }
        if self.new.finish()? == 0 && is_taken {
            fs_err::remove_file(&self.path)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use arrow_buffer::Buffer;

    use super::*;

    fn fact(n: u8, is_held: bool) -> Fact {
        Fact { key: [n; 16], value: Buffer::from_vec(vec![n; 1000]), is_cached: false, is_held }
    }

    fn files(root: &Path) -> FactFiles {
        let mut names: Vec<String> = fs_err::read_dir(root.join(part::FACTS))
            .unwrap()
            .map(|entry| format!("{}/{}", part::FACTS, entry.unwrap().file_name().to_string_lossy()))
            .collect();
        names.sort();
        let bytes = names.iter().map(|name| Store::open(&root.join(name)).unwrap().bytes()).sum();
        FactFiles { root: root.to_owned(), names, bytes }
    }

    #[test]
    fn files_are_kept_until_too_little_in_them_is_of_use() {
        let dir = tempfile::tempdir().unwrap();
        let mut before = FactFiles::default();
        let mut counts = Vec::new();
        for build in 0..12_u8 {
            let root = dir.path().join(format!("gen-{build}"));
            let mut writer = FactsWriter::create(&root, before).unwrap();
            // The last build needs but two of those that were there.
            let oldest = if build == 11 { build + 28 } else { 0 };
            for n in oldest..build + 30 {
                writer.push(&fact(n, true)).unwrap();
                writer.push(&fact(n, true)).unwrap();
            }
            writer.push(&fact(build + 30, false)).unwrap();
            writer.finish().unwrap();
            before = files(&root);
            counts.push(before.names.len());
            let stores: Vec<Store> = before.names.iter().map(|name| Store::open(&root.join(name)).unwrap()).collect();
            for n in oldest..=build + 30 {
                // The very first ones were held by nobody.
                let is_there = stores.iter().any(|store| store.get(&[n; 16]).is_some());
                assert!(is_there, "build {build}, {n}");
            }
        }
        assert_eq!(counts, [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 1]);
    }
}
