//! The command line of `sextant-index`.
//!
//! Exit codes: 0 published (or an intact index), 1 published but a strict check failed (or a damaged index), 2 nothing
//! published, 130 interrupted. Only results are written to standard output.

mod build;
mod collection;
mod doctor;
mod enrich;
mod highlight;
mod keys;
mod overlay;
mod pack;
mod publish;
mod summary;
mod verify;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::build::NothingToIndex;
use crate::interrupt;
use crate::interrupt::Interrupted;
use crate::memory::MemoryLimitExceeded;

/// Build portable code indexes, which `sextant` searches offline
#[derive(Parser)]
#[command(name = "sextant-index", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Log what happens to standard error: -v the stages, -vv all details (or RUST_LOG=sextant_search=debug)
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    Build(Box<build::Build>),
    Enrich(Box<enrich::Enrich>),
    Pack(pack::Pack),
    Publish(publish::Publish),
    Plan(collection::PlanArgs),
    Shard(collection::ShardArgs),
    Merge(collection::MergeArgs),
    Keys(keys::Keys),
    Verify(verify::Verify),
    Doctor(doctor::Doctor),
    Overlay(overlay::Overlay),
    #[command(hide = true)]
    Highlight(highlight::Highlight),
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
    sextant_diagnostics::start_logging(cli.verbose);
    // A worker's panic becomes a skipped file. Any other panic is reported as an error.
    sextant_diagnostics::install_panic_hook();
    let result = sextant_diagnostics::catch(|| match cli.command {
        Command::Build(args) => build::run(*args),
        Command::Enrich(args) => enrich::run(&args),
        Command::Pack(args) => pack::run(&args),
        Command::Publish(args) => publish::run(&args),
        Command::Plan(args) => collection::plan(args),
        Command::Shard(args) => collection::shard(args),
        Command::Merge(args) => collection::run_merge(args),
        Command::Keys(args) => keys::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Overlay(args) => overlay::run(args),
        Command::Highlight(args) => highlight::run(&args),
        Command::Verify(args) => verify::run(&args),
    })
    .unwrap_or_else(|panic| Err(anyhow::anyhow!("the command stopped unexpectedly: {panic}")));
    let written = |code| match sextant_diagnostics::write_failure() {
        Some(error) => Err(anyhow::anyhow!("the results could not be written: {error}")),
        None => Ok(code),
    };
    result.and_then(written).unwrap_or_else(|error| {
        if error.is::<Interrupted>() {
            anstream::eprintln!("{error}; the previous index is unchanged");
            return ExitCode::from(u8::try_from(interrupt::EXIT_INTERRUPTED).unwrap_or(130));
        }
        report(&error);
        ExitCode::from(2)
    })
}

/// Prints an error with its causes and a hint.
fn report(error: &anyhow::Error) {
    anstream::eprint!("{}", sextant_diagnostics::report(&error.to_string(), error.source(), hint(error).as_deref()));
}

/// Returns a suggestion for how to fix an error, if there is one.
fn hint(error: &anyhow::Error) -> Option<String> {
    if sextant_format::error::is_disk_full(error.as_ref()) {
        let hint = "free some space, or write the index to another disk with -o; the previous index is unchanged";
        return Some(hint.to_owned());
    }
    error.chain().find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<NothingToIndex>() {
            return Some(error.hint().to_owned());
        }
        if let Some(error) = cause.downcast_ref::<MemoryLimitExceeded>() {
            return Some(error.hint().to_owned());
        }
        if let Some(error) = cause.downcast_ref::<sextant_format::Error>() {
            return error.hint();
        }
        if let Some(error) = cause.downcast_ref::<sextant_encoder::Error>() {
            return error.hint();
        }
        if let Some(error) = cause.downcast_ref::<sextant_enrich::Error>() {
            return error.hint();
        }
        if let Some(error) = cause.downcast_ref::<sextant_writer::Error>() {
            return error.hint();
        }
        if let Some(error) = cause.downcast_ref::<sextant_sync::Error>() {
            return error.hint();
        }
        if let Some(sextant_onnx::Error::LibraryNotFound(error)) = cause.downcast_ref::<sextant_onnx::Error>() {
            return Some(error.hint().to_owned());
        }
        match cause.downcast_ref::<std::io::Error>()?.kind() {
            ErrorKind::NotFound => Some("check the path; folders are given as PATH or NAME=PATH".to_owned()),
            ErrorKind::PermissionDenied => {
                Some("make the indexed folder readable and the index folder writable for this user".to_owned())
            }
            _ => None,
        }
    })
}
