//! What is known of the rows that were written, for the manifest and between the writers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sextant_format::digest::Digest;
use sextant_format::manifest::{Manifest, Repository, Segment};
use sextant_format::tables::{DirectoryRow, Row};

/// A file with its row of the directory, which lacks its edges.
pub(crate) struct ListedFile {
    pub(crate) repository: usize,
    pub(crate) path: String,
    pub(crate) row: DirectoryRow,
}

/// What is known of the files before their edges are written.
pub(crate) struct UnfinishedFiles {
    pub(crate) tables: BTreeMap<String, u64>,
    /// The segments of an earlier generation that may be used.
    pub(crate) segments: Vec<Segment>,
    /// The segment that was written; none if no row is new.
    pub(crate) segment: Option<Segment>,
    /// What it is if it has only edges.
    pub(crate) following: Segment,
    pub(crate) skipped_hash: String,
    pub(crate) trees: Vec<Digest>,
    pub(crate) directory: Vec<ListedFile>,
}

/// What the manifest records of the rows of a generation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenGeneration {
    /// Numbers of rows by table.
    pub tables: BTreeMap<String, u64>,
    /// Numbers of edges by tier.
    pub tiers: BTreeMap<String, u64>,
    /// Where the rows of symbols, chunks and edges and the vectors are.
    pub segments: Vec<Segment>,
    /// `tree_hash` and `rows_hash` of each repository.
    pub repositories: Vec<[String; 2]>,
    /// The hash of the skipped paths.
    pub skipped_hash: String,
    /// Number of edges in the graph.
    pub graph_edges: u64,
}

impl WrittenGeneration {
    /// Records the rows in a manifest, whose repositories are those that were written, and computes its content id.
    pub fn describe(&self, manifest: &mut Manifest) {
        for (repository, [tree_hash, rows_hash]) in manifest.repositories.iter_mut().zip(&self.repositories) {
            repository.tree_hash.clone_from(tree_hash);
            repository.rows_hash.clone_from(rows_hash);
        }
        manifest.tables.clone_from(&self.tables);
        manifest.tiers.clone_from(&self.tiers);
        manifest.segments.clone_from(&self.segments);
        manifest.skipped_hash.clone_from(&self.skipped_hash);
        manifest.content_id = manifest.compute_content_id();
    }

    /// What the rows and a manifest disagree on; none if the manifest describes these rows.
    #[must_use]
    pub fn difference(&self, manifest: &Manifest) -> Option<String> {
        let hashes = |repository: &Repository| [repository.tree_hash.clone(), repository.rows_hash.clone()];
        let repositories = manifest.repositories.iter().zip(&self.repositories);
        let wrong = repositories.into_iter().find(|(declared, written)| hashes(declared) != **written);
        if let Some((repository, _)) = wrong {
            return Some(format!("the rows of the repository {}", repository.name));
        }
        let table = manifest.tables.iter().find(|(table, rows)| self.tables.get(*table) != Some(rows));
        let is_complete = self.tables.len() == manifest.tables.len()
            && self.repositories.len() == manifest.repositories.len()
            && self.skipped_hash == manifest.skipped_hash;
        let table = table.map(|(table, _)| format!("the number of its {table}"));
        table.or_else(|| (!is_complete).then(|| "its rows".to_owned()))
    }
}

/// The path of a table below `root`.
pub(crate) fn table_path<R: Row>(root: &Path) -> PathBuf {
    root.join(format!("{}.parquet", R::TABLE))
}
