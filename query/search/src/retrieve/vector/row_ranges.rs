//! The rows of a matrix that a search is about, numbered without gaps.

use std::ops::Range;

use sextant_format::ids::ChunkId;
use sextant_format::segments::{VectorRows, Vectors};

/// Rows that are scanned at a time.
pub(super) const BLOCK_ROWS: usize = 256;

/// Rows that justify a thread.
pub(super) const MIN_ROWS_PER_THREAD: usize = 16 << 10;

/// Ascending ranges of rows. A **place** counts the rows in them.
pub(super) struct RowRanges<'a> {
    matrix: &'a Vectors,
    ranges: Vec<Range<usize>>,
    /// The place of the first row of each range, and at the end the number of all rows.
    places: Vec<usize>,
}

impl<'a> RowRanges<'a> {
    /// All rows, or those of some chunks, which ascend.
    pub(super) fn new(matrix: &'a Vectors, among: Option<&[ChunkId]>) -> Self {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for group in among.into_iter().flat_map(|chunks| chunks.chunk_by(|a, b| b.rows_after(*a) == Some(1))) {
            let (Some(&first), Some(&last)) = (group.first(), group.last()) else { continue };
            let rows = matrix.rows_between(&(first..ChunkId::new(last.get().saturating_add(1))));
            match ranges.last_mut() {
                _ if rows.is_empty() => {}
                Some(last) if last.end == rows.start => last.end = rows.end,
                _ => ranges.push(rows),
            }
        }
        if among.is_none() {
            ranges.push(0..matrix.rows());
        }
        let mut places = vec![0];
        let mut rows = 0;
        for range in &ranges {
            rows += range.len();
            places.push(rows);
        }
        Self { matrix, ranges, places }
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.places.last().copied().unwrap_or(0)
    }

    /// The rows at some places, in parts that lie together and have at most `limit` rows.
    pub(super) fn parts(&self, places: Range<usize>, limit: usize) -> impl Iterator<Item = VectorRows<'a>> {
        let matrix = self.matrix;
        let from = self.places.partition_point(|&place| place <= places.start).saturating_sub(1);
        let ranges = self.ranges[from..].iter().zip(&self.places[from..]);
        let rows = ranges.take_while(move |(_, place)| **place < places.end).map(move |(range, &place)| {
            let start = range.start + places.start.saturating_sub(place);
            start..range.end.min(range.start + (places.end - place))
        });
        rows.flat_map(move |rows| {
            let end = rows.end;
            rows.step_by(limit).flat_map(move |start| matrix.parts(start..end.min(start + limit)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::matrix;
    use super::*;

    #[test]
    fn places_count_the_rows_of_the_chunks() {
        let dir = tempfile::tempdir().unwrap();
        let matrix = matrix(dir.path(), &vec![vec![1.0; 8]; 20]);
        let rows = |among: Option<&[ChunkId]>, places: Range<usize>, limit| -> Vec<Range<usize>> {
            RowRanges::new(&matrix, among).parts(places, limit).map(|part| part.rows()).collect()
        };
        assert_eq!(rows(None, 0..20, 8), [0..8, 8..16, 16..20]);
        let chunks = [2, 3, 4, 9, 10, 15, 99].map(ChunkId::new);
        assert_eq!(RowRanges::new(&matrix, Some(&chunks)).len(), 6);
        assert_eq!(rows(Some(&chunks), 0..6, 2), [2..4, 4..5, 9..11, 15..16]);
        assert_eq!(rows(Some(&chunks), 1..4, 9), [3..5, 9..10]);
        assert_eq!(rows(Some(&chunks), 3..3, 9), Vec::<Range<usize>>::new());
        assert_eq!(RowRanges::new(&matrix, Some(&[])).len(), 0);
    }
}
