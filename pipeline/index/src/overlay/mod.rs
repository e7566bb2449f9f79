//! Builds an overlay: an index of a checkout with local edits. It finds files that differ from the base index by size
//! and time, then by content, and reuses the rest from the base index.
//!
//! An overlay is a complete index in the user's cache, in one folder for each base index and its checkouts. If no file
//! differs, there is no overlay and the base index answers. This module must not know how an index is searched.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use sextant_format::generation::{CURRENT, Generation, part};
use sextant_format::manifest::Manifest;
use sextant_format::publish::STAMPS;

use crate::ReuseOptions;
use crate::build::{self, BuildOptions, PublishedBuild, build, repositories, without_output};
use crate::build_config::BuildConfig;
use crate::changes::{Changes, Paths, paths_in_index};
use crate::embed::{self, ModelChoice};
use crate::history::HistoryChoice;
use crate::interrupt;
use crate::memory::MemoryBudget;
use crate::progress::Progress;
use crate::servers::{ServerOptions, answers_below};
use crate::stat_cache::StatCache;
use crate::walk::{self, Repository};

/// Overlays that were not used for this long are removed.
const MAX_UNUSED_AGE: std::time::Duration = std::time::Duration::from_secs(30 * 24 * 3600);
/// Size limit of the analysis cache that all overlays share, in bytes.
const MAX_CACHE_BYTES: u64 = 4 << 30;
/// An overlay has no LanceDB table, so there is nothing to index approximately.
const NO_APPROXIMATE_INDEX: u64 = u64::MAX;

/// The options of an overlay.
#[derive(Clone, Debug)]
pub(crate) struct OverlayOptions {
    /// The folder of the base index.
    pub(crate) index: PathBuf,
    /// Checkouts of its repositories, each `PATH` or `NAME=PATH`.
    pub(crate) checkouts: Vec<String>,
    /// The cache folder for overlays.
    pub(crate) cache: PathBuf,
    /// The folder of the encoder, for an index that does not contain it.
    pub(crate) encoder: Option<PathBuf>,
    /// Number of worker threads, at least 1.
    pub(crate) threads: usize,
}

/// The index of a checkout: an overlay, or the base index if nothing differs.
#[derive(Debug)]
pub(crate) struct OverlayIndex {
    /// Its index folder.
    pub(crate) index: PathBuf,
    /// Its content id, in hexadecimal digits.
    pub(crate) content_id: String,
    /// Its differences from the base index.
    pub(crate) changes: Changes,
    /// The result of the build; none if the index existed already.
    pub(crate) built: Option<PublishedBuild>,
}

/// Brings the overlay of an index up to date.
///
/// # Errors
/// The index does not record its settings, a repository has no checkout, the cache or the encoder cannot be used, the
/// user interrupted it, or the build fails.
pub(crate) fn overlay(options: &OverlayOptions, progress: &Progress) -> anyhow::Result<OverlayIndex> {
    let base = Generation::open(&options.index)?;
    let mut config = BuildConfig::of_generation(&base)?;
    if std::mem::take(&mut config.scip) {
        progress
            .line("the index has imported SCIP data, which does not cover local edits: edges are resolved without it");
    }
    let paths = match_checkouts(base.manifest(), &options.checkouts)?;
    let repositories = repositories(&paths)?;
    let names: Vec<String> = repositories.iter().map(|repository| repository.name.clone()).collect();
    let folder = OverlayFolder::open(&options.cache, &options.index, &repositories)?;

    progress.stage("compare", None);
    let selection = config.selection()?;
    let (sources, skipped_paths) = walk::walk(&repositories, &selection, options.threads, &interrupt::requested);
    let sources = without_output(without_output(sources, &options.index), &folder.index());
    let max_bytes = config.settings.max_file_bytes;
    let stat_cache = StatCache::read(&folder.stat_cache_path(), &repositories, max_bytes);
    let (found, stat_cache) = stat_cache.scan(&names, &sources, &skipped_paths, interrupt::requested);
    interrupt::check()?;
    folder.write_atomically(&folder.stat_cache_path(), &stat_cache.to_bytes()?)?;

    let before = paths_in_index(&base)?;
    let changes = Changes::between(&before, &found);
    let up_to_date = |index: PathBuf, generation: &Generation, changes| {
        Ok(OverlayIndex { index, content_id: generation.manifest().content_id.clone(), changes, built: None })
    };
    if changes == Changes::default() {
        return up_to_date(options.index.clone(), &base, changes);
    }
    if let Some(current) = folder.current(base.manifest(), &config, &found) {
        return up_to_date(folder.index(), &current, changes);
    }
    let built = build(
        &BuildOptions {
            paths,
            output: folder.index(),
            model: encoder_choice(&base, options.encoder.as_deref())?,
            model_by_reference: false,
            without_vector_table: true,
            ann_threshold: NO_APPROXIMATE_INDEX,
            threads: options.threads,
            memory: MemoryBudget::default(),
            include: config.include,
            exclude: config.exclude,
            respect_gitignore: config.respect_gitignore,
            without_summaries: false,
            history: HistoryChoice::Index(options.index.clone()),
            servers: ServerOptions { base: Some(options.index.clone()), ..ServerOptions::default() },
            scip: Vec::new(),
            settings: config.settings,
            reuse: ReuseOptions {
                base: Some(options.index.clone()),
                cache: Some(options.cache.join("facts")),
                max_cache_bytes: MAX_CACHE_BYTES,
                stores: Vec::new(),
                disabled: false,
            },
        },
        progress,
    )?;
    Ok(OverlayIndex { index: folder.index(), content_id: built.content_id.clone(), changes, built: Some(built) })
}

/// Returns the checkouts as `NAME=PATH`, in the order of the index's repositories. If there is one repository and one
/// checkout, their names may differ.
fn match_checkouts(base: &Manifest, checkouts: &[String]) -> anyhow::Result<Vec<String>> {
    let names: Vec<&str> = base.repositories.iter().map(|repository| repository.name.as_str()).collect();
    let mut given: Vec<Repository> = match (checkouts, names.as_slice()) {
        ([only], [name]) if build::parse_named_path(only).0.is_none() => repositories(&[format!("{name}={only}")])?,
        _ => repositories(checkouts)?,
    };
    let mut paths = Vec::with_capacity(names.len());
    for name in names {
        let Some(at) = given.iter().position(|repository| repository.name == name) else {
            bail!("the index contains '{name}', which needs a checkout; name it with {name}=PATH");
        };
        paths.push(format!("{name}={}", given.swap_remove(at).root.display()));
    }
    match given.first() {
        Some(other) => bail!("the index contains no repository '{}'", other.name),
        None => Ok(paths),
    }
}

/// Returns the encoder of the base index: the one it contains, the built-in one if it has the same hash, or the folder
/// `given`. With any other encoder, or none, answers would differ from those of a rebuilt index.
pub(crate) fn encoder_choice(base: &Generation, given: Option<&Path>) -> anyhow::Result<ModelChoice> {
    let Some(info) = &base.manifest().model else { return Ok(ModelChoice::None) };
    if info.by_reference && given.is_none() {
        let scratch = tempfile::tempdir()?;
        let own = embed::load(&ModelChoice::Static, scratch.path())?;
        if own.is_some_and(|own| own.info.hash == info.hash) {
            return Ok(ModelChoice::Static);
        }
    }
    // Fails if the given encoder is wrong, or if one is needed and none is given.
    sextant_encoder::EncoderDir::of_generation(base, given)?;
    Ok(ModelChoice::Dir(given.map_or_else(|| base.path(part::MODEL), Path::to_owned)))
}

/// The folder of one overlay, locked by this process.
struct OverlayFolder {
    root: PathBuf,
    _lock: std::fs::File,
}

impl OverlayFolder {
    /// Opens and locks the folder for a base index and its checkouts, waiting for other processes that update it. Also
    /// removes unused overlays.
    fn open(cache: &Path, index: &Path, repositories: &[Repository]) -> anyhow::Result<Self> {
        let overlays = cache.join("overlays");
        let mut hasher = blake3::Hasher::new();
        hasher.update(fs_err::canonicalize(index)?.as_os_str().as_encoded_bytes());
        for Repository { name, root } in repositories {
            hasher.update(&[0]).update(name.as_bytes()).update(&[0]).update(root.as_os_str().as_encoded_bytes());
        }
        let root = overlays.join(&hasher.finalize().to_hex()[..16]);
        fs_err::create_dir_all(&root).with_context(|| format!("the cache {} cannot be used", cache.display()))?;
        let lock = fs_err::File::create(root.join("lock"))?.into_parts().0;
        lock.lock()?;
        let folder = Self { root, _lock: lock };
        folder.remove_unused(&overlays);
        Ok(folder)
    }

    /// The index folder.
    fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// The file of the stat cache: that of the index, so that a build does not read again what was just compared.
    fn stat_cache_path(&self) -> PathBuf {
        self.index().join(STAMPS)
    }

    /// Writes a file atomically.
    fn write_atomically(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        fs_err::create_dir_all(self.index())?;
        let temporary = tempfile::NamedTempFile::new_in(&self.root)?.into_temp_path();
        fs_err::write(&temporary, bytes)?;
        temporary.persist(path).with_context(|| format!("{} cannot be written", path.display()))
    }

    /// Returns the existing overlay if it has the settings and the encoder of the base index and contains exactly the
    /// state `found`.
    fn current(&self, base: &Manifest, config: &BuildConfig, found: &Paths) -> Option<Generation> {
        self.index().join(CURRENT).exists().then_some(())?;
        let current = Generation::open(&self.index()).ok()?;
        let has = current.manifest();
        let is_compatible = has.feature_version == base.feature_version
            && has.settings == config.to_json()
            && has.server_answers == answers_below(base)
            && has.model.as_ref().map(|model| &model.hash) == base.model.as_ref().map(|model| &model.hash)
            && paths_in_index(&current).is_ok_and(|indexed| indexed == *found);
        is_compatible.then_some(current)
    }

    /// Removes overlays that were not used for [`MAX_UNUSED_AGE`]. Every use writes the stat cache, so its time is that
    /// of the last use.
    fn remove_unused(&self, overlays: &Path) {
        for entry in fs_err::read_dir(overlays).into_iter().flatten().filter_map(Result::ok) {
            let stamps = entry.path().join("index").join(STAMPS);
            let used = fs_err::metadata(stamps).or_else(|_| entry.metadata()).and_then(|found| found.modified());
            let age = used.ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
            if age > MAX_UNUSED_AGE && entry.path() != self.root {
                // Another process may have removed it, or may use it again.
                drop(fs_err::remove_dir_all(entry.path()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkouts_are_matched_to_repositories() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| {
            let path = dir.path().join(name);
            fs_err::create_dir_all(&path).unwrap();
            fs_err::canonicalize(path).unwrap().display().to_string()
        };
        let manifest = |names: &[&str]| {
            let repository = |name: &&str| sextant_format::manifest::Repository {
                name: (*name).to_owned(),
                commit: None,
                tree_hash: String::new(),
                rows_hash: String::new(),
                packages: Vec::new(),
                history: None,
            };
            Manifest { repositories: names.iter().map(repository).collect(), ..Manifest::default() }
        };
        let (here, ui) = (path("here"), path("ui"));
        let one = |checkouts: &[String]| {
            match_checkouts(&manifest(&["server"]), checkouts).map_err(|error| error.to_string())
        };
        assert_eq!(one(std::slice::from_ref(&here)).unwrap(), [format!("server={here}")]);
        assert_eq!(one(&[format!("server={here}")]).unwrap(), [format!("server={here}")]);
        assert!(one(&[format!("client={here}")]).unwrap_err().contains("server=PATH"));
        let two =
            |checkouts: &[String]| match_checkouts(&manifest(&["server", "ui"]), checkouts).map_err(|e| e.to_string());
        let given = [ui.clone(), format!("server={here}")];
        assert_eq!(two(&given).unwrap(), [format!("server={here}"), format!("ui={ui}")]);
        assert!(two(std::slice::from_ref(&ui)).unwrap_err().contains("server=PATH"));
        let error = two(&[ui, format!("server={here}"), format!("more={here}")]).unwrap_err();
        assert!(error.contains("no repository 'more'"), "{error}");
    }
}
