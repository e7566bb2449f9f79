//! `sextant-index verify`: runs all checks of `sextant verify`, and compares the rows of the LanceDB table with
//! `vectors.i8`.

use sextant_diagnostics::catch;
use sextant_format::generation::{Generation, part};
use sextant_format::ids::ChunkId;
use sextant_format::segments::Vectors;
use sextant_format::vectors::quantize;
use sextant_verify::VerifyReport;

use crate::Result;
use crate::rows::{each_row, open_table};

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
    let table = open_table(generation).await?;
    let rows = table.count_rows(None).await?;
    if rows != matrix.rows() {
        report.problems.push(format!("vectors.lance: has {rows} rows, vectors.i8 has {}", matrix.rows()));
        return Ok(());
    }
    // The table knows chunks by their addresses.
    let maps = generation.row_maps()?;
    let mut seen = 0;
    let mut wrong = 0;
    each_row(&table, |row| {
        let values: Vec<f32> = row.vector.iter().map(|x| x.to_f32()).collect();
        let quantized = quantize(&values);
        let chunk = match &maps {
            Some(maps) => maps.chunks.id(row.chunk),
            None => Some(ChunkId::new(row.chunk)),
        };
        let same = chunk.and_then(|chunk| matrix.row_of(chunk)).is_some_and(|at| {
            matrix.level(at) == row.level
                && matrix.scale(at).to_bits() == quantized.scale.to_bits()
                && matrix.row(at)[..matrix.dims()] == quantized.values[..]
        });
        wrong += usize::from(!same);
        seen += 1;
        Ok(())
    })
    .await?;
    if wrong > 0 || seen != rows {
        report.problems.push(format!("vectors.lance: {wrong} of {seen} rows differ from vectors.i8"));
    }
    report.rows += seen as u64;
    Ok(())
}
