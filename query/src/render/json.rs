//! The JSON forms, schema version 1.

use std::collections::BTreeMap;

use serde::Serialize;
use sextant_formats::verify::Report;

use crate::rank::FileSigns;
use crate::search::{Also, Hit, Parent, SearchResponse};
use crate::stats::Stats;

/// The version of all shapes in this module.
pub(super) const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Search<'a> {
    schema_version: u32,
    query: &'a str,
    took_ms: f64,
    class: &'static str,
    strategy: &'static str,
    available: &'a [&'static str],
    degraded: &'a [String],
    results: Vec<SearchHit<'a>>,
}

#[derive(Serialize)]
struct SearchHit<'a> {
    rank: usize,
    score: f32,
    repo: &'a str,
    path: &'a str,
    start_line: u32,
    end_line: u32,
    language: &'a str,
    kind: &'static str,
    name: Option<&'a str>,
    qualified_name: Option<&'a str>,
    chunk_id: u32,
    parent: Option<SearchParent<'a>>,
    also: Vec<SearchAlso<'a>>,
    snippet: &'a str,
    signals: SearchSignals<'a>,
}

#[derive(Serialize)]
struct SearchParent<'a> {
    chunk_id: u32,
    kind: &'static str,
    name: Option<&'a str>,
    qualified_name: Option<&'a str>,
    start_line: u32,
    end_line: u32,
}

#[derive(Serialize)]
struct SearchAlso<'a> {
    chunk_id: u32,
    kind: &'static str,
    qualified_name: Option<&'a str>,
    start_line: u32,
    end_line: u32,
}

#[derive(Serialize)]
struct SearchSignals<'a> {
    bm25: Option<f32>,
    cosine: Option<f32>,
    fit: Option<f32>,
    text: f32,
    vector: f32,
    symbol: f32,
    path: f32,
    name: f32,
    demotion: f32,
    exact: f32,
    file: f32,
    graph: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_file: Option<FileSigns>,
    graph_path: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Step<'a> {
    symbol: &'a str,
    edge: &'static str,
}

/// A shape on one line.
pub(super) fn line(value: &impl Serialize) -> String {
    // These shapes hold strings and numbers only; there is nothing that could fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// A search's results on one line.
pub(crate) fn search(response: &SearchResponse) -> String {
    line(&Search {
        schema_version: SCHEMA_VERSION,
        query: &response.query,
        took_ms: (response.took_ms * 1000.0).round() / 1000.0,
        class: response.class.as_str(),
        strategy: response.strategy.as_str(),
        available: &response.available,
        degraded: &response.degraded,
        results: response.results.iter().map(hit).collect(),
    })
}

fn also(also: &Also) -> SearchAlso<'_> {
    SearchAlso {
        chunk_id: also.chunk_id,
        kind: also.kind.as_str(),
        qualified_name: also.qualified_name.as_deref(),
        start_line: also.start_line,
        end_line: also.end_line,
    }
}

fn hit(hit: &Hit) -> SearchHit<'_> {
    SearchHit {
        rank: hit.rank,
        score: hit.score,
        repo: &hit.repo,
        path: &hit.path,
        start_line: hit.start_line,
        end_line: hit.end_line,
        language: &hit.language,
        kind: hit.kind.as_str(),
        name: hit.name.as_deref(),
        qualified_name: hit.qualified_name.as_deref(),
        chunk_id: hit.chunk_id,
        parent: hit.parent.as_ref().map(parent),
        also: hit.also.iter().map(also).collect(),
        snippet: &hit.snippet,
        signals: SearchSignals {
            bm25: hit.signals.bm25,
            cosine: hit.signals.cosine,
            fit: hit.signals.fit,
            text: hit.signals.text,
            vector: hit.signals.vector,
            symbol: hit.signals.symbol,
            path: hit.signals.path,
            name: hit.signals.name,
            demotion: hit.signals.demotion,
            exact: hit.signals.exact,
            file: hit.signals.file,
            graph: hit.signals.graph,
            of_file: hit.signals.of_file,
            graph_path: hit
                .signals
                .path_from_seed
                .iter()
                .map(|(symbol, edge)| Step { symbol, edge: edge.as_str() })
                .collect(),
        },
    }
}

fn parent(parent: &Parent) -> SearchParent<'_> {
    SearchParent {
        chunk_id: parent.chunk_id,
        kind: parent.kind.as_str(),
        name: parent.name.as_deref(),
        qualified_name: parent.qualified_name.as_deref(),
        start_line: parent.start_line,
        end_line: parent.end_line,
    }
}

#[derive(Serialize)]
struct StatsShape<'a> {
    schema_version: u32,
    generation: &'a str,
    content_id: &'a str,
    format_version: u32,
    feature_version: u32,
    model: Option<ModelShape<'a>>,
    repositories: Vec<RepositoryShape<'a>>,
    lines: u64,
    source_bytes: u64,
    languages: &'a BTreeMap<String, u64>,
    parse_status: &'a BTreeMap<&'static str, u64>,
    tiers: BTreeMap<&'static str, u64>,
    skipped: &'a BTreeMap<&'static str, u64>,
    parts: Vec<PartShape<'a>>,
}

#[derive(Serialize)]
struct ModelShape<'a> {
    name: &'a str,
    dimensions: u32,
}

#[derive(Serialize)]
struct RepositoryShape<'a> {
    name: &'a str,
    commit: Option<&'a str>,
    tree_hash: &'a str,
}

#[derive(Serialize)]
struct PartShape<'a> {
    name: &'a str,
    rows: Option<u64>,
    bytes: u64,
}

/// What an index holds, on one line.
pub(crate) fn stats(stats: &Stats) -> String {
    line(&StatsShape {
        schema_version: SCHEMA_VERSION,
        generation: &stats.generation,
        content_id: &stats.content_id,
        format_version: stats.format_version,
        feature_version: stats.feature_version,
        model: stats.model.as_ref().map(|(name, dimensions)| ModelShape { name, dimensions: *dimensions }),
        repositories: stats
            .repositories
            .iter()
            .map(|r| RepositoryShape { name: &r.name, commit: r.commit.as_deref(), tree_hash: &r.tree_hash })
            .collect(),
        lines: stats.lines,
        source_bytes: stats.source_bytes,
        languages: &stats.languages,
        parse_status: &stats.parse_status,
        tiers: stats.tiers.iter().map(|(tier, n)| (tier.as_str(), *n)).collect(),
        skipped: &stats.skipped,
        parts: stats.parts.iter().map(|p| PartShape { name: &p.name, rows: p.rows, bytes: p.bytes }).collect(),
    })
}

#[derive(Serialize)]
struct VerifyShape<'a> {
    schema_version: u32,
    generation: &'a str,
    content_id: &'a str,
    files: usize,
    bytes: u64,
    rows: u64,
    problems: &'a [String],
}

/// A verification's report on one line.
pub(crate) fn verify(generation: &str, content_id: &str, report: &Report) -> String {
    line(&VerifyShape {
        schema_version: SCHEMA_VERSION,
        generation,
        content_id,
        files: report.files,
        bytes: report.bytes,
        rows: report.rows,
        problems: &report.problems,
    })
}
