//! The LanceDB table of an index of several segments, as an index of one segment has it.
//!
//! The table knows chunks by their addresses in segments. A pack has no segments: who unpacks it gets one, with the chunks
//! in order.

use std::path::Path;

use sextant_format::generation::{Generation, part};

use crate::rows::{each_row, open_table};
use crate::spool::{Spool, VectorPlan};
use crate::{Error, Result, write_table};

/// Writes the table of a generation into the folder `root`, where chunks have their numbers instead of their addresses.
/// Returns false, and writes nothing, if the generation has no table, or has one segment, whose addresses are the numbers.
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
    runtime.block_on(async {
        let table = open_table(generation).await?;
        each_row(&table, |row| {
            let chunk = maps.chunks.id(row.chunk);
            let chunk = chunk.ok_or_else(|| Error::Table("it has a chunk that the index has not".to_owned()))?;
            spool.push(chunk, row.level, &row.content_hash, row.vector)
        })
        .await
    })?;
    write_table(root, spool, &[])?;
    Ok(true)
}
