//! The command line of `sextant-index`: options in, exit code out.
//!
//! Exit codes: 0 published (or whole), 1 published although a strict policy failed (or not whole),
//! 2 nothing published, 130 interrupted. Standard output carries results only.

mod build;
mod doctor;
mod keys;
mod overlay;
mod pack;
mod publish;
mod summary;
mod verify;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::build::{Interrupted, NothingToIndex};
use crate::interrupt;
use crate::memory::MemoryLimitExceeded;

/// Turns repositories into one portable index that `sextant` searches offline.
#[derive(Parser)]
#[command(name = "sextant-index", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(Box<build::Build>),
    Pack(pack::Pack),
    Publish(publish::Publish),
    Keys(keys::Keys),
    Verify(verify::Verify),
    Doctor(doctor::Doctor),
    Overlay(overlay::Overlay),
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
    // A panic of a worker is a row of the index, and any other one is an error like the rest.
    sextant_diagnostics::install_panic_hook();
    let result = sextant_diagnostics::catch(|| match cli.command {
        Command::Build(args) => build::run(*args),
        Command::Pack(args) => pack::run(&args),
        Command::Publish(args) => publish::run(&args),
        Command::Keys(args) => keys::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Overlay(args) => overlay::run(args),
        Command::Verify(args) => verify::run(&args),
    })
    .unwrap_or_else(|panic| Err(anyhow::anyhow!("the run stopped unexpectedly: {panic}")));
    result.unwrap_or_else(|error| {
        if error.is::<Interrupted>() {
            anstream::eprintln!("{error}; the previous index is as it was");
            return ExitCode::from(u8::try_from(interrupt::EXIT_INTERRUPTED).unwrap_or(130));
        }
        report(&error);
        ExitCode::from(2)
    })
}

fn report(error: &anyhow::Error) {
    anstream::eprintln!("error: {error}");
    for cause in error.chain().skip(1) {
        anstream::eprintln!("  cause: {cause}");
    }
    if let Some(hint) = hint(error) {
        anstream::eprintln!("\nhint: {hint}");
    }
}

fn hint(error: &anyhow::Error) -> Option<String> {
    if sextant_format::error::is_disk_full(error.as_ref()) {
        let hint = "free some space, or write the index to another disk with -o; the previous index is as it was";
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
            ErrorKind::NotFound => Some("check the path; folders are named as PATH or NAME=PATH".to_owned()),
            ErrorKind::PermissionDenied => {
                Some("the folder must be readable, and the index folder writable".to_owned())
            }
            _ => None,
        }
    })
}
