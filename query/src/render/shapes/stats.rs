//! What `stats` and `verify` give.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use sextant_formats::verify::Report;

use super::{SCHEMA_VERSION, line};
use crate::stats;

/// What an index holds.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Stats<'a> {
    /// 1.
    schema_version: u32,
    /// The generation's name.
    generation: &'a str,
    /// The content id: equal content has an equal one.
    content_id: &'a str,
    /// The version of the layout.
    format_version: u32,
    /// The version of the meaning.
    feature_version: u32,
    /// The encoder of the vectors; null where there are none.
    model: Option<Model<'a>>,
    /// The repositories.
    repositories: Vec<Repository<'a>>,
    /// Lines of all files.
    lines: u64,
    /// Bytes of all files.
    source_bytes: u64,
    /// Files by language.
    languages: &'a BTreeMap<String, u64>,
    /// Files by how they were read.
    parse_status: &'a BTreeMap<&'static str, u64>,
    /// Edges by how their target was found.
    tiers: BTreeMap<&'static str, u64>,
    /// Paths that were not indexed, by reason.
    skipped: &'a BTreeMap<&'static str, u64>,
    /// The parts on disk.
    parts: Vec<Part<'a>>,
}

/// An encoder.
#[derive(Serialize, JsonSchema)]
struct Model<'a> {
    /// Its name.
    name: &'a str,
    /// The length of its vectors.
    dimensions: u32,
}

/// A repository.
#[derive(Serialize, JsonSchema)]
struct Repository<'a> {
    /// Its name.
    name: &'a str,
    /// Its commit, where it is known.
    commit: Option<&'a str>,
    /// A digest of its files.
    tree_hash: &'a str,
}

/// A part of the index.
#[derive(Serialize, JsonSchema)]
struct Part<'a> {
    /// Its name.
    name: &'a str,
    /// Its rows, where it has rows.
    rows: Option<u64>,
    /// Its bytes.
    bytes: u64,
}

/// What an index holds, on one line.
pub(crate) fn stats_json(stats: &stats::Stats) -> String {
    line(&Stats {
        schema_version: SCHEMA_VERSION,
        generation: &stats.generation,
        content_id: &stats.content_id,
        format_version: stats.format_version,
        feature_version: stats.feature_version,
        model: stats.model.as_ref().map(|(name, dimensions)| Model { name, dimensions: *dimensions }),
        repositories: stats
            .repositories
            .iter()
            .map(|r| Repository { name: &r.name, commit: r.commit.as_deref(), tree_hash: &r.tree_hash })
            .collect(),
        lines: stats.lines,
        source_bytes: stats.source_bytes,
        languages: &stats.languages,
        parse_status: &stats.parse_status,
        tiers: stats.tiers.iter().map(|(tier, n)| (tier.as_str(), *n)).collect(),
        skipped: &stats.skipped,
        parts: stats.parts.iter().map(|p| Part { name: &p.name, rows: p.rows, bytes: p.bytes }).collect(),
    })
}

#[derive(Serialize)]
struct Verify<'a> {
    schema_version: u32,
    generation: &'a str,
    content_id: &'a str,
    files: usize,
    bytes: u64,
    rows: u64,
    problems: &'a [String],
}

/// A verification's report on one line.
pub(crate) fn verify_json(generation: &str, content_id: &str, report: &Report) -> String {
    line(&Verify {
        schema_version: SCHEMA_VERSION,
        generation,
        content_id,
        files: report.files,
        bytes: report.bytes,
        rows: report.rows,
        problems: &report.problems,
    })
}
