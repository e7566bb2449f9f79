//! Writes the LanceDB table `vectors`.

use std::ops::Range;
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
use sextant_format::generation::{Generation, part};
use sextant_format::manifest::FileEntry;
use sextant_format::publish::link_or_copy_file;

use crate::spool::{Spool, SpoolReader, SpoolRow, VectorPlan};
use crate::{Error, Result};

/// Number of rows in a batch.
const BATCH_ROWS: usize = 4096;
/// Ranges of addresses in one condition.
const MAX_CONDITIONS: usize = 500;

fn schema(dims: usize) -> Result<SchemaRef> {
    let item = Arc::new(Field::new("item", DataType::Float16, false));
    Ok(Arc::new(Schema::new(vec![
        Field::new("chunk_id", DataType::UInt32, false),
        Field::new("vector", DataType::FixedSizeList(item, i32::try_from(dims).unwrap_or(i32::MAX)), false),
        Field::new("level", DataType::UInt8, false),
        Field::new("content_hash", DataType::FixedSizeBinary(32), false),
    ])))
}

/// Writes the rows of a spool to the table in the folder of a generation, and removes the spool. The table is created, or
/// is that of an earlier generation, from which the rows of the chunks with the addresses `removed` are deleted.
///
/// # Errors
/// A file cannot be read or written, the path of the folder is not UTF-8, or LanceDB fails.
pub fn write_table(root: &Path, spool: Spool, removed: &[Range<u32>]) -> Result<()> {
    let (plan, rows, file) = spool.into_reader()?;
    write(root, plan, rows, removed)?;
    Ok(fs_err::remove_file(file)?)
}

/// Whether rows can be appended to the table of a generation: it has one, without an approximate index, which would not
/// know them.
#[must_use]
pub fn can_append(generation: &Generation) -> bool {
    let table = generation.path(part::LANCE);
    table.is_dir() && !table.join("_indices").exists()
}

/// Links the table of an earlier generation into a new one. Its files are never written to.
///
/// # Errors
/// A file cannot be linked or copied.
pub fn link_table(generation: &Generation, root: &Path) -> Result<()> {
    let is_of_table = |entry: &&FileEntry| entry.path.split('/').next() == Some(part::LANCE);
    for entry in generation.manifest().files.iter().filter(is_of_table) {
        root.join(&entry.path).parent().map_or(Ok(()), fs_err::create_dir_all)?;
        link_or_copy_file(generation.root(), root, &entry.path)?;
    }
    Ok(())
}

/// The condition that finds chunks with some addresses.
fn condition(addresses: &[Range<u32>]) -> String {
    let range = |range: &Range<u32>| format!("(chunk_id >= {} AND chunk_id < {})", range.start, range.end);
    addresses.iter().map(range).collect::<Vec<_>>().join(" OR ")
}

/// Writes the table, and removes files that are no longer needed. A large table also gets an approximate index by
/// cosine: inverted lists of scalar quantised vectors. Of the measured kinds, it has the shortest build and the highest
/// recall (docs/benchmarks.md).
fn write(root: &Path, plan: VectorPlan, spool: SpoolReader, removed: &[Range<u32>]) -> Result<()> {
    let VectorPlan { dims, ann_threshold } = plan;
    let (has_table, added) = (root.join(part::LANCE).exists(), spool.remaining());
    let schema = schema(dims)?;
    let batches = Batches { spool, schema: Arc::clone(&schema), dims };
    let reader: Box<dyn RecordBatchReader + Send> = Box::new(RecordBatchIterator::new(batches, schema));
    let uri = root.to_str().ok_or_else(|| Error::NotUtf8 { path: root.to_owned() })?.to_owned();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async move {
        let database = lancedb::connect(&uri).execute().await?;
        let table = if has_table {
            let table = database.open_table(part::LANCE_TABLE).execute().await?;
            for removed in removed.chunks(MAX_CONDITIONS) {
                table.delete(condition(removed).as_str()).await?;
            }
            if added > 0 {
                table.add(reader).execute().await?;
            }
            table
        } else {
            database.create_table(part::LANCE_TABLE, reader).execute().await?
        };
        if table.count_rows(None).await? as u64 >= ann_threshold {
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
