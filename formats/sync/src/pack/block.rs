//! Encodes the rows of a group of files as bytes and decodes them, by columns and relative to the group.
//!
//! A block contains no id of the index: symbols and chunks are counted from the first of their file, and a symbol of
//! another file is identified by its [key](sextant_format::keys).
//! So a block of unchanged files has the same bytes in every index, however many rows precede it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::limit;
use sextant_format::digest::Digest;
use sextant_format::file_rows::FileRows;
use sextant_format::ids::{ChunkId, FirstIds, RowId, SymbolId};
use sextant_format::kinds::{Kind, ParseStatus, SkipReason};
use sextant_format::tables::{ChunkRow, ExternalRow, FileRow, SkippedRow, SymbolRow};
use sextant_format::vectors::QuantizedVector;

/// Describes why a block cannot be decoded.
pub(super) type DecodeError = String;

/// A column of integers, delta-encoded.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct DeltaColumn(Vec<i64>);

impl DeltaColumn {
    pub(super) fn encode(values: impl Iterator<Item = i64>) -> Self {
        let mut last = 0;
        Self(values.map(|value| value - std::mem::replace(&mut last, value)).collect())
    }

    pub(super) fn decode<N: TryFrom<i64>>(&self) -> Result<Vec<N>, DecodeError> {
        let mut last = 0_i64;
        let value = |step: &i64| {
            last = last.checked_add(*step).ok_or("a number is too large")?;
            N::try_from(last).map_err(|_| "a number is too large".to_owned())
        };
        self.0.iter().map(value).collect()
    }
}

/// An optional id relative to `first`; 0 encodes none.
pub(super) fn relative_id<I: RowId>(id: Option<I>, first: I) -> i64 {
    id.map_or(0, |id| i64::from(id.row()) - i64::from(first.row()) + 1)
}

/// Decodes the result of [`relative_id`]; the id must be one of the `count` ids from `first`.
pub(super) fn absolute_id<I: RowId>(number: i64, first: I, count: usize) -> Result<Option<I>, DecodeError> {
    match usize::try_from(number) {
        Ok(0) => Ok(None),
        Ok(at) if at <= count => {
            let row = first.row().saturating_add(u32::try_from(at - 1).unwrap_or(u32::MAX));
            Ok(Some(I::from_row(row)))
        }
        _ => Err("an id is outside of its file".to_owned()),
    }
}

pub(super) fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    // Serialising to memory fails only for sequences of unknown length, which do not occur here.
    postcard::to_stdvec(value).unwrap_or_default()
}

pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok(_) => Err("it has trailing bytes".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[derive(Serialize, Deserialize)]
struct SourceColumns {
    repo: String,
    path: Vec<String>,
    language: Vec<String>,
    hash: Vec<[u8; 32]>,
    bytes: Vec<u64>,
    lines: Vec<u32>,
    encoding: Vec<String>,
    status: Vec<ParseStatus>,
    errors: Vec<u32>,
    is_test: Vec<bool>,
    is_generated: Vec<bool>,
    symbols: Vec<u32>,
    chunks: Vec<u32>,
    symbol: SymbolColumns,
    chunk: ChunkColumns,
}

#[derive(Serialize, Deserialize)]
struct SymbolColumns {
    name: Vec<String>,
    qualified: Vec<String>,
    kind: Vec<Kind>,
    start: DeltaColumn,
    end: DeltaColumn,
    name_line: DeltaColumn,
    column: Vec<u32>,
    container: DeltaColumn,
    chunk: DeltaColumn,
    signature: Vec<Option<String>>,
    doc: Vec<Option<String>>,
    exported: Vec<bool>,
}

#[derive(Serialize, Deserialize)]
struct ChunkColumns {
    parent: DeltaColumn,
    level: Vec<u8>,
    kind: Vec<Kind>,
    start: DeltaColumn,
    lines: Vec<u32>,
    start_byte: DeltaColumn,
    bytes: Vec<u32>,
    symbol: DeltaColumn,
    content: Vec<String>,
    summary: Vec<Option<String>>,
    keywords: Vec<Option<String>>,
    purpose: Vec<Option<String>>,
}

/// Encodes the files of a group, all of one repository, with their symbols and chunks. Ordinals are left out, because
/// the other columns determine them.
pub(super) fn source_to_bytes(group: &[FileRows]) -> Vec<u8> {
    let files = || group.iter().map(|rows| &rows.file);
    let symbols = || group.iter().flat_map(|rows| rows.symbols.iter().map(move |symbol| (rows, symbol)));
    let chunks = || group.iter().flat_map(|rows| rows.chunks.iter().map(move |chunk| (rows, chunk)));
    let first_symbol = |rows: &FileRows| rows.first_ids().symbol;
    let first_chunk = |rows: &FileRows| rows.first_ids().chunk;
    let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
    to_bytes(&SourceColumns {
        repo: files().next().map_or_else(String::new, |file| file.repo.clone()),
        path: files().map(|file| file.path.clone()).collect(),
        language: files().map(|file| file.language.clone()).collect(),
        hash: files().map(|file| file.content_hash.0).collect(),
        bytes: files().map(|file| file.bytes).collect(),
        lines: files().map(|file| file.lines).collect(),
        encoding: files().map(|file| file.encoding.clone()).collect(),
        status: files().map(|file| file.parse_status).collect(),
        errors: files().map(|file| file.error_lines).collect(),
        is_test: files().map(|file| file.is_test).collect(),
        is_generated: files().map(|file| file.is_generated).collect(),
        symbols: group.iter().map(|rows| count(rows.symbols.len())).collect(),
        chunks: group.iter().map(|rows| count(rows.chunks.len())).collect(),
        symbol: SymbolColumns {
            name: symbols().map(|(_, symbol)| symbol.name.clone()).collect(),
            qualified: symbols().map(|(_, symbol)| symbol.qualified_name.clone()).collect(),
            kind: symbols().map(|(_, symbol)| symbol.kind).collect(),
            start: DeltaColumn::encode(symbols().map(|(_, symbol)| i64::from(symbol.start_line))),
            end: DeltaColumn::encode(symbols().map(|(_, symbol)| i64::from(symbol.end_line))),
            name_line: DeltaColumn::encode(symbols().map(|(_, symbol)| i64::from(symbol.name_line))),
            column: symbols().map(|(_, symbol)| symbol.name_column).collect(),
            container: DeltaColumn::encode(
                symbols().map(|(rows, symbol)| relative_id(symbol.container_id, first_symbol(rows))),
            ),
            chunk: DeltaColumn::encode(symbols().map(|(rows, symbol)| relative_id(symbol.chunk_id, first_chunk(rows)))),
            signature: symbols().map(|(_, symbol)| symbol.signature.clone()).collect(),
            doc: symbols().map(|(_, symbol)| symbol.doc.clone()).collect(),
            exported: symbols().map(|(_, symbol)| symbol.exported).collect(),
        },
        chunk: ChunkColumns {
            parent: DeltaColumn::encode(chunks().map(|(rows, chunk)| relative_id(chunk.parent_id, first_chunk(rows)))),
            level: chunks().map(|(_, chunk)| chunk.level).collect(),
            kind: chunks().map(|(_, chunk)| chunk.kind).collect(),
            start: DeltaColumn::encode(chunks().map(|(_, chunk)| i64::from(chunk.start_line))),
            lines: chunks().map(|(_, chunk)| chunk.end_line.wrapping_sub(chunk.start_line)).collect(),
            start_byte: DeltaColumn::encode(chunks().map(|(_, chunk)| i64::from(chunk.start_byte))),
            bytes: chunks().map(|(_, chunk)| chunk.end_byte.wrapping_sub(chunk.start_byte)).collect(),
            symbol: DeltaColumn::encode(chunks().map(|(rows, chunk)| relative_id(chunk.symbol_id, first_symbol(rows)))),
            content: chunks().map(|(_, chunk)| chunk.content.clone()).collect(),
            summary: chunks().map(|(_, chunk)| chunk.summary.clone()).collect(),
            keywords: chunks().map(|(_, chunk)| chunk.keywords.clone()).collect(),
            purpose: chunks().map(|(_, chunk)| chunk.purpose.clone()).collect(),
        },
    })
}

/// Decodes the result of [`source_to_bytes`]; ids begin at `first`.
pub(super) fn source_from_bytes(bytes: &[u8], first: FirstIds) -> Result<Vec<FileRows>, DecodeError> {
    let mut source: SourceColumns = from_bytes(bytes)?;
    let total = |counts: &[u32]| counts.iter().map(|&count| count as usize).sum::<usize>();
    let (symbols, chunks) = (total(&source.symbols), total(&source.chunks));
    let mut symbol = SymbolDecoder::new(source.symbol, symbols)?;
    let mut chunk = ChunkDecoder::new(source.chunk, chunks)?;
    check_column_lengths(
        source.path.len(),
        &[
            source.language.len(),
            source.hash.len(),
            source.bytes.len(),
            source.lines.len(),
            source.encoding.len(),
            source.status.len(),
            source.errors.len(),
            source.is_test.len(),
            source.is_generated.len(),
            source.symbols.len(),
            source.chunks.len(),
        ],
    )?;
    let mut next = first;
    let mut group = Vec::with_capacity(source.path.len());
    for n in 0..source.path.len() {
        let (symbols, chunks) = (source.symbols[n], source.chunks[n]);
        let own = FileIds { first: next, symbols: symbols as usize, chunks: chunks as usize };
        let file = FileRow {
            file_id: next.file,
            repo: source.repo.clone(),
            path: std::mem::take(&mut source.path[n]),
            language: std::mem::take(&mut source.language[n]),
            content_hash: Digest(source.hash[n]),
            bytes: source.bytes[n],
            lines: source.lines[n],
            encoding: std::mem::take(&mut source.encoding[n]),
            parse_status: source.status[n],
            error_lines: source.errors[n],
            is_test: source.is_test[n],
            is_generated: source.is_generated[n],
        };
        let rows = FileRows {
            file,
            symbols: (0..symbols).map(|at| symbol.next(&own, at)).collect::<Result<_, _>>()?,
            chunks: (0..chunks).map(|at| chunk.next(&own, at)).collect::<Result<_, _>>()?,
        };
        check_line_ranges(&rows)?;
        group.push(rows);
        next = next.checked_after(1, chunks, symbols).ok_or("there are too many rows")?;
    }
    Ok(group)
}

/// Programs that show a file allocate memory for its lines, so line numbers must be plausible for the file's size.
fn check_line_ranges(FileRows { file, symbols, chunks }: &FileRows) -> Result<(), DecodeError> {
    if file.lines > limit::LINES || u64::from(file.lines) > file.bytes.saturating_add(1) {
        return Err("a file has more lines than bytes".to_owned());
    }
    let is_within = |chunk: &ChunkRow| {
        (1..=chunk.end_line).contains(&chunk.start_line)
            && chunk.end_line <= file.lines
            && chunk.start_byte <= chunk.end_byte
    };
    if !chunks.iter().all(is_within) {
        return Err("a chunk has lines outside of its file".to_owned());
    }
    // An empty file has a symbol of its own, with the lines 1 to 1.
    let last = file.lines.max(1);
    let is_symbol_within =
        |symbol: &SymbolRow| (1..=symbol.end_line).contains(&symbol.start_line) && symbol.end_line <= last;
    let are_within = symbols.iter().all(is_symbol_within);
    if are_within { Ok(()) } else { Err("a symbol has lines outside of its file".to_owned()) }
}

/// The id ranges of one file's rows.
struct FileIds {
    first: FirstIds,
    symbols: usize,
    chunks: usize,
}

impl FileIds {
    fn symbol(&self, number: i64) -> Result<Option<SymbolId>, DecodeError> {
        absolute_id(number, self.first.symbol, self.symbols)
    }

    fn chunk(&self, number: i64) -> Result<Option<ChunkId>, DecodeError> {
        absolute_id(number, self.first.chunk, self.chunks)
    }
}

pub(super) fn check_column_lengths(rows: usize, columns: &[usize]) -> Result<(), DecodeError> {
    if columns.iter().all(|&column| column == rows) {
        Ok(())
    } else {
        Err("its columns are of different lengths".to_owned())
    }
}

/// Decodes the columns of symbols row by row.
struct SymbolDecoder {
    at: usize,
    columns: SymbolColumns,
    start: Vec<u32>,
    end: Vec<u32>,
    name_line: Vec<u32>,
    container: Vec<i64>,
    chunk: Vec<i64>,
}

impl SymbolDecoder {
    fn new(columns: SymbolColumns, rows: usize) -> Result<Self, DecodeError> {
        let (start, end) = (columns.start.decode()?, columns.end.decode()?);
        let name_line = columns.name_line.decode()?;
        let (container, chunk) = (columns.container.decode()?, columns.chunk.decode()?);
        let strings = [columns.name.len(), columns.qualified.len(), columns.signature.len(), columns.doc.len()];
        check_column_lengths(rows, &strings)?;
        check_column_lengths(
            rows,
            &[columns.kind.len(), columns.column.len(), columns.exported.len(), start.len(), end.len()],
        )?;
        check_column_lengths(rows, &[name_line.len(), container.len(), chunk.len()])?;
        Ok(Self { at: 0, columns, start, end, name_line, container, chunk })
    }

    fn next(&mut self, own: &FileIds, number: u32) -> Result<SymbolRow, DecodeError> {
        let (at, columns) = (self.at, &mut self.columns);
        self.at += 1;
        Ok(SymbolRow {
            symbol_id: own.first.symbol.plus(number),
            name: std::mem::take(&mut columns.name[at]),
            qualified_name: std::mem::take(&mut columns.qualified[at]),
            ordinal: 0,
            kind: columns.kind[at],
            file_id: own.first.file,
            start_line: self.start[at],
            end_line: self.end[at],
            name_line: self.name_line[at],
            name_column: columns.column[at],
            container_id: own.symbol(self.container[at])?,
            chunk_id: own.chunk(self.chunk[at])?,
            signature: columns.signature[at].take(),
            doc: columns.doc[at].take(),
            exported: columns.exported[at],
        })
    }
}

/// Decodes the columns of chunks row by row.
struct ChunkDecoder {
    at: usize,
    columns: ChunkColumns,
    parent: Vec<i64>,
    start: Vec<u32>,
    start_byte: Vec<u32>,
    symbol: Vec<i64>,
}

impl ChunkDecoder {
    fn new(columns: ChunkColumns, rows: usize) -> Result<Self, DecodeError> {
        let (parent, symbol) = (columns.parent.decode()?, columns.symbol.decode()?);
        let (start, start_byte) = (columns.start.decode()?, columns.start_byte.decode()?);
        check_column_lengths(
            rows,
            &[columns.level.len(), columns.kind.len(), columns.lines.len(), columns.bytes.len()],
        )?;
        check_column_lengths(
            rows,
            &[columns.content.len(), columns.summary.len(), columns.keywords.len(), columns.purpose.len()],
        )?;
        check_column_lengths(rows, &[parent.len(), symbol.len(), start.len(), start_byte.len()])?;
        Ok(Self { at: 0, columns, parent, start, start_byte, symbol })
    }

    fn next(&mut self, own: &FileIds, number: u32) -> Result<ChunkRow, DecodeError> {
        let (at, columns) = (self.at, &mut self.columns);
        self.at += 1;
        let content = std::mem::take(&mut columns.content[at]);
        Ok(ChunkRow {
            chunk_id: own.first.chunk.plus(number),
            parent_id: own.chunk(self.parent[at])?,
            level: columns.level[at],
            kind: columns.kind[at],
            file_id: own.first.file,
            start_line: self.start[at],
            end_line: self.start[at].wrapping_add(columns.lines[at]),
            start_byte: self.start_byte[at],
            end_byte: self.start_byte[at].wrapping_add(columns.bytes[at]),
            symbol_id: own.symbol(self.symbol[at])?,
            ordinal: 0,
            content_hash: Digest::hash_bytes(content.as_bytes()),
            content,
            summary: columns.summary[at].take(),
            keywords: columns.keywords[at].take(),
            purpose: columns.purpose[at].take(),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct VectorColumns {
    /// Number of vectors for each file of the group.
    counts: Vec<u32>,
    /// The chunk, counted from the first of its file.
    chunk: DeltaColumn,
    scale: Vec<[u8; 4]>,
}

/// Encodes the vectors of a group: for each file those of its chunks, numbered from the first. The raw int8 values
/// follow the other columns.
pub(super) fn vectors_to_bytes(group: &[Vec<(u32, QuantizedVector)>]) -> Vec<u8> {
    let all = || group.iter().flatten();
    let head = to_bytes(&VectorColumns {
        counts: group.iter().map(|vectors| u32::try_from(vectors.len()).unwrap_or(u32::MAX)).collect(),
        chunk: DeltaColumn::encode(all().map(|(chunk, _)| i64::from(*chunk))),
        scale: all().map(|(_, vector)| vector.scale.to_le_bytes()).collect(),
    });
    let mut bytes = u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    bytes.extend(head);
    bytes.extend(all().flat_map(|(_, vector)| vector.values.iter().map(|value| value.to_le_bytes()[0])));
    bytes
}

/// Decodes the result of [`vectors_to_bytes`], for vectors of `dims` dimensions.
pub(super) fn vectors_from_bytes(bytes: &[u8], dims: usize) -> Result<Vec<Vec<(u32, QuantizedVector)>>, DecodeError> {
    let cut = || "it is truncated".to_owned();
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(cut)?;
    let (head, values) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(cut)?;
    let head: VectorColumns = from_bytes(head)?;
    let rows: usize = head.counts.iter().map(|&count| count as usize).sum();
    let chunks = head.chunk.decode::<u32>()?;
    check_column_lengths(rows, &[chunks.len(), head.scale.len()])?;
    check_column_lengths(rows.checked_mul(dims).ok_or_else(cut)?, &[values.len()])?;
    let mut rows = chunks.into_iter().zip(head.scale).zip(values.chunks_exact(dims.max(1)));
    let vector = |((chunk, scale), values): ((u32, [u8; 4]), &[u8])| {
        let values = values.iter().map(|&value| i8::from_le_bytes([value])).collect();
        (chunk, QuantizedVector { scale: f32::from_le_bytes(scale), values })
    };
    Ok(head.counts.iter().map(|&count| rows.by_ref().take(count as usize).map(vector).collect()).collect())
}

#[derive(Serialize, Deserialize)]
struct ExternalColumns {
    name: Vec<String>,
    module: Vec<Option<String>>,
    family: Vec<String>,
}

/// Encodes external symbols, without their ids and counts.
pub(super) fn externals_to_bytes(rows: &[ExternalRow]) -> Vec<u8> {
    to_bytes(&ExternalColumns {
        name: rows.iter().map(|row| row.name.clone()).collect(),
        module: rows.iter().map(|row| row.module.clone()).collect(),
        family: rows.iter().map(|row| row.family.clone()).collect(),
    })
}

/// Decodes the result of [`externals_to_bytes`].
pub(super) fn externals_from_bytes(bytes: &[u8]) -> Result<Vec<ExternalRow>, DecodeError> {
    let externals: ExternalColumns = from_bytes(bytes)?;
    check_column_lengths(externals.name.len(), &[externals.module.len(), externals.family.len()])?;
    let rows = externals.name.into_iter().zip(externals.module).zip(externals.family);
    Ok(rows.map(|((name, module), family)| ExternalRow { external_id: 0, name, module, family, uses: 0 }).collect())
}

/// Encodes the paths that are not indexed.
pub(super) fn skipped_to_bytes(rows: &[SkippedRow]) -> Vec<u8> {
    let rows: Vec<_> = rows.iter().map(|row| (&row.repo, &row.path, row.reason, &row.detail)).collect();
    to_bytes(&rows)
}

/// Decodes the result of [`skipped_to_bytes`].
pub(super) fn skipped_from_bytes(bytes: &[u8]) -> Result<Vec<SkippedRow>, DecodeError> {
    let rows: Vec<(String, String, SkipReason, String)> = from_bytes(bytes)?;
    Ok(rows.into_iter().map(|(repo, path, reason, detail)| SkippedRow { repo, path, reason, detail }).collect())
}
