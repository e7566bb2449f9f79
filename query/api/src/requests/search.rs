//! `search`, and the search options and filters that it shares with other requests.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_format::kinds::Kind;
use sextant_search::search::{
    Correction, Filters, Mode, SearchRequest, SearchResponse, Searcher, Strategy, merge_responses,
};

use super::parameter::{kind, texts, word, words};
use super::{Request, Subject};
use crate::config::Config;
use crate::index_set::Answer;
use crate::responses::{Body, Response, SearchAnswer};
use crate::{Error, IndexSet, Result};

/// Search options.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
pub struct SearchOptions {
    /// Retrievers to use [default: fusion]
    #[arg(long, value_parser = clap::builder::TypedValueParser::map(
        clap::builder::PossibleValuesParser::new(possible_values(Mode::NAMES)), |word| word.parse::<Mode>().unwrap_or_default()))]
    #[serde(default, deserialize_with = "word")]
    #[schemars(with = "Option<String>")]
    pub mode: Option<Mode>,
    /// How to combine the retrievers' result lists [default: rrf]
    #[arg(long, value_parser = clap::builder::TypedValueParser::map(
        clap::builder::PossibleValuesParser::new(possible_values(Strategy::NAMES)), |word| word.parse::<Strategy>().unwrap_or_default()))]
    #[serde(default, deserialize_with = "word")]
    #[schemars(with = "Option<String>")]
    pub strategy: Option<Strategy>,
    /// Ignore the graph
    #[arg(long)]
    #[serde(default)]
    pub no_graph: bool,
    /// Ignore vectors
    #[arg(long)]
    #[serde(default)]
    pub no_vectors: bool,
    /// Have a small model read the best results of a question or report again: slower, better for bug reports
    #[arg(long)]
    #[serde(default)]
    pub rerank: bool,
    /// Leave out results whose score is lower, 0 to 1; without it, a query that fits nothing has no results
    #[arg(long, value_name = "0..1")]
    #[serde(default)]
    pub min_score: Option<f32>,
    /// Set a ranking weight (repeatable); 'sextant config' lists the weights
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(default, deserialize_with = "texts")]
    pub set: Vec<String>,
}

/// Returns the allowed words of an option with their help texts.
fn possible_values<T>(words: &[(&'static str, T, &'static str)]) -> Vec<clap::builder::PossibleValue> {
    words.iter().map(|(word, _, help)| clap::builder::PossibleValue::new(word).help(help)).collect()
}

impl SearchOptions {
    /// Returns the search request for a query; the configuration supplies what these options leave open.
    ///
    /// # Errors
    /// `set` contains an unknown weight or an invalid value.
    pub fn request(&self, query: &str, config: &Config) -> Result<SearchRequest> {
        let mut weights = config.weights;
        for assignment in &self.set {
            weights.set(assignment).map_err(|error| Error::Parameter(error.to_string()))?;
        }
        Ok(SearchRequest {
            mode: self.mode.unwrap_or(config.mode.value),
            strategy: self.strategy.unwrap_or(config.strategy.value),
            graph: config.graph.value && !self.no_graph,
            vectors: config.vectors.value && !self.no_vectors,
            rerank: self.rerank,
            min_score: self.min_score,
            weights,
            ..SearchRequest::new(query)
        })
    }
}

/// Filters of a search.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
pub struct FilterArgs {
    /// Search only symbols of this kind, e.g. function, class (repeatable)
    #[arg(long, value_parser = kind)]
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub kind: Vec<Kind>,
    /// Search only files in this language (repeatable)
    #[arg(long)]
    #[serde(default, deserialize_with = "texts")]
    pub language: Vec<String>,
    /// Search only files whose path matches this glob; `!GLOB` leaves them out (repeatable)
    #[arg(long, value_name = "GLOB")]
    #[serde(default, deserialize_with = "texts")]
    pub path: Vec<String>,
    /// Search only this repository of the index (repeatable)
    #[arg(long)]
    #[serde(default, deserialize_with = "texts")]
    pub repo: Vec<String>,
}

impl FilterArgs {
    /// Converts the arguments to filters.
    #[must_use]
    pub fn filters(&self) -> Filters {
        Filters {
            kinds: self.kind.clone(),
            languages: self.language.clone(),
            paths: self.path.clone(),
            repos: self.repo.clone(),
        }
    }

    /// Converts the arguments to filters; the configuration supplies languages and paths that are not given.
    #[must_use]
    pub fn filters_or(&self, config: &Config) -> Filters {
        let or_configured = |given: &[String], configured: &[String]| {
            if given.is_empty() { configured.to_vec() } else { given.to_vec() }
        };
        Filters {
            languages: or_configured(&self.language, &config.languages.value),
            paths: or_configured(&self.path, &config.paths.value),
            ..self.filters()
        }
    }
}

/// Parameters of `search`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// The query
    #[arg(skip)]
    pub query: String,
    /// Maximum number of results [default: 10]
    #[arg(short = 'n', long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: Option<u16>,
    /// Search options.
    #[command(flatten)]
    #[serde(flatten)]
    pub options: SearchOptions,
    /// Filters.
    #[command(flatten)]
    #[serde(flatten)]
    pub filter: FilterArgs,
    /// Show what each signal contributed to a score, and the graph path that raised it
    #[arg(long)]
    #[serde(default)]
    pub explain: bool,
}

impl Search {
    /// Returns the search request that is sent to each index.
    ///
    /// # Errors
    /// `set` contains an unknown weight or an invalid value.
    pub fn request(&self, config: &Config) -> Result<SearchRequest> {
        Ok(SearchRequest {
            limit: usize::from(self.limit.unwrap_or(config.limit.value).min(1000)),
            filters: self.filter.filters_or(config),
            ..self.options.request(&self.query, config)?
        })
    }
}

/// The note of an answer without results that fit.
pub(super) fn nothing_fits(fit: f32, is_empty: bool) -> String {
    if is_empty {
        return "nothing found".to_owned();
    }
    format!("nothing fits: the best score is {fit:.2}, and what is listed is only the nearest; --min-score 0 shows all")
}

impl Request for Search {
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
        let request = indexes.with_common_counts(self.request(&indexes.config)?)?;
        let responses: Vec<SearchResponse> = indexes.in_parallel(|index| Ok(Searcher::new(index).search(&request)?))?;
        let (response, of_index) = merge_responses(responses, request.limit).ok_or_else(|| {
            // Unreachable: a set is never empty.
            Error::Parameter("no index given".to_owned())
        })?;
        let found = !response.results.is_empty() && response.fits;
        let mut notes = response.degraded.clone();
        for Correction { original, corrected } in &response.corrections {
            notes.push(format!("no document contains '{original}'; searched for '{corrected}' instead"));
        }
        if !found {
            notes.push(nothing_fits(response.fit, response.results.is_empty()));
        }
        let dirty_files: Vec<_> = indexes.indexes.iter().map(|named| named.index.dirty_files()).collect();
        let names: Vec<&str> = indexes.indexes.iter().map(|named| named.name.as_str()).collect();
        let names = if names.len() > 1 { names.as_slice() } else { &[] };
        let answer = SearchAnswer::new(response, &of_index, &dirty_files, names, self.explain);
        Ok(indexes.respond(Answer { body: Body::Search(answer), notes, found }))
    }
}
