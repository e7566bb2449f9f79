//! Log messages on standard error.

use std::io::IsTerminal;

use anstream::ColorChoice;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

/// What the names of our crates begin with.
const OUR_CRATES: &str = "sextant";

/// Shows log messages on standard error: none at verbosity 0, what the stages do (`info`) at 1, all details (`trace`)
/// from 2 on; of other libraries warnings only. `RUST_LOG` comes before this, by crate and level:
/// `RUST_LOG=sextant_search=debug`.
pub fn start_logging(verbosity: u8) {
    let level = match verbosity {
        0 => None,
        1 => Some("info"),
        _ => Some("trace"),
    };
    let directives = level.map_or_else(|| "off".to_owned(), |level| format!("warn,{OUR_CRATES}={level}"));
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(directives));
    let stderr = std::io::stderr();
    let is_coloured = stderr.is_terminal() && anstream::AutoStream::choice(&stderr) != ColorChoice::Never;
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(is_coloured)
        .without_time();
    // A second call, as in tests, changes nothing.
    let _ = subscriber.finish().try_init();
}
