//! Verifies an index: the digest of every file, the references of every row to other tables, the content id, and each
//! derived part against its source.
//!
//! Problems are collected, so that one run reports all of them. The rows of the LanceDB table are compared by
//! `sextant-index verify`, which links that library.

use std::path::Path;

use sextant_encoder::EncoderDir;
use sextant_format::digest::{self, RowHasher};
use sextant_format::generation::{Generation, part};
use sextant_format::ids::{ChunkId, FileId, RowId, SymbolId};
use sextant_format::kinds::Tier;
use sextant_format::tables::{
    ChunkRow, EdgeRow, ExternalRow, FileRow, FileVectorRow, Row, SkippedRow, SymbolRow, TableReader,
};
use sextant_format::vectors::{FileVectorSum, QuantizedVector, VectorMatrix, hash_vector};
use sextant_text::index::{self as text, DocumentId, RowDocMap, StoredRowMap, StoredRowMaps};
use tantivy::Searcher;
use tantivy::columnar::Column;

/// The result of a verification.
#[derive(Debug, Default)]
pub struct VerifyReport {
    /// Number of files that were read.
    pub files: usize,
    /// Number of bytes that were read.
    pub bytes: u64,
    /// Number of rows that were checked.
    pub rows: u64,
    /// Descriptions of all problems; empty for an intact index.
    pub problems: Vec<String>,
}

/// Maximum number of wrong rows of a table that are listed one by one.
const MAX_EXAMPLES: usize = 20;

impl VerifyReport {
    fn problem(&mut self, text: String) {
        if self.problems.len() < MAX_EXAMPLES * 10 {
            self.problems.push(text);
        }
    }
}

/// Verifies everything about a generation that does not require the LanceDB library.
#[must_use]
pub fn verify(generation: &Generation) -> VerifyReport {
    let mut report = VerifyReport::default();
    check_files(generation, &mut report);
    if !report.problems.is_empty() {
        // A file that differs from the published one says nothing about its rows.
        return report;
    }
    let chunks = check_rows(generation, &mut report);
    check_derived(generation, &chunks, &mut report);
    report
}

fn check_files(generation: &Generation, report: &mut VerifyReport) {
    for entry in &generation.manifest().files {
        let path = generation.path(&entry.path);
        match digest::hash_file(&path) {
            Ok((digest, bytes)) => {
                report.files += 1;
                report.bytes += bytes;
                if digest.to_hex() != entry.blake3 {
                    report.problem(format!("{}: its bytes are not those that were published", entry.path));
                }
            }
            Err(error) => report.problem(format!("{}: {error}", entry.path)),
        }
    }
    let computed = generation.manifest().compute_content_id();
    if computed != generation.manifest().content_id {
        report.problem(format!("manifest.json: the content id should be {computed}"));
    }
    if !generation.name().ends_with(&computed[..12]) {
        report.problem(format!("{}: the folder's name does not contain the content id", generation.name()));
    }
}

/// Reads a table, calls `check` with each row, and compares row count and digest with the manifest. Returns the row
/// count.
fn scan<R: Row>(
    generation: &Generation,
    report: &mut VerifyReport,
    mut check: impl FnMut(u64, &R) -> Result<(), String>,
) -> u64 {
    let mut hasher = RowHasher::default();
    let mut rows = 0;
    let mut wrong = 0;
    match TableReader::<R>::open(&generation.table(R::TABLE)) {
        Err(error) => report.problem(error.to_string()),
        Ok(reader) => {
            for batch in reader {
                let batch = match batch {
                    Ok(batch) => batch,
                    Err(error) => {
                        report.problem(error.to_string());
                        break;
                    }
                };
                for row in &batch {
                    row.digest(&mut hasher);
                    if let Err(what) = check(rows, row) {
                        wrong += 1;
                        if wrong <= MAX_EXAMPLES {
                            report.problem(format!("{}.parquet: row {rows}: {what}", R::TABLE));
                        }
                    }
                    rows += 1;
                }
            }
        }
    }
    if wrong > MAX_EXAMPLES {
        report.problem(format!("{}.parquet: {wrong} rows are wrong", R::TABLE));
    }
    let found = hasher.finish().to_hex();
    match generation.manifest().row_digest(R::TABLE) {
        None => report.problem(format!("{}.parquet: the manifest does not list it", R::TABLE)),
        Some(expected) if expected.rows != rows || expected.blake3 != found => {
            report.problem(format!("{}.parquet: its rows are not those of the manifest", R::TABLE));
        }
        Some(_) => {}
    }
    report.rows += rows;
    rows
}

fn check_id_exists(what: &str, id: impl RowId, end: u64) -> Result<(), String> {
    if u64::from(id.row()) < end { Ok(()) } else { Err(format!("{what} {id} is out of range, there are {end}")) }
}

fn check_dense_id(what: &str, id: impl RowId, row: u64) -> Result<(), String> {
    if u64::from(id.row()) == row { Ok(()) } else { Err(format!("{what} {id} is not the row's number")) }
}

/// What the vectors of files are made of: the file of a chunk, and the bytes of its text.
type ChunkFacts = Vec<(FileId, u32)>;

/// Returns the facts about each chunk.
fn check_rows(generation: &Generation, report: &mut VerifyReport) -> ChunkFacts {
    let manifest = generation.manifest();
    let (chunks, symbols) = (manifest.rows(ChunkRow::TABLE), manifest.rows(SymbolRow::TABLE));
    let mut lines = Vec::new();
    let files = scan(generation, report, |n, row: &FileRow| {
        lines.push(row.lines);
        check_dense_id("file_id", row.file_id, n)?;
        if !manifest.repositories.iter().any(|repository| repository.name == row.repo) {
            return Err(format!("repository {} is not in the manifest", row.repo));
        }
        Ok(())
    });
    let mut facts: ChunkFacts = Vec::new();
    scan(generation, report, |n, row: &ChunkRow| {
        let previous_file = facts.last().map(|(file, _)| *file).unwrap_or_default();
        facts.push((row.file_id, u32::try_from(row.content.len()).unwrap_or(u32::MAX)));
        check_dense_id("chunk_id", row.chunk_id, n)?;
        check_id_exists("file_id", row.file_id, files)?;
        if let Some(parent) = row.parent_id {
            if parent >= row.chunk_id {
                return Err(format!("parent_id {parent} does not precede it"));
            }
            if facts[parent.index()].0 != row.file_id {
                return Err(format!("parent_id {parent} is in another file"));
            }
        }
        if let Some(symbol) = row.symbol_id {
            check_id_exists("symbol_id", symbol, symbols)?;
        }
        if row.file_id < previous_file {
            return Err("its file precedes that of the previous row".to_owned());
        }
        if row.start_line == 0 || row.start_line > row.end_line || row.end_line > lines[row.file_id.index()] {
            return Err(format!("lines {} to {} are not in the file", row.start_line, row.end_line));
        }
        if digest::Digest::hash_bytes(row.content.as_bytes()) != row.content_hash {
            return Err("content_hash is not the hash of content".to_owned());
        }
        Ok(())
    });
    scan(generation, report, |n, row: &SymbolRow| {
        check_dense_id("symbol_id", row.symbol_id, n)?;
        check_id_exists("file_id", row.file_id, files)?;
        if let Some(container) = row.container_id {
            check_id_exists("container_id", container, symbols)?;
        }
        if let Some(chunk) = row.chunk_id {
            check_id_exists("chunk_id", chunk, chunks)?;
            if facts.get(chunk.index()).map(|(file, _)| *file) != Some(row.file_id) {
                return Err(format!("chunk_id {chunk} is in another file"));
            }
        }
        Ok(())
    });
    let mut declared_uses = Vec::new();
    let externals = scan(generation, report, |n, row: &ExternalRow| {
        declared_uses.push(row.uses);
        check_dense_id("external_id", row.external_id, n)
    });
    let mut uses = vec![0; declared_uses.len()];
    scan(generation, report, |_, row: &EdgeRow| {
        check_id_exists("source_id", row.source_id, symbols)?;
        check_id_exists("file_id", row.file_id, files)?;
        match row.target_id {
            Some(target) => check_id_exists("target_id", target, symbols)?,
            None if !matches!(row.tier, Tier::Unresolved | Tier::External) => {
                return Err(format!("tier {} without a target", row.tier));
            }
            None => {}
        }
        match row.external_id {
            Some(external) => {
                check_id_exists("external_id", external, externals)?;
                uses[external as usize] += 1;
            }
            None if row.tier == Tier::External => return Err("tier external without an external symbol".to_owned()),
            None => {}
        }
        if !(0.0..=1.0).contains(&row.confidence) {
            return Err(format!("confidence {} is not within 0 and 1", row.confidence));
        }
        Ok(())
    });
    if uses != declared_uses {
        report.problem("externals.parquet: its uses are not those of the edges".to_owned());
    }
    scan(generation, report, |_, row: &SkippedRow| {
        if manifest.repositories.iter().any(|repository| repository.name == row.repo) {
            Ok(())
        } else {
            Err(format!("repository {} is not in the manifest", row.repo))
        }
    });
    facts
}

fn check_derived(generation: &Generation, facts: &ChunkFacts, report: &mut VerifyReport) {
    let manifest = generation.manifest();
    let (chunks, symbols) = (manifest.rows(ChunkRow::TABLE), manifest.rows(SymbolRow::TABLE));
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
        }
        Err(error) => report.problem(error.to_string()),
    }
    match generation.vectors() {
        Ok(None) => {}
        Ok(Some(matrix)) => {
            let mut hasher = RowHasher::default();
            let mut last = None;
            for row in 0..matrix.rows() {
                let chunk = matrix.chunk_id(row);
                if u64::from(chunk) >= chunks || last.is_some_and(|last| last >= chunk) {
                    report.problem(format!("vectors.i8: row {row} names chunk {chunk}"));
                    break;
                }
                last = Some(chunk);
                if !matrix.row(row).iter().zip(bits(matrix.bits(row))).all(|(&value, bit)| bit == (value > 0)) {
                    report.problem(format!("vectors.i8: the sign bits of row {row} are not those of its values"));
                    break;
                }
                hash_vector(
                    &mut hasher,
                    chunk,
                    matrix.levels()[row],
                    matrix.scales()[row],
                    &matrix.row(row)[..matrix.dims()],
                );
            }
            if manifest.row_digest("vectors").is_none_or(|d| d.blake3 != hasher.finish().to_hex()) {
                report.problem("vectors.i8: its rows are not those of the manifest".to_owned());
            } else if manifest.row_digest(FileVectorRow::TABLE).is_some() {
                check_file_vectors(generation, &matrix, facts, report);
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

/// Checks that the vectors of files are those of their chunks.
fn check_file_vectors(generation: &Generation, matrix: &VectorMatrix, facts: &ChunkFacts, report: &mut VerifyReport) {
    scan(generation, report, |_, _: &FileVectorRow| Ok(()));
    let rows = match generation.file_vectors() {
        Ok(rows) => rows.unwrap_or_default(),
        Err(error) => return report.problem(error.to_string()),
    };
    let mut next = 0;
    for row in rows {
        let mut sum = FileVectorSum::default();
        while next < matrix.rows() {
            let Some(&(file, bytes)) = facts.get(matrix.chunk_id(next).index()) else { break };
            if file > row.file_id {
                break;
            }
            if file == row.file_id && matrix.levels()[next] == 1 {
                let values = matrix.row(next)[..matrix.dims()].to_vec();
                sum.add(&QuantizedVector { scale: matrix.scales()[next], values }, bytes);
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
