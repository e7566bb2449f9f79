//! Requests to the graph.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_format::kinds::Kind;
use sextant_search::navigate::{self, ReachedSymbol, Relation, TraversalOptions, parse_diff};
use sextant_search::{Edited, Index};

use super::Request;
use super::defaults::{fifty, sure};
use super::names::{more, not_found};
use crate::index_set::Answer;
use crate::responses::{Body, PathAnswer, ReachAnswer, Response};
use crate::{Error, IndexSet, Result};

/// Edges from a change to a test that are looked at where nothing else is said.
const AFFECTED_DEPTH: u32 = 6;
/// Edges of an impact where nothing else is said.
const IMPACT_DEPTH: u32 = 3;
/// Edges at most.
const MAX_DEPTH: u32 = 100;

/// How far and how sure.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
pub struct Reach {
    /// Edges from the start at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Leave out edges that are less sure, 0 to 1; guesses among several candidates are below 0.5
    #[arg(long, default_value_t = sure(), value_name = "0..1")]
    #[serde(default = "sure")]
    pub min_confidence: f32,
    /// How many results at most
    #[arg(short = 'n', long, default_value_t = fifty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "fifty")]
    pub limit: u16,
}

impl Reach {
    fn walk(&self, depth: u32) -> TraversalOptions {
        let depth = self.depth.unwrap_or(depth).min(MAX_DEPTH);
        TraversalOptions { depth, min_confidence: self.min_confidence, limit: usize::from(self.limit) }
    }
}

macro_rules! relation {
    ($(#[$doc:meta])* $name:ident, $relation:expr, $command:literal, $depth:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for all
            /// that a file defines. A name that several definitions have means all of them
            #[arg(value_name = "NAME")]
            pub name: String,
            /// How far, and how sure.
            #[command(flatten)]
            #[serde(flatten)]
            pub reach: Reach,
        }

        impl Request for $name {
            fn run(&self, indexes: &IndexSet) -> Result<Response> {
                let walk = self.reach.walk($depth);
                indexes.from_each(|index, edited| relation(index, edited, $command, $relation, &self.name, walk))
            }
        }
    };
}

relation!(
    /// Parameters of `callers`.
    Callers, Relation::Callers, "callers", 1
);
relation!(
    /// Parameters of `callees`.
    Callees, Relation::Callees, "callees", 1
);
relation!(
    /// Parameters of `impact`.
    Impact, Relation::Impact, "impact", IMPACT_DEPTH
);

fn relation(
    index: &Index,
    edited: &Edited,
    command: &'static str,
    relation: Relation,
    name: &str,
    walk: TraversalOptions,
) -> Result<Answer> {
    let found = index.resolve(name)?;
    if !found.definitions.is_empty() {
        let start: Vec<u32> = found.definitions.iter().map(|d| d.symbol_id).collect();
        let (reached, is_cut) = index.reach(&start, relation, walk)?;
        return Ok(reach_answer(ReachAnswer::new(command, found.definitions, Vec::new(), reached, is_cut, edited)));
    }
    // What is defined elsewhere is used here all the same; what it uses itself is not known.
    let externals = if relation == Relation::Callees { Vec::new() } else { index.externals(name)? };
    if externals.is_empty() {
        return Ok(not_found(name, found));
    }
    let (reached, is_cut) = index.reach_externals(&externals, relation, walk)?;
    Ok(reach_answer(ReachAnswer::new(command, Vec::new(), externals, reached, is_cut, edited)))
}

fn reach_answer(answer: ReachAnswer) -> Answer {
    let found = !answer.results.is_empty();
    let mut notes: Vec<String> = answer.truncated.then(more).into_iter().collect();
    if !found {
        notes.push("nothing found; --min-confidence 0 also shows guesses".to_owned());
    }
    Answer { body: Body::Reach(answer), notes, found }
}

/// Parameters of `affected`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Affected {
    /// Symbols and files; on the command line a diff is read from standard input where there are none
    #[arg(value_name = "NAME")]
    #[serde(default, deserialize_with = "super::texts")]
    pub names: Vec<String>,
    /// A diff as git writes it, against the state that is indexed
    #[arg(skip)]
    pub diff: Option<String>,
    /// How far, and how sure.
    #[command(flatten)]
    #[serde(flatten)]
    pub reach: Reach,
}

impl Request for Affected {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let mut notes = Vec::new();
            let mut start = Vec::new();
            if let Some(diff) = &self.diff {
                let changes = parse_diff(diff);
                if changes.is_empty() && self.names.is_empty() {
                    let what =
                        "the diff changes no file that existed before; name symbols or files, or pipe 'git diff'";
                    return Err(Error::Parameter(what.to_owned()));
                }
                let (ids, unknown) = index.touched_symbols(&changes)?;
                notes.extend(
                    unknown.iter().map(|path| format!("the index knows no symbol at the changed lines of {path}")),
                );
                start.extend(index.definitions(&ids)?);
            } else if self.names.is_empty() {
                return Err(Error::Parameter("name symbols or files, or give a diff".to_owned()));
            }
            for name in &self.names {
                let found = index.resolve(name)?;
                if found.definitions.is_empty() {
                    return Ok(not_found(name, found));
                }
                start.extend(found.definitions);
            }
            let (tests, is_cut) = tests_of(index, &start, &self.reach)?;
            let mut answer = reach_answer(ReachAnswer::new("affected", start, Vec::new(), tests, is_cut, edited));
            answer.notes.splice(0..0, notes);
            Ok(answer)
        })
    }
}

/// The tests that a change of symbols reaches, and whether there are more.
fn tests_of(index: &Index, start: &[navigate::Definition], reach: &Reach) -> Result<(Vec<ReachedSymbol>, bool)> {
    let ids: Vec<u32> = start.iter().map(|d| d.symbol_id).collect();
    // The limit is one of tests: what lies between is walked whatever it is.
    let all = TraversalOptions { limit: usize::MAX, ..reach.walk(AFFECTED_DEPTH) };
    let (reached, _) = index.reach(&ids, Relation::Impact, all)?;
    let mut tests: Vec<ReachedSymbol> = reached.into_iter().filter(|reached| reached.definition.is_test).collect();
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
    let limit = usize::from(reach.limit);
    let is_cut = tests.len() > limit;
    tests.truncate(limit);
    Ok((tests, is_cut))
}

/// Parameters of `path`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// FilterArgs the way begins
    #[arg(value_name = "FROM")]
    pub from: String,
    /// FilterArgs it ends
    #[arg(value_name = "TO")]
    pub to: String,
    /// Leave out edges that are less sure, 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "0..1")]
    #[serde(default)]
    pub min_confidence: f32,
}

impl Request for Path {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let mut ends = Vec::new();
            for name in [&self.from, &self.to] {
                let found = index.resolve(name)?;
                if found.definitions.is_empty() {
                    return Ok(not_found(name, found));
                }
                ends.push(found.definitions.iter().map(|d| d.symbol_id).collect::<Vec<u32>>());
            }
            let steps = index.strongest_path(&ends[0], &ends[1], self.min_confidence)?.unwrap_or_default();
            let found = !steps.is_empty();
            let mut notes = Vec::new();
            if !found {
                notes.push(format!("no path along calls from {} to {}", self.from, self.to));
            }
            Ok(Answer { body: Body::Path(PathAnswer::new(steps, edited)), notes, found })
        })
    }
}
