//! `sextant-index highlight`: colours texts for `sextant serve`, which starts it when a page first shows source.

use std::io::{BufRead, Read, Write};
use std::process::ExitCode;

use anyhow::Context;
use serde::Deserialize;
use serde_json::json;
use sextant_highlight::Highlighter;

/// Bytes that are read of a line. The rest of a longer line is taken for a request, and rejected.
const MAX_REQUEST_BYTES: u64 = 64 << 20;

/// Answer each line of standard input, {"language": NAME, "text": TEXT}, by the classes of highlighting of the text
///
/// The answer is a line, too: {"spans": [[LINE, START, END, CLASS], ...]}; lines count from 1, START and END are offsets in
/// the line in bytes. 'sextant serve' runs this command, because the grammars are in this program.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  echo '{\"language\": \"rust\", \"text\": \"fn main() {}\"}' | sextant-index highlight")]
pub(super) struct Highlight {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    language: String,
    text: String,
}

pub(super) fn run(_: &Highlight) -> anyhow::Result<ExitCode> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut highlighter = Highlighter::new();
    let mut line = Vec::new();
    while input.by_ref().take(MAX_REQUEST_BYTES).read_until(b'\n', &mut line)? > 0 {
        let request: Request = serde_json::from_slice(&line).context("standard input has a line that is no request")?;
        let spans = highlighter.spans(&request.language, &request.text);
        let spans = spans.iter().map(|span| json!([span.line, span.start, span.end, span.class]));
        writeln!(output, "{}", json!({ "spans": spans.collect::<Vec<_>>() }))?;
        output.flush()?;
        line.clear();
    }
    Ok(ExitCode::SUCCESS)
}
