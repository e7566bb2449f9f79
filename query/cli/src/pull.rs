//! `sextant pull`: a pack, wherever it lies, into an index.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use sextant_sync::pack::{Profile, limit};

use crate::commands::{Format, print};
use crate::error::Error;
use sextant_sync::pull::{self, Reporter};

/// Download an index, or what is new of it
///
/// The pack is a path, an address of a web server (a release's asset too), or s3://BUCKET/KEY; of a place that
/// sextant-index publishes to, the latest pack of a branch. Where INDEX holds an older index, only what has changed is
/// fetched. A pull that was cut off goes on where it was. Every byte is checked before the index changes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant pull https://example.org/server.sxt
  sextant pull s3://indexes/server --branch main -o ~/indexes/server
  sextant pull ./server.sxt --key RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3

SEXTANT_TOKEN is sent to web servers that ask who you are; object stores are found and asked by the usual AWS_* variables.
Exit codes: 0 the index is that of the pack, 2 error; the index is as it was.")]
pub(crate) struct Pull {
    /// Where the pack is
    source: String,
    /// Of a place that packs are published to: the branch [default: the place's]
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    /// Of such a branch: the pack of this commit [default: the latest]
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
    /// The index folder
    #[arg(short, long, default_value = "index", value_name = "INDEX")]
    output: PathBuf,
    /// 'query' for questions, 'full' also for the LanceDB table and for builds
    #[arg(long, default_value = "query", value_name = "query|full")]
    profile: Profile,
    /// The public key that must have signed the pack: minisign's text, or its file
    #[arg(long, value_name = "KEY", env = "SEXTANT_KEY")]
    key: Option<String>,
    /// Parts that are fetched at once
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    parallel: u8,
    /// Refuse a pack that says it becomes more than this
    #[arg(long, default_value_t = limit::TOTAL_BYTES, value_name = "BYTES")]
    max_bytes: u64,
    /// How the summary is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print errors only
    #[arg(short, long)]
    quiet: bool,
}

/// A bar on a terminal, nothing elsewhere.
struct Bar(ProgressBar);

impl Bar {
    fn new(is_quiet: bool) -> Self {
        let is_shown = !is_quiet && std::io::stderr().is_terminal();
        let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self(ProgressBar::with_draw_target(None, target))
    }
}

impl Reporter for Bar {
    fn stage(&self, name: &'static str, steps: Option<u64>) {
        let template = match (name, steps) {
            ("fetch", Some(_)) => "{prefix:8} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta:>4}",
            ("fetch", None) => "{prefix:8} {spinner} {bytes} {bytes_per_sec}",
            (_, Some(_)) => "{prefix:8} {wide_bar} {pos}/{len} {eta:>4}",
            _ => "{prefix:8} {spinner} {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style);
        }
        self.0.set_prefix(name);
        self.0.set_position(0);
        match steps {
            Some(steps) => self.0.set_length(steps),
            None => self.0.enable_steady_tick(std::time::Duration::from_millis(200)),
        }
    }

    fn step(&self, steps: u64) {
        self.0.inc(steps);
    }
}

pub(crate) fn pull(args: Pull) -> Result<ExitCode, Error> {
    let bar = Bar::new(args.quiet);
    let (output, format, is_quiet) = (args.output.clone(), args.format, args.quiet);
    let pulled = pull::pull(
        &pull::PullOptions {
            source: args.source,
            branch: args.branch,
            commit: args.commit,
            index: args.output,
            profile: args.profile,
            key: args.key,
            parallel: usize::from(args.parallel),
            max_bytes: args.max_bytes,
        },
        &bar,
    );
    bar.0.finish_and_clear();
    let pulled = pulled?;
    if let Format::Json = format {
        let summary = json!({
            "schema_version": 1,
            "generation": pulled.generation,
            "content_id": pulled.content_id,
            "was_current": pulled.was_current,
            "pack_bytes": pulled.pack_bytes,
            "fetched_bytes": pulled.fetched_bytes,
            "blocks": pulled.blocks,
            "reused": pulled.reused,
            "resumed": pulled.resumed,
            "signature_checked": pulled.signature,
        });
        print(&format!("{summary}\n"));
        return Ok(ExitCode::SUCCESS);
    }
    if is_quiet {
        return Ok(ExitCode::SUCCESS);
    }
    let name = format!("{}/{}", output.display(), pulled.generation);
    if pulled.was_current {
        print(&format!("{name} is up to date\n"));
    } else {
        let share = 100.0 * pulled.fetched_bytes as f64 / pulled.pack_bytes.max(1) as f64;
        let (fetched, pack) = (pulled.fetched_bytes, pulled.pack_bytes);
        print(&format!("{name}: {fetched} of {pack} bytes fetched ({share:.1} %)\n"));
    }
    if pulled.signature == Some(false) {
        anstream::eprintln!("the pack is signed; --key KEY checks by whom");
    }
    Ok(ExitCode::SUCCESS)
}
