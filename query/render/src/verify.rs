//! The report of a verification as text and JSON.

use std::fmt::Write;

use serde::Serialize;
use sextant_api::responses::SCHEMA_VERSION;
use sextant_verify::VerifyReport;

use crate::json::line;

#[derive(Serialize)]
struct VerifyJson<'a> {
    schema_version: u32,
    generation: &'a str,
    content_id: &'a str,
    files: usize,
    bytes: u64,
    rows: u64,
    problems: &'a [String],
}

/// Returns the report as one line of JSON.
#[must_use]
pub fn verify_json(generation: &str, content_id: &str, report: &VerifyReport) -> String {
    line(&VerifyJson {
        schema_version: SCHEMA_VERSION,
        generation,
        content_id,
        files: report.files,
        bytes: report.bytes,
        rows: report.rows,
        problems: &report.problems,
    })
}

/// Returns the report as text: one line for an intact index, else one line per problem.
#[must_use]
pub fn verify_text(generation: &str, report: &VerifyReport) -> String {
    if report.problems.is_empty() {
        return format!("{generation}: {} files, {} bytes, {} rows: intact\n", report.files, report.bytes, report.rows);
    }
    let mut out = String::new();
    for problem in &report.problems {
        let _ = writeln!(out, "{problem}");
    }
    out
}
