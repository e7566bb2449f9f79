//! Serializes analyses for the cache.
//!
//! A record contains what follows from a text, its language and the limits. It does not depend on the
//! file's path: the symbol of the file itself is recreated on reading. The text of chunks is not stored
//! either, because the reader has the file. The format is postcard; [`VERSION`] identifies the layout.

use serde::{Deserialize, Serialize};
use sextant_format::kinds::{Kind, ParseStatus};

use crate::analyze::Analysis;
use crate::chunk::join_byte_ranges;
use crate::extract::file_symbol;
use crate::language::Language;
use crate::model::{Chunk, Reference, Symbol, TypeFact};
use crate::project::ProjectConfig;
use crate::text::DecodedText;

/// The layout of records. Records of another version are never decoded.
pub const VERSION: u32 = 2;

#[derive(Serialize)]
struct EncodedAnalysis<'a> {
    lines: u32,
    status: ParseStatus,
    error_lines: u32,
    is_generated: bool,
    symbols: &'a [Symbol],
    chunks: &'a [Chunk],
    references: &'a [Reference],
    type_facts: &'a [TypeFact],
    project: &'a Option<ProjectConfig>,
}

#[derive(Deserialize)]
struct DecodedAnalysis {
    lines: u32,
    status: ParseStatus,
    error_lines: u32,
    is_generated: bool,
    symbols: Vec<Symbol>,
    chunks: Vec<Chunk>,
    references: Vec<Reference>,
    type_facts: Vec<TypeFact>,
    project: Option<ProjectConfig>,
}

/// Serializes an analysis.
///
/// # Errors
/// postcard cannot serialize it.
pub fn to_bytes(analysis: &Analysis) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_stdvec(&EncodedAnalysis {
        lines: analysis.lines,
        status: analysis.status,
        error_lines: analysis.error_lines,
        is_generated: analysis.is_generated,
        symbols: &analysis.symbols,
        chunks: &analysis.chunks,
        references: &analysis.references,
        type_facts: &analysis.type_facts,
        project: &analysis.project,
    })
}

/// Restores the analysis of a file at `path` with this text in this language. Returns `None` if the bytes are
/// not a valid record of such a text.
#[must_use]
pub fn from_bytes(
    record: &[u8],
    path: &str,
    text: &DecodedText,
    language: Option<&'static Language>,
) -> Option<Analysis> {
    let (mut decoded, rest): (DecodedAnalysis, _) = postcard::take_from_bytes(record).ok()?;
    if !rest.is_empty() || !decoded.is_consistent() || decoded.lines as usize > text.text.len() + 1 {
        return None;
    }
    for chunk in &mut decoded.chunks {
        chunk.content = join_byte_ranges(&text.text, &chunk.byte_ranges)?;
    }
    let file = decoded.symbols.first_mut()?;
    *file = Symbol { chunk: file.chunk, ..file_symbol(path, &text.text) };
    Some(Analysis {
        language,
        encoding: text.encoding,
        content_hash: text.content_hash,
        bytes: text.bytes,
        lines: decoded.lines,
        status: decoded.status,
        error_lines: decoded.error_lines,
        is_generated: decoded.is_generated,
        symbols: decoded.symbols,
        chunks: decoded.chunks,
        references: decoded.references,
        type_facts: decoded.type_facts,
        project: decoded.project,
    })
}

impl DecodedAnalysis {
    /// Whether every id and line is in range and containers form a tree.
    fn is_consistent(&self) -> bool {
        let (symbols, chunks) = (self.symbols.len(), self.chunks.len());
        let is_symbol = |id: u32| (id as usize) < symbols;
        let is_of_file = |chunk: &Chunk| {
            (1..=chunk.end_line).contains(&chunk.start_line)
                && chunk.end_line <= self.lines
                && chunk.start_byte <= chunk.end_byte
        };
        let is_chunk = |id: u32| (id as usize) < chunks;
        self.symbols.iter().all(|symbol| symbol.container.is_none_or(is_symbol) && symbol.chunk.is_none_or(is_chunk))
            && self.has_acyclic_containers()
            && self.chunks.iter().all(is_of_file)
            && self.chunks.iter().all(|chunk| chunk.parent.is_none_or(is_chunk) && chunk.symbol.is_none_or(is_symbol))
            && self.references.iter().all(|reference| is_symbol(reference.source))
            && self.type_facts.iter().all(|fact| is_symbol(fact.symbol) && is_symbol(fact.scope))
    }
}

impl DecodedAnalysis {
    /// Whether every symbol but the first leads to the first, the file, by following containers.
    fn has_acyclic_containers(&self) -> bool {
        let mut is_known = vec![false; self.symbols.len()];
        let mut path = Vec::new();
        for (n, symbol) in self.symbols.iter().enumerate() {
            let is_file = symbol.kind == Kind::File;
            if (is_file, symbol.container.is_none()) != (n == 0, n == 0) {
                return false;
            }
            let mut at = n;
            while !is_known[at] {
                path.push(at);
                match self.symbols[at].container {
                    // A longer path would be a cycle.
                    Some(container) if path.len() < self.symbols.len() => at = container as usize,
                    Some(_) => return false,
                    None => break,
                }
            }
            path.drain(..).for_each(|at| is_known[at] = true);
        }
        true
    }
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
        }
    }

    #[test]
    fn damaged_records_are_rejected() {
        let bytes = b"fn main() { work(); }\nfn work() {}\n".to_vec();
        let analysis = Analyzer::new().analyze("a.rs", bytes.clone(), &Limits::STANDARD).unwrap();
        let record = to_bytes(&analysis).unwrap();
        let text = text::decode(bytes).unwrap();
        for end in 0..record.len() {
            assert!(from_bytes(&record[..end], "a.rs", &text, analysis.language).is_none());
        }
        for at in 0..record.len() {
            let mut changed = record.clone();
            changed[at] ^= 0x41;
            let _ = from_bytes(&changed, "a.rs", &text, analysis.language);
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
