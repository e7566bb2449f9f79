//! Reads the rows of the LanceDB table of a generation.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, UInt8Type, UInt32Type};
use futures::TryStreamExt;
use half::f16;
use lancedb::Table;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use sextant_format::digest::Digest;
use sextant_format::generation::{Generation, part};

use crate::{Error, Result};

/// A row.
pub(crate) struct TableRow<'a> {
    /// The address of the chunk.
    pub(crate) chunk: u32,
    pub(crate) level: u8,
    pub(crate) content_hash: Digest,
    pub(crate) vector: &'a [f16],
}

/// Opens the table of a generation.
pub(crate) async fn open_table(generation: &Generation) -> Result<Table> {
    let uri = generation.root().to_str().ok_or_else(|| Error::NotUtf8 { path: generation.root().to_owned() })?;
    Ok(lancedb::connect(uri).execute().await?.open_table(part::LANCE_TABLE).execute().await?)
}

/// Visits the rows of a table in its order.
pub(crate) async fn each_row(table: &Table, mut visit: impl FnMut(TableRow<'_>) -> Result<()>) -> Result<()> {
    let columns = Select::columns(&["chunk_id", "level", "content_hash", "vector"]);
    let mut batches = table.query().select(columns).execute().await?;
    while let Some(batch) = batches.try_next().await? {
        visit_batch(&batch, &mut visit)?;
    }
    Ok(())
}

fn visit_batch(batch: &RecordBatch, visit: &mut impl FnMut(TableRow<'_>) -> Result<()>) -> Result<()> {
    let wrong = |name: &str| Error::Table(format!("its column {name} is missing or of another type"));
    let column = |name: &str| batch.column_by_name(name).ok_or_else(|| wrong(name));
    let chunks = column("chunk_id")?.as_primitive_opt::<UInt32Type>().ok_or_else(|| wrong("chunk_id"))?;
    let levels = column("level")?.as_primitive_opt::<UInt8Type>().ok_or_else(|| wrong("level"))?;
    let hashes = column("content_hash")?.as_fixed_size_binary_opt().ok_or_else(|| wrong("content_hash"))?;
    let vectors = column("vector")?.as_fixed_size_list_opt().ok_or_else(|| wrong("vector"))?;
    for row in 0..batch.num_rows() {
        let hash: [u8; 32] = hashes.value(row).try_into().map_err(|_| wrong("content_hash"))?;
        let vector = vectors.value(row);
        let vector = vector.as_primitive_opt::<Float16Type>().ok_or_else(|| wrong("vector"))?;
        let (chunk, level) = (chunks.value(row), levels.value(row));
        visit(TableRow { chunk, level, content_hash: Digest(hash), vector: vector.values() })?;
    }
    Ok(())
}
