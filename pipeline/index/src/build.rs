//! One build: the stages in their order, from paths to a published generation.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, bail};
use serde_json::json;
use sextant_encoder::MODEL_JSON;
use sextant_format::generation::{Generation, part};
use sextant_format::kinds::SkipReason;
use sextant_format::manifest::{Manifest, ModelInfo, Repository, Tool};
use sextant_format::publish::LockedIndex;
use sextant_format::version::{FEATURE_VERSION, FORMAT_VERSION};
use sextant_writer::PreviousTextIndex;

use crate::build_config::BuildConfig;
use crate::changes::{Changes, Paths, paths_in_checkouts, paths_in_index};
use crate::embed::{self, Model, ModelChoice};
use crate::interrupt;
use crate::memory::MemoryBudget;
use crate::model::{Outcome, Source};
use crate::process::{Settings, Worker, WorkerStats};
use crate::progress::Progress;
use crate::reuse::{
    AnalysisCache, IndexCache, IndexCacheFiles, ReuseCounts, ReuseOptions, SharedCache, incompatibilities,
};
use crate::walk::{self, Selection};
use crate::write::{Counts, IndexWriter, ReusedState, VectorPlan, WrittenTables};
use sextant_ordered::ordered;
use sextant_resolve::scip::{Scip, ScipSource};

/// The text index is written anew where more than one file of so many is different or gone.
const MAX_STALE_ONE_IN: usize = 5;

/// What to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// `PATH` or `NAME=PATH`.
    pub paths: Vec<String>,
    /// The index folder.
    pub output: PathBuf,
    /// The encoder.
    pub model: ModelChoice,
    /// Whether the index names the encoder only.
    pub model_by_reference: bool,
    /// Whether the LanceDB table and what later builds take over are left out, as in a pulled index.
    pub without_vector_table: bool,
    /// From so many vectors on, the LanceDB table gets an approximate index. It changes no row.
    pub ann_threshold: u64,
    /// Worker threads.
    pub threads: usize,
    /// How much memory it may take.
    pub memory: MemoryBudget,
    /// Globs of files to take; all where there are none.
    pub include: Vec<String>,
    /// Globs of files to leave out.
    pub exclude: Vec<String>,
    /// Whether what `.gitignore` and `.ignore` leave out is left out.
    pub respect_gitignore: bool,
    /// Indexes that compilers made.
    pub scip: Vec<ScipSource>,
    /// How a file is processed.
    pub settings: Settings,
    /// Where to look for what earlier builds found out.
    pub reuse: ReuseOptions,
}

/// A published build.
#[derive(Debug)]
pub struct PublishedBuild {
    /// The generation's name.
    pub generation: String,
    /// The content id.
    pub content_id: String,
    /// What was counted.
    pub counts: Counts,
    /// Skipped paths that speak of trouble, as opposed to binary files and links.
    pub unexpected_skips: u64,
    /// Stages and how long they took.
    pub stages: Vec<(&'static str, Duration)>,
    /// What the workers of the stage `index` spent.
    pub worker_stats: WorkerStats,
    /// What was taken over.
    pub reuse: ReuseCounts,
    /// What is different from the generation before; none where there was none.
    pub changes: Option<Changes>,
}

/// The build was stopped by Ctrl-C; nothing was published.
#[derive(Debug, thiserror::Error)]
#[error("stopped before the index was published")]
pub struct Interrupted;

/// No file was found. An index of nothing would only replace a good one.
#[derive(Debug, thiserror::Error)]
#[error("there is no file to index in {0}")]
pub struct NothingToIndex(String);

impl NothingToIndex {
    /// The way out.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        "ignore files and globs may leave out everything: try --no-ignore, or look at --include and --exclude"
    }
}

/// Runs a build.
pub fn build(options: &BuildOptions, progress: &Progress) -> anyhow::Result<PublishedBuild> {
    let mut timer = StageTimer::new();
    let repositories = repositories(&options.paths)?;
    let selection = Selection::new(&options.include, &options.exclude, options.respect_gitignore)
        .context("a glob cannot be understood")?;
    let scip = ScipIndexes::load(&options.scip)?;
    let target = LockedIndex::open(&options.output)?;
    let staging = target.stage()?;
    let root = staging.path();
    let model_dir = root.join(part::MODEL);
    // An encoder that is only named is unpacked elsewhere.
    let scratch = options.model_by_reference.then(tempfile::tempdir).transpose()?;
    let model = embed::load(&options.model, scratch.as_ref().map_or(&model_dir, |dir| dir.path()))?;
    if let (Some(model), None) = (&model, &scratch) {
        copy_model(model, &model_dir)?;
    }

    progress.stage("walk", None);
    timer.begin("walk");
    let (sources, skipped_paths) = walk::walk(&repositories, &selection, options.threads, &interrupt::requested);
    stop_if_interrupted()?;
    let sources: Vec<Source> = without_output(sources, &options.output);
    if sources.is_empty() && skipped_paths.is_empty() {
        return Err(NothingToIndex(options.paths.join(", ")).into());
    }

    let names: Vec<String> = repositories.iter().map(|repository| repository.name.clone()).collect();
    let mut reuse = ReuseCounts::default();
    let current = target.current(&mut reuse.miss_reasons);
    let inputs = BuildInputs { options, repositories: &repositories, scip: &scip, model: model.as_ref() };
    let previous = reusable_generation(options, current.as_ref(), &mut reuse.miss_reasons);
    let before = current
        .as_ref()
        .and_then(|current| paths_in_index(current).map_err(|e| reuse.miss_reasons.push(e.to_string())).ok());
    let mut text = None;
    let is_current_compatible =
        current.as_ref().is_some_and(|current| !options.reuse.disabled && inputs.has_same_configuration(current));
    let row_compatible = previous.as_ref().filter(|previous| inputs.is_row_compatible(previous));
    if is_current_compatible || row_compatible.is_some() {
        progress.stage("compare", None);
        timer.begin("compare");
        let max_bytes = options.settings.max_file_bytes;
        let found = paths_in_checkouts(&names, &sources, &skipped_paths, max_bytes, interrupt::requested);
        stop_if_interrupted()?;
        if let Some(current) = current.as_ref().filter(|_| is_current_compatible)
            && before.as_ref() == Some(&found)
        {
            return inputs.republish_unchanged(current, &target, staging, timer);
        }
        // What the output's own generation holds is known by now.
        let indexed = before.as_ref().filter(|_| options.reuse.index.is_none());
        text =
            row_compatible.and_then(|previous| previous_text_index(previous, indexed, &found, &mut reuse.miss_reasons));
    }

    timer.begin("index");
    let reuse_sources = open_reuse_sources(options, previous.as_ref(), model.as_ref(), &mut reuse.miss_reasons)?;
    let plan = model
        .as_ref()
        .map(|model| VectorPlan { dims: model.info.dimensions as usize, ann_threshold: options.ann_threshold });
    let index_cache = (!options.without_vector_table).then_some(reuse_sources.files);
    let mut writer = IndexWriter::create(
        root,
        &names,
        plan,
        options.memory,
        ReusedState { index_cache, cache: reuse_sources.cache, text },
    )?;
    for path in skipped_paths {
        writer.push_skipped(path)?;
    }
    let worker_stats = WorkerStats::default();
    let worker_context = WorkerContext {
        model: model.as_ref(),
        scip: &scip,
        analysis_cache: &reuse_sources.analyses,
        options,
        worker_stats: &worker_stats,
    };
    index_files(sources, &worker_context, &mut writer, progress)?;
    stop_if_interrupted()?;
    options.memory.check()?;
    let written = writer.finish(options.threads, |stage| {
        progress.stage(stage, None);
        timer.begin(stage);
    })?;
    stop_if_interrupted()?;
    options.memory.check()?;

    progress.stage("publish", None);
    timer.begin("publish");
    let manifest = inputs.manifest(&written);
    fs_err::write(root.join(part::BUILD_INFO), timer.build_info(options.threads))?;
    let content_id = manifest.content_id.clone();
    let generation = target.publish(staging, manifest)?;
    timer.end();
    let mut counts = written.counts;
    counts.scip.documents = scip.documents() as u64;
    (reuse.analyses, reuse.vectors) = reuse_sources.analyses.hits();
    // What is published is published: where it cannot be read at once, nothing is said of what changed.
    let after = Generation::open(&options.output).and_then(|after| paths_in_index(&after)).ok();
    let changes = before.zip(after).map(|(before, after)| Changes::between(&before, &after));
    let (unexpected_skips, stages) = (unexpected_skips(&counts), timer.stages);
    Ok(PublishedBuild { generation, content_id, unexpected_skips, counts, stages, worker_stats, reuse, changes })
}

/// The text index of a generation whose rows are such as this build's, where most files are the same: what is
/// different stays in it beside what is new. `indexed` is what it holds, where that is known.
fn previous_text_index(
    previous: &Generation,
    indexed: Option<&Paths>,
    found: &Paths,
    miss_reasons: &mut Vec<String>,
) -> Option<PreviousTextIndex> {
    let open = || {
        let changes = match indexed {
            Some(indexed) => Changes::between(indexed, found),
            None => Changes::between(&paths_in_index(previous)?, found),
        };
        let stale = changes.changed.len() + changes.removed.len();
        if stale * MAX_STALE_ONE_IN > found.len() { Ok(None) } else { PreviousTextIndex::open(previous) }
    };
    open().map_err(|error: sextant_format::Error| miss_reasons.push(error.to_string())).ok().flatten()
}

/// Skipped paths that speak of trouble.
fn unexpected_skips(counts: &Counts) -> u64 {
    let is_unexpected = |reason: &&str| ![SkipReason::Binary.as_str(), SkipReason::NotAFile.as_str()].contains(reason);
    counts.skipped.iter().filter(|(reason, _)| is_unexpected(reason)).map(|(_, count)| count).sum()
}

/// What is known before a file is read, and the cache that what is found out goes to.
struct ReuseSources {
    analyses: AnalysisCache,
    cache: Option<SharedCache>,
    files: IndexCacheFiles,
}

/// The generation that can be taken over from: of the index that the options name, or the output's current one. One
/// that is of no use is told to `miss_reasons`.
fn reusable_generation(
    options: &BuildOptions,
    current: Option<&Generation>,
    miss_reasons: &mut Vec<String>,
) -> Option<Generation> {
    match &options.reuse {
        reuse if reuse.disabled => None,
        ReuseOptions { index: Some(index), .. } => {
            Generation::open(index).map_err(|error| miss_reasons.push(error.to_string())).ok()
        }
        _ => current.cloned(),
    }
}

/// Opens the facts of the previous generation and the cache that the options name, which is an error where it cannot
/// be used.
fn open_reuse_sources(
    options: &BuildOptions,
    previous: Option<&Generation>,
    model: Option<&Model>,
    miss_reasons: &mut Vec<String>,
) -> anyhow::Result<ReuseSources> {
    let reuse = &options.reuse;
    if let Some(previous) = previous {
        miss_reasons.extend(incompatibilities(previous, model.map(|model| model.info.hash.as_str())));
    }
    let IndexCache { stores, files } =
        previous.map(|previous| IndexCache::open(previous, miss_reasons)).unwrap_or_default();
    let (cache, shared_stores) = match &reuse.cache {
        Some(folder) => {
            let (cache, stores) = SharedCache::open(folder, reuse.max_cache_bytes, miss_reasons)
                .with_context(|| format!("the cache {} cannot be used", folder.display()))?;
            (Some(cache), if reuse.disabled { Vec::new() } else { stores })
        }
        None => (None, Vec::new()),
    };
    let model = model.map(|model| (model.info.hash.as_str(), model.info.dimensions as usize));
    Ok(ReuseSources { analyses: AnalysisCache::new(shared_stores, stores, &options.settings, model), cache, files })
}

fn stop_if_interrupted() -> anyhow::Result<()> {
    if interrupt::requested() { Err(Interrupted.into()) } else { Ok(()) }
}

/// `NAME=PATH` or `PATH` in its parts.
pub(crate) fn parse_named_path(given: &str) -> (Option<&str>, &str) {
    match given.split_once('=') {
        Some((name, path)) if !name.contains('/') && !name.is_empty() => (Some(name), path),
        _ => (None, given),
    }
}

/// The folders to index and their names; every path must be a readable folder.
pub(crate) fn repositories(paths: &[String]) -> anyhow::Result<Vec<walk::Repository>> {
    let mut repositories: Vec<walk::Repository> = Vec::new();
    for path in paths {
        let (name, path) = parse_named_path(path);
        let root = fs_err::canonicalize(path).with_context(|| format!("{path} cannot be indexed"))?;
        if !root.is_dir() {
            bail!("{path} is no folder");
        }
        fs_err::read_dir(&root).with_context(|| format!("{path} cannot be indexed"))?;
        let name = name.map(str::to_owned).or_else(|| root.file_name().map(|name| name.to_string_lossy().into_owned()));
        let name = name.unwrap_or_else(|| "root".to_owned());
        if repositories.iter().any(|other| other.name == name) {
            bail!("two folders are called '{name}'; give one of them another name with NAME={path}");
        }
        repositories.push(walk::Repository { name, root });
    }
    Ok(repositories)
}

/// An index inside an indexed folder is not indexed itself.
pub(crate) fn without_output(sources: Vec<Source>, output: &Path) -> Vec<Source> {
    let Ok(output) = fs_err::canonicalize(output) else { return sources };
    sources.into_iter().filter(|source| !source.absolute.starts_with(&output)).collect()
}

fn copy_model(model: &Model, to: &Path) -> anyhow::Result<()> {
    fs_err::create_dir_all(to)?;
    for name in model.dir.file_names() {
        let target = to.join(name);
        if model.dir.path(name) != target {
            fs_err::copy(model.dir.path(name), &target)?;
        }
    }
    debug_assert!(to.join(MODEL_JSON).is_file());
    Ok(())
}

/// What every worker uses.
struct WorkerContext<'a> {
    model: Option<&'a Model>,
    scip: &'a ScipIndexes,
    analysis_cache: &'a AnalysisCache,
    options: &'a BuildOptions,
    worker_stats: &'a WorkerStats,
}

fn index_files(
    sources: Vec<Source>,
    worker_context: &WorkerContext<'_>,
    writer: &mut IndexWriter<'_>,
    progress: &Progress,
) -> anyhow::Result<()> {
    let WorkerContext { model, scip, analysis_cache, options, worker_stats } = *worker_context;
    let threads = options.threads;
    progress.stage("index", Some(sources.len() as u64));
    // An encoder that cannot be made is told before any file is read.
    let _ = model.map(Model::encoder).transpose()?;
    ordered_parallel_map(
        threads,
        threads.max(1) * options.memory.files_in_flight(),
        sources.into_iter(),
        interrupt::requested,
        || -> anyhow::Result<Worker<'_>> {
            Ok(Worker::new(model.map(Model::encoder).transpose()?, analysis_cache, worker_stats)?)
        },
        |worker, source| match worker {
            Ok(worker) => worker.process(source, &options.settings, scip).map_err(anyhow::Error::from),
            Err(error) => Err(anyhow::anyhow!("{error}")),
        },
        |_, panic| Ok(Outcome::Skipped { reason: SkipReason::Panic, detail: panic }),
        |source, outcome| {
            let outcome = outcome?;
            if let Outcome::Skipped { reason, detail } = &outcome {
                progress.event(
                    || json!({"type": "skipped", "path": source.path, "reason": reason.as_str(), "detail": detail}),
                );
            }
            progress.step();
            writer.push(source, outcome)
        },
    )
}

/// What a generation is made of and with.
struct BuildInputs<'a> {
    options: &'a BuildOptions,
    repositories: &'a [walk::Repository],
    scip: &'a ScipIndexes,
    model: Option<&'a Model>,
}

impl BuildInputs<'_> {
    fn manifest(&self, written: &WrittenTables) -> Manifest {
        let mut manifest = Manifest {
            format_version: FORMAT_VERSION,
            feature_version: FEATURE_VERSION,
            reader_features: written.reader_features.clone(),
            tool: Tool { name: "sextant-index".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            repositories: self
                .repositories
                .iter()
                .zip(&written.tree_hashes)
                .map(|(repository, tree)| Repository {
                    name: repository.name.clone(),
                    commit: head_commit(&repository.root),
                    tree_hash: tree.to_hex(),
                })
                .collect(),
            config_hash: self.config_hash(),
            settings: self.config().to_json(),
            model: self.model_info(),
            digests: written.digests.clone(),
            content_id: String::new(),
            files: Vec::new(),
        };
        manifest.content_id = manifest.compute_content_id();
        manifest
    }

    fn config(&self) -> BuildConfig {
        let BuildOptions { include, exclude, respect_gitignore, scip, settings, .. } = self.options;
        let (include, exclude) = (include.clone(), exclude.clone());
        BuildConfig {
            include,
            exclude,
            respect_gitignore: *respect_gitignore,
            scip: !scip.is_empty(),
            settings: *settings,
        }
    }

    /// The hash of the settings that decide the rows.
    fn config_hash(&self) -> String {
        let scip = self.options.scip.iter().zip(&self.scip.digests);
        self.config().hash(scip.map(|(source, digest)| (source.prefix.as_str(), digest))).to_hex()
    }

    fn model_info(&self) -> Option<ModelInfo> {
        let by_reference = self.options.model_by_reference;
        self.model.map(|model| ModelInfo { by_reference, ..model.info.clone() })
    }

    /// Whether a generation differs from this build in its files at most.
    fn has_same_configuration(&self, generation: &Generation) -> bool {
        let manifest = generation.manifest();
        let has_index = generation.path(part::LANCE).join("_indices").exists();
        let names = manifest.repositories.iter().map(|repository| &repository.name);
        (manifest.format_version, manifest.feature_version) == (FORMAT_VERSION, FEATURE_VERSION)
            && names.eq(self.repositories.iter().map(|repository| &repository.name))
            && manifest.config_hash == self.config_hash()
            && manifest.model == self.model_info()
            && manifest.settings == self.config().to_json()
            && (self.options.without_vector_table
                || has_index == (self.model.is_some() && manifest.rows("vectors") >= self.options.ann_threshold)
                    && generation.path(part::ANALYSIS_CACHE).exists())
    }

    /// Whether equal files of a generation have equal rows in this build, but for what is resolved and embedded.
    fn is_row_compatible(&self, generation: &Generation) -> bool {
        let manifest = generation.manifest();
        (manifest.format_version, manifest.feature_version) == (FORMAT_VERSION, FEATURE_VERSION)
            && manifest.config_hash == self.config_hash()
    }

    /// Leaves a generation as it is; where the same files are another commit now, its files get a manifest that
    /// says so.
    fn republish_unchanged(
        &self,
        generation: &Generation,
        target: &LockedIndex,
        staging: tempfile::TempDir,
        mut timer: StageTimer,
    ) -> anyhow::Result<PublishedBuild> {
        let mut manifest = generation.manifest().clone();
        for (recorded, repository) in manifest.repositories.iter_mut().zip(self.repositories) {
            recorded.commit = head_commit(&repository.root);
        }
        let name = if manifest == *generation.manifest() {
            // A build that was killed after publishing may have left them.
            target.remove_old_generations(generation.name())?;
            generation.name().to_owned()
        } else {
            timer.begin("publish");
            fs_err::remove_dir_all(staging.path().join(part::MODEL)).or_else(ignore_absent)?;
            target.republish(staging, generation, &manifest)?
        };
        timer.end();
        let counts = Counts::of_generation(generation)?;
        let hits = (counts.files, if self.model.is_some() { counts.files } else { 0 });
        let reuse = ReuseCounts { analyses: hits.0, vectors: hits.1, unchanged: true, miss_reasons: Vec::new() };
        Ok(PublishedBuild {
            generation: name,
            content_id: manifest.content_id,
            unexpected_skips: unexpected_skips(&counts),
            counts,
            stages: timer.stages,
            worker_stats: WorkerStats::default(),
            reuse,
            changes: Some(Changes::default()),
        })
    }
}

fn ignore_absent(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// The commit that is checked out in a git checkout, read from its files. These may be anybody's: nothing but what
/// looks like a commit leaves them.
pub(crate) fn head_commit(root: &Path) -> Option<String> {
    let git = root.join(".git");
    let git = match read_git_line(&git) {
        // A worktree's `.git` is a file that names the folder.
        Some(text) => root.join(text.strip_prefix("gitdir:")?.trim()),
        None => git,
    };
    let head = read_git_line(&git.join("HEAD"))?;
    let head = head.trim();
    let Some(reference) = head.strip_prefix("ref:").map(str::trim) else { return parse_commit(head) };
    if !reference.starts_with("refs/") || reference.split('/').any(|part| part == "..") {
        return None;
    }
    let common = read_git_line(&git.join("commondir")).map_or(git.clone(), |below| git.join(below.trim()));
    [&git, &common].into_iter().find_map(|folder| {
        let loose = read_git_line(&folder.join(reference)).and_then(|text| parse_commit(text.trim()));
        loose.or_else(|| {
            let packed = read_bounded(&folder.join("packed-refs"), MAX_PACKED_REFS_BYTES)?;
            packed.lines().find_map(|line| parse_commit(line.strip_suffix(reference)?.strip_suffix(' ')?))
        })
    })
}

/// Bytes of a file with one line of git's at most, and of one with all of its references.
const MAX_GIT_LINE_BYTES: u64 = 4 << 10;
const MAX_PACKED_REFS_BYTES: u64 = 256 << 20;

fn read_git_line(path: &Path) -> Option<String> {
    read_bounded(path, MAX_GIT_LINE_BYTES)
}

/// The text of a regular file of at most so many bytes.
fn read_bounded(path: &Path, bytes: u64) -> Option<String> {
    let is_small = fs_err::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= bytes);
    is_small.then(|| fs_err::read_to_string(path).ok()).flatten()
}

fn parse_commit(text: &str) -> Option<String> {
    let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| text.to_owned())
}

/// When and how long; outside the content id.
struct StageTimer {
    started: SystemTime,
    open: Option<(&'static str, Instant)>,
    stages: Vec<(&'static str, Duration)>,
}

impl StageTimer {
    #[expect(clippy::disallowed_methods, reason = "build-info is what says when")]
    fn new() -> Self {
        Self { started: SystemTime::now(), open: None, stages: Vec::new() }
    }

    /// A stage begins, and the one before ends.
    fn begin(&mut self, stage: &'static str) {
        self.end();
        self.open = Some((stage, Instant::now()));
    }

    fn end(&mut self) {
        if let Some((stage, since)) = self.open.take() {
            self.stages.push((stage, since.elapsed()));
        }
    }

    /// `build-info.json`: host, times, durations.
    fn build_info(&self, threads: usize) -> Vec<u8> {
        let seconds = self.started.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let stages: Vec<_> =
            self.stages.iter().map(|(stage, took)| json!({"stage": stage, "seconds": took.as_secs_f64()})).collect();
        let info = json!({
            "started_unix_seconds": seconds,
            "os": std::env::consts::OS,
            "arch": std::env::consts::ARCH,
            "threads": threads,
            "stages": stages,
        });
        format!("{info:#}\n").into_bytes()
    }
}
