//! Verifies an index: the digest of every file, the references of every row to other tables, the hashes of rows up to the
//! content id, and each derived part against its source.
//!
//! Problems are collected, so that one run reports all of them. The rows of the LanceDB table are compared by
//! `sextant-index verify`, which links that library.

mod derived;
mod report;
mod rows;

use std::path::Path;

use sextant_format::Error;
use sextant_format::digest;
use sextant_format::generation::{CURRENT, Generation};

use derived::check_derived;
pub use report::VerifyReport;
use rows::check_rows;

/// Opens the current generation of an index folder to verify it; a report if it is too damaged to be opened.
///
/// # Errors
/// The folder has no index, or its format is not one that this program reads.
pub fn open(folder: &Path) -> Result<std::result::Result<Generation, VerifyReport>, Error> {
    match Generation::open(folder) {
        Ok(generation) => Ok(Ok(generation)),
        Err(error @ (Error::Damaged { .. } | Error::Io(_))) if folder.join(CURRENT).exists() => {
            let mut report = VerifyReport::default();
            report.problem(error.to_string());
            Ok(Err(report))
        }
        Err(error) => Err(error),
    }
}

/// Verifies everything about a generation that does not require the LanceDB library.
#[must_use]
pub fn verify(generation: &Generation) -> VerifyReport {
    let mut report = VerifyReport::default();
    check_files(generation, &mut report);
    if !report.problems.is_empty() {
        // A file that differs from the published one says nothing about its rows.
        return report;
    }
    let chunks = check_rows(generation, &mut report);
    check_derived(generation, &chunks, &mut report);
    report
}

fn check_files(generation: &Generation, report: &mut VerifyReport) {
    for entry in &generation.manifest().files {
        let path = generation.path(&entry.path);
        match digest::hash_file(&path) {
            Ok((digest, bytes)) => {
                report.files += 1;
                report.bytes += bytes;
                if digest.to_hex() != entry.blake3 {
                    report.problem(format!("{}: its bytes are not those that were published", entry.path));
                }
            }
            Err(error) => report.problem(format!("{}: {error}", entry.path)),
        }
    }
    let computed = generation.manifest().compute_content_id();
    if computed != generation.manifest().content_id {
        report.problem(format!("manifest.json: the content id should be {computed}"));
    }
    if !generation.name().ends_with(&computed[..12]) {
        report.problem(format!("{}: the folder's name does not contain the content id", generation.name()));
    }
}
