//! Vector search by cosine over the memory-mapped int8 matrix: every row, or, in a large matrix, the
//! rows whose sign bits are nearest to the query's.
//!
//! A scan is bound by memory, and sign bits take an eighth of the memory of the values. The scan has three steps, each
//! more expensive and on fewer rows: the row's bits against the query's bits; the row's bits against the query's values;
//! values against values, which gives the remaining rows the order of an exact scan.

mod files;
mod kernels;

use sextant_format::ids::ChunkId;
use sextant_format::segments::Vectors;
use sextant_format::vectors::{quantize, rotate};

pub(crate) use files::{QueryVectors, WordCosines, mean_cosines, word_cosines};

use super::filter::ChunkFilter;
use crate::rank::{ScoredChunk, retain_top_k};
use crate::threads::map_ranges_parallel;
use crate::weights::RetrievalWeights;

/// Rows that are scanned at a time.
const BLOCK_ROWS: usize = 256;

/// Rows that justify a thread.
const MIN_ROWS_PER_THREAD: usize = 16 << 10;

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
        /// Rows that pass the comparison of bits with bits, at least.
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

/// Returns the allowed chunks whose vectors are nearest to the query's, best first.
pub(crate) fn search_vectors(
    matrix: &Vectors,
    query: &[f32],
    allowed: &ChunkFilter,
    limit: usize,
    scan: Scan,
    weights: &RetrievalWeights,
) -> Vec<ScoredChunk> {
    if allowed.is_unrestricted() {
        nearest(matrix, query, limit, scan, weights, |_| true)
    } else {
        nearest(matrix, query, limit, scan, weights, |chunk| allowed.allows(chunk))
    }
}

/// Returns the allowed chunks whose vectors are nearest to `query`, best first, at most `limit`, with their cosines. The
/// cosine of a level 2 chunk is multiplied by `weights.vector_block`. `query` has as many values as the matrix has
/// dimensions; a query of another length or of zeros finds nothing.
pub fn nearest(
    matrix: &Vectors,
    query: &[f32],
    limit: usize,
    scan: Scan,
    weights: &RetrievalWeights,
    allows: impl Fn(ChunkId) -> bool + Sync,
) -> Vec<ScoredChunk> {
    if limit == 0 || query.len() != matrix.dims() || query.iter().all(|&x| x == 0.0) {
        return Vec::new();
    }
    let quantized = quantize(query);
    let mut padded = quantized.values;
    padded.resize(matrix.stride(), 0);
    let rescored = (limit * RESCORE_FACTOR).max(MIN_RESCORED);
    let score = |row: usize, dot: i32| {
        dot as f32 * quantized.scale * matrix.scales()[row] * weights.level(matrix.levels()[row])
    };
    let mut row_reader = matrix.scattered_rows();
    let parts = match scan {
        Scan::Exact => map_ranges_parallel(matrix.rows(), MIN_ROWS_PER_THREAD, |rows| {
            let mut best = TopRows::new(rescored);
            let mut dots = [0; BLOCK_ROWS];
            for (rows, values) in matrix.values(rows) {
                for (first, values) in rows.step_by(BLOCK_ROWS).zip(values.chunks(BLOCK_ROWS * matrix.stride())) {
                    let dots = &mut dots[..values.len() / matrix.stride()];
                    kernels::dot_products(values, &padded, dots);
                    for (row, &dot) in (first..).zip(dots.iter()) {
                        best.push(row, score(row, dot), || allows(matrix.chunk_id(row)));
                    }
                }
            }
            best.finish()
        }),
        Scan::SignBits { near, keep } => {
            let near = nearest_by_hamming(matrix, &padded, near, &allows);
            let kept = nearest_by_sign_dot(matrix, &padded, near, keep);
            map_ranges_parallel(kept.len(), MIN_ROWS_PER_THREAD / 16, |part| {
                let mut row_reader = row_reader.clone();
                let mut best = TopRows::new(rescored);
                for &row in &kept[part] {
                    let mut dot = [0];
                    kernels::dot_products(row_reader.row(row), &padded, &mut dot);
                    best.push(row, score(row, dot[0]), || true);
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
        let score = dot * matrix.scales()[row] * weights.level(matrix.levels()[row]);
        ScoredChunk { chunk_id: matrix.chunk_id(row), score }
    };
    let mut found: Vec<ScoredChunk> = found.iter().map(compare).collect();
    retain_top_k(&mut found, limit);
    found
}

/// Returns the allowed rows whose sign bits differ least from the query's: at least `keep` if there are as many,
/// including all rows that are as near as the last.
fn nearest_by_hamming(
    matrix: &Vectors,
    query: &[i8],
    keep: usize,
    allows: &(impl Fn(ChunkId) -> bool + Sync),
) -> Vec<usize> {
    let mut bits = vec![0_u8; matrix.stride() / 8];
    for (d, _) in query.iter().enumerate().filter(|&(_, &value)| value > 0) {
        bits[d / 8] |= 1 << (d % 8);
    }
    let parts = map_ranges_parallel(matrix.rows(), MIN_ROWS_PER_THREAD, |rows| {
        let mut distances = vec![0_u16; rows.len()];
        for (part, part_bits) in matrix.bits(rows.clone()) {
            kernels::hamming(part_bits, &bits, &mut distances[part.start - rows.start..part.end - rows.start]);
        }
        let mut counts = vec![0_usize; matrix.stride() + 1];
        for (row, distance) in rows.clone().zip(&mut distances) {
            if allows(matrix.chunk_id(row)) {
                counts[usize::from(*distance)] += 1;
            } else {
                *distance = u16::MAX;
            }
        }
        (rows, distances, counts)
    });
    let mut found = 0;
    let farthest = (0..=matrix.stride()).find(|&distance| {
        found += parts.iter().map(|(_, _, counts)| counts[distance]).sum::<usize>();
        found >= keep
    });
    let farthest = farthest.unwrap_or(matrix.stride());
    let mut near = Vec::with_capacity(found);
    for (rows, distances, _) in parts {
        near.extend(rows.zip(distances).filter(|&(_, distance)| usize::from(distance) <= farthest).map(|(row, _)| row));
    }
    near
}

/// Returns those `keep` of `rows` whose signs (1 or -1) have the largest dot products with the query's values, in the
/// order of the rows; all of them if there are no more than `keep`.
fn nearest_by_sign_dot(matrix: &Vectors, query: &[i8], mut rows: Vec<usize>, keep: usize) -> Vec<usize> {
    if rows.len() <= keep {
        return rows;
    }
    let table = kernels::sign_table(query);
    let parts = map_ranges_parallel(rows.len(), MIN_ROWS_PER_THREAD, |part| {
        let score = |&row: &usize| (kernels::sign_dot(matrix.row_bits(row), &table), row);
        rows[part].iter().map(score).collect::<Vec<(i32, usize)>>()
    });
    let mut scored = parts.concat();
    scored.select_nth_unstable_by(keep, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    rows.clear();
    rows.extend(scored[..keep].iter().map(|&(_, row)| row));
    rows.sort_unstable();
    rows
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

    fn push(&mut self, row: usize, score: f32, is_allowed: impl Fn() -> bool) {
        if score <= self.threshold || !is_allowed() {
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

    fn matrix(dir: &std::path::Path, vectors: &[Vec<f32>]) -> Vectors {
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
            let allows = |chunk: ChunkId| !chunk.get().is_multiple_of(3);
            let rotated_query = rotate(&query);
            let chunks = (0..vectors.len()).map(ChunkId::at).filter(|&chunk| allows(chunk));
            let mut naive: Vec<ScoredChunk> = chunks.map(|chunk| {
                let row = quantize(&vectors[chunk.index()]);
                let dot: f32 = row.values.iter().zip(&rotated_query).map(|(&a, b)| f32::from(a) * b).sum();
                let level = if chunk.get() % 2 == 1 { 0.8 } else { 1.0 };
                ScoredChunk { chunk_id: chunk, score: dot * row.scale * level }
            }).collect();
            retain_top_k(&mut naive, limit);
            prop_assert_eq!(nearest(&matrix, &query, limit, Scan::Exact, WEIGHTS, allows), naive.clone());
            // All rows pass if `keep` is their number.
            let all_rows = Scan::SignBits { near: vectors.len(), keep: vectors.len() };
            prop_assert_eq!(nearest(&matrix, &query, limit, all_rows, WEIGHTS, allows), naive);
        }

        #[test]
        fn the_hamming_prefilter_keeps_the_nearest(
            vectors in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 64), 20..60),
            keep in 1_usize..20,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let matrix = matrix(dir.path(), &vectors);
            let query = quantize(&vectors[7]).values;
            let distance = |row: usize| {
                matrix.row(row).iter().zip(&query).filter(|&(&a, &b)| (a > 0) != (b > 0)).count()
            };
            let found = nearest_by_hamming(&matrix, &query, keep, &|_| true);
            prop_assert!(found.len() >= keep && found.contains(&7));
            let farthest = found.iter().map(|&row| distance(row)).max().unwrap();
            for row in 0..vectors.len() {
                prop_assert_eq!(found.contains(&row), distance(row) <= farthest);
            }
            let signed = |row: usize| -> i32 {
                let signs = matrix.row(row).iter().map(|&value| if value > 0 { 1 } else { -1 });
                signs.zip(&query).map(|(sign, &value)| sign * i32::from(value)).sum()
            };
            let all: Vec<usize> = (0..vectors.len()).collect();
            let kept = nearest_by_sign_dot(&matrix, &query, all.clone(), keep);
            prop_assert_eq!(kept.len(), keep);
            let least = kept.iter().map(|&row| signed(row)).min().unwrap();
            prop_assert!(all.iter().filter(|row| !kept.contains(row)).all(|&row| signed(row) <= least));
        }
    }

    #[test]
    fn a_query_of_another_length_or_of_zeros_finds_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let matrix = matrix(dir.path(), &[vec![1.0; 8], vec![-1.0; 8]]);
        for query in [&[1.0; 7][..], &[0.0; 8]] {
            assert!(nearest(&matrix, query, 3, Scan::Exact, WEIGHTS, |_| true).is_empty());
        }
        let one_row = Scan::SignBits { near: 1, keep: 1 };
        assert_eq!(nearest(&matrix, &[1.0; 8], 3, one_row, WEIGHTS, |_| true)[0].chunk_id, ChunkId::new(0));
    }
}
