//! Reuse of an earlier generation's text index: the documents of unchanged files.
//!
//! Segments are immutable and reused as a whole. Documents of deleted or changed files stay in them as tombstones
//! without a row. `text/removed` contains copies of these, so that their share of the term statistics can be subtracted
//! and words have the same weight as in a fresh index. This module must not know the contents of documents.

use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tantivy::schema::Schema;

use crate::{Error, Result};
use sextant_format::digest::{Digest, hash_file};
use sextant_format::generation::{Generation, part};
use sextant_format::ids::{ChunkId, FileId, FirstIds, RowId, SymbolId};
use sextant_format::publish::link_or_copy_file;
use sextant_format::tables::{ChunkRow, DirectoryRow, FileRow, PointReader, Row, SymbolRow, TableReader};
use sextant_format::version::{FEATURE_VERSION, FORMAT_VERSION};
use sextant_text::index::{self as text, DocumentId, IdOffset, RowDocMap, StoredRowMap, StoredRowMaps};

/// Tombstoned documents for each hundred live ones above which a text index is rewritten: every search reads them, and
/// they take up space.
const MAX_TOMBSTONED_PERCENT: u64 = 20;
/// Number of generations after which the index is rewritten: each adds segments, and every word is looked up in each.
const MAX_INCREMENTAL_GENERATIONS: u32 = 16;
/// Chunks that are read at once when tombstoned documents are copied to `text/removed`.
const REMOVED_BATCH_CHUNKS: usize = 4096;

/// An earlier generation whose text segments can be reused.
pub struct PreviousTextIndex {
    root: PathBuf,
    chunks: PreviousSegments<ChunkId>,
    symbols: PreviousSegments<SymbolId>,
    removed: u32,
    generations: u32,
    /// Paths of the files of its text index, relative to the generation.
    text_files: Vec<String>,
    chunk_rows: PointReader<ChunkRow>,
    symbol_rows: PointReader<SymbolRow>,
    files: FxHashMap<(String, String), PreviousFile>,
}

/// One of the two text indexes of the earlier generation.
struct PreviousSegments<I> {
    row_map: RowDocMap<I>,
    segments: Vec<String>,
    /// Number of documents, tombstoned ones included.
    documents: u64,
}

/// A file of the earlier generation.
struct PreviousFile {
    row: FileRow,
    rows_hash: Digest,
    chunks: Range<ChunkId>,
    symbols: Range<SymbolId>,
    is_reused: bool,
}

impl<I: DocumentId> PreviousSegments<I> {
    fn open(path: &Path, schema: &Schema, stored: Option<&StoredRowMap>, rows: u64) -> Result<Self> {
        let searcher = text::open(path, schema)?.1.searcher();
        let readers = searcher.segment_readers();
        let row_map = RowDocMap::<I>::open(&searcher, stored, path)?;
        if [row_map.documents(), u64::from(row_map.end().row())] != [rows; 2] {
            return Err(Error::damaged(path, format!("it has {} documents for {rows} rows", row_map.documents())));
        }
        Ok(Self {
            row_map,
            segments: readers.iter().map(|reader| reader.segment_id().uuid_string()).collect(),
            documents: readers.iter().map(|reader| u64::from(reader.max_doc())).sum(),
        })
    }

    /// Number of tombstoned documents.
    fn tombstoned(&self) -> u64 {
        self.documents - self.row_map.documents().min(self.documents)
    }

    fn needs_compaction(&self) -> bool {
        self.tombstoned() * 100 > self.row_map.documents() * MAX_TOMBSTONED_PERCENT
    }
}

impl PreviousTextIndex {
    /// Opens the text index of a generation that was built with the same settings. None if it has another format or
    /// needs compaction.
    ///
    /// # Errors
    /// The generation cannot be read, or is damaged.
    pub fn open(generation: &Generation) -> Result<Option<Self>> {
        let manifest = generation.manifest();
        if (manifest.format_version, manifest.feature_version) != (FORMAT_VERSION, FEATURE_VERSION) {
            return Ok(None);
        }
        check_digests(generation)?;
        let row_maps = StoredRowMaps::read(generation)?;
        let (chunk_schema, symbol_schema) = (text::chunk_schema().0, text::symbol_schema().0);
        let stored = row_maps.as_ref().map(|row_maps| (&row_maps.chunks, &row_maps.symbols)).unzip();
        let (chunk_rows, symbol_rows) = (manifest.rows(ChunkRow::TABLE), manifest.rows(SymbolRow::TABLE));
        let chunks = PreviousSegments::open(&generation.path(part::TEXT_CHUNKS), &chunk_schema, stored.0, chunk_rows)?;
        let symbols =
            PreviousSegments::open(&generation.path(part::TEXT_SYMBOLS), &symbol_schema, stored.1, symbol_rows)?;
        let (removed, generations) =
            row_maps.as_ref().map_or((0, 0), |row_maps| (row_maps.removed, row_maps.generations));
        if chunks.needs_compaction() || symbols.needs_compaction() || generations >= MAX_INCREMENTAL_GENERATIONS {
            return Ok(None);
        }
        let path = generation.path(part::TEXT_REMOVED);
        let tombstone_docs = if removed > 0 { text::open(&path, &chunk_schema)?.1.searcher().num_docs() } else { 0 };
        if [u64::from(removed), tombstone_docs] != [chunks.tombstoned(); 2] {
            return Err(Error::damaged(
                &path,
                format!("it has {tombstone_docs} documents, but {} are tombstoned", chunks.tombstoned()),
            ));
        }
        let files = previous_files(generation)?;
        let is_text = |path: &String| path.starts_with("text/") && path != part::TEXT_ROW_MAP;
        let text_files = manifest.files.iter().map(|entry| entry.path.clone()).filter(is_text).collect();
        // Opened now, because another build may remove the generation before they are read.
        let chunk_rows = PointReader::open(&generation.table(ChunkRow::TABLE))?;
        let symbol_rows = PointReader::open(&generation.table(SymbolRow::TABLE))?;
        let root = generation.root().to_owned();
        Ok(Some(Self { root, chunks, symbols, removed, generations, text_files, chunk_rows, symbol_rows, files }))
    }

    /// The rows of an unchanged file in the earlier generation; none if its rows differ.
    fn reuse_file(&mut self, file: &FileRow, rows_hash: Digest) -> Option<&PreviousFile> {
        let previous = self.files.get_mut(&(file.repo.clone(), file.path.clone()))?;
        if previous.is_reused || previous.rows_hash != rows_hash {
            return None;
        }
        previous.is_reused = true;
        Some(previous)
    }
}

/// Checks every file that is reused or read against its digest, so that damage is not passed on.
fn check_digests(generation: &Generation) -> Result<()> {
    let tables = [FileRow::TABLE, ChunkRow::TABLE, SymbolRow::TABLE, DirectoryRow::TABLE]
        .map(|table| format!("{table}.parquet"));
    generation.manifest().files.par_iter().try_for_each(|entry| {
        if !entry.path.starts_with("text/") && !tables.contains(&entry.path) {
            return Ok(());
        }
        let path = generation.path(&entry.path);
        let is_intact = Digest::from_hex(&entry.blake3) == Some(hash_file(&path)?.0);
        if is_intact { Ok(()) } else { Err(Error::damaged(&path, "its bytes differ from the manifest's digest")) }
    })
}

fn previous_files(generation: &Generation) -> Result<FxHashMap<(String, String), PreviousFile>> {
    let rows = TableReader::<FileRow>::read_all(&generation.table(FileRow::TABLE))?;
    let chunks = row_ranges::<ChunkRow>(generation, rows.len())?;
    let symbols = row_ranges::<SymbolRow>(generation, rows.len())?;
    let directory = TableReader::<DirectoryRow>::read_all(&generation.table(DirectoryRow::TABLE))?;
    let count = rows.len();
    let is_numbered = rows.iter().enumerate().all(|(n, row)| row.file_id.index() == n);
    let mut files = FxHashMap::default();
    for (((row, chunks), symbols), listed) in rows.into_iter().zip(chunks).zip(symbols).zip(directory) {
        let key = (row.repo.clone(), row.path.clone());
        files.insert(key, PreviousFile { row, rows_hash: listed.rows_hash, chunks, symbols, is_reused: false });
    }
    if !is_numbered || files.len() < count {
        return Err(Error::damaged(&generation.table(FileRow::TABLE), "a file has a wrong id or occurs twice"));
    }
    Ok(files)
}

/// The row range of each file, in a table that is in file order.
fn row_ranges<R: Row>(generation: &Generation, files: usize) -> Result<Vec<Range<R::Id>>> {
    let path = generation.table(R::TABLE);
    let reader = PointReader::<R>::open(&path)?;
    let mut counts = vec![0_u32; files];
    let (mut last, mut is_wrong) = (FileId::default(), false);
    for group in 0..reader.groups() {
        reader.scan::<FileId>("file_id", group, |_, &file| match counts.get_mut(file.index()) {
            Some(count) if file >= last => (*count, last) = (*count + 1, file),
            _ => is_wrong = true,
        })?;
    }
    if is_wrong {
        return Err(Error::damaged(&path, "its rows are not in the order of the files"));
    }
    let mut next = 0;
    let range = |count: u32| {
        let first = next;
        next += count;
        R::Id::from_row(first)..R::Id::from_row(next)
    };
    Ok(counts.into_iter().map(range).collect())
}

/// Reuse of a text index's segments while a generation is written.
pub(super) struct SegmentReuse {
    previous: PreviousTextIndex,
    chunks: RowMapBuilder,
    symbols: RowMapBuilder,
    next: FirstIds,
}

/// How much larger an id is now than it was.
fn difference<I: RowId>(now: I, before: I) -> i64 {
    i64::from(now.row()) - i64::from(before.row())
}

/// Builder of the row map of one of the two text indexes.
#[derive(Default)]
struct RowMapBuilder {
    stored: StoredRowMap,
    /// Number of new documents.
    added: u32,
}

impl RowMapBuilder {
    fn new<I>(previous: &PreviousSegments<I>) -> Self {
        Self { stored: StoredRowMap { segments: previous.segments.clone(), runs: Vec::new() }, added: 0 }
    }

    fn push_reused<I: DocumentId>(&mut self, row_map: &RowDocMap<I>, rows: Range<I>, shift: IdOffset) {
        for run in row_map.runs(rows) {
            let IdOffset { file, chunk, symbol } = run.id_offset;
            let id_offset = IdOffset {
                file: file.saturating_add(shift.file),
                chunk: chunk.saturating_add(shift.chunk),
                symbol: symbol.saturating_add(shift.symbol),
            };
            self.stored.push(run.ordinal, run.first..run.last + 1, id_offset);
        }
    }

    /// Appends new documents. Their segments are not known yet: they are numbered consecutively in a placeholder
    /// segment, the one after the listed segments.
    fn push_added(&mut self, documents: usize) {
        let end = self.added.saturating_add(u32::try_from(documents).unwrap_or(u32::MAX));
        let new_segment = u32::try_from(self.stored.segments.len()).unwrap_or(u32::MAX);
        self.stored.push(new_segment, self.added..end, IdOffset::default());
        self.added = end;
    }

    /// Replaces the placeholder segment by the segments that were written, which have the new documents in id order.
    fn into_row_map<I: DocumentId>(self, path: &Path, schema: &Schema) -> Result<StoredRowMap> {
        let StoredRowMap { segments: mut known_segments, runs } = self.stored;
        let searcher = text::open(path, schema)?.1.searcher();
        let mut new = Vec::new();
        for reader in searcher.segment_readers() {
            let id = reader.segment_id().uuid_string();
            if !known_segments.contains(&id) {
                let first = reader.fast_fields().u64(I::FIELD)?.first(0);
                new.push((first, id, reader.max_doc()));
            }
        }
        new.sort();
        let new_segment = u32::try_from(known_segments.len()).unwrap_or(u32::MAX);
        let mut stored = StoredRowMap::default();
        for run in runs {
            let documents = run.document..run.document + run.documents;
            if run.segment != new_segment {
                stored.push(run.segment, documents, run.id_offset);
                continue;
            }
            let mut first = 0;
            for (segment, (_, _, doc_count)) in (new_segment..).zip(&new) {
                let (from, to) = (documents.start.max(first), documents.end.min(first + doc_count));
                if from < to {
                    stored.push(segment, from - first..to - first, run.id_offset);
                }
                first += doc_count;
            }
        }
        known_segments.extend(new.into_iter().map(|(_, id, _)| id));
        Ok(StoredRowMap { segments: known_segments, ..stored })
    }
}

impl SegmentReuse {
    /// Links the segments of the earlier generation below `root`.
    pub(super) fn create(previous: PreviousTextIndex, root: &Path) -> Result<Self> {
        let (chunks, symbols) = (RowMapBuilder::new(&previous.chunks), RowMapBuilder::new(&previous.symbols));
        for part in [part::TEXT_CHUNKS, part::TEXT_SYMBOLS, part::TEXT_REMOVED] {
            let inside = |path: &&String| path.rsplit_once('/').is_some_and(|(folder, _)| folder == part);
            for path in previous.text_files.iter().filter(inside) {
                fs_err::create_dir_all(root.join(part))?;
                if path.ends_with("/meta.json") {
                    // The list of segments is replaced, whereas the segments themselves are never written to.
                    fs_err::write(root.join(path), fs_err::read(previous.root.join(path))?)?;
                } else {
                    link_or_copy_file(&previous.root, root, path)?;
                }
            }
        }
        Ok(Self { previous, chunks, symbols, next: FirstIds::default() })
    }

    /// Registers the next file with the hash of its rows and its numbers of symbols and chunks. Returns whether its
    /// documents are reused; if not, the caller must add them.
    pub(super) fn reuse_file(&mut self, file: &FileRow, rows_hash: Digest, symbols: usize, chunks: usize) -> bool {
        let reused = self.previous.reuse_file(file, rows_hash).map(|before| {
            let id_offset = IdOffset {
                file: difference(self.next.file, before.row.file_id),
                chunk: difference(self.next.chunk, before.chunks.start),
                symbol: difference(self.next.symbol, before.symbols.start),
            };
            (before.chunks.clone(), before.symbols.clone(), id_offset)
        });
        self.next.file = self.next.file.plus(1);
        self.next.chunk = self.next.chunk.plus(chunks as u32);
        self.next.symbol = self.next.symbol.plus(symbols as u32);
        let Some((chunk_rows, symbol_rows, id_offset)) = reused else {
            self.chunks.push_added(chunks);
            self.symbols.push_added(symbols);
            return false;
        };
        self.chunks.push_reused(&self.previous.chunks.row_map, chunk_rows, id_offset);
        self.symbols.push_reused(&self.previous.symbols.row_map, symbol_rows, id_offset);
        true
    }

    /// Calls `each` for every chunk that is tombstoned by this generation, with its file and symbol, in batches.
    /// Returns the number of all tombstoned chunks, earlier ones included.
    pub(super) fn each_removed_chunk(
        &self,
        mut each: impl FnMut(&FileRow, &ChunkRow, Option<&SymbolRow>) -> Result<()>,
    ) -> Result<u32> {
        let mut removed_files: Vec<&PreviousFile> =
            self.previous.files.values().filter(|file| !file.is_reused).collect();
        removed_files.sort_unstable_by_key(|file| file.row.file_id);
        let (chunks, symbols) = (&self.previous.chunk_rows, &self.previous.symbol_rows);
        let mut removed = self.previous.removed;
        while !removed_files.is_empty() {
            let mut wanted = Vec::new();
            let taken = removed_files.iter().take_while(|file| {
                let fits = wanted.len() < REMOVED_BATCH_CHUNKS;
                if fits {
                    wanted.extend(ChunkId::range(file.chunks.clone()));
                }
                fits
            });
            let files: FxHashMap<FileId, &FileRow> = taken.map(|file| (file.row.file_id, &file.row)).collect();
            removed_files.drain(..files.len());
            let rows = chunks.rows(&wanted)?;
            let ids: Vec<SymbolId> = rows.iter().filter_map(|row| row.symbol_id).collect();
            let symbols_by_id: FxHashMap<SymbolId, SymbolRow> =
                symbols.rows(&ids)?.into_iter().map(|row| (row.symbol_id, row)).collect();
            for row in &rows {
                let file = files.get(&row.file_id);
                let file = file.ok_or_else(|| Error::damaged(&self.previous.root, "a chunk is of another file"))?;
                each(file, row, row.symbol_id.and_then(|id| symbols_by_id.get(&id)))?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Writes the row maps, after the documents have been committed.
    pub(super) fn finish(self, root: &Path, removed: u32) -> Result<()> {
        let (chunk_path, symbol_path) = (root.join(part::TEXT_CHUNKS), root.join(part::TEXT_SYMBOLS));
        let row_maps = StoredRowMaps {
            chunks: self.chunks.into_row_map::<ChunkId>(&chunk_path, &text::chunk_schema().0)?,
            symbols: self.symbols.into_row_map::<SymbolId>(&symbol_path, &text::symbol_schema().0)?,
            removed,
            generations: self.previous.generations + 1,
        };
        let text = serde_json::to_vec(&row_maps).map_err(std::io::Error::from)?;
        Ok(fs_err::write(root.join(part::TEXT_ROW_MAP), text)?)
    }
}
