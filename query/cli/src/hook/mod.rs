//! `sextant hook`: adds what the index knows to what an agent's own search and read tools print.

mod event;
mod knowledge;

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::configuration;
use crate::error::Error;
use crate::output::print;
use event::Event;
use knowledge::knowledge;
use sextant_search::Index;

/// The largest report that is read.
const MAX_EVENT: u64 = 16 << 20;

/// Add what the index knows to the results of an agent's own grep and read
///
/// The agent calls this after its tools and sends a report on standard input. The answer has at most 1 KB: where the
/// names of a pattern are defined, which symbols the found lines are in, who calls them. It is empty if the index knows
/// nothing. Lines of files that differ from the index are left out. 'sextant mcp --install claude-code --hook' prints the
/// configuration.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant mcp --install claude-code --hook --write --index ./index
  sextant hook --index ./index

Exit codes: 0 always, except 1 for an index or a report that cannot be read: code 2 would stop the agent.")]
pub(crate) struct Hook {
    /// Index folder (repeatable) [default: from sextant.toml, else ./index]
    #[arg(long, env = "SEXTANT_INDEX", value_name = "INDEX")]
    index: Vec<PathBuf>,
}

pub(crate) fn hook(args: &Hook) -> ExitCode {
    let error = match sextant_diagnostics::catch(|| answer(args)) {
        Ok(Ok(answer)) => {
            print(&answer);
            return ExitCode::SUCCESS;
        }
        Ok(Err(error)) => error.to_string(),
        Err(panic) => format!("the command stopped unexpectedly: {panic}"),
    };
    anstream::eprintln!("error: {}", sextant_diagnostics::sanitise(&error));
    ExitCode::from(1)
}

fn answer(args: &Hook) -> Result<String, Error> {
    let mut text = String::new();
    let unreadable = |error: &dyn std::fmt::Display| Error::Usage(format!("the report cannot be read: {error}"));
    std::io::stdin().lock().take(MAX_EVENT).read_to_string(&mut text).map_err(|error| unreadable(&error))?;
    let event: Event = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
    let asked = event.asked();
    let folders = match args.index.as_slice() {
        [] => vec![configuration::load()?.index.value],
        folders => folders.to_vec(),
    };
    let mut context = String::new();
    for folder in folders {
        context.push_str(&knowledge(&Index::open(&folder)?, &asked, &event.cwd)?);
    }
    if context.is_empty() {
        return Ok(String::new());
    }
    let context = format!("The code index (sextant) adds:\n{context}");
    let output = json!({"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": context}});
    Ok(format!("{output}\n"))
}
