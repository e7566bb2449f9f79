//! Facts about chunks and symbols from the fast fields of the text indexes, without reading a table.
//!
//! A [`RowDocMap`] maps an id to its document and back.

use std::path::Path;

use sextant_format::kinds::Kind;
use sextant_text::index::{IdOffset, NO_ID, RowDocMap, StoredRowMap};
use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocId, Searcher};

use crate::{Error, Result};

/// The facts about a chunk that ranking needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkInfo {
    /// Its id.
    pub chunk_id: u32,
    /// Its file.
    pub file_id: u32,
    /// Its symbol.
    pub symbol_id: Option<u32>,
    /// The chunk it belongs to.
    pub parent_id: Option<u32>,
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

/// A catalog with a map between ids and documents.
pub(crate) trait HasRowDocMap {
    /// The map between ids and documents.
    fn row_doc_map(&self) -> &RowDocMap;
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
struct FastFields {
    row_doc_map: RowDocMap,
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

impl FastFields {
    /// Opens the named columns; `id_column` is the number of the id among them.
    fn open(
        searcher: &Searcher,
        columns: &[&str],
        id_column: usize,
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
        let row_doc_map = RowDocMap::open(searcher, columns[id_column], order, path)?;
        Ok(Self { row_doc_map, columns: opened, strings: texts })
    }

    /// The document of an id.
    fn find(&self, id: u32) -> Option<DocLocation> {
        let (ordinal, document, id_offset) = self.row_doc_map.find(id)?;
        Some(DocLocation { segment: ordinal as usize, document, id_offset })
    }

    /// The value of a document in a column without ids; `NO_ID` if it has none.
    fn value(&self, doc: DocLocation, column: usize) -> u64 {
        self.columns[doc.segment][column].first(doc.document).unwrap_or(NO_ID)
    }

    /// The id of a document in a column, with the offset added; `None` if it has none.
    fn id(&self, doc: DocLocation, column: usize, id_offset: impl Fn(IdOffset) -> i64) -> Option<u32> {
        let raw = self.value(doc, column);
        if raw == NO_ID {
            return None;
        }
        u32::try_from(i64::try_from(raw).ok()?.checked_add(id_offset(doc.id_offset))?).ok()
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
    fast_fields: FastFields,
}

columns! {
    ChunkColumn:
    ChunkId = "chunk_id",
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
        Ok(Self {
            fast_fields: FastFields::open(
                searcher,
                ChunkColumn::NAMES,
                ChunkColumn::ChunkId as usize,
                ChunkText::NAMES,
                order,
                path,
            )?,
        })
    }

    /// Returns the facts about a chunk.
    pub(crate) fn info(&self, chunk_id: u32) -> Result<ChunkInfo> {
        let doc = self.find(chunk_id)?;
        let value = |column: ChunkColumn| self.fast_fields.value(doc, column as usize);
        let number = |column| u32::try_from(value(column)).unwrap_or(0);
        let kind = u8::try_from(value(ChunkColumn::Kind)).ok().and_then(Kind::from_code);
        Ok(ChunkInfo {
            chunk_id,
            file_id: self.fast_fields.id(doc, ChunkColumn::FileId as usize, |id_offset| id_offset.file).unwrap_or(0),
            symbol_id: self.symbol(doc),
            parent_id: self.fast_fields.id(doc, ChunkColumn::ParentId as usize, |id_offset| id_offset.chunk),
            level: u8::try_from(value(ChunkColumn::Level)).unwrap_or(1),
            kind: kind.ok_or_else(|| Error::Text(damaged("a chunk has an unknown kind")))?,
            start_line: number(ChunkColumn::StartLine),
            end_line: number(ChunkColumn::EndLine),
            is_test: value(ChunkColumn::IsTest) == 1,
        })
    }

    /// Returns the first and the last chunk of a chunk's file; the chunks of a file have consecutive ids.
    pub(crate) fn file_range(&self, chunk_id: u32) -> Result<(u32, u32)> {
        let file = self.file(chunk_id).ok_or_else(|| missing(chunk_id))?;
        let partition_point = |from: u32, to: u32, is_before: &dyn Fn(u32) -> bool| {
            let (mut from, mut to) = (from, to);
            while from < to {
                let middle = from + (to - from) / 2;
                if self.file(middle).is_some_and(is_before) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            from
        };
        let first = partition_point(0, chunk_id, &|other| other < file);
        let end = partition_point(chunk_id, self.fast_fields.row_doc_map.end(), &|other| other <= file);
        Ok((first, end.saturating_sub(1).max(first)))
    }

    /// Returns the smallest and the largest symbol id of the chunks `first` to `last`, and their last line.
    pub(crate) fn symbol_range_and_last_line(&self, first: u32, last: u32) -> (Option<(u32, u32)>, u32) {
        let mut symbols: Option<(u32, u32)> = None;
        let mut last_line = 0;
        for doc in (first..=last).filter_map(|chunk| self.fast_fields.find(chunk)) {
            last_line =
                last_line.max(u32::try_from(self.fast_fields.value(doc, ChunkColumn::EndLine as usize)).unwrap_or(0));
            if let Some(id) = self.symbol(doc) {
                symbols = Some(symbols.map_or((id, id), |(from, to)| (from.min(id), to.max(id))));
            }
        }
        (symbols, last_line)
    }

    /// Returns the first chunk of a file; `None` if it has no chunks.
    pub(crate) fn first_chunk_of_file(&self, file_id: u32) -> Option<u32> {
        let (mut from, mut to) = (0, self.fast_fields.row_doc_map.end());
        while from < to {
            let middle = from + (to - from) / 2;
            if self.file(middle)? < file_id {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        (self.file(from)? == file_id).then_some(from)
    }

    fn file(&self, chunk_id: u32) -> Option<u32> {
        self.fast_fields.id(self.fast_fields.find(chunk_id)?, ChunkColumn::FileId as usize, |id_offset| id_offset.file)
    }

    fn symbol(&self, doc: DocLocation) -> Option<u32> {
        self.fast_fields.id(doc, ChunkColumn::SymbolId as usize, |id_offset| id_offset.symbol)
    }

    /// The path of a chunk's file.
    pub(crate) fn path(&self, chunk_id: u32) -> Result<String> {
        self.fast_fields.text(self.find(chunk_id)?, ChunkText::File as usize)
    }

    /// Repository and language of a chunk's file.
    pub(crate) fn repo_and_language(&self, chunk_id: u32) -> Result<(String, String)> {
        let doc = self.find(chunk_id)?;
        let text = |column: ChunkText| self.fast_fields.text(doc, column as usize);
        Ok((text(ChunkText::Repo)?, text(ChunkText::Language)?))
    }

    fn find(&self, chunk_id: u32) -> Result<DocLocation> {
        self.fast_fields.find(chunk_id).ok_or_else(|| missing(chunk_id))
    }
}

fn missing(chunk_id: u32) -> Error {
    Error::Text(damaged(&format!("chunk {chunk_id} is not in the text index")))
}

impl HasRowDocMap for ChunkCatalog {
    fn row_doc_map(&self) -> &RowDocMap {
        &self.fast_fields.row_doc_map
    }
}

columns! {
    SymbolColumn:
    SymbolId = "symbol_id",
    ChunkId = "chunk_id",
    Kind = "kind",
}

/// The fast fields of symbols.
pub(crate) struct SymbolCatalog {
    fast_fields: FastFields,
}

impl SymbolCatalog {
    /// Opens the columns.
    pub(crate) fn open(searcher: &Searcher, order: Option<&StoredRowMap>, path: &Path) -> Result<Self> {
        Ok(Self {
            fast_fields: FastFields::open(
                searcher,
                SymbolColumn::NAMES,
                SymbolColumn::SymbolId as usize,
                &[],
                order,
                path,
            )?,
        })
    }

    /// The chunk that contains a symbol's first line.
    #[must_use]
    pub(crate) fn chunk(&self, symbol_id: u32) -> Option<u32> {
        self.fast_fields
            .id(self.fast_fields.find(symbol_id)?, SymbolColumn::ChunkId as usize, |id_offset| id_offset.chunk)
    }

    /// The kind of a symbol.
    #[must_use]
    pub(crate) fn kind(&self, symbol_id: u32) -> Option<Kind> {
        let doc = self.fast_fields.find(symbol_id)?;
        u8::try_from(self.fast_fields.value(doc, SymbolColumn::Kind as usize)).ok().and_then(Kind::from_code)
    }
}

impl HasRowDocMap for SymbolCatalog {
    fn row_doc_map(&self) -> &RowDocMap {
        &self.fast_fields.row_doc_map
    }
}
