//! Writes results to standard output. It must not know what they are.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use clap::ValueEnum;

use crate::terminal;

/// The format of results.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Writes results to standard output. Errors are ignored, because a reader such as `head` may stop reading.
pub(crate) fn print(text: &str) {
    let text = if std::io::stdout().is_terminal() { terminal::sanitise(text) } else { Cow::Borrowed(text) };
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
