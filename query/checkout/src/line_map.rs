//! Maps the lines of a text as it is now to those of the text that was indexed. Must not know files or the protocol.

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::time::{Duration, Instant};

/// A comparison that takes longer stops early: lines that it did not reach count as edited.
const TIME_LIMIT: Duration = Duration::from_millis(200);

/// Lines that two texts share. Lines count from 0.
#[derive(Debug, Default)]
pub struct LineMap {
    /// Runs of equal lines: first line now, first line in the index, number of lines; ascending.
    runs: Vec<(usize, usize, usize)>,
}

impl LineMap {
    /// Compares two texts. Blanks at the ends of lines do not count: an index does not store blank lines exactly.
    #[must_use]
    pub fn new(now: &[&str], indexed: &[&str]) -> Self {
        let trimmed = |lines: &[&str]| lines.iter().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        let deadline = Instant::now() + TIME_LIMIT;
        let operations =
            capture_diff_slices_deadline(Algorithm::Myers, &trimmed(now), &trimmed(indexed), Some(deadline));
        let equal = operations.into_iter().filter_map(|operation| match operation {
            DiffOp::Equal { old_index, new_index, len } => Some((old_index, new_index, len)),
            _ => None,
        });
        Self { runs: equal.collect() }
    }

    /// The line of the index that a line is now; `None` if it was edited.
    #[must_use]
    pub fn indexed(&self, now: u32) -> Option<u32> {
        map(now, self.runs.iter().copied())
    }

    /// The line that a line of the index is now; `None` if it was edited or removed.
    #[must_use]
    pub fn now(&self, indexed: u32) -> Option<u32> {
        map(indexed, self.runs.iter().map(|&(now, indexed, len)| (indexed, now, len)))
    }

    /// The line that a line of the index is now, or the nearest one after it that remains.
    #[must_use]
    pub fn now_or_after(&self, indexed: u32) -> Option<u32> {
        let indexed_line = usize::try_from(indexed).ok()?;
        let run = self.runs.iter().find(|&&(_, first, len)| indexed_line < first + len)?;
        let line = if indexed_line < run.1 { run.0 } else { run.0 + indexed_line - run.1 };
        u32::try_from(line).ok()
    }

    /// The line that a line of the index is now, or the nearest one before it that remains.
    #[must_use]
    pub fn now_or_before(&self, indexed: u32) -> Option<u32> {
        let indexed_line = usize::try_from(indexed).ok()?;
        let &(now, first, len) = self.runs.iter().rev().find(|&&(_, first, _)| first <= indexed_line)?;
        u32::try_from(now + (indexed_line - first).min(len.saturating_sub(1))).ok()
    }
}

fn map(line: u32, mut runs: impl Iterator<Item = (usize, usize, usize)>) -> Option<u32> {
    let line = usize::try_from(line).ok()?;
    let (from, to, _) = runs.find(|&(from, _, len)| from <= line && line < from + len)?;
    u32::try_from(to + line - from).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_move_with_edits_above_them() {
        let map = LineMap::new(&["new", "a", "b", "changed", "d"], &["a", "b  ", "c", "d"]);
        assert_eq!([0, 1, 2, 3, 4].map(|line| map.indexed(line)), [None, Some(0), Some(1), None, Some(3)]);
        assert_eq!([0, 1, 2, 3].map(|line| map.now(line)), [Some(1), Some(2), None, Some(4)]);
        assert_eq!((map.now_or_after(2), map.now_or_before(2)), (Some(4), Some(2)));
        assert_eq!((map.indexed(99), map.now(u32::MAX)), (None, None));
    }

    proptest! {
        #[test]
        fn mapped_lines_are_equal(now in proptest::collection::vec("[ab]", 0..30), indexed in proptest::collection::vec("[ab]", 0..30)) {
            let (now, indexed): (Vec<&str>, Vec<&str>) = (now.iter().map(String::as_str).collect(), indexed.iter().map(String::as_str).collect());
            let map = LineMap::new(&now, &indexed);
            for line in 0..u32::try_from(now.len()).unwrap() {
                if let Some(there) = map.indexed(line) {
                    prop_assert_eq!(now[line as usize], indexed[there as usize]);
                    prop_assert_eq!(map.now(there), Some(line));
                }
            }
        }
    }
}
