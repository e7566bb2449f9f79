//! SCIP indexes, which compilers write: definitions and uses with their positions in a file's text.
//!
//! An index is read document by document. A document describes a text that may have changed since: one that does not
//! match the file's text is stale and ignored. The resolver matches SCIP symbols with our own.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use protobuf::{CodedInputStream, Message};
use rustc_hash::FxHashMap;
use scip::types::descriptor::Suffix;
use scip::types::{Document, PositionEncoding, SymbolRole};
use sextant_format::digest::Digest;

use crate::error::{Error, Result};

/// `--scip FILE[=PREFIX]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScipSource {
    /// The index.
    pub file: PathBuf,
    /// The folder of the repository in which the index was written, `""` for its root.
    pub prefix: String,
}

impl std::str::FromStr for ScipSource {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let (file, prefix) = text.rsplit_once('=').unwrap_or((text, ""));
        Ok(Self { file: PathBuf::from(file), prefix: prefix.trim_matches('/').to_owned() })
    }
}

/// An occurrence of a SCIP symbol in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 0.
    pub column: u32,
    /// The symbol's number.
    pub symbol: u32,
    /// Whether the occurrence is the definition.
    pub is_definition: bool,
}

/// The SCIP occurrences of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ScipOccurrences {
    /// No index has the file.
    #[default]
    Missing,
    /// The document describes another text.
    Stale,
    /// Occurrences in the order of their positions.
    Current(Vec<Occurrence>),
}

/// An occurrence as SCIP stores it: line from 0, columns in units of the encoding.
#[derive(Clone, Copy, Debug)]
struct RawOccurrence {
    line: u32,
    start: u32,
    end: u32,
    symbol: u32,
    is_definition: bool,
}

struct RawDocument {
    encoding: PositionEncoding,
    occurrences: Vec<RawOccurrence>,
}

/// All indexes of a build.
#[derive(Default)]
pub struct ScipIndexes {
    files: FxHashMap<String, RawDocument>,
    /// The name of each symbol, if its definition contains the name.
    names: Vec<Option<Box<str>>>,
    /// The digests of the indexes.
    pub digests: Vec<Digest>,
}

/// A document is stale if more than one in this many definitions do not contain the name of their symbol.
const STALE_MISMATCH_ONE_IN: usize = 10;

impl ScipIndexes {
    /// Reads the indexes.
    ///
    /// # Errors
    /// A file cannot be read, or is not a SCIP index.
    pub fn load(sources: &[ScipSource]) -> Result<Self> {
        let mut all = Self::default();
        let mut symbol_ids: FxHashMap<String, u32> = FxHashMap::default();
        for source in sources {
            all.read(source, &mut symbol_ids)
                .map_err(|error| Error::Scip { file: source.file.clone(), what: error.to_string() })?;
        }
        Ok(all)
    }

    fn read(&mut self, source: &ScipSource, symbol_ids: &mut FxHashMap<String, u32>) -> std::io::Result<()> {
        self.digests.push(digest(&source.file)?);
        let mut reader = BufReader::new(fs_err::File::open(&source.file)?);
        let mut stream = CodedInputStream::from_buf_read(&mut reader);
        let mut documents = 0;
        // Field 2 of an index are its documents; each is read by itself to save memory.
        while let Some(tag) = stream.read_raw_tag_or_eof()? {
            if tag >> 3 == 2 && tag & 7 == 2 {
                let size = stream.read_raw_varint32()?;
                let document = Document::parse_from_bytes(&stream.read_raw_bytes(size)?)?;
                self.add(&source.prefix, &document, symbol_ids);
                documents += 1;
            } else {
                protobuf::rt::skip_field_for_tag(tag, &mut stream)?;
            }
        }
        if documents == 0 {
            return Err(std::io::Error::other("it has no document"));
        }
        Ok(())
    }

    fn add(&mut self, prefix: &str, document: &Document, symbol_ids: &mut FxHashMap<String, u32>) {
        let below = document.relative_path.replace('\\', "/");
        let path = if prefix.is_empty() { below } else { format!("{prefix}/{below}") };
        let mut occurrences = Vec::with_capacity(document.occurrences.len());
        for occurrence in &document.occurrences {
            let range_part = |n: usize| occurrence.range.get(n).and_then(|&x| u32::try_from(x).ok());
            let (Some(line), Some(start)) = (range_part(0), range_part(1)) else { continue };
            let end = match occurrence.range.as_slice() {
                [_, _, _] => range_part(2),
                [line, _, last, _] if line == last => range_part(3),
                _ => None,
            };
            // An empty range, or one of several lines, is no name.
            let Some(end) = end.filter(|&end| end > start) else { continue };
            // Local symbols are private to their document.
            let is_local = scip::symbol::is_local_symbol(&occurrence.symbol);
            let key = if is_local { format!("{path}\0{}", occurrence.symbol) } else { occurrence.symbol.clone() };
            let symbol = *symbol_ids.entry(key).or_insert_with(|| {
                self.names.push(if is_local { None } else { name_in_source(&occurrence.symbol) });
                u32::try_from(self.names.len() - 1).unwrap_or(u32::MAX)
            });
            let is_definition = occurrence.symbol_roles & SymbolRole::Definition as i32 != 0;
            occurrences.push(RawOccurrence { line, start, end, symbol, is_definition });
        }
        let encoding = document.position_encoding.enum_value_or_default();
        self.files.insert(path, RawDocument { encoding, occurrences });
    }

    /// The number of documents.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.files.len()
    }

    /// The occurrences of the file of this path and with these bytes.
    #[must_use]
    pub fn occurrences_of(&self, path: &str, bytes: &[u8]) -> ScipOccurrences {
        let Some(document) = self.files.get(path) else { return ScipOccurrences::Missing };
        let Ok(text) = std::str::from_utf8(bytes) else { return ScipOccurrences::Stale };
        let lines: Vec<&str> = text.split('\n').collect();
        let mut found = Vec::with_capacity(document.occurrences.len());
        let (mut checked, mut mismatched) = (0, 0);
        for occurrence in &document.occurrences {
            let Some(line) = lines.get(occurrence.line as usize) else { return ScipOccurrences::Stale };
            let (Some(start), Some(end)) = (
                byte_column(line, occurrence.start, document.encoding),
                byte_column(line, occurrence.end, document.encoding),
            ) else {
                return ScipOccurrences::Stale;
            };
            if occurrence.is_definition
                && let Some(name) = self.names.get(occurrence.symbol as usize).and_then(Option::as_deref)
            {
                checked += 1;
                mismatched += usize::from(!line[start..end].contains(name));
            }
            found.push(Occurrence {
                line: occurrence.line + 1,
                column: u32::try_from(start).unwrap_or(u32::MAX),
                symbol: occurrence.symbol,
                is_definition: occurrence.is_definition,
            });
        }
        if mismatched * STALE_MISMATCH_ONE_IN > checked {
            return ScipOccurrences::Stale;
        }
        found.sort_by_key(|occurrence| (occurrence.line, occurrence.column));
        ScipOccurrences::Current(found)
    }
}

fn digest(path: &Path) -> std::io::Result<Digest> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs_err::File::open(path)?)?;
    Ok(Digest(*hasher.finalize().as_bytes()))
}

/// The name that the definition of a symbol contains; `None` for symbols without a name of their own.
fn name_in_source(symbol: &str) -> Option<Box<str>> {
    let parsed = scip::symbol::parse_symbol(symbol).ok()?;
    let last = parsed.descriptors.last()?;
    let has_name = matches!(last.suffix.enum_value(), Ok(Suffix::Type | Suffix::Term | Suffix::Method));
    let is_name = last.name.chars().all(|c| c.is_alphanumeric() || c == '_');
    // Trailing digits tell equal names of one scope apart.
    let name = last.name.trim_end_matches(|c: char| c.is_ascii_digit());
    (has_name && is_name && !name.is_empty()).then(|| name.into())
}

/// The byte offset of a column; `None` if the line is shorter or the column is inside of a character.
fn byte_column(line: &str, column: u32, encoding: PositionEncoding) -> Option<usize> {
    let column = column as usize;
    if encoding == PositionEncoding::UTF8CodeUnitOffsetFromLineStart || line.is_ascii() {
        return line.is_char_boundary(column).then_some(column);
    }
    let mut units = 0;
    for (at, c) in line.char_indices() {
        if units >= column {
            return (units == column).then_some(at);
        }
        units += if encoding == PositionEncoding::UTF32CodeUnitOffsetFromLineStart { 1 } else { c.len_utf16() };
    }
    (units == column).then_some(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_convert_to_byte_offsets() {
        let utf16 = PositionEncoding::UnspecifiedPositionEncoding;
        assert_eq!(byte_column("ä😀x", 3, utf16), Some(6));
        assert_eq!(byte_column("ä😀x", 2, utf16), None);
        assert_eq!(byte_column("ä😀x", 2, PositionEncoding::UTF32CodeUnitOffsetFromLineStart), Some(6));
        assert_eq!(byte_column("ä😀x", 6, PositionEncoding::UTF8CodeUnitOffsetFromLineStart), Some(6));
        assert_eq!(byte_column("ab", 2, utf16), Some(2));
        assert_eq!(byte_column("ab", 3, utf16), None);
    }

    #[test]
    fn symbol_names_match_their_source_text() {
        assert_eq!(name_in_source("scip-python python p 1 `a.b`/C#run().").as_deref(), Some("run"));
        assert_eq!(name_in_source("scip-typescript npm p 1 src/`a.ts`/C#`<constructor>`()."), None);
        assert_eq!(name_in_source("scip-python python p 1 `a.b`/__init__:"), None);
        assert_eq!(name_in_source("what is this"), None);
    }
}
