//! Requests that look up names.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_search::Index;
use sextant_search::navigate::{MatchKind, ResolvedName, UseFilter};
use sextant_search::rank::{NearnessWeights, Weights};

use super::defaults::{fifty, five, sure, ten, twenty};
use super::{FilterArgs, Request, words};
use crate::index_set::Answer;
use crate::responses::{self, Body, Hovers, NotFound, ReferencesAnswer, RelatedAnswer, Response};
use crate::{IndexSet, Result};

/// Parameters of `definition`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for all that a
    /// file defines
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Definitions of this kind before all others, e.g. function, class (repeatable)
    #[arg(long, value_parser = super::kind)]
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub kind: Vec<Kind>,
    /// A file of the index: what it imports, and what lies near to it, comes first
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// How many results at most
    #[arg(short = 'n', long, default_value_t = twenty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "twenty")]
    pub limit: u16,
}

impl Request for Definition {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let mut named =
                index.definition(&self.name, &self.kind, self.from.as_deref(), &indexes.config.weights.nearness)?;
            let limit = usize::from(self.limit);
            let is_cut = named.definitions.len() > limit;
            named.definitions.truncate(limit);
            let found = !named.definitions.is_empty();
            let mut notes = Vec::new();
            match named.match_kind {
                _ if !found => notes.push(format!("no definition is called '{}'", self.name)),
                MatchKind::Exact => {}
                MatchKind::OtherKind => notes.push(format!("'{}' is of another kind", self.name)),
                MatchKind::Prefix | MatchKind::Fuzzy => {
                    notes.push(format!("no definition is called '{}'; these are like it", self.name));
                }
            }
            notes.extend(is_cut.then(more));
            let body = Body::Definitions(responses::Definitions::new(named, is_cut, edited));
            Ok(Answer { body, notes, found })
        })
    }
}

/// Parameters of `references`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct References {
    /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Only uses of this kind: call, import, type, inherit, implement, instantiate, decorate, reference, override,
    /// define, test (repeatable)
    #[arg(long, value_parser = super::edge_kind)]
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub kind: Vec<EdgeKind>,
    /// A file of the index: definitions near to it come first
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// Leave out uses that are less sure, 0 to 1; guesses among several candidates are below 0.5
    #[arg(long, default_value_t = sure(), value_name = "0..1")]
    #[serde(default = "sure")]
    pub min_confidence: f32,
    /// How many definitions of the name at most
    #[arg(long, default_value_t = ten(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "ten")]
    pub definitions: u16,
    /// How many uses of each at most
    #[arg(short = 'n', long, default_value_t = fifty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "fifty")]
    pub limit: u16,
}

impl Request for References {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let mut found = resolve(index, &self.name, self.from.as_deref(), &indexes.config.weights.nearness)?;
            if found.definitions.is_empty() {
                return Ok(not_found(&self.name, found));
            }
            let is_cut = found.definitions.len() > usize::from(self.definitions);
            found.definitions.truncate(usize::from(self.definitions));
            let filter = UseFilter {
                kinds: self.kind.clone(),
                min_confidence: self.min_confidence,
                limit: usize::from(self.limit),
            };
            let references = index.references(&found.definitions, &filter)?;
            let is_cut = is_cut || references.iter().any(|of| of.total > of.uses.len());
            let uses: usize = references.iter().map(|of| of.uses.len()).sum();
            let mut notes: Vec<String> = is_cut.then(more).into_iter().collect();
            if uses == 0 {
                notes.push("nothing found; --min-confidence 0 also shows guesses".to_owned());
            }
            let body = Body::References(ReferencesAnswer::new(references, is_cut, edited));
            Ok(Answer { body, notes, found: uses > 0 })
        })
    }
}

/// Parameters of `symbols`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Symbols {
    /// The beginning of a name, or a part of it, with or without owners: `Sess`, `Session.cl`
    #[arg(value_name = "NAME")]
    pub query: String,
    /// Where to search.
    #[command(flatten)]
    #[serde(flatten)]
    pub filter: FilterArgs,
    /// How many results at most
    #[arg(short = 'n', long, default_value_t = fifty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "fifty")]
    pub limit: u16,
}

impl Request for Symbols {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let (definitions, is_cut) =
                index.find_symbols(&self.query, &self.filter.filters(), usize::from(self.limit))?;
            let mut notes: Vec<String> = is_cut.then(more).into_iter().collect();
            let found = !definitions.is_empty();
            if !found {
                notes.push("nothing found".to_owned());
            }
            let body = Body::Symbols(responses::Symbols::new(definitions, is_cut, edited));
            Ok(Answer { body, notes, found })
        })
    }
}

/// Parameters of `hover`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Hover {
    /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`
    #[arg(value_name = "NAME")]
    pub name: String,
    /// A file of the index: what it imports, and what lies near to it, comes first
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// How many definitions of the name at most
    #[arg(short = 'n', long, default_value_t = five(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "five")]
    pub limit: u16,
}

impl Request for Hover {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let mut found = resolve(index, &self.name, self.from.as_deref(), &indexes.config.weights.nearness)?;
            if found.definitions.is_empty() {
                return Ok(not_found(&self.name, found));
            }
            let is_cut = found.definitions.len() > usize::from(self.limit);
            found.definitions.truncate(usize::from(self.limit));
            let body = Body::Hovers(Hovers::new(index.hover(&found.definitions)?, is_cut, edited));
            Ok(Answer { body, notes: is_cut.then(more).into_iter().collect(), found: true })
        })
    }
}

/// Parameters of `related`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Related {
    /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for all that a
    /// file defines
    #[arg(value_name = "NAME")]
    pub name: String,
    /// How many results at most
    #[arg(short = 'n', long, default_value_t = ten(), value_parser = clap::value_parser!(u16).range(1..=100))]
    #[serde(default = "ten")]
    pub limit: u16,
}

impl Request for Related {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let resolved = index.resolve(&self.name)?;
            if resolved.definitions.is_empty() {
                return Ok(not_found(&self.name, resolved));
            }
            let ids: Vec<u32> = resolved.definitions.iter().map(|d| d.symbol_id).collect();
            let related = index.related(&ids, &Weights::STANDARD, usize::from(self.limit.min(100)))?;
            let found = !related.is_empty();
            let notes = if found { Vec::new() } else { vec!["nothing found".to_owned()] };
            let body = Body::Related(RelatedAnswer::new(resolved.definitions, related, edited));
            Ok(Answer { body, notes, found })
        })
    }
}

/// The definitions that a name resolves to, those near to a file first.
fn resolve(index: &Index, name: &str, from: Option<&str>, weights: &NearnessWeights) -> Result<ResolvedName> {
    let mut found = index.resolve(name)?;
    if let Some(from) = from {
        let near = index.nearness(from, weights)?;
        let near = near.ok_or_else(|| sextant_search::Error::UnknownFile(from.to_owned()))?;
        index.nearest_first(&mut found.definitions, &near)?;
    }
    Ok(found)
}

pub(super) fn more() -> String {
    "there is more; --limit raises how much is shown".to_owned()
}

/// No definition has the name.
pub(super) fn not_found(name: &str, found: ResolvedName) -> Answer {
    let mut notes = vec![format!("no definition is called '{name}'")];
    if !found.suggestions.is_empty() {
        notes.push(format!("similar: {}", found.suggestions.join(", ")));
    }
    Answer { body: Body::NotFound(NotFound::new(name, found.suggestions)), notes, found: false }
}
