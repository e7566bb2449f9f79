//! `sextant-index build`: runs a build from the command line's options and prints its summary.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;
use sextant_format::tables::MAX_FILE_BYTES;
use sextant_syntax::chunk::Limits;

use crate::ReuseOptions;
use crate::build::{BuildOptions, PublishedBuild, build};
use crate::embed::ModelChoice;
use crate::history::HistoryChoice;
use crate::interrupt;
use crate::memory::MemoryBudget;
use crate::progress::{Mode, Progress};
use crate::servers::{LanguageAnswers, ServerChoice, ServerOptions};
use crate::settings::{Embedding, Settings};
use sextant_resolve::scip::ScipSource;

/// Build an index of one or several folders
///
/// Files that .gitignore, .ignore or .sextantignore exclude are not indexed, except those that git tracks although a
/// .gitignore names them, nor are .git, node_modules, vendor and
/// similar folders unless --include names them. The index is published atomically: an existing index remains usable
/// until the new one is complete, and is unchanged if the build fails.
///
/// Memory is bounded by 16 files per thread, each of at most --max-file-bytes, plus the tables of symbols and references
/// and about 600 MB of buffers, whatever the number of files. --memory-limit makes the buffers smaller.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant-index build . -o ./index
  sextant-index build ~/src/server ui=~/src/web -o ./index --exclude '*.min.js'
  sextant-index build . -o ./index --include 'src/**' --model none
  sextant-index build . -o ./index --json --fail-on-skip
  sextant-index build . -o ./index --lsp python --lsp-seconds 1800

Exit codes: 0 published, 1 published but --fail-on-skip failed, 2 error, 130 interrupted; after 2 and 130 the previous
index is unchanged.")]
pub(super) struct Build {
    /// Folders to index; NAME=PATH names the repository, by default after its folder
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Index folder
    #[arg(short, long, default_value = "index", value_name = "INDEX")]
    output: PathBuf,
    /// Encoder: 'static' (built in), 'none', or a folder with a model.json
    #[arg(long, default_value = "static", value_name = "static|none|DIR")]
    model: ModelChoice,
    /// Store only the encoder's name and digest in the index; vector search then needs --encoder
    #[arg(long)]
    model_by_reference: bool,
    /// Number of vectors from which the LanceDB table gets an approximate index; sextant itself does not use one
    #[arg(long, default_value_t = 2_000_000, value_name = "VECTORS",
        value_parser = clap::value_parser!(u64).range(1..))]
    ann_threshold: u64,
    /// Worker threads [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Limit memory, such as to 2G or 800M: buffers are smaller, and on Linux a build that needs more ends with an
    /// error
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_limit: Option<u64>,
    /// Index only files that match this glob (repeatable); a glob without '/' matches names in any folder
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Exclude files that match this glob (repeatable)
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Import definitions and references from a SCIP index of a repository or its folder PREFIX (repeatable)
    #[arg(long, value_name = "FILE[=PREFIX]")]
    scip: Vec<ScipSource>,
    /// Ask a language server about the references of this language that rules do not resolve (repeatable). The server is
    /// looked up in PATH, or COMMAND is; it reads the checkout, which should have its dependencies installed
    #[arg(long, value_name = "LANGUAGE[=COMMAND]", help_heading = "Language servers")]
    lsp: Vec<ServerChoice>,
    /// Time for the server of each language; the next build asks the rest
    #[arg(long, default_value_t = 600, value_name = "SECONDS", help_heading = "Language servers",
        value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lsp_seconds: u64,
    /// Ignore .gitignore and .ignore; .sextantignore still applies
    #[arg(long)]
    no_ignore: bool,
    /// Leave out the git history: which commits changed each file. Search then ranks without it
    #[arg(long)]
    no_history: bool,
    /// Skip files larger than this
    #[arg(long, default_value_t = 4 << 20, value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(0..=MAX_FILE_BYTES))]
    max_file_bytes: u64,
    /// Divide symbols longer than this into blocks
    #[arg(long, default_value_t = Limits::STANDARD.divide_lines, value_name = "LINES", help_heading = "Chunks")]
    divide_lines: u32,
    /// Divide symbols longer than this into their outermost blocks only
    #[arg(long, default_value_t = Limits::STANDARD.outermost_lines, value_name = "LINES", help_heading = "Chunks")]
    outermost_lines: u32,
    /// Make no chunks of blocks shorter than this
    #[arg(long, default_value_t = Limits::STANDARD.block_lines, value_name = "LINES", help_heading = "Chunks")]
    block_lines: u32,
    /// Divide text outside symbols at the first blank line after this many lines
    #[arg(long, default_value_t = Limits::STANDARD.window_lines, value_name = "LINES", help_heading = "Chunks",
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    window_lines: u32,
    /// Embed no undocumented symbols shorter than this; full text and names still find them
    #[arg(long, default_value_t = Embedding::STANDARD.symbol_lines, value_name = "LINES", help_heading = "Chunks")]
    vector_symbol_lines: u32,
    /// Embed no text outside symbols shorter than this
    #[arg(long, default_value_t = Embedding::STANDARD.code_lines, value_name = "LINES", help_heading = "Chunks")]
    vector_code_lines: u32,
    /// Start from this index where it is nearer than the one in the output folder, and share its files by hard link:
    /// the second index of a repository, of a branch or a worktree, costs what differs
    #[arg(long, value_name = "INDEX", help_heading = "Reuse")]
    base: Option<PathBuf>,
    /// Reuse nothing and read every file; the result is the same
    #[arg(long, conflicts_with = "base", help_heading = "Reuse")]
    no_reuse: bool,
    /// Drop the summaries that 'enrich' wrote; otherwise unchanged chunks keep them
    #[arg(long, help_heading = "Reuse")]
    no_summaries: bool,
    /// Share analyses with other builds (of branches, checkouts, interrupted builds) in this folder
    #[arg(long, value_name = "DIR", env = "SEXTANT_CACHE", help_heading = "Reuse")]
    cache: Option<PathBuf>,
    /// Evict the oldest cache entries above this size
    #[arg(long, default_value_t = 20 << 30, value_name = "BYTES", help_heading = "Reuse")]
    max_cache_bytes: u64,
    /// Write a summary of the build in Markdown: what changed, what was reused
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// Print progress and a summary as JSON lines on standard output
    #[arg(long)]
    json: bool,
    /// Print errors only
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
    /// Exit with 1 if a file was skipped that is neither binary nor a link
    #[arg(long)]
    fail_on_skip: bool,
}

/// Parses a number of bytes with an optional unit; units are powers of 1024.
fn parse_size(text: &str) -> Result<u64, String> {
    let units = [("k", 10), ("m", 20), ("g", 30), ("t", 40)];
    let lower = text.to_ascii_lowercase();
    let plain = lower.strip_suffix("ib").or_else(|| lower.strip_suffix('b')).unwrap_or(&lower);
    let (number, shift) =
        units.iter().find_map(|(unit, shift)| Some((plain.strip_suffix(unit)?, *shift))).unwrap_or((plain, 0));
    let bytes = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.filter(|&bytes| bytes > 0).ok_or_else(|| format!("'{text}' is not a size; write it like 2G or 800M"))
}

/// The options that flags of `build` set; paths and output are the caller's.
///
/// # Errors
/// A flag is unknown or has a bad value.
pub(super) fn options_of_flags(flags: &[String]) -> anyhow::Result<BuildOptions> {
    #[derive(clap::Parser)]
    #[command(no_binary_name = true)]
    struct Flags {
        #[command(flatten)]
        build: Build,
    }
    let words = [".".to_owned()].into_iter().chain(flags.iter().cloned());
    // The message is made for a terminal; its first line says what is wrong.
    let flags = <Flags as clap::Parser>::try_parse_from(words)
        .map_err(|error| anyhow::anyhow!("{}", error.to_string().lines().next().unwrap_or_default()))?;
    Ok(options(&flags.build))
}

fn options(args: &Build) -> BuildOptions {
    let threads = args
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    BuildOptions {
        paths: args.paths.clone(),
        output: args.output.clone(),
        model: args.model.clone(),
        without_vector_table: false,
        ann_threshold: args.ann_threshold,
        model_by_reference: args.model_by_reference,
        threads,
        memory: MemoryBudget { limit: args.memory_limit },
        include: args.include.clone(),
        exclude: args.exclude.clone(),
        respect_gitignore: !args.no_ignore,
        without_summaries: args.no_summaries,
        history: if args.no_history { HistoryChoice::None } else { HistoryChoice::Checkouts },
        scip: args.scip.clone(),
        servers: ServerOptions { choices: args.lsp.clone(), time: Duration::from_secs(args.lsp_seconds), base: None },
        reuse: ReuseOptions {
            base: args.base.clone(),
            cache: args.cache.clone(),
            max_cache_bytes: args.max_cache_bytes,
            stores: Vec::new(),
            disabled: args.no_reuse,
        },
        settings: Settings {
            max_file_bytes: args.max_file_bytes,
            embedding: Embedding { symbol_lines: args.vector_symbol_lines, code_lines: args.vector_code_lines },
            limits: Limits {
                divide_lines: args.divide_lines,
                outermost_lines: args.outermost_lines,
                block_lines: args.block_lines,
                window_lines: args.window_lines,
                window_max_lines: args.window_lines.saturating_mul(2),
                ..Limits::STANDARD
            },
        },
    }
}

pub(super) fn run(args: Build) -> anyhow::Result<ExitCode> {
    interrupt::install()?;
    let options = options(&args);
    if let Some(path) = &args.summary {
        // Report a file that cannot be written before the build starts.
        fs_err::OpenOptions::new().create(true).append(true).open(path)?;
    }
    let progress = Progress::new(Mode::from_flags(args.json, args.quiet));
    let started = Instant::now();
    let built = build(&options, &progress);
    progress.finish();
    let built = built?;
    let seconds = started.elapsed().as_secs_f64();
    print_summary(&options, &built, seconds, &progress);
    if let Some(path) = args.summary {
        fs_err::write(path, super::summary::summary_markdown(&built, seconds))?;
    }
    let has_failed = args.fail_on_skip && built.unexpected_skips > 0;
    if has_failed {
        anstream::eprintln!(
            "error: {} files were skipped and --fail-on-skip is set; skipped.parquet lists the reasons",
            built.unexpected_skips
        );
    }
    Ok(ExitCode::from(u8::from(has_failed)))
}

/// Prints the summary of a build: one JSON event, or lines for people.
fn print_summary(options: &BuildOptions, built: &PublishedBuild, seconds: f64, progress: &Progress) {
    let counts = &built.counts;
    let skipped: u64 = counts.skipped.values().sum();
    progress.event(|| {
        let stages: serde_json::Map<_, _> =
            built.stages.iter().map(|(stage, took)| ((*stage).to_owned(), json!(took.as_secs_f64()))).collect();
        json!({
            "type": "summary",
            "generation": built.generation,
            "content_id": built.content_id,
            "seconds": seconds,
            "stages": stages,
            "peak_bytes": crate::memory::peak_bytes(),
            "workers": {
                "analyze_seconds": built.worker_stats.analyze_seconds(),
                "embed_seconds": built.worker_stats.embed_seconds(),
                "tokens": built.worker_stats.tokens(),
            },
            "reuse": {
                "unchanged": built.reuse.unchanged,
                "from_base": built.reuse.from_base,
                "analyses": built.reuse.analyses,
                "vectors": built.reuse.vectors,
                "resolved_files": counts.resolved_files,
                "reasons": built.reuse.miss_reasons,
            },
            "changes": built.changes.as_ref().map(|changes| {
                json!({
                    "added": changes.added.len(),
                    "changed": changes.changed.len(),
                    "removed": changes.removed.len(),
                })
            }),
            "files": counts.files,
            "bytes": counts.bytes,
            "lines": counts.lines,
            "chunks": counts.chunks,
            "symbols": counts.symbols,
            "edges": counts.edges,
            "external_symbols": counts.external_symbols,
            "graph_edges": counts.graph_edges,
            "vectors": counts.vectors,
            "summaries": counts.summaries,
            "unembedded_share": unembedded_share(built),
            "resolutions": counts.resolutions,
            "languages": counts.languages,
            "parse_status": counts.statuses,
            "skipped": counts.skipped,
            "lsp": built.server_answers.iter().map(|(language, answers)| {
                (language.clone(), json!({
                    "doubts": answers.doubts,
                    "resolved": answers.resolved,
                    "outside": answers.outside,
                    "unknown": answers.unknown,
                    "known_before": answers.known,
                    "left": answers.left,
                    "why": answers.why,
                }))
            }).collect::<serde_json::Map<_, _>>(),
            "scip": { "documents": counts.scip.documents, "used": counts.scip.used, "stale": counts.scip.stale },
        })
    });
    progress.line(&format!(
        "{} files, {} lines: {} chunks, {} symbols, {} edges, {} vectors in {seconds:.1} s",
        counts.files, counts.lines, counts.chunks, counts.symbols, counts.edges, counts.vectors
    ));
    if built.reuse.unchanged {
        progress.line("nothing has changed; the index is up to date");
    } else if built.reuse.analyses > 0 {
        let share = 100.0 * built.reuse.analyses as f64 / counts.files.max(1) as f64;
        progress.line(&format!(
            "reused: {} of {} files ({share:.1} %); references of {} files were resolved",
            built.reuse.analyses, counts.files, counts.resolved_files
        ));
    }
    for reason in &built.reuse.miss_reasons {
        progress.line(&format!("not reused: {reason}"));
    }
    if let Some(share) = unembedded_share(built) {
        progress.line(&format!("{:.0} % of the chunks need no vector", share * 100.0));
    }
    if counts.summaries > 0 && !built.reuse.unchanged {
        progress.line(&format!("{} chunks keep their summary; 'enrich' asks about the others", counts.summaries));
    }
    for (language, answers) in &built.server_answers {
        let LanguageAnswers { doubts, resolved, outside, unknown, left, .. } = answers;
        let why = answers.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        progress.line(&format!(
            "language server, {language}: of {doubts} references {resolved} resolved, {outside} defined elsewhere, \
             {unknown} unknown, {left} left for the next build{why}"
        ));
    }
    if counts.scip.documents > 0 {
        let crate::ScipCounts { documents, used, stale } = counts.scip;
        progress.line(&format!(
            "SCIP: {used} of {documents} documents used, {stale} of other versions of files, {} of files not indexed",
            documents.saturating_sub(used + stale)
        ));
    }
    if skipped > 0 {
        let reasons: Vec<String> = counts.skipped.iter().map(|(reason, n)| format!("{n} {reason}")).collect();
        progress.line(&format!("skipped {skipped}: {}", reasons.join(", ")));
    }
    progress.line(&format!("published {}/{}", options.output.display(), built.generation));
}

/// Returns the share of chunks without a vector, 0 to 1; none if the index has no vectors.
fn unembedded_share(built: &PublishedBuild) -> Option<f64> {
    let counts = &built.counts;
    (counts.vectors > 0).then(|| 1.0 - counts.vectors as f64 / counts.chunks.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::parse_size;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [("7", 7), ("2k", 2 << 10), ("800M", 800 << 20), ("2GiB", 2 << 30), ("1 tb", 1 << 40)] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "0", "G", "-1M", "1.5G", "99999999999T", "2X", "2gbb"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
