//! The vectors of files in memory. This module must not know [`Index`](crate::Index), which keeps them.

use sextant_format::generation::Generation;
use sextant_format::ids::FileId;
use sextant_format::tables::{FileVectorRow, Row};

use crate::Result;
use crate::threads::map_ranges_parallel;

/// Rows for which memory is reserved before they are read: a damaged manifest may claim any number.
const MAX_RESERVED: usize = 1 << 17;
/// Rows that justify a thread.
const MIN_ROWS_PER_THREAD: usize = 8 << 10;
/// Partial sums of a dot product, so that the compiler can use vector instructions. Their number decides the rounding,
/// so it is the same on every machine.
const LANES: usize = 16;

/// The vectors of files.
#[derive(Default)]
pub(crate) struct FileMatrix {
    pub(super) dims: usize,
    /// The file of each row; ascending.
    pub(super) files: Vec<FileId>,
    pub(super) from_names: Vec<bool>,
    pub(super) weights: Vec<f32>,
    pub(super) values: Vec<i8>,
    /// 1 divided by the length of each row of values.
    pub(super) inverse_lengths: Vec<f32>,
}

impl FileMatrix {
    /// Reads the vectors of an index; none if it has none.
    pub(crate) fn read(generation: &Generation) -> Result<Option<Self>> {
        let rows = generation.manifest().rows(FileVectorRow::TABLE);
        let rows = usize::try_from(rows).unwrap_or(0).min(MAX_RESERVED);
        let mut matrix = Self { dims: 0, files: Vec::with_capacity(rows), ..Self::default() };
        let has_vectors = generation.each_file_vector(|row| {
            if matrix.files.is_empty() {
                matrix.dims = row.values.len();
                matrix.values.reserve_exact(rows * matrix.dims);
            }
            let squares: i32 = row.values.iter().map(|&x| i32::from(x) * i32::from(x)).sum();
            matrix.inverse_lengths.push(if squares == 0 { 0.0 } else { 1.0 / (squares as f32).sqrt() });
            matrix.files.push(row.file_id);
            matrix.from_names.push(row.from_names);
            matrix.weights.push(row.weight);
            matrix.values.extend_from_slice(&row.values);
        })?;
        Ok(has_vectors.then_some(matrix))
    }

    /// The cosines of a unit vector with every row, in order.
    pub(super) fn cosines(&self, vector: &[f32]) -> Vec<f32> {
        if vector.len() != self.dims {
            return vec![0.0; self.files.len()];
        }
        let parts = map_ranges_parallel(self.files.len(), MIN_ROWS_PER_THREAD, |rows| {
            rows.map(|row| self.cosine(row, vector)).collect::<Vec<f32>>()
        });
        parts.concat()
    }

    fn cosine(&self, row: usize, vector: &[f32]) -> f32 {
        dot(&self.values[row * self.dims..][..self.dims], vector) * self.inverse_lengths[row]
    }
}

/// The dot product of int8 and single-precision values.
fn dot(values: &[i8], vector: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (value_blocks, value_rest) = values.as_chunks::<LANES>();
    let (vector_blocks, vector_rest) = vector.as_chunks::<LANES>();
    for (a, b) in value_blocks.iter().zip(vector_blocks) {
        for lane in 0..LANES {
            sums[lane] += f32::from(a[lane]) * b[lane];
        }
    }
    let rest: f32 = value_rest.iter().zip(vector_rest).map(|(&a, &b)| f32::from(a) * b).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_products_count_every_value() {
        for dims in [1, 15, 16, 17, 256] {
            let values: Vec<i8> = (0..dims).map(|d| i8::try_from(d % 7).unwrap() - 3).collect();
            let vector: Vec<f32> = (0..dims).map(|d| (d % 5) as f32).collect();
            let expected: f32 = values.iter().zip(&vector).map(|(&a, &b)| f32::from(a) * b).sum();
            assert!((dot(&values, &vector) - expected).abs() < 1e-3, "{dims}");
        }
    }
}
