//! Analyses of parts of a large source: shards make them, and the shard that builds the source fetches them. A part that
//! is not there costs time, and changes nothing else.

use std::path::PathBuf;

use sextant_format::version::FEATURE_VERSION;
use sextant_sync::collection::{AnalyzedPart, Member, part_file, read_report};
use sextant_sync::pack::Profile;
use sextant_sync::remote::Object;

use super::job::Job;
use super::plan::PlannedSource;
use crate::build::{Part, analyze_part};

/// Analyses a part of a source and uploads the analyses.
///
/// # Errors
/// The source cannot be fetched or read, or the location cannot be written.
pub(super) fn analyze(job: &Job<'_>, source: &PlannedSource, part: Part) -> anyhow::Result<AnalyzedPart> {
    let done = AnalyzedPart { name: source.name.clone(), part: part.number, path: None, bytes: 0, files: 0 };
    let is_restored =
        |older: &Member| older.profile == Profile::Full.to_string() && older.feature_version == FEATURE_VERSION;
    if job.options.profile == Profile::Full && job.older(source).is_some_and(is_restored) {
        // The shard that builds it begins with the older index.
        return Ok(done);
    }
    let checkout = job.check_out(source)?;
    let scratch = tempfile::tempdir_in(&job.options.work)?;
    let file = scratch.path().join("facts");
    let files = analyze_part(&job.options_of(source, &checkout), part, &file, job.progress)?;
    let bytes = fs_err::metadata(&file)?.len();
    let path = part_file(&job.plan.id, &source.name, part.number);
    job.progress.stage("upload", None);
    job.bucket.upload(&path, &file, |_| {})?;
    Ok(AnalyzedPart { path: Some(path), bytes, files, ..done })
}

/// Fetches the analyses of the parts of a source, as far as they are there. They are removed with the folder.
///
/// # Errors
/// The location cannot be read.
pub(super) fn fetch(
    job: &Job<'_>,
    source: &PlannedSource,
) -> anyhow::Result<(Option<tempfile::TempDir>, Vec<PathBuf>)> {
    let Job { plan, bucket, progress, .. } = job;
    let needs = plan.shards.get(job.number).map(|shard| shard.needs.as_slice()).unwrap_or_default();
    let is_of_source = |needed: &&usize| plan.shards.get(**needed).is_some_and(|s| s.sources.contains(&source.name));
    let needs = needs.iter().filter(is_of_source);
    let (mut folder, mut stores) = (None, Vec::new());
    for &needed in needs {
        let report = read_report(bucket, &plan.id, needed)?.unwrap_or_default();
        let Some(part) = report.parts.into_iter().find(|part| part.name == source.name) else {
            progress.line(&format!("{}: shard {needed} has not analysed its part, so this one does", source.name));
            continue;
        };
        let Some(path) = part.path else { continue };
        progress.stage("fetch", None);
        let object = Object::open(&bucket.location_of(&path))?;
        if let Some(local) = object.local_path() {
            stores.push(local.to_owned());
            continue;
        }
        let folder = match &mut folder {
            Some(folder) => folder,
            none => none.insert(tempfile::tempdir_in(&job.options.work)?),
        };
        let file = folder.path().join(part.part.to_string());
        match object.download(part.bytes, &file) {
            Ok(()) => stores.push(file),
            Err(error) => progress.line(&format!("{}: part {} is analysed here: {error}", source.name, part.part)),
        }
    }
    Ok((folder, stores))
}
