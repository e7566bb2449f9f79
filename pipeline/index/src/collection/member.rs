//! Builds a source of a shard and uploads its pack and its vocabulary.

use std::path::{Path, PathBuf};

use sextant_format::generation::Generation;
use sextant_sync::collection::{Member, pack_file, read_report, repository_of, vocabulary_file};
use sextant_sync::pack::{Profile, limit};
use sextant_sync::pull::{PullOptions, Reporter, pull};
use sextant_sync::registry::escape_branch;
use sextant_sync::remote::Bucket;

use super::analyses;
use super::job::Job;
use super::plan::PlannedSource;
use super::vocabulary::vocabulary;
use crate::build::build;
use crate::pack::{PackSettings, pack_generation};

struct Silent;

impl Reporter for Silent {
    fn stage(&self, _: &'static str, _: Option<u64>) {}
    fn step(&self, _: u64) {}
}

/// Builds a source and uploads its pack. Also returns the number of files whose analysis was reused.
///
/// # Errors
/// The source cannot be fetched or built, or the location cannot be written.
pub(super) fn build_member(job: &Job<'_>, source: &PlannedSource) -> anyhow::Result<(Member, u64)> {
    let Job { plan, number, bucket, options, progress, .. } = job;
    let checkout = job.check_out(source)?;
    let index = job.folder("indexes", &source.name);
    fs_err::create_dir_all(&index)?;
    let has_index = index.join("CURRENT").exists();
    if let Some(older) = job.older(source).filter(|_| options.profile == Profile::Full && !has_index) {
        progress.stage("restore", None);
        if let Err(error) = restore(bucket, older, &index) {
            progress.line(&format!("{}: the older index is not reused: {error}", source.name));
        }
    }
    let (parts, stores) = analyses::fetch(job, source)?;
    let mut build_options = job.options_of(source, &checkout);
    build_options.reuse.stores = stores;
    build_options.reuse.base = built_state(job, source);
    let reused = build(&build_options, progress)?.reuse.analyses;
    drop(parts);
    let generation = Generation::open(&index)?;
    let file = options.work.join("packs").join(format!("{}.sxt", escape_branch(&source.name)));
    fs_err::create_dir_all(file.parent().unwrap_or_else(|| Path::new(".")))?;
    progress.stage("pack", None);
    let settings = PackSettings { profile: options.profile, level: options.level, base: None };
    let packed = pack_generation(&generation, &file, settings, |_| Ok(None), |_| {})?;
    let words = file.with_extension("words");
    let (found, languages) = vocabulary(&generation)?;
    let described = found.write(&words, vocabulary_file(&plan.id, &source.name))?;
    // Another machine may have been faster; a pack that may be listed already is not replaced.
    let reports = read_report(bucket, &plan.id, *number)?;
    if let Some(theirs) = reports.and_then(|report| report.members.into_iter().find(|m| m.name == source.name)) {
        fs_err::remove_file(&file)?;
        fs_err::remove_file(&words)?;
        return Ok((theirs, reused));
    }
    progress.stage("upload", None);
    let name = pack_file(&plan.id, &source.name);
    bucket.upload(&name, &file, |_| {})?;
    bucket.upload(&described.path, &words, |_| {})?;
    fs_err::remove_file(&file)?;
    fs_err::remove_file(&words)?;
    let member = Member::new(&source.name, name, packed.bytes, options.profile, generation.manifest());
    Ok((Member { languages, vocabulary: Some(described), ..member }, reused))
}

/// The index of another state of the same repository that this shard, or one before on this machine, has built.
fn built_state(job: &Job<'_>, source: &PlannedSource) -> Option<PathBuf> {
    let is_other = |other: &&PlannedSource| {
        other.name != source.name
            && other.from == source.from
            && repository_of(&other.name) == repository_of(&source.name)
    };
    let others = job.plan.sources.iter().filter(is_other);
    others.map(|other| job.folder("indexes", &other.name)).find(|index| index.join("CURRENT").exists())
}

/// Pulls the pack of an earlier collection, so that only what has changed is analysed.
fn restore(bucket: &Bucket, older: &Member, index: &Path) -> sextant_sync::Result<()> {
    let options = PullOptions {
        source: bucket.location_of(&older.pack),
        branch: None,
        commit: None,
        index: index.to_owned(),
        near: Vec::new(),
        profile: Profile::Full,
        key: None,
        parallel: 8,
        max_bytes: limit::TOTAL_BYTES,
    };
    pull(&options, &Silent).map(drop)
}
