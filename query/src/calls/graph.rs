//! The calls that ask the graph.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_formats::kinds::Kind;

use super::defaults::{fifty, sure};
use super::names::{more, nothing};
use super::{Answer, Call, Form, Sources, from_each};
use crate::navigate::{self, Reached, Relation, Walk, parse_diff};
use crate::render::{self, Meant};
use crate::{Error, Index, Result};

/// Edges from a change to a test that are looked at where nothing else is said.
const AFFECTED_DEPTH: u32 = 6;
/// Edges of an impact where nothing else is said.
const IMPACT_DEPTH: u32 = 3;
/// Edges at most.
const MOST_DEPTH: u32 = 100;

/// How far and how sure.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
pub struct Reach {
    /// Edges from the start at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_DEPTH)))]
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
    fn walk(&self, depth: u32) -> Walk {
        let depth = self.depth.unwrap_or(depth).min(MOST_DEPTH);
        Walk { depth, min_confidence: self.min_confidence, limit: usize::from(self.limit) }
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

        impl Call for $name {
            fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
                let walk = self.reach.walk($depth);
                from_each(sources, form, |index| relation(index, $command, $relation, &self.name, walk, sources, form))
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
    command: &str,
    relation: Relation,
    name: &str,
    walk: Walk,
    sources: &Sources,
    form: Form,
) -> Result<Answer> {
    let found = index.resolve(name)?;
    let mut meant = Meant { definitions: &found.definitions, externals: &[] };
    let externals;
    let (reached, is_cut) = if found.definitions.is_empty() {
        // What is defined elsewhere is used here all the same; what it uses itself is not known.
        externals = if relation == Relation::Callees { Vec::new() } else { index.externals(name)? };
        if externals.is_empty() {
            return Ok(nothing(name, &found, form));
        }
        meant.externals = &externals;
        index.reach_externals(&externals, relation, walk)?
    } else {
        let start: Vec<u32> = found.definitions.iter().map(|d| d.symbol_id).collect();
        index.reach(&start, relation, walk)?
    };
    Ok(reach_answer(command, meant, &reached, is_cut, sources, form))
}

fn reach_answer(
    command: &str,
    meant: Meant<'_>,
    reached: &[Reached],
    is_cut: bool,
    sources: &Sources,
    form: Form,
) -> Answer {
    let mut notes: Vec<String> = is_cut.then(more).into_iter().collect();
    if reached.is_empty() {
        notes.push("nothing found; --min-confidence 0 also takes guesses".to_owned());
    }
    let body = match form {
        Form::Json => render::reach_json(command, meant, reached, is_cut),
        Form::Text => render::reach_text(meant, reached, sources.one_repo()),
    };
    Answer { body, notes, found: !reached.is_empty() }
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

impl Call for Affected {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let mut notes = Vec::new();
            let mut start = Vec::new();
            if let Some(diff) = &self.diff {
                let changes = parse_diff(diff);
                if changes.is_empty() && self.names.is_empty() {
                    let what =
                        "there is no diff of files that were there before; name symbols or files, or pipe 'git diff'";
                    return Err(Error::Filter(what.to_owned()));
                }
                let (ids, unknown) = index.touched(&changes)?;
                notes.extend(
                    unknown.iter().map(|path| format!("the index knows no symbol at the changed lines of {path}")),
                );
                start.extend(index.definitions(&ids)?);
            } else if self.names.is_empty() {
                return Err(Error::Filter("name symbols or files, or give a diff".to_owned()));
            }
            for name in &self.names {
                let found = index.resolve(name)?;
                if found.definitions.is_empty() {
                    return Ok(nothing(name, &found, form));
                }
                start.extend(found.definitions);
            }
            let (tests, is_cut) = tests_of(index, &start, &self.reach)?;
            let meant = Meant { definitions: &start, externals: &[] };
            let mut answer = reach_answer("affected", meant, &tests, is_cut, sources, form);
            answer.notes.splice(0..0, notes);
            Ok(answer)
        })
    }
}

/// The tests that a change of symbols reaches, and whether there are more.
fn tests_of(index: &Index, start: &[navigate::Definition], reach: &Reach) -> Result<(Vec<Reached>, bool)> {
    let ids: Vec<u32> = start.iter().map(|d| d.symbol_id).collect();
    // The limit is one of tests: what lies between is walked whatever it is.
    let all = Walk { limit: usize::MAX, ..reach.walk(AFFECTED_DEPTH) };
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
    let limit = usize::from(reach.limit);
    let is_cut = tests.len() > limit;
    tests.truncate(limit);
    Ok((tests, is_cut))
}

/// Parameters of `path`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// Where the way begins
    #[arg(value_name = "FROM")]
    pub from: String,
    /// Where it ends
    #[arg(value_name = "TO")]
    pub to: String,
    /// Leave out edges that are less sure, 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "0..1")]
    #[serde(default)]
    pub min_confidence: f32,
}

impl Call for Path {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let mut ends = Vec::new();
            for name in [&self.from, &self.to] {
                let found = index.resolve(name)?;
                if found.definitions.is_empty() {
                    return Ok(nothing(name, &found, form));
                }
                ends.push(found.definitions.iter().map(|d| d.symbol_id).collect::<Vec<u32>>());
            }
            let steps = index.strongest_path(&ends[0], &ends[1], self.min_confidence)?.unwrap_or_default();
            let mut notes = Vec::new();
            if steps.is_empty() {
                notes.push(format!("no way along calls from {} to {}", self.from, self.to));
            }
            let body = match form {
                Form::Json => render::path_json(&steps),
                Form::Text => render::path_text(&steps, sources.one_repo()),
            };
            Ok(Answer { body, notes, found: !steps.is_empty() })
        })
    }
}
