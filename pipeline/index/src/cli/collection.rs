//! `sextant-index plan`, `shard` and `merge`: many repositories as one collection.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;
use sextant_sync::pack::Profile;

use super::build::options_of_flags;
use crate::collection::{MergeOptions, Plan, ShardOptions, Source, merge, run_shard};
use crate::interrupt;
use crate::progress::{Mode, Progress};
use sextant_diagnostics::sanitise;

/// Divide repositories among shards that can be built on many machines
///
/// A source is [NAME=]FOLDER or [NAME=]URL, with #REFERENCE for a branch, tag or commit. The plan fixes the commit of
/// each. What is only on a server is measured by its number of files. A name with an '@', such as server@1.x, is another
/// state of a repository: it is built from the first one. Of the shards, 'independent' ones come first and can run at the
/// same time; the others build what these have analysed in parts, and are faster after them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index plan ~/src/server team/ui=https://example.org/ui.git#main -o plan.json
  sextant-index plan --list repositories.txt -o plan.json
  sextant-index plan server=https://example.org/server.git server@1.x=https://example.org/server.git#release-1
  for n in $(seq 0 $(($(jq '.shards | length' plan.json) - 1))); do
    sextant-index shard plan.json $n --to s3://indexes/all
  done
  sextant-index merge plan.json --to s3://indexes/all")]
pub(super) struct PlanArgs {
    /// Sources
    #[arg(value_name = "SOURCE", required_unless_present = "list")]
    sources: Vec<String>,
    /// File with more sources, one on each line
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Plan to write
    #[arg(short, long, default_value = "plan.json", value_name = "FILE")]
    output: PathBuf,
    /// Put at most this many bytes of source into a shard; the analysis of a larger source is divided among shards that its
    /// own needs
    #[arg(long, default_value_t = 200 << 20, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    shard_bytes: u64,
    /// Analyse a large source in the shard that builds it, as is faster on one machine
    #[arg(long)]
    no_split: bool,
    /// Flag of 'build' for every source, such as --build-flag=--exclude='*.min.js' (repeatable)
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    build_flag: Vec<String>,
    /// Print a summary as JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Build one shard of a plan: fetch its sources, index them, and upload their packs
///
/// May be run again, or on two machines at once: what the location has is not built again. With the profile 'full', the
/// index of the collection before is restored, and only what has changed is analysed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index shard plan.json 3 --to s3://indexes/all
  sextant-index shard plan.json 3 --to /srv/indexes --work /scratch/sextant --cache /scratch/cache

Exit codes: 0 all sources are uploaded, 1 some failed, 2 error, 130 interrupted.")]
pub(super) struct ShardArgs {
    /// Plan
    plan: PathBuf,
    /// Number of the shard, from 0
    shard: usize,
    /// Location of the collection: a folder, or s3://BUCKET/PREFIX
    #[arg(long, value_name = "LOCATION")]
    to: String,
    /// Folder for checkouts and indexes, which later runs reuse
    #[arg(long, default_value = "sextant-work", value_name = "DIR")]
    work: PathBuf,
    /// Share analyses with other builds in this folder
    #[arg(long, value_name = "DIR", env = "SEXTANT_CACHE")]
    cache: Option<PathBuf>,
    /// Profile of the packs: 'query' is enough to search; 'overlay' adds what answers with --overlay need; 'full' also
    /// adds the LanceDB table and what later builds reuse
    #[arg(long, default_value = "full", value_name = "query|overlay|full")]
    profile: Profile,
    /// Compression level of zstd
    #[arg(long, default_value_t = 15, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
    /// Worker threads [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print events and a summary as JSON lines on standard output
    #[arg(long)]
    json: bool,
    /// Print errors only
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

/// List what the shards of a plan have built as the collection
///
/// One conditional write replaces the list, so readers see the old collection or the new one. Packs that neither needs
/// are removed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index merge plan.json --to s3://indexes/all
  sextant-index merge plan.json --to s3://indexes/all --allow-missing

Exit codes: 0 the collection is complete, 1 sources are missing and --allow-missing allows it, 2 error.")]
pub(super) struct MergeArgs {
    /// Plan
    plan: PathBuf,
    /// Location of the collection: a folder, or s3://BUCKET/PREFIX
    #[arg(long, value_name = "LOCATION")]
    to: String,
    /// List the others if sources are missing; a missing source keeps its member of the collection before
    #[arg(long)]
    allow_missing: bool,
    /// Print a summary as JSON on standard output
    #[arg(long)]
    json: bool,
}

pub(super) fn plan(args: PlanArgs) -> anyhow::Result<ExitCode> {
    interrupt::install()?;
    let mut sources = args.sources.iter().map(|text| Source::parse(text)).collect::<anyhow::Result<Vec<Source>>>()?;
    if let Some(list) = &args.list {
        sources.extend(Source::parse_list(list)?);
    }
    let max_file_bytes = options_of_flags(&args.build_flag)?.settings.max_file_bytes;
    let plan = Plan::new(sources, args.build_flag, args.shard_bytes, !args.no_split, max_file_bytes)?;
    let mut text = serde_json::to_string_pretty(&plan)?;
    text.push('\n');
    fs_err::write(&args.output, text)?;
    let bytes: u64 = plan.sources.iter().map(|source| source.bytes).sum();
    let progress = Progress::new(Mode::from_flags(args.json, false));
    progress.event(|| {
        json!({"type": "summary", "plan": plan.id, "sources": plan.sources.len(), "shards": plan.shards.len(), "independent": plan.independent(), "bytes": bytes})
    });
    progress.line(&format!(
        "{} sources in {} shards, about {:.1} MB: {}",
        plan.sources.len(),
        plan.shards.len(),
        bytes as f64 / 1e6,
        args.output.display()
    ));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn shard(args: ShardArgs) -> anyhow::Result<ExitCode> {
    interrupt::install()?;
    let plan = Plan::read(&args.plan)?;
    let progress = Progress::new(Mode::from_flags(args.json, args.quiet));
    let mut build = options_of_flags(&plan.build_flags)?;
    build.threads = args.threads.map_or(build.threads, usize::from);
    build.reuse.cache = args.cache;
    let options = ShardOptions { location: args.to, work: args.work, profile: args.profile, level: args.level, build };
    let report = run_shard(&plan, args.shard, &options, &progress);
    progress.finish();
    let report = report?;
    progress.event(|| json!({"type": "summary", "report": report}));
    for failure in &report.failed {
        let shown = format!("error: {} could not be built\n  cause: {}", failure.name, failure.reason);
        anstream::eprintln!("{}", sanitise(&shown));
    }
    let [built, parts, failed] = [report.members.len(), report.parts.len(), report.failed.len()];
    let parts = if parts > 0 { format!("{parts} part analysed, ") } else { String::new() };
    progress.line(&format!("shard {}: {built} sources uploaded, {parts}{failed} failed", args.shard));
    Ok(ExitCode::from(u8::from(!report.failed.is_empty())))
}

pub(super) fn run_merge(args: MergeArgs) -> anyhow::Result<ExitCode> {
    let plan = Plan::read(&args.plan)?;
    let merged = merge(&plan, &MergeOptions { location: args.to, allow_missing: args.allow_missing })?;
    let progress = Progress::new(Mode::from_flags(args.json, false));
    let collection = &merged.collection;
    progress.event(|| {
        json!({
            "type": "summary",
            "plan": collection.plan,
            "members": collection.members.len(),
            "missing": collection.missing,
            "kept": merged.kept,
            "failed": merged.failed,
        })
    });
    for name in &collection.missing {
        let reason = merged.failed.iter().find(|failure| failure.name == *name);
        let reason = reason.map_or("its shard has not finished", |failure| failure.reason.as_str());
        let kept = if merged.kept.contains(name) { "; the member of the collection before stays" } else { "" };
        anstream::eprintln!("{}", sanitise(&format!("warning: {name} is missing: {reason}{kept}")));
    }
    progress.line(&format!("{} members, {} missing", collection.members.len(), collection.missing.len()));
    Ok(ExitCode::from(u8::from(!collection.missing.is_empty())))
}
