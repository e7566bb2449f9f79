//! Writes the LanceDB table `vectors`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arrow_array::builder::{FixedSizeBinaryBuilder, FixedSizeListBuilder, Float16Builder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, UInt8Array, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use lancedb::DistanceType;
use lancedb::index::Index;
use lancedb::index::vector::IvfSqIndexBuilder;
use lancedb::table::OptimizeAction;
use sextant_format::generation::part;

use crate::spool::{Spool, SpoolReader, SpoolRow, VectorPlan};
use crate::{Error, Result};

/// Number of rows in a batch.
const BATCH_ROWS: usize = 4096;

fn schema(dims: usize) -> Result<SchemaRef> {
    let item = Arc::new(Field::new("item", DataType::Float16, false));
    Ok(Arc::new(Schema::new(vec![
        Field::new("chunk_id", DataType::UInt32, false),
        Field::new("vector", DataType::FixedSizeList(item, i32::try_from(dims).unwrap_or(i32::MAX)), false),
        Field::new("level", DataType::UInt8, false),
        Field::new("content_hash", DataType::FixedSizeBinary(32), false),
    ])))
}

/// Writes the rows of a spool to the table in the folder of a generation, and removes the spool.
///
/// # Errors
/// A file cannot be read or written, the path of the folder is not UTF-8, or LanceDB fails.
pub fn write_table(root: &Path, spool: Spool) -> Result<()> {
    let (plan, rows, file) = spool.into_reader()?;
    write(root, plan, rows)?;
    Ok(fs_err::remove_file(file)?)
}

/// Writes the table in one transaction, and removes files that are no longer needed. A large table also gets an
/// approximate index by cosine: inverted lists of scalar quantised vectors. Of the measured kinds, it has the shortest
/// build and the highest recall (docs/benchmarks.md).
fn write(root: &Path, plan: VectorPlan, spool: SpoolReader) -> Result<()> {
    let VectorPlan { dims, ann_threshold } = plan;
    let is_large = spool.remaining() >= ann_threshold;
    let schema = schema(dims)?;
    let batches = Batches { spool, schema: Arc::clone(&schema), dims };
    let reader: Box<dyn RecordBatchReader + Send> = Box::new(RecordBatchIterator::new(batches, schema));
    let uri = root.to_str().ok_or_else(|| Error::NotUtf8 { path: root.to_owned() })?.to_owned();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async move {
        let database = lancedb::connect(&uri).execute().await?;
        let table = database.create_table(part::LANCE_TABLE, reader).execute().await?;
        if is_large {
            let index = IvfSqIndexBuilder::default().distance_type(DistanceType::Cosine);
            table.create_index(&["vector"], Index::IvfSq(index)).execute().await?;
        }
        table
            .optimize(OptimizeAction::Prune {
                older_than: lancedb::table::Duration::from_std(Duration::ZERO).ok(),
                delete_unverified: Some(true),
                error_if_tagged_old_versions: None,
            })
            .await?;
        Ok(())
    })
}

struct Batches {
    spool: SpoolReader,
    schema: SchemaRef,
    dims: usize,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows: Result<Vec<SpoolRow>, _> = self.spool.by_ref().take(BATCH_ROWS).collect();
        match rows {
            Err(error) => Some(Err(ArrowError::from_external_error(Box::new(error)))),
            Ok(rows) if rows.is_empty() => None,
            Ok(rows) => Some(self.batch(&rows)),
        }
    }
}

impl Batches {
    fn batch(&self, rows: &[SpoolRow]) -> Result<RecordBatch, ArrowError> {
        let dims = i32::try_from(self.dims).unwrap_or(i32::MAX);
        let item = Field::new("item", DataType::Float16, false);
        let mut vectors = FixedSizeListBuilder::new(Float16Builder::new(), dims).with_field(item);
        let mut hashes = FixedSizeBinaryBuilder::new(32);
        for row in rows {
            vectors.values().append_slice(&row.vector);
            vectors.append(true);
            hashes.append_value(row.content_hash)?;
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from_iter_values(rows.iter().map(|row| row.chunk_id.get()))),
            Arc::new(vectors.finish()),
            Arc::new(UInt8Array::from_iter_values(rows.iter().map(|row| row.level))),
            Arc::new(hashes.finish()),
        ];
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}
