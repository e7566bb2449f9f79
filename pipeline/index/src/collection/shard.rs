//! Builds the sources of one shard and uploads their packs. It may run twice, or on two machines at once: it writes only
//! names that the plan chooses, and what was uploaded before is not built again.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;
use sextant_format::generation::Generation;
use sextant_sync::collection::{
    Collection, Failure, Member, ShardReport, add_to_report, pack_file, read_report, vocabulary_file,
};
use sextant_sync::pack::{Profile, limit, pack};
use sextant_sync::pull::{PullOptions, Reporter, pull};
use sextant_sync::registry::escape_branch;
use sextant_sync::remote::Bucket;

use super::git;
use super::plan::{Plan, PlannedSource};
use super::vocabulary::vocabulary;
use crate::build::{BuildOptions, build};
use crate::interrupt::Interrupted;
use crate::progress::Progress;

/// The options of a shard.
pub(crate) struct ShardOptions {
    /// The location of the collection.
    pub(crate) location: String,
    /// The folder for checkouts and indexes; what an earlier run left there is reused.
    pub(crate) work: PathBuf,
    /// The profile of the packs.
    pub(crate) profile: Profile,
    /// The level of compression of the packs.
    pub(crate) level: i32,
    /// How each source is built; paths and output are set for each.
    pub(crate) build: BuildOptions,
}

struct Silent;

impl Reporter for Silent {
    fn stage(&self, _: &'static str, _: Option<u64>) {}
    fn step(&self, _: u64) {}
}

/// Runs shard `number` of a plan and returns its report. A source that fails is in the report, and the others are built.
///
/// # Errors
/// The plan has no such shard, the location cannot be used, or the user interrupted it.
pub(crate) fn run_shard(
    plan: &Plan,
    number: usize,
    options: &ShardOptions,
    progress: &Progress,
) -> anyhow::Result<ShardReport> {
    let Some(shard) = plan.shards.get(number) else {
        bail!("the plan has {} shards, numbered from 0; there is no shard {number}", plan.shards.len());
    };
    let bucket = Bucket::open(&options.location)?;
    let before = read_report(&bucket, &plan.id, number)?.unwrap_or_default();
    let published = Collection::read(&bucket)?;
    for name in &shard.sources {
        if before.members.iter().any(|member| member.name == *name) {
            progress.line(&format!("{name} was built before"));
            continue;
        }
        let source = plan.source(name).with_context(|| format!("the plan has no source '{name}'"))?;
        let older = published.iter().flat_map(|found| &found.members).find(|member| member.name == *name);
        let mut report = ShardReport { plan: plan.id.clone(), shard: number, ..ShardReport::default() };
        match build_member(plan, number, source, older, &bucket, options, progress) {
            Ok((member, reused)) => {
                progress.event(|| json!({"type": "member", "member": member, "reused_files": reused}));
                progress.line(&format!("{name}: {} files, pack of {} bytes", member.files, member.bytes));
                report.members.push(member);
            }
            Err(error) if error.is::<Interrupted>() => return Err(error),
            Err(error) => {
                let failure = Failure { name: name.clone(), reason: format!("{error:#}") };
                progress.event(|| json!({"type": "failed", "name": failure.name, "reason": failure.reason}));
                progress.line(&format!("{name} failed: {}", failure.reason));
                report.failed.push(failure);
            }
        }
        // At once, so that a shard that is killed is continued by the next attempt.
        add_to_report(&bucket, &report)?;
    }
    Ok(read_report(&bucket, &plan.id, number)?.unwrap_or_default())
}

/// Builds a source and uploads its pack. Also returns the number of files whose analysis was reused.
fn build_member(
    plan: &Plan,
    number: usize,
    source: &PlannedSource,
    older: Option<&Member>,
    bucket: &Bucket,
    options: &ShardOptions,
    progress: &Progress,
) -> anyhow::Result<(Member, u64)> {
    let folder = |kind: &str| options.work.join(kind).join(escape_branch(&source.name));
    let (checkout, index) = match &source.commit {
        Some(commit) => {
            progress.stage("fetch", None);
            git::check_out(&source.from, commit, &folder("checkouts"))?;
            (folder("checkouts"), folder("indexes"))
        }
        None => (PathBuf::from(&source.from), folder("indexes")),
    };
    fs_err::create_dir_all(&index)?;
    if let Some(older) = older.filter(|_| options.profile == Profile::Full && !index.join("CURRENT").exists()) {
        progress.stage("restore", None);
        if let Err(error) = restore(bucket, older, &index) {
            progress.line(&format!("{}: the older index is not reused: {error}", source.name));
        }
    }
    // In the index, a repository has the last part of the member's name: '/' begins a path there.
    let repository = source.name.rsplit('/').next().unwrap_or(&source.name);
    let build_options = BuildOptions {
        paths: vec![format!("{repository}={}", checkout.display())],
        output: index.clone(),
        ..options.build.clone()
    };
    let reused = build(&build_options, progress)?.reuse.analyses;
    let generation = Generation::open(&index)?;
    let file = options.work.join("packs").join(format!("{}.sxt", escape_branch(&source.name)));
    fs_err::create_dir_all(file.parent().unwrap_or_else(|| Path::new(".")))?;
    progress.stage("pack", None);
    let packed = pack(&generation, &file, options.profile, options.level, None, |_| Ok(None), |_| {})?;
    let words = file.with_extension("words");
    let (found, languages) = vocabulary(&generation)?;
    let described = found.write(&words, vocabulary_file(&plan.id, &source.name))?;
    // Another machine may have been faster; a pack that may be listed already is not replaced.
    let reports = read_report(bucket, &plan.id, number)?;
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

/// Pulls the pack of an earlier collection, so that only what has changed is analysed.
fn restore(bucket: &Bucket, older: &Member, index: &Path) -> sextant_sync::Result<()> {
    let options = PullOptions {
        source: bucket.location_of(&older.pack),
        branch: None,
        commit: None,
        index: index.to_owned(),
        profile: Profile::Full,
        key: None,
        parallel: 8,
        max_bytes: limit::TOTAL_BYTES,
    };
    pull(&options, &Silent).map(drop)
}
