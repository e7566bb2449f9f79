//! `sextant`: searches, reads and downloads indexes. The command line is in [`commands`].

mod ask;
mod collection;
mod commands;
mod configuration;
mod error;
mod eval;
mod export;
mod hook;
mod list;
mod live;
mod open;
mod output;
mod pull;
mod serve;
mod watch;

fn main() -> std::process::ExitCode {
    commands::main()
}
