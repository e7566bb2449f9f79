//! Serializes analyses for the cache.
//!
//! A record contains what follows from a text, its language and the limits. It does not depend on the
//! file's path: the symbol of the file itself is recreated on reading. The text of chunks is not stored
//! either, because the reader has the file. It has two parts, so that a build which changes other files need not read
//! all of it: what those can see of the file, and the rest. The format is postcard; [`VERSION`] identifies the layout.

use serde::{Deserialize, Serialize};
use sextant_format::kinds::{EdgeKind, Kind, ParseStatus};

use crate::analyze::Analysis;
use crate::chunk::join_byte_ranges;
use crate::extract::file_symbol;
use crate::language::Language;
use crate::model::{Chunk, Reference, Symbol, TypeFact};
use crate::project::ProjectConfig;
use crate::text::DecodedText;

/// The layout of records. Records of another version are never decoded.
pub const VERSION: u32 = 3;

/// The two parts of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// What other files can see of the file.
    pub outline: Vec<u8>,
    /// Everything else.
    pub rest: Vec<u8>,
}

/// What other files can see of a file, and what resolution needs of every file.
#[derive(Debug)]
pub struct Outline {
    /// Its symbols, which have no lines but that of their name, no documentation and no chunk.
    pub symbols: Vec<Symbol>,
    /// Its imports, the types that its types extend or implement, and the endpoints that it serves.
    pub links: Vec<Reference>,
    /// Its type facts.
    pub type_facts: Vec<TypeFact>,
    /// Its module configuration.
    pub project: Option<ProjectConfig>,
}

#[derive(Serialize, Deserialize)]
struct StoredOutline<'a> {
    #[serde(borrow)]
    symbols: Vec<OutlinedSymbol<'a>>,
    links: Vec<Reference>,
    type_facts: Vec<TypeFact>,
    project: Option<ProjectConfig>,
}

#[derive(Serialize, Deserialize)]
struct OutlinedSymbol<'a> {
    name: &'a str,
    qualified_name: &'a str,
    kind: Kind,
    name_line: u32,
    name_column: u32,
    container: Option<u32>,
    has_body: bool,
    signature: Option<&'a str>,
    exported: bool,
}

#[derive(Serialize, Deserialize)]
struct StoredRest<'a> {
    /// All references; the first column, so that it can be read alone.
    references: Vec<Reference>,
    lines: u32,
    status: ParseStatus,
    error_lines: u32,
    is_generated: bool,
    #[serde(borrow)]
    symbols: Vec<PlacedSymbol<'a>>,
    chunks: Vec<Chunk>,
}

#[derive(Serialize, Deserialize)]
struct PlacedSymbol<'a> {
    lead_line: u32,
    start_line: u32,
    end_line: u32,
    start_byte: usize,
    end_byte: usize,
    doc: Option<&'a str>,
    embedded: bool,
    chunk: Option<u32>,
}

/// Whether the resolution of other files needs references of a kind: imports, bases, and endpoints that are served.
#[must_use]
pub const fn is_link(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Import | EdgeKind::Inherit | EdgeKind::Implement | EdgeKind::Serve)
}

/// Serializes an analysis.
///
/// # Errors
/// postcard cannot serialize it.
pub fn to_bytes(analysis: &Analysis) -> Result<Record, postcard::Error> {
    let outline = StoredOutline {
        symbols: analysis.symbols.iter().map(outlined).collect(),
        links: analysis.references.iter().filter(|reference| is_link(reference.kind)).cloned().collect(),
        type_facts: analysis.type_facts.clone(),
        project: analysis.project.clone(),
    };
    let rest = StoredRest {
        references: analysis.references.clone(),
        lines: analysis.lines,
        status: analysis.status,
        error_lines: analysis.error_lines,
        is_generated: analysis.is_generated,
        symbols: analysis.symbols.iter().map(placed).collect(),
        chunks: analysis.chunks.clone(),
    };
    Ok(Record { outline: postcard::to_stdvec(&outline)?, rest: postcard::to_stdvec(&rest)? })
}

fn outlined(symbol: &Symbol) -> OutlinedSymbol<'_> {
    OutlinedSymbol {
        name: &symbol.name,
        qualified_name: &symbol.qualified_name,
        kind: symbol.kind,
        name_line: symbol.name_line,
        name_column: symbol.name_column,
        container: symbol.container,
        has_body: symbol.has_body,
        signature: symbol.signature.as_deref(),
        exported: symbol.exported,
    }
}

fn placed(symbol: &Symbol) -> PlacedSymbol<'_> {
    PlacedSymbol {
        lead_line: symbol.lead_line,
        start_line: symbol.start_line,
        end_line: symbol.end_line,
        start_byte: symbol.start_byte,
        end_byte: symbol.end_byte,
        doc: symbol.doc.as_deref(),
        embedded: symbol.embedded,
        chunk: symbol.chunk,
    }
}

/// Decodes all of some bytes.
fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    let (decoded, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(decoded)
}

/// Restores the outline of the file at `path`. Returns `None` if the bytes are not a valid outline.
#[must_use]
pub fn outline_from_bytes(outline: &[u8], path: &str) -> Option<Outline> {
    let StoredOutline { symbols, links, type_facts, project } = decode(outline)?;
    let file = file_symbol(path, "");
    let symbol = |stored: OutlinedSymbol<'_>| Symbol {
        name: stored.name.to_owned(),
        qualified_name: stored.qualified_name.to_owned(),
        kind: stored.kind,
        name_line: stored.name_line,
        name_column: stored.name_column,
        container: stored.container,
        has_body: stored.has_body,
        signature: stored.signature.map(str::to_owned),
        exported: stored.exported,
        ..file_symbol("", "")
    };
    let mut symbols: Vec<Symbol> = symbols.into_iter().map(symbol).collect();
    let is_symbol = |id: u32| (id as usize) < symbols.len();
    let is_consistent = has_acyclic_containers(&symbols)
        && links.iter().all(|link| is_symbol(link.source))
        && type_facts.iter().all(|fact| is_symbol(fact.symbol) && is_symbol(fact.scope));
    if !is_consistent {
        return None;
    }
    *symbols.first_mut()? = file;
    Some(Outline { symbols, links, type_facts, project })
}

/// The references of a file with so many symbols, from the rest of its record. Returns `None` if it is damaged.
#[must_use]
pub fn references_from_bytes(rest: &[u8], symbols: usize) -> Option<Vec<Reference>> {
    let (references, _): (Vec<Reference>, _) = postcard::take_from_bytes(rest).ok()?;
    references.iter().all(|reference| (reference.source as usize) < symbols).then_some(references)
}

/// Restores the analysis of a file at `path` with this text in this language. Returns `None` if the bytes are
/// not a valid record of such a text.
#[must_use]
pub fn from_bytes(
    record: &Record,
    path: &str,
    text: &DecodedText,
    language: Option<&'static Language>,
) -> Option<Analysis> {
    let Outline { mut symbols, type_facts, project, .. } = outline_from_bytes(&record.outline, path)?;
    let mut rest: StoredRest<'_> = decode(&record.rest)?;
    if !rest.is_consistent(&symbols) || rest.lines as usize > text.text.len() + 1 {
        return None;
    }
    for chunk in &mut rest.chunks {
        chunk.content = join_byte_ranges(&text.text, &chunk.byte_ranges)?;
    }
    for (symbol, placed) in symbols.iter_mut().zip(&rest.symbols) {
        symbol.lead_line = placed.lead_line;
        symbol.start_line = placed.start_line;
        symbol.end_line = placed.end_line;
        symbol.start_byte = placed.start_byte;
        symbol.end_byte = placed.end_byte;
        symbol.doc = placed.doc.map(str::to_owned);
        symbol.embedded = placed.embedded;
        symbol.chunk = placed.chunk;
    }
    let file = symbols.first_mut()?;
    *file = Symbol { chunk: file.chunk, ..file_symbol(path, &text.text) };
    Some(Analysis {
        language,
        encoding: text.encoding,
        content_hash: text.content_hash,
        bytes: text.bytes,
        lines: rest.lines,
        status: rest.status,
        error_lines: rest.error_lines,
        is_generated: rest.is_generated,
        symbols,
        chunks: rest.chunks,
        references: rest.references,
        type_facts,
        project,
    })
}

impl StoredRest<'_> {
    /// Whether every id and line is in range.
    fn is_consistent(&self, outlined: &[Symbol]) -> bool {
        let (symbols, chunks) = (self.symbols.len(), self.chunks.len());
        let is_symbol = |id: u32| (id as usize) < symbols;
        let is_of_file = |chunk: &Chunk| {
            (1..=chunk.end_line).contains(&chunk.start_line)
                && chunk.end_line <= self.lines
                && chunk.start_byte <= chunk.end_byte
        };
        let is_chunk = |id: u32| (id as usize) < chunks;
        outlined.len() == symbols
            && self.symbols.iter().all(|symbol| symbol.chunk.is_none_or(is_chunk))
            && self.chunks.iter().all(is_of_file)
            && self.chunks.iter().all(|chunk| chunk.parent.is_none_or(is_chunk) && chunk.symbol.is_none_or(is_symbol))
            && self.references.iter().all(|reference| is_symbol(reference.source))
    }
}

/// Whether the first symbol, and no other, is the file, and the containers are [acyclic](are_acyclic).
fn has_acyclic_containers(symbols: &[Symbol]) -> bool {
    symbols.iter().enumerate().all(|(n, symbol)| (symbol.kind == Kind::File) == (n == 0))
        && are_acyclic(symbols.len(), |n| symbols[n].container)
}

/// Whether every container of so many symbols is one of them, and every symbol but the first leads to the first, the file,
/// by following containers.
pub fn are_acyclic(symbols: usize, container: impl Fn(usize) -> Option<u32>) -> bool {
    let mut is_known = vec![false; symbols];
    let mut path = Vec::new();
    for n in 0..symbols {
        if container(n).is_none() != (n == 0) {
            return false;
        }
        let mut at = n;
        while !is_known[at] {
            path.push(at);
            match container(at).map(|container| container as usize) {
                // A longer path would be a cycle.
                Some(container) if container < symbols && path.len() < symbols => at = container,
                Some(_) => return false,
                None => break,
            }
        }
        path.drain(..).for_each(|at| is_known[at] = true);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analyzer;
    use crate::chunk::Limits;
    use crate::{language, text};

    /// Every fixture of every language, whole and cut in half.
    fn texts() -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        let languages = concat!(env!("CARGO_MANIFEST_DIR"), "/languages");
        for language in fs_err::read_dir(languages).unwrap() {
            let Ok(fixtures) = fs_err::read_dir(language.unwrap().path().join("fixtures")) else { continue };
            for fixture in fixtures {
                let path = fixture.unwrap().path();
                let bytes = fs_err::read(&path).unwrap();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                found.push((format!("old/{name}"), bytes[..bytes.len() / 2].to_vec()));
                found.push((format!("old/{name}"), bytes));
            }
        }
        found
    }

    #[test]
    fn a_record_restores_the_analysis_at_any_path() {
        let mut analyzer = Analyzer::new();
        for (path, bytes) in texts() {
            let Ok(analysis) = analyzer.analyze(&path, bytes.clone(), &Limits::STANDARD) else { continue };
            let record = to_bytes(&analysis).unwrap();
            let elsewhere = path.replace("old/", "new/folder/");
            let expected = analyzer.analyze(&elsewhere, bytes.clone(), &Limits::STANDARD).unwrap();
            let text = text::decode(bytes).unwrap();
            let language = language::detect(crate::analyze::file_name(&path), &text.text);
            let found = from_bytes(&record, &elsewhere, &text, language).unwrap();
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{path}");
            let outline = outline_from_bytes(&record.outline, &elsewhere).unwrap();
            let seen = |symbol: &Symbol| Symbol { chunk: None, doc: None, ..symbol.clone() };
            for (outlined, symbol) in outline.symbols.iter().zip(&expected.symbols) {
                let Symbol { lead_line, start_line, end_line, start_byte, end_byte, embedded, .. } = seen(symbol);
                let placed =
                    Symbol { lead_line, start_line, end_line, start_byte, end_byte, embedded, ..outlined.clone() };
                assert_eq!(placed, seen(symbol), "{path}");
            }
            let references = references_from_bytes(&record.rest, outline.symbols.len()).unwrap();
            assert_eq!((outline.symbols.len(), references), (expected.symbols.len(), expected.references), "{path}");
        }
    }

    #[test]
    fn damaged_records_are_rejected() {
        let bytes = b"fn main() { work(); }\nfn work() {}\n".to_vec();
        let analysis = Analyzer::new().analyze("a.rs", bytes.clone(), &Limits::STANDARD).unwrap();
        let record = to_bytes(&analysis).unwrap();
        let text = text::decode(bytes).unwrap();
        let part =
            |record: &mut Record, n: usize| std::mem::take(if n == 0 { &mut record.outline } else { &mut record.rest });
        for n in [0, 1] {
            let bytes = part(&mut record.clone(), n);
            let with = |bytes: Vec<u8>| {
                let (mut outline, mut rest) = (record.outline.clone(), record.rest.clone());
                *(if n == 0 { &mut outline } else { &mut rest }) = bytes;
                Record { outline, rest }
            };
            for end in 0..bytes.len() {
                assert!(from_bytes(&with(bytes[..end].to_vec()), "a.rs", &text, analysis.language).is_none());
            }
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[at] ^= 0x41;
                let _ = from_bytes(&with(changed.clone()), "a.rs", &text, analysis.language);
                let _ = outline_from_bytes(&changed, "a.rs");
                let _ = references_from_bytes(&changed, 2);
            }
        }
        // Cyclic containers would be followed for ever, and byte ranges must not overlap.
        let changed = |change: &dyn Fn(&mut Analysis)| {
            let mut analysis =
                Analyzer::new().analyze("a.rs", text.text.as_bytes().to_vec(), &Limits::STANDARD).unwrap();
            change(&mut analysis);
            from_bytes(&to_bytes(&analysis).unwrap(), "a.rs", &text, analysis.language)
        };
        assert!(changed(&|_| ()).is_some());
        let changes: [&dyn Fn(&mut Analysis); 6] = [
            &|a| (a.symbols[1].container, a.symbols[2].container) = (Some(2), Some(1)),
            &|a| a.symbols[1].container = Some(1),
            &|a| a.symbols[1].container = None,
            &|a| a.symbols[1].kind = Kind::File,
            &|a| a.chunks[0].byte_ranges = vec![(0, 5), (0, 5)],
            &|a| a.chunks[0].end_line = 3,
        ];
        for (n, change) in changes.into_iter().enumerate() {
            assert!(changed(change).is_none(), "{n}");
        }
        let other = text::decode(b"x".to_vec()).unwrap();
        assert!(from_bytes(&record, "a.rs", &other, analysis.language).is_none());
    }
}
