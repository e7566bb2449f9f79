//! Which files are the same as in the previous generation, so that their rows need not be computed to be reused.
//!
//! A file has the same rows if its bytes and the settings are the same. What is read of such a file is the outline of
//! its analysis, because resolution of other files needs it.

use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sextant_format::generation::{Generation, part};
use sextant_format::tables::FileRow;
use sextant_writer::check_files;

use super::entry_store::Key;
use crate::changes::{PathState, Paths};
use crate::model::Source;

/// Where the cached results of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileKeys {
    /// The key of its analysis; none if it could not be stored.
    pub(crate) analysis: Option<Key>,
    /// The key of its vectors; none without an encoder.
    pub(crate) vectors: Option<Key>,
    /// The number of chunks with a vector.
    pub(crate) embedded_chunks: u32,
}

/// A file that is the same as in the previous generation.
#[derive(Clone, Debug)]
pub(crate) struct KnownFile {
    /// Its number there.
    pub(crate) number: usize,
    pub(crate) row: FileRow,
    /// The number of its chunks.
    pub(crate) chunks: u32,
    pub(crate) keys: FileKeys,
}

/// Writes the keys of all files, in order, below `root`.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write_file_keys(root: &Path, keys: &[FileKeys]) -> anyhow::Result<()> {
    fs_err::create_dir_all(root.join(part::ANALYSIS_CACHE))?;
    Ok(fs_err::write(root.join(part::FILE_KEYS), postcard::to_stdvec(keys)?)?)
}

/// The files of a row-compatible generation without summaries that are the same now, one entry for each source; `names`
/// are those of the repositories.
///
/// # Errors
/// The generation cannot be read, or is damaged.
pub(crate) fn known_files(
    generation: &Generation,
    names: &[String],
    sources: &[Source],
    found: &Paths,
) -> anyhow::Result<Vec<Option<KnownFile>>> {
    let mut known = vec![None; sources.len()];
    let path = generation.path(part::FILE_KEYS);
    if !path.exists() || generation.manifest().enrichment.is_some() {
        return Ok(known);
    }
    check_files(generation, |path| path == part::FILE_KEYS)?;
    let keys: Vec<FileKeys> = postcard::from_bytes(&fs_err::read(path)?)?;
    let (rows, directory) = (generation.files()?, generation.directory()?);
    if [rows.len(), directory.len()] != [keys.len(); 2] {
        return Ok(known);
    }
    let mut files: FxHashMap<(String, String), KnownFile> = FxHashMap::default();
    for (number, ((row, listed), keys)) in rows.into_iter().zip(directory).zip(keys).enumerate() {
        let path = (row.repo.clone(), row.path.clone());
        if found.get(&path) == Some(&PathState::Text(row.content_hash)) && keys.analysis.is_some() {
            files.insert(path, KnownFile { number, row, chunks: listed.chunks, keys });
        }
    }
    for (source, known) in sources.iter().zip(&mut known) {
        let repository = names.get(source.repo as usize).cloned().unwrap_or_default();
        *known = files.remove(&(repository, source.path.clone()));
    }
    Ok(known)
}
