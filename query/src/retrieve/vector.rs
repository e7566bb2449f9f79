//! Vector search: an exact scan of the int8 matrix by cosine.

use multiversion::multiversion;
use sextant_formats::vectors::{VectorMatrix, quantise};

use super::{Allowed, Scored, best_first};

/// What a block counts beside a symbol (row C5 of the feature list).
const LEVEL_2: f32 = 0.8;

/// The chunks whose vectors are nearest to a query's, best first.
pub(crate) fn vectors(matrix: &VectorMatrix, query: &[f32], allowed: &Allowed, limit: usize) -> Vec<Scored> {
    if limit == 0 || query.len() != matrix.dims() || query.iter().all(|&x| x == 0.0) {
        return Vec::new();
    }
    let quantised = quantise(query);
    let mut padded = quantised.values;
    padded.resize(matrix.stride(), 0);
    let mut best: Vec<Scored> = Vec::with_capacity(limit * 2);
    let mut least = f32::NEG_INFINITY;
    let mut dots = vec![0_i32; BLOCK];
    for (block, rows) in matrix.values().chunks(BLOCK * matrix.stride()).enumerate() {
        let count = rows.len() / matrix.stride();
        scan(rows, &padded, &mut dots[..count]);
        for (n, &dot) in dots[..count].iter().enumerate() {
            let row = block * BLOCK + n;
            let level = if matrix.levels()[row] > 1 { LEVEL_2 } else { 1.0 };
            let score = dot as f32 * quantised.scale * matrix.scales()[row] * level;
            if score <= least {
                continue;
            }
            let chunk_id = matrix.chunk_ids()[row];
            if !allowed.is_everything() && !allowed.allows(chunk_id) {
                continue;
            }
            best.push(Scored { chunk_id, score });
            if best.len() == limit * 2 {
                best_first(&mut best, limit);
                least = best.last().map_or(least, |last| last.score);
            }
        }
    }
    best_first(&mut best, limit);
    best
}

/// Rows that are scanned at a time.
const BLOCK: usize = 256;

/// The dot products of each row with the query. Compiled for several instruction sets; the best
/// that the processor has is chosen once.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2+fma", "x86_64+sse4.1", "aarch64+neon"))]
fn scan(rows: &[i8], query: &[i8], dots: &mut [i32]) {
    for (row, dot) in rows.chunks_exact(query.len()).zip(dots) {
        *dot = row.iter().zip(query).map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b))).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_scan_is_the_plain_computation(
            rows in prop::collection::vec(prop::collection::vec(-127_i8..=127, 64), 1..20),
            query in prop::collection::vec(-127_i8..=127, 64),
        ) {
            let mut dots = vec![0; rows.len()];
            scan(&rows.concat(), &query, &mut dots);
            for (row, dot) in rows.iter().zip(dots) {
                let plain: i32 = row.iter().zip(&query).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
                prop_assert_eq!(dot, plain);
            }
        }
    }
}
