//! The calls that look up names.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_formats::kinds::{EdgeKind, Kind};

use super::defaults::{fifty, five, sure, ten, twenty};
use super::{Answer, Call, Form, Sources, Where, from_each, words};
use crate::navigate::{self, Found, Likeness, UseFilter};
use crate::rank::Weights;
use crate::{Index, Result, render};

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

impl Call for Definition {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let mut named = index.definition(&self.name, &self.kind, self.from.as_deref())?;
            let limit = usize::from(self.limit);
            let is_cut = named.definitions.len() > limit;
            named.definitions.truncate(limit);
            let found = !named.definitions.is_empty();
            let mut notes = Vec::new();
            match named.likeness {
                _ if !found => notes.push(format!("no definition is called '{}'", self.name)),
                Likeness::Exact => {}
                Likeness::OtherKind => notes.push(format!("'{}' is of another kind", self.name)),
                Likeness::Prefix | Likeness::Fuzzy => {
                    notes.push(format!("no definition is called '{}'; these are like it", self.name));
                }
            }
            notes.extend(is_cut.then(more));
            let body = match form {
                Form::Json => render::definitions_json(&named, is_cut),
                Form::Text => render::definitions_text(&named.definitions, sources.one_repo()),
            };
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

impl Call for References {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let mut found = resolve(index, &self.name, self.from.as_deref())?;
            if found.definitions.is_empty() {
                return Ok(nothing(&self.name, &found, form));
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
                notes.push("nothing found; --min-confidence 0 also takes guesses".to_owned());
            }
            let body = match form {
                Form::Json => render::references_json(&references, is_cut),
                Form::Text => render::references_text(&references, sources.one_repo()),
            };
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
    /// Where is searched.
    #[command(flatten)]
    #[serde(flatten)]
    pub within: Where,
    /// How many results at most
    #[arg(short = 'n', long, default_value_t = fifty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "fifty")]
    pub limit: u16,
}

impl Call for Symbols {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let (definitions, is_cut) =
                index.find_symbols(&self.query, &self.within.filters(), usize::from(self.limit))?;
            let mut notes: Vec<String> = is_cut.then(more).into_iter().collect();
            if definitions.is_empty() {
                notes.push("nothing found".to_owned());
            }
            let body = match form {
                Form::Json => render::symbols_json(&definitions, is_cut),
                Form::Text => render::definitions_text(&definitions, sources.one_repo()),
            };
            Ok(Answer { body, notes, found: !definitions.is_empty() })
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

impl Call for Hover {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let mut found = resolve(index, &self.name, self.from.as_deref())?;
            if found.definitions.is_empty() {
                return Ok(nothing(&self.name, &found, form));
            }
            let is_cut = found.definitions.len() > usize::from(self.limit);
            found.definitions.truncate(usize::from(self.limit));
            let hovers = index.hover(&found.definitions)?;
            let body = match form {
                Form::Json => render::hover_json(&hovers, is_cut),
                Form::Text => render::hover_text(&hovers, sources.one_repo()),
            };
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

impl Call for Related {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let found = index.resolve(&self.name)?;
            if found.definitions.is_empty() {
                return Ok(nothing(&self.name, &found, form));
            }
            let ids: Vec<u32> = found.definitions.iter().map(|d| d.symbol_id).collect();
            let related = index.related(&ids, &Weights::STANDARD, usize::from(self.limit.min(100)))?;
            let mut notes = Vec::new();
            if related.is_empty() {
                notes.push("nothing found".to_owned());
            }
            let body = match form {
                Form::Json => render::related_json(&found.definitions, &related),
                Form::Text => render::related_text(&related, &found.definitions, sources.one_repo()),
            };
            Ok(Answer { body, notes, found: !related.is_empty() })
        })
    }
}

/// What a name means, what is near to a file first.
fn resolve(index: &Index, name: &str, from: Option<&str>) -> Result<Found> {
    let mut found = index.resolve(name)?;
    if let Some(from) = from {
        let near = index.nearness(from)?;
        let near = near.ok_or_else(|| crate::Error::Filter(format!("the index has no file '{from}'")))?;
        index.nearest_first(&mut found.definitions, &near)?;
    }
    Ok(found)
}

pub(super) fn more() -> String {
    "there is more; --limit raises how much is shown".to_owned()
}

/// No definition has the name.
pub(super) fn nothing(name: &str, found: &navigate::Found, form: Form) -> Answer {
    let mut notes = vec![format!("no definition is called '{name}'")];
    if !found.suggestions.is_empty() {
        notes.push(format!("similar: {}", found.suggestions.join(", ")));
    }
    let body = match form {
        Form::Json => render::nothing_json(name, &found.suggestions),
        Form::Text => String::new(),
    };
    Answer { body, notes, found: false }
}
