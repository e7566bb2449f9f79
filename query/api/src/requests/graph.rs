//! Requests that traverse the graph.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;
use sextant_format::tables::ExternalRow;
use sextant_search::navigate::{
    self, Dispatch, MentionOptions, Navigator, ReachedSymbol, Relation, ResolvedName, TraversalOptions,
};
use sextant_search::{DirtyFiles, Filters};

use super::call_notes::{
    called_below_note, guesses_hint, guesses_note, other_uses, unexamined_note, unfollowed_note, unreached_notes,
};
use super::defaults::{fifty, sure};
use super::live::{self, Asking, LiveRequest};
use super::names::{left_out_notes, mentioned, missing_notes, more, not_found};
use super::parameter::texts;
use super::walk::{EdgeText, Walk};
use super::{Request, Subject};
use crate::index_set::Answer;
use crate::links::{Linked, Links};
use crate::responses::{Body, Mentions, NotFound, PathAnswer, ReachAnswer, Response};
use crate::text_form::DrawFormat;
use crate::{Error, IndexSet, NamedIndex, Result};

/// The default depth of `impact`.
const IMPACT_DEPTH: u32 = 3;
/// Names of which `callers` lists the lines without an edge.
const MAX_MENTIONED_NAMES: usize = 16;
/// A name in more chunks than this is not examined by `callers`: it must answer at once.
const MAX_CALLER_CHUNKS: usize = 200;
/// Names without a call whose other uses are counted.
const MAX_UNREACHED: usize = 8;
/// Lines without an edge that `callers` lists for a name.
const MAX_CALLER_MENTIONS: usize = 8;
/// Definitions whose possible calls are looked for: of more, such as those of a file, nobody reads them.
const MAX_DISPATCHED: usize = 20;
/// Lines of context at most.
const MAX_CONTEXT: u32 = 50;
/// The maximum depth of a traversal.
const MAX_DEPTH: u32 = 100;

/// Limits of a traversal: depth, confidence, number of results.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
pub struct Reach {
    /// Maximum number of edges from the start [default: 1 for callers and callees, 3 for impact, 6 for affected]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Ignore edges below this confidence, 0 to 1; guesses by a name alone are below 0.5
    #[arg(long, default_value_t = sure(), value_name = "0..1")]
    #[serde(default = "sure")]
    pub min_confidence: f32,
    /// Maximum number of results
    #[arg(short = 'n', long, default_value_t = fifty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "fifty")]
    pub limit: u16,
}

impl Reach {
    pub(super) fn traversal(&self, default_depth: u32) -> TraversalOptions {
        let depth = self.depth.unwrap_or(default_depth).min(MAX_DEPTH);
        TraversalOptions { depth, min_confidence: self.min_confidence, limit: usize::from(self.limit) }
    }
}

macro_rules! relation {
    ($(#[$doc:meta])* $name:ident, $relation:expr, $command:literal, $depth:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Symbols: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for everything
            /// that a file defines. If several definitions have a name, all of them are used
            #[arg(value_name = "NAME", required = true)]
            #[serde(deserialize_with = "texts", alias = "name")]
            pub names: Vec<String>,
            /// Only in files that match this glob (repeatable)
            #[arg(long, value_name = "GLOB")]
            #[serde(default, deserialize_with = "texts")]
            pub path: Vec<String>,
            /// Limits of the traversal.
            #[command(flatten)]
            #[serde(flatten)]
            pub reach: Reach,
            /// Draw the symbols in layers: what uses stands left of what is used
            #[arg(long, value_enum, default_value_t = DrawFormat::Text)]
            #[serde(default)]
            pub draw: DrawFormat,
        }

        impl Request for $name {
            fn subject(&self) -> Subject {
                Subject::Names(self.names.clone())
            }

            fn filters(&self) -> Filters {
                Filters { paths: self.path.clone(), ..Filters::default() }
            }

            fn leads_further(&self) -> bool {
                // What is called is in no vocabulary with the name of the caller.
                matches!($relation, Relation::Callees) || self.reach.traversal($depth).depth > 1
            }

            fn follows_endpoints(&self) -> bool {
                true
            }

            fn run(&self, indexes: &IndexSet) -> Result<Response> {
                let paths = indexes.path_globs(&self.path)?;
                let walk = Walk { traversal: self.reach.traversal($depth), paths, text: EdgeText::None };
                let starts = Starts::of(indexes, $relation, &self.names, walk.traversal)?;
                indexes.answer_numbered(|at, index, dirty_files| {
                    let navigator = Navigator::new(index);
                    let starts = starts.at(at);
                    let answer =
                        relation(navigator, dirty_files, $command, $relation, starts, &walk, |_, _| Ok(()))?;
                    Ok(answer.with_drawing(self.draw))
                })
            }
        }
    };
}

/// Parameters of `callers`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Callers {
    /// Symbols: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for everything that a
    /// file defines. If several definitions have a name, all of them are used
    #[arg(value_name = "NAME", required = true)]
    #[serde(deserialize_with = "texts", alias = "name")]
    pub names: Vec<String>,
    /// Only in files that match this glob (repeatable)
    #[arg(long, value_name = "GLOB")]
    #[serde(default, deserialize_with = "texts")]
    pub path: Vec<String>,
    /// Limits of the traversal.
    #[command(flatten)]
    #[serde(flatten)]
    pub reach: Reach,
    /// Print each call with so many lines before and after
    #[arg(short = 'C', long, value_name = "N")]
    #[serde(default)]
    pub context: Option<u32>,
    /// Draw the symbols in layers: what uses stands left of what is used
    #[arg(long, value_enum, default_value_t = DrawFormat::Text)]
    #[serde(default)]
    pub draw: DrawFormat,
    /// Language servers.
    #[command(flatten)]
    #[serde(flatten)]
    pub live: LiveRequest,
}

impl Request for Callers {
    fn subject(&self) -> Subject {
        Subject::Names(self.names.clone())
    }

    fn filters(&self) -> Filters {
        Filters { paths: self.path.clone(), ..Filters::default() }
    }

    fn leads_further(&self) -> bool {
        self.reach.traversal(1).depth > 1
    }

    fn follows_endpoints(&self) -> bool {
        true
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let deadline = self.live.deadline()?;
        let traversal = self.reach.traversal(1);
        let text = self.context.map_or(EdgeText::First, |lines| EdgeText::Around(lines.min(MAX_CONTEXT)));
        let walk = Walk { traversal, paths: indexes.path_globs(&self.path)?, text };
        let starts = Starts::of(indexes, Relation::Callers, &self.names, traversal)?;
        indexes.answer_numbered(|at, index, dirty_files| {
            let navigator = Navigator::new(index);
            let (start, linked) = starts.at(at);
            let mut notes = Vec::new();
            let mut asking = (!start.definitions.is_empty()).then(|| live::ask(indexes, index, deadline)).flatten();
            let (mut live, mut without_edge) = (None, Unexplained::default());
            let mut answer = relation(
                navigator,
                dirty_files,
                "callers",
                Relation::Callers,
                (start, linked),
                &walk,
                |definitions, reached| {
                    live = Asking::confirm(&mut asking, |servers| servers.callers(definitions, reached, traversal))?;
                    if reached.len() < traversal.limit {
                        without_edge = unexplained(navigator, definitions, &walk)?;
                    }
                    Ok(())
                },
            )?;
            if let Body::Reach(body) = &mut answer.body {
                let mentions =
                    without_edge.mentions.into_iter().map(|(name, found)| Mentions::new(name, found, dirty_files));
                body.mentions = mentions.collect();
                if let Some(live) = live {
                    body.add_live(live, dirty_files);
                    body.live_only.retain(|place| walk.paths.allows(&place.location.repo, &place.location.path));
                }
                body.live = asking.map(|ask| ask.report(&mut notes));
                answer.found |= !body.live_only.is_empty();
            }
            answer.notes.extend(unexamined_note(&without_edge.unexamined));
            answer.notes.extend(notes);
            Ok(answer.with_drawing(self.draw))
        })
    }
}

relation!(
    /// Parameters of `callees`.
    Callees, Relation::Callees, "callees", 1
);
relation!(
    /// Parameters of `impact`.
    Impact, Relation::Impact, "impact", IMPACT_DEPTH
);

/// Where a traversal begins in each index, and what it reaches through definitions of others.
struct Starts {
    starts: Vec<(Start, Linked)>,
}

impl Starts {
    fn of(indexes: &IndexSet, relation: Relation, names: &[String], walk: TraversalOptions) -> Result<Self> {
        let start = |named: &NamedIndex| Start::of(Navigator::new(&named.index), relation, names);
        let mut starts: Vec<Start> = indexes.indexes.iter().map(start).collect::<Result<_>>()?;
        let Some(links) = Links::new(indexes) else {
            return Ok(Self { starts: starts.into_iter().map(|start| (start, Linked::default())).collect() });
        };
        // A name that ends like the one that was asked for may be another definition.
        for (at, start) in starts.iter_mut().enumerate() {
            let mut undefined = Vec::with_capacity(start.externals.len());
            for external in start.externals.drain(..) {
                if !links.is_defined(at, &external)? {
                    undefined.push(external);
                }
            }
            start.externals = undefined;
        }
        for (start, named) in starts.iter_mut().zip(&indexes.indexes) {
            if relation != Relation::Callees && !start.definitions.is_empty() {
                start.notes.extend(Links::unpublished_note(&named.index));
            }
        }
        let ids = |start: &Start| start.definitions.iter().map(|d| d.symbol_id).collect();
        let ids: Vec<Vec<SymbolId>> = starts.iter().map(ids).collect();
        let linked = links.reached(relation, &ids, walk)?;
        let is_defined = |name: &String| starts.iter().any(|start| start.counts.iter().any(|(known, _)| known == name));
        let defined: Vec<String> = names.iter().filter(|name| is_defined(name)).cloned().collect();
        for (start, _) in starts.iter_mut().zip(&linked).filter(|(_, linked)| !linked.is_empty()) {
            start.unknown.retain(|(name, _)| !defined.contains(name));
        }
        Ok(Self { starts: starts.into_iter().zip(linked).collect() })
    }

    fn at(&self, index: usize) -> (Start, Linked) {
        self.starts[index].clone()
    }
}

/// Where a traversal begins.
#[derive(Clone)]
struct Start {
    definitions: Vec<navigate::Definition>,
    /// How many of these each name has, in their order, with the name.
    counts: Vec<(String, usize)>,
    /// External symbols of names that no definition has.
    externals: Vec<ExternalRow>,
    /// Names that neither have, with similar ones.
    unknown: Vec<(String, ResolvedName)>,
    notes: Vec<String>,
}

impl Start {
    fn of(navigator: Navigator<'_>, relation: Relation, names: &[String]) -> Result<Self> {
        if names.is_empty() {
            return Err(Error::Parameter("name a symbol or a file".to_owned()));
        }
        let (definitions, counts, externals) = (Vec::new(), Vec::new(), Vec::new());
        let mut start = Self { definitions, counts, externals, unknown: Vec::new(), notes: Vec::new() };
        for name in names {
            let mut resolved = navigator.resolve(name)?;
            if !resolved.definitions.is_empty() {
                start.notes.extend(left_out_notes(name, &resolved.minor));
                resolved.definitions.retain(|d| start.definitions.iter().all(|known| known.symbol_id != d.symbol_id));
                start.counts.push((name.clone(), resolved.definitions.len()));
                start.definitions.append(&mut resolved.definitions);
                continue;
            }
            // An external symbol has callers in the index; its callees are not known.
            let mut externals = if relation == Relation::Callees { Vec::new() } else { navigator.externals(name)? };
            if externals.is_empty() {
                start.unknown.push((name.clone(), resolved));
            }
            start.externals.append(&mut externals);
        }
        Ok(start)
    }
}

/// Lines without an edge.
#[derive(Default)]
struct Unexplained {
    /// Names of functions, with the lines that contain them.
    mentions: Vec<(String, navigate::Mentions)>,
    /// Names that were not looked for.
    unexamined: Vec<String>,
}

/// The lines that contain names of functions without an edge.
fn unexplained(navigator: Navigator<'_>, definitions: &[navigate::Definition], walk: &Walk) -> Result<Unexplained> {
    let min_confidence = walk.traversal.min_confidence;
    let (max_chunks, limit) = (MAX_CALLER_CHUNKS, MAX_CALLER_MENTIONS);
    let options = MentionOptions { paths: &walk.paths, min_confidence, max_chunks, limit };
    let mut names: Vec<&str> = definitions.iter().filter(|d| d.kind.is_callable()).map(|d| d.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut unexplained = Unexplained::default();
    for (nth, name) in names.into_iter().enumerate() {
        let found = if nth < MAX_MENTIONED_NAMES { navigator.mentions(name, options)? } else { None };
        match found {
            Some(found) if found.total > 0 => unexplained.mentions.push((name.to_owned(), found)),
            Some(_) => {}
            None => unexplained.unexamined.push(name.to_owned()),
        }
    }
    Ok(unexplained)
}

/// Follows a relation from some symbols. `confirm` gets the definitions and what they reach in the index.
fn relation(
    navigator: Navigator<'_>,
    dirty_files: &DirtyFiles,
    command: &'static str,
    relation: Relation,
    (start, mut linked): (Start, Linked),
    walk: &Walk,
    confirm: impl FnOnce(&[navigate::Definition], &[ReachedSymbol]) -> Result<()>,
) -> Result<Answer> {
    let traversal = walk.traversal;
    let Start { definitions, counts, externals, unknown, notes } = start;
    let is_empty = definitions.is_empty() && externals.is_empty() && linked.is_empty();
    if let ([(name, resolved)], true) = (unknown.as_slice(), is_empty) {
        return mentioned(navigator, name, resolved.clone(), (&walk.paths, traversal.limit), dirty_files);
    }
    let unfollowed = match relation {
        Relation::Impact => unfollowed_note(navigator, &definitions, traversal)?,
        Relation::Callers | Relation::Callees => None,
    };
    let (mut reached, mut truncated, mut unreached) = (Vec::<ReachedSymbol>::new(), false, Vec::new());
    let mut undispatched = Vec::new();
    let (mut rest, mut possible) = (definitions.as_slice(), Vec::<(String, Dispatch)>::new());
    // Each name for itself: what uses two of them is listed for both.
    for (name, count) in counts {
        let (own, others) = rest.split_at(count.min(rest.len()));
        rest = others;
        let ids: Vec<SymbolId> = own.iter().map(|d| d.symbol_id).collect();
        let (mut of_name, is_cut) = navigator.reach(&ids, relation, walk.unfiltered())?;
        truncated |= walk.keep(&mut of_name, is_cut);
        let mut has_possible = false;
        for definition in own.iter().take(if traversal.depth == 1 { MAX_DISPATCHED } else { 0 }) {
            let mut dispatch = navigator.dispatch(&[definition.symbol_id], relation, walk.unfiltered())?;
            truncated |= walk.keep(&mut dispatch.reached, dispatch.is_cut);
            navigator.add_lines(relation, &mut dispatch.reached)?;
            walk.add_text(navigator, &mut dispatch.reached)?;
            if !dispatch.reached.is_empty() {
                has_possible = true;
                possible.push((definition.key.clone(), dispatch));
            }
        }
        if traversal.depth == 1 && relation != Relation::Impact && own.len() > MAX_DISPATCHED {
            undispatched.push(format!("possible calls were looked for of the first {MAX_DISPATCHED} called '{name}'"));
        }
        if of_name.is_empty() && !own.is_empty() && !has_possible {
            let users = match relation {
                Relation::Callers if unreached.len() < MAX_UNREACHED => users(navigator, own, traversal)?,
                _ => 0,
            };
            unreached.push((name, users));
        }
        let is_listed = |r: &ReachedSymbol| {
            reached.iter().any(|known| known.definition.symbol_id == r.definition.symbol_id && known.via == r.via)
        };
        of_name.retain(|r| !is_listed(r));
        reached.append(&mut of_name);
    }
    navigator.add_lines(relation, &mut reached)?;
    walk.add_text(navigator, &mut reached)?;
    confirm(&definitions, &reached)?;
    let not_listed = match relation {
        Relation::Callees if traversal.depth == 1 => guesses_note(navigator, &definitions, traversal.min_confidence)?,
        Relation::Callers if traversal.depth == 1 => {
            called_below_note(navigator, &definitions, traversal.min_confidence)?
        }
        _ => None,
    };
    if !externals.is_empty() {
        let (mut of_externals, is_cut) = navigator.reach_externals(&externals, relation, walk.unfiltered())?;
        truncated |= walk.keep(&mut of_externals, is_cut);
        reached.extend(of_externals);
    }
    linked.reached.retain(|reached| walk.paths.allows(&reached.definition.repo, &reached.definition.path));
    let is_uncalled = reached.is_empty() && linked.reached.is_empty() && walk.paths.is_empty();
    let uses = match relation {
        Relation::Callers if is_uncalled => other_uses(users(navigator, &definitions, traversal)?),
        _ => None,
    };
    let mut answer = ReachAnswer::new(command, definitions, externals, reached, truncated, dirty_files);
    answer.has_conditions = matches!(walk.text, EdgeText::First);
    answer.add_linked(linked.externals, linked.reached, traversal.limit, dirty_files);
    possible.into_iter().for_each(|(of, dispatch)| answer.add_dispatch(of, dispatch, dirty_files));
    let missing: Vec<String> = unknown.iter().flat_map(|(name, resolved)| missing_notes(name, resolved)).collect();
    answer.not_found = unknown.into_iter().map(|(name, found)| NotFound::new(&name, found.suggestions)).collect();
    let mut answer = reach_answer(answer, traversal.min_confidence);
    answer.notes.extend(uses);
    answer.notes.extend(not_listed.filter(|_| answer.found));
    answer.notes.extend(undispatched);
    answer.notes.extend(unfollowed);
    answer.notes.extend(missing);
    if answer.found {
        answer.notes.extend(unreached_notes(&unreached));
    }
    answer.notes.extend(notes);
    Ok(answer)
}

impl Answer {
    /// Draws what is reached, if it is asked for.
    fn with_drawing(self, draw: DrawFormat) -> Self {
        let body = match self.body {
            Body::Reach(reached) => Body::Reach(reached.with_drawing(draw)),
            other => other,
        };
        Self { body, ..self }
    }
}

/// How many symbols use some definitions in any way.
fn users(navigator: Navigator<'_>, definitions: &[navigate::Definition], walk: TraversalOptions) -> Result<usize> {
    let kinds: Vec<EdgeKind> = EdgeKind::ALL.iter().copied().filter(|kind| kind.is_use()).collect();
    let mut users: BTreeSet<SymbolId> = BTreeSet::new();
    for definition in definitions {
        users.extend(navigator.users_by(definition.symbol_id, &kinds, walk.min_confidence)?);
    }
    Ok(users.len())
}

/// An answer; `min_confidence` is the least confidence of what was looked at.
pub(super) fn reach_answer(answer: ReachAnswer, min_confidence: f32) -> Answer {
    let found = !answer.results.is_empty() || !answer.live_only.is_empty() || !answer.possible.is_empty();
    let mut notes: Vec<String> = answer.truncated.then(more).into_iter().collect();
    if !found {
        notes.push(format!("nothing found{}", guesses_hint(min_confidence)));
    }
    Answer { body: Body::Reach(answer), notes, found }
}

/// Parameters of `path`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// The symbol at which the path starts
    #[arg(value_name = "FROM")]
    pub from: String,
    /// The symbol at which it ends
    #[arg(value_name = "TO")]
    pub to: String,
    /// Ignore edges below this confidence, 0 to 1; guesses by a name alone are below 0.5
    #[arg(long, default_value_t = sure(), value_name = "0..1")]
    #[serde(default = "sure")]
    pub min_confidence: f32,
    /// Draw the path from top to bottom
    #[arg(long, value_enum, default_value_t = DrawFormat::Text)]
    #[serde(default)]
    pub draw: DrawFormat,
}

impl Request for Path {
    fn subject(&self) -> Subject {
        Subject::Names(vec![self.from.clone(), self.to.clone()])
    }

    fn leads_further(&self) -> bool {
        true
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let ends = |named: &NamedIndex| -> Result<[ResolvedName; 2]> {
            let navigator = Navigator::new(&named.index);
            Ok([navigator.resolve(&self.from)?, navigator.resolve(&self.to)?])
        };
        let ends: Vec<[ResolvedName; 2]> = indexes.indexes.iter().map(ends).collect::<Result<_>>()?;
        let across = Links::new(indexes).map(|links| {
            let ids = |resolved: &ResolvedName| resolved.definitions.iter().map(|d| d.symbol_id).collect();
            let from: Vec<Vec<SymbolId>> = ends.iter().map(|[from, _]| ids(from)).collect();
            let to: Vec<Vec<SymbolId>> = ends.iter().map(|[_, to]| ids(to)).collect();
            links.path(&from, &to, self.min_confidence)
        });
        let across = across.transpose()?.flatten();
        indexes.answer_numbered(|at, index, dirty_files| {
            let navigator = Navigator::new(index);
            let [from, to] = &ends[at];
            // A path across indexes is an answer of the one in which it begins.
            let across = across
                .as_ref()
                .filter(|steps| steps.first().is_some_and(|first| from.definitions.contains(&first.definition)));
            for (name, resolved) in [(&self.from, from), (&self.to, to)] {
                if resolved.definitions.is_empty() && across.is_none() {
                    return Ok(not_found(name, resolved.clone()));
                }
            }
            let ids = |resolved: &ResolvedName| resolved.definitions.iter().map(|d| d.symbol_id).collect::<Vec<_>>();
            let steps = navigator.strongest_path(&ids(from), &ids(to), self.min_confidence)?;
            let steps = steps.or_else(|| across.cloned()).unwrap_or_default();
            let found = !steps.is_empty();
            let mut notes = Vec::new();
            if !found {
                let hint = guesses_hint(self.min_confidence);
                notes.push(format!("no path along calls from {} to {}{hint}", self.from, self.to));
                let back = navigator.strongest_path(&ids(to), &ids(from), self.min_confidence)?;
                notes.extend(
                    back.map(|_| format!("there is one in the other direction: path {} {}", self.to, self.from)),
                );
            }
            Ok(Answer { body: Body::Path(PathAnswer::new(steps, dirty_files).with_drawing(self.draw)), notes, found })
        })
    }
}
