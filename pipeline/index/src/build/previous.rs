//! Opens what a build reuses from earlier builds, before any file is read.

use anyhow::Context;
use sextant_format::generation::Generation;
use sextant_writer::PreviousGeneration;

use super::options::BuildOptions;
use crate::changes::{Changes, Paths, paths_in_index};
use crate::embed::Model;
use crate::reuse::{AnalysisCache, IndexCache, IndexCacheFiles, ReuseOptions, SharedCache, incompatibilities};
use crate::summaries::Summaries;

/// Rows and text index are rewritten if more than one file in so many was changed or removed.
pub(super) const MAX_STALE_ONE_IN: usize = 5;

/// Opens a row-compatible generation for reuse; none if too many files differ, or its vectors are not those of `model`.
/// Rows and documents of files that differ stay in its segments. `indexed` is the state of the generation's paths if it is known;
/// otherwise it is read. A failure is appended to `miss_reasons`.
pub(super) fn previous_rows(
    previous: &Generation,
    indexed: Option<&Paths>,
    found: &Paths,
    model: Option<&str>,
    miss_reasons: &mut Vec<String>,
) -> Option<PreviousGeneration> {
    let open = || {
        let changes = match indexed {
            Some(indexed) => Changes::between(indexed, found),
            None => Changes::between(&paths_in_index(previous)?, found),
        };
        let stale = changes.changed.len() + changes.removed.len();
        if stale * MAX_STALE_ONE_IN > found.len() { Ok(None) } else { PreviousGeneration::open(previous) }
    };
    let opened = open().map_err(|error: sextant_writer::Error| miss_reasons.push(error.to_string())).ok().flatten();
    opened.filter(|previous| previous.has_model(model))
}

/// Caches of earlier builds, and the shared cache that receives the results of this build.
pub(super) struct ReuseSources {
    pub(super) analyses: AnalysisCache,
    pub(super) cache: Option<SharedCache>,
    pub(super) files: IndexCacheFiles,
}

/// Returns the generation to reuse: that of the index in the options, else the current one of the output. If it
/// cannot be opened, the reason is appended to `miss_reasons`.
pub(super) fn reusable_generation(
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

/// Opens the caches: the part `facts` of the previous generation, and the shared cache in the options.
///
/// # Errors
/// The shared cache cannot be used. Damage of the previous generation is appended to `miss_reasons` instead.
pub(super) fn open_reuse_sources(
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
