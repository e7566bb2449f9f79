//! What is known of a chunk or a symbol without touching a table: the fast fields of the text index.
//!
//! Segments hold contiguous ranges of ids in order, because they were written in order by one
//! thread; so an id leads to its document by a binary search over the segments.

use sextant_formats::kinds::Kind;
use sextant_formats::text::NONE;
use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocAddress, DocId, Searcher, SegmentOrdinal};

use crate::{Error, Result};

/// What ranking needs to know of a chunk.
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
    /// What it is.
    pub kind: Kind,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Whether it is test code.
    pub is_test: bool,
}

/// A segment of an index whose documents are numbered by `id_field`.
struct Segment {
    ordinal: SegmentOrdinal,
    first_id: u32,
    documents: u32,
    columns: Vec<Column<u64>>,
}

/// Ids to documents and their fast fields.
struct Rows {
    segments: Vec<Segment>,
    strings: Vec<Vec<StrColumn>>,
}

impl Rows {
    /// Opens the named columns; the first one is the id.
    fn open(searcher: &Searcher, columns: &[&str], strings: &[&str]) -> Result<Self> {
        let mut segments = Vec::new();
        for (ordinal, reader) in searcher.segment_readers().iter().enumerate() {
            let fast = reader.fast_fields();
            let opened: Vec<Column<u64>> = columns.iter().map(|name| fast.u64(name)).collect::<tantivy::Result<_>>()?;
            let texts: Vec<StrColumn> = strings
                .iter()
                .map(|name| fast.str(name)?.ok_or_else(|| damaged(&format!("the column {name} is missing"))))
                .collect::<tantivy::Result<_>>()?;
            let documents = reader.max_doc();
            let first_id = opened[0].first(0).and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
            let ordinal = u32::try_from(ordinal).unwrap_or(u32::MAX);
            segments.push((Segment { ordinal, first_id, documents, columns: opened }, texts));
        }
        segments.sort_by_key(|(segment, _)| segment.first_id);
        let (segments, strings) = segments.into_iter().unzip();
        Ok(Self { segments, strings })
    }

    /// The segment's place in the list and the document of an id.
    fn find(&self, id: u32) -> Option<(usize, DocId)> {
        let at = self.segments.partition_point(|segment| segment.first_id <= id).checked_sub(1)?;
        let document = id - self.segments[at].first_id;
        (document < self.segments[at].documents).then_some((at, document))
    }

    /// One past the last id.
    fn end(&self) -> u32 {
        self.segments.last().map_or(0, |segment| segment.first_id.saturating_add(segment.documents))
    }

    /// The id of a document.
    fn id(&self, address: DocAddress) -> Option<u32> {
        let segment = self.segments.iter().find(|segment| segment.ordinal == address.segment_ord)?;
        segment.first_id.checked_add(address.doc_id)
    }

    fn value(&self, at: usize, document: DocId, column: usize) -> u64 {
        self.segments[at].columns[column].first(document).unwrap_or(NONE)
    }

    fn text(&self, at: usize, document: DocId, column: usize) -> Result<String> {
        let mut text = String::new();
        let strings = &self.strings[at][column];
        if let Some(ord) = strings.term_ords(document).next() {
            strings.ord_to_str(ord, &mut text).map_err(tantivy::TantivyError::from)?;
        }
        Ok(text)
    }
}

fn damaged(what: &str) -> tantivy::TantivyError {
    tantivy::TantivyError::SchemaError(what.to_owned())
}

fn optional(value: u64) -> Option<u32> {
    if value == NONE { None } else { u32::try_from(value).ok() }
}

/// The chunks.
pub(crate) struct Chunks {
    rows: Rows,
}

const CHUNK_COLUMNS: &[&str] =
    &["chunk_id", "file_id", "symbol_id", "parent_id", "level", "kind", "start_line", "end_line", "is_test"];
const CHUNK_STRINGS: &[&str] = &["file", "repo", "language"];

impl Chunks {
    /// Opens the columns.
    pub(crate) fn open(searcher: &Searcher) -> Result<Self> {
        Ok(Self { rows: Rows::open(searcher, CHUNK_COLUMNS, CHUNK_STRINGS)? })
    }

    /// The chunk of a document.
    #[must_use]
    pub(crate) fn id(&self, address: DocAddress) -> Option<u32> {
        self.rows.id(address)
    }

    /// What is known of a chunk.
    pub(crate) fn info(&self, chunk_id: u32) -> Result<ChunkInfo> {
        let (at, document) = self.find(chunk_id)?;
        let value = |column| self.rows.value(at, document, column);
        let number = |column| u32::try_from(value(column)).unwrap_or(0);
        let kind = u8::try_from(value(5)).ok().and_then(Kind::from_code);
        Ok(ChunkInfo {
            chunk_id,
            file_id: number(1),
            symbol_id: optional(value(2)),
            parent_id: optional(value(3)),
            level: u8::try_from(value(4)).unwrap_or(1),
            kind: kind.ok_or_else(|| Error::Text(damaged("a chunk has an unknown kind")))?,
            start_line: number(6),
            end_line: number(7),
            is_test: value(8) == 1,
        })
    }

    /// The first and last chunk of a chunk's file: the chunks of a file are neighbours.
    pub(crate) fn file_range(&self, chunk_id: u32) -> Result<(u32, u32)> {
        let file = self.file(chunk_id).ok_or_else(|| missing(chunk_id))?;
        let border = |from: u32, to: u32, is_before: &dyn Fn(u32) -> bool| {
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
        let first = border(0, chunk_id, &|other| other < file);
        let end = border(chunk_id, self.rows.end(), &|other| other <= file);
        Ok((first, end.saturating_sub(1).max(first)))
    }

    /// Of some neighbouring chunks the least and the greatest symbol, and the last line.
    pub(crate) fn extent(&self, first: u32, last: u32) -> (Option<(u32, u32)>, u32) {
        let mut symbols: Option<(u32, u32)> = None;
        let mut lines = 0;
        for (at, document) in (first..=last).filter_map(|chunk| self.rows.find(chunk)) {
            lines = lines.max(u32::try_from(self.rows.value(at, document, 7)).unwrap_or(0));
            if let Some(id) = optional(self.rows.value(at, document, 2)) {
                symbols = Some(symbols.map_or((id, id), |(from, to)| (from.min(id), to.max(id))));
            }
        }
        (symbols, lines)
    }

    /// The first chunk of a file; none where it has none.
    pub(crate) fn first_of(&self, file_id: u32) -> Option<u32> {
        let (mut from, mut to) = (0, self.rows.end());
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
        let (at, document) = self.rows.find(chunk_id)?;
        u32::try_from(self.rows.value(at, document, 1)).ok()
    }

    /// A segment of the text index, by its number there.
    pub(crate) fn segment(&self, ordinal: usize) -> SegmentRange {
        let segment = self.rows.segments.iter().find(|segment| segment.ordinal as usize == ordinal);
        segment.map_or(SegmentRange { first: 0, documents: 0 }, |s| SegmentRange {
            first: s.first_id,
            documents: s.documents,
        })
    }

    /// The path of a chunk's file.
    pub(crate) fn path(&self, chunk_id: u32) -> Result<String> {
        let (at, document) = self.find(chunk_id)?;
        self.rows.text(at, document, 0)
    }

    /// Repository and language of a chunk's file.
    pub(crate) fn repo_and_language(&self, chunk_id: u32) -> Result<(String, String)> {
        let (at, document) = self.find(chunk_id)?;
        Ok((self.rows.text(at, document, 1)?, self.rows.text(at, document, 2)?))
    }

    fn find(&self, chunk_id: u32) -> Result<(usize, DocId)> {
        self.rows.find(chunk_id).ok_or_else(|| missing(chunk_id))
    }
}

fn missing(chunk_id: u32) -> Error {
    Error::Text(damaged(&format!("chunk {chunk_id} is not in the text index")))
}

/// Which chunks a segment holds.
#[derive(Clone, Copy)]
pub(crate) struct SegmentRange {
    first: u32,
    documents: u32,
}

impl SegmentRange {
    /// The chunk of a document.
    pub(crate) fn chunk(self, document: DocId) -> u32 {
        self.first.saturating_add(document)
    }

    /// The first and last document of the segment that are chunks of a range, first and last.
    pub(crate) fn documents(self, (first, last): (u32, u32)) -> Option<(DocId, DocId)> {
        let end = self.first.saturating_add(self.documents);
        (first < end && last >= self.first)
            .then(|| (first.max(self.first) - self.first, last.min(end - 1) - self.first))
    }
}

/// The symbols.
pub(crate) struct Symbols {
    rows: Rows,
}

impl Symbols {
    /// Opens the columns.
    pub(crate) fn open(searcher: &Searcher) -> Result<Self> {
        Ok(Self { rows: Rows::open(searcher, &["symbol_id", "chunk_id", "kind"], &[])? })
    }

    /// The symbol of a document.
    #[must_use]
    pub(crate) fn id(&self, address: DocAddress) -> Option<u32> {
        self.rows.id(address)
    }

    /// The chunk that holds a symbol's first line.
    #[must_use]
    pub(crate) fn chunk(&self, symbol_id: u32) -> Option<u32> {
        let (at, document) = self.rows.find(symbol_id)?;
        optional(self.rows.value(at, document, 1))
    }

    /// What a symbol is.
    #[must_use]
    pub(crate) fn kind(&self, symbol_id: u32) -> Option<Kind> {
        let (at, document) = self.rows.find(symbol_id)?;
        u8::try_from(self.rows.value(at, document, 2)).ok().and_then(Kind::from_code)
    }
}
