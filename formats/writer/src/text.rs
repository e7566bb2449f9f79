//! Writes chunks and symbols into the full-text index.
//!
//! Each of the two indexes has one writer thread, one commit and no merges: segments then depend only on the documents,
//! on the memory limit, and on the segments that are reused ([`segment_reuse`](super::segment_reuse)).

use std::path::{Path, PathBuf};

use tantivy::index::SegmentId;
use tantivy::indexer::NoMergePolicy;
use tantivy::schema::Schema;
use tantivy::{Index, IndexWriter, TantivyDocument};

use super::previous::{PreviousFile, PreviousGeneration};
use super::previous_text::PreviousText;
use super::segment_reuse::SegmentReuse;
use crate::joining::segments_to_join;
use crate::{Error, Result};
use sextant_format::background::{BackgroundWriter, BatchLimits};
use sextant_format::generation::part;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_format::names;
use sextant_format::tables::{ChunkRow, FileRow, SymbolRow};
use sextant_text::index::{self as text, ChunkFields, SymbolFields, encode_id};

/// Memory of the full-text writer, in bytes; more memory produces fewer segments.
pub const TEXT_MEMORY: usize = 256 << 20;

/// Writer of the two text indexes of a generation.
pub struct TextWriter {
    root: PathBuf,
    chunks: DocumentWriter,
    chunk_fields: ChunkFields,
    symbols: DocumentWriter,
    symbol_fields: SymbolFields,
    /// Segment reuse; none for a fresh index.
    reuse: Option<SegmentReuse>,
    memory: usize,
}

/// Adds documents to an index on a background thread.
type DocumentWriter = BackgroundWriter<TantivyDocument, IndexWriter, Error>;

/// Number of documents and weighed bytes in a batch. An index accepts no documents while it writes a segment, which
/// takes a second or two; queued batches keep their producer from waiting.
const BATCH_LIMITS: (usize, usize) = (1 << 10, 256 << 10);
/// Maximum number of queued batches if the writer has [`TEXT_MEMORY`]; fewer if it has less.
const MAX_QUEUED_BATCHES: usize = 48;

/// Estimated bytes of a document in addition to its longest text.
const DOCUMENT_OVERHEAD_BYTES: usize = 600;

/// The document of a chunk; `symbol` is the symbol whose text or block it is.
fn chunk_document(
    fields: &ChunkFields,
    file: &FileRow,
    chunk: &ChunkRow,
    symbol: Option<&SymbolRow>,
) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    if let Some(symbol) = symbol {
        // A block is found by its symbol's qualified name; name, signature and documentation belong to the symbol's own
        // chunk.
        document.add_text(fields.qualified_name, &symbol.qualified_name);
        if chunk.level == 1 {
            document.add_text(fields.name, &symbol.name);
            document.add_text(fields.signature, symbol.signature.as_deref().unwrap_or(""));
            document.add_text(fields.doc, symbol.doc.as_deref().unwrap_or(""));
        }
    }
    // A second value of the same field: what a language model says is documentation.
    if let Some(text) = chunk.enrichment_text() {
        document.add_text(fields.doc, text);
    }
    document.add_text(fields.path, &file.path);
    document.add_text(fields.body, &chunk.content);
    document.add_text(fields.repo, &file.repo);
    document.add_text(fields.file, &file.path);
    document.add_text(fields.language, &file.language);
    for (field, value) in [
        (fields.kind, u64::from(chunk.kind.code())),
        (fields.chunk_id, u64::from(chunk.chunk_id)),
        (fields.parent_id, encode_id(chunk.parent_id)),
        (fields.file_id, u64::from(file.file_id)),
        (fields.symbol_id, encode_id(chunk.symbol_id)),
        (fields.level, u64::from(chunk.level)),
        (fields.start_line, u64::from(chunk.start_line)),
        (fields.end_line, u64::from(chunk.end_line)),
        (fields.is_test, u64::from(file.is_test)),
    ] {
        document.add_u64(field, value);
    }
    document
}

impl TextWriter {
    /// Creates both indexes; a segment is closed when it uses `memory` bytes.
    pub(super) fn create(root: &Path, memory: usize, previous: Option<PreviousText>) -> Result<Self> {
        let reuse = previous.map(|previous| SegmentReuse::create(previous, root)).transpose()?;
        let (chunk_schema, chunk_fields) = text::chunk_schema();
        let (symbol_schema, symbol_fields) = text::symbol_schema();
        Ok(Self {
            root: root.to_owned(),
            chunks: document_writer(index_writer(&root.join(part::TEXT_CHUNKS), chunk_schema, memory)?, memory)?,
            chunk_fields,
            symbols: document_writer(index_writer(&root.join(part::TEXT_SYMBOLS), symbol_schema, memory / 2)?, memory)?,
            symbol_fields,
            reuse,
            memory,
        })
    }

    /// The features that a reader of the generation must support: the row map, if segments are reused.
    #[must_use]
    pub fn reader_features(&self) -> Vec<String> {
        self.reuse.iter().map(|_| sextant_format::manifest::TEXT_ROW_MAP.to_owned()).collect()
    }

    /// Adds a file's chunks and symbols, unless their documents are reused. `previous` is the file whose rows it has.
    pub(super) fn push_file(
        &mut self,
        file: &FileRow,
        previous: Option<&PreviousFile>,
        symbols: &[SymbolRow],
        chunks: &[ChunkRow],
    ) -> Result<()> {
        let first_symbol = symbols.first().map_or(SymbolId::default(), |symbol| symbol.symbol_id);
        let symbol_of = |id: SymbolId| id.rows_after(first_symbol).and_then(|at| symbols.get(at as usize));
        let wrong = || Error::damaged(Path::new(&file.path), "a chunk refers to a symbol of another file");
        let symbol_of_chunk = |chunk: &ChunkRow| chunk.symbol_id.map(|id| symbol_of(id).ok_or_else(wrong)).transpose();
        self.place_file(previous, symbols.len(), chunks.len());
        if previous.is_some() {
            return chunks.iter().try_for_each(|chunk| symbol_of_chunk(chunk).map(drop));
        }
        for chunk in chunks {
            let document = chunk_document(&self.chunk_fields, file, chunk, symbol_of_chunk(chunk)?);
            self.chunks.push(document, DOCUMENT_OVERHEAD_BYTES + chunk.content.len())?;
        }
        symbols.iter().try_for_each(|symbol| self.push_symbol(symbol))
    }

    /// Registers a file with its numbers of symbols and chunks; `previous` is the file whose documents it has.
    pub(super) fn place_file(&mut self, previous: Option<&PreviousFile>, symbols: usize, chunks: usize) {
        if let Some(reuse) = &mut self.reuse {
            reuse.push_file(previous, symbols, chunks);
        }
    }

    /// Ends the files. The documents of those of the previous generation that were not reused are tombstones from now on.
    pub(super) fn end_files(&mut self, previous: PreviousGeneration) {
        if let Some(reuse) = &mut self.reuse {
            reuse.end_files(previous);
        }
    }

    /// Adds the document of a symbol.
    fn push_symbol(&mut self, symbol: &SymbolRow) -> Result<()> {
        let fields = &self.symbol_fields;
        let mut document = TantivyDocument::default();
        let name = symbol.name.to_lowercase();
        let plain = names::strip_punctuation(&name);
        if plain != name {
            document.add_text(fields.name, plain);
        }
        document.add_text(fields.name, name);
        if !matches!(symbol.kind, Kind::File | Kind::Section | Kind::Rule) {
            for path in names::qualified_suffixes(&symbol.qualified_name) {
                document.add_text(fields.paths, path);
            }
        }
        document.add_text(fields.words, &symbol.qualified_name);
        document.add_u64(fields.symbol_id, u64::from(symbol.symbol_id));
        document.add_u64(fields.chunk_id, encode_id(symbol.chunk_id));
        document.add_u64(fields.kind, u64::from(symbol.kind.code()));
        self.symbols.push(document, DOCUMENT_OVERHEAD_BYTES + symbol.qualified_name.len())
    }

    /// Finishes both indexes while `work` runs: one thread each writes the last segments, which takes about as long as
    /// resolving references.
    ///
    /// # Errors
    /// `work` fails, or an index cannot be written.
    pub fn finish_concurrently<T, E: From<Error> + Send>(self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        std::thread::scope(|scope| {
            let text = scope.spawn(|| self.finish());
            let done = work();
            // Panics of the library are handled by the caller, like those of other damaged input.
            let text = text.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let done = done?;
            text?;
            Ok(done)
        })
    }

    /// Commits both indexes and removes files that only a writer needs.
    fn finish(self) -> Result<()> {
        let (mut chunks, mut symbols) = (self.chunks.finish()?, self.symbols.finish()?);
        chunks.commit()?;
        symbols.commit()?;
        if let Some(reuse) = self.reuse {
            let removed = write_removed(&reuse, &self.root.join(part::TEXT_REMOVED), self.memory)?;
            let mut row_maps = reuse.row_maps(&self.root, removed)?;
            let parts = [
                (&mut chunks, part::TEXT_CHUNKS, &mut row_maps.chunks),
                (&mut symbols, part::TEXT_SYMBOLS, &mut row_maps.symbols),
            ];
            for (writer, part, row_map) in parts {
                if let Some(Joined { segments, into }) = join_small(writer, &self.root.join(part), None)? {
                    *row_map = std::mem::take(row_map).with_joined(&segments, into);
                }
            }
            let text = serde_json::to_vec(&row_maps).map_err(std::io::Error::from)?;
            fs_err::write(self.root.join(part::TEXT_ROW_MAP), text)?;
        }
        chunks.wait_merging_threads()?;
        symbols.wait_merging_threads()?;
        for folder in [part::TEXT_CHUNKS, part::TEXT_SYMBOLS, part::TEXT_REMOVED] {
            for name in [".managed.json", ".tantivy-meta.lock", ".tantivy-writer.lock"] {
                let path = self.root.join(folder).join(name);
                if path.exists() {
                    fs_err::remove_file(path)?;
                }
            }
        }
        Ok(())
    }
}

/// Adds the newly tombstoned chunks to `text/removed`. Returns the number of documents it then has.
fn write_removed(reuse: &SegmentReuse, path: &Path, memory: usize) -> Result<u32> {
    let (schema, fields) = text::chunk_schema();
    let mut open: Option<IndexWriter> = None;
    let removed = reuse.each_removed_chunk(|file, chunk, symbol| {
        if open.is_none() {
            open = Some(index_writer(path, schema.clone(), memory)?);
        }
        if let Some(open) = &open {
            open.add_document(chunk_document(&fields, file, chunk, symbol))?;
        }
        Ok(())
    })?;
    if let Some(mut open) = open {
        open.commit()?;
        join_small(&mut open, path, Some(reuse.documents()))?;
        open.wait_merging_threads()?;
    }
    Ok(removed)
}

/// Segments that became one.
struct Joined {
    /// Their ids and numbers of documents, in the order in which it has their documents.
    segments: Vec<(String, u32)>,
    /// Its id.
    into: String,
}

/// Makes one segment of the small ones of an index, if there are many; small is what is so beside `total` documents, by
/// default those of the index. Documents keep their order, and none is deleted: tombstones are only known elsewhere.
fn join_small(writer: &mut IndexWriter, path: &Path, total: Option<u64>) -> Result<Option<Joined>> {
    let segments = writer.index().searchable_segment_metas()?;
    let rows: Vec<u64> = segments.iter().map(|segment| u64::from(segment.max_doc())).collect();
    let joined = segments_to_join(&rows, total.unwrap_or_else(|| rows.iter().sum()));
    if joined.is_empty() {
        return Ok(None);
    }
    let ids: Vec<SegmentId> = joined.iter().map(|&at| segments[at].id()).collect();
    let merged = writer.merge(&ids).wait()?;
    let documents: u64 = joined.iter().map(|&at| rows[at]).sum();
    let merged = merged.filter(|merged| u64::from(merged.max_doc()) == documents);
    let merged = merged.ok_or_else(|| Error::damaged(path, "segments lost documents when they became one"))?;
    let names: Vec<(String, u32)> =
        joined.iter().map(|&at| (segments[at].id().uuid_string(), segments[at].max_doc())).collect();
    // The library deletes only files that it wrote, not those that are linked from an earlier generation.
    for entry in fs_err::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_joined = |(id, _): &(String, u32)| name.to_string_lossy().starts_with(id.as_str());
        if names.iter().any(is_joined) {
            fs_err::remove_file(entry.path())?;
        }
    }
    Ok(Some(Joined { segments: names, into: merged.id().uuid_string() }))
}

/// Opens a writer of the index in a folder, which is created if it is missing.
fn index_writer(path: &Path, schema: Schema, memory: usize) -> Result<IndexWriter> {
    fs_err::create_dir_all(path)?;
    let directory = tantivy::directory::MmapDirectory::open(path).map_err(tantivy::TantivyError::from)?;
    let mut index = Index::open_or_create(directory, schema)?;
    index.set_tokenizers(text::tokenizers());
    let writer = index.writer_with_num_threads(1, memory)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    Ok(writer)
}

/// Starts a thread that passes documents to a writer. `memory` is the memory limit of the text index.
fn document_writer(mut writer: IndexWriter, memory: usize) -> Result<DocumentWriter> {
    let (items, bytes) = BATCH_LIMITS;
    let batches = BatchLimits { items, bytes, max_queued: memory.div_ceil(TEXT_MEMORY / MAX_QUEUED_BATCHES) };
    BackgroundWriter::start("documents", batches, move |batches| {
        for document in batches.flatten() {
            if let Err(ended) = writer.add_document(document) {
                // A thread of the library has ended. Waiting for it returns the cause, such as a full disk.
                return Err(writer.commit().err().unwrap_or(ended).into());
            }
        }
        Ok(writer)
    })
}
