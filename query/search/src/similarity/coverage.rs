//! Which files have a vector, and which changed since.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sextant_format::digest::hash_file;
use sextant_format::ids::FileId;

use super::matrix::{FileName, Similarity};
use crate::{Index, Result};

/// How many files have a vector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The number of files.
    pub files: usize,
    /// Those whose chunks have a vector.
    pub from_chunks: usize,
    /// Those whose vector is that of their names only.
    pub from_names: usize,
    /// The same by folder, in their order: the folders of files, without those above.
    pub folders: Vec<FolderCoverage>,
}

/// How many files of a folder have a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderCoverage {
    /// The folder; its path is empty for the root of the repository.
    pub name: FileName,
    /// The number of files in it, without those of the folders in it.
    pub files: usize,
    /// Those with a vector.
    pub with_vector: usize,
}

/// Files of a checkout that differ from what was embedded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StaleFiles {
    /// The number of files that were compared.
    pub compared: usize,
    /// Those with another text.
    pub changed: Vec<FileName>,
    /// Those that are gone.
    pub missing: Vec<FileName>,
}

impl Similarity<'_> {
    /// Returns how many files have a vector, of all files or of those below a folder.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn coverage(&self, below: &str) -> Result<Coverage> {
        let mut coverage = Coverage::default();
        let mut folders: BTreeMap<FileName, (usize, usize)> = BTreeMap::new();
        for (n, name) in self.names()?.iter().enumerate() {
            let is_below = below.is_empty()
                || name.path.strip_prefix(below).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            if !is_below {
                continue;
            }
            let row = self.row_of(FileId::at(n));
            coverage.files += 1;
            match row.map(|row| self.is_from_names(row)) {
                Some(true) => coverage.from_names += 1,
                Some(false) => coverage.from_chunks += 1,
                None => {}
            }
            let path = name.path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            let folder = folders.entry(FileName { repo: name.repo.clone(), path }).or_default();
            folder.0 += 1;
            folder.1 += usize::from(row.is_some());
        }
        let folder = |(name, (files, with_vector))| FolderCoverage { name, files, with_vector };
        coverage.folders = folders.into_iter().map(folder).collect();
        Ok(coverage)
    }
}

/// Compares the files of an index with a checkout. `root_of` gives the folder of a repository; files of a repository
/// without one are left out.
///
/// # Errors
/// The index is damaged.
pub fn stale_files(index: &Index, root_of: impl Fn(&str) -> Option<PathBuf>) -> Result<StaleFiles> {
    let mut stale = StaleFiles::default();
    let rows = index.file_rows()?;
    let ids: Vec<FileId> = (0..usize::try_from(rows.len()).unwrap_or(0)).map(FileId::at).collect();
    for row in rows.rows(&ids)? {
        let Some(root) = root_of(&row.repo) else { continue };
        let name = FileName { repo: row.repo, path: row.path };
        stale.compared += 1;
        match state_of(&root.join(&name.path), row.bytes, &row.content_hash) {
            State::Same => {}
            State::Changed => stale.changed.push(name),
            State::Missing => stale.missing.push(name),
        }
    }
    Ok(stale)
}

enum State {
    Same,
    Changed,
    Missing,
}

/// Compares a file with its size and hash. The text is read only if the size is the same.
fn state_of(path: &Path, bytes: u64, hash: &sextant_format::digest::Digest) -> State {
    match fs_err::metadata(path) {
        Ok(found) if !found.is_file() => State::Missing,
        Ok(found) if found.len() != bytes => State::Changed,
        Ok(_) => match hash_file(path) {
            Ok((found, _)) if found == *hash => State::Same,
            Ok(_) => State::Changed,
            Err(_) => State::Missing,
        },
        Err(_) => State::Missing,
    }
}
