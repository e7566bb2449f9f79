//! Compares what follows from rows with the rows: graph, vectors of files, text indexes, model.

use std::path::Path;

use sextant_encoder::EncoderDir;
use sextant_format::file_uses::FileUses;
use sextant_format::generation::{Generation, part};
use sextant_format::graph::Graph;
use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::segments::Vectors;
use sextant_format::tables::{ChunkRow, Row as _, SymbolRow};
use sextant_format::vectors::{FileVectorSum, QuantizedVector};
use sextant_text::index::{self as text, DocumentId, RowDocMap, StoredRowMap, StoredRowMaps};
use tantivy::Searcher;
use tantivy::columnar::Column;

use crate::report::VerifyReport;
use crate::rows::ChunkFact;

/// Compares the derived parts of a generation with its rows.
pub(crate) fn check_derived(generation: &Generation, facts: &[ChunkFact], report: &mut VerifyReport) {
    let manifest = generation.manifest();
    let (chunks, symbols) = (manifest.rows(ChunkRow::TABLE), manifest.rows(SymbolRow::TABLE));
    if let Err(error) = check_rows(generation, report) {
        report.problem(error.to_string());
    }
    match generation.graph() {
        Ok(graph) if graph.nodes() as u64 != symbols => {
            report.problem(format!("graph.arrow: it has {} nodes for {symbols} symbols", graph.nodes()))
        }
        Ok(graph) => {
            if let Some(what) = graph.problem() {
                report.problem(format!("graph.arrow: {what}"));
            }
            let nodes = SymbolId::range(SymbolId::default()..SymbolId::at(graph.nodes()));
            let (out, incoming) = nodes.fold((0, 0), |(out, incoming), node| {
                (out + graph.out_edges(node).count(), incoming + graph.in_edges(node).count())
            });
            if out != graph.edges() || incoming != graph.edges() {
                report.problem("graph.arrow: its two directions have different edges".to_owned());
            }
            if let Err(error) = check_file_uses(generation, &graph, report) {
                report.problem(error.to_string());
            }
        }
        Err(error) => report.problem(error.to_string()),
    }
    match generation.vectors() {
        Ok(None) => {}
        Ok(Some(matrix)) => {
            let mut last = None;
            for row in 0..matrix.rows() {
                let chunk = matrix.chunk_id(row);
                if u64::from(chunk) >= chunks || last.is_some_and(|last| last >= chunk) {
                    report.problem(format!("vectors.i8: row {row} names chunk {chunk}"));
                    break;
                }
                last = Some(chunk);
                if !matrix.row(row).iter().zip(bits(matrix.row_bits(row))).all(|(&value, bit)| bit == (value > 0)) {
                    report.problem(format!("vectors.i8: the sign bits of row {row} are not those of its values"));
                    break;
                }
                if facts.get(chunk.index()).is_some_and(|fact| fact.level != matrix.level(row)) {
                    report.problem(format!("vectors.i8: the level of row {row} is not that of its chunk"));
                    break;
                }
            }
            if manifest.rows("vectors") == matrix.rows() as u64 {
                check_file_vectors(generation, &matrix, facts, report);
            } else {
                report.problem("vectors.i8: the number of its rows is not that of the manifest".to_owned());
            }
        }
        Err(error) => report.problem(error.to_string()),
    }
    if let Err(error) = check_text(generation, chunks, symbols, report) {
        report.problem(error.to_string());
    }
    if let Some(model) = manifest.model.as_ref().filter(|model| !model.by_reference) {
        match EncoderDir::open(&generation.path(part::MODEL)).and_then(|dir| dir.info()) {
            Ok(found) if found != *model => {
                report.problem("model: it is not the model that the manifest names".to_owned());
            }
            Ok(_) => {}
            Err(error) => report.problem(error.to_string()),
        }
    }
}

/// Checks that rows are where the directory says.
fn check_rows(generation: &Generation, report: &mut VerifyReport) -> sextant_format::Result<()> {
    if let Some(maps) = generation.row_maps()?
        && *maps != generation.row_maps_of_directory()?
    {
        report.problem("rows.arrow: its rows are not those of the directory".to_owned());
    }
    Ok(())
}

/// Checks that the uses of files are those of the graph.
fn check_file_uses(generation: &Generation, graph: &Graph, report: &mut VerifyReport) -> sextant_format::Result<()> {
    let stored = generation.file_uses(graph)?;
    let symbols = generation.directory()?.iter().map(|file| file.symbols).collect();
    if FileUses::count(graph, symbols) != Some(stored) {
        report.problem("file_uses.arrow: its numbers are not those of the graph".to_owned());
    }
    Ok(())
}

/// Checks that the vectors of files are those of their chunks.
fn check_file_vectors(generation: &Generation, matrix: &Vectors, facts: &[ChunkFact], report: &mut VerifyReport) {
    let rows = match generation.file_vectors() {
        Ok(rows) => rows.unwrap_or_default(),
        Err(error) => return report.problem(error.to_string()),
    };
    let mut next = 0;
    for row in rows {
        let mut sum = FileVectorSum::default();
        while next < matrix.rows() {
            let Some(&ChunkFact { file, bytes, .. }) = facts.get(matrix.chunk_id(next).index()) else { break };
            if file > row.file_id {
                break;
            }
            if file == row.file_id && matrix.level(next) == 1 {
                let values = matrix.row(next)[..matrix.dims()].to_vec();
                sum.add(&QuantizedVector { scale: matrix.scale(next), values }, bytes);
            }
            next += 1;
        }
        let expected = sum.take();
        let fits = match &expected {
            Some((vector, weight)) => {
                !row.from_names && (&row.values, row.scale, row.weight) == (&vector.values, vector.scale, *weight)
            }
            None => row.from_names,
        };
        if !fits {
            return report.problem(format!(
                "file_vectors.parquet: the vector of file {} is not that of its chunks",
                row.file_id
            ));
        }
    }
}

/// Checks that every row has a document, and that tombstoned documents are declared.
fn check_text(
    generation: &Generation,
    chunks: u64,
    symbols: u64,
    report: &mut VerifyReport,
) -> sextant_format::Result<()> {
    let row_maps = StoredRowMaps::read(generation)?;
    let stored_maps = row_maps.as_ref().map(|row_maps| (&row_maps.chunks, &row_maps.symbols)).unzip();
    let (chunk_schema, symbol_schema) = (text::chunk_schema().0, text::symbol_schema().0);
    let path = generation.path(part::TEXT_CHUNKS);
    let searcher = text::open(&path, &chunk_schema)?.1.searcher();
    let found = check_documents::<ChunkId>(&searcher, stored_maps.0, chunks, &path, report)?;
    let tombstoned = searcher.num_docs() - found.min(searcher.num_docs());
    let path = generation.path(part::TEXT_SYMBOLS);
    let searcher = text::open(&path, &symbol_schema)?.1.searcher();
    check_documents::<SymbolId>(&searcher, stored_maps.1, symbols, &path, report)?;
    let declared = row_maps.map_or(0, |row_maps| u64::from(row_maps.removed));
    let path = generation.path(part::TEXT_REMOVED);
    let stored = if declared > 0 { text::open(&path, &chunk_schema)?.1.searcher().num_docs() } else { 0 };
    if [declared, stored] != [tombstoned; 2] {
        report.problem(format!(
            "{}: {tombstoned} documents are tombstoned, {declared} are declared, {stored} are stored",
            path.display()
        ));
    }
    Ok(())
}

/// Checks that the rows of a text index have documents with their ids. Returns the number of these documents.
fn check_documents<I: DocumentId>(
    searcher: &Searcher,
    stored: Option<&StoredRowMap>,
    rows: u64,
    path: &Path,
    report: &mut VerifyReport,
) -> sextant_format::Result<u64> {
    let row_map = RowDocMap::<I>::open(searcher, stored, path)?;
    let found = row_map.documents();
    if found != rows {
        report.problem(format!("{}: it has {found} documents for {rows} rows", path.display()));
    }
    for run in row_map.runs(I::from_row(0)..row_map.end()) {
        let column: Column<u64> = searcher
            .segment_reader(run.ordinal)
            .fast_fields()
            .u64(I::FIELD)
            .map_err(|error| sextant_format::Error::damaged(path, error))?;
        let stores_row_id = |(row, document): (u32, u32)| {
            let stored = column.first(document).and_then(|id| text::decode_id::<I>(id, run.id_offset));
            stored == Some(I::from_row(row))
        };
        if !(run.row.row()..).zip(run.first..=run.last).all(stores_row_id) {
            report.problem(format!("{}: a document is mapped to a wrong row", path.display()));
            break;
        }
    }
    Ok(found)
}

/// The bits of a row, lowest bit of each byte first.
fn bits(bytes: &[u8]) -> impl Iterator<Item = bool> {
    bytes.iter().flat_map(|byte| (0..8).map(move |d| byte >> d & 1 == 1))
}
