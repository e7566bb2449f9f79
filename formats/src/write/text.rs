//! Chunks and symbols into the full-text index.
//!
//! One writer thread for each of the two indexes, one commit and no merges: the segments' borders
//! and contents then depend on nothing but the documents and the memory they may take.

use std::path::{Path, PathBuf};

use tantivy::indexer::NoMergePolicy;
use tantivy::schema::Schema;
use tantivy::{Index, IndexSettings, IndexWriter, TantivyDocument};

use crate::generation::part;
use crate::kinds::Kind;
use crate::names;
use crate::tables::{ChunkRow, FileRow, SymbolRow};
use crate::text::{self, ChunkFields, NONE, SymbolFields};
use crate::{Error, Result};

/// The two indexes of a generation that is being written.
pub struct TextWriter {
    root: PathBuf,
    chunks: IndexWriter,
    chunk: ChunkFields,
    symbols: IndexWriter,
    symbol: SymbolFields,
}

impl TextWriter {
    /// Creates both indexes; a segment is closed when it takes `memory` bytes.
    pub(super) fn create(root: &Path, memory: usize) -> Result<Self> {
        let (chunk_schema, chunk) = text::chunk_schema();
        let (symbol_schema, symbol) = text::symbol_schema();
        Ok(Self {
            root: root.to_owned(),
            chunks: create(&root.join(part::TEXT_CHUNKS), chunk_schema, memory)?,
            chunk,
            symbols: create(&root.join(part::TEXT_SYMBOLS), symbol_schema, memory / 2)?,
            symbol,
        })
    }

    /// Adds a chunk of a file, with the symbol that it is or whose block it is.
    pub(super) fn chunk(&self, file: &FileRow, chunk: &ChunkRow, symbol: Option<&SymbolRow>) -> Result<()> {
        let fields = &self.chunk;
        let mut document = TantivyDocument::default();
        if let Some(symbol) = symbol {
            // A block is found by its symbol's qualified name; the name and what describes the
            // symbol belong to the symbol's own chunk.
            document.add_text(fields.qualified_name, &symbol.qualified_name);
            if chunk.level == 1 {
                document.add_text(fields.name, &symbol.name);
                document.add_text(fields.signature, symbol.signature.as_deref().unwrap_or(""));
                document.add_text(fields.doc, symbol.doc.as_deref().unwrap_or(""));
            }
        }
        document.add_text(fields.path, &file.path);
        document.add_text(fields.body, &chunk.content);
        document.add_text(fields.repo, &file.repo);
        document.add_text(fields.file, &file.path);
        document.add_text(fields.language, &file.language);
        let id = |id: Option<u32>| id.map_or(NONE, u64::from);
        for (field, value) in [
            (fields.kind, u64::from(chunk.kind.code())),
            (fields.chunk_id, u64::from(chunk.chunk_id)),
            (fields.parent_id, id(chunk.parent_id)),
            (fields.file_id, u64::from(file.file_id)),
            (fields.symbol_id, id(chunk.symbol_id)),
            (fields.level, u64::from(chunk.level)),
            (fields.start_line, u64::from(chunk.start_line)),
            (fields.end_line, u64::from(chunk.end_line)),
            (fields.is_test, u64::from(file.is_test)),
        ] {
            document.add_u64(field, value);
        }
        self.chunks.add_document(document)?;
        Ok(())
    }

    /// Adds a symbol.
    pub(super) fn symbol(&self, symbol: &SymbolRow) -> Result<()> {
        let fields = &self.symbol;
        let mut document = TantivyDocument::default();
        let name = symbol.name.to_lowercase();
        let plain = names::plain(&name);
        if plain != name {
            document.add_text(fields.name, plain);
        }
        document.add_text(fields.name, name);
        if !matches!(symbol.kind, Kind::File | Kind::Section | Kind::Rule) {
            for path in names::paths(&symbol.qualified_name) {
                document.add_text(fields.paths, path);
            }
        }
        document.add_text(fields.words, &symbol.qualified_name);
        document.add_u64(fields.symbol_id, u64::from(symbol.symbol_id));
        document.add_u64(fields.chunk_id, symbol.chunk_id.map_or(NONE, u64::from));
        document.add_u64(fields.kind, u64::from(symbol.kind.code()));
        self.symbols.add_document(document)?;
        Ok(())
    }

    /// Finishes both indexes while something else is done: the last segments are laid out by one thread each, which
    /// takes about as long as resolving references.
    pub fn finish_beside<T, E: From<Error> + Send>(self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        std::thread::scope(|scope| {
            let text = scope.spawn(|| self.finish());
            let done = work();
            // The library's panics are met where those of other damage are.
            let text = text.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let done = done?;
            text?;
            Ok(done)
        })
    }

    /// Commits both indexes and removes what only a writer needs.
    fn finish(self) -> Result<()> {
        for mut writer in [self.chunks, self.symbols] {
            writer.commit()?;
            writer.wait_merging_threads()?;
        }
        for folder in [part::TEXT_CHUNKS, part::TEXT_SYMBOLS] {
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

fn create(path: &Path, schema: Schema, memory: usize) -> Result<IndexWriter> {
    fs_err::create_dir_all(path)?;
    let directory = tantivy::directory::MmapDirectory::open(path).map_err(tantivy::TantivyError::from)?;
    let mut index = Index::create(directory, schema, IndexSettings::default())?;
    index.set_tokenizers(text::tokenizers());
    let writer = index.writer_with_num_threads(1, memory)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    Ok(writer)
}
