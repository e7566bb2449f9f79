//! `sextant watch`: keeps the overlay of a checkout current as files are saved.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;
use sextant_api::overlay::{CurrentIndex, OverlayIndex, cache_folder};
use sextant_server::Watcher;

use crate::configuration;
use crate::error::Error;
use crate::output::{Format, print};
use crate::serve::Indexes;

/// How often a checkout is compared that cannot be watched.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How long the watcher waits at once.
const MAX_SLEEP: Duration = Duration::from_secs(3600);

/// Keep the overlay of a checkout current as files are saved, until Ctrl-C
///
/// Commands with --overlay then answer at once for the files as they are. Prints a line when the overlay has changed.
/// 'serve', 'mcp' and 'lsp' with --overlay watch their checkouts themselves.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant watch
  sextant watch --index server/index --overlay server=~/src/server
  sextant watch --format json")]
pub(crate) struct Watch {
    #[command(flatten)]
    indexes: Indexes,
    /// Output format: text, or one JSON object per line
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    format: Format,
}

/// Watches until the program is stopped.
pub(crate) fn watch(args: &Watch) -> Result<ExitCode, Error> {
    let config = configuration::load()?;
    let overlays = args.indexes.overlays(&config, &[".".to_owned()])?;
    let overlays: Vec<OverlayIndex> = overlays.into_iter().filter(OverlayIndex::has_checkouts).collect();
    let below: Vec<_> = overlays.iter().flat_map(OverlayIndex::checkout_folders).collect();
    let inside: Vec<_> = overlays.iter().map(|overlay| overlay.as_ref().to_owned()).collect();
    let watcher = Watcher::new(&below, &inside, cache_folder().into_iter().collect(), || ());
    if let Err(error) = &watcher {
        anstream::eprintln!("warning: {error}; comparing every {} s", POLL_INTERVAL.as_secs());
    }
    let mut known: Vec<Option<CurrentIndex>> = overlays.iter().map(|_| None).collect();
    loop {
        for (overlay, known) in overlays.iter().zip(&mut known) {
            let began = Instant::now();
            match overlay.refresh(true) {
                Ok(current) if known.as_ref() == Some(&current) => {}
                Ok(current) => {
                    report(overlay, &current, began.elapsed(), args.format);
                    *known = Some(current);
                }
                // Later, a file may be half written.
                Err(error) if known.is_some() => anstream::eprintln!("warning: still the previous overlay: {error}"),
                Err(error) => return Err(error.into()),
            }
        }
        match &watcher {
            Ok((watcher, _)) => while !watcher.wait(MAX_SLEEP) {},
            Err(_) => std::thread::sleep(POLL_INTERVAL),
        }
    }
}

fn report(overlay: &OverlayIndex, current: &CurrentIndex, took: Duration, format: Format) {
    let index = overlay.as_ref().display();
    let seconds = took.as_secs_f64();
    let files: Vec<(&str, &str)> = current.dirty_files.iter().collect();
    let line = match format {
        Format::Json => json!({
            "schema_version": 1,
            "index": index.to_string(),
            "overlay": current.folder,
            "content_id": current.content_id,
            "edited": files.iter().map(|(repo, path)| json!({"repo": repo, "path": path})).collect::<Vec<_>>(),
            "seconds": seconds,
        })
        .to_string(),
        Format::Text => {
            let count = match files.len() {
                0 => "no edited files".to_owned(),
                1 => format!("1 edited file: {}", files[0].1),
                count => format!("{count} edited files"),
            };
            format!("{index}: {count} ({seconds:.1} s)")
        }
    };
    print(&format!("{line}\n"));
}
