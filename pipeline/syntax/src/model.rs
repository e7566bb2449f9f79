//! The result for one file. Ids are local: indices into the lists of the same file.

use serde::{Deserialize, Serialize};
use sextant_format::kinds::{EdgeKind, Kind};

/// A definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Symbol {
    /// The unqualified name.
    pub name: String,
    /// Owners and name, joined by the language's separator.
    pub qualified_name: String,
    /// The kind of definition.
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
    /// The enclosing symbol; `None` only for the file itself.
    pub container: Option<u32>,
    /// Whether it has a body; a declaration has none.
    pub has_body: bool,
    /// The text before the body, on one line.
    pub signature: Option<String>,
    /// The documentation, as plain text.
    pub doc: Option<String>,
    /// Whether it is visible outside its file or package.
    pub exported: bool,
    /// Whether it is in an embedded language: a script in a page, a fenced block in a document.
    pub embedded: bool,
    /// The chunk that contains its first line; set by the chunker.
    pub chunk: Option<u32>,
}

/// A use of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The innermost symbol around it.
    pub source: u32,
    /// The kind of use.
    pub kind: EdgeKind,
    /// The name as written.
    pub name: String,
    /// The receiver or module as written, if any.
    pub qualifier: Option<String>,
    /// The local name of an import, if it differs; of a plain use the member to which it is assigned.
    pub alias: Option<String>,
    /// The number of arguments of a call, if it could be counted.
    pub argument_count: Option<u8>,
    /// What is known of the types of its arguments: their shapes, separated by commas, see
    /// [`crate::extract::NULL`].
    pub arguments: Option<String>,
    /// Whether the name refers to a parameter or variable of an enclosing function.
    pub is_local: bool,
    /// Whether `::` joins qualifier and name: the qualifier is then a type, a module or a path, not an object.
    pub is_path_qualified: bool,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 0.
    pub column: u32,
}

/// A declared or inferred type, used to look up members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeFact {
    /// The symbol that has the type; for a function, the type is that of its result. With `name`: the function
    /// that binds the name, the type whose member it is, or the file.
    pub symbol: u32,
    /// The name that has the type, if it is not a symbol.
    pub name: Option<String>,
    /// The symbol in whose scope the type's names are resolved.
    pub scope: u32,
    /// Whether the type is declared; otherwise it is inferred from a value.
    pub is_declared: bool,
    /// The declared types, after the lines where they hold if the name only has them there (see
    /// [`crate::extract::narrowed_type`]), or the value's access path, see [`crate::extract::type_alternatives`] and
    /// [`crate::extract::access_path`].
    pub text: String,
}

/// A logic block, such as a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The kind of block.
    pub kind: Kind,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// A unit of retrieval: a range of lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// The enclosing chunk, if any.
    pub parent: Option<u32>,
    /// 1 for symbols and left-over text, 2 for blocks of large symbols.
    pub level: u8,
    /// The kind of the symbol or block, or `code` or `window` for left-over text.
    pub kind: Kind,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// First byte.
    pub start_byte: usize,
    /// One past the last byte.
    pub end_byte: usize,
    /// The symbol, or the symbol that contains the block.
    pub symbol: Option<u32>,
    /// The text: the file's [`Self::byte_ranges`], concatenated.
    #[serde(skip)]
    pub content: String,
    /// The bytes of the file's text that belong to this chunk and not to a chunk inside it.
    pub byte_ranges: Vec<(usize, usize)>,
}
