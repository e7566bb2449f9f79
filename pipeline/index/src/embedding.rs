//! Chunks to vectors: which get one, and which passage the encoder reads for it.

use sextant_encoder::{Encoder, Error, Passage};
use sextant_format::kinds::Kind;

use crate::settings::Embedding;
use crate::summaries::StoredSummary;

/// Maximum length of a line in an embedded chunk, in bytes. Longer lines are data or generated.
const MAX_LINE_BYTES: usize = 5_000;
/// Maximum bytes of the names, and of the documentation, that the vector of a file's names reads.
const MAX_NAMES_BYTES: usize = 2048;

/// A file, as far as the vectors of its chunks depend on it.
#[derive(Clone, Copy)]
pub(crate) struct EmbeddedFile<'a> {
    /// See [`words_of_path`].
    pub(crate) path_words: &'a str,
    /// Whether its language is one of data.
    pub(crate) is_data: bool,
    pub(crate) is_generated: bool,
}

/// A chunk, as far as its vector depends on it.
#[derive(Clone, Copy)]
pub(crate) struct EmbeddedChunk<'a> {
    pub(crate) level: u8,
    pub(crate) kind: Kind,
    pub(crate) lines: u32,
    pub(crate) symbol: Option<EmbeddedSymbol<'a>>,
    pub(crate) content: &'a str,
    pub(crate) summary: Option<&'a StoredSummary>,
}

/// The symbol of a chunk.
#[derive(Clone, Copy)]
pub(crate) struct EmbeddedSymbol<'a> {
    pub(crate) qualified_name: &'a str,
    pub(crate) signature: Option<&'a str>,
    pub(crate) doc: Option<&'a str>,
}

/// Whether a chunk gets a vector. Of blocks, only loops, matches and `try` blocks do; a branch or a scope means little
/// without its surroundings. Data and generated code do not, because they are many rows with little meaning. Short
/// undocumented symbols do not either: full-text search finds their few words, and ranking does not penalise a missing
/// vector. What has a summary has a vector.
fn is_embedded(file: EmbeddedFile<'_>, chunk: &EmbeddedChunk<'_>, limits: Embedding) -> bool {
    if chunk.summary.is_some() {
        return true;
    }
    if chunk.level == 2 {
        return matches!(chunk.kind, Kind::Loop | Kind::Match | Kind::Try);
    }
    let is_short = match &chunk.symbol {
        Some(symbol) => chunk.lines < limits.symbol_lines && symbol.doc.is_none(),
        None => chunk.lines < limits.code_lines,
    };
    !is_short && !file.is_data && !file.is_generated && chunk.content.lines().all(|line| line.len() <= MAX_LINE_BYTES)
}

/// The vector of a chunk; none if it is not embedded. A summary is read as documentation, before the symbol's own.
///
/// # Errors
/// The encoder fails.
pub(crate) fn embed_chunk(
    encoder: &mut dyn Encoder,
    file: EmbeddedFile<'_>,
    chunk: &EmbeddedChunk<'_>,
    limits: Embedding,
) -> Result<Option<Vec<f32>>, Error> {
    if !is_embedded(file, chunk, limits) {
        return Ok(None);
    }
    let doc = chunk.symbol.and_then(|symbol| symbol.doc).unwrap_or("");
    let with_summary;
    let doc = match chunk.summary {
        Some(summary) => {
            with_summary = format!("{}\n{doc}", summary.text());
            with_summary.as_str()
        }
        None => doc,
    };
    let passage = Passage {
        path: file.path_words,
        name: chunk.symbol.map_or("", |symbol| symbol.qualified_name),
        signature: chunk.symbol.and_then(|symbol| symbol.signature).unwrap_or(""),
        doc,
        code: chunk.content,
    };
    encoder.encode_passage(&passage).map(Some)
}

/// The vector of the names and the documentation of a file's symbols, the file itself left out; none if there are no
/// names, or if the encoder knows none of their words.
///
/// # Errors
/// The encoder fails.
pub(crate) fn embed_names<'a>(
    encoder: &mut dyn Encoder,
    path_words: &str,
    names: impl Iterator<Item = &'a str>,
    docs: impl Iterator<Item = &'a str>,
) -> Result<Option<Vec<f32>>, Error> {
    let names = joined(names, ' ');
    if names.is_empty() {
        return Ok(None);
    }
    let docs = joined(docs, '\n');
    let passage = Passage { path: path_words, name: &names, doc: &docs, ..Passage::default() };
    let mut vector = encoder.encode_passage(&passage)?;
    sextant_encoder::l2_normalize(&mut vector);
    Ok(vector.iter().any(|&x| x != 0.0).then_some(vector))
}

/// Joins texts until they have [`MAX_NAMES_BYTES`] bytes; the last one is cut at a character.
fn joined<'a>(texts: impl Iterator<Item = &'a str>, separator: char) -> String {
    let mut out = String::new();
    for text in texts {
        if !out.is_empty() {
            out.push(separator);
        }
        out.push_str(text);
        if out.len() >= MAX_NAMES_BYTES {
            out.truncate(out.floor_char_boundary(MAX_NAMES_BYTES));
            break;
        }
    }
    out
}

/// Returns the file's stem and the name of its folder, separated by a space. For a stem like `mod` or `index`, which
/// only repeats that the file belongs to the folder, returns the folder alone.
pub(crate) fn words_of_path(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    let folder = parts.next().unwrap_or("");
    if sextant_format::names::is_folder_stem(stem) && !folder.is_empty() {
        folder.to_owned()
    } else {
        format!("{stem} {folder}")
    }
}
