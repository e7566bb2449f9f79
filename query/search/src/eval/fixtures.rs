//! Tests from a file: needles, rankings and expansions, in Sextant's own form or as a plain list of cases.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Error, Hit, Result};

/// The version of test files that this code reads.
const SCHEMA_VERSION: u32 = 1;
/// Results that count in rankings.
pub(super) const DEPTH: usize = 10;

/// A set of tests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixtures {
    #[serde(default)]
    schema_version: u32,
    #[serde(default)]
    pub(super) needles: Vec<Needle>,
    #[serde(default)]
    pub(super) rankings: Vec<Ranking>,
    #[serde(default)]
    pub(super) expansions: Vec<Expansion>,
    /// The required measures.
    #[serde(default)]
    pub thresholds: Thresholds,
}

/// The minimum of each measure; `None` is not checked.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// The share of needles that are found, 0 to 1.
    pub needles: Option<f64>,
    /// Mean NDCG@10 of the rankings.
    pub ndcg10: Option<f64>,
    /// Mean reciprocal rank.
    pub mrr: Option<f64>,
    /// Mean recall@10.
    pub recall10: Option<f64>,
    /// Mean share of the expected symbols that expansions bring along.
    pub expansions: Option<f64>,
    /// The largest permitted 99th percentile of query times, in milliseconds.
    pub p99_ms: Option<f64>,
}

/// A query with one answer, or with several that are equally good.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Needle {
    pub(super) query: String,
    pub(super) path: Option<String>,
    pub(super) symbol: Option<String>,
    #[serde(default = "default_within")]
    pub(super) within: usize,
    #[serde(default)]
    pub(super) languages: Vec<String>,
    /// Further symbols, any of which answers the query.
    #[serde(skip)]
    pub(super) or: Vec<String>,
}

const fn default_within() -> usize {
    1
}

/// A question with all of its answers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ranking {
    pub(super) query: String,
    pub(super) relevant: Vec<ExpectedLocation>,
    #[serde(default)]
    pub(super) category: Option<String>,
    #[serde(default)]
    pub(super) languages: Vec<String>,
}

/// A location that a result must have: at least a path or a symbol.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedLocation {
    pub(super) path: Option<String>,
    pub(super) symbol: Option<String>,
    pub(super) start_line: Option<u32>,
    pub(super) end_line: Option<u32>,
}

/// A query with the symbols that it must bring along.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expansion {
    pub(super) query: String,
    pub(super) expects: Vec<String>,
    #[serde(default = "default_limit")]
    pub(super) limit: usize,
    #[serde(default)]
    pub(super) languages: Vec<String>,
}

const fn default_limit() -> usize {
    DEPTH
}

/// A test of a plain list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[expect(dead_code, reason = "accepted: people number their cases")]
    #[serde(default)]
    id: String,
    #[serde(rename = "type")]
    kind: CaseKind,
    query: String,
    #[serde(rename = "expectedSymbols")]
    expected_symbols: Vec<String>,
    #[serde(rename = "topK", default = "default_limit")]
    top_k: usize,
    #[expect(dead_code, reason = "accepted: people describe their cases")]
    #[serde(default)]
    description: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CaseKind {
    Needle,
    Ranking,
    Expansion,
}

impl Fixtures {
    /// Reads a file of tests: an object with `schema_version`, or a list of cases, each with `id`, `type`, `query`,
    /// `expectedSymbols` and `topK`; the list may be the member `tests` of an object.
    ///
    /// # Errors
    /// The file cannot be read, is not valid, or has another version.
    pub fn read(path: &Path) -> Result<Self> {
        let wrong = |what: String| Error::Fixtures { path: path.to_owned(), what };
        let text = fs_err::read_to_string(path)?;
        let invalid = |error: serde_json::Error| wrong(error.to_string());
        let value: serde_json::Value = serde_json::from_str(&text).map_err(invalid)?;
        let cases = if value.is_array() { Some(&value) } else { value.get("tests") };
        let fixtures = match cases {
            Some(cases) => Vec::<Case>::deserialize(cases).map_err(invalid)?.into_iter().collect(),
            // From the text: its errors name the line.
            None => serde_json::from_str::<Self>(&text).map_err(invalid)?,
        };
        if fixtures.schema_version != SCHEMA_VERSION {
            return Err(wrong(format!("schema_version {} is not {SCHEMA_VERSION}", fixtures.schema_version)));
        }
        if fixtures.locations().any(|location| location.path.is_none() && location.symbol.is_none()) {
            return Err(wrong("an expected location has neither path nor symbol".to_owned()));
        }
        Ok(fixtures)
    }

    /// A set of tests that was not read from a file.
    pub(super) fn new(needles: Vec<Needle>, rankings: Vec<Ranking>, expansions: Vec<Expansion>) -> Self {
        Self { schema_version: SCHEMA_VERSION, needles, rankings, expansions, thresholds: Thresholds::default() }
    }

    fn locations(&self) -> impl Iterator<Item = ExpectedLocation> {
        let relevant = self.rankings.iter().flat_map(|ranking| ranking.relevant.iter().cloned());
        self.needles.iter().flat_map(Needle::expected).chain(relevant)
    }
}

impl FromIterator<Case> for Fixtures {
    fn from_iter<T: IntoIterator<Item = Case>>(cases: T) -> Self {
        let mut fixtures = Self::new(Vec::new(), Vec::new(), Vec::new());
        for Case { kind, query, expected_symbols, top_k, .. } in cases {
            let languages = Vec::new();
            match kind {
                CaseKind::Needle => {
                    let mut symbols = expected_symbols.into_iter();
                    let symbol = symbols.next();
                    let or = symbols.collect();
                    fixtures.needles.push(Needle { query, path: None, symbol, within: top_k, languages, or });
                }
                CaseKind::Ranking => {
                    let location = |symbol| ExpectedLocation { symbol: Some(symbol), ..ExpectedLocation::default() };
                    let relevant = expected_symbols.into_iter().map(location).collect();
                    fixtures.rankings.push(Ranking { query, relevant, category: None, languages });
                }
                CaseKind::Expansion => {
                    fixtures.expansions.push(Expansion { query, expects: expected_symbols, limit: top_k, languages });
                }
            }
        }
        fixtures
    }
}

impl Needle {
    /// The locations, any of which answers the query.
    pub(super) fn expected(&self) -> Vec<ExpectedLocation> {
        let location = |symbol: Option<&String>| ExpectedLocation {
            path: self.path.clone(),
            symbol: symbol.cloned(),
            ..ExpectedLocation::default()
        };
        std::iter::once(location(self.symbol.as_ref())).chain(self.or.iter().map(|name| location(Some(name)))).collect()
    }
}

impl ExpectedLocation {
    /// Whether a result is this location, or, with `include_related`, one of its further hits is.
    pub(super) fn is_hit(&self, hit: &Hit, include_related: bool) -> bool {
        let same = |a: &str, b: &str| a == b || a.strip_suffix(b).is_some_and(|rest| rest.ends_with('/'));
        if !self.path.as_ref().is_none_or(|path| same(&hit.path, path)) {
            return false;
        }
        let overlaps = |start: u32, end: u32| match (self.start_line, self.end_line) {
            (Some(first), Some(last)) => start <= last && first <= end,
            _ => true,
        };
        // With a path the name is complete.
        let is_name = |symbol: &str, name: &str| symbol == name || self.path.is_none() && is_name_of(symbol, name);
        let is_named = |name: Option<&str>| {
            self.symbol.as_deref().is_none_or(|symbol| name.is_some_and(|name| is_name(symbol, name)))
        };
        let parent = hit.parent.as_ref().and_then(|parent| parent.qualified_name.as_deref());
        let is_direct_hit = overlaps(hit.start_line, hit.end_line)
            && (is_named(hit.qualified_name.as_deref()) || hit.kind.is_block() && is_named(parent));
        is_direct_hit
            || include_related
                && hit.related_hits.iter().any(|related| {
                    overlaps(related.start_line, related.end_line) && is_named(related.qualified_name.as_deref())
                })
    }

    pub(super) fn label(&self) -> String {
        [self.path.as_deref(), self.symbol.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// What counts as one relevant item: a file, or a symbol of any file.
    pub(super) fn item(&self) -> &str {
        self.path.as_deref().or(self.symbol.as_deref()).unwrap_or("")
    }
}

/// Whether an expected name is a qualified name, or its last parts.
pub(super) fn is_name_of(expected: &str, qualified_name: &str) -> bool {
    let is_separator = |rest: &str| rest.ends_with(['.', ':', '#', '/', '$']);
    qualified_name.strip_suffix(expected).is_some_and(|rest| rest.is_empty() || is_separator(rest))
}
