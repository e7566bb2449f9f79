//! The full-text index: two tantivy indexes, `text/chunks` and `text/symbols`, with one document for each chunk or
//! symbol. Their fast fields describe a candidate to a query without access to a table.
//!
//! This module defines the schemas and opens the indexes read-only. The crate `sextant-writer` writes them, queries
//! read them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{Index, IndexReader, ReloadPolicy};

pub use crate::row_map::{DocRun, DocumentId, IdOffset, RowDocMap, StoredRowMap, StoredRowMaps, StoredRun};
use crate::tokens::CodeTokenizer;
use crate::{Error, Result};

/// The name under which the code tokenizer is registered.
pub const TOKENIZER: &str = "sextant-code";

/// Value of an id's fast field if there is no such symbol, parent or chunk.
const NO_ID: u64 = u32::MAX as u64;

/// The value of an id's fast field.
#[must_use]
pub fn encode_id<I: DocumentId>(id: Option<I>) -> u64 {
    id.map_or(NO_ID, |id| u64::from(id.row()))
}

/// The id in a fast field, with the offset to this generation's ids added; none if it is out of range, too.
#[must_use]
pub fn decode_id<I: DocumentId>(stored: u64, offset: IdOffset) -> Option<I> {
    if stored == NO_ID {
        return None;
    }
    let row = i64::try_from(stored).ok()?.checked_add(I::offset(offset))?;
    u32::try_from(row).ok().map(I::from_row)
}

fn code_text() -> TextOptions {
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_index_option(IndexRecordOption::WithFreqs)
            .set_fieldnorms(true),
    )
}

/// The fields of `text/chunks`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields are documented in SPEC.md, and their names are the columns'")]
pub struct ChunkFields {
    pub name: Field,
    pub qualified_name: Field,
    pub path: Field,
    pub signature: Field,
    pub doc: Field,
    pub body: Field,
    pub repo: Field,
    pub file: Field,
    pub language: Field,
    pub kind: Field,
    pub chunk_id: Field,
    pub parent_id: Field,
    pub file_id: Field,
    pub symbol_id: Field,
    pub level: Field,
    pub start_line: Field,
    pub end_line: Field,
    pub is_test: Field,
}

/// The schema of `text/chunks`.
#[must_use]
pub fn chunk_schema() -> (Schema, ChunkFields) {
    let mut schema = Schema::builder();
    let fields = ChunkFields {
        name: schema.add_text_field("name", code_text()),
        qualified_name: schema.add_text_field("qualified_name", code_text()),
        path: schema.add_text_field("path", code_text()),
        signature: schema.add_text_field("signature", code_text()),
        doc: schema.add_text_field("doc", code_text()),
        body: schema.add_text_field("body", code_text()),
        repo: schema.add_text_field("repo", STRING | FAST),
        file: schema.add_text_field("file", STRING | FAST),
        language: schema.add_text_field("language", STRING | FAST),
        kind: schema.add_u64_field("kind", INDEXED | FAST),
        chunk_id: schema.add_u64_field("chunk_id", FAST),
        parent_id: schema.add_u64_field("parent_id", FAST),
        file_id: schema.add_u64_field("file_id", FAST),
        symbol_id: schema.add_u64_field("symbol_id", FAST),
        level: schema.add_u64_field("level", FAST),
        start_line: schema.add_u64_field("start_line", FAST),
        end_line: schema.add_u64_field("end_line", FAST),
        is_test: schema.add_u64_field("is_test", FAST),
    };
    (schema.build(), fields)
}

/// The fields of `text/symbols`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields are documented in SPEC.md, and their names are the columns'")]
pub struct SymbolFields {
    pub name: Field,
    pub paths: Field,
    pub words: Field,
    pub symbol_id: Field,
    pub chunk_id: Field,
    pub kind: Field,
}

/// The schema of `text/symbols`.
#[must_use]
pub fn symbol_schema() -> (Schema, SymbolFields) {
    let mut schema = Schema::builder();
    let fields = SymbolFields {
        name: schema.add_text_field("name", STRING),
        paths: schema.add_text_field("paths", STRING),
        words: schema.add_text_field("words", code_text()),
        symbol_id: schema.add_u64_field("symbol_id", FAST),
        chunk_id: schema.add_u64_field("chunk_id", FAST),
        kind: schema.add_u64_field("kind", FAST),
    };
    (schema.build(), fields)
}

/// The tokenizers that both schemas use.
#[must_use]
pub fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(TOKENIZER, CodeTokenizer::default());
    manager
}

/// Opens one of the indexes for reading: takes no lock file, starts no watcher and writes nothing.
///
/// # Errors
/// The index cannot be read, is damaged, or has another schema.
pub fn open(path: &Path, expected: &Schema) -> Result<(Index, IndexReader)> {
    let damaged = |error: &dyn fmt::Display| Error::damaged(path, error.to_string());
    let directory = ReadOnlyDirectory::open(path)?;
    let mut index = Index::open(directory).map_err(|error| damaged(&error))?;
    if index.schema() != *expected {
        return Err(damaged(&"it has another schema"));
    }
    index.set_tokenizers(tokenizers());
    let reader: IndexReader =
        index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(|error| damaged(&error))?;
    // The number of documents of a segment is only declared, and searches allocate memory for that many. The field
    // norms have one byte for each document, so they verify the number.
    let normed_field = expected.fields().find(|(_, entry)| entry.has_fieldnorms()).map(|(field, _)| field);
    if let Some(field) = normed_field {
        for segment in reader.searcher().segment_readers() {
            let lengths = segment.get_fieldnorms_reader(field).map_err(|error| damaged(&error))?.num_docs();
            if lengths != segment.max_doc() {
                let declared = segment.max_doc();
                return Err(damaged(&format!(
                    "a segment declares {declared} documents and has field norms of {lengths}"
                )));
            }
        }
    }
    Ok((index, reader))
}

/// Calls `each` for each word of the text of chunks in each segment of an index of chunks, with the number of chunks of
/// the segment that contain it, tombstoned ones too.
///
/// # Errors
/// The index cannot be read, or is damaged.
pub fn each_word(path: &Path, mut each: impl FnMut(&str, u64)) -> Result<()> {
    let damaged = |error: &dyn fmt::Display| Error::damaged(path, error.to_string());
    let (schema, ChunkFields { body, .. }) = chunk_schema();
    let (_, reader) = open(path, &schema)?;
    for segment in reader.searcher().segment_readers() {
        let words = segment.inverted_index(body).map_err(|error| damaged(&error))?;
        let mut words = words.terms().stream().map_err(|error| damaged(&error))?;
        while words.advance() {
            if let Ok(word) = std::str::from_utf8(words.key()) {
                each(word, u64::from(words.value().doc_freq));
            }
        }
    }
    Ok(())
}

/// A directory that refuses writes, so that read-only media and shared indexes work: tantivy's own readers create a
/// lock file.
#[derive(Clone)]
struct ReadOnlyDirectory {
    root: PathBuf,
    inner: MmapDirectory,
}

impl ReadOnlyDirectory {
    fn open(root: &Path) -> Result<Self> {
        let inner = MmapDirectory::open(root).map_err(|error| Error::damaged(root, error))?;
        Ok(Self { root: root.to_owned(), inner })
    }

    fn read_only_error(&self) -> std::io::Error {
        let what = format!("{} is opened read-only", self.root.display());
        std::io::Error::new(std::io::ErrorKind::PermissionDenied, what)
    }
}

impl fmt::Debug for ReadOnlyDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadOnlyDirectory({})", self.root.display())
    }
}

impl Directory for ReadOnlyDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(self.read_only_error()), filepath: path.to_owned() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::IoError { io_error: Arc::new(self.read_only_error()), filepath: path.to_owned() })
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> std::io::Result<()> {
        Err(self.read_only_error())
    }

    fn sync_directory(&self) -> std::io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
