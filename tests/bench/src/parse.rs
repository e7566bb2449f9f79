//! Measures a lower bound of indexing time with these parsers: reads, hashes and parses every file of a folder, and
//! does nothing else. Prints one line of JSON for each stage.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use anyhow::Context;
use clap::Parser;
use sextant_format::digest::Digest;
use sextant_index::model::Source;
use sextant_index::{read, walk};
use sextant_syntax::{analyze, language};

/// Reads, hashes and parses a folder.
#[derive(Parser)]
struct Args {
    /// The folder
    folder: PathBuf,
    /// Number of threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Ignore .gitignore and .ignore
    #[arg(long)]
    no_ignore: bool,
    /// Skip files larger than this, in bytes
    #[arg(long, default_value_t = 4 << 20)]
    max_file_bytes: u64,
}

/// Numbers of files and bytes that a stage processed.
#[derive(Default)]
struct StageTotals {
    files: AtomicU64,
    bytes: AtomicU64,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let root = fs_err::canonicalize(&args.folder)?;
    let selection = walk::Selection::new(&[], &[], !args.no_ignore).context("the selection is invalid")?;
    let repository = walk::Repository { name: "x".to_owned(), root };
    let begun = Instant::now();
    let (sources, _) = walk::walk(&[repository], &selection, args.threads, &|| false);
    report("walk", begun, sources.len() as u64, 0);
    stage("read", &args, &sources, |_, bytes, _| !bytes.is_empty());
    stage("hash", &args, &sources, |_, bytes, _| Digest::hash_bytes(bytes).0[0] < u8::MAX);
    stage("parse", &args, &sources, |parser, bytes, source| {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let Some(language) = language::detect(analyze::file_name(&source.path), text) else { return false };
        parser.set_language(&(language.grammar)()).is_ok() && parser.parse(bytes, None).is_some()
    });
    Ok(())
}

/// Calls a function with the bytes of every file, on `threads` threads. Counts the files for which it returns true.
fn stage(
    name: &str,
    args: &Args,
    sources: &[Source],
    work: impl Fn(&mut tree_sitter::Parser, &[u8], &Source) -> bool + Sync,
) {
    let (next, seen) = (AtomicUsize::new(0), StageTotals::default());
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(|| {
                let mut parser = tree_sitter::Parser::new();
                while let Some(source) = sources.get(next.fetch_add(1, Relaxed)) {
                    let Ok(bytes) = read::read(source, args.max_file_bytes) else { continue };
                    if work(&mut parser, &bytes, source) {
                        seen.files.fetch_add(1, Relaxed);
                        seen.bytes.fetch_add(bytes.len() as u64, Relaxed);
                    }
                }
            });
        }
    });
    report(name, begun, seen.files.load(Relaxed), seen.bytes.load(Relaxed));
}

fn report(stage: &str, begun: Instant, files: u64, bytes: u64) {
    let seconds = begun.elapsed().as_secs_f64();
    anstream::println!("{{\"stage\":\"{stage}\",\"seconds\":{seconds:.3},\"files\":{files},\"bytes\":{bytes}}}");
}
