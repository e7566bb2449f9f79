//! Reuse of an earlier generation's text index: the documents of unchanged files.
//!
//! Segments are immutable and reused as a whole. Documents of deleted or changed files stay in them as tombstones
//! without a row. `text/removed` contains copies of these, so that their share of the term statistics can be subtracted
//! and words have the same weight as in a fresh index. This module must not know the contents of documents.

use std::ops::Range;
use std::path::Path;

use rustc_hash::FxHashMap;
use tantivy::schema::Schema;

use crate::previous::{PreviousFile, PreviousGeneration};
use crate::previous_text::{PreviousSegments, PreviousText};
use crate::{Error, Result};
use sextant_format::generation::part;
use sextant_format::ids::{ChunkId, FileId, FirstIds, RowId, SymbolId};
use sextant_format::publish::link_or_copy_file;
use sextant_format::tables::{ChunkRow, FileRow, SymbolRow};
use sextant_text::index::{self as text, DocumentId, IdOffset, RowDocMap, StoredRowMap, StoredRowMaps};

/// Chunks that are read at once when tombstoned documents are copied to `text/removed`.
const REMOVED_BATCH_CHUNKS: usize = 4096;

/// Reuse of a text index's segments while a generation is written.
pub(super) struct SegmentReuse {
    previous: PreviousText,
    /// The generation with the rows of removed documents; none until all files are written.
    rows: Option<PreviousGeneration>,
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
    pub(super) fn create(previous: PreviousText, root: &Path) -> Result<Self> {
        let (chunks, symbols) = (RowMapBuilder::new(&previous.chunks), RowMapBuilder::new(&previous.symbols));
        for part in [part::TEXT_CHUNKS, part::TEXT_SYMBOLS, part::TEXT_REMOVED] {
            let inside = |path: &&String| path.rsplit_once('/').is_some_and(|(folder, _)| folder == part);
            for path in previous.files.iter().filter(inside) {
                fs_err::create_dir_all(root.join(part))?;
                if path.ends_with("/meta.json") {
                    // The list of segments is replaced, whereas the segments themselves are never written to.
                    fs_err::write(root.join(path), fs_err::read(previous.root.join(path))?)?;
                } else {
                    link_or_copy_file(&previous.root, root, path)?;
                }
            }
        }
        Ok(Self { previous, rows: None, chunks, symbols, next: FirstIds::default() })
    }

    /// Registers the next file with its numbers of symbols and chunks. The documents of `previous` are reused; without
    /// it, the caller must add them.
    pub(super) fn push_file(&mut self, previous: Option<&PreviousFile>, symbols: usize, chunks: usize) {
        match previous {
            Some(before) => {
                let id_offset = IdOffset {
                    file: difference(self.next.file, before.row.file_id),
                    chunk: difference(self.next.chunk, before.chunks.start),
                    symbol: difference(self.next.symbol, before.symbols.start),
                };
                self.chunks.push_reused(&self.previous.chunks.row_map, before.chunks.clone(), id_offset);
                self.symbols.push_reused(&self.previous.symbols.row_map, before.symbols.clone(), id_offset);
            }
            None => {
                self.chunks.push_added(chunks);
                self.symbols.push_added(symbols);
            }
        }
        self.next.file = self.next.file.plus(1);
        self.next.chunk = self.next.chunk.plus(chunks as u32);
        self.next.symbol = self.next.symbol.plus(symbols as u32);
    }

    /// Ends the files of a generation that reuses those of `previous`.
    pub(super) fn end_files(&mut self, previous: PreviousGeneration) {
        self.rows = Some(previous);
    }

    /// Calls `each` for every chunk that is tombstoned by this generation, with its file and symbol, in batches.
    /// Returns the number of all tombstoned chunks, earlier ones included.
    pub(super) fn each_removed_chunk(
        &self,
        mut each: impl FnMut(&FileRow, &ChunkRow, Option<&SymbolRow>) -> Result<()>,
    ) -> Result<u32> {
        let mut removed = self.previous.removed;
        let Some(rows) = &self.rows else { return Ok(removed) };
        let mut removed_files: Vec<&PreviousFile> = rows.files.values().filter(|file| !file.is_reused).collect();
        removed_files.sort_unstable_by_key(|file| file.row.file_id);
        let (chunks, symbols) = (&rows.chunk_rows, &rows.symbol_rows);
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

    /// The number of documents of chunks in the earlier generation, tombstoned ones included.
    pub(super) fn documents(&self) -> u64 {
        self.previous.chunks.documents.iter().sum()
    }

    /// The row maps, after the documents have been committed.
    pub(super) fn row_maps(self, root: &Path, removed: u32) -> Result<StoredRowMaps> {
        let (chunk_path, symbol_path) = (root.join(part::TEXT_CHUNKS), root.join(part::TEXT_SYMBOLS));
        Ok(StoredRowMaps {
            chunks: self.chunks.into_row_map::<ChunkId>(&chunk_path, &text::chunk_schema().0)?,
            symbols: self.symbols.into_row_map::<SymbolId>(&symbol_path, &text::symbol_schema().0)?,
            removed,
            generations: self.previous.generations.saturating_add(1),
        })
    }
}
