//! Which files are the same as in the previous generation, so that their rows need not be computed to be reused.
//!
//! A file has the same rows if its bytes and the settings are the same. What is read of such a file is the outline of
//! its analysis, because resolution of other files needs it.

use rayon::prelude::*;
use sextant_format::generation::Generation;
use sextant_format::tables::FileRow;
use sextant_writer::PreviousGeneration;

use crate::changes::{PathState, Paths};
use crate::model::Source;
use crate::reuse::{KnownFile, read_file_keys};

/// The files of a generation without summaries that are the same now, one entry for each source; `rows` are those of the
/// generation, which are reused, and `names` are those of the repositories. Files that `is_concerned` names are left out:
/// something else that counts differs. `is_stored` says which files, by their numbers, need no outline.
///
/// # Errors
/// The generation cannot be read, or is damaged.
pub(super) fn known_files(
    generation: &Generation,
    rows: &PreviousGeneration,
    names: &[String],
    sources: &[Source],
    found: &Paths,
    is_concerned: impl Fn(&Source, &FileRow) -> bool + Sync,
    is_stored: impl Fn(usize) -> bool + Sync,
) -> anyhow::Result<Vec<Option<KnownFile>>> {
    let keys = if generation.manifest().enrichment.is_some() { None } else { read_file_keys(generation)? };
    let Some(keys) = keys.filter(|keys| keys.len() == rows.file_count()) else { return Ok(Vec::new()) };
    let known = |source: &Source| {
        let repository = names.get(source.repo as usize)?;
        let (row, chunks) = rows.file(repository, &source.path)?;
        let is_same = found.get(&(repository.clone(), source.path.clone())) == Some(&PathState::Text(row.content_hash));
        let keys = keys.get(row.file_id.index()).copied().filter(|keys| is_same && keys.analysis.is_some())?;
        let number = row.file_id.index();
        let is_stored = is_stored(number);
        (!is_concerned(source, row)).then(|| KnownFile { number, row: row.clone(), chunks, keys, is_stored })
    };
    Ok(sources.par_iter().map(known).collect())
}
