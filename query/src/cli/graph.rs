//! The commands that ask the graph.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use sextant_formats::kinds::Kind;

use super::{Format, Place, print};
use crate::navigate::{Found, Reached, Relation, Walk, parse_diff};
use crate::render::{self, Meant};
use crate::{Error, Index};

/// How far and how sure.
#[derive(clap::Args)]
struct Reach {
    /// Edges from the start at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Leave out edges that are less sure, 0 to 1; guesses among several candidates are below 0.5
    #[arg(long, default_value_t = 0.5, value_name = "0..1")]
    min_confidence: f32,
    /// How many results at most
    #[arg(short = 'n', long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    limit: u16,
}

/// A symbol and how far to go from it.
#[derive(clap::Args)]
pub(super) struct Asked {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    reach: Reach,
    /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for all that a
    /// file defines. A name that several definitions have means all of them
    #[arg(value_name = "NAME")]
    name: String,
}

/// Show the tests that a change reaches: of symbols, of files, or of a diff on standard input
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant affected Session.close src/pool.rs
  git diff | sextant affected
  git diff main | sextant affected --format json

A diff is read against the index as the state before it.
Exit codes: 0 tests found, 1 none, 2 error.")]
pub(super) struct Affected {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    reach: Reach,
    /// Symbols and files; a diff is read from standard input where there are none
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// Show the surest way along calls from one symbol to another
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant path main Session.close")]
pub(super) struct Path {
    #[command(flatten)]
    place: Place,
    /// Leave out edges that are less sure, 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "0..1")]
    min_confidence: f32,
    /// Where the way begins
    #[arg(value_name = "FROM")]
    from: String,
    /// Where it ends
    #[arg(value_name = "TO")]
    to: String,
}

/// Edges from a change to a test that are looked at where nothing else is said.
const AFFECTED_DEPTH: u32 = 6;
/// Edges of an impact where nothing else is said.
const IMPACT_DEPTH: u32 = 3;

pub(super) fn callers(args: &Asked) -> Result<ExitCode, Error> {
    relation("callers", Relation::Callers, args, 1)
}

pub(super) fn callees(args: &Asked) -> Result<ExitCode, Error> {
    relation("callees", Relation::Callees, args, 1)
}

pub(super) fn impact(args: &Asked) -> Result<ExitCode, Error> {
    relation("impact", Relation::Impact, args, IMPACT_DEPTH)
}

fn relation(command: &str, relation: Relation, args: &Asked, depth: u32) -> Result<ExitCode, Error> {
    let Asked { place, reach, name } = args;
    let index = place.open()?;
    let found = index.resolve(name)?;
    let mut meant = Meant { definitions: &found.definitions, externals: &[] };
    let externals;
    let (reached, is_cut) = if found.definitions.is_empty() {
        // What is defined elsewhere is used here all the same; what it uses itself is not known.
        externals = if relation == Relation::Callees { Vec::new() } else { index.externals(name)? };
        if externals.is_empty() {
            return Ok(nothing(name, &found));
        }
        meant.externals = &externals;
        index.reach_externals(&externals, relation, walk(reach, depth))?
    } else {
        let start: Vec<u32> = found.definitions.iter().map(|d| d.symbol_id).collect();
        index.reach(&start, relation, walk(reach, depth))?
    };
    answer(command, &index, place, meant, &reached, is_cut);
    Ok(ExitCode::from(u8::from(reached.is_empty())))
}

fn walk(reach: &Reach, depth: u32) -> Walk {
    Walk { depth: reach.depth.unwrap_or(depth), min_confidence: reach.min_confidence, limit: usize::from(reach.limit) }
}

pub(super) fn affected(args: &Affected) -> Result<ExitCode, Error> {
    let index = args.place.open()?;
    let start = if args.names.is_empty() {
        let mut diff = Vec::new();
        if !std::io::stdin().is_terminal() {
            std::io::stdin()
                .read_to_end(&mut diff)
                .map_err(|error| Error::Filter(format!("standard input: {error}")))?;
        }
        let changes = parse_diff(&String::from_utf8_lossy(&diff));
        if changes.is_empty() {
            let what = "standard input holds no diff of files that were there before; name symbols or files, or pipe 'git diff'";
            return Err(Error::Filter(what.to_owned()));
        }
        let (ids, unknown) = index.touched(&changes)?;
        for path in unknown {
            anstream::eprintln!("note: the index knows no symbol at the changed lines of {path}");
        }
        index.definitions(&ids)?
    } else {
        let mut all = Vec::new();
        for name in &args.names {
            let found = index.resolve(name)?;
            if found.definitions.is_empty() {
                return Ok(nothing(name, &found));
            }
            all.extend(found.definitions);
        }
        all
    };
    let ids: Vec<u32> = start.iter().map(|d| d.symbol_id).collect();
    // The limit is one of tests: what lies between is walked whatever it is.
    let all = Walk { limit: usize::MAX, ..walk(&args.reach, AFFECTED_DEPTH) };
    let (reached, _) = index.reach(&ids, Relation::Impact, all)?;
    let mut tests: Vec<Reached> = reached.into_iter().filter(|reached| reached.definition.is_test).collect();
    // A file stands for what it runs by itself; where one of its tests is known, that says more.
    let named: BTreeSet<(String, String)> = tests
        .iter()
        .map(|r| &r.definition)
        .filter(|d| d.kind != Kind::File)
        .map(|d| (d.repo.clone(), d.path.clone()))
        .collect();
    tests.retain(|r| {
        r.definition.kind != Kind::File || !named.contains(&(r.definition.repo.clone(), r.definition.path.clone()))
    });
    let limit = usize::from(args.reach.limit);
    let is_cut = tests.len() > limit;
    tests.truncate(limit);
    answer("affected", &index, &args.place, Meant { definitions: &start, externals: &[] }, &tests, is_cut);
    Ok(ExitCode::from(u8::from(tests.is_empty())))
}

pub(super) fn path(args: &Path) -> Result<ExitCode, Error> {
    let index = args.place.open()?;
    let mut ends = Vec::new();
    for name in [&args.from, &args.to] {
        let found = index.resolve(name)?;
        if found.definitions.is_empty() {
            return Ok(nothing(name, &found));
        }
        ends.push(found.definitions.iter().map(|d| d.symbol_id).collect::<Vec<u32>>());
    }
    let steps = index.strongest_path(&ends[0], &ends[1], args.min_confidence)?.unwrap_or_default();
    match args.place.format {
        Format::Json => print(&format!("{}\n", render::path_json(&steps))),
        Format::Text => {
            print(&render::path_text(&steps, one_repo(&index)));
            if steps.is_empty() {
                anstream::eprintln!("no way along calls from {} to {}", args.from, args.to);
            }
        }
    }
    Ok(ExitCode::from(u8::from(steps.is_empty())))
}

pub(super) fn one_repo(index: &Index) -> bool {
    index.generation().manifest().repositories.len() < 2
}

fn answer(command: &str, index: &Index, place: &Place, meant: Meant<'_>, reached: &[Reached], is_cut: bool) {
    match place.format {
        Format::Json => print(&format!("{}\n", render::reach_json(command, meant, reached, is_cut))),
        Format::Text => {
            print(&render::reach_text(meant, reached, one_repo(index)));
            if is_cut {
                anstream::eprintln!("note: there is more; --limit raises how much is shown");
            }
            if reached.is_empty() {
                anstream::eprintln!("nothing found; --min-confidence 0 also takes guesses");
            }
        }
    }
}

/// No definition has the name.
pub(super) fn nothing(name: &str, found: &Found) -> ExitCode {
    anstream::eprintln!("no definition is called '{name}'");
    if !found.suggestions.is_empty() {
        anstream::eprintln!("similar: {}", found.suggestions.join(", "));
    }
    ExitCode::from(1)
}
