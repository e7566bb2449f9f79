//! The segments of a generation: rows of symbols and chunks are stored where the build that first had them put them, and
//! are never moved while others come and go.
//!
//! Readers see **ids**, which count live rows in order; what is stored are **addresses** (see [`RowMap`]). This module
//! is the only one that knows both.

mod open;
mod row_map;
mod row_maps_file;
mod rows;
mod stored;
mod vectors;

pub use row_map::RowMap;
pub use rows::{Block, Rows};
pub use stored::{RowMaps, StoredFile};
pub use vectors::{ScatteredRows, VectorRows, Vectors};
