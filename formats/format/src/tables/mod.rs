//! The six Parquet tables. Each is one `table!` with its columns; the macro makes the row struct,
//! the Arrow schema, the batches both ways and the canonical digest from that one list, and the
//! list is what SPEC.md is held to.
//!
//! Reading trusts nothing: a missing column, a wrong type, a null where none may be or an unknown
//! word is [`Error::Damaged`](crate::Error::Damaged), never a panic.

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

/// Bytes of the largest file that may be indexed: the text of one must fit into a page, which readers hold to a limit.
pub const MAX_FILE_BYTES: u64 = 128 << 20;

/// One column of a table, as SPEC.md lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// The column's name.
    pub name: &'static str,
    /// Its Arrow type, in words.
    pub type_name: &'static str,
    /// Whether it may be null.
    pub nullable: bool,
    /// What it means.
    pub doc: &'static str,
}

/// A row of one of the tables.
pub trait Row: Sized + Send {
    /// The table's name, the file's stem.
    const TABLE: &'static str;
    /// The columns in order.
    const COLUMNS: &'static [ColumnSpec];

    /// The Arrow schema.
    fn schema() -> SchemaRef;
    /// Rows into one batch.
    fn to_batch(rows: &[Self]) -> Result<RecordBatch>;
    /// A batch into rows; the error says which column is wrong.
    fn from_batch(batch: &RecordBatch) -> Result<Vec<Self>, String>;
    /// Appends the row's canonical bytes.
    fn digest(&self, hasher: &mut RowHasher);
    /// An estimate of the row's size in memory, in bytes.
    fn weight(&self) -> usize;
}
