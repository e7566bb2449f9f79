//! `sextant-index verify`: runs all checks of `sextant verify`, and compares the rows of the LanceDB table with
//! `vectors.i8`.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, UInt8Type, UInt32Type};
use futures::TryStreamExt;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use sextant_diagnostics::catch;
use sextant_format::generation::{Generation, part};
use sextant_format::ids::ChunkId;
use sextant_format::segments::Vectors;
use sextant_format::vectors::quantize;
use sextant_verify::VerifyReport;

use crate::{Error, Result};

/// Verifies a generation.
///
/// # Errors
/// `vectors.i8` cannot be opened, or the runtime cannot start. Other damage is a problem in the report, not an error.
pub fn verify(generation: &Generation) -> Result<VerifyReport> {
    let mut report = sextant_verify::verify(generation);
    // An index pulled with the profile `query` has no table, and its manifest lists none.
    let has_table = generation.manifest().files.iter().any(|entry| entry.path.starts_with(part::LANCE));
    if report.problems.is_empty()
        && has_table
        && let Some(matrix) = generation.vectors()?
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        // LanceDB may panic on a damaged file whose digest is correct. Report that like any other damage.
        let compared = catch(|| runtime.block_on(compare(generation, &matrix, &mut report)));
        match compared {
            Ok(Ok(())) => {}
            Ok(Err(error)) => report.problems.push(format!("vectors.lance: cannot be read: {error}")),
            Err(panic) => {
                report.problems.push(format!("vectors.lance: the reader stopped: {panic}"));
            }
        }
    }
    Ok(report)
}

async fn compare(generation: &Generation, matrix: &Vectors, report: &mut VerifyReport) -> Result<()> {
    let uri = generation.root().to_str().ok_or_else(|| Error::NotUtf8 { path: generation.root().to_owned() })?;
    let table = lancedb::connect(uri).execute().await?.open_table(part::LANCE_TABLE).execute().await?;
    let rows = table.count_rows(None).await?;
    if rows != matrix.rows() {
        report.problems.push(format!("vectors.lance: has {rows} rows, vectors.i8 has {}", matrix.rows()));
        return Ok(());
    }
    let mut batches = table.query().select(Select::columns(&["chunk_id", "level", "vector"])).execute().await?;
    // The table knows chunks by their addresses.
    let maps = generation.row_maps()?;
    let mut seen = 0;
    let mut wrong = 0;
    while let Some(batch) = batches.try_next().await? {
        let column =
            |name: &str| batch.column_by_name(name).ok_or_else(|| Error::Table(format!("it has no column {name}")));
        let chunks = column("chunk_id")?
            .as_primitive_opt::<UInt32Type>()
            .ok_or_else(|| Error::Table("chunk_id is not uint32".to_owned()))?;
        let levels = column("level")?
            .as_primitive_opt::<UInt8Type>()
            .ok_or_else(|| Error::Table("level is not uint8".to_owned()))?;
        let vectors = column("vector")?
            .as_fixed_size_list_opt()
            .ok_or_else(|| Error::Table("vector is not a list".to_owned()))?;
        for row in 0..batch.num_rows() {
            let vector = vectors.value(row);
            let vector = vector
                .as_primitive_opt::<Float16Type>()
                .ok_or_else(|| Error::Table("vector is not float16".to_owned()))?;
            let values: Vec<f32> = vector.values().iter().map(|x| x.to_f32()).collect();
            let quantized = quantize(&values);
            let chunk = match &maps {
                Some(maps) => maps.chunks.id(chunks.value(row)),
                None => Some(ChunkId::new(chunks.value(row))),
            };
            let same = chunk.and_then(|chunk| matrix.row_of(chunk)).is_some_and(|at| {
                matrix.level(at) == levels.value(row)
                    && matrix.scale(at).to_bits() == quantized.scale.to_bits()
                    && matrix.row(at)[..matrix.dims()] == quantized.values[..]
            });
            wrong += usize::from(!same);
            seen += 1;
        }
    }
    if wrong > 0 || seen != rows {
        report.problems.push(format!("vectors.lance: {wrong} of {seen} rows differ from vectors.i8"));
    }
    report.rows += seen as u64;
    Ok(())
}
