//! The answer of `stats`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::stats;

use super::SCHEMA_VERSION;
use crate::date::date_time;

/// The contents of an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatsAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The generation's name.
    pub generation: String,
    /// The content id: equal for indexes with equal content.
    pub content_id: String,
    /// The version of the format: the layout of the files.
    pub format_version: u32,
    /// The version of the features: how source becomes chunks, symbols and edges.
    pub feature_version: u32,
    /// The encoder of the vectors; null if there are none.
    pub model: Option<Model>,
    /// The language model whose summaries are in the chunks; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enrichment: Option<Enrichment>,
    /// The repositories.
    pub repositories: Vec<Repository>,
    /// The number of lines of all files.
    pub lines: u64,
    /// The size of all files in bytes.
    pub source_bytes: u64,
    /// The number of files by language.
    pub languages: BTreeMap<String, u64>,
    /// The number of files by how they were parsed: parsed, partial, windows and so on.
    pub parse_status: BTreeMap<&'static str, u64>,
    /// The number of edges by resolution.
    pub resolutions: BTreeMap<&'static str, u64>,
    /// The number of skipped paths by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// The parts of the index on disk.
    pub parts: Vec<Part>,
}

/// Summaries by a language model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Enrichment {
    /// The model's name.
    pub model: String,
    /// The number of chunks with a summary.
    pub summaries: u64,
}

/// An encoder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// The number of dimensions of its vectors.
    pub dimensions: u32,
}

/// A repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Repository {
    /// Its name.
    pub name: String,
    /// Its commit; null if unknown.
    pub commit: Option<String>,
    /// A digest of its files.
    pub tree_hash: String,
    /// What of its git history the index has; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<RepositoryHistory>,
}

/// What of the git history of a repository the index has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepositoryHistory {
    /// The number of commits: the newest.
    pub commits: u32,
    /// When the oldest of them was made, as a date and time in UTC; null if there is none.
    pub since: Option<String>,
}

/// A part of the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The number of its rows; null if it has none.
    pub rows: Option<u64>,
    /// Its size in bytes.
    pub bytes: u64,
}

impl From<stats::Stats> for StatsAnswer {
    fn from(stats: stats::Stats) -> Self {
        let repositories = stats.repositories.into_iter();
        Self {
            schema_version: SCHEMA_VERSION,
            command: "stats",
            generation: stats.generation,
            content_id: stats.content_id,
            format_version: stats.format_version,
            feature_version: stats.feature_version,
            enrichment: stats.enrichment.map(|(model, summaries)| Enrichment { model, summaries }),
            model: stats.model.map(|(name, dimensions)| Model { name, dimensions }),
            repositories: repositories
                .map(|repository| Repository {
                    name: repository.name,
                    commit: repository.commit,
                    tree_hash: repository.tree_hash,
                    history: repository.history.map(|history| RepositoryHistory {
                        commits: history.commits,
                        since: history.since.map(date_time),
                    }),
                })
                .collect(),
            lines: stats.lines,
            source_bytes: stats.source_bytes,
            languages: stats.languages,
            parse_status: stats.parse_status,
            resolutions: stats.resolutions.iter().map(|(resolution, count)| (resolution.as_str(), *count)).collect(),
            skipped: stats.skipped,
            parts: stats.parts.into_iter().map(|p| Part { name: p.name, rows: p.rows, bytes: p.bytes }).collect(),
        }
    }
}
