//! `sextant-index pack`: an index into one file that can be downloaded in parts.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;
use sextant_format::generation::Generation;
use sextant_sync::pack::{Profile, pack};

use crate::progress::{Mode, Progress};

/// Pack an index into one file, which `sextant pull` downloads.
///
/// A pack holds the rows of the index in blocks that unchanged files share with every other pack of them, so that
/// whoever has an older index downloads what is new only. What follows from the rows is made again by `pull`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index pack ./index -o server.sxt
  sextant-index pack ./index -o server.sxt --profile full --base yesterday.sxt")]
pub(super) struct Pack {
    /// The index folder
    #[arg(default_value = "index", value_name = "INDEX")]
    index: PathBuf,
    /// The pack
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// 'query' holds what questions need, 'full' also the LanceDB table and what later builds take over
    #[arg(long, default_value = "query", value_name = "query|full")]
    profile: Profile,
    /// How hard text is compressed, as zstd counts it
    #[arg(long, default_value_t = 15, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
    /// Take blocks that are the same from an older pack instead of compressing them again
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// Sign the pack with this key of minisign's; SEXTANT_SIGN_PASSWORD holds its password
    #[arg(long, value_name = "KEY")]
    sign: Option<PathBuf>,
    /// Print a summary as JSON on standard output
    #[arg(long)]
    json: bool,
    /// Print errors only
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

pub(super) fn run(args: &Pack) -> anyhow::Result<ExitCode> {
    let generation = Generation::open(&args.index)?;
    let progress = Progress::new(Mode::from_flags(args.json, args.quiet));
    progress.stage("pack", None);
    let base = args.base.as_deref();
    let content_id = &generation.manifest().content_id;
    let sign = |index: &[u8]| match &args.sign {
        Some(key) => sextant_sync::sign::sign(key, index, &format!("content id {content_id}")).map(Some),
        None => Ok(None),
    };
    let packed = pack(&generation, &args.output, args.profile, args.level, base, sign, |_| progress.step())?;
    progress.finish();
    progress.event(|| {
        json!({
            "type": "summary",
            "content_id": generation.manifest().content_id,
            "profile": args.profile.to_string(),
            "bytes": packed.bytes,
            "blocks": packed.blocks,
            "parts": packed.parts.iter().map(|(part, bytes)| ((*part).to_owned(), json!(bytes))).collect::<serde_json::Map<_, _>>(),
            "reused": { "blocks": packed.reused.0, "bytes": packed.reused.1 },
        })
    });
    let taken = match packed.reused.0 {
        0 => String::new(),
        blocks => format!(", {blocks} of the base"),
    };
    progress.line(&format!("{} blocks, {} bytes{taken}: {}", packed.blocks, packed.bytes, args.output.display()));
    Ok(ExitCode::SUCCESS)
}
