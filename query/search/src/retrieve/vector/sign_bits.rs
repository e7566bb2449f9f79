//! Preselects rows by their sign bits. One pass over the bits compares each row's bits with the query's bits; the bits of
//! rows that are near, which are then in the processor's cache, are compared with the query's values.

use super::kernels::{self, SignTable};
use super::row_ranges::{BLOCK_ROWS, MIN_ROWS_PER_THREAD, RowRanges};
use crate::threads::map_ranges_parallel;

/// At least this many blocks show how far the nearest rows are.
const SAMPLED_BLOCKS: usize = 64;

/// Returns the rows whose signs (1 or -1) have the largest dot products with the query's values, `keep` of those whose
/// sign bits differ least from the query's, of which there are about `near`. Rows ascend. The result does not depend on
/// the number of threads.
pub(super) fn preselect(rows: &RowRanges<'_>, query: &[i8], near: usize, keep: usize) -> Vec<usize> {
    let mut bits = vec![0_u8; query.len() / 8];
    for (d, _) in query.iter().enumerate().filter(|&(_, &value)| value > 0) {
        bits[d / 8] |= 1 << (d % 8);
    }
    let limit = farthest_of(rows, &bits, near);
    let table = SignTable::new(query);
    let parts = map_ranges_parallel(rows.len(), MIN_ROWS_PER_THREAD, |places| {
        let mut found: Vec<(i32, usize)> = Vec::new();
        let mut block = [0; BLOCK_ROWS];
        for part in rows.parts(places, BLOCK_ROWS) {
            for &at in kernels::near_rows(part.bits(), &bits, limit, &mut block) {
                let at = usize::from(at);
                let own = &part.bits()[at * bits.len()..(at + 1) * bits.len()];
                found.push((table.dot(own), part.rows().start + at));
            }
        }
        found
    });
    let mut found = parts.concat();
    if keep < found.len() {
        found.select_nth_unstable_by(keep, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(keep);
    }
    let mut kept: Vec<usize> = found.into_iter().map(|(_, row)| row).collect();
    kept.sort_unstable();
    kept
}

/// Returns in how many bits the `near` nearest rows differ from the query at most, as blocks that are spread evenly show.
fn farthest_of(rows: &RowRanges<'_>, bits: &[u8], near: usize) -> u16 {
    let farthest = u16::try_from(bits.len() * 8).unwrap_or(u16::MAX);
    if near >= rows.len() {
        return farthest;
    }
    let step = (rows.len().div_ceil(BLOCK_ROWS) / SAMPLED_BLOCKS).max(1);
    let mut counts = vec![0_usize; bits.len() * 8 + 1];
    let mut sampled = 0;
    let mut distances = [0; BLOCK_ROWS];
    for place in (0..rows.len()).step_by(step * BLOCK_ROWS) {
        for part in rows.parts(place..rows.len().min(place + BLOCK_ROWS), BLOCK_ROWS) {
            let distances = &mut distances[..part.rows().len()];
            kernels::hamming(part.bits(), bits, distances);
            sampled += distances.len();
            distances.iter().for_each(|&distance| counts[usize::from(distance)] += 1);
        }
    }
    let mut nearer = 0;
    let is_enough = |&distance: &u16| {
        nearer += counts[usize::from(distance)];
        nearer * rows.len() >= near * sampled
    };
    (0..farthest).find(is_enough).unwrap_or(farthest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sextant_format::vectors::quantize;

    use super::super::tests::matrix;
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_nearest_rows_are_kept(
            vectors in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 64), 20..60),
            near in 1_usize..20,
            keep in 1_usize..20,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let matrix = matrix(dir.path(), &vectors);
            let query = quantize(&vectors[7]).values;
            let distance = |row: usize| {
                matrix.row(row).iter().zip(&query).filter(|&(&a, &b)| (a > 0) != (b > 0)).count()
            };
            let signed = |row: usize| -> i32 {
                let signs = matrix.row(row).iter().map(|&value| if value > 0 { 1 } else { -1 });
                signs.zip(&query).map(|(sign, &value)| sign * i32::from(value)).sum()
            };
            // All rows are in one block, so all are sampled.
            let mut distances: Vec<usize> = (0..vectors.len()).map(distance).collect();
            distances.sort_unstable();
            let farthest = distances[near - 1];
            let mut expected: Vec<usize> = (0..vectors.len()).filter(|&row| distance(row) <= farthest).collect();
            expected.sort_by_key(|&row| (-signed(row), row));
            expected.truncate(keep);
            expected.sort_unstable();
            let found = preselect(&RowRanges::new(&matrix, None), &query, near, keep);
            prop_assert_eq!(found, expected);
        }
    }
}
