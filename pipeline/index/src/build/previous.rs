//! Opens what a build reuses from earlier builds, before any file is read.

use anyhow::Context;
use sextant_format::generation::Generation;
use sextant_format::publish::LockedIndex;
use sextant_writer::{PreviousGeneration, check_files};

use super::options::BuildOptions;
use super::repositories::parse_named_path;
use crate::changes::{Changes, Paths, paths_in_index};
use crate::embed::Model;
use crate::model::Source;
use crate::reuse::{
    AnalysisCache, EntryStore, IndexCache, IndexCacheFiles, ReuseOptions, SharedCache, incompatibilities,
};
use crate::summaries::Summaries;

/// Rows and text index are rewritten if more than one file in so many was changed or removed.
pub(super) const MAX_STALE_ONE_IN: usize = 5;

/// A generation that a build may start from.
pub(super) struct Start {
    pub(super) generation: Generation,
    /// The state of its paths; none if it cannot be read.
    pub(super) paths: Option<Paths>,
    /// Whether it is of the base index, and not of the output.
    pub(super) is_base: bool,
}

impl Start {
    fn new(generation: Generation, is_base: bool, miss_reasons: &mut Vec<String>) -> Self {
        let paths = paths_in_index(&generation).map_err(|error| miss_reasons.push(error.to_string())).ok();
        Self { generation, paths, is_base }
    }

    /// Whether its paths are in this state.
    pub(super) fn is_at(&self, found: &Paths) -> bool {
        self.paths.as_ref() == Some(found)
    }

    /// The number of paths that differ.
    pub(super) fn distance(&self, found: &Paths) -> usize {
        self.paths.as_ref().map_or(usize::MAX, |paths| {
            let Changes { added, changed, removed } = Changes::between(paths, found);
            added.len() + changed.len() + removed.len()
        })
    }
}

/// The generations that a build may start from.
pub(super) struct Starts {
    /// The current generation of the output.
    pub(super) current: Option<Start>,
    /// The current generation of the base index.
    pub(super) base: Option<Start>,
}

impl Starts {
    /// Opens the generations. Why one cannot be opened is appended to `miss_reasons`.
    pub(super) fn open(target: &LockedIndex, options: &ReuseOptions, miss_reasons: &mut Vec<String>) -> Self {
        let current = target.current(miss_reasons);
        let base = options.base.as_ref().filter(|_| !options.disabled);
        let base = base.and_then(|base| Generation::open(base).map_err(|e| miss_reasons.push(e.to_string())).ok());
        let mut start = |generation, is_base| Start::new(generation, is_base, miss_reasons);
        let current = current.map(|generation| start(generation, false));
        Self { current, base: base.map(|generation| start(generation, true)) }
    }

    /// All of them, that of the output first.
    pub(super) fn all(&self) -> Vec<&Start> {
        self.current.iter().chain(&self.base).collect()
    }

    /// The current generation of the output.
    pub(super) fn current_generation(&self) -> Option<&Generation> {
        self.current.as_ref().map(|current| &current.generation)
    }
}

/// The name of the base's only repository, if the only folder to index is another checkout of it: at least half of its
/// files have the path of a file there. A worktree is often in a folder with another name.
pub(super) fn name_in_base(base: &Start, paths: &[String], sources: &[Source]) -> Option<String> {
    let ([repository], [path]) = (base.generation.manifest().repositories.as_slice(), paths) else { return None };
    let (None, Some(known)) = (parse_named_path(path).0, &base.paths) else { return None };
    let is_known = |source: &&Source| known.contains_key(&(repository.name.clone(), source.path.clone()));
    (sources.iter().filter(is_known).count() * 2 >= sources.len().max(1)).then(|| repository.name.clone())
}

/// Whether every file of a generation has the digest of its manifest; if not, the reason is appended to `miss_reasons`.
pub(super) fn is_intact(generation: &Generation, miss_reasons: &mut Vec<String>) -> bool {
    check_files(generation, |_| true).map_err(|error| miss_reasons.push(error.to_string())).is_ok()
}

/// Opens a row-compatible generation for reuse; none if too many files differ, or its vectors are not those of `model`.
/// Rows and documents of files that differ stay in its segments. A failure is appended to `miss_reasons`.
pub(super) fn previous_rows(
    previous: &Start,
    found: &Paths,
    model: Option<&str>,
    miss_reasons: &mut Vec<String>,
) -> Option<PreviousGeneration> {
    let changes = Changes::between(previous.paths.as_ref()?, found);
    let stale = changes.changed.len() + changes.removed.len();
    if stale * MAX_STALE_ONE_IN > found.len() {
        return None;
    }
    let opened = PreviousGeneration::open(&previous.generation);
    let opened = opened.map_err(|error| miss_reasons.push(error.to_string())).ok().flatten();
    opened.filter(|previous| previous.has_model(model))
}

/// Caches of earlier builds, and the shared cache that receives the results of this build.
pub(super) struct ReuseSources {
    pub(super) analyses: AnalysisCache,
    pub(super) cache: Option<SharedCache>,
    pub(super) files: IndexCacheFiles,
}

/// Opens the caches: the part `facts` of the previous generation and of the other one that the build could have started
/// from, and the shared cache in the options. `is_part` says that a build elsewhere uses the results of this one.
///
/// # Errors
/// The shared cache cannot be used. Damage of the previous generation is appended to `miss_reasons` instead.
pub(super) fn open_reuse_sources(
    options: &BuildOptions,
    previous: Option<&Generation>,
    other: Option<&Start>,
    model: Option<&Model>,
    is_part: bool,
    miss_reasons: &mut Vec<String>,
) -> anyhow::Result<ReuseSources> {
    let reuse = &options.reuse;
    if let Some(previous) = previous {
        miss_reasons.extend(incompatibilities(previous, model.map(|model| model.info.hash.as_str())));
    }
    let IndexCache { stores, files } =
        previous.map(|previous| IndexCache::open(previous, miss_reasons)).unwrap_or_default();
    // What is missing there was only a chance.
    let mut other = other.map(|other| IndexCache::open(&other.generation, &mut Vec::new()).stores).unwrap_or_default();
    for path in reuse.stores.iter().filter(|_| !reuse.disabled) {
        match EntryStore::open(path) {
            Ok(store) => other.push(store),
            Err(error) => miss_reasons.push(format!("{error:#}")),
        }
    }
    let (cache, shared_stores) = match &reuse.cache {
        Some(folder) => {
            let (cache, stores) = SharedCache::open(folder, reuse.max_cache_bytes, miss_reasons)
                .with_context(|| format!("the cache {} cannot be used", folder.display()))?;
            (Some(cache), if reuse.disabled { Vec::new() } else { stores })
        }
        None => (None, Vec::new()),
    };
    let is_shared = cache.is_some() || is_part;
    Ok(ReuseSources {
        analyses: AnalysisCache::new([stores, other, shared_stores], &options.settings, model, is_shared),
        cache,
        files,
    })
}

/// The summaries of the previous generation, which unchanged chunks keep. They are an input, not a cache, so
/// `--no-reuse` keeps them as well.
///
/// # Errors
/// The generation says that it has summaries, but they cannot be read. Building without them would lose what was paid
/// for.
pub(super) fn previous_summaries(options: &BuildOptions, previous: Option<&Generation>) -> anyhow::Result<Summaries> {
    match previous {
        Some(previous) if !options.without_summaries => Summaries::of_generation(previous)
            .context("the summaries of the previous index cannot be read; --no-summaries builds without them"),
        _ => Ok(Summaries::default()),
    }
}
