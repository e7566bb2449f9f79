//! Processes one file on a worker thread, from its path to its rows and vectors. The steps run on one thread, because
//! a syntax tree is expensive to send to another.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use sextant_encoder::{Encoder, Passage};
use sextant_format::digest::Digest;
use sextant_format::kinds::Kind;
use sextant_syntax::chunk::Limits;
use sextant_syntax::macros::AppliedMacros;
use sextant_syntax::text::{self, DecodedText};
use sextant_syntax::{Analysis, Analyzer, analyze, language};

use crate::learn::LearntMacros;
use crate::model::{Chunk, IndexedFile, Outcome, Source, Symbol, Vector, quantize_rounded};
use crate::read;
use crate::reuse::{AnalysisCache, CacheEntry, Key, RecordCodec};
use crate::settings::{Embedding, Settings};
use sextant_resolve::scip::{ScipIndexes, ScipOccurrences};

/// A worker: state that is reused from file to file.
pub struct Worker<'a> {
    analyzer: Analyzer,
    encoder: Option<Box<dyn Encoder>>,
    codec: RecordCodec,
    analysis_cache: &'a AnalysisCache,
    macros: &'a LearntMacros,
    worker_stats: &'a WorkerStats,
}

/// The vectors of a file's chunks, then that of its names if no chunk of level 1 has one; and the cache entry for later
/// builds.
type EmbeddedVectors = Result<(Vec<Option<Vec<f32>>>, Option<CacheEntry>), sextant_encoder::Error>;

/// Times and tokens of the workers, summed over their threads. They appear in the summary only, never in the index.
#[derive(Debug, Default)]
pub struct WorkerStats {
    analyze_nanos: AtomicU64,
    embed_nanos: AtomicU64,
    tokens: AtomicU64,
}

impl WorkerStats {
    /// Seconds spent on reading, hashing, parsing, extraction and chunking, summed over all threads.
    pub fn analyze_seconds(&self) -> f64 {
        self.analyze_nanos.load(Relaxed) as f64 / 1e9
    }

    /// Seconds spent on embedding, summed over all threads.
    pub fn embed_seconds(&self) -> f64 {
        self.embed_nanos.load(Relaxed) as f64 / 1e9
    }

    /// Number of tokens that the encoder evaluated; cached passages are not evaluated again.
    pub fn tokens(&self) -> u64 {
        self.tokens.load(Relaxed)
    }
}

/// Adds the nanoseconds since `since` to `sum`, and returns the current time.
fn add_elapsed(sum: &AtomicU64, since: Instant) -> Instant {
    let now = Instant::now();
    sum.fetch_add(u64::try_from((now - since).as_nanos()).unwrap_or(u64::MAX), Relaxed);
    now
}

impl<'a> Worker<'a> {
    /// Creates a worker; without an encoder it produces no vectors.
    pub(crate) fn new(
        encoder: Option<Box<dyn Encoder>>,
        analysis_cache: &'a AnalysisCache,
        macros: &'a LearntMacros,
        worker_stats: &'a WorkerStats,
    ) -> std::io::Result<Self> {
        Ok(Self {
            analyzer: Analyzer::new(),
            encoder,
            codec: RecordCodec::new()?,
            analysis_cache,
            macros,
            worker_stats,
        })
    }

    /// Processes a file. A file that cannot be read or indexed is an [`Outcome::Skipped`], not an error.
    ///
    /// # Errors
    /// The encoder fails.
    pub fn process(
        &mut self,
        source: &Source,
        settings: &Settings,
        scip: &ScipIndexes,
    ) -> Result<Outcome, sextant_encoder::Error> {
        let began = Instant::now();
        let mut scip_occurrences = ScipOccurrences::Missing;
        let read = read::read(source, settings.max_file_bytes).and_then(|bytes| {
            scip_occurrences = scip.occurrences_of(&source.path, &bytes);
            text::decode(bytes)
        });
        let text = match read {
            Ok(text) => text,
            Err(skip) => return Ok(Outcome::Skipped { reason: skip.reason, detail: skip.detail }),
        };
        let (key, analysis, entry) = self.analysis(source, text, &settings.limits);
        let began = add_elapsed(&self.worker_stats.analyze_nanos, began);
        let (vectors, vectors_entry) = self.vectors(key, &source.path, &analysis, settings.embedding)?;
        add_elapsed(&self.worker_stats.embed_nanos, began);
        let cache_entries = entry.into_iter().chain(vectors_entry).collect();
        let is_test = read::is_test_path(&source.path)
            || read::may_be_test_path(&source.path) && analysis.symbols.iter().skip(1).any(is_named_test);
        // As much as possible is done here, because the sink is a single thread.
        let hashes = analysis.chunks.iter().map(|chunk| Digest::hash_bytes(chunk.content.as_bytes())).collect();
        let (chunk_vectors, names) = vectors.split_at(analysis.chunks.len());
        let vectors = chunk_vectors.iter().map(|vector| vector.as_deref().map(Vector::from_f32)).collect();
        let names_vector = names.iter().flatten().next().map(|vector| quantize_rounded(vector));
        Ok(Outcome::Indexed(Box::new(IndexedFile {
            is_test,
            scip_occurrences,
            analysis,
            hashes,
            vectors,
            names_vector,
            cache_entries,
        })))
    }

    /// Returns the analysis of a text, from the cache or computed, and its cache entry for later builds.
    fn analysis(&mut self, source: &Source, text: DecodedText, limits: &Limits) -> (Key, Analysis, Option<CacheEntry>) {
        let path = source.path.as_str();
        let language = language::detect(analyze::file_name(path), &text.text);
        let has_macros = language.is_some_and(|language| language.has_preprocessor);
        let macros = if has_macros { self.macros.of(source).apply(path, &text.text) } else { AppliedMacros::default() };
        let key = self.analysis_cache.analysis_key(path, &text, language, macros.digest.as_ref());
        if let Some((analysis, entry)) = self.analysis_cache.analysis(&mut self.codec, key, path, &text, language) {
            return (key, analysis, Some(entry));
        }
        let analysis = self.analyzer.analyze_text(path, text, language, limits, macros);
        let entry = AnalysisCache::analysis_entry(&mut self.codec, key, &analysis);
        (key, analysis, entry)
    }

    /// Returns the vectors of an analysis, from the cache or computed, and their cache entry for later builds.
    fn vectors(&mut self, analysis_key: Key, path: &str, analysis: &Analysis, limits: Embedding) -> EmbeddedVectors {
        let path_words = words_of_path(path);
        let (Some(encoder), Some(key)) =
            (&mut self.encoder, self.analysis_cache.vectors_key(&analysis_key, &path_words))
        else {
            return Ok((vec![None; analysis.chunks.len() + 1], None));
        };
        if let Some((vectors, entry)) = self.analysis_cache.vectors(key, analysis.chunks.len() + 1) {
            return Ok((vectors, Some(entry)));
        }
        let before = encoder.tokens_evaluated();
        let mut vectors = embed(encoder.as_mut(), &path_words, analysis, limits)?;
        let has_vector =
            (0..).zip(&analysis.chunks).any(|(n, chunk)| chunk.level == 1 && vectors[n as usize].is_some());
        vectors.push(if has_vector { None } else { embed_names(encoder.as_mut(), &path_words, analysis)? });
        self.worker_stats.tokens.fetch_add(encoder.tokens_evaluated() - before, Relaxed);
        let entry = AnalysisCache::vectors_entry(key, &vectors);
        Ok((vectors, Some(entry)))
    }
}

/// Whether a symbol is a test, by its kind or its name.
fn is_named_test(symbol: &Symbol) -> bool {
    symbol.kind == Kind::Test || symbol.name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("test"))
}

/// Maximum length of a line in an embedded chunk, in bytes. Longer lines are data or generated.
const MAX_LINE_BYTES: usize = 5_000;

/// Whether a chunk gets a vector. Of blocks, only loops, matches and `try` blocks do; a branch or a scope means little
/// without its surroundings. Data and generated code do not, because they are many rows with little meaning. Short
/// undocumented symbols do not either: full-text search finds their few words, and ranking does not penalise a missing
/// vector.
fn is_embedded(analysis: &Analysis, chunk: &Chunk, limits: Embedding) -> bool {
    if chunk.level == 2 {
        return matches!(chunk.kind, Kind::Loop | Kind::Match | Kind::Try);
    }
    let lines = chunk.end_line - chunk.start_line + 1;
    let is_short = match chunk.symbol.map(|id| &analysis.symbols[id as usize]) {
        Some(symbol) => lines < limits.symbol_lines && symbol.doc.is_none(),
        None => lines < limits.code_lines,
    };
    let is_data = analysis.language.is_some_and(|language| language.is_data);
    !is_short && !is_data && !analysis.is_generated && chunk.content.lines().all(|line| line.len() <= MAX_LINE_BYTES)
}

fn embed(
    encoder: &mut dyn Encoder,
    path_words: &str,
    analysis: &Analysis,
    limits: Embedding,
) -> Result<Vec<Option<Vec<f32>>>, sextant_encoder::Error> {
    let vector = |chunk: &Chunk| {
        if !is_embedded(analysis, chunk, limits) {
            return Ok(None);
        }
        let symbol = chunk.symbol.map(|id| &analysis.symbols[id as usize]);
        let passage = Passage {
            path: path_words,
            name: symbol.map_or("", |symbol| &symbol.qualified_name),
            signature: symbol.and_then(|symbol| symbol.signature.as_deref()).unwrap_or(""),
            doc: symbol.and_then(|symbol| symbol.doc.as_deref()).unwrap_or(""),
            code: &chunk.content,
        };
        encoder.encode_passage(&passage).map(Some)
    };
    analysis.chunks.iter().map(vector).collect()
}

/// Maximum bytes of the names, and of the documentation, that the vector of a file's names reads.
const MAX_NAMES_BYTES: usize = 2048;

/// The vector of the names and the documentation of a file's symbols; none if it has no named symbol, or if the encoder
/// knows none of their words.
fn embed_names(
    encoder: &mut dyn Encoder,
    path_words: &str,
    analysis: &Analysis,
) -> Result<Option<Vec<f32>>, sextant_encoder::Error> {
    // The first symbol is the file.
    let symbols = analysis.symbols.get(1..).unwrap_or_default();
    if symbols.is_empty() {
        return Ok(None);
    }
    let names = joined(symbols.iter().map(|symbol| symbol.name.as_str()), ' ');
    let docs = joined(symbols.iter().filter_map(|symbol| symbol.doc.as_deref()), '\n');
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
fn words_of_path(path: &str) -> String {
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
