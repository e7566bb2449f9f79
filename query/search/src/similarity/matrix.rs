//! The view of an index that answers with the vectors of files.

use std::cell::OnceCell;

use sextant_encoder::{Encoder, l2_normalize};
use sextant_format::ids::FileId;

use super::file_matrix::FileMatrix;
use crate::{Error, Index, Result};

/// A file's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileName {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
}

/// The cosine of two unit vectors.
pub(super) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Answers with the vectors of files.
pub struct Similarity<'a> {
    pub(super) index: &'a Index,
    matrix: &'a FileMatrix,
    /// The names of all files, by their ids, once they are needed: an answer about a few files looks theirs up.
    names: OnceCell<Vec<FileName>>,
    encoder: Option<Box<dyn Encoder>>,
}

impl<'a> Similarity<'a> {
    /// Opens the vectors of files; none if the index has none: it was built without an encoder, or by a version before
    /// there were such vectors.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn open(index: &'a Index) -> Result<Option<Self>> {
        let Some(matrix) = index.file_matrix()? else { return Ok(None) };
        Ok(Some(Self { index, matrix, names: OnceCell::new(), encoder: None }))
    }

    /// The number of rows: of files with a vector.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.matrix.files.len()
    }

    /// The file of a row.
    pub(super) fn file(&self, row: usize) -> FileId {
        self.matrix.files[row]
    }

    /// The names of all files, by their ids. Once they are read, [`Similarity::file_name`] looks none up.
    pub(crate) fn names(&self) -> Result<&[FileName]> {
        if let Some(names) = self.names.get() {
            return Ok(names);
        }
        let names = file_names(self.index)?;
        Ok(self.names.get_or_init(|| names))
    }

    /// The name of a row's file.
    pub(super) fn name(&self, row: usize) -> Result<FileName> {
        self.file_name(self.file(row))
    }

    /// The name of a file.
    pub(crate) fn file_name(&self, file: FileId) -> Result<FileName> {
        if let Some(names) = self.names.get() {
            let missing = || Error::Argument(format!("there is no file {file}"));
            return names.get(file.index()).cloned().ok_or_else(missing);
        }
        let rows = self.index.file_rows()?;
        let one = |column: &str| -> Result<String> {
            Ok(rows.column::<String>(column, &[file])?.into_iter().next().unwrap_or_default())
        };
        Ok(FileName { repo: one("repo")?, path: one("path")? })
    }

    /// The file of a name; none if the index has none.
    pub(super) fn file_named(&self, name: &FileName) -> Result<Option<FileId>> {
        // Names are in the order of their repositories in the manifest, then of their paths.
        let repositories = &self.index.generation().manifest().repositories;
        let nth = |repo: &str| repositories.iter().position(|repository| repository.name == repo);
        let (names, repo) = (self.names()?, nth(&name.repo));
        let found = names
            .binary_search_by(|other| nth(&other.repo).cmp(&repo).then_with(|| other.path.as_str().cmp(&name.path)));
        Ok(found.ok().map(FileId::at))
    }

    /// The cosine of two files; none if one of them has no vector.
    pub(crate) fn cosine_of(&self, a: FileId, b: FileId) -> Option<f32> {
        let (a, b) = (self.row_of(a)?, self.row_of(b)?);
        let row = |row: usize| &self.matrix.values[row * self.matrix.dims..][..self.matrix.dims];
        let dot: i32 = row(a).iter().zip(row(b)).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
        Some(dot as f32 * self.matrix.inverse_lengths[a] * self.matrix.inverse_lengths[b])
    }

    /// The row of a file; none if it has no vector.
    pub(super) fn row_of(&self, file: FileId) -> Option<usize> {
        self.matrix.files.binary_search(&file).ok()
    }

    /// Whether the vector of a row is that of the file's names.
    pub(super) fn is_from_names(&self, row: usize) -> bool {
        self.matrix.from_names[row]
    }

    /// The bytes that the vector of a row stands for.
    pub(super) fn weight(&self, row: usize) -> f32 {
        self.matrix.weights[row]
    }

    /// The unit vector of a row.
    pub(super) fn vector(&self, row: usize) -> Vec<f32> {
        let values = &self.matrix.values[row * self.matrix.dims..][..self.matrix.dims];
        values.iter().map(|&x| f32::from(x) * self.matrix.inverse_lengths[row]).collect()
    }

    /// The cosines of a unit vector with every row, in order.
    pub(super) fn cosines(&self, vector: &[f32]) -> Vec<f32> {
        self.matrix.cosines(vector)
    }

    /// The unit vector of a set of rows: the sum of their vectors, each times its weight. Zero for an empty set.
    pub(super) fn mean(&self, rows: &[usize]) -> Vec<f32> {
        let mut sum = vec![0.0_f64; self.matrix.dims];
        for &row in rows {
            let vector = self.vector(row);
            let weight = f64::from(self.weight(row));
            sum.iter_mut().zip(vector).for_each(|(sum, x)| *sum += weight * f64::from(x));
        }
        unit(&sum)
    }

    /// The encoder; an error says why there is none.
    pub(super) fn encoder(&mut self) -> Result<&mut dyn Encoder> {
        if self.encoder.is_none() {
            self.encoder = self.index.encoder()?;
        }
        match &mut self.encoder {
            Some(encoder) => Ok(encoder.as_mut()),
            None => Err(Error::Argument("the index has no encoder".to_owned())),
        }
    }

    /// Checks that there is an encoder.
    ///
    /// # Errors
    /// There is none, or it cannot be used.
    pub fn check_encoder(&mut self) -> Result<()> {
        self.encoder().map(|_| ())
    }

    /// The unit vector of a question or a name; zero if the encoder knows none of its words.
    pub(super) fn vector_of_text(&mut self, text: &str) -> Result<Vec<f32>> {
        let mut vector = self.encoder()?.encode_query(text)?;
        l2_normalize(&mut vector);
        Ok(vector)
    }
}

/// Scales a vector to length 1, in single precision; the zero vector stays zero.
#[expect(clippy::cast_possible_truncation, reason = "a normalised vector has values between -1 and 1")]
pub(super) fn unit(vector: &[f64]) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    let factor = if length > 0.0 { 1.0 / length } else { 0.0 };
    vector.iter().map(|x| (x * factor) as f32).collect()
}

/// The names of all files, by their ids.
fn file_names(index: &Index) -> Result<Vec<FileName>> {
    let rows = index.file_rows()?;
    let mut names: Vec<FileName> = Vec::with_capacity(usize::try_from(rows.len()).unwrap_or(0));
    for block in rows.blocks() {
        let mut paths = Vec::new();
        rows.scan_text("path", block, |_, path| paths.push(path.to_owned()))?;
        let mut paths = paths.into_iter();
        rows.scan_text("repo", block, |_, repo| {
            names.extend(paths.next().map(|path| FileName { repo: repo.to_owned(), path }));
        })?;
    }
    Ok(names)
}

impl std::fmt::Debug for Similarity<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Similarity").field("rows", &self.rows()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_vector_stays_zero() {
        assert_eq!(unit(&[0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(unit(&[3.0, 4.0]), [0.6, 0.8]);
    }
}
