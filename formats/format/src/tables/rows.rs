//! The rows of the tables. A column's doc comment is also its description in SPEC.md.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Field, Schema, SchemaRef};

use super::{Column, ColumnSpec, Row};
use crate::Result;
use crate::digest::{Digest, RowHasher};
use crate::ids::{ChunkId, FileId, FirstIds, SymbolId};
use crate::kinds::{EdgeKind, Kind, ParseStatus, SkipReason, Tier};
use crate::segments::{RowMaps, StoredFile};

macro_rules! table {
    ($(#[$meta:meta])* $name:ident $(<$life:lifetime>)? = $table:literal[$id:ty] {
        $(#[doc = $doc:literal] $column:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name $(<$life>)? { $(#[doc = $doc] pub $column: $type,)* }

        impl $(<$life>)? Row for $name $(<$life>)? {
            type Id = $id;

            const TABLE: &'static str = $table;
            const COLUMNS: &'static [ColumnSpec] = &[$(ColumnSpec {
                name: stringify!($column),
                type_name: <$type as Column>::TYPE_NAME,
                nullable: <$type as Column>::NULLABLE,
                doc: $doc.trim_ascii(),
            },)*];

            fn schema() -> SchemaRef {
                Arc::new(Schema::new(vec![$(Field::new(
                    stringify!($column),
                    <$type as Column>::data_type(),
                    <$type as Column>::NULLABLE,
                ),)*]))
            }

            fn to_batch(rows: &[Self]) -> Result<RecordBatch> {
                let columns = vec![$(<$type as Column>::to_array(rows.iter().map(|row| &row.$column))?,)*];
                Ok(RecordBatch::try_new(Self::schema(), columns)?)
            }

            fn from_batch(batch: &RecordBatch) -> Result<Vec<Self>, String> {
                $(
                    let column = batch
                        .column_by_name(stringify!($column))
                        .ok_or_else(|| format!("column {} is missing", stringify!($column)))?;
                    let $column = <$type as Column>::from_array(column.as_ref())
                        .map_err(|what| format!("column {} {what}", stringify!($column)))?;
                    let mut $column = $column.into_iter();
                )*
                let mut rows = Vec::with_capacity(batch.num_rows());
                for _ in 0..batch.num_rows() {
                    rows.push(Self {
                        $($column: $column.next().ok_or_else(|| {
                            format!("column {} is too short", stringify!($column))
                        })?,)*
                    });
                }
                Ok(rows)
            }

            fn digest(&self, first: FirstIds, hasher: &mut RowHasher) {
                $(Column::digest(&self.$column, first, hasher);)*
                hasher.end_row();
            }

            fn to_ids(&mut self, maps: &RowMaps) -> Option<()> {
                $(Column::to_ids(&mut self.$column, maps)?;)*
                Some(())
            }

            fn weight(&self) -> usize {
                size_of::<Self>() $(+ Column::heap_bytes(&self.$column))*
            }
        }
    };
}

table! {
    /// An indexed file.
    FileRow = "files"[FileId] {
        /// Address of this version of the file; the rows are ordered by repository and path.
        file_id: FileId,
        /// The repository's name.
        repo: String,
        /// Path relative to the repository's root, with `/`.
        path: String,
        /// The language's name, or `text` where there is no grammar.
        language: String,
        /// blake3 of the file's bytes.
        content_hash: Digest,
        /// Size in bytes.
        bytes: u64,
        /// Number of lines.
        lines: u32,
        /// Character encoding: a name of the WHATWG encoding standard, in lower case.
        encoding: String,
        /// How the file was parsed.
        parse_status: ParseStatus,
        /// Number of lines that the grammar could not parse.
        error_lines: u32,
        /// Whether the path marks the file as test code.
        is_test: bool,
        /// Whether the first lines mark the file as generated.
        is_generated: bool,
    }
}

table! {
    /// A section of a file. The chunks of a file are consecutive, and a parent precedes its children.
    ChunkRow = "chunks"[ChunkId] {
        /// Address of the row.
        chunk_id: ChunkId,
        /// The chunk of the owning type, of the symbol around a block, or of the section around a section.
        parent_id: Option<ChunkId>,
        /// 1 for symbols and left-over text, 2 for logic blocks inside a large symbol.
        level: u8,
        /// Kind of chunk; see the vocabulary.
        kind: Kind,
        /// The file.
        file_id: FileId,
        /// First line, from 1.
        start_line: u32,
        /// Last line, inclusive.
        end_line: u32,
        /// First byte.
        start_byte: u32,
        /// One past the last byte.
        end_byte: u32,
        /// The symbol whose text or block this chunk is; null for left-over text.
        symbol_id: Option<SymbolId>,
        /// Position among the chunks of its file that have the same `symbol_id`, or none, from 0.
        ordinal: u32,
        /// The text: whole lines of the file. A type's text leaves out the lines of its members' chunks.
        content: String,
        /// blake3 of `content`.
        content_hash: Digest,
        /// Summary by a language model, one to three sentences; null until enriched.
        summary: Option<String>,
        /// Search words by a language model, joined by a comma and a space; null until enriched.
        keywords: Option<String>,
        /// Purpose or category by a language model; null until enriched, and of blocks.
        purpose: Option<String>,
    }
}

impl ChunkRow {
    /// The summary by a language model as it is searched and embedded: summary, keywords and purpose on
    /// separate lines; none if it has no summary.
    #[must_use]
    pub fn enrichment_text(&self) -> Option<String> {
        Some(enrichment_text(self.summary.as_deref()?, self.keywords.as_deref(), self.purpose.as_deref()))
    }
}

/// The text of [`ChunkRow::enrichment_text`].
#[must_use]
pub fn enrichment_text(summary: &str, keywords: Option<&str>, purpose: Option<&str>) -> String {
    [Some(summary), keywords, purpose].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

table! {
    /// A definition. The symbols of a file are consecutive, and the first one is the file itself.
    SymbolRow = "symbols"[SymbolId] {
        /// Id, which the symbol keeps while its file has a symbol of its name and position among those of the name.
        symbol_id: SymbolId,
        /// Name as written at the definition.
        name: String,
        /// Owners and name, joined by the language's separator.
        qualified_name: String,
        /// Position among the symbols of its file that have the same `qualified_name`, from 1; 0 if it is the only one.
        ordinal: u32,
        /// Kind of symbol.
        kind: Kind,
        /// The file.
        file_id: FileId,
        /// First line, from 1, without leading comments.
        start_line: u32,
        /// Last line, inclusive.
        end_line: u32,
        /// Line of the name.
        name_line: u32,
        /// Column of the name in bytes, from 0.
        name_column: u32,
        /// The symbol that owns it; null for files.
        container_id: Option<SymbolId>,
        /// The chunk that contains its first line; null if no chunk does.
        chunk_id: Option<ChunkId>,
        /// The text before the body, on one line.
        signature: Option<String>,
        /// Documentation, without comment markers.
        doc: Option<String>,
        /// Whether it is visible outside its file or package.
        exported: bool,
    }
}

table! {
    /// A use of a symbol by another. An ambiguous use has one row for each candidate. Names can be borrowed, because a
    /// build writes millions of uses of far fewer names.
    BorrowedEdgeRow<'a> = "edges"[u32] {
        /// The innermost symbol that contains the use; the file's symbol if there is no other.
        source_id: SymbolId,
        /// The target; null if the index has none.
        target_id: Option<SymbolId>,
        /// The target if it is an external symbol; otherwise null.
        external_id: Option<u32>,
        /// The target's name as written.
        target_name: Cow<'a, str>,
        /// Kind of use.
        kind: EdgeKind,
        /// The file of the use.
        file_id: FileId,
        /// Line of the use, from 1.
        line: u32,
        /// Column of the use in bytes, from 0.
        column: u32,
        /// How the target was resolved.
        tier: Tier,
        /// Confidence that the target is right, 0 to 1.
        confidence: f32,
        /// Address of the first of the edges that were written for the file together with this one.
        first_edge: u32,
    }
}

/// A use that owns its name.
pub type EdgeRow = BorrowedEdgeRow<'static>;

table! {
    /// Something that is used but not defined in the index. Rows are in the order of their ids.
    ExternalRow = "externals"[u32] {
        /// Id, which it keeps while it is used.
        external_id: u32,
        /// Full name: the module, if known, and the member that is used.
        name: String,
        /// Module as imports name it; null for names that are used without an import.
        module: Option<String>,
        /// The language, or family of languages, that uses it.
        family: String,
        /// Number of edge rows that lead to it.
        uses: u32,
    }
}

table! {
    /// A path that was not indexed.
    SkippedRow = "skipped"[u32] {
        /// The repository's name.
        repo: String,
        /// Path relative to the repository's root, with `/`.
        path: String,
        /// Reason; see the vocabulary.
        reason: SkipReason,
        /// Details.
        detail: String,
    }
}

table! {
    /// A file that a commit changed, from the newest commit of each repository to the oldest. Only an index of a git
    /// checkout has this table. It is outside of the content id: the same files are the same index.
    HistoryRow = "history"[u32] {
        /// The repository's name.
        repo: String,
        /// The name that the file has now, relative to the repository's root, with `/`.
        path: String,
        /// The commit's hash in hex.
        commit: String,
        /// When it was committed, in seconds since 1970.
        time: u64,
        /// The name of its author.
        author: String,
        /// The first paragraph of its message, on one line of at most 300 bytes.
        subject: String,
    }
}

table! {
    /// The vector of a file. Only an index with a model has this table, and in it files with at least one embedded chunk
    /// or named symbol have a row.
    FileVectorRow = "file_vectors"[u32] {
        /// The file, in the order of `files`.
        file_id: FileId,
        /// Whether the vector is that of the names and documentation of the file's symbols, because no chunk has one.
        from_names: bool,
        /// Bytes that the vector stands for: the text of its chunks, or the names and documentation.
        weight: f32,
        /// The value of one step of `values`.
        scale: f32,
        /// One int8 for each dimension; the vector is about scale x value. It is not rotated.
        values: Vec<i8>,
    }
}

table! {
    /// Where the rows of a file are, and their hashes: the leaves of the tree whose root is the content id.
    DirectoryRow = "directory"[FileId] {
        /// The file, in the order of `files`.
        file_id: FileId,
        /// The address of its first chunk.
        first_chunk: ChunkId,
        /// Number of its chunks.
        chunks: u32,
        /// The address of its first symbol.
        first_symbol: SymbolId,
        /// Number of its symbols.
        symbols: u32,
        /// The address of its first edge.
        first_edge: u32,
        /// Number of its edges.
        edges: u32,
        /// Ids of its symbols, in order: runs of a first id and a count, as uint32; empty if they are the addresses.
        symbol_ids: Vec<Range<u32>>,
        /// Hash of the file's row, its symbols and its chunks.
        rows_hash: Digest,
        /// Hash of its vectors.
        vectors_hash: Digest,
        /// Hash of its edges.
        edges_hash: Digest,
    }
}

impl ExternalRow {
    /// The symbol with this id among some that are in the order of their ids.
    #[must_use]
    pub fn find(rows: &[Self], id: u32) -> Option<&Self> {
        rows.get(rows.binary_search_by_key(&id, |row| row.external_id).ok()?)
    }
}

impl DirectoryRow {
    /// Where the rows of the file are stored.
    #[must_use]
    pub fn stored(&self) -> StoredFile {
        StoredFile::new(
            self.file_id.get(),
            (self.first_chunk.get(), self.chunks),
            (self.first_symbol.get(), self.symbols),
            self.symbol_ids.clone(),
            (self.first_edge, self.edges),
        )
    }
}
