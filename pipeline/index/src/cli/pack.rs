//! `sextant-index pack`: packs an index into one file that can be downloaded in parts.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;
use sextant_format::generation::Generation;
use sextant_sync::pack::Profile;

use crate::pack::{PackSettings, pack_generation};
use crate::progress::{Mode, Progress};

/// Pack an index into one file, which 'sextant pull' downloads
///
/// A pack contains the rows of the index in blocks. Unchanged files give the same blocks in every pack, so a client with
/// an older index downloads only what is new. 'sextant pull' rebuilds everything that follows from the rows.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index pack ./index -o server.sxt
  sextant-index pack ./index -o server.sxt --profile full --base yesterday.sxt")]
pub(super) struct Pack {
    /// Index folder
    #[arg(default_value = "index", value_name = "INDEX")]
    index: PathBuf,
    /// Pack to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// 'query' is enough to search; 'overlay' adds what answers with --overlay need in order not to analyse the whole
    /// checkout at first; 'full' also adds the LanceDB table and what later builds reuse
    #[arg(long, default_value = "query", value_name = "query|overlay|full")]
    profile: Profile,
    /// Compression level of zstd
    #[arg(long, default_value_t = 15, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
    /// Copy unchanged blocks from this older pack instead of compressing them again
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// Sign the pack with this minisign key; SEXTANT_SIGN_PASSWORD is its password
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
    let settings = PackSettings { profile: args.profile, level: args.level, base };
    let packed = pack_generation(&generation, &args.output, settings, sign, |_| progress.step())?;
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
    let copied = match packed.reused.0 {
        0 => String::new(),
        blocks => format!(", {blocks} blocks from the base"),
    };
    progress.line(&format!("{} blocks, {} bytes{copied}: {}", packed.blocks, packed.bytes, args.output.display()));
    Ok(ExitCode::SUCCESS)
}
