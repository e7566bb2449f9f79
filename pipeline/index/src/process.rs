//! Processes one file on a worker thread, from its path to its rows and vectors. The steps run on one thread, because
//! a syntax tree is expensive to send to another.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use sextant_encoder::Encoder;
use sextant_format::digest::Digest;
use sextant_format::kinds::Kind;
use sextant_syntax::chunk::Limits;
use sextant_syntax::macros::AppliedMacros;
use sextant_syntax::model::Reference;
use sextant_syntax::text::{self, DecodedText};
use sextant_syntax::{Analysis, Analyzer, analyze, language};

use crate::embedding::{EmbeddedChunk, EmbeddedFile, EmbeddedSymbol, embed_chunk, embed_names, words_of_path};
use crate::learn::LearntMacros;
use crate::model::{
    Chunk, IndexedFile, KnownFacts, Outcome, RecalledFile, Source, Symbol, UnchangedFile, Vector, quantize_rounded,
};
use crate::read;
use crate::reuse::{AnalysisCache, CacheEntry, FileKeys, Key, KnownFile, RecordCodec};
use crate::settings::{Embedding, Settings};
use crate::summaries::{StoredSummary, Summaries, summaries_digest};
use sextant_resolve::scip::{ScipIndexes, ScipOccurrences};
use sextant_resolve::{StoredFiles, StoredTable};

/// A worker: state that is reused from file to file.
pub struct Worker<'a> {
    analyzer: Analyzer,
    encoder: Option<Box<dyn Encoder>>,
    codec: RecordCodec,
    analysis_cache: &'a AnalysisCache,
    macros: &'a LearntMacros,
    summaries: &'a Summaries,
    worker_stats: &'a WorkerStats,
    /// The stored symbol table of the earlier build; none without one.
    stored: Option<StoredFiles<'a>>,
    /// Whether the index keeps the analyses of its files.
    keeps_analyses: bool,
}

/// The vectors of a file's chunks, then that of its names if no chunk of level 1 has one; and the cache entry for later
/// builds.
type EmbeddedVectors = Result<(Vec<Option<Vec<f32>>>, Option<Key>, Option<CacheEntry>), sextant_encoder::Error>;

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
        summaries: &'a Summaries,
        worker_stats: &'a WorkerStats,
        stored: Option<&'a StoredTable>,
        keeps_analyses: bool,
    ) -> std::io::Result<Self> {
        Ok(Self {
            keeps_analyses,
            analyzer: Analyzer::new(),
            encoder,
            codec: RecordCodec::new()?,
            analysis_cache,
            macros,
            summaries,
            worker_stats,
            stored: stored.map(StoredTable::files),
        })
    }

    /// Returns what is needed of a file whose rows are known; none if something is missing.
    pub(crate) fn recall(&mut self, known: &KnownFile) -> Option<Outcome> {
        let began = Instant::now();
        if known.keys.vectors.is_some() != self.encoder.is_some() {
            return None;
        }
        let row = &known.row;
        let (facts, cache_entries) = if known.is_stored {
            let entries = self.analysis_cache.entries(&known.keys);
            // A base of the profile `overlay` has no analyses. One is made where its references are asked for.
            let entries = match entries {
                None if !self.keeps_analyses => self.analysis_cache.without_entries(),
                entries => entries?,
            };
            (KnownFacts::Stored(self.stored.as_mut()?.read(known.number)?), entries)
        } else {
            let found = self.analysis_cache.outline(&mut self.codec, &known.keys, &row.path, row.bytes)?;
            (KnownFacts::Outline(found.0), found.1)
        };
        add_elapsed(&self.worker_stats.analyze_nanos, began);
        Some(Outcome::Unchanged(Box::new(UnchangedFile { known: known.clone(), facts, cache_entries })))
    }

    /// Returns the references of a recalled file; none if they are not those that it had then.
    pub(crate) fn references(&mut self, file: &RecalledFile, settings: &Settings) -> Option<Vec<Reference>> {
        let RecalledFile { analysis: key, bytes, symbols, source } = file;
        if let Some(cached) = self.analysis_cache.references(&mut self.codec, key, *bytes, *symbols) {
            return Some(cached);
        }
        let source = source.as_deref()?;
        let text = read::read(source, settings.max_file_bytes).and_then(text::decode).ok()?;
        let (found, analysis, _) = self.analysis(source, text, &settings.limits);
        (found == *key && analysis.symbols.len() == *symbols).then_some(analysis.references)
    }

    /// Processes a file. A file that cannot be read or indexed is an [`Outcome::Skipped`], not an error.
    ///
    /// # Errors
    /// The encoder fails.
    pub(crate) fn process(
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
        // As much as possible is done here, because the sink is a single thread.
        let hashes: Vec<Digest> =
            analysis.chunks.iter().map(|chunk| Digest::hash_bytes(chunk.content.as_bytes())).collect();
        let summaries = self.summaries.of_analysis(&analysis, &hashes);
        let (vectors, vectors_key, vectors_entry) =
            self.vectors(key, &source.path, &analysis, &summaries, settings.embedding)?;
        add_elapsed(&self.worker_stats.embed_nanos, began);
        let keys = FileKeys {
            analysis: entry.as_ref().map(|entry| entry.key),
            vectors: vectors_key,
            embedded_chunks: vectors.iter().take(analysis.chunks.len()).flatten().count() as u32,
        };
        let cache_entries = entry.into_iter().chain(vectors_entry).collect();
        let is_test = read::is_test_path(&source.path)
            || read::may_be_test_path(&source.path) && analysis.symbols.iter().skip(1).any(is_named_test);
        let (chunk_vectors, names) = vectors.split_at(analysis.chunks.len());
        let vectors = chunk_vectors.iter().map(|vector| vector.as_deref().map(Vector::from_f32)).collect();
        let names_vector = names.iter().flatten().next().map(|vector| quantize_rounded(vector));
        let summaries = summaries.into_iter().map(|summary| summary.cloned()).collect();
        Ok(Outcome::Indexed(Box::new(IndexedFile {
            is_test,
            summaries,
            scip_occurrences,
            analysis,
            hashes,
            vectors,
            names_vector,
            cache_entries,
            keys,
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

    /// Returns the vectors of an analysis, from the cache or computed, their key, and their cache entry for later builds.
    fn vectors(
        &mut self,
        analysis_key: Key,
        path: &str,
        analysis: &Analysis,
        summaries: &[Option<&StoredSummary>],
        limits: Embedding,
    ) -> EmbeddedVectors {
        let path_words = words_of_path(path);
        let digest = summaries_digest(summaries);
        let (Some(encoder), Some(key)) =
            (&mut self.encoder, self.analysis_cache.vectors_key(&analysis_key, &path_words, digest.as_ref()))
        else {
            return Ok((vec![None; analysis.chunks.len() + 1], None, None));
        };
        if let Some((vectors, entry)) = self.analysis_cache.vectors(key, analysis.chunks.len() + 1) {
            return Ok((vectors, Some(key), Some(entry)));
        }
        let before = encoder.tokens_evaluated();
        let mut vectors = embed_chunks(encoder.as_mut(), &path_words, analysis, summaries, limits)?;
        let has_vector =
            (0..).zip(&analysis.chunks).any(|(n, chunk)| chunk.level == 1 && vectors[n as usize].is_some());
        // The first symbol is the file.
        let symbols = analysis.symbols.get(1..).unwrap_or_default();
        let names = symbols.iter().map(|symbol| symbol.name.as_str());
        let docs = symbols.iter().filter_map(|symbol| symbol.doc.as_deref());
        vectors.push(if has_vector { None } else { embed_names(encoder.as_mut(), &path_words, names, docs)? });
        self.worker_stats.tokens.fetch_add(encoder.tokens_evaluated() - before, Relaxed);
        let entry = self.analysis_cache.vectors_entry(key, &vectors);
        Ok((vectors, Some(key), entry))
    }
}

/// Whether a symbol is a test, by its kind or its name.
fn is_named_test(symbol: &Symbol) -> bool {
    symbol.kind == Kind::Test || symbol.name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("test"))
}

/// The vectors of an analysed file's chunks.
fn embed_chunks(
    encoder: &mut dyn Encoder,
    path_words: &str,
    analysis: &Analysis,
    summaries: &[Option<&StoredSummary>],
    limits: Embedding,
) -> Result<Vec<Option<Vec<f32>>>, sextant_encoder::Error> {
    let file = EmbeddedFile {
        path_words,
        is_data: analysis.language.is_some_and(|language| language.is_data),
        is_generated: analysis.is_generated,
    };
    let vector = |(chunk, summary): (&Chunk, &Option<&StoredSummary>)| {
        let symbol = chunk.symbol.map(|id| &analysis.symbols[id as usize]).map(|symbol| EmbeddedSymbol {
            qualified_name: &symbol.qualified_name,
            signature: symbol.signature.as_deref(),
            doc: symbol.doc.as_deref(),
        });
        let chunk = EmbeddedChunk {
            level: chunk.level,
            kind: chunk.kind,
            lines: chunk.end_line - chunk.start_line + 1,
            symbol,
            content: &chunk.content,
            summary: *summary,
        };
        embed_chunk(encoder, file, &chunk, limits)
    };
    analysis.chunks.iter().zip(summaries).map(vector).collect()
}
