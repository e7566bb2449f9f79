//! The six Parquet tables. Each is declared by one `table!` with its columns. From that list the macro derives the row
//! struct, the Arrow schema, both conversions of batches and the canonical digest; a test compares the list with
//! SPEC.md.
//!
//! Files are untrusted: a missing column, a wrong type, an unexpected null or an unknown word is
//! [`Error::Damaged`](crate::Error::Damaged), never a panic.

mod background;
mod column;
mod footer;
mod io;
mod pages;
mod point;
mod positioned;
mod rows;
mod thrift;

pub use background::BackgroundTableWriter;
pub use column::Column;
pub use io::{TableReader, TableWriter};
pub use point::PointReader;
pub use rows::{BorrowedEdgeRow, ChunkRow, EdgeRow, ExternalRow, FileRow, SkippedRow, SymbolRow};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::Result;
use crate::digest::RowHasher;

/// Largest file that can be indexed, in bytes: its text must fit into one page, whose size readers limit.
pub const MAX_FILE_BYTES: u64 = 128 << 20;

/// One column of a table, as listed in SPEC.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// The column's name.
    pub name: &'static str,
    /// Its Arrow type as written in SPEC.md.
    pub type_name: &'static str,
    /// Whether it may be null.
    pub nullable: bool,
    /// Its meaning.
    pub doc: &'static str,
}

/// A row of one of the tables.
pub trait Row: Sized + Send {
    /// The table's name, which is the stem of its file name.
    const TABLE: &'static str;
    /// The columns in order.
    const COLUMNS: &'static [ColumnSpec];

    /// The Arrow schema.
    fn schema() -> SchemaRef;
    /// Converts rows into one batch.
    fn to_batch(rows: &[Self]) -> Result<RecordBatch>;
    /// Converts a batch into rows; the error names the wrong column.
    fn from_batch(batch: &RecordBatch) -> Result<Vec<Self>, String>;
    /// Appends the row's canonical bytes.
    fn digest(&self, hasher: &mut RowHasher);
    /// An estimate of the row's size in memory, in bytes.
    fn weight(&self) -> usize;
}
