//! `sextant-index enrich`: the command line, and the summary of a run.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;
use sextant_enrich::{ApiKey, Budget, Endpoint, Estimate, Options, Prices, StopReason};

use crate::enrich::{EnrichOptions, Enriched, Enrichment, Filter};
use crate::interrupt;
use crate::progress::{Mode, Progress};
use crate::walk::Selection;

/// Ask a language model for summaries of functions, types and blocks, and publish an index that contains them
///
/// The model sees the code of the chunks that are selected: use an endpoint that you trust with it. Summaries are
/// searched, embedded and shown; answers mark them as written by the model. Every answer is kept in the folder
/// 'enrichment' of the index as it arrives, so a run that was stopped continues where it ended, and nothing is asked
/// twice. Later builds keep the summaries of unchanged chunks. The index is locked while this runs, and needs no source.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index enrich ./index --endpoint http://localhost:11434/v1 --model qwen2.5-coder --dry-run
  sextant-index enrich ./index --endpoint http://localhost:11434/v1 --model qwen2.5-coder --path 'src/**'
  sextant-index enrich ./index --endpoint https://api.openai.com/v1 --model gpt-4o-mini \\
      --key-variable OPENAI_API_KEY --max-cost 2 --input-price 0.15 --output-price 0.6

Exit codes: 0 everything that was selected is answered, or --dry-run; 1 something is missing: the budget ended, the
endpoint failed, or answers were not valid; 2 error; 130 interrupted, run it again to continue.")]
pub(super) struct Enrich {
    /// Index folder
    index: PathBuf,
    /// Base address of an API with OpenAI's chat completions
    #[arg(long, value_name = "URL")]
    endpoint: String,
    /// Name of the model
    #[arg(long, value_name = "NAME")]
    model: String,
    /// Environment variable with the key; never give a key on the command line
    #[arg(long, value_name = "VARIABLE")]
    key_variable: Option<String>,
    /// Say what would be asked, and what it would take; ask nothing
    #[arg(long)]
    dry_run: bool,
    /// Only files that match this glob (repeatable), as --include of build
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    path: Vec<String>,
    /// Skip files that match this glob (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    exclude: Vec<String>,
    /// Only files in this language (repeatable)
    #[arg(long, value_name = "NAME", help_heading = "Selection")]
    language: Vec<String>,
    /// Skip functions and types shorter than this
    #[arg(long, default_value_t = 5, value_name = "LINES", help_heading = "Selection")]
    min_lines: u32,
    /// Include tests
    #[arg(long, help_heading = "Selection")]
    tests: bool,
    /// Ask about whole functions and types only, not about the blocks of large ones
    #[arg(long, help_heading = "Selection")]
    no_blocks: bool,
    /// End before prompts and answers together exceed this
    #[arg(long, value_name = "TOKENS", help_heading = "Budget")]
    max_tokens: Option<u64>,
    /// End before the cost exceeds this, in the currency of the prices
    #[arg(long, value_name = "AMOUNT", requires_all = ["input_price", "output_price"], help_heading = "Budget")]
    max_cost: Option<f64>,
    /// Price of a million tokens of prompts
    #[arg(long, value_name = "AMOUNT", requires = "output_price", help_heading = "Budget")]
    input_price: Option<f64>,
    /// Price of a million tokens of answers
    #[arg(long, value_name = "AMOUNT", requires = "input_price", help_heading = "Budget")]
    output_price: Option<f64>,
    /// Maximum chunks of one request
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100), help_heading = "Requests")]
    batch_size: u16,
    /// Requests at the same time
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Requests")]
    concurrency: u16,
    /// Attempts for a request that is limited, times out or fails at the server
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20), help_heading = "Requests")]
    attempts: u32,
    /// Seconds that a request may take
    #[arg(long, default_value_t = 120, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600), help_heading = "Requests")]
    timeout: u64,
    /// Folder of the encoder, if the index does not contain it
    #[arg(long, value_name = "DIR")]
    encoder: Option<PathBuf>,
    /// Print progress and a summary as JSON lines on standard output
    #[arg(long)]
    json: bool,
    /// Print errors only
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

/// Wait after the first failure of a request.
const FIRST_WAIT: Duration = Duration::from_millis(500);

pub(super) fn run(args: &Enrich) -> anyhow::Result<ExitCode> {
    interrupt::install()?;
    let prices = args.input_price.zip(args.output_price).map(|(input, output)| Prices { input, output });
    let is_amount = |amount: &f64| amount.is_finite() && *amount >= 0.0;
    if ![args.max_cost, args.input_price, args.output_price].iter().flatten().all(is_amount) {
        anyhow::bail!("prices and costs are numbers from 0");
    }
    let key = args.key_variable.as_deref().map(read_key).transpose()?;
    let endpoint = Endpoint::new(&args.endpoint, &args.model, key, Duration::from_secs(args.timeout))?;
    let options = EnrichOptions {
        index: args.index.clone(),
        filter: Filter {
            selection: Selection::new(&args.path, &args.exclude, false).context("a glob is invalid")?,
            languages: languages(&args.language)?,
            min_lines: args.min_lines,
            with_tests: args.tests,
            with_blocks: !args.no_blocks,
        },
        run: Options {
            batch_size: usize::from(args.batch_size),
            concurrency: usize::from(args.concurrency),
            attempts: args.attempts,
            first_wait: FIRST_WAIT,
            budget: Budget { max_tokens: args.max_tokens, max_cost: args.max_cost.zip(prices) },
        },
        encoder: args.encoder.clone(),
        threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    };
    let progress = Progress::new(Mode::from_flags(args.json, args.quiet));
    let started = Instant::now();
    let enrichment = Enrichment::open(&options, &args.model)?;
    print_estimate(&enrichment.plan(&options), prices, &progress);
    if args.dry_run {
        return Ok(ExitCode::SUCCESS);
    }
    let enriched = enrichment.run(&options, &endpoint, &progress);
    progress.finish();
    let enriched = enriched?;
    print_summary(&enriched, prices, started.elapsed(), &progress);
    Ok(exit_code(&enriched, &endpoint))
}

/// Reads a key from an environment variable.
#[expect(clippy::disallowed_methods, reason = "a key must not be on the command line, where other users can see it")]
fn read_key(variable: &str) -> anyhow::Result<ApiKey> {
    let value = std::env::var(variable).ok().and_then(|value| ApiKey::new(&value));
    value.with_context(|| format!("the environment variable {variable} has no key"))
}

fn languages(names: &[String]) -> anyhow::Result<Vec<String>> {
    let name = |word: &String| {
        let language = sextant_syntax::language::by_alias(word);
        language.map(|language| language.name.to_owned()).with_context(|| format!("'{word}' is not a language"))
    };
    names.iter().map(name).collect()
}

fn print_estimate(estimate: &Estimate, prices: Option<Prices>, progress: &Progress) {
    let cost = prices.map(|prices| prices.cost(estimate.tokens));
    progress.event(|| {
        json!({
            "type": "estimate",
            "symbols": estimate.symbols,
            "blocks": estimate.blocks,
            "known": estimate.known,
            "requests": estimate.requests,
            "input_tokens": estimate.tokens.input,
            "output_tokens": estimate.tokens.output,
            "cost": cost,
        })
    });
    let cost = cost.map_or_else(String::new, |cost| format!(", about {cost:.2} at these prices"));
    progress.line(&format!(
        "{} functions and types and {} blocks to ask about in about {} requests, {} known\nabout {} tokens of prompts and {} of answers{cost}",
        estimate.symbols,
        estimate.blocks,
        estimate.requests,
        estimate.known,
        estimate.tokens.input,
        estimate.tokens.output,
    ));
}

fn print_summary(enriched: &Enriched, prices: Option<Prices>, took: Duration, progress: &Progress) {
    let report = &enriched.report;
    let cost = prices.map(|prices| prices.cost(report.tokens));
    progress.event(|| {
        json!({
            "type": "summary",
            "generation": enriched.generation,
            "content_id": enriched.content_id,
            "seconds": took.as_secs_f64(),
            "summaries": enriched.summaries,
            "answered": report.answered,
            "known": report.known,
            "missing": enriched.missing,
            "skipped": report.skipped,
            "repaired": report.repaired,
            "requests": report.requests,
            "retries": report.retries,
            "input_tokens": report.tokens.input,
            "output_tokens": report.tokens.output,
            "cost": cost,
            "stopped": report.stop.as_ref().map(stop_name),
        })
    });
    let cost = cost.map_or_else(String::new, |cost| format!(", {cost:.2} at these prices"));
    progress.line(&format!(
        "{} answered in {} requests ({} repeated), {} tokens of prompts and {} of answers{cost}, {:.1} s",
        report.answered,
        report.requests,
        report.retries,
        report.tokens.input,
        report.tokens.output,
        took.as_secs_f64(),
    ));
    for (reason, count) in &report.skipped {
        progress.line(&format!("{count} skipped: {reason}"));
    }
    match &enriched.generation {
        Some(generation) => {
            progress.line(&format!("{} chunks have a summary: published {generation}", enriched.summaries))
        }
        None => progress.line(&format!("{} chunks have a summary; the index is unchanged", enriched.summaries)),
    }
}

const fn stop_name(stop: &StopReason) -> &'static str {
    match stop {
        StopReason::Budget => "budget",
        StopReason::Interrupted => "interrupted",
        StopReason::Unreachable(_) => "unreachable",
        StopReason::Refused(_) => "refused",
    }
}

/// Says why something is missing, and how to go on.
fn exit_code(enriched: &Enriched, endpoint: &Endpoint) -> ExitCode {
    let missing = enriched.missing;
    let url = endpoint.shown();
    let (what, hint) = match &enriched.report.stop {
        None if missing == 0 => return ExitCode::SUCCESS,
        None => (format!("{missing} chunks have no valid answer"), "run it again to ask about them once more"),
        Some(StopReason::Interrupted) => {
            anstream::eprintln!("stopped; the answers so far are kept, run it again to continue");
            return ExitCode::from(u8::try_from(interrupt::EXIT_INTERRUPTED).unwrap_or(130));
        }
        Some(StopReason::Budget) => {
            (format!("the budget ended with {missing} chunks left"), "run it again with another budget to continue")
        }
        Some(StopReason::Unreachable(cause)) => (
            format!("{url} does not answer, {missing} chunks are left\n  cause: {cause}"),
            "run it again when it does; the answers so far are kept",
        ),
        Some(StopReason::Refused(cause)) => (
            format!("{url} refuses requests, {missing} chunks are left\n  cause: {cause}"),
            "check --endpoint, --model and --key-variable, and run it again; the answers so far are kept",
        ),
    };
    anstream::eprintln!("{}", sextant_diagnostics::sanitise(&format!("error: {what}\n\nhint: {hint}")));
    ExitCode::from(1)
}
