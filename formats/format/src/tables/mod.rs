//! The nine Parquet tables. Each is declared by one `table!` with its columns. From that list the macro derives the row
//! struct, the Arrow schema, both conversions of batches and the canonical digest; a test compares the list with
//! SPEC.md.
//!
//! Files are untrusted: a missing column, a wrong type, an unexpected null or an unknown word is
//! [`Error::Damaged`](crate::Error::Damaged), never a panic.

mod background;
mod by_file;
mod column;
mod footer;
mod io;
mod kept_pages;
mod limit;
mod located_pages;
mod page_checks;
mod pages;
mod point;
mod positioned;
mod row;
mod rows;
mod thrift;

pub use background::BackgroundTableWriter;
pub use by_file::RowsByFile;
pub use column::Column;
pub use io::{TableReader, TableWriter};
pub use limit::MAX_FILE_BYTES;
pub use point::PointReader;
pub use row::{ColumnSpec, Row};
pub use rows::{
    BorrowedEdgeRow, ChunkRow, DirectoryRow, EdgeRow, ExternalRow, FileRow, FileVectorRow, HistoryRow, SkippedRow,
    SymbolRow, enrichment_text,
};
