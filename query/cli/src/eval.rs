//! `sextant eval`: measures search quality with tests from files, or with those that an index asks about itself.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::ask::EncoderArgs;
use crate::ask::IndexArgs;
use crate::configuration;
use crate::error::Error;
use crate::output::{Format, print};
use sextant_api::requests::SearchOptions;
use sextant_search::Index;
use sextant_search::eval::{Fixtures, Thresholds, built_in};
use sextant_search::search::{SearchRequest, Searcher};

/// Measure search quality: with questions whose answers are known, or by asking an index about itself
///
/// Without test files, up to 300 tests are made from the index: needles (does the qualified name of a symbol find it
/// first?), rankings (does the first sentence of a documentation find the file?) and expansions (does a symbol bring
/// along what it uses in other files, within 20 results?). They are the same each time, so that two settings or two
/// indexes of the same code can be compared.
///
/// A test file is JSON with `schema_version` 1, lists of `needles` (`query`, `path`, `symbol`, `within`), `rankings`
/// (`query`, `relevant` locations, `category`) and `expansions` (`query`, `expects`, `limit`), and `thresholds`
/// (`needles`, `ndcg10`, `mrr`, `recall10`, `expansions`, `p99_ms`) that the results must meet. A plain list of cases
/// with `id`, `type` (needle, ranking or expansion), `query`, `expectedSymbols` and `topK` is read too.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant eval
  sextant eval --require needles=0.95 --require ndcg10=0.8
  sextant eval --fixtures quality.json
  sextant eval --fixtures quality/*.json --format json
  sextant eval --fixtures quality.json --mode text --set graph=0

Exit codes: 0 every threshold is met, 1 one is not, 2 error.")]
pub(crate) struct Eval {
    #[command(flatten)]
    indexes: IndexArgs,
    #[command(flatten)]
    encoder: EncoderArgs,
    /// Test files [default: tests made from the index]
    #[arg(long, num_args = 1.., value_name = "FILE")]
    fixtures: Vec<PathBuf>,
    /// A threshold, in addition to those of the test files, which it overrides (repeatable)
    #[arg(long, value_name = "MEASURE=VALUE", value_parser = threshold)]
    require: Vec<(Measure, f64)>,
    #[command(flatten)]
    options: SearchOptions,
    /// Show every test that failed
    #[arg(long)]
    misses: bool,
}

/// A measure that may have a threshold.
#[derive(Clone, Copy, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum Measure {
    Needles,
    Ndcg10,
    Mrr,
    Recall10,
    Expansions,
    P99Ms,
}

fn threshold(text: &str) -> Result<(Measure, f64), String> {
    let names = "needles, ndcg10, mrr, recall10, expansions, p99_ms";
    let (name, value) = text.split_once('=').ok_or("expected MEASURE=VALUE")?;
    let measure = <Measure as clap::ValueEnum>::from_str(name, false)
        .map_err(|_| format!("'{name}' is not a measure; the measures are {names}"))?;
    let value: f64 = value.parse().map_err(|_| format!("'{value}' is not a number"))?;
    if value.is_finite() && value >= 0.0 { Ok((measure, value)) } else { Err(format!("'{value}' is out of range")) }
}

impl Measure {
    fn set(self, thresholds: &mut Thresholds, value: f64) {
        let threshold = match self {
            Self::Needles => &mut thresholds.needles,
            Self::Ndcg10 => &mut thresholds.ndcg10,
            Self::Mrr => &mut thresholds.mrr,
            Self::Recall10 => &mut thresholds.recall10,
            Self::Expansions => &mut thresholds.expansions,
            Self::P99Ms => &mut thresholds.p99_ms,
        };
        *threshold = Some(value);
    }
}

/// The name of the tests that are made from an index, where files have theirs.
const BUILT_IN: &str = "built-in";

pub(crate) fn eval(args: &Eval) -> Result<ExitCode, Error> {
    // Report invalid files before running any test.
    let read = |path: &PathBuf| Ok::<_, Error>((path.display().to_string(), Fixtures::read(path)?));
    let mut suites: Vec<(String, Fixtures)> = args.fixtures.iter().map(read).collect::<Result<_, _>>()?;
    let config = configuration::load()?;
    let mut index = Index::open(&args.indexes.folder(&config)?)?;
    if let Some(encoder) = args.encoder.folder() {
        index = index.with_encoder(encoder.to_owned());
    }
    let request = args.options.request("", &config)?;
    // The first query opens the index's files; keep that out of the measured times.
    Searcher::new(&index).search(&SearchRequest { query: "warm".to_owned(), ..request.clone() })?;
    let mut reports = Vec::new();
    if suites.is_empty() {
        suites.push((BUILT_IN.to_owned(), built_in(&index)?));
    }
    for (name, mut suite) in suites {
        for &(measure, value) in &args.require {
            measure.set(&mut suite.thresholds, value);
        }
        reports.push((name, suite.run(&index, &request)?));
    }
    match args.indexes.format {
        Format::Json => print(&format!("{}\n", sextant_render::eval_json(&reports))),
        Format::Text => print(&sextant_render::eval_text(&reports, args.misses)),
    }
    Ok(ExitCode::from(u8::from(reports.iter().any(|(_, report)| !report.failed_thresholds.is_empty()))))
}
