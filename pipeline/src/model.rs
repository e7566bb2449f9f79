//! What one file becomes before ids are global: every id here is an index into the same file's lists.

use std::path::PathBuf;

use sextant_formats::digest::Digest;
use sextant_formats::kinds::{EdgeKind, Kind, ParseStatus, SkipReason};

/// A file that the walk found.
#[derive(Clone, Debug)]
pub struct Source {
    /// Index of the repository in the build.
    pub repo: u32,
    /// Path relative to the repository's root, with `/`.
    pub path: String,
    /// Where to read it.
    pub absolute: PathBuf,
}

/// A definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Owners and name.
    pub qualified_name: String,
    /// What it is.
    pub kind: Kind,
    /// First line including leading comments and attributes, from 1.
    pub lead_line: u32,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// First byte.
    pub start_byte: usize,
    /// One past the last byte.
    pub end_byte: usize,
    /// Line of the name, from 1.
    pub name_line: u32,
    /// Column of the name in bytes, from 0.
    pub name_column: u32,
    /// Its owner; none for the file itself only.
    pub container: Option<u32>,
    /// Whether it has a body, as opposed to a declaration.
    pub has_body: bool,
    /// The text before the body.
    pub signature: Option<String>,
    /// Its documentation.
    pub doc: Option<String>,
    /// Whether it can be seen from outside.
    pub exported: bool,
    /// The chunk that holds its first line; filled by the chunker.
    pub chunk: Option<u32>,
}

/// A use of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The innermost symbol around it.
    pub source: u32,
    /// What the use is.
    pub kind: EdgeKind,
    /// The name as written.
    pub name: String,
    /// The receiver or module as written.
    pub owner: Option<String>,
    /// The local name of an import, where it differs.
    pub alias: Option<String>,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 0.
    pub column: u32,
}

/// A logic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// A piece of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    /// The chunk it belongs to.
    pub parent: Option<u32>,
    /// 1 or 2.
    pub level: u8,
    /// What it is.
    pub kind: Kind,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// First byte.
    pub start_byte: usize,
    /// One past the last byte.
    pub end_byte: usize,
    /// The symbol that it is, or whose block it is.
    pub symbol: Option<u32>,
    /// Its text.
    pub content: String,
    /// Its vector, where it has one.
    pub vector: Option<Vec<f32>>,
}

/// An indexed file.
#[derive(Clone, Debug)]
pub struct IndexedFile {
    /// The language's name, or `text`.
    pub language: &'static str,
    /// blake3 of its bytes.
    pub content_hash: Digest,
    /// Its size.
    pub bytes: u64,
    /// Its lines.
    pub lines: u32,
    /// How it was read.
    pub status: ParseStatus,
    /// Whether it is test code.
    pub is_test: bool,
    /// Whether a program wrote it.
    pub is_generated: bool,
    /// Its symbols in the order of the text; the first is the file itself.
    pub symbols: Vec<Symbol>,
    /// Its chunks, parents before children.
    pub chunks: Vec<Chunk>,
    /// Its uses of names in the order of the text.
    pub references: Vec<Reference>,
}

/// What became of a file.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is in the index.
    Indexed(Box<IndexedFile>),
    /// It is not.
    Skipped {
        /// Why.
        reason: SkipReason,
        /// What exactly happened.
        detail: String,
    },
}
