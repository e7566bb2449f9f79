//! A content-addressed cache of analyses and vectors from earlier builds.
//!
//! Entries come from the part `facts` of a previous index and from the files of a shared cache. Entries that this build
//! uses or creates are written to the part `facts` of the new index, but vectors only if their encoder is slow: the
//! index has them in its segments, and the built-in encoder computes them again in less time than it takes to fetch or
//! keep them. Entries that the shared cache lacks are added to it. A key covers everything that decides its entry, and a damaged entry counts as missing. Reuse therefore never
//! changes the result of a build.

mod cache_entry;
mod entry_store;
mod file_keys;
mod index_cache;
mod shared_cache;

use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use half::f16;
use sextant_format::digest::Digest;
use sextant_format::generation::Generation;
use sextant_format::version::FEATURE_VERSION;
use sextant_syntax::language::Language;
use sextant_syntax::model::Reference;
use sextant_syntax::record::{Outline, Record};
use sextant_syntax::text::DecodedText;
use sextant_syntax::{Analysis, analyze, project, record};
use zstd::bulk::Compressor;
use zstd::stream::read::Decoder;
use zstd::zstd_safe::{DCtx, ResetDirective};

pub(crate) use self::cache_entry::CacheEntry;
pub(crate) use self::entry_store::{EntryStore, EntryStoreWriter, Key};
pub(crate) use self::file_keys::{FileKeys, KnownFile, read_file_keys, write_file_keys};
pub(crate) use self::index_cache::{IndexCache, IndexCacheFiles, IndexCacheWriter};
pub(crate) use self::shared_cache::SharedCache;
use crate::embed::Model;
use crate::settings::Settings;

/// Where to find cached analyses and vectors.
#[derive(Clone, Debug, Default)]
pub struct ReuseOptions {
    /// An index to start from where it is nearer to the files than the output's current generation.
    pub base: Option<PathBuf>,
    /// The folder of a cache that builds share.
    pub cache: Option<PathBuf>,
    /// Size in bytes above which the oldest files of the shared cache are evicted.
    pub max_cache_bytes: u64,
    /// Stores of analyses from elsewhere.
    pub stores: Vec<PathBuf>,
    /// Whether to reuse nothing.
    pub disabled: bool,
}

/// What was reused, and why not more.
#[derive(Clone, Debug, Default)]
pub struct ReuseCounts {
    /// Number of files whose analysis was reused.
    pub analyses: u64,
    /// Number of files whose vectors were reused, including files without embedded chunks.
    pub vectors: u64,
    /// Whether nothing had changed, so that the previous generation was kept.
    pub unchanged: bool,
    /// Whether the build started from the base index.
    pub from_base: bool,
    /// Why nothing, or not more, was reused.
    pub miss_reasons: Vec<String>,
}

/// The cached analyses and vectors that a build can reuse.
pub(crate) struct AnalysisCache {
    /// Stores of the previous index.
    index_stores: Vec<EntryStore>,
    /// Stores of an index that the build did not start from.
    other_stores: Vec<EntryStore>,
    /// Stores of the shared cache.
    shared_stores: Vec<EntryStore>,
    /// Everything that decides an analysis, except for the file.
    analysis: blake3::Hasher,
    /// What is known of the encoder; none without one.
    vectors: Option<VectorsCache>,
    analysis_hits: AtomicU64,
    vector_hits: AtomicU64,
}

/// How vectors are cached.
struct VectorsCache {
    /// Everything that decides vectors, except for the analysis and the path words.
    hasher: blake3::Hasher,
    dims: usize,
    /// Whether an index keeps them.
    is_in_index: bool,
    /// Whether a cache receives them.
    is_shared: bool,
}

impl AnalysisCache {
    /// Creates a cache from the stores of a previous index, of another index, and of a shared cache. Vectors are kept for
    /// a slow encoder, and where `is_shared` says that something else than an index receives them too.
    pub(crate) fn new(
        [index_stores, other_stores, shared_stores]: [Vec<EntryStore>; 3],
        settings: &Settings,
        model: Option<&Model>,
        is_shared: bool,
    ) -> Self {
        let mut analysis = blake3::Hasher::new();
        analysis.update(format!("analysis {} {FEATURE_VERSION} {:?}", record::VERSION, settings.limits).as_bytes());
        let vectors = model.map(|model| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(format!("vectors {} {:?}", model.info.hash, settings.embedding).as_bytes());
            VectorsCache { hasher, dims: model.info.dimensions as usize, is_in_index: model.is_slow(), is_shared }
        });
        let none = || AtomicU64::new(0);
        Self {
            index_stores,
            other_stores,
            shared_stores,
            analysis,
            vectors,
            analysis_hits: none(),
            vector_hits: none(),
        }
    }

    fn get(&self, key: &Key) -> Option<CacheEntry> {
        let indexed = self.index_stores.iter().find_map(|store| store.get(key));
        let is_in_index = indexed.is_some();
        let mut others = self.other_stores.iter().chain(&self.shared_stores);
        let value = indexed.or_else(|| others.find_map(|store| store.get(key)))?;
        let is_in_shared_cache = self.shared_stores.iter().any(|store| store.contains(key));
        Some(CacheEntry { key: *key, value, is_for_index: true, is_in_shared_cache, is_in_index })
    }

    /// Whether an index keeps the vectors of its analyses.
    fn keeps_vectors(&self) -> bool {
        self.vectors.as_ref().is_some_and(|vectors| vectors.is_in_index)
    }

    /// Returns the key of a text's analysis. Of the path, only the language counts and, for a project file, its name.
    /// `macros` is the digest of the repository's macros that the text uses.
    pub(crate) fn analysis_key(
        &self,
        path: &str,
        text: &DecodedText,
        language: Option<&Language>,
        macros: Option<&Digest>,
    ) -> Key {
        let mut hasher = self.analysis.clone();
        let name = analyze::file_name(path);
        for part in
            [language.map_or("", |language| language.name), if project::is_project_file(name) { name } else { "" }]
        {
            hasher.update(part.as_bytes()).update(&[0]);
        }
        if let Some(macros) = macros {
            hasher.update(&macros.0);
        }
        truncated_key(hasher.update(&text.content_hash.0))
    }

    /// Returns the cached analysis of a text and its entry; none if it is missing or damaged.
    pub(crate) fn analysis(
        &self,
        codec: &mut RecordCodec,
        key: Key,
        path: &str,
        text: &DecodedText,
        language: Option<&'static Language>,
    ) -> Option<(Analysis, CacheEntry)> {
        let entry = self.get(&key)?;
        let record = codec.decompress(entry.value.as_slice(), text.text.len())?;
        let analysis = record::from_bytes(&record, path, text, language)?;
        self.analysis_hits.fetch_add(1, Relaxed);
        Some((analysis, entry))
    }

    /// Returns the cached outline of the file at `path` of `bytes` bytes, and the entries of its analysis and vectors;
    /// none if one is missing or damaged.
    pub(crate) fn outline(
        &self,
        codec: &mut RecordCodec,
        keys: &FileKeys,
        path: &str,
        bytes: u64,
    ) -> Option<(Outline, Vec<CacheEntry>)> {
        let entries = self.entries(keys)?;
        let entry = entries.first()?;
        let outline = codec.decompress_outline(entry.value.as_slice(), usize::try_from(bytes).ok()?)?;
        let outline = record::outline_from_bytes(&outline, path)?;
        Some((outline, entries))
    }

    /// Returns what an index keeps of the analysis and the vectors of a file whose rows it has; none if one is missing.
    pub(crate) fn entries(&self, keys: &FileKeys) -> Option<Vec<CacheEntry>> {
        let mut entries = vec![self.get(&keys.analysis?)?];
        if let Some(key) = &keys.vectors {
            if self.keeps_vectors() {
                entries.push(self.get(key)?);
            }
            self.vector_hits.fetch_add(1, Relaxed);
        }
        self.analysis_hits.fetch_add(1, Relaxed);
        Some(entries)
    }

    /// Counts a file whose rows and symbols are known without its analysis, and returns its entries: none.
    pub(crate) fn without_entries(&self) -> Vec<CacheEntry> {
        self.analysis_hits.fetch_add(1, Relaxed);
        self.vector_hits.fetch_add(u64::from(self.vectors.is_some()), Relaxed);
        Vec::new()
    }

    /// Returns the cached references of a file of `bytes` bytes with so many symbols; none if they are missing or damaged.
    pub(crate) fn references(
        &self,
        codec: &mut RecordCodec,
        key: &Key,
        bytes: u64,
        symbols: usize,
    ) -> Option<Vec<Reference>> {
        let entry = self.get(key)?;
        let rest = codec.decompress_rest(entry.value.as_slice(), usize::try_from(bytes).ok()?)?;
        record::references_from_bytes(&rest, symbols)
    }

    /// Returns the entry for an analysis; none if it cannot be encoded.
    pub(crate) fn analysis_entry(codec: &mut RecordCodec, key: Key, analysis: &Analysis) -> Option<CacheEntry> {
        let value = codec.compress(&record::to_bytes(analysis).ok()?)?;
        Some(CacheEntry::new(key, value, true))
    }

    /// Returns the key of the vectors of an analysis, the words of its path and the digest of its summaries; none
    /// without an encoder.
    pub(crate) fn vectors_key(&self, analysis: &Key, path_words: &str, summaries: Option<&Digest>) -> Option<Key> {
        let mut hasher = self.vectors.as_ref()?.hasher.clone();
        hasher.update(analysis).update(path_words.as_bytes());
        if let Some(summaries) = summaries {
            hasher.update(&[0]).update(&summaries.0);
        }
        Some(truncated_key(&hasher))
    }

    /// Returns the `count` cached vectors of a file, present or not, and their entry; none if they are missing or damaged.
    pub(crate) fn vectors(&self, key: Key, count: usize) -> Option<(Vec<Option<Vec<f32>>>, CacheEntry)> {
        let cache = self.vectors.as_ref()?;
        let entry = CacheEntry { is_for_index: cache.is_in_index, ..self.get(&key)? };
        let vectors = read_vectors(entry.value.as_slice(), count, cache.dims)?;
        self.vector_hits.fetch_add(1, Relaxed);
        Some((vectors, entry))
    }

    /// Returns the entry for vectors; none if nothing would keep it.
    pub(crate) fn vectors_entry(&self, key: Key, vectors: &[Option<Vec<f32>>]) -> Option<CacheEntry> {
        let cache = self.vectors.as_ref().filter(|cache| cache.is_in_index || cache.is_shared)?;
        Some(CacheEntry::new(key, write_vectors(vectors), cache.is_in_index))
    }

    /// Returns for how many files the analysis and the vectors were reused.
    pub(crate) fn hits(&self) -> (u64, u64) {
        (self.analysis_hits.load(Relaxed), self.vector_hits.load(Relaxed))
    }
}

/// The zstd level for analyses. It is low because they are read about as often as written, and are transferred only in
/// packs with the profile `full`.
const COMPRESSION_LEVEL: i32 = 1;

/// Maximum size of an analysis is this many bytes,
const MAX_RECORD_BASE_BYTES: u64 = 1 << 20;
/// plus this many for each byte of the text. Code with short statements needs about twenty.
const MAX_RECORD_BYTES_PER_TEXT_BYTE: u64 = 256;

/// Compresses and decompresses analyses. Each worker has one codec, because creating the library's tables takes longer
/// than reading the analysis of a small file.
pub(crate) struct RecordCodec {
    compressor: Compressor<'static>,
    context: DCtx<'static>,
}

impl RecordCodec {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Self { compressor: Compressor::new(COMPRESSION_LEVEL)?, context: DCtx::create() })
    }

    /// Compresses the parts of a record, preceded by the length of the first one.
    fn compress(&mut self, record: &Record) -> Option<Vec<u8>> {
        let outline = self.compressor.compress(&record.outline).ok()?;
        let rest = self.compressor.compress(&record.rest).ok()?;
        let length = u32::try_from(outline.len()).ok()?;
        Some([length.to_le_bytes().as_slice(), &outline, &rest].concat())
    }

    /// Decompresses the analysis of a text of `text` bytes; none if it is damaged.
    fn decompress(&mut self, value: &[u8], text: usize) -> Option<Record> {
        let (outline, rest) = (self.decompress_outline(value, text)?, self.decompress_rest(value, text)?);
        Some(Record { outline, rest })
    }

    fn decompress_outline(&mut self, value: &[u8], text: usize) -> Option<Vec<u8>> {
        self.decompress_part(parts_of_record(value)?.0, text)
    }

    fn decompress_rest(&mut self, value: &[u8], text: usize) -> Option<Vec<u8>> {
        self.decompress_part(parts_of_record(value)?.1, text)
    }

    fn decompress_part(&mut self, part: &[u8], text: usize) -> Option<Vec<u8>> {
        // Discard the state that a damaged record may have left.
        self.context.reset(ResetDirective::SessionOnly).ok()?;
        let max_bytes = MAX_RECORD_BASE_BYTES + MAX_RECORD_BYTES_PER_TEXT_BYTE * text as u64;
        let mut bytes = Vec::new();
        Decoder::with_context(part, &mut self.context).take(max_bytes + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= max_bytes).then_some(bytes)
    }
}

/// The compressed parts of a record.
fn parts_of_record(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, parts) = value.split_first_chunk()?;
    parts.split_at_checked(u32::from_le_bytes(*length) as usize)
}

fn truncated_key(hasher: &blake3::Hasher) -> Key {
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

/// Encodes vectors as [`read_vectors`] decodes them.
fn write_vectors(vectors: &[Option<Vec<f32>>]) -> Vec<u8> {
    let mut value: Vec<u8> = vectors.iter().map(|vector| u8::from(vector.is_some())).collect();
    for x in vectors.iter().flatten().flatten() {
        value.extend(f16::from_f32(*x).to_le_bytes());
    }
    value
}

/// Decodes vectors: one byte for each chunk, 1 if it has a vector, then the vectors in half precision. None if the
/// value does not match the number of chunks or dimensions.
fn read_vectors(value: &[u8], chunks: usize, dims: usize) -> Option<Vec<Option<Vec<f32>>>> {
    let (has, numbers) = value.split_at_checked(chunks)?;
    let count = has.iter().filter(|&&has| has == 1).count();
    if numbers.len() != count * dims * 2 {
        return None;
    }
    let mut rows = numbers.chunks_exact(dims.max(1) * 2);
    has.iter()
        .map(|has| match has {
            0 => Some(None),
            1 => Some(Some(
                rows.next()?.chunks_exact(2).map(|pair| f16::from_le_bytes([pair[0], pair[1]]).to_f32()).collect(),
            )),
            _ => None,
        })
        .collect()
}

/// Returns why cached analyses or vectors of a generation cannot be reused in this build.
pub(crate) fn incompatibilities(generation: &Generation, model: Option<&str>) -> Vec<String> {
    let manifest = generation.manifest();
    let mut reasons = Vec::new();
    if manifest.feature_version != FEATURE_VERSION {
        reasons.push(format!(
            "the previous index has features {}, this build {FEATURE_VERSION}",
            manifest.feature_version
        ));
    }
    if let (Some(before), Some(now)) = (&manifest.model, model)
        && before.hash != now
    {
        reasons.push(format!("the previous index was made with another encoder, {}", before.name));
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_round_trip_and_truncated_ones_are_rejected() {
        let vectors = vec![None, Some(vec![0.5, -0.25]), None, Some(vec![0.0, 1.0])];
        let value = write_vectors(&vectors);
        assert_eq!(read_vectors(&value, 4, 2), Some(vectors));
        for (chunks, dims) in [(3, 2), (5, 2), (4, 1), (4, 3), (400, 2)] {
            assert_eq!(read_vectors(&value, chunks, dims), None);
        }
        assert_eq!(read_vectors(&value[..9], 4, 2), None);
    }
}
