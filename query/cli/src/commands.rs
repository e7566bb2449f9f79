//! The command line of `sextant`.
//!
//! Exit codes: 0 results (or an intact index), 1 no results (or a damaged index), 2 error. Only results are written to
//! standard output.

use std::process::ExitCode;

use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};

use sextant_api::requests::{self, REQUESTS, RequestInfo};

use crate::ask::{CommandArgs, IndexArgs, LiveArgs, QueryArgs};
use crate::error::Error;
use crate::output::{Format, print};
use crate::{ask, configuration, eval, export, hook, list, open, pull, serve, watch};

/// Search a code index that sextant-index built, offline and without the source
#[derive(Parser)]
#[command(name = "sextant", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Log what happens to standard error: -v the stages, -vv all details (or RUST_LOG=sextant_search=debug)
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    /// Find code by words, names or meaning
    ///
    /// A query is a question ("where is retry handled"), a name ("Session", "scrapeLoop.run"), a path, or a long text
    /// such as an issue or a stack trace. Each result is a chunk: a symbol, a block of a large symbol, or code between
    /// symbols.
    #[command(after_help = "Examples:
  sextant search -- where is retry handled
  sextant search --kind function --language rust -- parse config
  sextant search --path 'src/**' --format json -- Session.close
  sextant search --mode vector --explain -- back off when the server is busy
  sextant search --index server/index --index client/index -- token refresh

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Search(QueryArgs<requests::Search>),
    /// Start with a question: entry points with their source, the call paths between them, relevant files
    #[command(after_help = "Examples:
  sextant explore -- how does a request reach its handler
  sextant explore --max-tokens 2000 -- retry with back-off

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Explore(QueryArgs<requests::Explore>),
    /// Find groups of symbols that belong together: what vectors find, with its callers and references
    ///
    /// The relations come from running language servers as far as they answer in time, else from the index. A server is
    /// looked up in PATH and started for the checkout, with settings that execute no code of the checkout where it has
    /// such settings. One that has just been started needs time: --live-seconds 30 waits for it.
    #[command(
        name = "hybrid-search",
        after_help = "Examples:
  sextant hybrid-search -- retry with back-off
  sextant hybrid-search --live-seconds 30 --checkout ~/src/client -- token refresh
  sextant hybrid-search --no-live --fusion -- where is retry handled

Exit codes: 0 found, 1 nothing found, 2 error."
    )]
    HybridSearch(ask::HybridArgs),
    /// Show where a name is defined
    ///
    /// If no definition has exactly this name, definitions whose names start with it are shown, else those that differ
    /// by a letter or two.
    #[command(after_help = "Examples:
  sextant definition Session.close
  sextant definition open --kind function --from src/pool.rs
  sextant definition src/pool.rs:120 --format json
  sextant definition Session.close --live --live-seconds 20

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Definition(LiveArgs<requests::Definition>),
    /// Show where a symbol is used, with the source lines
    ///
    /// With --live a language server is asked about the checkout, too: uses that it names are marked 'live', and those that
    /// it alone names follow. One that has just been started needs time: --live-seconds 30 waits for it.
    #[command(after_help = "Examples:
  sextant references Session.close
  sextant references Session --kind type --kind import
  sextant references Session.close --context 3
  sextant references Session.close --live --checkout ~/src/client

Exit codes: 0 found, 1 nothing found, 2 error.")]
    #[command(aliases = ["refs", "uses", "usages"])]
    References(LiveArgs<requests::References>),
    /// Find symbols by the start or another part of their names
    ///
    /// If no name starts with the text, names that contain it are shown, else those that differ by a letter or two.
    #[command(after_help = "Examples:
  sextant symbols Sess --kind class
  sextant symbols Session.cl --path 'src/**'

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Symbols(CommandArgs<requests::Symbols>),
    /// Describe symbols: signature, documentation, members, how often they are used
    #[command(after_help = "Examples:
  sextant hover Session.close
  sextant hover Session Pool.acquire

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Hover(LiveArgs<requests::Hover>),
    /// Show what calls a function or method, or instantiates a type
    #[command(after_help = "Examples:
  sextant callers Session.close
  sextant callers src/pool.rs:120 --depth 3
  sextant callers parse_config --format json

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Callers(LiveArgs<requests::Callers>),
    /// Show what a function or method calls
    #[command(after_help = "Examples:
  sextant callees Session.close
  sextant callees main --depth 2 --min-confidence 0.8

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Callees(CommandArgs<requests::Callees>),
    /// Show everything that a change to a symbol can affect: callers, users of a type, subtypes and so on
    #[command(after_help = "Examples:
  sextant impact Session
  sextant impact src/http/client.py --depth 2

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Impact(CommandArgs<requests::Impact>),
    /// Show the tests that a change can affect: to symbols, to files, or a diff on standard input
    #[command(after_help = "Examples:
  sextant affected Session.close src/pool.rs
  git diff | sextant affected
  git diff main | sextant affected --format json

The index must be of the state before the diff.
Exit codes: 0 tests found, 1 none found, 2 error.")]
    Affected(CommandArgs<requests::Affected>),
    /// Show what to look at in a diff on standard input: callers, tests, repeated functions, novel code
    #[command(after_help = "Examples:
  git diff | sextant review
  git diff main | sextant review --format json

The index must be of the state before the diff.
Exit codes: 0 the diff was read, 2 error.")]
    Review(CommandArgs<requests::Review>),
    /// Show the call path with the highest confidence from one symbol to another
    #[command(after_help = "Examples:
  sextant path main Session.close

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Path(CommandArgs<requests::Path>),
    /// Show the symbols most closely connected to a symbol in the graph
    #[command(after_help = "Examples:
  sextant related Session.close
  sextant related src/pool.rs:120

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Related(CommandArgs<requests::Related>),
    /// Show what a file defines, as a tree
    #[command(after_help = "Examples:
  sextant outline src/pool.rs

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Outline(CommandArgs<requests::Outline>),
    /// Show the source of symbols, files or ranges of lines, read from the index
    ///
    /// If a name may mean several things, they are listed with their locations.
    #[command(after_help = "Examples:
  sextant show Session.close
  sextant show Session.close --with callers,callees,constants,tests
  sextant show src/pool.rs:120-160 src/app.rs:12 Pool.acquire
  sextant show src/pool.rs

Exit codes: 0 found, 1 nothing found, 2 error.", aliases = ["read", "cat"])]
    Show(CommandArgs<requests::Show>),
    /// Show the lines of the source that match a regular expression or a fixed string
    #[command(after_help = "Examples:
  sextant grep 'retry_(on|after)' --language python
  sextant grep -F 'a[i]' --path 'src/**'
  sextant grep -iw todo

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Grep(CommandArgs<requests::Grep>),
    /// Show a file's symbols with their callers and callees, its imports, and unresolved references
    #[command(after_help = "Examples:
  sextant context src/pool.rs
  sextant context src/pool.rs --detail brief
  sextant context src/pool.rs --detail tree --depth 3

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Context(CommandArgs<requests::Context>),
    /// Show the modules, their exports, the dependencies between them, and the most used symbols
    #[command(after_help = "Examples:
  sextant map
  sextant map src/http --max-tokens 800
  sextant map --communities
  sextant map --communities --draw svg > map.svg
  sextant map --draw mermaid")]
    Map(CommandArgs<requests::Map>),
    /// List routes of HTTP, methods of gRPC services and topics of messages, with who serves and who asks them
    ///
    /// Both sides are read from the code: routes of frameworks, services of Protocol Buffers, and topics, with the functions
    /// that handle them and the requests that name them, over all indexes that are given. {} is a parameter of a path, * any
    /// method. What is only known when a program runs is not listed. Other commands take an endpoint for a name.
    #[command(after_help = "Examples:
  sextant endpoints
  sextant endpoints /users --path 'api/**'
  sextant endpoints 'POST /users/{id}'
  sextant endpoints --unserved --index shop/index --index web/index --format json
  sextant callers 'GET /users/{id}'

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Endpoints(CommandArgs<requests::Endpoints>),
    /// Find functions that are copies or near copies of each other, across files and repositories
    ///
    /// Functions with the same tokens are copies. Near copies share most of their runs of six tokens, or half of them if
    /// their vectors are almost the same too.
    #[command(after_help = "Examples:
  sextant duplicates
  sextant duplicates --path 'src/**' --min-lines 12
  sextant duplicates --index server/index --index client/index --format json

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Duplicates(CommandArgs<requests::Duplicates>),
    /// Ask the vectors of files: what is near, what matches, where a file changes its subject, clusters, terms and more
    ///
    /// A file's vector is the mean of those of its chunks, each times its bytes; a file without one has the vector of
    /// its names. Similarities are cosines.
    #[command(after_help = "Examples:
  sextant vectors nearest 'retry with back-off' --filter '*.rs'
  sextant vectors near-files src/pool.rs --filter '*_test.*' --min-score 0.5
  sextant vectors contrast 'http client' --unlike test
  sextant vectors explain src/pool.rs --query 'wait while none is free'
  sextant vectors boundaries src/app.py
  sextant vectors terms src/http
  sextant vectors similarity --draw svg > heat-map.svg
  sextant vectors stale --checkout .

Exit codes: 0 found, 1 nothing found, 2 error.")]
    Vectors(CommandArgs<requests::Vectors>),
    Pull(pull::Pull),
    List(list::List),
    Mcp(serve::Mcp),
    Serve(serve::Serve),
    Open(open::Open),
    Export(export::Export),
    Lsp(serve::Lsp),
    Watch(watch::Watch),
    Hook(hook::Hook),
    Eval(eval::Eval),
    Config(configuration::Show),
    /// Show what an index contains: repositories, languages, edges, skipped files, sizes
    Stats(CommandArgs<requests::Stats>),
    /// Check every digest of an index and every reference between its rows
    #[command(after_help = "Exit codes: 0 the index is intact, 1 it is damaged, 2 error.")]
    Verify(VerifyArgs),
    /// Print the JSON Schemas of a command's parameters and answer, by default of all commands
    Schema {
        /// Print only the schemas of this command
        #[arg(value_name = "COMMAND", value_parser = clap::builder::PossibleValuesParser::new(REQUESTS.iter().map(|c| c.name)))]
        command: Option<String>,
        /// Print a page in Markdown that describes all commands
        #[arg(long, conflicts_with = "command")]
        markdown: bool,
    },
    /// Print instructions for agents that read them, as a skill file
    #[command(after_help = "Examples:
  sextant skill
  sextant skill > .claude/skills/sextant/SKILL.md")]
    Skill {
        /// Accepted like by every other command, and not needed
        #[arg(long, value_name = "INDEX", hide = true)]
        index: Vec<std::path::PathBuf>,
    },
    /// Print a shell completion script
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages into a folder
    Manual {
        /// The folder; created if it does not exist
        folder: std::path::PathBuf,
    },
}

#[derive(clap::Args)]
struct VerifyArgs {
    #[command(flatten)]
    indexes: IndexArgs,
}

/// Runs the program.
#[must_use]
pub(crate) fn main() -> ExitCode {
    let parsed = command_line().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    sextant_diagnostics::start_logging(cli.verbose);
    // The full-text library may panic on a damaged index. Such a panic is reported as an error.
    sextant_diagnostics::install_panic_hook();
    let result = sextant_diagnostics::catch(|| run(cli.command));
    let failed = |error: &str, cause: Option<&dyn std::error::Error>, hint: Option<&str>| {
        anstream::eprint!("{}", sextant_diagnostics::report(error, cause, hint));
        ExitCode::from(2)
    };
    match result {
        Ok(Ok(code)) => match sextant_diagnostics::write_failure() {
            Some(error) => failed(&format!("the results could not be written: {error}"), None, None),
            None => code,
        },
        Ok(Err(error)) => failed(&error.to_string(), std::error::Error::source(&error), error.hint().as_deref()),
        Err(panic) => {
            let hint = "run 'sextant verify'; if the index is intact, please report this as a bug";
            failed(&format!("the command stopped unexpectedly: {panic}"), None, Some(hint))
        }
    }
}

/// Options of many commands, which the help of the program describes once.
const COMMON_OPTIONS: &[&str] = &["only", "max_indexes", "overlay", "encoder"];
const COMMON_OPTIONS_HELP: &str =
    "Further options of the commands that ask an index ('sextant manual' describes all of them):
      --overlay <PATH>   Answer for this checkout with its local edits (repeatable)
      --only <GLOB>      Of a pulled collection, ask only members with such names (repeatable)
      --max-indexes <N>  Of a pulled collection, ask at most so many members about a text
      --encoder <DIR>    Of commands that take a question: folder of the encoder, for an index built with
                         --model-by-reference";

/// The command line with a help that says once what many commands have, and each option in a line. Manual pages and
/// completions have all of it.
fn command_line() -> clap::Command {
    let has = |command: &clap::Command, id: &str| command.get_arguments().any(|option| option.get_id() == id);
    let asks_index = |command: &&clap::Command| has(command, COMMON_OPTIONS[0]);
    let mut program = Cli::command();
    let names: Vec<String> =
        program.get_subcommands().filter(asks_index).map(|command| command.get_name().to_owned()).collect();
    for name in names {
        program = program.mut_subcommand(name, |mut command| {
            for id in COMMON_OPTIONS.iter().filter(|id| has(&command, id)).collect::<Vec<_>>() {
                command = command.mut_arg(id, |option| option.hide_short_help(true));
            }
            let help = Arg::new("help").short('h').long("help").help("Print help").action(ArgAction::HelpShort);
            let after = command.get_after_help().map_or_else(String::new, |after| format!("{after}\n"));
            command.disable_help_flag(true).arg(help).after_help(after + "Further options: sextant --help")
        });
    }
    program.after_help(COMMON_OPTIONS_HELP)
}

fn run(command: Command) -> Result<ExitCode, Error> {
    match command {
        Command::Search(args) => ask::query(args),
        Command::Explore(args) => ask::query(args),
        Command::HybridSearch(args) => ask::hybrid(args),
        Command::Definition(args) => ask::ask_live(&args),
        Command::References(args) => ask::ask_live(&args),
        Command::Symbols(args) => ask::ask(&args),
        Command::Hover(args) => ask::ask_live(&args),
        Command::Callers(args) => ask::ask_live(&args),
        Command::Callees(args) => ask::ask(&args),
        Command::Impact(args) => ask::ask(&args),
        Command::Affected(args) => ask::affected(args),
        Command::Review(args) => ask::review(args),
        Command::Path(args) => ask::ask(&args),
        Command::Related(args) => ask::ask(&args),
        Command::Outline(args) => ask::ask(&args),
        Command::Show(args) => ask::ask(&args),
        Command::Grep(args) => ask::ask(&args),
        Command::Context(args) => ask::ask(&args),
        Command::Map(args) => ask::ask(&args),
        Command::Endpoints(args) => ask::ask(&args),
        Command::Duplicates(args) => ask::ask(&args),
        Command::Vectors(args) => ask::vectors(args),
        Command::Stats(args) => ask::ask(&args),
        Command::List(args) => list::list(&args),
        Command::Pull(args) => pull::pull(args),
        Command::Mcp(args) => serve::mcp(&args),
        Command::Serve(args) => serve::http(&args),
        Command::Open(args) => open::open(&args),
        Command::Export(args) => export::export(&args),
        Command::Lsp(args) => serve::lsp(&args),
        Command::Watch(args) => watch::watch(&args),
        Command::Hook(args) => Ok(hook::hook(&args)),
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
        Command::Skill { .. } => {
            print(include_str!("skill.md"));
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

fn verify(args: &VerifyArgs) -> Result<ExitCode, Error> {
    let folder = args.indexes.folder(&configuration::load()?)?;
    let opened = sextant_verify::open(&folder)?;
    let (name, content_id) = match &opened {
        Ok(generation) => (generation.name(), generation.manifest().content_id.as_str()),
        Err(_) => ("", ""),
    };
    let report = match &opened {
        Ok(generation) => &sextant_verify::verify(generation),
        Err(report) => report,
    };
    match args.indexes.format {
        Format::Json => print(&format!("{}\n", sextant_render::verify_json(name, content_id, report))),
        Format::Text => print(&sextant_render::verify_text(name, report)),
    }
    Ok(ExitCode::from(u8::from(!report.problems.is_empty())))
}

/// Writes manual pages, one for the program and one for each command.
fn manual(folder: &std::path::Path) -> Result<ExitCode, Error> {
    let write = || -> std::io::Result<()> {
        fs_err::create_dir_all(folder)?;
        clap_mangen::generate_to(Cli::command(), folder)
    };
    write().map_err(|error| Error::Usage(format!("the manual pages cannot be written: {error}")))?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn examples_of_the_skill_parse() {
        let text = include_str!("skill.md");
        let commands: Vec<&str> = text.split('`').filter(|code| code.starts_with("sextant ")).collect();
        assert!(commands.len() > 4);
        for command in commands {
            let parsed = Cli::command().try_get_matches_from(shlex::split(command).unwrap_or_default());
            assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
        }
    }

    #[test]
    fn examples_of_the_help_parse() {
        for command in Cli::command().get_subcommands() {
            let Some(help) = command.get_after_help() else { continue };
            for line in help.to_string().lines().map(str::trim).filter(|line| line.starts_with("sextant ")) {
                let line = line.split(" > ").next().unwrap_or(line).split("  #").next().unwrap_or(line);
                let words = shlex::split(line).unwrap_or_default();
                let parsed = Cli::command().try_get_matches_from(words);
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }
}
