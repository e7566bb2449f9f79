//! Whether an index already holds what a build would find: every file read and hashed, and nothing else done.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use sextant_formats::digest::Digest;
use sextant_formats::generation::Generation;
use sextant_formats::kinds::SkipReason;
use sextant_formats::tables::{FileRow, SkippedRow, TableReader};
use sextant_syntax::text;

use crate::model::Source;
use crate::read;
use crate::walk::Unwalkable;

/// What an index says of a path.
#[derive(PartialEq, Eq)]
enum Said {
    Indexed(Digest),
    Skipped(SkipReason, String),
}

/// Whether a generation has these files, byte for byte, and these only. The settings must be the same.
pub(crate) fn is_unchanged(
    generation: &Generation,
    repos: &[String],
    sources: &[Source],
    unwalkable: &[Unwalkable],
    max_bytes: u64,
    stop: impl Fn() -> bool + Sync,
) -> sextant_formats::Result<bool> {
    let mut said: FxHashMap<(String, String), Said> = FxHashMap::default();
    for row in TableReader::<FileRow>::read_all(&generation.table("files"))? {
        said.insert((row.repo, row.path), Said::Indexed(row.content_hash));
    }
    for row in TableReader::<SkippedRow>::read_all(&generation.table("skipped"))? {
        said.insert((row.repo, row.path), Said::Skipped(row.reason, row.detail));
    }
    let named = |repo: u32, path: &str| said.get(&(repos[repo as usize].clone(), path.to_owned()));
    let is_walked = |found: &Unwalkable| match named(found.repo, &found.path) {
        Some(Said::Skipped(reason, detail)) => (*reason, detail) == (found.reason, &found.detail),
        _ => false,
    };
    let is_same = |source: &Source| {
        let Some(said) = named(source.repo, &source.path) else { return false };
        match (said, read::read(source, max_bytes)) {
            (Said::Indexed(hash), Ok(bytes)) => Digest::of(&bytes) == *hash,
            (Said::Skipped(reason, detail), Err(skip)) => (*reason, detail) == (skip.reason, &skip.detail),
            (Said::Skipped(reason, detail), Ok(bytes)) => match text::decode(bytes) {
                Err(skip) => (*reason, detail) == (skip.reason, &skip.detail),
                // A worker's panic may be of another day.
                Ok(_) => false,
            },
            (Said::Indexed(_), Err(_)) => false,
        }
    };
    Ok(said.len() == sources.len() + unwalkable.len()
        && unwalkable.iter().all(is_walked)
        && sources.par_iter().all(|source| !stop() && is_same(source)))
}
