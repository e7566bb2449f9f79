//! `hybrid-search`.

use std::time::Instant;

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::hybrid::{ClusterWeights, GraphLimits, HybridRequest, hybrid_search};
use sextant_search::search::SearchRequest;
use sextant_search::{Filters, Mode};

use super::live::live_time;
use super::search::FilterArgs;
use super::{Request, Subject, defaults};
use crate::config::Config;
use crate::index_set::Answer;
use crate::responses::{Body, HybridAnswer, Response};
use crate::{Error, IndexSet, Result};

/// Edges between a seed and a symbol at most, whatever a request says.
const MAX_DEPTH: u32 = 5;
/// Symbols of a graph at most, whatever a request says.
const MAX_NODES: u16 = 1000;

/// Parameters of `hybrid-search`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct HybridSearch {
    /// The query
    #[arg(skip)]
    pub query: String,
    /// Maximum number of clusters; the search begins with twice as many symbols
    #[arg(short = 'n', long, default_value_t = defaults::ten(), value_parser = clap::value_parser!(u16).range(1..=100))]
    #[serde(default = "defaults::ten")]
    pub top_k: u16,
    /// Begin with what full text, names and vectors find together, not with vectors alone
    #[arg(long)]
    #[serde(default)]
    pub fusion: bool,
    /// Maximum number of edges from the symbols that were found
    #[arg(long, default_value_t = defaults::two(), value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    #[serde(default = "defaults::two")]
    pub depth: u32,
    /// Maximum number of symbols in the graph
    #[arg(long, default_value_t = defaults::hundred(), value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_NODES)))]
    #[serde(default = "defaults::hundred")]
    pub max_nodes: u16,
    /// Resolution of the clustering; higher gives smaller clusters
    #[arg(long, default_value_t = defaults::one_and_nothing(), value_name = "NUMBER")]
    #[serde(default = "defaults::one_and_nothing")]
    pub resolution: f64,
    /// Shares of text, centrality and proximity in a score [default: 0.4,0.35,0.25]
    #[arg(long, value_name = "TEXT,CENTRALITY,PROXIMITY")]
    pub weights: Option<String>,
    /// Time for language servers, in seconds; the index answers for symbols about which none answers in time
    #[arg(long, default_value_t = defaults::one_second(), value_name = "SECONDS")]
    #[serde(default = "defaults::one_second")]
    pub live_seconds: f32,
    /// Settings that override the parameters above
    #[arg(skip)]
    pub config_overrides: Option<ConfigOverrides>,
    /// Filters of the symbols with which the search begins.
    #[command(flatten)]
    #[serde(flatten)]
    pub filter: FilterArgs,
}

/// Settings of one search.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigOverrides {
    /// Shares of the signals in a score
    pub ranking_weights: Option<RankingWeights>,
    /// Maximum number of edges from the symbols that were found
    pub max_graph_depth: Option<u32>,
    /// Resolution of the clustering
    pub clustering_resolution: Option<f64>,
}

/// Shares of the signals in a score.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RankingWeights {
    /// Of the text
    pub w1: f32,
    /// Of the centrality
    pub w2: f32,
    /// Of the proximity
    pub w3: f32,
}

impl HybridSearch {
    fn request(&self, config: &Config) -> Result<HybridRequest> {
        let overrides = self.config_overrides.clone().unwrap_or_default();
        let weights = match (overrides.ranking_weights, &self.weights) {
            (Some(RankingWeights { w1, w2, w3 }), _) => [w1, w2, w3],
            (None, Some(text)) => parse_weights(text)?,
            (None, None) => {
                let ClusterWeights { text, centrality, proximity } = ClusterWeights::default();
                [text, centrality, proximity]
            }
        };
        if weights.iter().any(|weight| !weight.is_finite() || *weight < 0.0) {
            return Err(Error::Parameter("weights are numbers that are not negative".to_owned()));
        }
        let resolution = overrides.clustering_resolution.unwrap_or(self.resolution);
        if !resolution.is_finite() || resolution <= 0.0 {
            return Err(Error::Parameter(format!("resolution is a number above 0, not {resolution}")));
        }
        let search = SearchRequest {
            mode: if self.fusion { Mode::Fusion } else { Mode::Vector },
            vectors: config.vectors.value,
            graph: config.graph.value,
            filters: self.filter.filters_or(config),
            weights: config.weights,
            ..SearchRequest::new(&self.query)
        };
        let [text, centrality, proximity] = weights;
        Ok(HybridRequest {
            search,
            top_k: usize::from(self.top_k.clamp(1, 100)),
            limits: GraphLimits {
                max_depth: overrides.max_graph_depth.unwrap_or(self.depth).min(MAX_DEPTH),
                max_nodes: usize::from(self.max_nodes.clamp(1, MAX_NODES)),
            },
            resolution,
            weights: ClusterWeights { text, centrality, proximity },
            live_time: live_time(self.live_seconds)?,
        })
    }
}

/// Three numbers with commas between them.
fn parse_weights(text: &str) -> Result<[f32; 3]> {
    let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    let weights = numbers.and_then(|numbers| <[f32; 3]>::try_from(numbers).ok());
    weights.ok_or_else(|| Error::Parameter(format!("weights are three numbers with commas between them, not '{text}'")))
}

impl Request for HybridSearch {
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
        let request = self.request(&indexes.config)?;
        let one_repo = indexes.one_repo();
        indexes.answer_each(|index, dirty_files| {
            let started = Instant::now();
            let response = hybrid_search(index, &request, indexes.servers())?;
            let notes = response.notes.clone();
            let found = !response.clusters.is_empty();
            let answer = HybridAnswer::new(index, &self.query, response, started, one_repo, dirty_files)?;
            Ok(Answer { body: Body::Hybrid(answer), notes, found })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> Result<HybridRequest> {
        let request: HybridSearch = serde_json::from_str(text).unwrap();
        request.request(&Config::default())
    }

    #[test]
    fn the_documented_request_is_understood() {
        let text = r#"{"query": "retry", "top_k": 5, "config_overrides": {"ranking_weights": {"w1": 0.5, "w2": 0.3,
            "w3": 0.2}, "max_graph_depth": 3, "clustering_resolution": 1.5}}"#;
        let found = request(text).unwrap();
        assert_eq!((found.top_k, found.limits.max_depth, found.limits.max_nodes), (5, 3, 100));
        assert_eq!(found.resolution, 1.5);
        assert_eq!(found.weights, ClusterWeights { text: 0.5, centrality: 0.3, proximity: 0.2 });

        let found = request(r#"{"query": "retry", "weights": "1, 0,0", "fusion": true}"#).unwrap();
        assert_eq!(found.weights, ClusterWeights { text: 1.0, centrality: 0.0, proximity: 0.0 });
        assert_eq!((found.top_k, found.limits.max_depth, found.search.mode), (10, 2, Mode::Fusion));
        assert_eq!(request(r#"{"query": "retry"}"#).unwrap().weights, ClusterWeights::default());
    }

    #[test]
    fn impossible_settings_are_refused() {
        for text in [
            r#"{"query": "a", "weights": "1,2"}"#,
            r#"{"query": "a", "weights": "1,2,-3"}"#,
            r#"{"query": "a", "weights": "1,2,NaN"}"#,
            r#"{"query": "a", "resolution": 0}"#,
            r#"{"query": "a", "config_overrides": {"clustering_resolution": -1}}"#,
            r#"{"query": "a", "live_seconds": -1}"#,
        ] {
            assert!(matches!(request(text), Err(Error::Parameter(_))), "{text}");
        }
    }
}
