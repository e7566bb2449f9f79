//! Facts about chunks and symbols from the fast fields of the text indexes, without reading a table.
//!
//! A [`RowDocMap`] maps an id to its document and back.

use std::ops::Range;
use std::path::Path;

use sextant_format::ids::{ChunkId, FileId, SymbolId};
use sextant_format::kinds::Kind;
use sextant_text::index::{DocumentId, IdOffset, RowDocMap, StoredRowMap, decode_id};
use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocId, Searcher};

use crate::{Error, Result};

/// Blocks around a block that are followed.
const MAX_NESTED_BLOCKS: usize = 64;

/// The facts about a chunk that ranking needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkInfo {
    /// Its id.
    pub chunk_id: ChunkId,
    /// Its file.
    pub file_id: FileId,
    /// Its symbol.
    pub symbol_id: Option<SymbolId>,
    /// The chunk it belongs to.
    pub parent_id: Option<ChunkId>,
    /// 1 or 2.
    pub level: u8,
    /// Its kind.
    pub kind: Kind,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Whether it is test code.
    pub is_test: bool,
}

/// What kind of chunk a chunk is, and how long.
#[derive(Clone, Copy)]
pub(crate) struct ChunkShape {
    pub(crate) level: u8,
    pub(crate) kind: Kind,
    /// The number of its lines.
    pub(crate) lines: u32,
}

/// A catalog with a map between ids and documents.
pub(crate) trait HasRowDocMap {
    /// What identifies a row.
    type Id: DocumentId;

    /// The map between ids and documents.
    fn row_doc_map(&self) -> &RowDocMap<Self::Id>;
}

/// Defines columns by their names; a column's number follows from its position.
macro_rules! columns {
    ($Name:ident: $($column:ident = $name:literal,)*) => {
        #[derive(Clone, Copy)]
        enum $Name { $($column,)* }

        impl $Name {
            const NAMES: &'static [&'static str] = &[$($name,)*];
        }
    };
}

/// The fast fields of documents, by id.
struct FastFields<I> {
    row_doc_map: RowDocMap<I>,
    /// The columns by segment.
    columns: Vec<Vec<Column<u64>>>,
    strings: Vec<Vec<StrColumn>>,
}

/// A document, and the offset to add to the ids in its columns.
#[derive(Clone, Copy)]
struct DocLocation {
    segment: usize,
    document: DocId,
    id_offset: IdOffset,
}

impl<I: DocumentId> FastFields<I> {
    /// Opens the named columns.
    fn open(
        searcher: &Searcher,
        columns: &[&str],
        strings: &[&str],
        order: Option<&StoredRowMap>,
        path: &Path,
    ) -> Result<Self> {
        let mut opened = Vec::new();
        let mut texts = Vec::new();
        for reader in searcher.segment_readers() {
            let fast = reader.fast_fields();
            opened.push(columns.iter().map(|name| fast.u64(name)).collect::<tantivy::Result<_>>()?);
            let string_column =
                |name: &&str| fast.str(name)?.ok_or_else(|| damaged(&format!("the column {name} is missing")));
            texts.push(strings.iter().map(string_column).collect::<tantivy::Result<_>>()?);
        }
        let row_doc_map = RowDocMap::open(searcher, order, path)?;
        Ok(Self { row_doc_map, columns: opened, strings: texts })
    }

    /// The document of an id.
    fn find(&self, id: I) -> Option<DocLocation> {
        let (ordinal, document, id_offset) = self.row_doc_map.find(id)?;
        Some(DocLocation { segment: ordinal as usize, document, id_offset })
    }

    /// The value of a document in a column; `None` if it has none.
    fn value(&self, doc: DocLocation, column: usize) -> Option<u64> {
        self.columns[doc.segment][column].first(doc.document)
    }

    /// The id of a document in a column; `None` if it has none.
    fn id<C: DocumentId>(&self, doc: DocLocation, column: usize) -> Option<C> {
        decode_id(self.value(doc, column)?, doc.id_offset)
    }

    fn text(&self, doc: DocLocation, column: usize) -> Result<String> {
        let mut text = String::new();
        let strings = &self.strings[doc.segment][column];
        if let Some(ord) = strings.term_ords(doc.document).next() {
            strings.ord_to_str(ord, &mut text).map_err(tantivy::TantivyError::from)?;
        }
        Ok(text)
    }
}

fn damaged(message: &str) -> tantivy::TantivyError {
    tantivy::TantivyError::SchemaError(message.to_owned())
}

/// The fast fields of chunks.
pub(crate) struct ChunkCatalog {
    fast_fields: FastFields<ChunkId>,
}

columns! {
    ChunkColumn:
    FileId = "file_id",
    SymbolId = "symbol_id",
    ParentId = "parent_id",
    Level = "level",
    Kind = "kind",
    StartLine = "start_line",
    EndLine = "end_line",
    IsTest = "is_test",
}
columns! {
    ChunkText:
    File = "file",
    Repo = "repo",
    Language = "language",
}

impl ChunkCatalog {
    /// Opens the columns.
    pub(crate) fn open(searcher: &Searcher, order: Option<&StoredRowMap>, path: &Path) -> Result<Self> {
        Ok(Self { fast_fields: FastFields::open(searcher, ChunkColumn::NAMES, ChunkText::NAMES, order, path)? })
    }

    /// The chunk of level 1 around a chunk, or the chunk itself if it is one. Blocks in blocks have the same level.
    pub(crate) fn outermost(&self, chunk: ChunkInfo) -> Result<ChunkInfo> {
        let mut outermost = chunk;
        for _ in 0..MAX_NESTED_BLOCKS {
            let Some(parent) = outermost.parent_id.filter(|_| outermost.level > 1) else { break };
            let outer = self.info(parent)?;
            // In an index that is damaged, a parent may be anything.
            if outer.level > outermost.level || outer.file_id != chunk.file_id {
                break;
            }
            outermost = outer;
        }
        Ok(outermost)
    }

    /// Returns the facts about a chunk.
    pub(crate) fn info(&self, chunk_id: ChunkId) -> Result<ChunkInfo> {
        let doc = self.find(chunk_id)?;
        let value = |column: ChunkColumn| self.fast_fields.value(doc, column as usize);
        let line = |column| {
            let line = value(column).and_then(|line| u32::try_from(line).ok());
            line.ok_or_else(|| Error::Text(damaged("a chunk has no lines")))
        };
        let code = |column| value(column).and_then(|code| u8::try_from(code).ok());
        let kind = code(ChunkColumn::Kind).and_then(Kind::from_code);
        Ok(ChunkInfo {
            chunk_id,
            file_id: self.fast_fields.id(doc, ChunkColumn::FileId as usize).unwrap_or_default(),
            symbol_id: self.symbol(doc),
            parent_id: self.fast_fields.id(doc, ChunkColumn::ParentId as usize),
            level: code(ChunkColumn::Level).unwrap_or(1),
            kind: kind.ok_or_else(|| Error::Text(damaged("a chunk has an unknown kind")))?,
            start_line: line(ChunkColumn::StartLine)?,
            end_line: line(ChunkColumn::EndLine)?,
            is_test: value(ChunkColumn::IsTest) == Some(1),
        })
    }

    /// Returns the level, the kind, and the number of lines of a chunk.
    pub(crate) fn shape(&self, chunk_id: ChunkId) -> Result<ChunkShape> {
        let doc = self.find(chunk_id)?;
        let value = |column: ChunkColumn| self.fast_fields.value(doc, column as usize);
        let code = |column| value(column).and_then(|code| u8::try_from(code).ok());
        let line = |column| value(column).and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
        let kind = code(ChunkColumn::Kind).and_then(Kind::from_code);
        Ok(ChunkShape {
            level: code(ChunkColumn::Level).unwrap_or(1),
            kind: kind.ok_or_else(|| Error::Text(damaged("a chunk has an unknown kind")))?,
            lines: line(ChunkColumn::EndLine).saturating_sub(line(ChunkColumn::StartLine)).saturating_add(1),
        })
    }

    /// Returns the chunks of a chunk's file, which have consecutive ids.
    pub(crate) fn file_range(&self, chunk_id: ChunkId) -> Result<Range<ChunkId>> {
        let file = self.file(chunk_id).ok_or_else(|| missing(chunk_id))?;
        let is_before = |id| self.file(id).is_some_and(|other| other < file);
        let is_not_after = |id| self.file(id).is_some_and(|other| other <= file);
        let first = ChunkId::partition_point(ChunkId::default()..chunk_id, is_before);
        let end = ChunkId::partition_point(chunk_id..self.fast_fields.row_doc_map.end(), is_not_after);
        Ok(first..end.max(first.plus(1)))
    }

    /// Returns the smallest and the largest symbol id of chunks, and their last line.
    pub(crate) fn symbol_range_and_last_line(&self, chunks: Range<ChunkId>) -> (Option<(SymbolId, SymbolId)>, u32) {
        let mut symbols: Option<(SymbolId, SymbolId)> = None;
        let mut last_line = 0;
        for doc in ChunkId::range(chunks).filter_map(|chunk| self.fast_fields.find(chunk)) {
            let end_line = self.fast_fields.value(doc, ChunkColumn::EndLine as usize);
            last_line = last_line.max(end_line.and_then(|line| u32::try_from(line).ok()).unwrap_or(0));
            if let Some(id) = self.symbol(doc) {
                symbols = Some(symbols.map_or((id, id), |(from, to)| (from.min(id), to.max(id))));
            }
        }
        (symbols, last_line)
    }

    /// Returns the first chunk of a file; `None` if it has no chunks.
    pub(crate) fn first_chunk_of_file(&self, file_id: FileId) -> Option<ChunkId> {
        let all = ChunkId::default()..self.fast_fields.row_doc_map.end();
        let first = ChunkId::partition_point(all, |id| self.file(id).is_some_and(|other| other < file_id));
        (self.file(first)? == file_id).then_some(first)
    }

    fn file(&self, chunk_id: ChunkId) -> Option<FileId> {
        self.fast_fields.id(self.fast_fields.find(chunk_id)?, ChunkColumn::FileId as usize)
    }

    fn symbol(&self, doc: DocLocation) -> Option<SymbolId> {
        self.fast_fields.id(doc, ChunkColumn::SymbolId as usize)
    }

    /// The path of a chunk's file.
    pub(crate) fn path(&self, chunk_id: ChunkId) -> Result<String> {
        self.fast_fields.text(self.find(chunk_id)?, ChunkText::File as usize)
    }

    /// Repository and language of a chunk's file.
    pub(crate) fn repo_and_language(&self, chunk_id: ChunkId) -> Result<(String, String)> {
        let doc = self.find(chunk_id)?;
        let text = |column: ChunkText| self.fast_fields.text(doc, column as usize);
        Ok((text(ChunkText::Repo)?, text(ChunkText::Language)?))
    }

    fn find(&self, chunk_id: ChunkId) -> Result<DocLocation> {
        self.fast_fields.find(chunk_id).ok_or_else(|| missing(chunk_id))
    }
}

fn missing(chunk_id: ChunkId) -> Error {
    Error::Text(damaged(&format!("chunk {chunk_id} is not in the text index")))
}

impl HasRowDocMap for ChunkCatalog {
    type Id = ChunkId;

    fn row_doc_map(&self) -> &RowDocMap<ChunkId> {
        &self.fast_fields.row_doc_map
    }
}

columns! {
    SymbolColumn:
    ChunkId = "chunk_id",
    Kind = "kind",
}

/// The fast fields of symbols.
pub(crate) struct SymbolCatalog {
    fast_fields: FastFields<SymbolId>,
}

impl SymbolCatalog {
    /// Opens the columns.
    pub(crate) fn open(searcher: &Searcher, order: Option<&StoredRowMap>, path: &Path) -> Result<Self> {
        Ok(Self { fast_fields: FastFields::open(searcher, SymbolColumn::NAMES, &[], order, path)? })
    }

    /// The chunk that contains a symbol's first line.
    #[must_use]
    pub(crate) fn chunk(&self, symbol_id: SymbolId) -> Option<ChunkId> {
        self.fast_fields.id(self.fast_fields.find(symbol_id)?, SymbolColumn::ChunkId as usize)
    }

    /// The kind of a symbol.
    #[must_use]
    pub(crate) fn kind(&self, symbol_id: SymbolId) -> Option<Kind> {
        let doc = self.fast_fields.find(symbol_id)?;
        let code = self.fast_fields.value(doc, SymbolColumn::Kind as usize)?;
        u8::try_from(code).ok().and_then(Kind::from_code)
    }
}

impl HasRowDocMap for SymbolCatalog {
    type Id = SymbolId;

    fn row_doc_map(&self) -> &RowDocMap<SymbolId> {
        &self.fast_fields.row_doc_map
    }
}
