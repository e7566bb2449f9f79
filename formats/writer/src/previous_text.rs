//! The text index of an earlier generation: whether it can be reused, and what is in it.

use std::path::{Path, PathBuf};

use tantivy::schema::Schema;

use crate::joining::are_too_many;
use crate::{Error, Result};
use sextant_format::generation::{Generation, part};
use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::tables::{ChunkRow, Row as _, SymbolRow};
use sextant_text::index::{self as text, DocumentId, RowDocMap, StoredRowMap, StoredRowMaps};

/// Tombstoned documents for each hundred live ones above which a text index is rewritten: every search reads them, and
/// they take up space.
const MAX_TOMBSTONED_PERCENT: u64 = 20;
/// The text index of an earlier generation, whose segments can be reused.
pub(crate) struct PreviousText {
    pub(crate) root: PathBuf,
    pub(crate) chunks: PreviousSegments<ChunkId>,
    pub(crate) symbols: PreviousSegments<SymbolId>,
    /// Number of documents in the index of tombstoned chunks.
    pub(crate) removed: u32,
    pub(crate) generations: u32,
    /// Paths of its files, relative to the generation.
    pub(crate) files: Vec<String>,
}

/// One of the two text indexes of the earlier generation.
pub(crate) struct PreviousSegments<I> {
    pub(crate) row_map: RowDocMap<I>,
    pub(crate) segments: Vec<String>,
    /// Number of documents of each, tombstoned ones included.
    pub(crate) documents: Vec<u64>,
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
            documents: readers.iter().map(|reader| u64::from(reader.max_doc())).collect(),
        })
    }

    /// Number of tombstoned documents.
    fn tombstoned(&self) -> u64 {
        let all: u64 = self.documents.iter().sum();
        all - self.row_map.documents().min(all)
    }

    fn needs_compaction(&self) -> bool {
        let has_tombstones = self.tombstoned() * 100 > self.row_map.documents() * MAX_TOMBSTONED_PERCENT;
        has_tombstones || are_too_many(&self.documents)
    }
}

impl PreviousText {
    /// Opens the text index of a generation that was built with the same settings. None if it needs compaction.
    ///
    /// # Errors
    /// The generation cannot be read, or is damaged.
    pub(crate) fn open(generation: &Generation) -> Result<Option<Self>> {
        let manifest = generation.manifest();
        let row_maps = StoredRowMaps::read(generation)?;
        let (chunk_schema, symbol_schema) = (text::chunk_schema().0, text::symbol_schema().0);
        let stored = row_maps.as_ref().map(|row_maps| (&row_maps.chunks, &row_maps.symbols)).unzip();
        let (chunk_rows, symbol_rows) = (manifest.rows(ChunkRow::TABLE), manifest.rows(SymbolRow::TABLE));
        let chunks = PreviousSegments::open(&generation.path(part::TEXT_CHUNKS), &chunk_schema, stored.0, chunk_rows)?;
        let symbols =
            PreviousSegments::open(&generation.path(part::TEXT_SYMBOLS), &symbol_schema, stored.1, symbol_rows)?;
        let (removed, generations) =
            row_maps.as_ref().map_or((0, 0), |row_maps| (row_maps.removed, row_maps.generations));
        if chunks.needs_compaction() || symbols.needs_compaction() {
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
        let is_text = |path: &String| path.starts_with("text/") && path != part::TEXT_ROW_MAP;
        let files = manifest.files.iter().map(|entry| entry.path.clone()).filter(is_text).collect();
        let root = generation.root().to_owned();
        Ok(Some(Self { root, chunks, symbols, removed, generations, files }))
    }
}
