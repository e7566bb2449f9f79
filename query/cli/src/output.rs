//! Writes results to standard output. It must not know what they are.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use clap::ValueEnum;
use sextant_diagnostics::{keep_write_failure, sanitise};

/// The format of results.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Writes results to standard output. The program ends with an error if that fails, unless a reader such as `head` stops
/// reading.
pub(crate) fn print(text: &str) {
    let text = if std::io::stdout().is_terminal() { sanitise(text) } else { Cow::Borrowed(text) };
    let mut out = anstream::stdout().lock();
    keep_write_failure(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}
