//! Reports an index's health: contents, vector coverage, freshness, and what a build would redo.

use std::collections::BTreeMap;

use serde::Serialize;
use sextant_format::generation::Generation;
use sextant_format::manifest::Enrichment;
use sextant_format::tables::{ChunkRow, FileRow, FileVectorRow, Row, SkippedRow, TableReader};
use sextant_format::version::{FEATURE_VERSION, FORMAT_VERSION};
use sextant_sync::pack::Profile;

use crate::build::repositories;
use crate::changes::{Changes, paths_in_checkouts, paths_in_index};
use crate::git::head_commit;
use crate::walk::{self, Selection};

/// The most paths that are printed of each kind of change.
const MAX_LISTED_PATHS: usize = 10;

/// The health of an index.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    schema_version: u32,
    generation: String,
    content_id: String,
    format_version: u32,
    feature_version: u32,
    written_by: String,
    model: Option<String>,
    files: u64,
    chunks: u64,
    vectors: u64,
    /// Vectors of another encoder than a build would use.
    stale_vectors: u64,
    /// Files with a vector, and those of them whose vector is that of their names only.
    file_vectors: u64,
    file_vectors_from_names: u64,
    /// Chunks with a summary by a language model, and the model; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    enrichment: Option<Enrichment>,
    /// Files of the checkouts whose text is no longer the one that was embedded.
    stale_files: usize,
    skipped: BTreeMap<&'static str, u64>,
    /// Bytes of each part.
    bytes: BTreeMap<String, u64>,
    /// The state of each checkout that was given.
    checkouts: Vec<Checkout>,
    /// What a build would redo, and why; empty if it would keep the index.
    pub(crate) rebuild: Vec<String>,
}

/// A checkout compared with the index.
#[derive(Debug, Serialize)]
struct Checkout {
    repository: String,
    indexed_commit: Option<String>,
    commit: Option<String>,
    added: Vec<String>,
    changed: Vec<String>,
    removed: Vec<String>,
}

/// Examines an index, and compares it with the checkouts in `paths`, which are `PATH` or `NAME=PATH` as for a build.
/// `max_bytes` is the size above which files are skipped; `model` is the hash of the encoder that a build would use.
pub(crate) fn diagnose(
    generation: &Generation,
    paths: &[String],
    selection: &Selection,
    max_bytes: u64,
    model: Option<&str>,
    threads: usize,
) -> anyhow::Result<Report> {
    let manifest = generation.manifest();
    let mut rebuild = Vec::new();
    if manifest.format_version != FORMAT_VERSION {
        let (now, then) = (FORMAT_VERSION, manifest.format_version);
        rebuild.push(format!("everything: this version writes format {now}, the index has format {then}"));
    }
    if manifest.feature_version != FEATURE_VERSION {
        let (now, then) = (FEATURE_VERSION, manifest.feature_version);
        rebuild.push(format!("everything: this version has features {now}, the index has features {then}"));
    }
    let vectors = manifest.rows("vectors");
    let has_other_encoder = manifest.model.as_ref().is_some_and(|found| model.is_none_or(|model| model != found.hash));
    if has_other_encoder {
        rebuild.push("all vectors: the index was built with another encoder".to_owned());
    }
    if Profile::of(generation) < Profile::Full {
        rebuild.push("everything: the index was pulled without cached analyses (use --profile full)".to_owned());
    }
    let mut bytes: BTreeMap<String, u64> = BTreeMap::new();
    for entry in &manifest.files {
        *bytes.entry(entry.path.split('/').next().unwrap_or("").to_owned()).or_default() += entry.bytes;
    }
    let mut skipped = BTreeMap::new();
    for row in TableReader::<SkippedRow>::read_all(&generation.table(SkippedRow::TABLE))? {
        *skipped.entry(row.reason.as_str()).or_default() += 1;
    }
    let checkouts =
        if paths.is_empty() { Vec::new() } else { checkouts(generation, paths, selection, max_bytes, threads)? };
    for checkout in &checkouts {
        let (added, changed, removed) = (checkout.added.len(), checkout.changed.len(), checkout.removed.len());
        if added + changed + removed > 0 {
            let name = &checkout.repository;
            rebuild.push(format!(
                "{} files of {name}: {added} added, {changed} changed, {removed} removed",
                added + changed
            ));
        }
    }
    let mut file_vectors_from_names = 0;
    generation.each_file_vector(|row| file_vectors_from_names += u64::from(row.from_names))?;
    Ok(Report {
        schema_version: 1,
        generation: generation.name().to_owned(),
        content_id: manifest.content_id.clone(),
        enrichment: manifest.enrichment.clone(),
        format_version: manifest.format_version,
        feature_version: manifest.feature_version,
        written_by: format!("{} {}", manifest.tool.name, manifest.tool.version),
        model: manifest.model.as_ref().map(|model| format!("{}, {} dimensions", model.name, model.dimensions)),
        files: manifest.rows(FileRow::TABLE),
        chunks: manifest.rows(ChunkRow::TABLE),
        vectors,
        file_vectors: manifest.rows(FileVectorRow::TABLE),
        file_vectors_from_names,
        stale_files: checkouts.iter().map(|checkout| checkout.changed.len() + checkout.removed.len()).sum(),
        stale_vectors: if has_other_encoder { vectors } else { 0 },
        skipped,
        bytes,
        checkouts,
        rebuild,
    })
}

fn checkouts(
    generation: &Generation,
    paths: &[String],
    selection: &Selection,
    max_bytes: u64,
    threads: usize,
) -> anyhow::Result<Vec<Checkout>> {
    let repositories = repositories(paths)?;
    let (sources, skipped_paths) = walk::walk(&repositories, selection, threads, &|| false);
    let names: Vec<String> = repositories.iter().map(|repository| repository.name.clone()).collect();
    let mut before = paths_in_index(generation)?;
    before.retain(|(repository, _), _| names.contains(repository));
    let after = paths_in_checkouts(&names, &sources, &skipped_paths, max_bytes, || false);
    let changes = Changes::between(&before, &after);
    let paths_of = |name: &str, paths: &[(String, String)]| -> Vec<String> {
        paths.iter().filter(|(repository, _)| repository == name).map(|(_, path)| path.clone()).collect()
    };
    let indexed = |name: &str| generation.manifest().repositories.iter().find(|indexed| indexed.name == name);
    let checkout = |repository: walk::Repository| Checkout {
        indexed_commit: indexed(&repository.name).and_then(|indexed| indexed.commit.clone()),
        commit: head_commit(&repository.root),
        added: paths_of(&repository.name, &changes.added),
        changed: paths_of(&repository.name, &changes.changed),
        removed: paths_of(&repository.name, &changes.removed),
        repository: repository.name,
    };
    Ok(repositories.into_iter().map(checkout).collect())
}

impl Report {
    /// Returns the report as text for people.
    pub(crate) fn text(&self) -> String {
        use std::fmt::Write as _;
        let mut out = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(out, "{name:12} {value}");
        };
        let (format, features) = (self.format_version, self.feature_version);
        line("generation", format!("{}, format {format}, features {features}, {}", self.generation, self.written_by));
        line("model", self.model.clone().unwrap_or_else(|| "none".to_owned()));
        let share = 100.0 * self.vectors as f64 / self.chunks.max(1) as f64;
        line(
            "vectors",
            format!("{} of {} chunks ({share:.1} %), {} stale", self.vectors, self.chunks, self.stale_vectors),
        );
        let (with_vector, files) = (self.file_vectors, self.files);
        let share = 100.0 * with_vector as f64 / files.max(1) as f64;
        let stale = if self.checkouts.is_empty() { String::new() } else { format!(", {} stale", self.stale_files) };
        line(
            "files",
            format!(
                "{with_vector} of {files} with a vector ({share:.1} %), {} by their names only{stale}",
                self.file_vectors_from_names
            ),
        );
        if let Some(enrichment) = &self.enrichment {
            line("summaries", format!("{} of {} chunks, by {}", enrichment.summaries, self.chunks, enrichment.model));
        }
        let skipped: Vec<String> = self.skipped.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        line("skipped", if skipped.is_empty() { "nothing".to_owned() } else { skipped.join(", ") });
        let mut parts: Vec<(&String, &u64)> = self.bytes.iter().collect();
        parts.sort_by_key(|(_, bytes)| std::cmp::Reverse(**bytes));
        let parts: Vec<String> =
            parts.iter().map(|(part, bytes)| format!("{part} {:.1}", **bytes as f64 / 1e6)).collect();
        line("megabytes", parts.join(", "));
        for checkout in &self.checkouts {
            let short =
                |commit: &Option<String>| commit.as_deref().and_then(|c| c.get(..10)).unwrap_or("none").to_owned();
            let (then, now) = (short(&checkout.indexed_commit), short(&checkout.commit));
            line("checkout", format!("{}: indexed at commit {then}, now at {now}", checkout.repository));
            for (mark, paths) in [('+', &checkout.added), ('~', &checkout.changed), ('-', &checkout.removed)] {
                for path in paths.iter().take(MAX_LISTED_PATHS) {
                    line("", format!("{mark} {path}"));
                }
                if paths.len() > MAX_LISTED_PATHS {
                    line("", format!("{mark} and {} more", paths.len() - MAX_LISTED_PATHS));
                }
            }
        }
        for reason in &self.rebuild {
            line("to build", reason.clone());
        }
        if self.rebuild.is_empty() {
            line(
                "to build",
                if self.checkouts.is_empty() { "nothing, as far as can be told without a checkout" } else { "nothing" }
                    .to_owned(),
            );
        }
        out
    }
}
