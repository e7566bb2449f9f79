//! The speed gate: fails if a kernel became slower, on any machine. It times each kernel and its reference in turn, and
//! compares the ratio of their shortest times with the committed ratio. A slow or noisy machine slows both, and other
//! processes hardly affect the shortest of many runs. The remaining noise is covered by a tolerance of 50 %.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;

/// Factor by which a ratio may grow before it counts as a regression.
const TOLERANCE: f64 = 1.5;
/// Minimum number of runs of each kernel and reference.
const MIN_RUNS: usize = 15;
/// Minimum total time of these runs.
const MIN_DURATION: Duration = Duration::from_millis(400);
/// Number of measurements before a kernel counts as too slow.
const ATTEMPTS: usize = 3;

/// Compares the kernels' times with the committed ratios; exit code 1 if one is slower.
#[derive(Parser)]
struct Args {
    /// The committed ratios
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/ratios.toml"))]
    ratios: PathBuf,
    /// Write the measured ratios instead of comparing them
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
        let head =
            "# Each kernel's shortest time divided by that of its reference; 'bench-gate --write' writes this.\n";
        fs_err::write(&args.ratios, format!("{head}{lines}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::from(u8::from(is_slower)))
}

/// Runs two functions in turn, and returns the shortest time of each.
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
