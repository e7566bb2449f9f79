//! `sextant-index publish`: a pack to where others pull from.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::progress::{Mode, Progress};
use sextant_sync::publish::publish;

/// Publish a pack to a folder or an object store, as the latest of a branch.
///
/// The pack is there before the branch's pointer names it, the pointer is replaced by a conditional write, and older
/// packs go afterwards: whoever pulls finds the old state or the new one. Where the latest pack has the same content
/// nothing is done.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index publish server.sxt s3://indexes/server --branch main --keep 14
  sextant-index publish server.sxt /srv/www/indexes

Object stores are found and asked by the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
AWS_ENDPOINT. The store must honour conditional writes (If-Match, If-None-Match).")]
pub(super) struct Publish {
    /// The pack
    pack: PathBuf,
    /// Where to: a folder, or s3://BUCKET/PREFIX
    location: String,
    /// The branch
    #[arg(long, default_value = "main", value_name = "NAME")]
    branch: String,
    /// Packs of the branch that stay
    #[arg(long, default_value_t = 14, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    keep: u16,
    /// Print a summary as JSON on standard output
    #[arg(long)]
    json: bool,
    /// Print errors only
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

pub(super) fn run(args: &Publish) -> anyhow::Result<ExitCode> {
    let progress = Progress::new(Mode::from_flags(args.json, args.quiet));
    progress.stage("publish", None);
    let published = publish(&args.pack, &args.location, &args.branch, usize::from(args.keep), |_| progress.step());
    progress.finish();
    let published = published?;
    progress.event(|| {
        json!({
            "type": "summary",
            "branch": args.branch,
            "already_latest": published.already_latest,
            "entry": published.entry,
            "removed": published.removed,
        })
    });
    progress.line(&if published.already_latest {
        format!("{} has this content already: {}", args.branch, published.entry.pack)
    } else {
        format!("{} is {} now; {} removed", args.branch, published.entry.pack, published.removed.len())
    });
    Ok(ExitCode::SUCCESS)
}
