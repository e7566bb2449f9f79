//! Requests that look up names.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::names::segments;
use sextant_search::live::NameQuery;
use sextant_search::navigate::{
    self, MatchKind, MentionOptions, Relation, ResolvedName, TraversalOptions, UseFilter, is_minor,
};
use sextant_search::rank::{NearnessWeights, Weights};
use sextant_search::{DirtyFiles, Filters, Navigator, PathGlobs};

use super::defaults::{fifty, five, sure, ten, twenty};
use super::live::{self, Asking, LiveRequest};
use super::parameter::{edge_kind, kind, texts, words};
use super::{FilterArgs, Request, Subject};
use crate::index_set::Answer;
use crate::links::{Linked, Links};
use crate::responses::{self, Body, Hovers, NotFound, ReferencesAnswer, RelatedAnswer, Response};
use crate::{Error, IndexSet, Result};

/// Parameters of `definition`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for everything
    /// that a file defines
    #[arg(value_name = "NAME")]
    pub name: String,
    /// List definitions of this kind first, e.g. function, class (repeatable)
    #[arg(long, value_parser = kind)]
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub kind: Vec<Kind>,
    /// A file of the index: definitions that it imports, or that are near it, come first
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// Maximum number of results
    #[arg(short = 'n', long, default_value_t = twenty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "twenty")]
    pub limit: u16,
    /// Language servers.
    #[command(flatten)]
    #[serde(flatten)]
    pub live: LiveRequest,
}

impl Request for Definition {
    fn subject(&self) -> Subject {
        Subject::Names(vec![self.name.clone()])
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let deadline = self.live.deadline()?;
        let response = indexes.answer_each(|index, dirty_files| {
            let mut matches = Navigator::new(index).definition(
                &self.name,
                &self.kind,
                self.from.as_deref(),
                &indexes.config.weights.nearness,
            )?;
            let limit = usize::from(self.limit);
            let truncated = matches.definitions.len() > limit;
            matches.definitions.truncate(limit);
            let mut found = !matches.definitions.is_empty();
            let mut notes = Vec::new();
            match matches.match_kind {
                _ if !found => notes.push(format!("no definition is called '{}'", self.name)),
                MatchKind::Exact => {}
                MatchKind::OtherKind => {
                    notes.push(format!("no '{}' of the requested kind; these are of other kinds", self.name))
                }
                MatchKind::Prefix | MatchKind::Part | MatchKind::Fuzzy => {
                    notes.push(format!("no definition is called '{}'; these names are similar", self.name));
                }
            }
            notes.extend(left_out_notes(&self.name, &matches.minor));
            notes.extend(truncated.then(more));
            let mut asking = live::ask(indexes, index, deadline);
            let query = NameQuery { name: &self.name, kinds: &self.kind, limit };
            let live = Asking::confirm(&mut asking, |servers| servers.definitions(&query, &matches))?;
            let containers = Navigator::new(index).containers(&matches.definitions)?;
            let mut answer = responses::Definitions::new(&self.name, matches, containers, truncated, dirty_files);
            if let Some(live) = live {
                found |= !live.only_live.is_empty();
                answer.add_live(live, dirty_files);
            }
            answer.live = asking.map(|ask| ask.report(&mut notes));
            Ok(Answer { body: Body::Definitions(answer), notes, found })
        })?;
        Ok(limited(response, self.limit))
    }
}

/// Lines around a use that are shown at most.
const MAX_CONTEXT: u32 = 100;
/// A name in more chunks than this is not examined for lines without an edge.
const MAX_MENTION_CHUNKS: usize = 2_000;
/// So many lines that mention a name without an edge are listed without being asked for.
const MAX_FEW_MENTIONS: usize = 5;
/// Definitions without uses for which a note names the methods through which they may be called.
const MAX_DISPATCH_NOTES: usize = 3;
/// Lines that are listed of a name that nothing defines.
const MAX_NOT_FOUND_MENTIONS: usize = 12;

/// Parameters of `references`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct References {
    /// Symbols: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`
    #[arg(value_name = "NAME", required = true)]
    #[serde(deserialize_with = "texts", alias = "name")]
    pub names: Vec<String>,
    /// Uses of this kind: call, import, type, inherit, implement, instantiate, decorate, reference, override,
    /// define, test (repeatable)
    #[arg(long, value_parser = edge_kind)]
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub kind: Vec<EdgeKind>,
    /// A file of the index: definitions that it imports, or that are near it, come first
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// Only in files that match this glob (repeatable)
    #[arg(long, value_name = "GLOB")]
    #[serde(default, deserialize_with = "texts")]
    pub path: Vec<String>,
    /// Ignore uses below this confidence, 0 to 1; guesses by a name alone are below 0.5
    #[arg(long, default_value_t = sure(), value_name = "0..1")]
    #[serde(default = "sure")]
    pub min_confidence: f32,
    /// Number of lines to show before and after each use
    #[arg(short = 'C', long, default_value_t = 0, value_name = "N")]
    #[serde(default)]
    pub context: u32,
    /// List lines with the name that no edge explains; else more than five are only counted
    #[arg(long)]
    #[serde(default)]
    pub mentions: bool,
    /// Maximum number of definitions of the name
    #[arg(long, default_value_t = ten(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "ten")]
    pub definitions: u16,
    /// Maximum number of uses of each definition
    #[arg(short = 'n', long, default_value_t = fifty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "fifty")]
    pub limit: u16,
    /// Language servers.
    #[command(flatten)]
    #[serde(flatten)]
    pub live: LiveRequest,
}

impl Request for References {
    fn subject(&self) -> Subject {
        Subject::Names(self.names.clone())
    }

    fn filters(&self) -> Filters {
        Filters { paths: self.path.clone(), ..Filters::default() }
    }

    fn follows_endpoints(&self) -> bool {
        true
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        if self.names.is_empty() {
            return Err(Error::Parameter("name a symbol".to_owned()));
        }
        let deadline = self.live.deadline()?;
        let paths = indexes.path_globs(&self.path)?;
        let links = Links::new(indexes);
        let linked = links.as_ref().map(|links| self.linked(indexes, links)).transpose()?.unwrap_or_default();
        indexes.answer_numbered(|at, index, dirty_files| {
            let navigator = Navigator::new(index);
            let linked = linked.get(at).map_or(&[][..], |linked| linked.externals.as_slice());
            let filter = UseFilter {
                kinds: self.kind.clone(),
                min_confidence: self.min_confidence,
                paths: paths.clone(),
                limit: usize::from(self.limit),
                context: self.context.min(MAX_CONTEXT),
            };
            let (mut notes, mut answer) = (Vec::new(), ReferencesAnswer::default());
            let (mut references, mut has_mentions) = (Vec::new(), false);
            for name in &self.names {
                let mut resolved =
                    resolve(navigator, name, self.from.as_deref(), &indexes.config.weights.nearness)?;
                if resolved.definitions.is_empty() {
                    let mut externals = navigator.externals(name)?;
                    if let Some(links) = &links {
                        // A name that ends like this one may be another definition.
                        let is_defined = externals.iter().map(|external| links.is_defined(at, external));
                        let mut is_defined = is_defined.collect::<Result<Vec<bool>>>()?.into_iter();
                        externals.retain(|_| !is_defined.next().unwrap_or_default());
                    }
                    if externals.is_empty() && !linked.is_empty() {
                        continue;
                    }
                    if externals.is_empty() && self.names.len() == 1 {
                        return mentioned(navigator, name, resolved, (&paths, usize::from(self.limit)), dirty_files);
                    }
                    if externals.is_empty() {
                        notes.extend(missing_notes(name, &resolved));
                        answer.not_found.push(NotFound::new(name, resolved.suggestions));
                        continue;
                    }
                    let what = "these are uses of what is defined elsewhere";
                    notes.push(format!("the index does not define '{name}'; {what}"));
                    answer.add_externals(navigator.external_references(&externals, &filter)?, dirty_files);
                    continue;
                }
                notes.extend(left_out_notes(name, &resolved.minor));
                answer.truncated |= resolved.definitions.len() > usize::from(self.definitions);
                resolved.definitions.truncate(usize::from(self.definitions));
                let name = resolved.definitions[0].name.clone();
                let known = |d: &navigate::Definition| {
                    references.iter().any(|group: &navigate::References| group.definition.symbol_id == d.symbol_id)
                };
                resolved.definitions.retain(|definition| !known(definition));
                references.extend(navigator.references(&resolved.definitions, &filter)?);
                if self.kind.is_empty() {
                    let limit = if self.mentions { usize::from(self.limit) } else { MAX_FEW_MENTIONS };
                    let (min_confidence, max_chunks) = (self.min_confidence, MAX_MENTION_CHUNKS);
                    match navigator.mentions(&name, MentionOptions { paths: &paths, min_confidence, max_chunks, limit })? {
                        Some(mut mentions) => {
                            // A list of a few is as short as the words that offer it.
                            if !self.mentions && mentions.total > MAX_FEW_MENTIONS {
                                mentions.lines.clear();
                            }
                            has_mentions |= !mentions.lines.is_empty();
                            answer.add_mentions(name, mentions, dirty_files);
                        }
                        None => notes.push(format!("lines that mention '{name}' without an edge were not counted: it is too common, or not an identifier")),
                    }
                }
            }
            let uses: usize = references.iter().map(|group| group.uses.len()).sum();
            if uses == 0 && !references.is_empty() && !has_mentions {
                notes.push("no edge leads there; --min-confidence 0 includes guesses".to_owned());
            }
            for group in references.iter().filter(|group| group.total == 0).take(MAX_DISPATCH_NOTES) {
                notes.extend(dispatch_note(navigator, &group.definition, self.min_confidence)?);
            }
            let mut asking = live::ask(indexes, index, deadline);
            let live = Asking::confirm(&mut asking, |servers| servers.references(&references, &filter))?;
            if links.is_some() && !references.is_empty() {
                notes.extend(Links::unpublished_note(index));
            }
            answer.add(references, dirty_files);
            if !linked.is_empty() {
                let (rows, keys): (Vec<_>, Vec<_>) = linked.iter().cloned().unzip();
                answer.add_linked(navigator.external_references(&rows, &filter)?, keys, dirty_files);
            }
            notes.extend(answer.truncated.then(more));
            let mut found = uses > 0 || answer.externals.iter().any(|group| !group.uses.is_empty());
            if let Some(live) = live {
                found |= live.iter().any(|uses| !uses.only_live.is_empty());
                answer.add_live(live, dirty_files);
            }
            answer.live = asking.map(|ask| ask.report(&mut notes));
            Ok(Answer { body: Body::References(answer), notes, found })
        })
    }
}

/// Says through which methods a method without uses may be called.
fn dispatch_note(
    navigator: Navigator<'_>,
    definition: &navigate::Definition,
    min_confidence: f32,
) -> Result<Option<String>> {
    if !definition.kind.is_callable() {
        return Ok(None);
    }
    let walk = TraversalOptions { depth: 1, min_confidence, limit: 1 };
    let through = navigator.dispatch(&[definition.symbol_id], Relation::Callers, walk)?.through;
    let names: Vec<&str> = through.iter().map(|method| method.qualified_name.as_str()).collect();
    let note = format!("{} may be called through {}", definition.qualified_name, names.join(", "));
    Ok((!names.is_empty()).then_some(note))
}

impl References {
    /// The external symbols of each index that are definitions of the names in another one.
    fn linked(&self, indexes: &IndexSet, links: &Links<'_>) -> Result<Vec<Linked>> {
        let mut definitions = vec![Vec::new(); indexes.indexes.len()];
        for (definitions, named) in definitions.iter_mut().zip(&indexes.indexes) {
            let navigator = Navigator::new(&named.index);
            for name in &self.names {
                let found = navigator.resolve(name)?.definitions.into_iter().take(usize::from(self.definitions));
                definitions.extend(found.map(|definition| definition.symbol_id));
            }
        }
        links.externals(&definitions)
    }
}

/// Parameters of `symbols`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Symbols {
    /// The start or another part of a name, with or without its owners: `Sess`, `Session.cl`
    #[arg(value_name = "NAME")]
    pub query: String,
    /// Filters.
    #[command(flatten)]
    #[serde(flatten)]
    pub filter: FilterArgs,
    /// Maximum number of results
    #[arg(short = 'n', long, default_value_t = fifty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "fifty")]
    pub limit: u16,
}

impl Request for Symbols {
    fn subject(&self) -> Subject {
        Subject::PartOfName(self.query.clone())
    }

    fn repositories(&self) -> &[String] {
        &self.filter.repo
    }

    fn filters(&self) -> Filters {
        self.filter.filters()
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let response = indexes.answer_each(|index, dirty_files| {
            let (definitions, truncated) =
                Navigator::new(index).find_symbols(&self.query, &self.filter.filters(), usize::from(self.limit))?;
            let mut notes: Vec<String> = truncated.then(more).into_iter().collect();
            let found = !definitions.is_empty();
            if !found {
                notes.push("nothing found".to_owned());
            }
            let body = Body::Symbols(responses::Symbols::new(definitions, truncated, dirty_files));
            Ok(Answer { body, notes, found })
        })?;
        Ok(limited(response, self.limit))
    }
}

/// Parameters of `hover`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Hover {
    /// Symbols: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`
    #[arg(value_name = "NAME", required = true)]
    #[serde(deserialize_with = "texts", alias = "name")]
    pub names: Vec<String>,
    /// A file of the index: definitions that it imports, or that are near it, come first
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// Maximum number of definitions of each name
    #[arg(short = 'n', long, default_value_t = five(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "five")]
    pub limit: u16,
    /// Language servers.
    #[command(flatten)]
    #[serde(flatten)]
    pub live: LiveRequest,
}

impl Request for Hover {
    fn subject(&self) -> Subject {
        Subject::Names(self.names.clone())
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let deadline = self.live.deadline()?;
        let response = indexes.answer_each(|index, dirty_files| {
            let navigator = Navigator::new(index);
            let (mut results, mut notes, mut truncated) = (Vec::new(), Vec::new(), false);
            for name in &self.names {
                let mut resolved = resolve(navigator, name, self.from.as_deref(), &indexes.config.weights.nearness)?;
                if resolved.definitions.is_empty() {
                    if let [_] = self.names.as_slice() {
                        return Ok(not_found(name, resolved));
                    }
                    notes.extend(missing_notes(name, &resolved));
                }
                notes.extend(left_out_notes(name, &resolved.minor));
                truncated |= resolved.definitions.len() > usize::from(self.limit);
                resolved.definitions.truncate(usize::from(self.limit));
                results.extend(navigator.hover(&resolved.definitions)?);
            }
            notes.extend(truncated.then(more));
            let found = !results.is_empty();
            let mut asking = live::ask(indexes, index, deadline);
            let live = Asking::confirm(&mut asking, |servers| servers.hovers(&results))?;
            let mut answer = Hovers::new(results, truncated, dirty_files);
            if let Some(texts) = live {
                answer.add_live(texts);
            }
            answer.live = asking.map(|ask| ask.report(&mut notes));
            Ok(Answer { body: Body::Hovers(answer), notes, found })
        })?;
        let names = u16::try_from(self.names.len()).unwrap_or(u16::MAX);
        Ok(limited(response, self.limit.saturating_mul(names)))
    }
}

/// Parameters of `related`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Related {
    /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for everything
    /// that a file defines
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Maximum number of results
    #[arg(short = 'n', long, default_value_t = ten(), value_parser = clap::value_parser!(u16).range(1..=100))]
    #[serde(default = "ten")]
    pub limit: u16,
}

impl Request for Related {
    fn subject(&self) -> Subject {
        Subject::Names(vec![self.name.clone()])
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.answer_each(|index, dirty_files| {
            let resolved = Navigator::new(index).resolve(&self.name)?;
            if resolved.definitions.is_empty() {
                return Ok(not_found(&self.name, resolved));
            }
            let ids: Vec<SymbolId> = resolved.definitions.iter().map(|d| d.symbol_id).collect();
            let related = Navigator::new(index).related(&ids, &Weights::STANDARD, usize::from(self.limit.min(100)))?;
            let found = !related.is_empty();
            let notes = if found { Vec::new() } else { vec!["nothing found".to_owned()] };
            let body = Body::Related(RelatedAnswer::new(resolved.definitions, related, dirty_files));
            Ok(Answer { body, notes, found })
        })
    }
}

/// Returns the definitions that a name resolves to, those nearest to the file `from` first.
fn resolve(
    navigator: Navigator<'_>,
    name: &str,
    from: Option<&str>,
    weights: &NearnessWeights,
) -> Result<ResolvedName> {
    let mut resolved = navigator.resolve(name)?;
    if let Some(from) = from {
        let nearness = navigator.nearness(from, weights)?;
        let nearness = nearness.ok_or_else(|| sextant_search::Error::UnknownFile(from.to_owned()))?;
        navigator.nearest_first(&mut resolved.definitions, &nearness)?;
    }
    Ok(resolved)
}

/// The same response with at most `limit` results of all indexes together.
fn limited(mut response: Response, limit: u16) -> Response {
    if response.bodies.keep_in_turn(usize::from(limit)) && !response.notes.contains(&more()) {
        response.notes.push(more());
    }
    response
}

/// The note of an answer that a limit has cut.
pub(super) fn more() -> String {
    "there are more results; raise --limit to see them".to_owned()
}

/// The notes about a name that no definition has.
pub(super) fn missing_notes(name: &str, resolved: &ResolvedName) -> Vec<String> {
    let mut notes = vec![format!("no definition is called '{name}'")];
    if !resolved.suggestions.is_empty() {
        notes.push(format!("similar: {}", resolved.suggestions.join(", ")));
    }
    notes
}

/// The notes about what a bare name rarely means: fields, variables and enum members, and definitions in tests.
pub(super) fn left_out_notes(name: &str, left_out: &[navigate::Definition]) -> Vec<String> {
    let (minor, tests): (Vec<_>, Vec<_>) = left_out.iter().partition(|d| is_minor(d.kind));
    let mut kinds: Vec<&str> = minor.iter().map(|d| d.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut notes = Vec::new();
    if !minor.is_empty() {
        let options = kinds.iter().map(|kind| format!("--kind {kind}")).collect::<Vec<_>>().join(" ");
        let (count, kinds) = (minor.len(), kinds.join(", "));
        notes.push(format!("left out: {count} called '{name}' of kind {kinds}; 'definition {options}' lists them"));
    }
    if !tests.is_empty() {
        let count = tests.len();
        notes.push(format!("left out: {count} called '{name}' in tests; 'definition {name}' lists them"));
    }
    notes
}

/// The same with lines of code that contain the name: macros may define what the index does not know.
pub(super) fn mentioned(
    navigator: Navigator<'_>,
    name: &str,
    resolved: ResolvedName,
    (paths, limit): (&PathGlobs, usize),
    dirty_files: &DirtyFiles,
) -> Result<Answer> {
    let last = segments(name).last().map_or(name, |last| *last).to_owned();
    let options = MentionOptions {
        paths,
        min_confidence: 0.0,
        max_chunks: MAX_MENTION_CHUNKS,
        limit: limit.min(MAX_NOT_FOUND_MENTIONS),
    };
    let mentions = navigator.mentions(&last, options)?;
    let notes = missing_notes(name, &resolved);
    let body = NotFound::new(name, resolved.suggestions).with_mentions(mentions, dirty_files);
    Ok(Answer { body: Body::NotFound(body), notes, found: false })
}

/// Returns the answer for a name that no definition has.
pub(super) fn not_found(name: &str, resolved: ResolvedName) -> Answer {
    let notes = missing_notes(name, &resolved);
    Answer { body: Body::NotFound(NotFound::new(name, resolved.suggestions)), notes, found: false }
}
