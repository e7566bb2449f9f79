//! One file, from its path to everything that goes into the index: the closure that a worker runs.
//! No channel divides these steps: a syntax tree is cheap to keep and dear to send.

use sextant_formats::encoder::{Encoder, Passage};
use sextant_formats::kinds::{Kind, ParseStatus};

use crate::chunk::{self, Limits, Lines};
use crate::extract::{self, Extractor};
use crate::language::{self, TEXT};
use crate::model::{Chunk, IndexedFile, Outcome, Source, Symbol};
use crate::read;

/// What decides how a file is processed.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Larger files are skipped.
    pub max_file_bytes: u64,
    /// How text is divided.
    pub limits: Limits,
}

/// What a worker keeps from file to file.
pub struct Worker {
    extractor: Extractor,
    encoder: Option<Box<dyn Encoder>>,
}

impl Worker {
    /// A worker; without an encoder there are no vectors.
    #[must_use]
    pub fn new(encoder: Option<Box<dyn Encoder>>) -> Self {
        Self { extractor: Extractor::new(), encoder }
    }

    /// Processes a file. An error is the encoder's; a file's own trouble is an outcome.
    pub fn process(&mut self, source: &Source, settings: &Settings) -> Result<Outcome, sextant_formats::Error> {
        let text = match read::read(source, settings.max_file_bytes) {
            Ok(text) => text,
            Err(skip) => return Ok(Outcome::Skipped { reason: skip.reason, detail: skip.detail }),
        };
        let read::Text { text, content_hash, bytes } = text;
        let lines = Lines::new(&text);
        let name = source.path.rsplit('/').next().unwrap_or(&source.path);
        let language = language::detect(name, &text);
        let (mut symbols, references, blocks, status) = if text.trim().is_empty() {
            (vec![extract::file_symbol(&source.path, &text)], Vec::new(), Vec::new(), ParseStatus::Empty)
        } else if let Some(language) = language {
            let found = self.extractor.extract(language, &source.path, &text);
            (found.symbols, found.references, found.blocks, found.status)
        } else {
            (vec![extract::file_symbol(&source.path, &text)], Vec::new(), Vec::new(), ParseStatus::Windows)
        };
        let mut chunks = match status {
            ParseStatus::Empty => Vec::new(),
            ParseStatus::Windows | ParseStatus::Timeout => chunk::windows(&lines, &mut symbols[0], &settings.limits),
            ParseStatus::Parsed | ParseStatus::Partial => chunk::chunk(&lines, &mut symbols, &blocks, &settings.limits),
        };
        if let Some(encoder) = &mut self.encoder {
            embed(encoder.as_mut(), &source.path, &symbols, &mut chunks)?;
        }
        Ok(Outcome::Indexed(Box::new(IndexedFile {
            language: language.map_or(TEXT, |language| language.name),
            content_hash,
            bytes,
            lines: lines.count(),
            status,
            is_test: read::is_test_path(&source.path),
            is_generated: read::is_generated(&text),
            symbols,
            chunks,
            references,
        })))
    }
}

/// Level 1 always has a vector; of the blocks those that do something by themselves: a branch
/// or a scope says little without what is around it.
fn is_embedded(chunk: &Chunk) -> bool {
    chunk.level == 1 || matches!(chunk.kind, Kind::Loop | Kind::Match | Kind::Try)
}

fn embed(
    encoder: &mut dyn Encoder,
    path: &str,
    symbols: &[Symbol],
    chunks: &mut [Chunk],
) -> Result<(), sextant_formats::Error> {
    let place = path_words(path);
    for chunk in chunks.iter_mut().filter(|chunk| is_embedded(chunk)) {
        let symbol = chunk.symbol.map(|id| &symbols[id as usize]);
        let vector = encoder.passage(&Passage {
            path: &place,
            name: symbol.map_or("", |symbol| &symbol.qualified_name),
            signature: symbol.and_then(|symbol| symbol.signature.as_deref()).unwrap_or(""),
            doc: symbol.and_then(|symbol| symbol.doc.as_deref()).unwrap_or(""),
            code: &chunk.content,
        })?;
        chunk.vector = Some(vector);
    }
    Ok(())
}

/// The file's stem and its nearest folder. A stem that only says "the file of this folder" has the
/// folder instead.
fn path_words(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    let folder = parts.next().unwrap_or("");
    if matches!(stem, "mod" | "index" | "__init__" | "lib" | "main") && !folder.is_empty() {
        folder.to_owned()
    } else {
        format!("{stem} {folder}")
    }
}
