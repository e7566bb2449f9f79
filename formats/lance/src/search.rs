//! Vector search in the LanceDB table, on this machine or in an object store, instead of the memory-mapped matrix. It
//! is useful if the table is stored elsewhere, or for its approximate index.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt8Type, UInt32Type};
use futures::TryStreamExt;
use lancedb::DistanceType;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use sextant_format::generation::part;
use sextant_format::ids::ChunkId;
use tokio::runtime::Runtime;

use crate::{Error, Result};

/// The most chunk ids in a filter. With more, [`OVERFETCH`] times as many neighbours are requested instead.
const MAX_FILTER_IDS: usize = 20_000;
/// Factor of additional neighbours if the filter is too long for LanceDB.
const OVERFETCH: usize = 10;

/// An opened table.
pub struct LanceVectors {
    runtime: Runtime,
    table: lancedb::Table,
}

/// A chunk whose vector is near to a query's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// The chunk's level, 1 or 2.
    pub level: u8,
    /// The cosine distance, from 0 (same direction) to 2.
    pub distance: f32,
}

impl LanceVectors {
    /// Opens the table `vectors` of a database. `uri` is the folder of a generation, or its address in an object store.
    ///
    /// # Errors
    /// The table cannot be opened.
    pub fn open(uri: &str) -> Result<Arc<Self>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let table = runtime
            .block_on(async { lancedb::connect(uri).execute().await?.open_table(part::LANCE_TABLE).execute().await })?;
        Ok(Arc::new(Self { runtime, table }))
    }

    /// Returns at most `2 * limit` chunks whose vectors are nearest to the vector of a query, nearest first. With at
    /// most 20 000 `chunks`, returns only those. With more, returns neighbours among all chunks, ten times as many, and
    /// the caller must filter them. A zero vector has no neighbours.
    ///
    /// # Errors
    /// LanceDB fails, or the table has another schema.
    pub fn nearest(&self, query: &[f32], chunks: Option<&[ChunkId]>, limit: usize) -> Result<Vec<Neighbour>> {
        if limit == 0 || query.iter().all(|&x| x == 0.0) {
            return Ok(Vec::new());
        }
        let mut search = self.table.query().nearest_to(query)?;
        search = search.distance_type(DistanceType::Cosine).refine_factor(4);
        let mut wanted = limit * 2;
        match chunks {
            Some(chunks) if chunks.len() <= MAX_FILTER_IDS => {
                let ids: Vec<String> = chunks.iter().map(ChunkId::to_string).collect();
                search = search
                    .only_if(format!("chunk_id IN ({})", if ids.is_empty() { "-1".to_owned() } else { ids.join(",") }));
            }
            Some(_) => wanted *= OVERFETCH,
            None => {}
        }
        let search = search.limit(wanted).select(Select::columns(&["chunk_id", "level", "_distance"]));
        let batches: Vec<_> = self.runtime.block_on(async { search.execute().await?.try_collect().await })?;
        let mut neighbours = Vec::new();
        for batch in &batches {
            let column =
                |name: &str| batch.column_by_name(name).ok_or_else(|| Error::Table(format!("it has no column {name}")));
            let other = |name: &str| Error::Table(format!("the column {name} has another type"));
            let chunks = column("chunk_id")?.as_primitive_opt::<UInt32Type>().ok_or_else(|| other("chunk_id"))?;
            let levels = column("level")?.as_primitive_opt::<UInt8Type>().ok_or_else(|| other("level"))?;
            let distances = column("_distance")?.as_primitive_opt::<Float32Type>().ok_or_else(|| other("_distance"))?;
            neighbours.extend((0..batch.num_rows()).map(|row| Neighbour {
                chunk_id: ChunkId::new(chunks.value(row)),
                level: levels.value(row),
                distance: distances.value(row),
            }));
        }
        Ok(neighbours)
    }
}

impl std::fmt::Debug for LanceVectors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LanceVectors").finish_non_exhaustive()
    }
}
