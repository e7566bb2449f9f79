//! `sextant-index overlay`: indexes a checkout with local edits, for `sextant --overlay`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use serde_json::json;

use crate::interrupt;
use crate::overlay::{OverlayOptions, overlay};
use crate::progress::{Mode, Progress, print_line};

/// Build or update an index of a checkout with local edits
///
/// Files that differ from the index are found by size and time, then by content, with the index's own settings and the
/// checkout's ignore files. Everything else is reused. The result is written to the user's cache, and its folder is
/// printed; if nothing differs, that is the index itself. 'sextant --overlay' runs this command.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index overlay ./index ~/src/server
  sextant-index overlay ./index server=~/src/server ui=~/src/web --json")]
pub(super) struct Overlay {
    /// Index folder
    index: PathBuf,
    /// Checkouts of its repositories; NAME=PATH if the folder's name is not the repository's
    #[arg(required = true, value_name = "PATH")]
    checkouts: Vec<String>,
    /// Folder for overlays [default: the folder sextant in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder of the encoder, for an index built with --model-by-reference
    #[arg(long, env = "SEXTANT_ENCODER", value_name = "DIR")]
    encoder: Option<PathBuf>,
    /// Print a summary as JSON on standard output
    #[arg(long)]
    json: bool,
    /// Print errors only
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

pub(super) fn run(args: Overlay) -> anyhow::Result<ExitCode> {
    interrupt::install()?;
    let started = Instant::now();
    let cache = match args.cache {
        Some(cache) => cache,
        None => dirs::cache_dir().context("the user has no cache folder; set one with --cache")?.join("sextant"),
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let options =
        OverlayOptions { index: args.index, checkouts: args.checkouts, cache, encoder: args.encoder, threads };
    // The progress bar is on standard error, so that it is shown even with --json.
    let progress = Progress::new(Mode::from_flags(false, args.quiet));
    let overlay_index = overlay(&options, &progress);
    progress.finish();
    let overlay_index = overlay_index?;
    let changes = &overlay_index.changes;
    if args.json {
        let paths = |paths: &[(String, String)]| -> Vec<serde_json::Value> {
            paths.iter().map(|(repository, path)| json!({"repo": repository, "path": path})).collect()
        };
        let summary = json!({
            "schema_version": 1,
            "index": fs_err::canonicalize(&overlay_index.index)?,
            "content_id": overlay_index.content_id,
            "built": overlay_index.built.is_some(),
            "seconds": started.elapsed().as_secs_f64(),
            "reused_files": overlay_index.built.as_ref().map(|built| built.reuse.analyses),
            "added": paths(&changes.added),
            "changed": paths(&changes.changed),
            "removed": paths(&changes.removed),
        });
        print_line(&summary);
        return Ok(ExitCode::SUCCESS);
    }
    let (added, changed, removed) = (changes.added.len(), changes.changed.len(), changes.removed.len());
    progress.line(&format!("{added} files added, {changed} changed, {removed} removed"));
    print_line(&overlay_index.index.display());
    Ok(ExitCode::SUCCESS)
}
