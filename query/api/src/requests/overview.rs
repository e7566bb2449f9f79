//! Requests that put others together, and what an index holds.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::navigate::TraversalOptions;
use sextant_search::overview::MapLimits;
use sextant_search::search::SearchRequest;

use super::defaults::{one, six_thousand, sure, two_thousand};
use super::{FilterArgs, Request, SearchOptions};
use crate::index_set::Answer;
use crate::responses::{self, Body, ContextAnswer, MapAnswer, Response, StatsAnswer};
use crate::{IndexSet, Result};

/// A budget that is larger is taken for this one.
const MAX_TOKENS: usize = 1_000_000;
/// Calls of one symbol that are told in `context`.
const MAX_CALLS: usize = 20;

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
    /// How to search.
    #[command(flatten)]
    #[serde(flatten)]
    pub options: SearchOptions,
    /// Where to search.
    #[command(flatten)]
    #[serde(flatten)]
    pub filter: FilterArgs,
}

/// Results of the search that `explore` looks at.
const EXPLORED: usize = 12;

impl Request for Explore {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let config = &indexes.config;
        let request = SearchRequest {
            limit: EXPLORED,
            filters: self.filter.filters_or(config),
            ..self.options.request(&self.query, config)?
        };
        let budget = self.max_tokens.min(MAX_TOKENS) / indexes.indexes.len().max(1);
        indexes.from_each(|index, edited| {
            let explored = index.explore(&request, budget)?;
            let found = !explored.entries.is_empty();
            let mut notes = explored.degraded.clone();
            if !found {
                notes.push("nothing found".to_owned());
            }
            Ok(Answer { body: Body::Explore(responses::Explore::new(explored, budget, edited)), notes, found })
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

impl Request for Context {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let walk = TraversalOptions {
                depth: self.depth.clamp(1, 10),
                min_confidence: self.min_confidence,
                limit: MAX_CALLS,
            };
            let context = index.context(&self.file, walk)?;
            let notes = match &context {
                None => vec![format!("the index has no file '{}'", self.file)],
                Some(context) if context.unresolved > 0 => {
                    vec![format!("{} uses were not resolved", context.unresolved)]
                }
                Some(_) => Vec::new(),
            };
            let found = context.is_some();
            Ok(Answer { body: Body::Context(ContextAnswer::new(context, self.detail, edited)), notes, found })
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
const MAX_MODULES: usize = 200;

impl Request for Map {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let budget = self.max_tokens.min(MAX_TOKENS) / indexes.indexes.len().max(1);
        indexes.from_each(|index, edited| {
            let mut modules = (budget / MODULE_TOKENS).clamp(2, MAX_MODULES);
            loop {
                let size = MapLimits { modules, exports: 4, important: modules / 2 + 3, connections: modules * 2 };
                let map = MapAnswer::new(index.map(self.path.as_deref(), size)?, self.draw, edited);
                // Names are as long as they are: a map that is too long is made again of fewer modules.
                if self.draw == MapFormat::Text && modules > 2 && map.text_tokens() > budget {
                    modules = (modules * 3 / 4).max(2);
                    continue;
                }
                return Ok(Answer { body: Body::Map(map), notes: Vec::new(), found: true });
            }
        })
    }
}

/// Parameters of `stats`: there are none.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Stats {}

impl Request for Stats {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, _| {
            let body = Body::Stats(StatsAnswer::from(index.stats()?));
            Ok(Answer { body, notes: Vec::new(), found: true })
        })
    }
}
