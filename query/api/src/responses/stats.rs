//! What an index holds.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::stats;

use super::SCHEMA_VERSION;

/// What an index holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatsAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The generation's name.
    pub generation: String,
    /// The content id: equal content has an equal one.
    pub content_id: String,
    /// The version of the layout.
    pub format_version: u32,
    /// The version of the meaning.
    pub feature_version: u32,
    /// The encoder of the vectors; null where there are none.
    pub model: Option<Model>,
    /// The repositories.
    pub repositories: Vec<Repository>,
    /// Lines of all files.
    pub lines: u64,
    /// Bytes of all files.
    pub source_bytes: u64,
    /// Files by language.
    pub languages: BTreeMap<String, u64>,
    /// Files by how they were read.
    pub parse_status: BTreeMap<&'static str, u64>,
    /// Edges by how they were resolved.
    pub resolutions: BTreeMap<&'static str, u64>,
    /// Paths that were not indexed, by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// The parts on disk.
    pub parts: Vec<Part>,
}

/// An encoder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// The length of its vectors.
    pub dimensions: u32,
}

/// A repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Repository {
    /// Its name.
    pub name: String,
    /// Its commit, where it is known.
    pub commit: Option<String>,
    /// A digest of its files.
    pub tree_hash: String,
}

/// A part of the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its rows, where it has rows.
    pub rows: Option<u64>,
    /// Its bytes.
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
            model: stats.model.map(|(name, dimensions)| Model { name, dimensions }),
            repositories: repositories
                .map(|of| Repository { name: of.name, commit: of.commit, tree_hash: of.tree_hash })
                .collect(),
            lines: stats.lines,
            source_bytes: stats.source_bytes,
            languages: stats.languages,
            parse_status: stats.parse_status,
            resolutions: stats.resolutions.iter().map(|(tier, n)| (tier.as_str(), *n)).collect(),
            skipped: stats.skipped,
            parts: stats.parts.into_iter().map(|p| Part { name: p.name, rows: p.rows, bytes: p.bytes }).collect(),
        }
    }
}
