//! Requests that combine others, and statistics.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::navigate::TraversalOptions;
use sextant_search::overview::{self, MapLimits, Question};
use sextant_search::search::SearchRequest;
use sextant_search::similarity::{Boundary, BoundaryOptions, Similarity};
use sextant_search::{Filters, Index, Navigator, Overviews, stats};

use super::defaults::{fifteen_hundred, one, sure, three, two_thousand};
use super::search::nothing_fits;
use super::{FilterArgs, Request, SearchOptions, Subject};
use crate::index_set::Answer;
use crate::links::Links;
use crate::responses::{self, Body, ContextAnswer, MapAnswer, Response, StatsAnswer, some_names};
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
    fn subject(&self) -> Subject {
        Subject::Text(self.query.clone())
    }

    fn repositories(&self) -> &[String] {
        &self.filter.repo
    }

    fn filters(&self) -> Filters {
        self.filter.filters()
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let config = &indexes.config;
        let request =
            SearchRequest { filters: self.filter.filters_or(config), ..self.options.request(&self.query, config)? };
        let request = indexes.with_common_counts(request)?;
        let budget = self.max_tokens.min(MAX_TOKENS);
        let questions = indexes.in_parallel(|index| Ok(Overviews::new(index).question(&request)?))?;
        let (chosen, also_fit) = best_fitting(&questions.iter().map(|q| (q.fit(), q.fits())).collect::<Vec<_>>());
        let all: f32 = chosen.iter().map(|&at| questions[at].fit()).sum();
        let links = Links::new(indexes);
        let mut questions: Vec<Option<Question<'_>>> = questions.into_iter().map(Some).collect();
        let mut answers = Vec::new();
        for &at in &chosen {
            let Some(question) = questions[at].take() else { continue };
            let share = if chosen.len() > 1 && all > 0.0 { question.fit() / all } else { 1.0 };
            let mut explored = question.answer((budget as f32 * share) as usize)?;
            if let Some(links) = &links {
                for entry in &mut explored.entries {
                    links.add_neighbours(at, entry)?;
                }
            }
            let is_empty = explored.entries.is_empty() && explored.not_shown.is_empty() && explored.not_listed == 0;
            let found = explored.fits && !is_empty;
            let mut notes = explored.degraded.clone();
            if !found {
                notes.push(nothing_fits(explored.fit, is_empty));
            }
            let body = Body::Explore(responses::Explore::new(explored, indexes.indexes[at].index.dirty_files()));
            answers.push((at, Answer { body, notes, found }));
        }
        let mut response = indexes.combine(answers);
        if !also_fit.is_empty() {
            let names: Vec<&str> = also_fit.iter().map(|&at| indexes.indexes[at].name.as_str()).collect();
            response.notes.push(format!("less of {} fits too: --repo NAME asks one repository", some_names(&names)));
        }
        Ok(response)
    }
}

/// Indexes of which source is shown in one answer: more of them have too few lines each.
const MAX_EXPLORED: usize = 3;
/// An index whose fit is less than this share of the best one's is only named.
const MIN_EXPLORED_FIT: f32 = 0.7;

/// The indexes that answer a question, and those that are only named, both best first, by the positions of `fits`: the
/// fit of each, and whether it is enough. If none is, the best one answers what is nearest.
fn best_fitting(fits: &[(f32, bool)]) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..fits.len()).collect();
    order.sort_by(|&a, &b| fits[b].0.total_cmp(&fits[a].0).then(a.cmp(&b)));
    let min = order.first().map_or(0.0, |&best| fits[best].0 * MIN_EXPLORED_FIT);
    let (fitting, _): (Vec<usize>, Vec<usize>) = order.iter().copied().partition(|&at| fits[at].1);
    if fitting.is_empty() {
        return (order.into_iter().take(1).collect(), Vec::new());
    }
    let count = fitting.iter().take(MAX_EXPLORED).take_while(|&&at| fits[at].0 >= min).count();
    (fitting[..count].to_vec(), fitting[count..].to_vec())
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
    fn subject(&self) -> Subject {
        Subject::Files(vec![self.file.clone()])
    }

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
    fn subject(&self) -> Subject {
        Subject::Everything
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let budget = (self.max_tokens.min(MAX_TOKENS) / indexes.indexes.len().max(1)).max(MODULE_TOKENS * 2);
        indexes.answer_each(|index, dirty_files| {
            let mut modules = (budget / MODULE_TOKENS).clamp(2, MAX_MODULES);
            let overviews = Overviews::new(index);
            let mapped = match overviews.mapped(self.path.as_deref(), !self.without_tests) {
                // Another of several indexes may have the folder.
                Err(error) if indexes.indexes.len() > 1 && error.is_callers() => {
                    let body =
                        Body::Map(MapAnswer::new(overview::Map::default(), None, dirty_files).with_drawing(self.draw));
                    return Ok(Answer { body, notes: vec![error.to_string()], found: false });
                }
                mapped => mapped?,
            };
            loop {
                let (important, connections) = (modules / 2 + 3, modules * 2);
                let found = mapped.map(&MapLimits { modules, exports: 4, important, connections })?;
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
    fn subject(&self) -> Subject {
        Subject::Everything
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.answer_each(|index, _| {
            let body = Body::Stats(StatsAnswer::from(stats::Stats::read(index)?));
            Ok(Answer { body, notes: Vec::new(), found: true })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::best_fitting;

    #[test]
    fn the_indexes_that_fit_best_answer() {
        let fits = [(0.5, true), (0.9, true), (0.1, false), (0.85, true), (0.8, true), (0.79, true)];
        assert_eq!(best_fitting(&fits), (vec![1, 3, 4], vec![5, 0]));
        assert_eq!(best_fitting(&[(0.1, false), (0.2, false)]), (vec![1], vec![]));
        assert_eq!(best_fitting(&[(0.9, true), (0.3, true)]), (vec![0], vec![1]));
    }
}
