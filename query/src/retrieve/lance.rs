//! Vector search by the LanceDB table itself, on this machine or in an object store, instead of the
//! memory-mapped matrix: for whoever keeps the table elsewhere, or wants its approximate index.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt8Type, UInt32Type};
use futures::TryStreamExt;
use lancedb::DistanceType;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use sextant_formats::generation::part;
use tokio::runtime::Runtime;

use super::{Allowed, Scored, best_first, level_weight};
use crate::{Error, Result};

/// More chunks are not named in a filter; more neighbours are asked for instead.
const MOST_NAMED: usize = 20_000;
/// How many times more, where the filter cannot be told.
const WIDER: usize = 10;

/// An opened table.
pub(crate) struct LanceVectors {
    runtime: Runtime,
    table: lancedb::Table,
}

fn wrong(error: impl std::fmt::Display) -> Error {
    Error::Lance(error.to_string())
}

impl LanceVectors {
    /// Opens the table `vectors` of a database: a generation's folder, or its address.
    pub(crate) fn open(uri: &str) -> Result<Arc<Self>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(wrong)?;
        let table = runtime
            .block_on(async { lancedb::connect(uri).execute().await?.open_table(part::LANCE_TABLE).execute().await });
        Ok(Arc::new(Self { table: table.map_err(wrong)?, runtime }))
    }

    /// The chunks whose vectors are nearest to a query's, best first, as the scan of the matrix gives them.
    pub(crate) fn nearest(&self, query: &[f32], allowed: &Allowed, limit: usize) -> Result<Vec<Scored>> {
        if limit == 0 || query.iter().all(|&x| x == 0.0) {
            return Ok(Vec::new());
        }
        let mut search = self.table.query().nearest_to(query).map_err(wrong)?;
        search = search.distance_type(DistanceType::Cosine).refine_factor(4);
        let mut wanted = limit * 2;
        match allowed.chunks() {
            Some(chunks) if chunks.len() <= MOST_NAMED => {
                let ids: Vec<String> = chunks.iter().map(u32::to_string).collect();
                search = search
                    .only_if(format!("chunk_id IN ({})", if ids.is_empty() { "-1".to_owned() } else { ids.join(",") }));
            }
            Some(_) => wanted *= WIDER,
            None => {}
        }
        let search = search.limit(wanted).select(Select::columns(&["chunk_id", "level", "_distance"]));
        let batches: Vec<_> = self
            .runtime
            .block_on(async { search.execute().await?.try_collect().await })
            .map_err(|error: lancedb::Error| wrong(error))?;
        let mut best = Vec::new();
        for batch in &batches {
            let column =
                |name: &str| batch.column_by_name(name).ok_or_else(|| wrong(format!("it has no column {name}")));
            let other = |name: &str| wrong(format!("the column {name} has another type"));
            let chunks = column("chunk_id")?.as_primitive_opt::<UInt32Type>().ok_or_else(|| other("chunk_id"))?;
            let levels = column("level")?.as_primitive_opt::<UInt8Type>().ok_or_else(|| other("level"))?;
            let distances = column("_distance")?.as_primitive_opt::<Float32Type>().ok_or_else(|| other("_distance"))?;
            for row in 0..batch.num_rows() {
                let chunk_id = chunks.value(row);
                if allowed.allows(chunk_id) {
                    let score = (1.0 - distances.value(row)) * level_weight(levels.value(row));
                    best.push(Scored { chunk_id, score });
                }
            }
        }
        best_first(&mut best, limit);
        Ok(best)
    }
}
