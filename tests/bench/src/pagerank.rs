//! Compares algorithms for personalised PageRank over the graph of an index: local push as in searches, more exact
//! local pushes, and power iteration over the whole graph as the reference. Prints a table in Markdown.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use sextant_format::generation::{Generation, part};
use sextant_format::graph::Graph;
use sextant_format::ids::SymbolId;
use sextant_search::rank::{PushLimits, Weights, personalised_pagerank, power_iteration};

/// Compares ways to compute personalised PageRank.
#[derive(Parser)]
struct Args {
    /// The index folder
    index: PathBuf,
    /// Number of seeds of each question
    #[arg(long, default_value_t = 20)]
    seeds: usize,
    /// Number of questions
    #[arg(long, default_value_t = 200)]
    questions: usize,
    /// Number of these questions that power iteration also answers
    #[arg(long, default_value_t = 5)]
    exact: usize,
}

/// Number of iterations of the reference.
const ITERATIONS: usize = 20;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let graph = Graph::open(&Generation::open(&args.index)?.path(part::GRAPH))?;
    let nodes = u32::try_from(graph.nodes())?;
    ensure!(nodes > 0 && args.questions > 0, "there are no symbols or no questions");
    // Seeds with edges, from a fixed sequence (Knuth's multiplier), so that every run has the same questions.
    let mut state = 1_u64;
    let mut seed = || {
        for _ in 0..10_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let node = SymbolId::new(u32::try_from((state >> 33) % u64::from(nodes)).unwrap_or(0));
            if graph.out_edges(node).next().is_some() {
                return Some((node, 1.0));
            }
        }
        None
    };
    let mut questions = Vec::new();
    for _ in 0..args.questions {
        let seeds: Option<Vec<(SymbolId, f32)>> = (0..args.seeds).map(|_| seed()).collect();
        questions.push(seeds.context("the graph has no edges")?);
    }
    let mut exact = Vec::new();
    let mut times = Vec::new();
    for seeds in questions.iter().take(args.exact) {
        let started = Instant::now();
        exact.push(power_iteration(&graph, seeds, &Weights::STANDARD, ITERATIONS));
        times.push(started.elapsed());
    }
    let power = median(&mut times);
    anstream::println!("{nodes} symbols, {} seeds, {} questions", args.seeds, args.questions);
    anstream::println!("\n| way | median ms | p99 ms | largest error | of the mass |");
    anstream::println!("|---|---:|---:|---:|---:|");
    anstream::println!("| power iteration, {ITERATIONS} times | {:.2} | | | 1.000 |", ms(power));
    let standard = PushLimits::STANDARD;
    for push in
        [standard, PushLimits { epsilon: 1e-5, max_edges: 1 << 20 }, PushLimits { epsilon: 1e-6, max_edges: 1 << 24 }]
    {
        let (mut times, mut error, mut mass) = (Vec::new(), 0.0_f32, 0.0_f32);
        for (n, seeds) in questions.iter().enumerate() {
            let started = Instant::now();
            let reached = personalised_pagerank(&graph, seeds, &Weights::STANDARD, push);
            times.push(started.elapsed());
            if let Some(shares) = exact.get(n) {
                mass += reached.iter().map(|r| r.mass).sum::<f32>() / exact.len() as f32;
                let mut left = shares.clone();
                for r in &reached {
                    left[r.node.index()] -= r.mass;
                }
                error = left.iter().fold(error, |most, x| most.max(x.abs()));
            }
        }
        let middle = median(&mut times);
        let p99 = times[(times.len() - 1) * 99 / 100];
        let name = format!("push to {:.0e}, at most {} edges", push.epsilon, push.max_edges);
        anstream::println!("| {name} | {:.2} | {:.2} | {error:.1e} | {mass:.3} |", ms(middle), ms(p99));
    }
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
