//! The keys under which the caches of a generation have what was computed of each file. This module must not know which
//! files are the same now.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sextant_format::generation::{Generation, part};
use sextant_format::tables::FileRow;
use sextant_writer::check_files;

use super::entry_store::Key;

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
    /// Whether the stored symbol table has it, so that its outline is not needed.
    pub(crate) is_stored: bool,
}

/// Writes the keys of all files, in order, below `root`.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write_file_keys(root: &Path, keys: &[FileKeys]) -> anyhow::Result<()> {
    fs_err::create_dir_all(root.join(part::ANALYSIS_CACHE))?;
    Ok(fs_err::write(root.join(part::FILE_KEYS), postcard::to_stdvec(keys)?)?)
}

/// Reads the keys of all files of a generation, in order; none if it has none.
///
/// # Errors
/// The file cannot be read, or is damaged.
pub(crate) fn read_file_keys(generation: &Generation) -> anyhow::Result<Option<Vec<FileKeys>>> {
    let path = generation.path(part::FILE_KEYS);
    if !path.exists() {
        return Ok(None);
    }
    check_files(generation, |path| path == part::FILE_KEYS)?;
    Ok(Some(postcard::from_bytes(&fs_err::read(path)?)?))
}
