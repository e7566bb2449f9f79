//! What a row of any table provides: its columns, and conversions into batches and canonical bytes. This module must not
//! know which tables there are.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::Result;
use crate::digest::RowHasher;
use crate::ids::{FirstIds, RowId};
use crate::segments::RowMaps;

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
    /// What identifies a row; plain numbers where rows have no id.
    type Id: RowId;
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
    /// Appends the row's canonical bytes, in which ids count from those with which its file begins.
    fn digest(&self, first: FirstIds, hasher: &mut RowHasher);
    /// Turns the stored addresses of rows into ids. Returns `None` if an address has no live row.
    fn to_ids(&mut self, maps: &RowMaps) -> Option<()>;
    /// An estimate of the row's size in memory, in bytes.
    fn weight(&self) -> usize;
}
