//! What one file becomes before ids are global: every id here is an index into the same file's lists.

use serde::{Deserialize, Serialize};
use sextant_format::kinds::{EdgeKind, Kind};

/// A definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Whether it stands in a piece of another language: a script in a page, a fence in a document.
    pub embedded: bool,
    /// The chunk that holds its first line; filled by the chunker.
    pub chunk: Option<u32>,
}

/// A use of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The innermost symbol around it.
    pub source: u32,
    /// What the use is.
    pub kind: EdgeKind,
    /// The name as written.
    pub name: String,
    /// The receiver or module as written.
    pub qualifier: Option<String>,
    /// The local name of an import, where it differs.
    pub alias: Option<String>,
    /// How many arguments a call has.
    pub argument_count: Option<u8>,
    /// Whether a parameter or a variable of a function around it has the name: it means that one.
    pub is_local: bool,
    /// Whether two colons join owner and name: the owner is then a type, a module or a path, and no object.
    pub is_path_qualified: bool,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 0.
    pub column: u32,
}

/// What a file says of a type, so that members can be looked up in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeFact {
    /// The symbol that it is said of: a function's is what it returns. With a name: the function that binds
    /// the name, the type whose member it is, or the file.
    pub symbol: u32,
    /// The name, where there is no symbol of it.
    pub name: Option<String>,
    /// The symbol whose names hold where it is said.
    pub scope: u32,
    /// Whether it is a written type; else it is what a value is made of.
    pub is_declared: bool,
    /// The types or the chain, see [`crate::extract::type_alternatives`] and [`crate::extract::access_path`].
    pub text: String,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Its text, which is [`Self::byte_ranges`] of the file's, put together.
    #[serde(skip)]
    pub content: String,
    /// The bytes of the file's text that are its own: what a part inside of it has is left out.
    pub byte_ranges: Vec<(usize, usize)>,
}
