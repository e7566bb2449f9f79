//! Runs a build: all stages in order, from paths to a published generation.

mod files;
mod inputs;
mod known;
mod options;
mod parts;
mod previous;
mod report;
mod repositories;
mod timer;

use std::collections::BTreeMap;
use std::sync::Mutex;

use rustc_hash::FxHashSet;
use serde_json::json;
use sextant_format::generation::{Generation, part};
use sextant_format::publish::LockedIndex;
use sextant_format::tables::FileRow;
use sextant_resolve::scip::ScipIndexes;

use self::files::{References, WorkerContext, paths_now, process_files, walk_sources, write_stat_cache};
use self::inputs::{BuildInputs, copy_model};
use self::known::known_files;
use self::previous::{Start, Starts, is_intact, name_in_base, open_reuse_sources, previous_rows, previous_summaries};
use self::report::unexpected_skips;
use self::timer::StageTimer;
use crate::changes::{Changes, paths_in_index};
use crate::embed;
use crate::history::HistoryTask;
use crate::interrupt;
use crate::learn::LearntMacros;
use crate::model::{Outcome, Source};
use crate::process::WorkerStats;
use crate::progress::Progress;
use crate::reuse::ReuseCounts;
use crate::servers::{answers_below, answers_of_base, ask_servers};
use crate::stat_cache::{Stamps, StatCache};
use crate::write::{IndexWriter, PreviousResolution, ReusedState, VectorPlan};

pub(crate) use self::options::BuildOptions;
pub(crate) use self::parts::{Part, analyze_part};
pub(crate) use self::report::PublishedBuild;
pub(crate) use self::repositories::{parse_named_path, repositories, without_output};

/// No file was found. An empty index would only replace a useful one.
#[derive(Debug, thiserror::Error)]
#[error("there is no file to index in {0}")]
pub(crate) struct NothingToIndex(String);

impl NothingToIndex {
    /// How to avoid the error.
    #[must_use]
    pub(crate) const fn hint(&self) -> &'static str {
        "ignore files or globs may exclude everything: try --no-ignore, or check --include and --exclude"
    }
}

/// Builds an index and publishes it.
///
/// # Errors
/// A path, a glob, a SCIP index or the encoder cannot be used, no file was found ([`NothingToIndex`]), the memory limit
/// was exceeded ([`MemoryLimitExceeded`](crate::memory::MemoryLimitExceeded)), the user interrupted the build
/// ([`Interrupted`](interrupt::Interrupted)), or a file operation failed. The index is then unchanged or, if only
/// the last step of publishing failed, the new one.
pub(crate) fn build(options: &BuildOptions, progress: &Progress) -> anyhow::Result<PublishedBuild> {
    let mut timer = StageTimer::new();
    let mut repositories = repositories(&options.paths)?;
    let scip = ScipIndexes::load(&options.scip)?;
    let target = LockedIndex::open(&options.output)?;
    let staging = target.stage()?;
    let root = staging.path();
    let model_dir = root.join(part::MODEL);
    // With `model_by_reference` the index does not contain the encoder, so it is unpacked elsewhere.
    let scratch = options.model_by_reference.then(tempfile::tempdir).transpose()?;
    progress.stage("walk", None);
    timer.begin("walk");
    let mut reuse = ReuseCounts::default();
    let starts = Starts::open(&target, &options.reuse, &mut reuse.miss_reasons);
    // Generations share the files of the encoder, too.
    let shared = starts.all().first().filter(|_| scratch.is_none()).map(|start| start.generation.path(part::MODEL));
    let unpacked = scratch.as_ref().map_or(model_dir.as_path(), |dir| dir.path());
    let model = embed::load_with(&options.model, unpacked, shared.as_deref())?;
    if let (Some(model), None) = (&model, &scratch) {
        copy_model(model, &model_dir)?;
    }

    let (sources, skipped_paths) = walk_sources(options, &repositories)?;
    if sources.is_empty() && skipped_paths.is_empty() {
        return Err(NothingToIndex(options.paths.join(", ")).into());
    }
    if let Some(name) = starts.base.as_ref().and_then(|base| name_in_base(base, &options.paths, &sources)) {
        progress.line(&format!("the repository is called '{name}', as in the base"));
        repositories[0].name = name;
    }

    let max_bytes = options.settings.max_file_bytes;
    let names: Vec<String> = repositories.iter().map(|repository| repository.name.clone()).collect();
    let mut inputs =
        BuildInputs { options, repositories: &repositories, scip: &scip, model: model.as_ref(), macros_digest: None };
    let usable = if options.reuse.disabled { Vec::new() } else { starts.all() };
    let mut found_paths = None;
    let is_compatible = |generation| inputs.has_same_configuration(generation) || inputs.is_row_compatible(generation);
    if usable.iter().any(|start| is_compatible(&start.generation)) {
        progress.stage("compare", None);
        timer.begin("compare");
        let found = paths_now(options, &repositories, &names, &sources, &skipped_paths, root)?;
        let is_same = |start: &&&Start| start.is_at(&found) && inputs.has_same_configuration(&start.generation);
        if let Some(same) = usable.iter().find(is_same)
            && (!same.is_base || is_intact(&same.generation, &mut reuse.miss_reasons))
        {
            return inputs.republish_unchanged(same, &sources, &target, staging, timer, progress);
        }
        found_paths = Some(found);
    }

    // Where files were not compared, the next build can do so without reading them.
    let stamps = found_paths.is_none().then(|| Stamps::take(&names, &sources));

    progress.stage("learn", None);
    timer.begin("learn");
    let nearest = found_paths.as_ref().and_then(|found| {
        let compatible = usable.iter().copied().filter(|start| inputs.is_row_compatible(&start.generation));
        Some((compatible.min_by_key(|start| start.distance(found))?, found))
    });
    let learnt_before = nearest.and_then(|(nearest, _)| {
        let learnt = LearntMacros::of_generation(&nearest.generation);
        learnt.map_err(|error| reuse.miss_reasons.push(format!("{error:#}"))).ok().flatten()
    });
    let state = learnt_before.as_ref().zip(nearest.map(|(_, found)| found));
    let macros = LearntMacros::learn(&sources, &names, max_bytes, state, interrupt::requested);
    interrupt::check()?;
    macros.store(root)?;
    inputs.macros_digest = macros.digest().map(|digest| digest.to_hex());

    let mut previous = usable.first().copied();
    let mut rows = None;
    if let Some((nearest, found)) = nearest {
        previous = Some(nearest);
        let hash = model.as_ref().map(|model| model.info.hash.as_str());
        rows = previous_rows(nearest, found, hash, &mut reuse.miss_reasons);
    }
    reuse.from_base = previous.is_some_and(|previous| previous.is_base);

    timer.begin("index");
    tracing::info!(files = sources.len(), repositories = names.len(), "files to index");
    let other = usable.into_iter().find(|start| previous.is_some_and(|previous| previous.is_base != start.is_base));
    let previous = previous.map(|previous| &previous.generation);
    let history = HistoryTask::start(&repositories, &sources, previous, &options.history)?;
    let reuse_sources = open_reuse_sources(options, previous, other, model.as_ref(), false, &mut reuse.miss_reasons)?;
    let summaries = previous_summaries(options, previous.or_else(|| starts.current_generation()))?;
    let plan = model
        .as_ref()
        .map(|model| VectorPlan { dims: model.info.dimensions as usize, ann_threshold: options.ann_threshold });
    let table_of = previous.filter(|previous| rows.is_some() && sextant_lance::can_append(previous));
    let resolution = previous.filter(|_| rows.is_some() && options.servers.choices.is_empty()).and_then(|previous| {
        let opened = PreviousResolution::open(previous);
        opened.map_err(|error| reuse.miss_reasons.push(format!("{error:#}"))).ok().flatten()
    });
    let index_cache = (!options.without_vector_table).then_some(reuse_sources.files);
    // The rows of unchanged files need not be computed if nothing but their outlines is asked for.
    let is_known_enough = resolution.is_some()
        && scip.documents() == 0
        && summaries.is_empty()
        && (plan.is_none() || index_cache.is_none() || table_of.is_some());
    let known = match (previous.filter(|_| is_known_enough), &rows, &found_paths) {
        (Some(previous), Some(rows), Some(found)) => {
            let has_same_macros = previous.manifest().macros == inputs.macros_digest;
            let changes = macros.changes_since(learnt_before.as_ref(), has_same_macros);
            let is_concerned = |source: &Source, row: &FileRow| changes.concern(source, row, max_bytes);
            let is_stored = |number| resolution.as_ref().is_some_and(|resolution| resolution.has_symbols_of(number));
            let known = known_files(previous, rows, &names, &sources, found, is_concerned, is_stored);
            known.map_err(|error| reuse.miss_reasons.push(format!("{error:#}"))).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    let stored = resolution.as_ref().map(PreviousResolution::stored_table);
    let mut writer = IndexWriter::create(
        root,
        &names,
        plan,
        options.memory,
        ReusedState { index_cache, cache: reuse_sources.cache, rows, resolution, table_of },
    )?;
    for path in skipped_paths {
        writer.push_skipped(path)?;
    }
    let mut skipped = FxHashSet::default();
    let worker_stats = WorkerStats::default();
    let worker_context = WorkerContext {
        model: model.as_ref(),
        scip: &scip,
        analysis_cache: &reuse_sources.analyses,
        macros: &macros,
        summaries: &summaries,
        options,
        worker_stats: &worker_stats,
        stored: stored.as_deref(),
    };
    process_files(sources, known, &worker_context, progress, |source, outcome| {
        if let Outcome::Skipped { reason, detail } = &outcome {
            skipped.insert((source.repo, source.path.clone()));
            tracing::debug!(path = source.path, reason = reason.as_str(), detail, "file skipped");
            progress
                .event(|| json!({"type": "skipped", "path": source.path, "reason": reason.as_str(), "detail": detail}));
        }
        writer.push(source, outcome)
    })?;
    interrupt::check()?;
    options.memory.check()?;
    drop(stored);
    let mut files = writer.finish_files()?;

    let server_answers = if options.servers.choices.is_empty() {
        BTreeMap::new()
    } else {
        timer.begin("ask");
        let table = files.symbols();
        ask_servers(table, &repositories, &options.output, &options.servers, options.threads, progress)?
    };
    let mut recorded_answers: BTreeMap<String, String> =
        server_answers.iter().map(|(language, answers)| (language.clone(), answers.digest.clone())).collect();
    if let Some(base) = &options.servers.base {
        let base = Generation::open(base)?;
        answers_of_base(files.symbols(), &repositories, &base)?;
        recorded_answers.extend(answers_below(base.manifest()));
    }
    interrupt::check()?;

    progress.stage("resolve", None);
    timer.begin("resolve");
    let references = References {
        analysis_cache: &reuse_sources.analyses,
        macros: &macros,
        summaries: &summaries,
        worker_stats: &worker_stats,
        settings: &options.settings,
        workers: Mutex::default(),
    };
    let resolved = files.resolve(options.threads, &|file| references.of(file))?;

    if resolved.has_vectors() {
        progress.stage("vectors", None);
        timer.begin("vectors");
    }
    let written = resolved.finish()?;
    interrupt::check()?;
    options.memory.check()?;

    progress.stage("publish", None);
    timer.begin("publish");
    let histories = history.finish();
    // An interrupted history is shorter than it would be.
    interrupt::check()?;
    histories.notes.iter().for_each(|note| progress.line(note));
    let histories = histories.write(root, &names, &skipped)?;
    let manifest = inputs.manifest(&written, summaries.enrichment.as_ref(), recorded_answers, histories);
    fs_err::write(root.join(part::BUILD_INFO), timer.build_info(options.threads))?;
    let content_id = manifest.content_id.clone();
    let generation = target.publish_onto(staging, manifest, previous.as_slice())?;
    timer.end();
    let mut counts = written.counts;
    counts.scip.documents = scip.documents() as u64;
    (reuse.analyses, reuse.vectors) = reuse_sources.analyses.hits();
    // The index is published now. If it cannot be read back, the build succeeds without a list of changes.
    let after = Generation::open(&options.output).and_then(|after| paths_in_index(&after)).ok();
    if let (Some(stamps), Some(after)) = (stamps, &after) {
        // Without it, the next build reads all files.
        let cache = StatCache::of_index(&repositories, max_bytes, stamps, after);
        let written = target
            .stage()
            .map_err(Into::into)
            .and_then(|staging| write_stat_cache(&cache, &options.output, staging.path()));
        written
            .unwrap_or_else(|error: anyhow::Error| tracing::warn!(%error, "sizes and times of files are not stored"));
    }
    let before = starts.current.and_then(|current| current.paths);
    let changes = before.zip(after).map(|(before, after)| Changes::between(&before, &after));
    let (unexpected_skips, stages) = (unexpected_skips(&counts), timer.stages);
    Ok(PublishedBuild {
        generation,
        content_id,
        unexpected_skips,
        counts,
        stages,
        worker_stats,
        reuse,
        changes,
        server_answers,
    })
}
