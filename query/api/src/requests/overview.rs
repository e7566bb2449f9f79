//! Requests that combine others, and statistics.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::navigate::TraversalOptions;
use sextant_search::overview::{self, MapLimits};
use sextant_search::search::SearchRequest;
use sextant_search::similarity::{Boundary, BoundaryOptions, Similarity};
use sextant_search::{Index, Navigator, Overviews, stats};

use super::defaults::{fifteen_hundred, one, sure, three, two_thousand};
use super::search::nothing_fits;
use super::{FilterArgs, Request, SearchOptions};
use crate::index_set::Answer;
use crate::responses::{self, Body, ContextAnswer, MapAnswer, Response, StatsAnswer};
use crate::text_form::{Detail, DrawFormat};
use crate::{IndexSet, Result};

/// Larger budgets are reduced to this, in tokens.
const MAX_TOKENS: usize = 1_000_000;
/// Maximum number of callers, and of callees, of one symbol in `context`.
const MAX_CALLS: usize = 20;

/// Parameters of `explore`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Explore {
    /// The question
    #[arg(skip)]
    pub query: String,
    /// Maximum size of the answer in tokens of four bytes
    #[arg(long, default_value_t = fifteen_hundred(), value_name = "N")]
    #[serde(default = "fifteen_hundred")]
    pub max_tokens: usize,
    /// Search options.
    #[command(flatten)]
    #[serde(flatten)]
    pub options: SearchOptions,
    /// Filters.
    #[command(flatten)]
    #[serde(flatten)]
    pub filter: FilterArgs,
}

impl Request for Explore {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let config = &indexes.config;
        let request =
            SearchRequest { filters: self.filter.filters_or(config), ..self.options.request(&self.query, config)? };
        let budget = self.max_tokens.min(MAX_TOKENS) / indexes.indexes.len().max(1);
        indexes.answer_each(|index, dirty_files| {
            let explored = Overviews::new(index).explore(&request, budget)?;
            let is_empty = explored.entries.is_empty() && explored.not_shown.is_empty() && explored.not_listed == 0;
            let found = explored.fits && !is_empty;
            let mut notes = explored.degraded.clone();
            if !found {
                notes.push(nothing_fits(explored.fit, is_empty));
            }
            Ok(Answer { body: Body::Explore(responses::Explore::new(explored, dirty_files)), notes, found })
        })
    }
}

/// Parameters of `context`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// The file, or the end of its path
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Level of detail
    #[arg(long, value_enum, default_value_t = Detail::Detailed)]
    #[serde(default)]
    pub detail: Detail,
    /// Number of calls to follow from each symbol
    #[arg(long, default_value_t = one(), value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    #[serde(default = "one")]
    pub depth: u32,
    /// Ignore edges below this confidence, 0 to 1
    #[arg(long, default_value_t = sure(), value_name = "0..1")]
    #[serde(default = "sure")]
    pub min_confidence: f32,
    /// Leave out the symbols: only imports, what imports the file, its parts, and counts
    #[arg(long)]
    #[serde(default)]
    pub without_symbols: bool,
    /// Maximum number of the newest commits that changed the file
    #[arg(long, default_value_t = three(), value_name = "N")]
    #[serde(default = "three")]
    pub commits: usize,
}

impl Request for Context {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.answer_each(|index, dirty_files| {
            let traversal = TraversalOptions {
                depth: self.depth.clamp(1, 10),
                min_confidence: self.min_confidence,
                limit: MAX_CALLS,
            };
            let walk = (!self.without_symbols).then_some(traversal);
            let context = Navigator::new(index).context(&self.file, walk, self.commits)?;
            let notes = match &context {
                None => vec![format!("the index has no file '{}'", self.file)],
                Some(context) if context.unresolved > 0 => {
                    vec![format!("{} references were not resolved", context.unresolved)]
                }
                Some(_) => Vec::new(),
            };
            let found = context.is_some();
            let parts = match &context {
                Some(context) if self.detail != Detail::Brief => parts_of(index, &context.repo, &context.path)?,
                _ => Vec::new(),
            };
            let answer = ContextAnswer::new(context, self.detail, dirty_files).with_parts(parts, dirty_files);
            Ok(Answer { body: Body::Context(answer), notes, found })
        })
    }
}

/// The parts of a file by subject; none if it has only one, or if the index cannot tell.
fn parts_of(index: &Index, repo: &str, path: &str) -> Result<Vec<Boundary>> {
    let Some(mut similarity) = Similarity::open(index)? else { return Ok(Vec::new()) };
    let named =
        if index.generation().manifest().repositories.len() > 1 { format!("{repo}/{path}") } else { path.to_owned() };
    if similarity.check_encoder().is_err() {
        return Ok(Vec::new());
    }
    let Some((name, text)) = similarity.file_text(&named)? else { return Ok(Vec::new()) };
    let parts = similarity.boundaries(&name, &text, BoundaryOptions::STANDARD)?;
    Ok(if parts.len() > 1 { parts } else { Vec::new() })
}

/// Parameters of `map`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// Show only this folder
    #[arg(value_name = "FOLDER")]
    pub path: Option<String>,
    /// Maximum size of the answer in tokens of four bytes
    #[arg(long, default_value_t = two_thousand(), value_name = "N")]
    #[serde(default = "two_thousand")]
    pub max_tokens: usize,
    /// Add communities: files that use each other and are alike, with their terms; and the modules that are most alike
    #[arg(long)]
    #[serde(default)]
    pub communities: bool,
    /// Leave out files of tests
    #[arg(long)]
    #[serde(default)]
    pub without_tests: bool,
    /// Draw the modules in layers: what uses stands above what is used
    #[arg(long, value_enum, default_value_t = DrawFormat::Text)]
    #[serde(default)]
    pub draw: DrawFormat,
}

/// Average number of tokens of a module with three of its symbols and its connections.
const MODULE_TOKENS: usize = 70;
/// Maximum number of communities, and of pairs of modules that are alike, in a map.
const MAX_COMMUNITIES: usize = 20;
/// Maximum number of modules in a map.
const MAX_MODULES: usize = 200;

impl Request for Map {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let budget = self.max_tokens.min(MAX_TOKENS) / indexes.indexes.len().max(1);
        indexes.answer_each(|index, dirty_files| {
            let mut modules = (budget / MODULE_TOKENS).clamp(2, MAX_MODULES);
            loop {
                let (important, connections, tests) = (modules / 2 + 3, modules * 2, !self.without_tests);
                let limits = MapLimits { modules, exports: 4, important, connections, tests };
                let overviews = Overviews::new(index);
                let found = match overviews.map(self.path.as_deref(), limits) {
                    // Another of several indexes may have the folder.
                    Err(error) if indexes.indexes.len() > 1 && error.is_callers() => {
                        let body = Body::Map(
                            MapAnswer::new(overview::Map::default(), None, dirty_files).with_drawing(self.draw),
                        );
                        return Ok(Answer { body, notes: vec![error.to_string()], found: false });
                    }
                    found => found?,
                };
                let mut notes = Vec::new();
                let related = if !self.communities {
                    None
                } else if index.has_file_vectors() {
                    let count = (modules / 2).clamp(3, MAX_COMMUNITIES);
                    let communities = overviews.communities(&found.modules, count)?;
                    Some((communities, overviews.couplings(&found.modules, count)?))
                } else {
                    notes.push("the index has no vectors of files, so there are no communities".to_owned());
                    None
                };
                let map = MapAnswer::new(found, related, dirty_files);
                // The size is known only after rendering: retry with fewer modules if names are long.
                if self.draw == DrawFormat::Text && modules > 2 && map.text_tokens() > budget {
                    modules = (modules * 3 / 4).max(2);
                    continue;
                }
                return Ok(Answer { body: Body::Map(map.with_drawing(self.draw)), notes, found: true });
            }
        })
    }
}

/// `stats` has no parameters.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Stats {}

impl Request for Stats {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.answer_each(|index, _| {
            let body = Body::Stats(StatsAnswer::from(stats::Stats::read(index)?));
            Ok(Answer { body, notes: Vec::new(), found: true })
        })
    }
}
