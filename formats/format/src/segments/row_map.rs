//! Maps the rows of a generation to where they are stored, and back.
//!
//! A row has two numbers. Its **id** counts the live rows of the generation in their order, so it follows from the
//! content alone. Its **address** counts rows as they are stored, segment after segment; it never changes, and the
//! addresses of rows that are gone are not used again. Both are equal in a generation with one segment.

use std::marker::PhantomData;
use std::ops::Range;

use crate::ids::RowId;

/// Consecutive rows that are stored one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// The id of the first row.
    id: u32,
    /// The address of the first row.
    address: u32,
    rows: u32,
}

/// Maps ids to addresses and back.
#[derive(Clone, Debug, PartialEq)]
pub struct RowMap<I> {
    /// The runs in the order of ids.
    runs: Vec<Run>,
    /// Indexes into `runs`, in the order of addresses.
    by_address: Vec<u32>,
    id: PhantomData<I>,
}

impl<I: RowId> RowMap<I> {
    /// Maps rows that are stored in these ranges of addresses, in the order of ids; none if two of them overlap or there
    /// are more rows than ids.
    #[must_use]
    pub fn new(stored: impl Iterator<Item = Range<u32>>) -> Option<Self> {
        let mut runs: Vec<Run> = Vec::new();
        let mut id = 0_u32;
        for range in stored {
            let rows = range.end.checked_sub(range.start)?;
            match runs.last_mut() {
                _ if rows == 0 => {}
                Some(last) if last.address.checked_add(last.rows) == Some(range.start) => last.rows += rows,
                _ => runs.push(Run { id, address: range.start, rows }),
            }
            id = id.checked_add(rows)?;
        }
        let mut by_address: Vec<u32> = (0..u32::try_from(runs.len()).ok()?).collect();
        by_address.sort_unstable_by_key(|&at| runs[at as usize].address);
        let overlaps = |pair: &[u32]| {
            let (a, b) = (runs[pair[0] as usize], runs[pair[1] as usize]);
            b.address - a.address < a.rows
        };
        let is_valid = !by_address.windows(2).any(overlaps);
        is_valid.then_some(Self { runs, by_address, id: PhantomData })
    }

    /// Maps `rows` rows whose ids are their addresses.
    #[must_use]
    pub fn identity(rows: u32) -> Self {
        let runs = if rows == 0 { Vec::new() } else { vec![Run { id: 0, address: 0, rows }] };
        Self { by_address: (0..).take(runs.len()).collect(), runs, id: PhantomData }
    }

    /// Whether each of these rows is stored in one of these ranges of addresses, which must not overlap.
    #[must_use]
    pub fn is_stored_in(&self, ranges: impl Iterator<Item = Range<u32>>) -> bool {
        let mut ranges: Vec<Range<u32>> = ranges.collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let Some(stored) = Self::new(ranges.into_iter()) else { return false };
        self.runs.iter().all(|run| {
            let ends = stored.id(run.address).zip(stored.id(run.address + (run.rows - 1)));
            // There is a gap between them if fewer rows are stored than there are addresses.
            ends.is_some_and(|(first, last)| last.row() - first.row() == run.rows - 1)
        })
    }

    /// Whether every id is its address.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.runs.is_empty() || self.runs.len() == 1 && self.runs[0].address == 0
    }

    /// One past the last id.
    #[must_use]
    pub fn end(&self) -> I {
        I::from_row(self.runs.last().map_or(0, |run| run.id + run.rows))
    }

    /// The address of a live row, or `None` if no live row has the id.
    #[must_use]
    pub fn address(&self, id: I) -> Option<u32> {
        let after = self.runs.partition_point(|run| run.id <= id.row());
        let run = self.runs.get(after.checked_sub(1)?)?;
        let at = id.row() - run.id;
        (at < run.rows).then(|| run.address + at)
    }

    /// The id of the row at an address; none if the row is gone.
    #[must_use]
    pub fn id(&self, address: u32) -> Option<I> {
        let after = self.by_address.partition_point(|&at| self.runs[at as usize].address <= address);
        let run = self.runs[*self.by_address.get(after.checked_sub(1)?)? as usize];
        let at = address - run.address;
        (at < run.rows).then(|| I::from_row(run.id + at))
    }

    /// All rows in the order of ids: ranges of addresses, each with the id of its first row.
    pub fn stored(&self) -> impl Iterator<Item = (Range<u32>, I)> {
        self.runs.iter().map(|run| (run.address..run.address + run.rows, I::from_row(run.id)))
    }

    /// The live rows among those at some addresses, in the order of addresses: addresses and the id of the first of them.
    pub fn live(&self, addresses: Range<u32>) -> impl Iterator<Item = (Range<u32>, I)> {
        let from = self.by_address.partition_point(|&at| {
            let run = self.runs[at as usize];
            run.address + run.rows <= addresses.start
        });
        let runs = self.by_address[from..].iter().map(|&at| self.runs[at as usize]);
        runs.take_while(move |run| run.address < addresses.end).map(move |run| {
            let start = run.address.max(addresses.start);
            let end = (run.address + run.rows).min(addresses.end);
            (start..end, I::from_row(run.id + (start - run.address)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SymbolId;
    use proptest::prelude::*;

    fn map(stored: &[Range<u32>]) -> Option<RowMap<SymbolId>> {
        RowMap::new(stored.iter().cloned())
    }

    #[test]
    fn ids_follow_the_order_of_the_ranges() {
        let rows = map(&[10..12, 0..3, 3..4, 20..20, 30..31]).unwrap();
        let ids = |address| rows.id(address).map(SymbolId::get);
        assert_eq!([10, 11, 0, 3, 30].map(ids), [Some(0), Some(1), Some(2), Some(5), Some(6)]);
        assert_eq!([4, 9, 12, 31, u32::MAX].map(ids), [None; 5]);
        assert_eq!((rows.end(), rows.address(SymbolId::new(7))), (SymbolId::new(7), None));
        let live: Vec<_> = rows.live(2..11).collect();
        assert_eq!(live, [(2..4, SymbolId::new(4)), (10..11, SymbolId::new(0))]);
        assert!(!rows.is_identity() && map(&[0..3, 3..5]).unwrap().is_identity() && map(&[]).unwrap().is_identity());
    }

    #[test]
    fn rows_outside_of_segments_are_found() {
        let rows = map(&[10..12, 0..4]).unwrap();
        let is_in = |segments: &[(u32, u32)]| rows.is_stored_in(segments.iter().map(|&(first, end)| first..end));
        assert!(is_in(&[(9, 12), (0, 2), (2, 5)]) && is_in(&[(0, 20)]));
        assert!(!is_in(&[(0, 4)]) && !is_in(&[(0, 2), (3, 12)]) && !is_in(&[(0, 4), (11, 14)]) && !is_in(&[]));
    }

    #[test]
    fn overlaps_and_too_many_rows_are_refused() {
        assert!(map(&[0..3, 2..4]).is_none());
        assert!(map(&[0..u32::MAX, 0..0]).is_some());
        assert!(map(&[Range { start: 3, end: 2 }]).is_none());
    }

    proptest! {
        #[test]
        fn addresses_and_ids_are_inverse(sizes in prop::collection::vec((0_u32..5, 0_u32..4), 0..12), turn in 0_usize..12) {
            let mut at = 0;
            let mut ranges: Vec<Range<u32>> = sizes
                .iter()
                .map(|&(rows, gap)| {
                    let start = at + gap;
                    at = start + rows;
                    start..at
                })
                .collect();
            let turn = turn.min(ranges.len());
            ranges.rotate_left(turn);
            let rows = map(&ranges).unwrap();
            let all: Vec<u32> = ranges.into_iter().flatten().collect();
            prop_assert_eq!(rows.end().index(), all.len());
            for (id, &address) in all.iter().enumerate() {
                prop_assert_eq!(rows.address(SymbolId::at(id)), Some(address));
                prop_assert_eq!(rows.id(address), Some(SymbolId::at(id)));
            }
            let live: usize = rows.live(0..at).map(|(addresses, _)| addresses.len()).sum();
            prop_assert_eq!(live, all.len());
        }
    }
}
