//! Analyses a part of the files of a build into a store, in which a build on another machine finds their analyses and
//! vectors. This module must not know where stores are kept.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sextant_resolve::scip::ScipIndexes;

use super::files::{WorkerContext, process_files, walk_sources};
use super::options::BuildOptions;
use super::previous::open_reuse_sources;
use super::repositories::repositories;
use crate::embed;
use crate::interrupt;
use crate::learn::LearntMacros;
use crate::model::{Outcome, Source};
use crate::process::WorkerStats;
use crate::progress::Progress;
use crate::reuse::EntryStoreWriter;
use crate::summaries::Summaries;

/// One of several parts of the files of a build: a range of them in their order, so whole folders but for the first and
/// the last, with about as many bytes as each other part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// Its number, from 0.
    pub(crate) number: u32,
    /// The number of parts.
    pub(crate) of: u32,
}

impl Part {
    /// Whether it has bytes `before` those of a file, of `total` bytes of all files.
    fn contains(self, before: u64, total: u64) -> bool {
        let at = u128::from(before) * u128::from(self.of) / u128::from(total.max(1));
        at == u128::from(self.number)
    }

    /// The files of the part.
    fn select(self, sources: Vec<Source>, max_file_bytes: u64) -> Vec<Source> {
        // What is skipped costs nothing.
        let size = |source: &Source| {
            let bytes = fs_err::metadata(&source.absolute).map_or(0, |found| found.len());
            if bytes > max_file_bytes { 0 } else { bytes }
        };
        let sizes: Vec<u64> = sources.iter().map(size).collect();
        let total: u64 = sizes.iter().sum();
        let mut before = 0;
        let mut is_own = |bytes: u64| {
            let is_own = self.contains(before, total);
            before += bytes;
            is_own
        };
        sources.into_iter().zip(sizes).filter_map(|(source, bytes)| is_own(bytes).then_some(source)).collect()
    }
}

/// Analyses a part of the files that a build with these options indexes, and writes the analyses and vectors into a store
/// at `path`. Returns the number of files in it.
///
/// # Errors
/// As of [`build`](super::build).
pub(crate) fn analyze_part(
    options: &BuildOptions,
    part: Part,
    path: &Path,
    progress: &Progress,
) -> anyhow::Result<u64> {
    let repositories = repositories(&options.paths)?;
    progress.stage("walk", None);
    let (sources, _) = walk_sources(options, &repositories)?;
    let scratch = tempfile::tempdir()?;
    let model = embed::load(&options.model, scratch.path())?;
    progress.stage("learn", None);
    let names: Vec<String> = repositories.iter().map(|repository| repository.name.clone()).collect();
    let max_bytes = options.settings.max_file_bytes;
    let macros = LearntMacros::learn(&sources, &names, max_bytes, None, interrupt::requested);
    interrupt::check()?;
    let mut reuse = open_reuse_sources(options, None, None, model.as_ref(), true, &mut Vec::new())?;
    let context = WorkerContext {
        model: model.as_ref(),
        scip: &ScipIndexes::default(),
        analysis_cache: &reuse.analyses,
        macros: &macros,
        summaries: &Summaries::default(),
        options,
        worker_stats: &WorkerStats::default(),
        stored: None,
    };
    let mut store = EntryStoreWriter::create(path)?;
    let mut files = 0;
    process_files(part.select(sources, max_bytes), Vec::new(), &context, progress, |_, outcome| {
        let Outcome::Indexed(file) = outcome else { return Ok(()) };
        files += 1;
        for entry in file.cache_entries {
            store.push(&entry.key, entry.value.as_slice())?;
            if let Some(cache) = reuse.cache.as_mut().filter(|_| !entry.is_in_shared_cache) {
                cache.push(&entry)?;
            }
        }
        Ok(())
    })?;
    interrupt::check()?;
    store.finish()?;
    reuse.cache.map_or(Ok(()), |cache| cache.finish())?;
    Ok(files)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_file_is_in_one_part(sizes in proptest::collection::vec(0_u64..1_000, 1..80), of in 1_u32..9) {
            let total: u64 = sizes.iter().sum();
            let mut before = 0;
            let mut last = 0;
            for bytes in sizes {
                let own: Vec<u32> = (0..of).filter(|&number| Part { number, of }.contains(before, total)).collect();
                // What is empty at the end is of no part, and needs no analysis.
                if bytes > 0 {
                    prop_assert_eq!(own.len(), 1);
                    prop_assert!(own[0] >= last);
                    last = own[0];
                }
                before += bytes;
            }
        }
    }
}
