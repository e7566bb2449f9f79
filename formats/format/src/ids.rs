//! Ids of rows: the number of a row among the live ones, in their order. In stored tables the same types hold addresses,
//! which [`Rows`](crate::segments::Rows) turns into ids. They are as large as the column and have no reserved value; where
//! there may be none, the type is an `Option`.

use std::fmt;
use std::hash::Hash;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A number that identifies the rows of a table.
pub trait RowId: Copy + fmt::Debug + fmt::Display + Ord + Hash + Send + Sync + 'static {
    /// The id of a row number.
    fn from_row(row: u32) -> Self;
    /// The row number.
    fn row(self) -> u32;
}

/// Row numbers of tables whose rows have no typed id.
impl RowId for u32 {
    fn from_row(row: u32) -> Self {
        row
    }

    fn row(self) -> u32 {
        self
    }
}

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id of a row number.
            #[inline]
            #[must_use]
            pub const fn new(row: u32) -> Self {
                Self(row)
            }

            /// The id of a position in a list; the largest id where the position does not fit into a column.
            #[inline]
            #[must_use]
            pub fn at(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The row number.
            #[inline]
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0
            }

            /// The row number as a position in a list.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id `rows` further, at most the largest.
            #[inline]
            #[must_use]
            pub const fn plus(self, rows: u32) -> Self {
                Self(self.0.saturating_add(rows))
            }

            /// The id `rows` further; none if it does not fit into a column.
            #[must_use]
            pub const fn checked_plus(self, rows: u32) -> Option<Self> {
                match self.0.checked_add(rows) {
                    Some(row) => Some(Self(row)),
                    None => None,
                }
            }

            /// The number of rows from `first` to this one; none if this one precedes `first`.
            #[must_use]
            pub const fn rows_after(self, first: Self) -> Option<u32> {
                self.0.checked_sub(first.0)
            }

            /// The ids of a range, ascending.
            pub fn range(ids: Range<Self>) -> impl DoubleEndedIterator<Item = Self> + Clone {
                (ids.start.0..ids.end.0).map(Self)
            }

            /// The first id of a range for which `is_before` is false, else the end of the range. Those for which it
            /// is true must precede the others.
            pub fn partition_point(ids: Range<Self>, is_before: impl Fn(Self) -> bool) -> Self {
                let Range { start: Self(mut from), end: Self(mut to) } = ids;
                while from < to {
                    let middle = from + (to - from) / 2;
                    if is_before(Self(middle)) {
                        from = middle + 1;
                    } else {
                        to = middle;
                    }
                }
                Self(from)
            }
        }

        impl RowId for $name {
            fn from_row(row: u32) -> Self {
                Self(row)
            }

            fn row(self) -> u32 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<$name> for u32 {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl From<$name> for u64 {
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }

        impl From<$name> for i64 {
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }
    };
}

id! {
    /// A row of `files`.
    FileId
}
id! {
    /// A row of `chunks`, and of the vectors.
    ChunkId
}
id! {
    /// A row of `symbols`, and a node of the graph.
    SymbolId
}

/// The ids with which the rows of a file, or of several, begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstIds {
    /// The file, or the first of them.
    pub file: FileId,
    /// The first chunk.
    pub chunk: ChunkId,
    /// The first symbol.
    pub symbol: SymbolId,
}

impl FirstIds {
    /// The ids that follow those of some rows; none if they do not fit into a column.
    #[must_use]
    pub fn checked_after(self, files: u32, chunks: u32, symbols: u32) -> Option<Self> {
        Some(Self {
            file: self.file.checked_plus(files)?,
            chunk: self.chunk.checked_plus(chunks)?,
            symbol: self.symbol.checked_plus(symbols)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_within_a_column() {
        let last = FileId::new(u32::MAX);
        assert_eq!((last.plus(1), last.checked_plus(1)), (last, None));
        assert_eq!((FileId::at(usize::MAX), FileId::at(3).index()), (last, 3));
        assert_eq!((last.rows_after(FileId::new(5)), FileId::new(5).rows_after(last)), (Some(u32::MAX - 5), None));
    }

    #[test]
    fn a_range_is_searched_by_halves() {
        let ids = |first, end| ChunkId::new(first)..ChunkId::new(end);
        assert_eq!(ChunkId::range(ids(3, 6)).map(ChunkId::get).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(ChunkId::range(ids(6, 3)).count(), 0);
        for first in 3..=9 {
            assert_eq!(ChunkId::partition_point(ids(3, 9), |id| id.get() < first).get(), first);
        }
        assert_eq!(ChunkId::partition_point(ids(9, 3), |_| true).get(), 9);
    }
}
