//! `sextant-index doctor`: reports an index's health.

use std::path::PathBuf;
use std::process::ExitCode;

use sextant_format::generation::Generation;

use crate::doctor::diagnose;
use crate::embed::{self, ModelChoice};
use crate::progress::print_line;
use crate::walk::Selection;

/// Report an index's health: freshness against a checkout, vector coverage, skipped files, sizes, and what a rebuild
/// would redo and why
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index doctor ./index
  sextant-index doctor ./index server=~/src/server --json

Exit codes: 0 the index is up to date, 1 a build would change it, 2 error.")]
pub(super) struct Doctor {
    /// Index folder
    index: PathBuf,
    /// Checkouts to compare with, as PATH or NAME=PATH, as for the build
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Encoder that a build would use: 'static', 'none', or a folder with a model.json
    #[arg(long, default_value = "static", value_name = "static|none|DIR")]
    model: ModelChoice,
    /// As for build
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// As for build
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// As for build
    #[arg(long)]
    no_ignore: bool,
    /// As for build
    #[arg(long, default_value_t = 4 << 20, value_name = "BYTES")]
    max_file_bytes: u64,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Doctor) -> anyhow::Result<ExitCode> {
    let generation = Generation::open(&args.index)?;
    let selection = Selection::new(&args.include, &args.exclude, !args.no_ignore)?;
    let scratch = tempfile::tempdir()?;
    let model = embed::load(&args.model, scratch.path())?;
    let model = model.as_ref().map(|model| model.info.hash.as_str());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let report = diagnose(&generation, &args.paths, &selection, args.max_file_bytes, model, threads)?;
    if args.json {
        print_line(&serde_json::to_string(&report)?);
    } else {
        print_line(&sextant_diagnostics::sanitise(report.text().trim_end()));
    }
    Ok(ExitCode::from(u8::from(!report.rebuild.is_empty())))
}
