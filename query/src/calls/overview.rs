//! The calls that put others together, and what an index holds.

use schemars::JsonSchema;
use serde::Deserialize;

use super::defaults::{one, six_thousand, sure, two_thousand};
use super::{Answer, Call, Form, How, Sources, Where, from_each};
use crate::navigate::Walk;
use crate::overview::MapSize;
use crate::search::SearchRequest;
use crate::{Result, render};

/// A budget that is larger is taken for this one.
const MOST_TOKENS: usize = 1_000_000;
/// Calls of one symbol that are told in `context`.
const MOST_CALLS: usize = 20;

/// Parameters of `explore`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Explore {
    /// The question
    #[arg(skip)]
    pub query: String,
    /// How many tokens the answer may take; one is counted as four bytes
    #[arg(long, default_value_t = six_thousand(), value_name = "N")]
    #[serde(default = "six_thousand")]
    pub max_tokens: usize,
    /// How the search is done.
    #[command(flatten)]
    #[serde(flatten)]
    pub how: How,
    /// Where is searched.
    #[command(flatten)]
    #[serde(flatten)]
    pub within: Where,
}

/// Results of the search that `explore` looks at.
const EXPLORED: usize = 12;

impl Call for Explore {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        let config = &sources.config;
        let request = SearchRequest {
            limit: EXPLORED,
            filters: self.within.filters_or(config),
            ..self.how.request(&self.query, config)?
        };
        let budget = self.max_tokens.min(MOST_TOKENS) / sources.indexes.len().max(1);
        from_each(sources, form, |index| {
            let explored = index.explore(&request, budget)?;
            let found = !explored.entries.is_empty();
            let mut notes = explored.degraded.clone();
            if !found {
                notes.push("nothing found".to_owned());
            }
            let body = match form {
                Form::Json => render::explore_json(&explored),
                Form::Text => render::explore_text(&explored, sources.one_repo(), budget),
            };
            Ok(Answer { body, notes, found })
        })
    }
}

/// How much `context` tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// A line a symbol, with how much it calls and is called
    Brief,
    /// Every symbol with what it calls and what calls it
    #[default]
    Detailed,
    /// Calls as a tree below each symbol
    Tree,
}

/// Parameters of `context`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// The file, or the end of its path
    #[arg(value_name = "FILE")]
    pub file: String,
    /// How much is told
    #[arg(long, value_enum, default_value_t = Detail::Detailed)]
    #[serde(default)]
    pub detail: Detail,
    /// How deep calls are followed
    #[arg(long, default_value_t = one(), value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    #[serde(default = "one")]
    pub depth: u32,
    /// Leave out edges that are less sure, 0 to 1
    #[arg(long, default_value_t = sure(), value_name = "0..1")]
    #[serde(default = "sure")]
    pub min_confidence: f32,
}

impl Call for Context {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let walk = Walk { depth: self.depth.clamp(1, 10), min_confidence: self.min_confidence, limit: MOST_CALLS };
            let context = index.context(&self.file, walk)?;
            let body = match (form, &context) {
                (Form::Json, context) => render::context_json(context.as_ref()),
                (Form::Text, Some(context)) => render::context_text(context, self.detail, sources.one_repo()),
                (Form::Text, None) => String::new(),
            };
            let notes = match &context {
                None => vec![format!("the index has no file '{}'", self.file)],
                Some(context) if context.unresolved > 0 => {
                    vec![format!("{} uses were not resolved", context.unresolved)]
                }
                Some(_) => Vec::new(),
            };
            Ok(Answer { body, notes, found: context.is_some() })
        })
    }
}

/// What a map is drawn as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum MapFormat {
    /// Text, or JSON where that is asked for
    #[default]
    Text,
    /// A flowchart for Mermaid
    Mermaid,
    /// A graph for Graphviz
    Dot,
    /// A picture
    Svg,
}

/// Parameters of `map`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// A folder to look at alone
    #[arg(value_name = "FOLDER")]
    pub path: Option<String>,
    /// How many tokens the answer may take; one is counted as four bytes
    #[arg(long, default_value_t = two_thousand(), value_name = "N")]
    #[serde(default = "two_thousand")]
    pub max_tokens: usize,
    /// What it is drawn as
    #[arg(long, value_enum, default_value_t = MapFormat::Text)]
    #[serde(default)]
    pub draw: MapFormat,
}

/// Tokens that a module takes with three of its symbols and its connections.
const MODULE_TOKENS: usize = 70;
/// Modules at most.
const MOST_MODULES: usize = 200;

impl Call for Map {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        let budget = self.max_tokens.min(MOST_TOKENS) / sources.indexes.len().max(1);
        from_each(sources, form, |index| {
            let mut modules = (budget / MODULE_TOKENS).clamp(2, MOST_MODULES);
            loop {
                let size = MapSize { modules, exports: 4, important: modules / 2 + 3, connections: modules * 2 };
                let map = index.map(self.path.as_deref(), size)?;
                let body = match (form, self.draw) {
                    (_, MapFormat::Mermaid) => render::map_mermaid(&map),
                    (_, MapFormat::Dot) => render::map_dot(&map),
                    (_, MapFormat::Svg) => render::map_svg(&map),
                    (Form::Json, MapFormat::Text) => render::map_json(&map),
                    (Form::Text, MapFormat::Text) => render::map_text(&map, sources.one_repo()),
                };
                // Names are as long as they are: a map that is too long is drawn with fewer modules.
                let is_text = self.draw == MapFormat::Text && form == Form::Text;
                let plain = || anstream::adapter::strip_str(&body).to_string();
                if is_text && modules > 2 && crate::overview::tokens(&plain()) > budget {
                    modules = (modules * 3 / 4).max(2);
                    continue;
                }
                return Ok(Answer { body, notes: Vec::new(), found: true });
            }
        })
    }
}

/// Parameters of `stats`: there are none.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Stats {}

impl Call for Stats {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let stats = index.stats()?;
            let body = match form {
                Form::Json => render::stats_json(&stats),
                Form::Text => render::stats_text(&stats),
            };
            Ok(Answer { body, notes: Vec::new(), found: true })
        })
    }
}
