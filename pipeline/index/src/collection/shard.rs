//! Runs one shard: builds its sources and uploads their packs, or analyses a part of one. It may run twice, or on two
//! machines at once: it writes only names that the plan chooses, and what was uploaded before is not made again.

use std::path::PathBuf;

use anyhow::{Context, bail};
use serde_json::json;
use sextant_sync::collection::{AnalyzedPart, Collection, Failure, Member, ShardReport, add_to_report, read_report};
use sextant_sync::pack::Profile;
use sextant_sync::registry::escape_branch;
use sextant_sync::remote::Bucket;

use super::git;
use super::plan::{Plan, PlannedSource};
use super::{analyses, member};
use crate::build::BuildOptions;
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

/// What all sources of a shard share.
pub(super) struct Job<'a> {
    pub(super) plan: &'a Plan,
    /// The number of the shard.
    pub(super) number: usize,
    pub(super) bucket: Bucket,
    /// The members of the collection that is there.
    pub(super) published: Vec<Member>,
    pub(super) options: &'a ShardOptions,
    pub(super) progress: &'a Progress,
}

/// What became of a source.
enum Done {
    /// It is built; also the number of files whose analysis was reused.
    Member(Box<Member>, u64),
    /// A part of it is analysed.
    Part(AnalyzedPart),
}

impl Job<'_> {
    /// The folder of a kind for a source.
    pub(super) fn folder(&self, kind: &str, name: &str) -> PathBuf {
        self.options.work.join(kind).join(escape_branch(name))
    }

    /// The member of the collection before.
    pub(super) fn older(&self, source: &PlannedSource) -> Option<&Member> {
        self.published.iter().find(|member| member.name == source.name)
    }

    /// Checks a source out and returns the folder.
    pub(super) fn check_out(&self, source: &PlannedSource) -> anyhow::Result<PathBuf> {
        let Some(commit) = &source.commit else { return Ok(PathBuf::from(&source.from)) };
        self.progress.stage("fetch", None);
        let folder = self.folder("checkouts", &source.name);
        git::check_out(&source.from, commit, &folder)?;
        Ok(folder)
    }
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
    let published = Collection::read(&bucket)?.map(|found| found.members).unwrap_or_default();
    fs_err::create_dir_all(&options.work)?;
    let job = Job { plan, number, bucket, published, options, progress };
    for name in &shard.sources {
        let is_done = match shard.part {
            None => before.members.iter().any(|member| member.name == *name),
            Some(part) => before.parts.iter().any(|done| done.name == *name && done.part == part.number),
        };
        if is_done {
            progress.line(&format!("{name} was built before"));
            continue;
        }
        let source = plan.source(name).with_context(|| format!("the plan has no source '{name}'"))?;
        let mut report = ShardReport { plan: plan.id.clone(), shard: number, ..ShardReport::default() };
        let done = match shard.part {
            None => member::build_member(&job, source).map(|(member, reused)| Done::Member(Box::new(member), reused)),
            Some(part) => analyses::analyze(&job, source, part).map(Done::Part),
        };
        match done {
            Ok(Done::Member(member, reused)) => {
                progress.event(|| json!({"type": "member", "member": member, "reused_files": reused}));
                progress.line(&format!("{name}: {} files, pack of {} bytes", member.files, member.bytes));
                report.members.push(*member);
            }
            Ok(Done::Part(part)) => {
                progress.event(|| json!({"type": "part", "part": part}));
                progress.line(&format!("{name}: {} files of part {} are analysed", part.files, part.part));
                report.parts.push(part);
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
        add_to_report(&job.bucket, &report)?;
    }
    Ok(read_report(&job.bucket, &plan.id, number)?.unwrap_or_default())
}
