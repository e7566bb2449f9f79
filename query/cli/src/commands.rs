//! The command line of `sextant`: options in, exit code out.
//!
//! Exit codes: 0 hits (or whole), 1 no hits (or not whole), 2 error. Standard output carries results only.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use sextant_api::requests::{self, REQUESTS, RequestInfo};

use crate::ask::{CommandArgs, IndexArgs, QueryArgs};
use crate::error::Error;
use crate::{ask, configuration, eval, list, pull, serve, terminal};

/// Searches an index that sextant-index built: offline, without the source.
#[derive(Parser)]
#[command(name = "sextant", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find code by words, names or meaning
    ///
    /// A query is a question ("where is retry handled"), a name ("Session", "scrapeLoop.run") or a path.
    /// Each result is a chunk: a symbol, a block of a large one, or code between symbols.
    #[command(after_help = "Examples:
  sextant search -- where is retry handled
  sextant search --kind function --language rust -- parse config
  sextant search --path 'src/**' --format json -- Session.close
  sextant search --mode vector --explain -- back off when the server is busy
  sextant search --index server/index --index client/index -- token refresh

Exit codes: 0 hits, 1 no hits, 2 error.")]
    Search(QueryArgs<requests::Search>),
    /// Begin with a question: entry points with their source, the ways between them, the files that matter
    #[command(after_help = "Examples:
  sextant explore -- how does a request reach its handler
  sextant explore --max-tokens 2000 -- retry with back-off

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Explore(QueryArgs<requests::Explore>),
    /// Show where a name is defined
    ///
    /// Without a definition of just that name, those whose names begin with it are shown, then those that differ from
    /// it in a letter or two.
    #[command(after_help = "Examples:
  sextant definition Session.close
  sextant definition open --kind function --from src/pool.rs
  sextant definition src/pool.rs:120 --format json

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Definition(CommandArgs<requests::Definition>),
    /// Show where a symbol is used, with the lines
    #[command(after_help = "Examples:
  sextant references Session.close
  sextant references Session --kind type --kind import

Exit codes: 0 found, 1 nothing found, 2 error.")]
    References(CommandArgs<requests::References>),
    /// Show the symbols whose names begin with a text, hold it, or nearly do
    #[command(after_help = "Examples:
  sextant symbols Sess --kind class
  sextant symbols Session.cl --path 'src/**'

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Symbols(CommandArgs<requests::Symbols>),
    /// Show what there is to know of a symbol: signature, documentation, members, how much it is used
    #[command(after_help = "Examples:
  sextant hover Session.close

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Hover(CommandArgs<requests::Hover>),
    /// Show what calls a function, a method or a type
    #[command(after_help = "Examples:
  sextant callers Session.close
  sextant callers src/pool.rs:120 --depth 3
  sextant callers parse_config --format json

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Callers(CommandArgs<requests::Callers>),
    /// Show what a function or a method calls
    #[command(after_help = "Examples:
  sextant callees Session.close
  sextant callees main --depth 2 --min-confidence 0.8")]
    Callees(CommandArgs<requests::Callees>),
    /// Show everything that a change of a symbol can reach: callers, users of a type, what inherits, and so on
    #[command(after_help = "Examples:
  sextant impact Session
  sextant impact src/http/client.py --depth 2")]
    Impact(CommandArgs<requests::Impact>),
    /// Show the tests that a change reaches: of symbols, of files, or of a diff on standard input
    #[command(after_help = "Examples:
  sextant affected Session.close src/pool.rs
  git diff | sextant affected
  git diff main | sextant affected --format json

A diff is read against the index as the state before it.
Exit codes: 0 tests found, 1 none, 2 error.")]
    Affected(CommandArgs<requests::Affected>),
    /// Show the surest way along calls from one symbol to another
    #[command(after_help = "Examples:
  sextant path main Session.close")]
    Path(CommandArgs<requests::Path>),
    /// Show what belongs to a symbol: what it is joined to in the graph more than to anything else
    #[command(after_help = "Examples:
  sextant related Session.close
  sextant related src/pool.rs:120

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Related(CommandArgs<requests::Related>),
    /// Show what a file defines, as a tree
    #[command(after_help = "Examples:
  sextant outline src/pool.rs")]
    Outline(CommandArgs<requests::Outline>),
    /// Show the source of a symbol, a file, some lines or a chunk, from inside of the index
    #[command(after_help = "Examples:
  sextant show Session.close
  sextant show src/pool.rs:120-160
  sextant show src/pool.rs
  sextant show 4711 -C 5")]
    Show(CommandArgs<requests::Show>),
    /// Show the lines of the source that a regular expression or a text matches
    #[command(after_help = "Examples:
  sextant grep 'retry_(on|after)' --language python
  sextant grep -F 'a[i]' --path 'src/**'
  sextant grep -iw todo

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Grep(CommandArgs<requests::Grep>),
    /// Show a file with what each symbol calls and what calls it, its imports, and what was not resolved
    #[command(after_help = "Examples:
  sextant context src/pool.rs
  sextant context src/pool.rs --detail brief
  sextant context src/pool.rs --detail tree --depth 3")]
    Context(CommandArgs<requests::Context>),
    /// Show the modules, what each offers, how they hang together, and the most used symbols
    #[command(after_help = "Examples:
  sextant map
  sextant map src/http --max-tokens 800
  sextant map --draw svg > map.svg
  sextant map --draw mermaid")]
    Map(CommandArgs<requests::Map>),
    Pull(pull::Pull),
    List(list::List),
    Mcp(serve::Mcp),
    Serve(serve::Serve),
    Eval(eval::Eval),
    Config(configuration::Show),
    /// Say what an index holds
    Stats(CommandArgs<requests::Stats>),
    /// Check every digest and every reference of an index
    Verify(Plain),
    /// Print the JSON Schema of what a command takes and gives; of every command, where none is named
    Schema {
        /// The command
        #[arg(value_name = "COMMAND", value_parser = clap::builder::PossibleValuesParser::new(REQUESTS.iter().map(|c| c.name)))]
        command: Option<String>,
        /// Print the page that describes all of them
        #[arg(long, conflicts_with = "command")]
        markdown: bool,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    Manual {
        /// The folder; it is made where it is not there
        folder: std::path::PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(clap::Args)]
struct Plain {
    #[command(flatten)]
    indexes: IndexArgs,
}

/// Runs the program.
#[must_use]
pub(crate) fn main() -> ExitCode {
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
    anstream::eprintln!("error: {}", terminal::shown(error));
    while let Some(cause) = source {
        let text = cause.to_string();
        // A transparent error and its source say the same.
        if text != error {
            anstream::eprintln!("  cause: {}", terminal::shown(&text));
        }
        source = cause.source();
    }
    if let Some(hint) = hint {
        anstream::eprintln!("\nhint: {hint}");
    }
}

/// Writes results; whoever reads may stop reading.
pub(crate) fn print(text: &str) {
    let text = if std::io::stdout().is_terminal() { terminal::shown(text) } else { Cow::Borrowed(text) };
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn run(command: Command) -> Result<ExitCode, Error> {
    match command {
        Command::Search(args) => ask::query(args),
        Command::Explore(args) => ask::query(args),
        Command::Definition(args) => ask::ask(&args),
        Command::References(args) => ask::ask(&args),
        Command::Symbols(args) => ask::ask(&args),
        Command::Hover(args) => ask::ask(&args),
        Command::Callers(args) => ask::ask(&args),
        Command::Callees(args) => ask::ask(&args),
        Command::Impact(args) => ask::ask(&args),
        Command::Affected(args) => ask::affected(args),
        Command::Path(args) => ask::ask(&args),
        Command::Related(args) => ask::ask(&args),
        Command::Outline(args) => ask::ask(&args),
        Command::Show(args) => ask::ask(&args),
        Command::Grep(args) => ask::ask(&args),
        Command::Context(args) => ask::ask(&args),
        Command::Map(args) => ask::ask(&args),
        Command::Stats(args) => ask::ask(&args),
        Command::List(args) => list::list(&args),
        Command::Pull(args) => pull::pull(args),
        Command::Mcp(args) => serve::mcp(&args),
        Command::Serve(args) => serve::http(&args),
        Command::Eval(args) => eval::eval(&args),
        Command::Config(args) => configuration::show(&args),
        Command::Verify(args) => verify(&args),
        Command::Schema { command, markdown } => {
            let is_wanted = |request: &&RequestInfo| command.as_ref().is_none_or(|name| name == request.name);
            let wanted: Vec<&RequestInfo> = REQUESTS.iter().filter(is_wanted).collect();
            if markdown {
                print(&sextant_api::markdown());
            } else {
                print(&format!("{}\n", sextant_api::schemas_json(&wanted)));
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "sextant", &mut script);
            print(&String::from_utf8_lossy(&script));
            Ok(ExitCode::SUCCESS)
        }
        Command::Manual { folder } => manual(&folder),
    }
}

fn verify(args: &Plain) -> Result<ExitCode, Error> {
    let folder = args.indexes.folder(&configuration::load()?)?;
    let generation = sextant_format::generation::Generation::open(&folder)?;
    let report = sextant_verify::verify(&generation);
    let (name, content_id) = (generation.name(), &generation.manifest().content_id);
    match args.indexes.format {
        Format::Json => print(&format!("{}\n", sextant_render::verify_json(name, content_id, &report))),
        Format::Text => print(&sextant_render::verify_text(name, &report)),
    }
    Ok(ExitCode::from(u8::from(!report.problems.is_empty())))
}

/// A page for the program and one for each command.
fn manual(folder: &std::path::Path) -> Result<ExitCode, Error> {
    let written = || -> std::io::Result<()> {
        fs_err::create_dir_all(folder)?;
        clap_mangen::generate_to(Cli::command(), folder)
    };
    written().map_err(|error| Error::Usage(format!("the manual pages cannot be written: {error}")))?;
    Ok(ExitCode::SUCCESS)
}
