//! `sextant eval`: measures search quality with tests from files.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::ask::EncoderArgs;
use crate::ask::IndexArgs;
use crate::configuration;
use crate::error::Error;
use crate::output::{Format, print};
use sextant_api::requests::SearchOptions;
use sextant_search::Index;
use sextant_search::eval::Fixtures;
use sextant_search::search::{SearchRequest, Searcher};

/// Measure search quality with questions whose answers are known
///
/// A test file is JSON with `schema_version` 1, lists of `needles` (`query`, `path`, `symbol`, `within`), `rankings`
/// (`query`, `relevant` locations, `category`) and `expansions` (`query`, `expects`, `limit`), and `thresholds`
/// (`needles`, `ndcg10`, `mrr`, `recall10`, `expansions`, `p99_ms`) that the results must meet.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant eval --fixtures quality.json
  sextant eval --fixtures quality/*.json --format json
  sextant eval --fixtures quality.json --mode text --set graph=0

Exit codes: 0 every threshold is met, 1 one is not, 2 error.")]
pub(crate) struct Eval {
    #[command(flatten)]
    indexes: IndexArgs,
    #[command(flatten)]
    encoder: EncoderArgs,
    /// Test files
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    fixtures: Vec<PathBuf>,
    #[command(flatten)]
    options: SearchOptions,
    /// Show every test that failed
    #[arg(long)]
    misses: bool,
}

pub(crate) fn eval(args: &Eval) -> Result<ExitCode, Error> {
    // Report invalid files before running any test.
    let suites: Vec<Fixtures> = args.fixtures.iter().map(|path| Fixtures::read(path)).collect::<Result<_, _>>()?;
    let config = configuration::load()?;
    let mut index = Index::open(&args.indexes.folder(&config)?)?;
    if let Some(encoder) = args.encoder.folder() {
        index = index.with_encoder(encoder.to_owned());
    }
    let request = args.options.request("", &config)?;
    // The first query opens the index's files; keep that out of the measured times.
    Searcher::new(&index).search(&SearchRequest { query: "warm".to_owned(), ..request.clone() })?;
    let mut reports = Vec::new();
    for (path, suite) in args.fixtures.iter().zip(&suites) {
        reports.push((path.display().to_string(), suite.run(&index, &request)?));
    }
    match args.indexes.format {
        Format::Json => print(&format!("{}\n", sextant_render::eval_json(&reports))),
        Format::Text => print(&sextant_render::eval_text(&reports, args.misses)),
    }
    Ok(ExitCode::from(u8::from(reports.iter().any(|(_, report)| !report.failed_thresholds.is_empty()))))
}
