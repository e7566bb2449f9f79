//! Vector search by cosine over the memory-mapped int8 matrix: every row, or, in a large matrix, the
//! rows whose sign bits are nearest to the query's.
//!
//! A scan is bound by memory, and sign bits take an eighth of the memory of the values. The scan has three steps, each
//! more expensive and on fewer rows: the row's bits against the query's bits; the row's bits against the query's values;
//! values against values, which gives the remaining rows the order of an exact scan.

mod files;
mod kernels;
mod row_ranges;
mod sign_bits;

use sextant_format::ids::ChunkId;
use sextant_format::segments::Vectors;
use sextant_format::vectors::{quantize, rotate};

pub(crate) use files::{QueryVectors, WordCosines, mean_cosines, word_cosines};

use row_ranges::{BLOCK_ROWS, MIN_ROWS_PER_THREAD, RowRanges};

use super::filter::ChunkFilter;
use crate::rank::{ScoredChunk, retain_top_k};
use crate::threads::map_ranges_parallel;
use crate::weights::RetrievalWeights;

/// This many times the limit are rescored against the query in single precision, because rounding the query loses as
/// much as rounding the rows ...
const RESCORE_FACTOR: usize = 3;
/// ... and at least this many rows.
const MIN_RESCORED: usize = 64;

/// How a matrix is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// All rows are compared.
    Exact,
    /// Rows are preselected by their sign bits, and the best of them are compared.
    SignBits {
        /// Rows that pass the comparison of bits with bits, about.
        near: usize,
        /// Rows of these that pass the comparison of bits with the query's values.
        keep: usize,
    },
}

impl Scan {
    /// Smaller matrices are scanned exactly: that is fast enough, see docs/benchmarks.md.
    const MIN_SIGN_BIT_ROWS: usize = 200_000;
    /// One row in this many passes the comparison of bits, and one row in this many is compared exactly.
    const ROWS_PER_CANDIDATE: (usize, usize) = (20, 100);

    /// Returns the scan for a matrix of `rows` rows.
    #[must_use]
    pub fn for_matrix(rows: usize, limit: usize) -> Self {
        if rows < Self::MIN_SIGN_BIT_ROWS {
            return Self::Exact;
        }
        Self::sign_bits(rows, limit)
    }

    /// Returns a scan by sign bits, whatever the size of the matrix.
    #[must_use]
    pub fn sign_bits(rows: usize, limit: usize) -> Self {
        let keep = (rows / Self::ROWS_PER_CANDIDATE.1).max(limit * 20);
        Self::SignBits { near: (rows / Self::ROWS_PER_CANDIDATE.0).max(keep), keep }
    }
}

/// Returns the allowed chunks whose vectors are nearest to the query's, best first. A large matrix is searched by sign
/// bits, and every one if `by_bits`.
pub(crate) fn search_vectors(
    matrix: &Vectors,
    query: &[f32],
    allowed: &ChunkFilter,
    limit: usize,
    by_bits: bool,
    weights: &RetrievalWeights,
) -> Vec<ScoredChunk> {
    let rows = allowed.chunks().map_or(matrix.rows(), <[ChunkId]>::len);
    let scan = if by_bits { Scan::sign_bits(rows, limit) } else { Scan::for_matrix(rows, limit) };
    nearest(matrix, query, limit, scan, weights, allowed.chunks())
}

/// Returns the chunks whose vectors are nearest to `query`, best first, at most `limit`, with their cosines: all, or those
/// `among` some chunks, which ascend. The cosine of a level 2 chunk is multiplied by `weights.vector_block`. `query` has as
/// many values as the matrix has dimensions; a query of another length or of zeros finds nothing.
pub fn nearest(
    matrix: &Vectors,
    query: &[f32],
    limit: usize,
    scan: Scan,
    weights: &RetrievalWeights,
    among: Option<&[ChunkId]>,
) -> Vec<ScoredChunk> {
    if limit == 0 || query.len() != matrix.dims() || query.iter().all(|&x| x == 0.0) {
        return Vec::new();
    }
    let quantized = quantize(query);
    let mut padded = quantized.values;
    padded.resize(matrix.stride(), 0);
    let rescored = (limit * RESCORE_FACTOR).max(MIN_RESCORED);
    let score = |dot: i32, scale: f32, level: u8| dot as f32 * quantized.scale * scale * weights.level(level);
    let rows = RowRanges::new(matrix, among);
    let mut row_reader = matrix.scattered_rows();
    let parts = match scan {
        Scan::Exact => map_ranges_parallel(rows.len(), MIN_ROWS_PER_THREAD, |places| {
            let mut best = TopRows::new(rescored);
            let mut dots = [0; BLOCK_ROWS];
            for part in rows.parts(places, BLOCK_ROWS) {
                let dots = &mut dots[..part.rows().len()];
                kernels::dot_products(part.values(), &padded, dots);
                let facts = part.scales().iter().zip(part.levels());
                for ((row, &dot), (&scale, &level)) in part.rows().zip(dots.iter()).zip(facts) {
                    best.push(row, score(dot, scale, level));
                }
            }
            best.finish()
        }),
        Scan::SignBits { near, keep } => {
            let kept = sign_bits::preselect(&rows, &padded, near, keep);
            map_ranges_parallel(kept.len(), MIN_ROWS_PER_THREAD / 16, |part| {
                let mut row_reader = row_reader.clone();
                let mut best = TopRows::new(rescored);
                for &row in &kept[part] {
                    let mut dot = [0];
                    kernels::dot_products(row_reader.row(row), &padded, &mut dot);
                    best.push(row, score(dot[0], matrix.scale(row), matrix.level(row)));
                }
                best.finish()
            })
        }
    };
    let mut found = parts.concat();
    retain_top_rows(&mut found, rescored);
    let query = rotate(query);
    let compare = |&(row, _): &(usize, f32)| {
        // A sequential sum rounds in the same way on every machine.
        let dot: f32 = row_reader.row(row).iter().zip(&query).map(|(&a, b)| f32::from(a) * b).sum();
        let score = dot * matrix.scale(row) * weights.level(matrix.level(row));
        ScoredChunk { chunk_id: matrix.chunk_id(row), score }
    };
    let mut found: Vec<ScoredChunk> = found.iter().map(compare).collect();
    retain_top_k(&mut found, limit);
    found
}

/// Collects the best rows; its threshold rises as rows are added.
struct TopRows {
    list: Vec<(usize, f32)>,
    limit: usize,
    threshold: f32,
}

impl TopRows {
    fn new(limit: usize) -> Self {
        Self { list: Vec::with_capacity(limit * 2), limit, threshold: f32::NEG_INFINITY }
    }

    fn push(&mut self, row: usize, score: f32) {
        if score <= self.threshold {
            return;
        }
        self.list.push((row, score));
        if self.list.len() == self.limit * 2 {
            retain_top_rows(&mut self.list, self.limit);
            self.threshold = self.list.last().map_or(self.threshold, |&(_, score)| score);
        }
    }

    fn finish(mut self) -> Vec<(usize, f32)> {
        retain_top_rows(&mut self.list, self.limit);
        self.list
    }
}

/// Sorts rows, nearest first, and cuts them to `limit`; ties are in the order of the rows.
fn retain_top_rows(list: &mut Vec<(usize, f32)>, limit: usize) {
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    list.truncate(limit);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weights;
    use proptest::prelude::*;
    use sextant_format::vectors::{VectorMatrix, VectorWriter, quantize};

    const WEIGHTS: &RetrievalWeights = &Weights::STANDARD.retrieval;

    pub(super) fn matrix(dir: &std::path::Path, vectors: &[Vec<f32>]) -> Vectors {
        let path = dir.join("vectors.i8");
        let mut writer = VectorWriter::create(&path, vectors[0].len()).unwrap();
        for (n, vector) in vectors.iter().enumerate() {
            writer.push(ChunkId::at(n), 1 + n as u8 % 2, &quantize(vector)).unwrap();
        }
        writer.finish().unwrap();
        Vectors::whole(VectorMatrix::open(&path).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn both_scans_match_the_naive_computation(
            vectors in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 70), 1..60),
            query in prop::collection::vec(-1.0_f32..1.0, 70),
            limit in 1_usize..12,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let matrix = matrix(dir.path(), &vectors);
            let rotated_query = rotate(&query);
            let allowed = (0..vectors.len()).map(ChunkId::at).filter(|chunk| !chunk.get().is_multiple_of(3));
            let allowed: Vec<ChunkId> = allowed.collect();
            let mut naive: Vec<ScoredChunk> = allowed.iter().map(|&chunk| {
                let row = quantize(&vectors[chunk.index()]);
                let dot: f32 = row.values.iter().zip(&rotated_query).map(|(&a, b)| f32::from(a) * b).sum();
                let level = if chunk.get() % 2 == 1 { 0.8 } else { 1.0 };
                ScoredChunk { chunk_id: chunk, score: dot * row.scale * level }
            }).collect();
            retain_top_k(&mut naive, limit);
            prop_assert_eq!(nearest(&matrix, &query, limit, Scan::Exact, WEIGHTS, Some(&allowed)), naive.clone());
            // All rows pass if `keep` is their number.
            let all_rows = Scan::SignBits { near: vectors.len(), keep: vectors.len() };
            prop_assert_eq!(nearest(&matrix, &query, limit, all_rows, WEIGHTS, Some(&allowed)), naive);
        }
    }

    #[test]
    fn a_query_of_another_length_or_of_zeros_finds_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let matrix = matrix(dir.path(), &[vec![1.0; 8], vec![-1.0; 8]]);
        for query in [&[1.0; 7][..], &[0.0; 8]] {
            assert!(nearest(&matrix, query, 3, Scan::Exact, WEIGHTS, None).is_empty());
        }
        let one_row = Scan::SignBits { near: 1, keep: 1 };
        assert_eq!(nearest(&matrix, &[1.0; 8], 3, one_row, WEIGHTS, None)[0].chunk_id, ChunkId::new(0));
    }
}
