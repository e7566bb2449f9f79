//! Evaluation: runs the test queries of a file against an index and measures the results.
//!
//! There are three kinds of tests: a needle is one location that must be found; a ranking is a question with all of its
//! answers; an expansion lists the symbols that a query must bring along. Uses only the public interface of the search.

mod built_in;
mod fixtures;
mod measures;

use serde::Serialize;

pub use built_in::built_in;
pub use fixtures::{Fixtures, Thresholds};
pub use measures::{mean, ndcg, percentile, recall, reciprocal_rank};

use crate::{Hit, Index, Result, SearchRequest, Searcher};
use fixtures::{DEPTH, ExpectedLocation, is_name_of};

/// The measures. A measure is `None` if the file has no such tests.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EvalReport {
    /// The number of tests of all kinds.
    pub queries: usize,
    /// The share of needles that are found, 0 to 1.
    pub needles: Option<f64>,
    /// Mean NDCG@10 of the rankings.
    pub ndcg10: Option<f64>,
    /// Mean reciprocal rank.
    pub mrr: Option<f64>,
    /// Mean recall@10.
    pub recall10: Option<f64>,
    /// Mean NDCG@10 by category.
    pub categories: std::collections::BTreeMap<String, f64>,
    /// Mean share of the expected symbols that expansions bring along.
    pub expansions: Option<f64>,
    /// The median query time inside the library, in milliseconds.
    pub p50_ms: Option<f64>,
    /// The 99th percentile of query times, in milliseconds.
    pub p99_ms: Option<f64>,
    /// The tests that failed.
    pub misses: Vec<Miss>,
    /// Thresholds that were not reached, in words.
    pub failed_thresholds: Vec<String>,
}

/// A test that failed.
#[derive(Clone, Debug, Serialize)]
pub struct Miss {
    /// `needle`, `ranking` or `expansion`.
    pub kind: &'static str,
    /// The query.
    pub query: String,
    /// The expected results.
    pub wanted: Vec<String>,
    /// The first results.
    pub found: Vec<String>,
}

impl Fixtures {
    /// Runs all tests with the options of `request`. Each test sets the query and the limit, and adds its languages.
    ///
    /// # Errors
    /// A search fails.
    pub fn run(&self, index: &Index, request: &SearchRequest) -> Result<EvalReport> {
        let mut report = EvalReport::default();
        let mut times = Vec::new();
        let searcher = Searcher::new(index);
        let mut search = |query: &str, limit: usize, languages: &[String]| -> Result<Vec<Hit>> {
            let mut request = SearchRequest { query: query.to_owned(), limit, ..request.clone() };
            request.filters.languages.extend_from_slice(languages);
            let response = searcher.search(&request)?;
            times.push(response.took_ms);
            Ok(response.results)
        };
        let mut found = Vec::new();
        for needle in &self.needles {
            let hits = search(&needle.query, needle.within.max(DEPTH), &needle.languages)?;
            let expected = needle.expected();
            let is_expected = |hit: &Hit| expected.iter().any(|location| location.is_hit(hit, false));
            let is_found = hits.iter().take(needle.within).any(is_expected);
            found.push(f64::from(u8::from(is_found)));
            if !is_found {
                let wanted = expected.iter().map(ExpectedLocation::label).collect();
                report.misses.push(miss("needle", &needle.query, wanted, &hits));
            }
        }
        report.needles = mean(&found);
        let (mut ndcgs, mut rrs, mut recalls) = (Vec::new(), Vec::new(), Vec::new());
        let mut categories: std::collections::BTreeMap<String, Vec<f64>> = std::collections::BTreeMap::new();
        for ranking in &self.rankings {
            let hits = search(&ranking.query, DEPTH, &ranking.languages)?;
            let rank =
                |location: &ExpectedLocation| hits.iter().position(|hit| location.is_hit(hit, true)).map(|at| at + 1);
            let mut ranks: Vec<usize> = ranking.relevant.iter().filter_map(rank).collect();
            // Each file is one result, so its locations count as one relevant item.
            ranks.sort_unstable();
            ranks.dedup();
            let items: std::collections::BTreeSet<&str> = ranking.relevant.iter().map(ExpectedLocation::item).collect();
            ranks.truncate(items.len());
            let value = ndcg(&ranks, items.len(), DEPTH);
            ndcgs.push(value);
            rrs.push(reciprocal_rank(&ranks));
            let reached = ranking.relevant.iter().filter(|location| rank(location).is_some()).count();
            recalls.push(reached as f64 / ranking.relevant.len().max(1) as f64);
            categories.entry(ranking.category.clone().unwrap_or_else(|| "other".to_owned())).or_default().push(value);
            if !ranks.contains(&1) {
                report.misses.push(miss(
                    "ranking",
                    &ranking.query,
                    ranking.relevant.iter().map(ExpectedLocation::label).collect(),
                    &hits,
                ));
            }
        }
        (report.ndcg10, report.mrr, report.recall10) = (mean(&ndcgs), mean(&rrs), mean(&recalls));
        report.categories = categories.into_iter().filter_map(|(name, values)| Some((name, mean(&values)?))).collect();
        let mut shares = Vec::new();
        for expansion in &self.expansions {
            let hits = search(&expansion.query, expansion.limit, &expansion.languages)?;
            let is_found_name = |name: &&String| hits.iter().any(|hit| names(hit).any(|found| is_name_of(name, found)));
            let found_names = expansion.expects.iter().filter(is_found_name).count();
            shares.push(found_names as f64 / expansion.expects.len().max(1) as f64);
            if found_names < expansion.expects.len() {
                report.misses.push(miss("expansion", &expansion.query, expansion.expects.clone(), &hits));
            }
        }
        report.expansions = mean(&shares);
        report.queries = times.len();
        (report.p50_ms, report.p99_ms) = (percentile(&times, 0.5), percentile(&times, 0.99));
        report.failed_thresholds = self.thresholds.not_reached_by(&report);
        Ok(report)
    }
}

impl Thresholds {
    /// The thresholds that a report does not reach, in words.
    fn not_reached_by(&self, report: &EvalReport) -> Vec<String> {
        let minimums = [
            ("needles", self.needles, report.needles),
            ("ndcg10", self.ndcg10, report.ndcg10),
            ("mrr", self.mrr, report.mrr),
            ("recall10", self.recall10, report.recall10),
            ("expansions", self.expansions, report.expansions),
        ];
        // Measures are printed with three digits.
        let is_below = |wanted: f64, found: Option<f64>| found.is_none_or(|found| found < wanted - 0.000_5);
        let mut failed: Vec<String> = minimums
            .into_iter()
            .filter_map(|(name, wanted, found)| Some((name, wanted?, found)))
            .filter(|&(_, wanted, found)| is_below(wanted, found))
            .map(|(name, wanted, found)| format!("{name} is {}, wanted {wanted:.3}", format_measure(found)))
            .collect();
        if let (Some(maximum), Some(found)) = (self.p99_ms, report.p99_ms)
            && found > maximum
        {
            failed.push(format!("p99_ms is {found:.1}, wanted at most {maximum:.1}"));
        }
        failed
    }
}

/// Formats a measure with three digits; `-` if there is none.
pub fn format_measure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

/// The qualified names of a result and of its further hits.
fn names(hit: &Hit) -> impl Iterator<Item = &str> {
    hit.qualified_name
        .as_deref()
        .into_iter()
        .chain(hit.related_hits.iter().filter_map(|related| related.qualified_name.as_deref()))
}

fn miss(kind: &'static str, query: &str, wanted: Vec<String>, hits: &[Hit]) -> Miss {
    let shown = |hit: &Hit| match &hit.qualified_name {
        Some(name) => format!("{} {name}", hit.path),
        None => format!("{}:{}", hit.path, hit.start_line),
    };
    Miss { kind, query: query.to_owned(), wanted, found: hits.iter().take(3).map(shown).collect() }
}
