//! `sextant-index verify`: checks an index, including the LanceDB table.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;
use sextant_format::generation::Generation;

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
    let generation = Generation::open(&args.index)?;
    let report = sextant_lance::verify::verify(&generation)?;
    if args.json {
        anstream::println!(
            "{}",
            json!({
                "schema_version": 1,
                "generation": generation.name(),
                "content_id": generation.manifest().content_id,
                "files": report.files,
                "bytes": report.bytes,
                "rows": report.rows,
                "problems": report.problems,
            })
        );
    } else if report.problems.is_empty() {
        anstream::println!(
            "{}: {} files, {} bytes, {} rows: intact",
            generation.name(),
            report.files,
            report.bytes,
            report.rows
        );
    } else {
        for problem in &report.problems {
            anstream::println!("{problem}");
        }
    }
    Ok(ExitCode::from(u8::from(!report.problems.is_empty())))
}
