//! The inner loops of vector search: many rows against one query in a call. Each is compiled for several instruction
//! sets; the best one that the processor has is selected once.

use multiversion::multiversion;

/// Writes the dot product of each row with the query to `out`. Rows are as long as the query.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2+fma", "x86_64+sse4.1", "aarch64+neon"))]
pub(super) fn dot_products(rows: &[i8], query: &[i8], out: &mut [i32]) {
    for (row, dot) in rows.chunks_exact(query.len()).zip(out) {
        *dot = row.iter().zip(query).map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b))).sum();
    }
}

/// Writes the number of bits in which each row differs from the query to `out`. Rows are as long as the query, a
/// multiple of 8 bytes.
#[multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+popcnt",
    "x86_64+popcnt",
    "aarch64+neon"
))]
pub(super) fn hamming(rows: &[u8], query: &[u8], out: &mut [u16]) {
    // A known length is unrolled: 256 and 384 dimensions are the usual ones.
    match query.len() {
        32 => hamming_words::<4>(rows, query, out),
        48 => hamming_words::<6>(rows, query, out),
        _ => {
            for (row, distance) in rows.chunks_exact(query.len()).zip(out) {
                *distance = row.as_chunks().0.iter().zip(query.as_chunks().0).map(differing_bits).sum();
            }
        }
    }
}

/// Writes the numbers of the rows that differ from the query in at most `limit` bits to the front of `out` and returns
/// them. Rows are as long as the query, a multiple of 8 bytes, and there are at most as many as `out` is long.
#[multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+popcnt",
    "x86_64+popcnt",
    "aarch64+neon"
))]
pub(super) fn near_rows<'a, const N: usize>(rows: &[u8], query: &[u8], limit: u16, out: &'a mut [u16; N]) -> &'a [u16] {
    let mut distances = [0; N];
    let distances = &mut distances[..N.min(rows.len() / query.len().max(1))];
    hamming(rows, query, distances);
    let mut found = 0;
    for (at, distance) in (0..).zip(distances) {
        // Without a branch, which the processor could not predict: the next row overwrites one that is not near.
        out[found] = at;
        found += usize::from(*distance <= limit);
    }
    &out[..found]
}

/// What each value of each byte of a row's sign bits adds to the dot product of the signs with a query.
pub(super) struct SignTable(Vec<[i16; 256]>);

impl SignTable {
    /// The table of a query. A byte stands for eight values, so a sum fits 16 bits.
    pub(super) fn new(query: &[i8]) -> Self {
        let add = |values: &[i8; 8], byte: usize| {
            let signed =
                |(d, &value): (usize, &i8)| if byte >> d & 1 == 1 { i16::from(value) } else { -i16::from(value) };
            values.iter().enumerate().map(signed).sum()
        };
        Self(query.as_chunks().0.iter().map(|values| std::array::from_fn(|byte| add(values, byte))).collect())
    }

    /// The dot product of a row's signs with the query.
    pub(super) fn dot(&self, bits: &[u8]) -> i32 {
        bits.iter().zip(&self.0).map(|(&byte, table)| i32::from(table[usize::from(byte)])).sum()
    }
}

#[inline(always)]
fn hamming_words<const WORDS: usize>(rows: &[u8], query: &[u8], out: &mut [u16]) {
    let Some(query) = query.as_chunks().0.first_chunk::<WORDS>() else { return };
    let (words, _) = rows.as_chunks::<8>();
    for (row, distance) in words.as_chunks::<WORDS>().0.iter().zip(out) {
        *distance = row.iter().zip(query).map(differing_bits).sum();
    }
}

#[inline(always)]
fn differing_bits((a, b): (&[u8; 8], &[u8; 8])) -> u16 {
    // At most 64, so it fits.
    (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)).count_ones() as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn dot_products_match_the_naive_computation(
            rows in prop::collection::vec(prop::collection::vec(-127_i8..=127, 64), 1..20),
            query in prop::collection::vec(-127_i8..=127, 64),
        ) {
            let mut found = vec![0; rows.len()];
            dot_products(&rows.concat(), &query, &mut found);
            for (row, dot) in rows.iter().zip(found) {
                let naive: i32 = row.iter().zip(&query).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
                prop_assert_eq!(dot, naive);
            }
        }

        #[test]
        fn hamming_distances_match_the_naive_computation(words in 1_usize..10, rows in 1_usize..9, seed in any::<u64>()) {
            let bytes = |n: usize, salt: u64| -> Vec<u8> {
                (0..n as u64).map(|i| (seed ^ salt).wrapping_add(i).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes()[7]).collect()
            };
            let (matrix, query) = (bytes(words * 8 * rows, 1), bytes(words * 8, 2));
            let mut found = vec![0; rows];
            hamming(&matrix, &query, &mut found);
            for (row, distance) in matrix.chunks(words * 8).zip(found) {
                let naive: u32 = row.iter().zip(&query).map(|(a, b)| (a ^ b).count_ones()).sum();
                prop_assert_eq!(u32::from(distance), naive);
            }
        }
    }
}
