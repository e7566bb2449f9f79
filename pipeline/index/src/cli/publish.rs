//! `sextant-index publish`: uploads a pack to a remote.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::progress::{Mode, Progress};
use sextant_sync::publish::publish;

/// Publish a pack to a remote, as the latest of a branch
///
/// The pack is uploaded first. Then a conditional write moves the branch's pointer to it, and old packs are removed. A
/// concurrent pull gets the old state or the new one. If the latest pack has the same content, nothing is uploaded.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index publish server.sxt s3://indexes/server --branch main --keep 14
  sextant-index publish server.sxt /srv/www/indexes

Object stores are configured with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT. The store must
support conditional writes (If-Match, If-None-Match).")]
pub(super) struct Publish {
    /// Pack to publish
    pack: PathBuf,
    /// The remote: a folder, or s3://BUCKET/PREFIX
    remote: String,
    /// Branch
    #[arg(long, default_value = "main", value_name = "NAME")]
    branch: String,
    /// Number of packs of the branch to keep
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
    let published = publish(&args.pack, &args.remote, &args.branch, usize::from(args.keep), |_| progress.step());
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
        format!("{} already has this content: {}", args.branch, published.entry.pack)
    } else {
        format!("{} is now {}; {} old packs removed", args.branch, published.entry.pack, published.removed.len())
    });
    Ok(ExitCode::SUCCESS)
}
