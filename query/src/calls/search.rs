//! `search`, and what it shares with other calls: how a search is done, and where.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_formats::kinds::Kind;

use super::{Answer, Call, Form, Sources, kind, texts, word, words};
use crate::config::Config;
use crate::search::{Filters, Mode, Respelled, SearchRequest, SearchResponse, Strategy, fuse};
use crate::{Error, Result, render};

/// How a search is done.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
pub struct How {
    /// Which retrievers take part [default: fusion]
    #[arg(long, value_parser = clap::builder::TypedValueParser::map(
        clap::builder::PossibleValuesParser::new(possible(Mode::WORDS)), |word| word.parse::<Mode>().unwrap_or_default()))]
    #[serde(default, deserialize_with = "word")]
    #[schemars(with = "Option<String>")]
    pub mode: Option<Mode>,
    /// How the lists of the retrievers become one [default: rrf]
    #[arg(long, value_parser = clap::builder::TypedValueParser::map(
        clap::builder::PossibleValuesParser::new(possible(Strategy::WORDS)), |word| word.parse::<Strategy>().unwrap_or_default()))]
    #[serde(default, deserialize_with = "word")]
    #[schemars(with = "Option<String>")]
    pub strategy: Option<Strategy>,
    /// Do without the graph
    #[arg(long)]
    #[serde(default)]
    pub no_graph: bool,
    /// Do without vectors
    #[arg(long)]
    #[serde(default)]
    pub no_vectors: bool,
    /// Set a ranking weight, NAME=VALUE (repeatable); an unknown name lists them all
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(default, deserialize_with = "texts")]
    pub set: Vec<String>,
}

/// The words of a vocabulary with what each means.
fn possible<T>(words: &[(&'static str, T, &'static str)]) -> Vec<clap::builder::PossibleValue> {
    words.iter().map(|(word, _, help)| clap::builder::PossibleValue::new(word).help(help)).collect()
}

impl How {
    /// A request for a query: as said, else as configured.
    pub fn request(&self, query: &str, config: &Config) -> Result<SearchRequest> {
        let mut weights = config.weights;
        for assignment in &self.set {
            weights.set(assignment).map_err(|error| Error::Filter(error.to_string()))?;
        }
        Ok(SearchRequest {
            mode: self.mode.unwrap_or(config.mode.value),
            strategy: self.strategy.unwrap_or(config.strategy.value),
            graph: config.graph.value && !self.no_graph,
            vectors: config.vectors.value && !self.no_vectors,
            weights,
            ..SearchRequest::new(query)
        })
    }
}

/// Where is searched.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
pub struct Where {
    /// Only what is of this kind, e.g. function, class (repeatable)
    #[arg(long, value_parser = kind)]
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub kind: Vec<Kind>,
    /// Only files of this language (repeatable)
    #[arg(long)]
    #[serde(default, deserialize_with = "texts")]
    pub language: Vec<String>,
    /// Only files whose path matches this glob (repeatable)
    #[arg(long, value_name = "GLOB")]
    #[serde(default, deserialize_with = "texts")]
    pub path: Vec<String>,
    /// Only this repository of the index (repeatable)
    #[arg(long)]
    #[serde(default, deserialize_with = "texts")]
    pub repo: Vec<String>,
}

impl Where {
    /// As filters.
    #[must_use]
    pub fn filters(&self) -> Filters {
        Filters {
            kinds: self.kind.clone(),
            languages: self.language.clone(),
            paths: self.path.clone(),
            repos: self.repo.clone(),
        }
    }

    /// As filters, as configured where nothing is said.
    #[must_use]
    pub fn filters_or(&self, config: &Config) -> Filters {
        let or = |said: &[String], set: &[String]| if said.is_empty() { set.to_vec() } else { said.to_vec() };
        Filters {
            languages: or(&self.language, &config.languages.value),
            paths: or(&self.path, &config.paths.value),
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
    /// How many results at most [default: 10]
    #[arg(short = 'n', long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: Option<u16>,
    /// How the search is done.
    #[command(flatten)]
    #[serde(flatten)]
    pub how: How,
    /// Where is searched.
    #[command(flatten)]
    #[serde(flatten)]
    pub within: Where,
    /// Show what each signal gave a result, and the path in the graph that lifted it
    #[arg(long)]
    #[serde(default)]
    pub explain: bool,
}

impl Search {
    /// What is asked of each index.
    pub fn request(&self, config: &Config) -> Result<SearchRequest> {
        Ok(SearchRequest {
            limit: usize::from(self.limit.unwrap_or(config.limit.value).min(1000)),
            filters: self.within.filters_or(config),
            ..self.how.request(&self.query, config)?
        })
    }
}

impl Call for Search {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        let request = self.request(&sources.config)?;
        let responses: Vec<SearchResponse> =
            sources.indexes.iter().map(|named| named.index.search(&request)).collect::<Result<_>>()?;
        let names: Vec<&str> = sources.indexes.iter().map(|named| named.name.as_str()).collect();
        let Some((response, of_index)) = fuse(responses, request.limit) else { return Ok(Answer::default()) };
        let found = !response.results.is_empty();
        let mut notes = response.degraded.clone();
        for Respelled { typed, taken } in &response.respelled {
            notes.push(format!("nothing has '{typed}'; it was taken for '{taken}'"));
        }
        if !found {
            notes.push("nothing found".to_owned());
        }
        let indexes: Vec<&str> = of_index.iter().map(|&n| names[n]).collect();
        let body = match form {
            Form::Json => render::search_json(&response, if names.len() > 1 { &indexes } else { &[] }),
            Form::Text => render::search_text(&response, self.explain, sources.one_repo()),
        };
        Ok(Answer { body, notes, found })
    }
}
