//! The report of an evaluation as text and JSON.

use std::fmt::Write;

use serde::Serialize;

use sextant_api::responses::SCHEMA_VERSION;

use crate::json::line;
use crate::style::{BAD, FAINT};
use sextant_search::eval::{EvalReport, format_measure, mean};

/// Returns a table with one row per file and the mean of all, then failed thresholds and, with `misses`, the tests that
/// failed.
#[must_use]
pub fn eval_text(reports: &[(String, EvalReport)], misses: bool) -> String {
    let mut out = String::new();
    let width = reports.iter().map(|(path, _)| path.chars().count()).max().unwrap_or(0).max(4);
    let heads = ["queries", "needles", "ndcg@10", "mrr", "recall@10", "expansions", "p50 ms", "p99 ms"];
    let _ = write!(out, "{FAINT}{:width$}", "file");
    heads.iter().for_each(|head| {
        let _ = write!(out, "  {head:>10}");
    });
    let _ = writeln!(out, "{FAINT:#}");
    let mut row = |name: &str, report: &EvalReport| {
        let ms = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
        let _ = write!(out, "{name:width$}  {:>10}", report.queries);
        for value in [report.needles, report.ndcg10, report.mrr, report.recall10, report.expansions] {
            let _ = write!(out, "  {:>10}", format_measure(value));
        }
        let _ = writeln!(out, "  {:>10}  {:>10}", ms(report.p50_ms), ms(report.p99_ms));
    };
    for (path, report) in reports {
        row(path, report);
    }
    if reports.len() > 1 {
        row("mean", &summary(reports));
    }
    for (path, report) in reports {
        for failed in &report.failed_thresholds {
            let _ = writeln!(out, "{BAD}{path}: {failed}{BAD:#}");
        }
        for miss in report.misses.iter().filter(|_| misses) {
            let _ = writeln!(out, "{path}: {} '{}'", miss.kind, miss.query);
            let _ = writeln!(out, "  {FAINT}wanted{FAINT:#} {}", miss.wanted.join(", "));
            let _ = writeln!(out, "  {FAINT}found{FAINT:#}  {}", miss.found.join(", "));
        }
    }
    out
}

/// Returns the means over the files, and the maxima of the times.
fn summary(reports: &[(String, EvalReport)]) -> EvalReport {
    let all = |measure: fn(&EvalReport) -> Option<f64>| -> Vec<f64> {
        reports.iter().filter_map(|(_, report)| measure(report)).collect()
    };
    let largest = |values: Vec<f64>| values.into_iter().reduce(f64::max);
    EvalReport {
        queries: reports.iter().map(|(_, report)| report.queries).sum(),
        needles: mean(&all(|r| r.needles)),
        ndcg10: mean(&all(|r| r.ndcg10)),
        mrr: mean(&all(|r| r.mrr)),
        recall10: mean(&all(|r| r.recall10)),
        expansions: mean(&all(|r| r.expansions)),
        p50_ms: largest(all(|r| r.p50_ms)),
        p99_ms: largest(all(|r| r.p99_ms)),
        ..EvalReport::default()
    }
}

#[derive(Serialize)]
struct EvalJson<'a> {
    schema_version: u32,
    command: &'a str,
    passed: bool,
    suites: Vec<SuiteJson<'a>>,
    mean: EvalReport,
}

#[derive(Serialize)]
struct SuiteJson<'a> {
    file: &'a str,
    #[serde(flatten)]
    report: &'a EvalReport,
}

/// Returns the report as one line of JSON.
#[must_use]
pub fn eval_json(reports: &[(String, EvalReport)]) -> String {
    line(&EvalJson {
        schema_version: SCHEMA_VERSION,
        command: "eval",
        passed: reports.iter().all(|(_, report)| report.failed_thresholds.is_empty()),
        suites: reports.iter().map(|(file, report)| SuiteJson { file, report }).collect(),
        mean: summary(reports),
    })
}
