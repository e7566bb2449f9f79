//! The inputs of a build: what the manifest records of them, and whether an earlier generation had the same inputs.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashSet;
use sextant_encoder::MODEL_JSON;
use sextant_format::generation::{Generation, part};
use sextant_format::manifest::{Enrichment, HistoryInfo, Manifest, ModelInfo, Repository, Tool};
use sextant_format::publish::LockedIndex;
use sextant_format::tables::{Row as _, SkippedRow, TableReader};
use sextant_format::version::{FEATURE_VERSION, FORMAT_VERSION};
use sextant_resolve::scip::ScipIndexes;
use sextant_sync::pack::Profile;

use super::options::BuildOptions;
use super::previous::Start;
use super::report::{PublishedBuild, unexpected_skips};
use super::timer::StageTimer;
use crate::build_config::BuildConfig;
use crate::changes::Changes;
use crate::embed::Model;
use crate::git::head_commit;
use crate::history::{self, HistoryTask};
use crate::interrupt;
use crate::model::Source;
use crate::process::WorkerStats;
use crate::progress::Progress;
use crate::reuse::ReuseCounts;
use crate::servers::kept_answers;
use crate::walk;
use crate::write::{Counts, WrittenTables};

/// The inputs of a build, except for the files.
pub(super) struct BuildInputs<'a> {
    pub(super) options: &'a BuildOptions,
    pub(super) repositories: &'a [walk::Repository],
    pub(super) scip: &'a ScipIndexes,
    pub(super) model: Option<&'a Model>,
    /// The digest of the macros that were learnt from the files; none before.
    pub(super) macros_digest: Option<String>,
}

impl BuildInputs<'_> {
    /// The manifest of the written tables; `enrichment` names the model of the summaries.
    pub(super) fn manifest(
        &self,
        written: &WrittenTables,
        enrichment: Option<&Enrichment>,
        server_answers: BTreeMap<String, String>,
        histories: Vec<Option<HistoryInfo>>,
    ) -> Manifest {
        let mut manifest = Manifest {
            format_version: FORMAT_VERSION,
            feature_version: FEATURE_VERSION,
            reader_features: written.reader_features.clone(),
            tool: Tool { name: "sextant-index".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            repositories: self
                .repositories
                .iter()
                .zip(&written.packages)
                .zip(histories)
                .map(|((repository, packages), history)| Repository {
                    name: repository.name.clone(),
                    commit: head_commit(&repository.root),
                    tree_hash: String::new(),
                    rows_hash: String::new(),
                    packages: packages.clone(),
                    history,
                })
                .collect(),
            config_hash: self.config_hash(),
            settings: self.config().to_json(),
            model: self.model_info(),
            macros: self.macros_digest.clone(),
            enrichment: enrichment
                .filter(|_| written.counts.summaries > 0)
                .map(|enrichment| Enrichment { summaries: written.counts.summaries, ..enrichment.clone() }),
            server_answers,
            ..Manifest::default()
        };
        written.rows.describe(&mut manifest);
        manifest
    }

    pub(super) fn config(&self) -> BuildConfig {
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

    /// Returns the hash of everything that decides the rows, except for the files and the encoder.
    pub(super) fn config_hash(&self) -> String {
        let scip = self.options.scip.iter().zip(&self.scip.digests);
        self.config().hash(scip.map(|(source, digest)| (source.prefix.as_str(), digest))).to_hex()
    }

    pub(super) fn model_info(&self) -> Option<ModelInfo> {
        let by_reference = self.options.model_by_reference;
        self.model.map(|model| ModelInfo { by_reference, ..model.info.clone() })
    }

    /// Whether a generation has the inputs of this build, except for the files.
    pub(super) fn has_same_configuration(&self, generation: &Generation) -> bool {
        let manifest = generation.manifest();
        let has_index = generation.path(part::LANCE).join("_indices").exists();
        let names = manifest.repositories.iter().map(|repository| &repository.name);
        (manifest.format_version, manifest.feature_version) == (FORMAT_VERSION, FEATURE_VERSION)
            && names.eq(self.repositories.iter().map(|repository| &repository.name))
            && manifest.config_hash == self.config_hash()
            && manifest.model == self.model_info()
            && manifest.settings == self.config().to_json()
            && (manifest.enrichment.is_none() || !self.options.without_summaries)
            && kept_answers(&self.options.output, self.repositories, &self.options.servers)
                .is_ok_and(|kept| kept == manifest.server_answers)
            && manifest.server_answers.values().all(|digest| !digest.is_empty())
            && (self.options.without_vector_table
                || has_index == (self.model.is_some() && manifest.rows("vectors") >= self.options.ann_threshold)
                    && Profile::of(generation) == Profile::Full)
    }

    /// Whether a file that is unchanged since this generation has the same rows in this build, except for edges, vectors,
    /// and what macros of other files change.
    pub(super) fn is_row_compatible(&self, generation: &Generation) -> bool {
        let manifest = generation.manifest();
        (manifest.format_version, manifest.feature_version) == (FORMAT_VERSION, FEATURE_VERSION)
            && manifest.config_hash == self.config_hash()
    }

    /// Keeps a generation whose files are unchanged. If a checkout is at another commit now, or the generation is of
    /// the base index, publishes the same files with a manifest that records the commit, and with the history of that
    /// commit. `sources` are the files.
    pub(super) fn republish_unchanged(
        &self,
        same: &Start,
        sources: &[Source],
        target: &LockedIndex,
        staging: tempfile::TempDir,
        mut timer: StageTimer,
        progress: &Progress,
    ) -> anyhow::Result<PublishedBuild> {
        let generation = &same.generation;
        let mut manifest = generation.manifest().clone();
        for (recorded, repository) in manifest.repositories.iter_mut().zip(self.repositories) {
            recorded.commit = head_commit(&repository.root);
        }
        let mut replaced: &[&str] = &[];
        if !history::is_current(&manifest, self.repositories, &self.options.history) {
            timer.begin("history");
            let skipped = skipped_paths(generation, self.repositories)?;
            let choice = &self.options.history;
            let histories = HistoryTask::start(self.repositories, sources, Some(generation), choice)?.finish();
            let names: Vec<String> = manifest.repositories.iter().map(|recorded| recorded.name.clone()).collect();
            interrupt::check()?;
            histories.notes.iter().for_each(|note| progress.line(note));
            let infos = histories.write(staging.path(), &names, &skipped)?;
            manifest.repositories.iter_mut().zip(infos).for_each(|(recorded, info)| recorded.history = info);
            replaced = &[part::HISTORY, part::KNOWN_CHANGES];
        }
        let name = if manifest == *generation.manifest() && !same.is_base {
            // A build that was killed after publishing may have left some behind.
            target.remove_old_generations(generation.name())?;
            generation.name().to_owned()
        } else {
            timer.begin("publish");
            fs_err::remove_dir_all(staging.path().join(part::MODEL)).or_else(ignore_absent)?;
            target.republish(staging, generation, manifest.clone(), replaced)?
        };
        timer.end();
        let counts = Counts::of_generation(generation)?;
        let hits = (counts.files, if self.model.is_some() { counts.files } else { 0 });
        let (unchanged, from_base) = (!same.is_base, same.is_base);
        let reuse = ReuseCounts { analyses: hits.0, vectors: hits.1, unchanged, from_base, miss_reasons: Vec::new() };
        Ok(PublishedBuild {
            generation: name,
            content_id: manifest.content_id,
            unexpected_skips: unexpected_skips(&counts),
            counts,
            stages: timer.stages,
            worker_stats: WorkerStats::default(),
            reuse,
            changes: unchanged.then(Changes::default),
            server_answers: BTreeMap::new(),
        })
    }
}

/// The files of a generation that were skipped, with the numbers of their repositories.
fn skipped_paths(
    generation: &Generation,
    repositories: &[walk::Repository],
) -> anyhow::Result<FxHashSet<(u32, String)>> {
    let numbers: BTreeMap<&str, u32> =
        repositories.iter().map(|repository| repository.name.as_str()).zip(0..).collect();
    let rows = TableReader::<SkippedRow>::read_all(&generation.table(SkippedRow::TABLE))?;
    Ok(rows.into_iter().filter_map(|row| Some((*numbers.get(row.repo.as_str())?, row.path))).collect())
}

pub(super) fn copy_model(model: &Model, to: &Path) -> anyhow::Result<()> {
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

pub(super) fn ignore_absent(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}
