//! The command line of `sextant`: options in, exit code out.
//!
//! Exit codes: 0 hits (or whole), 1 no hits (or not whole), 2 error. Standard output carries results only.

mod configuration;
mod eval;
mod graph;
mod look_up;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use sextant_formats::kinds::Kind;

use crate::config::Config;
use crate::search::{Filters, Mode, SearchRequest, Strategy};
use crate::{Error, Index, render};

/// Searches an index that sextant-index built: offline, without the source.
#[derive(Parser)]
#[command(name = "sextant", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Search(Search),
    Definition(look_up::Asked),
    Related(look_up::Near),
    /// Show what calls a function, a method or a type
    #[command(after_help = "Examples:
  sextant callers Session.close
  sextant callers src/pool.rs:120 --depth 3
  sextant callers parse_config --format json

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Callers(graph::Asked),
    /// Show what a function or a method calls
    #[command(after_help = "Examples:
  sextant callees Session.close
  sextant callees main --depth 2 --min-confidence 0.8")]
    Callees(graph::Asked),
    /// Show everything that a change of a symbol can reach: callers, users of a type, what inherits, and so on
    #[command(after_help = "Examples:
  sextant impact Session
  sextant impact src/http/client.py --depth 2")]
    Impact(graph::Asked),
    Affected(graph::Affected),
    Path(graph::Path),
    Eval(eval::Eval),
    Config(configuration::Show),
    /// Say what an index holds
    Stats(Plain),
    /// Check every digest and every reference of an index
    Verify(Plain),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModeArg {
    /// Full text, vectors and symbols, then the graph
    Fusion,
    /// Full text alone
    Text,
    /// Vectors alone
    Vector,
    /// Symbols and the graph
    Structural,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Fusion => Self::Fusion,
            ModeArg::Text => Self::Text,
            ModeArg::Vector => Self::Vector,
            ModeArg::Structural => Self::Structural,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum StrategyArg {
    /// Reciprocal ranks
    Rrf,
    /// What vectors find, ordered by vectors, names and the graph
    Staged,
    /// Reciprocal ranks; vectors by their sign bits first, whatever the size of the index
    Binary,
    /// Weighted scores
    Hybrid,
}

impl From<StrategyArg> for Strategy {
    fn from(strategy: StrategyArg) -> Self {
        match strategy {
            StrategyArg::Rrf => Self::Rrf,
            StrategyArg::Staged => Self::Staged,
            StrategyArg::Binary => Self::Binary,
            StrategyArg::Hybrid => Self::Hybrid,
        }
    }
}

#[derive(clap::Args)]
struct Place {
    /// The index folder [default: that of sextant.toml, else ./index]
    #[arg(long, env = "SEXTANT_INDEX", value_name = "INDEX")]
    index: Option<PathBuf>,
    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Place {
    /// The folder of the index: as said, else as configured.
    fn index_in(&self, config: &Config) -> PathBuf {
        self.index.clone().unwrap_or_else(|| config.index.value.clone())
    }

    /// Opens the index.
    fn open(&self) -> Result<Index, Error> {
        let folder = match &self.index {
            Some(folder) => folder.clone(),
            None => configuration::load()?.index.value,
        };
        Index::open(&folder)
    }
}

/// How a search is done.
#[derive(clap::Args)]
struct How {
    /// Which retrievers take part [default: fusion]
    #[arg(long, value_enum)]
    mode: Option<ModeArg>,
    /// How the lists of the retrievers become one [default: rrf]
    #[arg(long, value_enum)]
    strategy: Option<StrategyArg>,
    /// Do without the graph
    #[arg(long)]
    no_graph: bool,
    /// Do without vectors
    #[arg(long)]
    no_vectors: bool,
    /// Set a ranking weight (repeatable); an unknown name lists them all
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

impl How {
    /// A request for a query: as said, else as configured.
    fn request(&self, query: &str, config: &Config) -> Result<SearchRequest, Error> {
        let mut weights = config.weights;
        for assignment in &self.set {
            weights.set(assignment).map_err(|error| Error::Filter(error.to_string()))?;
        }
        Ok(SearchRequest {
            mode: self.mode.map_or(config.mode.value, Mode::from),
            strategy: self.strategy.map_or(config.strategy.value, Strategy::from),
            graph: config.graph.value && !self.no_graph,
            vectors: config.vectors.value && !self.no_vectors,
            weights,
            ..SearchRequest::new(query)
        })
    }
}

/// Find code by words, names or meaning.
///
/// A query is a question ("where is retry handled"), a name ("Session", "scrapeLoop.run") or a path.
/// Each result is a chunk: a symbol, a block of a large one, or code between symbols.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant search -- where is retry handled
  sextant search --kind function --language rust -- parse config
  sextant search --path 'src/**' --format json -- Session.close
  sextant search --mode vector --explain -- back off when the server is busy

Exit codes: 0 hits, 1 no hits, 2 error.")]
struct Search {
    #[command(flatten)]
    place: Place,
    /// The folder of the encoder, for an index that does not carry it
    #[arg(long, env = "SEXTANT_ENCODER", value_name = "DIR")]
    encoder: Option<PathBuf>,
    /// Ask the LanceDB table for nearest vectors: the index's own, or the one at an address
    #[cfg(feature = "lancedb")]
    #[arg(long, value_name = "URI", num_args = 0..=1, require_equals = true)]
    lancedb: Option<Option<String>>,
    /// How many results at most [default: 10]
    #[arg(short = 'n', long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: Option<u16>,
    #[command(flatten)]
    how: How,
    /// Only chunks of this kind, e.g. function, class (repeatable)
    #[arg(long, value_parser = parse_kind)]
    kind: Vec<Kind>,
    /// Only files of this language (repeatable)
    #[arg(long)]
    language: Vec<String>,
    /// Only files whose path matches this glob (repeatable)
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,
    /// Only this repository of the index (repeatable)
    #[arg(long)]
    repo: Vec<String>,
    /// Show what each signal gave a result, and the path in the graph that lifted it
    #[arg(long)]
    explain: bool,
    /// The query; put '--' before it when it begins with a dash
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
}

#[derive(clap::Args)]
struct Plain {
    #[command(flatten)]
    place: Place,
}

fn parse_kind(word: &str) -> Result<Kind, String> {
    word.parse().map_err(|_| {
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("kinds are {}", kinds.join(", "))
    })
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    // The full-text library may panic on a damaged index; that is an error like any other.
    std::panic::set_hook(Box::new(|_| {}));
    let done = catch_unwind(AssertUnwindSafe(|| run(cli.command)));
    match done {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => {
            report(&error.to_string(), std::error::Error::source(&error), error.hint().as_deref());
            ExitCode::from(2)
        }
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            let hint = "run 'sextant verify'; if the index is whole, this is a bug of sextant: please report it";
            report(&format!("the query stopped unexpectedly: {text}"), None, Some(hint));
            ExitCode::from(2)
        }
    }
}

fn report(error: &str, mut source: Option<&dyn std::error::Error>, hint: Option<&str>) {
    anstream::eprintln!("error: {error}");
    while let Some(cause) = source {
        let text = cause.to_string();
        // A transparent error and its source say the same.
        if text != error {
            anstream::eprintln!("  cause: {text}");
        }
        source = cause.source();
    }
    if let Some(hint) = hint {
        anstream::eprintln!("\nhint: {hint}");
    }
}

/// Writes results; whoever reads may stop reading.
fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn run(command: Command) -> Result<ExitCode, Error> {
    match command {
        Command::Search(args) => search(args),
        Command::Definition(args) => look_up::definition(&args),
        Command::Related(args) => look_up::related(&args),
        Command::Callers(args) => graph::callers(&args),
        Command::Callees(args) => graph::callees(&args),
        Command::Impact(args) => graph::impact(&args),
        Command::Affected(args) => graph::affected(&args),
        Command::Path(args) => graph::path(&args),
        Command::Eval(args) => eval::eval(&args),
        Command::Config(args) => configuration::show(&args),
        Command::Stats(args) => {
            let stats = args.place.open()?.stats()?;
            match args.place.format {
                Format::Json => print(&format!("{}\n", render::stats_json(&stats))),
                Format::Text => print(&render::stats_text(&stats)),
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Verify(args) => {
            let generation =
                sextant_formats::generation::Generation::open(&args.place.index_in(&configuration::load()?))?;
            let report = sextant_formats::verify::verify(&generation);
            let (name, content_id) = (generation.name(), &generation.manifest().content_id);
            match args.place.format {
                Format::Json => print(&format!("{}\n", render::verify_json(name, content_id, &report))),
                Format::Text => print(&render::verify_text(name, &report)),
            }
            Ok(ExitCode::from(u8::from(!report.problems.is_empty())))
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "sextant", &mut script);
            print(&String::from_utf8_lossy(&script));
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn search(args: Search) -> Result<ExitCode, Error> {
    let config = configuration::load()?;
    let or = |said: Vec<String>, configured: &[String]| if said.is_empty() { configured.to_vec() } else { said };
    let request = SearchRequest {
        limit: usize::from(args.limit.unwrap_or(config.limit.value)),
        filters: Filters {
            kinds: args.kind,
            languages: or(args.language, &config.languages.value),
            paths: or(args.path, &config.paths.value),
            repos: args.repo,
        },
        ..args.how.request(&args.query.join(" "), &config)?
    };
    let mut index = Index::open(&args.place.index_in(&config))?;
    if let Some(dir) = args.encoder {
        index = index.with_encoder(dir);
    }
    #[cfg(feature = "lancedb")]
    if let Some(uri) = args.lancedb {
        index = index.with_lancedb(uri.as_deref())?;
    }
    let response = index.search(&request)?;
    match args.place.format {
        Format::Json => print(&format!("{}\n", render::search_json(&response))),
        Format::Text => {
            let one_repo = index.generation().manifest().repositories.len() < 2;
            print(&render::search_text(&response, args.explain, one_repo));
            for what in &response.degraded {
                anstream::eprintln!("note: {what}");
            }
            if response.results.is_empty() {
                anstream::eprintln!("nothing found");
            }
        }
    }
    Ok(ExitCode::from(u8::from(response.results.is_empty())))
}
