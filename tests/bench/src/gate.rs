//! Holds the kernels to limits, on any machine: each is timed beside its reference, the two in turn, and the ratio of
//! the shortest times is compared with the one that is committed. A machine that is slow or noisy is so for both, and
//! the shortest of many runs is hardly touched by others; what is left is held to half as much again.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;

/// A ratio may grow by this before it is a regression.
const TOLERANCE: f64 = 1.5;
/// Times that each is run at least, and for how long at least.
const MIN_RUNS: usize = 15;
/// See [`MIN_RUNS`].
const MIN_DURATION: Duration = Duration::from_millis(400);
/// A kernel that seems too slow is measured again so often.
const ATTEMPTS: usize = 3;

/// Compares the kernels' times with the committed ratios; exit code 1 says that one is slower.
#[derive(Parser)]
struct Args {
    /// The committed ratios
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/ratios.toml"))]
    ratios: PathBuf,
    /// Write the ratios that are measured now
    #[arg(long)]
    write: bool,
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let scratch = tempfile::tempdir()?;
    let committed: BTreeMap<String, f64> = match fs_err::read_to_string(&args.ratios) {
        Ok(text) => toml::from_str(&text).with_context(|| args.ratios.display().to_string())?,
        Err(_) if args.write => BTreeMap::new(),
        Err(error) => return Err(error.into()),
    };
    let mut measured = BTreeMap::new();
    let mut is_slower = false;
    for mut kernel in sextant_bench::kernels(scratch.path())? {
        let limit = committed.get(kernel.name).map(|ratio| ratio * TOLERANCE);
        let mut ratio = f64::INFINITY;
        for _ in 0..ATTEMPTS {
            let (own, other) = shortest(&mut kernel.run, &mut kernel.reference);
            ratio = ratio.min(own.as_secs_f64() / other.as_secs_f64().max(1e-9));
            if limit.is_none_or(|limit| ratio <= limit) {
                break;
            }
        }
        let verdict = match limit {
            None if args.write => "new",
            None => "not committed",
            Some(limit) if ratio > limit => "SLOWER",
            Some(_) => "ok",
        };
        is_slower |= verdict == "SLOWER" || verdict == "not committed";
        let limit_text = committed.get(kernel.name).map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}"));
        anstream::println!("{:12} {ratio:8.3} of its reference, committed {limit_text:>7}: {verdict}", kernel.name);
        measured.insert(kernel.name.to_owned(), (ratio * 1000.0).round() / 1000.0);
    }
    if args.write {
        let lines: String = measured.iter().map(|(name, ratio)| format!("{name} = {ratio}\n")).collect();
        let head = "# Each kernel's shortest time in shares of its reference's; 'bench-gate --write' writes this.\n";
        fs_err::write(&args.ratios, format!("{head}{lines}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::from(u8::from(is_slower)))
}

/// The shortest times of two pieces of work that are done in turn.
fn shortest(one: &mut dyn FnMut() -> u64, other: &mut dyn FnMut() -> u64) -> (Duration, Duration) {
    let mut best = (Duration::MAX, Duration::MAX);
    let started = Instant::now();
    let mut runs = 0;
    while runs < MIN_RUNS || started.elapsed() < MIN_DURATION {
        best = (best.0.min(time(one)), best.1.min(time(other)));
        runs += 1;
    }
    best
}

fn time(work: &mut dyn FnMut() -> u64) -> Duration {
    let started = Instant::now();
    black_box(work());
    started.elapsed()
}
