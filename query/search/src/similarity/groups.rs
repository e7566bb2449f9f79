//! Sets of files by their vectors: similarity of folders, centroid, clusters, outliers.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use super::matrix::{FileName, Similarity, cosine};
use super::near::{NearFile, NearOptions};
use super::select::Selection;
use crate::{Error, Result};

/// Files at most that are compared with each other.
pub(super) const MAX_COMPARED: usize = 5_000;

/// The similarities of folders or files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimilarityMatrix {
    /// The folders or files, as they were named.
    pub names: Vec<String>,
    /// The number of files behind each.
    pub files: Vec<usize>,
    /// The cosine of each pair, row by row.
    pub cosines: Vec<Vec<f32>>,
    /// The number of folders that are left out because there are too many.
    pub left_out: usize,
}

/// The middle of a set of files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Centroid {
    /// The unit vector: the sum of those of the files, each times its bytes.
    pub vector: Vec<f32>,
    /// The number of files in it.
    pub included: usize,
    /// The files nearest to it.
    pub nearest: Vec<NearFile>,
}

/// Files that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The files, in the order of the index.
    pub files: Vec<FileName>,
}

/// A file that is far from the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlier {
    /// The file.
    pub name: FileName,
    /// Its mean cosine with the other files.
    pub mean_cosine: f32,
}

impl Similarity<'_> {
    /// Returns the similarities of folders, files or globs, each a row by its own vector. Without names, the folders
    /// next to each other at the top of the tree, the largest first, at most `limit`.
    ///
    /// # Errors
    /// A glob is malformed.
    pub fn similarity_matrix(&self, names: &[String], limit: usize) -> Result<SimilarityMatrix> {
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        for name in names {
            groups.push((name.clone(), self.select(std::slice::from_ref(name))?.rows));
        }
        let mut left_out = 0;
        if names.is_empty() {
            groups = self.top_folders()?;
            let weight = |rows: &[usize]| rows.iter().map(|&row| f64::from(self.weight(row))).sum::<f64>();
            groups.sort_by(|a, b| weight(&b.1).total_cmp(&weight(&a.1)).then_with(|| a.0.cmp(&b.0)));
            left_out = groups.len().saturating_sub(limit);
            groups.truncate(limit);
        }
        Ok(SimilarityMatrix {
            files: groups.iter().map(|(_, rows)| rows.len()).collect(),
            cosines: self.cosines_of_rows(groups.iter().map(|(_, rows)| rows.as_slice())),
            names: groups.into_iter().map(|(name, _)| name).collect(),
            left_out,
        })
    }

    /// The cosines of sets of files, each with each; those of an empty set are 0.
    pub(crate) fn cosines_of_sets(&self, sets: &[Selection]) -> Vec<Vec<f32>> {
        self.cosines_of_rows(sets.iter().map(|set| set.rows.as_slice()))
    }

    fn cosines_of_rows<'r>(&self, sets: impl Iterator<Item = &'r [usize]>) -> Vec<Vec<f32>> {
        let vectors: Vec<Vec<f32>> = sets.map(|rows| self.mean(rows)).collect();
        vectors.iter().map(|a| vectors.iter().map(|b| cosine(a, b)).collect()).collect()
    }

    /// The folders of the first level that has several, with their rows. With several repositories, these.
    fn top_folders(&self) -> Result<Vec<(String, Vec<usize>)>> {
        let several = self.index.generation().manifest().repositories.len() > 1;
        let names = self.names()?;
        let path = |row: usize| {
            let name = names.get(self.file(row).index()).cloned().unwrap_or_default();
            if several { format!("{}/{}", name.repo, name.path) } else { name.path }
        };
        let mut prefix = String::new();
        loop {
            let mut folders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for row in 0..self.rows() {
                let path = path(row);
                if let Some((folder, _)) = path.strip_prefix(&prefix).and_then(|rest| rest.split_once('/')) {
                    folders.entry(format!("{prefix}{folder}")).or_default().push(row);
                }
            }
            match folders.len() {
                1 => prefix = folders.into_keys().map(|folder| folder + "/").collect(),
                _ => return Ok(folders.into_iter().collect()),
            }
        }
    }

    /// Returns the centroid of files and the files nearest to it.
    ///
    /// # Errors
    /// Never, for a set of this index.
    pub fn centroid(&self, files: &Selection, limit: usize) -> Result<Centroid> {
        let vector = self.mean(&files.rows);
        let nearest = self.near_vector(&vector, NearOptions { filter: None, min_score: f32::MIN, limit })?;
        Ok(Centroid { vector, included: files.len(), nearest })
    }

    /// Groups files: two with at least this cosine are in the same cluster, and so are all that are connected in this
    /// way. Returns every file once, the largest cluster first.
    ///
    /// # Errors
    /// There are too many files.
    pub fn clusters(&self, files: &Selection, radius: f32) -> Result<Vec<Cluster>> {
        let rows = compared(files)?;
        self.names()?;
        let vectors: Vec<Vec<f32>> = rows.iter().map(|&row| self.vector(row)).collect();
        let mut sets = UnionFind::<usize>::new(rows.len());
        for a in 0..rows.len() {
            for b in a + 1..rows.len() {
                if cosine(&vectors[a], &vectors[b]) >= radius {
                    sets.union(a, b);
                }
            }
        }
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut cluster_of: BTreeMap<usize, usize> = BTreeMap::new();
        for (&row, set) in rows.iter().zip(sets.into_labeling()) {
            let next = clusters.len();
            let at = *cluster_of.entry(set).or_insert(next);
            if at == next {
                clusters.push(Cluster { files: Vec::new() });
            }
            clusters[at].files.push(self.name(row)?);
        }
        // Stable: equal ones stay in the order of their first files.
        clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.files.len()));
        Ok(clusters)
    }

    /// Returns the files with the lowest mean cosine with the others, the lowest first.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn outliers(&self, files: &Selection, limit: usize) -> Result<Vec<Outlier>> {
        let others = files.rows.len().saturating_sub(1);
        if others == 0 {
            return Ok(Vec::new());
        }
        let mut sum: Vec<f64> = Vec::new();
        for &row in &files.rows {
            let vector = self.vector(row);
            sum.resize(vector.len(), 0.0);
            sum.iter_mut().zip(vector).for_each(|(sum, x)| *sum += f64::from(x));
        }
        let mut means: Vec<(f32, usize)> = Vec::with_capacity(files.rows.len());
        for &row in &files.rows {
            let vector = self.vector(row);
            let with_all: f64 = vector.iter().zip(&sum).map(|(&x, sum)| f64::from(x) * sum).sum();
            let with_itself: f64 = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
            #[expect(clippy::cast_possible_truncation, reason = "a mean of cosines")]
            means.push((((with_all - with_itself) / others as f64) as f32, row));
        }
        means.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        means.truncate(limit);
        means.into_iter().map(|(mean_cosine, row)| Ok(Outlier { name: self.name(row)?, mean_cosine })).collect()
    }
}

/// The rows of files that are compared with each other; an error if there are too many.
fn compared(files: &Selection) -> Result<&[usize]> {
    if files.rows.len() > MAX_COMPARED {
        return Err(Error::Argument(format!(
            "{} files are too many to compare with each other: name folders or globs with at most {MAX_COMPARED}",
            files.rows.len()
        )));
    }
    Ok(&files.rows)
}
