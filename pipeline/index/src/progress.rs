//! Progress of a build: a bar on a terminal, JSON lines with `--json`, or nothing.
//! Workers never print; the sink calls this from one thread.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use sextant_diagnostics::{keep_write_failure, sanitise};

/// Writes a line of results to standard output. The program ends with an error if that fails.
pub(crate) fn print_line(line: &impl Display) {
    let mut out = anstream::stdout().lock();
    keep_write_failure(writeln!(out, "{line}").and_then(|()| out.flush()));
}

/// How a build reports its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A bar if standard error is a terminal, and a summary.
    Human,
    /// Events as JSON lines on standard output.
    Json,
    /// Errors only.
    Quiet,
}

impl Mode {
    /// Returns the mode that `--json` and `--quiet` select.
    #[must_use]
    pub const fn from_flags(json: bool, quiet: bool) -> Self {
        match (json, quiet) {
            (true, _) => Self::Json,
            (_, true) => Self::Quiet,
            _ => Self::Human,
        }
    }
}

/// Reports the progress of one build.
pub struct Progress {
    mode: Mode,
    bar: ProgressBar,
}

impl Progress {
    /// Creates a reporter; the bar appears with the first stage.
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        let is_shown = mode == Mode::Human && std::io::stderr().is_terminal();
        let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { mode, bar: ProgressBar::with_draw_target(None, target) }
    }

    /// Starts a stage of `steps` steps, if their number is known.
    pub fn stage(&self, name: &'static str, steps: Option<u64>) {
        let template = if steps.is_some() {
            "{prefix:9} {wide_bar} {pos}/{len} {eta:>4}"
        } else {
            "{prefix:9} {spinner} {elapsed}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_prefix(name);
        self.bar.set_position(0);
        match steps {
            Some(steps) => self.bar.set_length(steps),
            None => self.bar.enable_steady_tick(Duration::from_millis(200)),
        }
        self.event(|| json!({"type": "stage", "name": name, "steps": steps}));
    }

    /// Advances the stage by one step.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Prints an event as a JSON line, with `--json` only.
    pub fn event(&self, event: impl FnOnce() -> Value) {
        if self.mode == Mode::Json {
            let mut event = event();
            if let Some(fields) = event.as_object_mut() {
                fields.insert("schema_version".to_owned(), json!(1));
            }
            print_line(&event);
        }
    }

    /// Prints a line for people, above the bar.
    pub fn line(&self, text: &str) {
        if self.mode == Mode::Human {
            self.bar.suspend(|| anstream::eprintln!("{}", sanitise(text)));
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
