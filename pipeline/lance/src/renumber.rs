//! The LanceDB table of an index of several segments, as an index of one segment has it.
//!
//! The table knows chunks by their addresses in segments. A pack has no segments: who unpacks it gets one, with the chunks
//! in order.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, UInt8Type, UInt32Type};
use futures::TryStreamExt;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use sextant_format::digest::Digest;
use sextant_format::generation::{Generation, part};
use sextant_format::segments::RowMaps;

use crate::spool::{Spool, VectorPlan};
use crate::{Error, Result, write_table};

/// Writes the table of a generation into the folder `root`, where chunks have their numbers instead of their addresses.
/// Returns whether it did: not if there is no table, or addresses are numbers.
///
/// # Errors
/// The table or `root` cannot be read or written, or the table contains what the generation does not.
pub fn renumber_table(generation: &Generation, root: &Path) -> Result<bool> {
    let has_table = generation.path(part::LANCE).is_dir();
    let Some(maps) = generation.row_maps()?.filter(|_| has_table) else { return Ok(false) };
    let Some(matrix) = generation.vectors()? else { return Ok(false) };
    let has_index = generation.path(part::LANCE).join("_indices").exists();
    let plan = VectorPlan { dims: matrix.dims(), ann_threshold: if has_index { 1 } else { u64::MAX } };
    let mut spool = Spool::create(root, plan)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(copy_rows(generation, &maps, &mut spool))?;
    write_table(root, spool, &[])?;
    Ok(true)
}

async fn copy_rows(generation: &Generation, maps: &RowMaps, spool: &mut Spool) -> Result<()> {
    let uri = generation.root().to_str().ok_or_else(|| Error::NotUtf8 { path: generation.root().to_owned() })?;
    let table = lancedb::connect(uri).execute().await?.open_table(part::LANCE_TABLE).execute().await?;
    let columns = Select::columns(&["chunk_id", "level", "content_hash", "vector"]);
    let mut batches = table.query().select(columns).execute().await?;
    while let Some(batch) = batches.try_next().await? {
        let unusual = |name: &str| Error::Table(format!("its column {name} is missing or of another type"));
        let column = |name: &str| batch.column_by_name(name).ok_or_else(|| unusual(name));
        let chunks = column("chunk_id")?.as_primitive_opt::<UInt32Type>().ok_or_else(|| unusual("chunk_id"))?;
        let levels = column("level")?.as_primitive_opt::<UInt8Type>().ok_or_else(|| unusual("level"))?;
        let hashes = column("content_hash")?.as_fixed_size_binary_opt().ok_or_else(|| unusual("content_hash"))?;
        let vectors = column("vector")?.as_fixed_size_list_opt().ok_or_else(|| unusual("vector"))?;
        for row in 0..batch.num_rows() {
            let chunk = maps.chunks.id(chunks.value(row));
            let chunk = chunk.ok_or_else(|| Error::Table("it has a chunk that the index has not".to_owned()))?;
            let hash: [u8; 32] = hashes.value(row).try_into().map_err(|_| unusual("content_hash"))?;
            let vector = vectors.value(row);
            let vector = vector.as_primitive_opt::<Float16Type>().ok_or_else(|| unusual("vector"))?;
            spool.push(chunk, levels.value(row), &Digest(hash), vector.values())?;
        }
    }
    Ok(())
}
