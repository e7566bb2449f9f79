//! The files of a build: found by a walk, compared with an earlier build, and processed by workers in their order. This
//! module must not know what becomes of them.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use sextant_format::kinds::SkipReason;
use sextant_format::publish;
use sextant_ordered::ordered_parallel_map;
use sextant_resolve::StoredTable;
use sextant_resolve::scip::ScipIndexes;
use sextant_syntax::model::Reference;

use super::options::BuildOptions;
use super::repositories::without_output;
use crate::changes::Paths;
use crate::embed::Model;
use crate::interrupt;
use crate::learn::LearntMacros;
use crate::model::{Outcome, RecalledFile, Source};
use crate::process::{Worker, WorkerStats};
use crate::progress::Progress;
use crate::reuse::{AnalysisCache, KnownFile};
use crate::settings::Settings;
use crate::stat_cache::StatCache;
use crate::summaries::Summaries;
use crate::walk::{self, Selection, SkippedPath};

/// What all workers share.
pub(super) struct WorkerContext<'a> {
    pub(super) model: Option<&'a Model>,
    pub(super) scip: &'a ScipIndexes,
    pub(super) analysis_cache: &'a AnalysisCache,
    pub(super) macros: &'a LearntMacros,
    pub(super) summaries: &'a Summaries,
    pub(super) options: &'a BuildOptions,
    pub(super) worker_stats: &'a WorkerStats,
    /// The symbol table of the generation before.
    pub(super) stored: Option<&'a StoredTable>,
}

/// The files to index, in order, and the paths that are skipped.
///
/// # Errors
/// A glob is invalid, or the user interrupted the build.
pub(super) fn walk_sources(
    options: &BuildOptions,
    repositories: &[walk::Repository],
) -> anyhow::Result<(Vec<Source>, Vec<SkippedPath>)> {
    let selection =
        Selection::new(&options.include, &options.exclude, options.respect_gitignore).context("a glob is invalid")?;
    let (sources, skipped_paths) = walk::walk(repositories, &selection, options.threads, &interrupt::requested);
    interrupt::check()?;
    Ok((without_output(sources, &options.output), skipped_paths))
}

/// The state of every path that the walk found. Files whose size and times are as at an earlier build are not read.
///
/// # Errors
/// The user interrupted the build.
pub(super) fn paths_now(
    options: &BuildOptions,
    repositories: &[walk::Repository],
    names: &[String],
    sources: &[Source],
    skipped_paths: &[SkippedPath],
    staging: &Path,
) -> anyhow::Result<Paths> {
    let path = options.output.join(publish::STAMPS);
    let before = StatCache::read(&path, repositories, options.settings.max_file_bytes);
    let (found, now) = before.scan(names, sources, skipped_paths, interrupt::requested);
    interrupt::check()?;
    if now.is_worth_writing(&before) {
        write_stat_cache(&now, &options.output, staging)?;
    }
    Ok(found)
}

/// Writes the sizes and times of files for the next build of an index; the file is made in a folder of the index.
///
/// # Errors
/// It cannot be written.
pub(super) fn write_stat_cache(cache: &StatCache, index: &Path, staging: &Path) -> anyhow::Result<()> {
    let temporary = tempfile::NamedTempFile::new_in(staging)?.into_temp_path();
    fs_err::write(&temporary, cache.to_bytes()?)?;
    Ok(publish::persist(temporary, &index.join(publish::STAMPS))?)
}

/// Processes files and passes each to `sink`, in order; `known` has, for each of them, what is known of it if it is
/// unchanged.
///
/// # Errors
/// The encoder cannot be used, or `sink` fails.
pub(super) fn process_files(
    sources: Vec<Source>,
    mut known: Vec<Option<KnownFile>>,
    worker_context: &WorkerContext<'_>,
    progress: &Progress,
    mut sink: impl FnMut(Source, Outcome) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let WorkerContext { model, scip, analysis_cache, macros, summaries, options, worker_stats, stored } =
        *worker_context;
    let threads = options.threads;
    let keeps_analyses = !options.without_vector_table;
    progress.stage("index", Some(sources.len() as u64));
    // Report an unusable encoder before any file is read.
    let _ = model.map(Model::encoder).transpose()?;
    known.resize(sources.len(), None);
    ordered_parallel_map(
        threads,
        threads.max(1) * options.memory.files_in_flight(),
        sources.into_iter().zip(known),
        interrupt::requested,
        || -> anyhow::Result<Worker<'_>> {
            let encoder = model.map(Model::encoder).transpose()?;
            Ok(Worker::new(encoder, analysis_cache, macros, summaries, worker_stats, stored, keeps_analyses)?)
        },
        |worker, (source, known)| match worker {
            Ok(worker) => match known.as_ref().and_then(|known| worker.recall(known)) {
                Some(outcome) => Ok(outcome),
                None => worker.process(source, &options.settings, scip).map_err(anyhow::Error::from),
            },
            Err(error) => Err(anyhow::anyhow!("{error}")),
        },
        |_, panic| Ok(Outcome::Skipped { reason: SkipReason::Panic, detail: panic }),
        |(source, _), outcome| {
            let outcome = outcome?;
            progress.step();
            sink(source, outcome)
        },
    )
}

/// Looks up the references of recalled files on any thread, and analyses files again whose analyses are nowhere.
pub(super) struct References<'a> {
    pub(super) analysis_cache: &'a AnalysisCache,
    pub(super) macros: &'a LearntMacros,
    pub(super) summaries: &'a Summaries,
    pub(super) worker_stats: &'a WorkerStats,
    pub(super) settings: &'a Settings,
    /// Those that nobody uses now.
    pub(super) workers: Mutex<Vec<Worker<'a>>>,
}

impl References<'_> {
    /// The references of a file; none if its analysis is missing and it changed since it was compared.
    pub(super) fn of(&self, file: &RecalledFile) -> Option<Vec<Reference>> {
        let Self { analysis_cache, macros, summaries, worker_stats, settings, .. } = *self;
        let known = self.workers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let create = || Worker::new(None, analysis_cache, macros, summaries, worker_stats, None, false);
        let mut worker = known.map_or_else(create, Ok).ok()?;
        let found = worker.references(file, settings);
        self.workers.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        found
    }
}
