//! Ids of rows: the number of a row in its table. They are as large as the column and have no reserved value; where
//! there may be none, the type is an `Option`.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id of a row number.
            #[must_use]
            pub const fn new(row: u32) -> Self {
                Self(row)
            }

            /// The id of a position in a list; the largest id where the position does not fit into a column.
            #[must_use]
            pub fn at(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The row number.
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0
            }

            /// The row number as a position in a list.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id `rows` further, at most the largest.
            #[must_use]
            pub const fn plus(self, rows: u32) -> Self {
                Self(self.0.saturating_add(rows))
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
