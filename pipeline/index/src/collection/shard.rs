//! Runs one shard: builds its sources and uploads their packs, or analyses a part of one. It may run twice, or on two
//! machines at once: it writes only names that the plan chooses, and what was uploaded before is not made again.

use anyhow::{Context, bail};
use serde_json::json;
use sextant_sync::collection::{AnalyzedPart, Collection, Failure, Member, ShardReport, add_to_report, read_report};
use sextant_sync::remote::Bucket;

use super::job::{Job, ShardOptions};
use super::plan::Plan;
use super::{analyses, member};
use crate::interrupt::Interrupted;
use crate::progress::Progress;

/// What became of a source.
enum Done {
    /// It is built; also the number of files whose analysis was reused.
    Member(Box<Member>, u64),
    /// A part of it is analysed.
    Part(AnalyzedPart),
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
