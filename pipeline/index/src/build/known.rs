//! Which files are the same as in the previous generation, so that their rows need not be computed to be reused.
//!
//! A file has the same rows if its bytes and the settings are the same. What is read of such a file is the outline of
//! its analysis, because resolution of other files needs it.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use sextant_format::generation::Generation;
use sextant_format::tables::FileRow;

use crate::changes::{PathState, Paths};
use crate::model::Source;
use crate::reuse::{KnownFile, read_file_keys};

/// The files of a row-compatible generation without summaries that are the same now, one entry for each source; `names`
/// are those of the repositories. Files that `is_concerned` names are left out: something else that counts differs.
///
/// # Errors
/// The generation cannot be read, or is damaged.
pub(super) fn known_files(
    generation: &Generation,
    names: &[String],
    sources: &[Source],
    found: &Paths,
    is_concerned: impl Fn(&Source, &FileRow) -> bool + Sync,
) -> anyhow::Result<Vec<Option<KnownFile>>> {
    let mut known = vec![None; sources.len()];
    if generation.manifest().enrichment.is_some() {
        return Ok(known);
    }
    let Some(keys) = read_file_keys(generation)? else { return Ok(known) };
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
    sources.par_iter().zip(&mut known).for_each(|(source, known)| {
        *known = known.take().filter(|known| !is_concerned(source, &known.row));
    });
    Ok(known)
}
