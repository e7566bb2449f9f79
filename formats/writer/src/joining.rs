//! Which segments become one, so that their number stays small although every build adds one.
//!
//! Small ones are joined, those of about one size together: whatever is moved is then in a segment several times as large
//! as before, so it is moved seldom. This module must not know what segments contain.

/// Small segments up to this number are left alone: every one costs a reader little.
const MAX_SMALL: usize = 8;
/// With more small segments than this, which are not joined, everything is written again.
const TOO_MANY_SMALL: usize = 32;
/// A segment is small if it has at most one row of this many.
const SMALL_ONE_IN: u64 = 64;
/// What is joined has at most one row of this many.
const JOINED_ONE_IN: u64 = 16;
/// A segment is joined with smaller ones if it has at most so many times the rows of all of them.
const MAX_RATIO: u64 = 4;

/// The indexes of the segments that become one, ascending, given the number of rows of each, and of what they are a part
/// of; none while few are small.
pub(crate) fn segments_to_join(rows: &[u64], total: u64) -> Vec<usize> {
    let mut small = small_segments(rows, total);
    if small.len() <= MAX_SMALL {
        return Vec::new();
    }
    small.sort_by_key(|&at| (rows[at], at));
    let mut joined_rows = 0;
    let is_joined = |at: &usize| {
        let fits = joined_rows == 0 || rows[*at] <= joined_rows * MAX_RATIO;
        joined_rows += rows[*at];
        fits && joined_rows * JOINED_ONE_IN <= total
    };
    let mut joined: Vec<usize> = small.into_iter().take_while(is_joined).collect();
    if joined.len() < 2 {
        return Vec::new();
    }
    joined.sort_unstable();
    joined
}

/// Whether there are so many small segments that everything should be written again.
pub(crate) fn are_too_many(rows: &[u64]) -> bool {
    small_segments(rows, rows.iter().sum()).len() > TOO_MANY_SMALL
}

fn small_segments(rows: &[u64], total: u64) -> Vec<usize> {
    (0..rows.len()).filter(|&at| rows[at] * SMALL_ONE_IN <= total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_or_large_segments_stay() {
        let joined = |rows: &[u64]| segments_to_join(rows, rows.iter().sum());
        assert_eq!(joined(&[]), [0_usize; 0]);
        assert_eq!(joined(&[10_000, 1, 1, 1, 1, 1, 1, 1, 1]), [0_usize; 0]);
        assert_eq!(joined(&[5; 40]), [0_usize; 0]);
        assert_eq!(joined(&[10_000, 1, 100, 1, 1, 1, 1, 1, 1, 1]), [1, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(segments_to_join(&[5; 10], 10_000), Vec::from_iter(0..10));
    }

    #[test]
    fn a_row_is_moved_seldom_and_segments_stay_few() {
        let (mut segments, mut moved, mut most) = (vec![100_000_u64], 0, 0);
        for _ in 0..5000 {
            segments.push(1);
            let joined = segments_to_join(&segments, segments.iter().sum());
            let rows: u64 = joined.iter().map(|&at| segments[at]).sum();
            moved += rows;
            for at in joined.into_iter().rev() {
                segments.remove(at);
            }
            segments.extend((rows > 0).then_some(rows));
            most = most.max(segments.len());
        }
        assert!(moved < 5000 * 10, "{moved} rows were moved");
        assert!(most <= 16, "{most} segments");
        assert!(!are_too_many(&segments));
    }
}
