//! The contents of an index in numbers, from its manifest and its tables.

use std::collections::BTreeMap;

use sextant_format::kinds::Tier;
use sextant_format::manifest::Repository;
use sextant_format::tables::{FileRow, SkippedRow, TableReader};

use crate::{Index, Result};

/// Rows and bytes of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartStats {
    /// The part's kind or, for tables, its name.
    pub name: String,
    /// Rows; `None` for a part without rows.
    pub rows: Option<u64>,
    /// Bytes on disk.
    pub bytes: u64,
}

/// The contents of an index in numbers.
#[derive(Clone, Debug)]
pub struct Stats {
    /// The generation's name.
    pub generation: String,
    /// The content id.
    pub content_id: String,
    /// Version of the layout on disk.
    pub format_version: u32,
    /// Version of the meaning of the contents.
    pub feature_version: u32,
    /// The encoder's name and dimensions.
    pub model: Option<(String, u32)>,
    /// The language model whose summaries are in the chunks, and the number of chunks with one.
    pub enrichment: Option<(String, u64)>,
    /// The repositories.
    pub repositories: Vec<Repository>,
    /// Files by language.
    pub languages: BTreeMap<String, u64>,
    /// Files by parse status.
    pub parse_status: BTreeMap<&'static str, u64>,
    /// Edges by tier.
    pub resolutions: BTreeMap<Tier, u64>,
    /// Skipped paths by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Lines of all files.
    pub lines: u64,
    /// Bytes of all files.
    pub source_bytes: u64,
    /// The parts.
    pub parts: Vec<PartStats>,
}

impl Stats {
    /// Counts the contents of an index.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn read(index: &Index) -> Result<Self> {
        let manifest = index.generation().manifest();
        let mut stats = Self {
            generation: index.generation().name().to_owned(),
            content_id: manifest.content_id.clone(),
            format_version: manifest.format_version,
            feature_version: manifest.feature_version,
            enrichment: manifest.enrichment.as_ref().map(|enrichment| (enrichment.model.clone(), enrichment.summaries)),
            model: manifest.model.as_ref().map(|model| (model.name.clone(), model.dimensions)),
            repositories: manifest.repositories.clone(),
            languages: BTreeMap::new(),
            parse_status: BTreeMap::new(),
            resolutions: BTreeMap::new(),
            skipped: BTreeMap::new(),
            lines: 0,
            source_bytes: 0,
            parts: parts(manifest),
        };
        for rows in TableReader::<FileRow>::open(&index.generation().table("files"))? {
            for row in rows? {
                stats.lines += u64::from(row.lines);
                stats.source_bytes += row.bytes;
                *stats.parse_status.entry(row.parse_status.as_str()).or_default() += 1;
                *stats.languages.entry(row.language).or_default() += 1;
            }
        }
        for rows in TableReader::<SkippedRow>::open(&index.generation().table("skipped"))? {
            for row in rows? {
                *stats.skipped.entry(row.reason.as_str()).or_default() += 1;
            }
        }
        for (tier, edges) in &manifest.tiers {
            // A word of a later version is not a tier of this one.
            if let Ok(tier) = tier.parse() {
                stats.resolutions.insert(tier, *edges);
            }
        }
        if !stats.resolutions.is_empty() {
            return Ok(stats);
        }
        // Before format 7, the manifest does not have them.
        let edges = index.edge_rows()?;
        for block in edges.blocks() {
            edges.scan("tier", block, |_, tier: &Tier| *stats.resolutions.entry(*tier).or_default() += 1)?;
        }
        Ok(stats)
    }
}

fn parts(manifest: &sextant_format::manifest::Manifest) -> Vec<PartStats> {
    let mut parts: Vec<PartStats> = Vec::new();
    for entry in &manifest.files {
        let name = if entry.rows.is_some() { entry.path.clone() } else { entry.kind.clone() };
        match parts.iter_mut().find(|part| part.name == name) {
            Some(part) => part.bytes += entry.bytes,
            None => parts.push(PartStats { name, rows: entry.rows, bytes: entry.bytes }),
        }
    }
    parts
}
