//! Lists what the shards of a plan have built as one collection.

use anyhow::bail;
use sextant_sync::collection::{Collection, Failure, Member, part_file, read_report, replace};
use sextant_sync::remote::Bucket;

use super::plan::Plan;

/// The options of a merge.
pub(crate) struct MergeOptions {
    /// The location of the collection.
    pub(crate) location: String,
    /// Whether sources may be missing; they keep the member of the collection before, if it has one.
    pub(crate) allow_missing: bool,
}

/// The result of a merge.
pub(crate) struct Merged {
    pub(crate) collection: Collection,
    /// Why sources are missing, as far as a shard has said so.
    pub(crate) failed: Vec<Failure>,
    /// Missing sources that keep the member of an earlier plan.
    pub(crate) kept: Vec<String>,
}

/// Replaces the collection's list by that of a plan.
///
/// # Errors
/// The location cannot be used, or sources are missing that must not be. The list then stays as it was.
pub(crate) fn merge(plan: &Plan, options: &MergeOptions) -> anyhow::Result<Merged> {
    let bucket = Bucket::open(&options.location)?;
    let mut built: Vec<Member> = Vec::new();
    let mut failed = Vec::new();
    for (number, shard) in plan.shards.iter().enumerate() {
        // What a shard of a part has failed at, the shard that builds the source has done itself.
        if shard.part.is_some() {
            continue;
        }
        let report = read_report(&bucket, &plan.id, number)?.unwrap_or_default();
        let is_planned = |name: &String| shard.sources.contains(name);
        built.extend(report.members.into_iter().filter(|member| is_planned(&member.name)));
        failed.extend(report.failed.into_iter().filter(|failure| is_planned(&failure.name)));
    }
    let is_missing = |name: &&String| built.iter().all(|member| member.name != **name);
    let missing: Vec<String> = plan.sources.iter().map(|source| &source.name).filter(is_missing).cloned().collect();
    if !missing.is_empty() && !options.allow_missing {
        let reason = |name: &String| {
            let failure = failed.iter().find(|failure| failure.name == *name);
            let reason = failure.map_or("its shard has not finished", |failure| failure.reason.as_str());
            format!("\n  {name}: {reason}")
        };
        let reasons: String = missing.iter().map(reason).collect();
        bail!(
            "{} of {} sources are missing; --allow-missing merges the others{reasons}",
            missing.len(),
            plan.sources.len()
        );
    }
    let mut kept = Vec::new();
    let collection = replace(&bucket, |found| {
        let before = found.iter().flat_map(|found| &found.members).filter(|member| missing.contains(&member.name));
        let mut members: Vec<Member> = built.iter().chain(before.clone()).cloned().collect();
        members.sort_by(|a, b| a.name.cmp(&b.name));
        kept = before.map(|member| member.name.clone()).collect();
        Collection { plan: plan.id.clone(), members, missing: missing.clone(), ..Collection::default() }
    })?;
    remove_analyses(plan, &missing, &bucket)?;
    Ok(Merged { collection, failed, kept })
}

/// Removes the analyses of parts of what is built: they have served their purpose.
fn remove_analyses(plan: &Plan, missing: &[String], bucket: &Bucket) -> anyhow::Result<()> {
    let parts = plan.shards.iter().filter_map(|shard| Some((shard.sources.first()?, shard.part?)));
    for (name, part) in parts.filter(|(name, _)| !missing.contains(name)) {
        bucket.remove(&part_file(&plan.id, name, part.number))?;
    }
    Ok(())
}
