//! Files as points of a plane: the two principal components of their vectors.

use nalgebra::{DMatrix, SymmetricEigen};

use super::matrix::{FileName, Similarity};
use super::select::Selection;
use crate::Result;

/// Points of a plot at most.
const MAX_POINTS: usize = 2_000;

/// Files as points of a plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// The files with their coordinates.
    pub points: Vec<(FileName, [f32; 2])>,
    /// The shares of the variance that the two axes show, 0 to 1.
    pub explained: [f32; 2],
    /// The number of files that are left out: of too many, every n-th is a point.
    pub left_out: usize,
}

impl Similarity<'_> {
    /// Returns the files as points: their unit vectors less the mean, along the two directions in which these vary most
    /// (principal components, Pearson 1901). The sign of an axis makes its largest coordinate positive.
    ///
    /// # Errors
    /// Never, for a set of this index.
    #[expect(clippy::cast_possible_truncation, reason = "coordinates of unit vectors")]
    pub fn plot(&self, files: &Selection) -> Result<Plot> {
        let step = files.rows.len().div_ceil(MAX_POINTS).max(1);
        let rows: Vec<usize> = files.rows.iter().copied().step_by(step).collect();
        let Some(dims) = rows.first().map(|&row| self.vector(row).len()) else { return Ok(Plot::default()) };
        let values = rows.iter().flat_map(|&row| self.vector(row)).map(f64::from);
        let mut points = DMatrix::from_row_iterator(rows.len(), dims, values);
        let mean = points.row_mean();
        points.row_iter_mut().for_each(|mut row| row -= &mean);
        let eigen = SymmetricEigen::new(points.tr_mul(&points));
        let mut order: Vec<usize> = (0..dims).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]).then(a.cmp(&b)));
        let total: f64 = eigen.eigenvalues.iter().map(|value| value.max(0.0)).sum();
        let mut coordinates = vec![[0.0_f32; 2]; rows.len()];
        let mut explained = [0.0_f32; 2];
        for (axis, &n) in order.iter().take(2).enumerate() {
            let along = &points * eigen.eigenvectors.column(n);
            let largest = along.iter().copied().fold(0.0_f64, |max, x| if x.abs() > max.abs() { x } else { max });
            let sign = if largest < 0.0 { -1.0 } else { 1.0 };
            coordinates.iter_mut().zip(along.iter()).for_each(|(point, x)| point[axis] = (sign * x) as f32);
            explained[axis] = if total > 0.0 { (eigen.eigenvalues[n].max(0.0) / total) as f32 } else { 0.0 };
        }
        self.names()?;
        let names = rows.iter().map(|&row| self.name(row)).collect::<Result<Vec<_>>>()?;
        let points = names.into_iter().zip(coordinates).collect();
        Ok(Plot { points, explained, left_out: files.rows.len() - rows.len() })
    }
}
