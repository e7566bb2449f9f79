//! `sextant-index verify`: checks an index, including the LanceDB table.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::progress::print_line;

/// Check every digest of an index, every reference between its rows, and the vectors in both forms
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 the index is intact, 1 it is damaged, 2 error.")]
pub(super) struct Verify {
    /// Index folder
    #[arg(default_value = "index", value_name = "INDEX")]
    index: PathBuf,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Verify) -> anyhow::Result<ExitCode> {
    let opened = sextant_verify::open(&args.index)?;
    let (name, content_id) = match &opened {
        Ok(generation) => (generation.name(), generation.manifest().content_id.as_str()),
        Err(_) => ("", ""),
    };
    let report = match &opened {
        Ok(generation) => &sextant_lance::verify::verify(generation)?,
        Err(report) => report,
    };
    if args.json {
        print_line(&json!({
            "schema_version": 1,
            "generation": name,
            "content_id": content_id,
            "files": report.files,
            "bytes": report.bytes,
            "rows": report.rows,
            "problems": report.problems,
        }));
    } else if report.problems.is_empty() {
        let (files, bytes, rows) = (report.files, report.bytes, report.rows);
        print_line(&format!("{name}: {files} files, {bytes} bytes, {rows} rows: intact"));
    } else {
        for problem in &report.problems {
            print_line(&sextant_diagnostics::sanitise(problem));
        }
    }
    Ok(ExitCode::from(u8::from(!report.problems.is_empty())))
}
