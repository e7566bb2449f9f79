//! What earlier builds found out, for this one: analyses and vectors by the content they were made of.
//!
//! Sources are the part `facts` of a previous index and the files of a shared cache; what this build uses or
//! finds out goes into the new index's own `facts`, and what the cache lacks into the cache. A key covers
//! everything that decides its entry, so nothing can be taken over that another build would find otherwise, and
//! an entry that is damaged is one that is not there: reuse is never trusted, it is only faster.

mod cache_entry;
mod entry_store;
mod index_cache;
mod shared_cache;

use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use arrow_buffer::Buffer;
use half::f16;
use sextant_format::generation::Generation;
use sextant_format::version::FEATURE_VERSION;
use sextant_syntax::language::Language;
use sextant_syntax::text::DecodedText;
use sextant_syntax::{Analysis, analyze, project, record};
use zstd::bulk::Compressor;
use zstd::stream::read::Decoder;
use zstd::zstd_safe::{DCtx, ResetDirective};

pub(crate) use self::cache_entry::CacheEntry;
pub(crate) use self::entry_store::{EntryStore, Key};
pub(crate) use self::index_cache::{IndexCache, IndexCacheFiles, IndexCacheWriter};
pub(crate) use self::shared_cache::SharedCache;
use crate::settings::Settings;

/// Where to look for what is known.
#[derive(Clone, Debug, Default)]
pub struct ReuseOptions {
    /// An index; none looks at the output's current generation.
    pub index: Option<PathBuf>,
    /// A folder that builds share.
    pub cache: Option<PathBuf>,
    /// Of that folder the oldest files go beyond so many bytes.
    pub max_cache_bytes: u64,
    /// Whether nothing is looked for.
    pub disabled: bool,
}

/// What was taken over, and why not more.
#[derive(Clone, Debug, Default)]
pub struct ReuseCounts {
    /// Files whose analysis was known.
    pub analyses: u64,
    /// Files whose vectors were known; of files without any chunk that has one too.
    pub vectors: u64,
    /// Whether nothing at all had changed, and the generation before stays.
    pub unchanged: bool,
    /// Why nothing, or not more, could be taken over.
    pub miss_reasons: Vec<String>,
}

/// What is known.
pub(crate) struct AnalysisCache {
    /// Of the previous index.
    index_stores: Vec<EntryStore>,
    /// Of the shared cache.
    shared_stores: Vec<EntryStore>,
    /// Everything but the text that decides an analysis.
    analysis: blake3::Hasher,
    /// Everything but the analysis and the path words that decide vectors; none where there are none.
    vectors: Option<blake3::Hasher>,
    dims: usize,
    analysis_hits: AtomicU64,
    vector_hits: AtomicU64,
}

impl AnalysisCache {
    /// `shared_stores` are the stores of a shared cache, `index_stores` an index's; `model` is the encoder's hash and the length
    /// of its vectors.
    pub(crate) fn new(
        shared_stores: Vec<EntryStore>,
        index_stores: Vec<EntryStore>,
        settings: &Settings,
        model: Option<(&str, usize)>,
    ) -> Self {
        let mut analysis = blake3::Hasher::new();
        analysis.update(format!("analysis {} {FEATURE_VERSION} {:?}", record::VERSION, settings.limits).as_bytes());
        let vectors = model.map(|(hash, _)| {
            let mut vectors = blake3::Hasher::new();
            vectors.update(format!("vectors {hash} {:?}", settings.embedding).as_bytes());
            vectors
        });
        let dims = model.map_or(0, |(_, dims)| dims);
        let none = || AtomicU64::new(0);
        Self { index_stores, shared_stores, analysis, vectors, dims, analysis_hits: none(), vector_hits: none() }
    }

    fn get(&self, key: &Key) -> Option<CacheEntry> {
        let indexed = self.index_stores.iter().find_map(|store| store.get(key));
        let is_in_index = indexed.is_some();
        let value = indexed.or_else(|| self.shared_stores.iter().find_map(|store| store.get(key)))?;
        let is_in_shared_cache = self.shared_stores.iter().any(|store| store.contains(key));
        Some(CacheEntry { key: *key, value, is_in_shared_cache, is_in_index })
    }

    /// The key of the analysis of a text. Of a path only the language and the name of a project's file count.
    pub(crate) fn analysis_key(&self, path: &str, text: &DecodedText, language: Option<&Language>) -> Key {
        let mut hasher = self.analysis.clone();
        let name = analyze::file_name(path);
        for part in
            [language.map_or("", |language| language.name), if project::is_project_file(name) { name } else { "" }]
        {
            hasher.update(part.as_bytes()).update(&[0]);
        }
        truncated_key(hasher.update(&text.content_hash.0))
    }

    /// The analysis of a text, with the entry that it came from.
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
        let analysis = record::from_bytes(record, path, text, language)?;
        self.analysis_hits.fetch_add(1, Relaxed);
        Some((analysis, entry))
    }

    /// The entry of an analysis.
    pub(crate) fn analysis_entry(codec: &mut RecordCodec, key: Key, analysis: &Analysis) -> Option<CacheEntry> {
        let value = codec.compress(&record::to_bytes(analysis).ok()?)?;
        Some(CacheEntry { key, value: Buffer::from_vec(value), is_in_shared_cache: false, is_in_index: false })
    }

    /// The key of the vectors of an analysis with the words of its path; none where there are no vectors.
    pub(crate) fn vectors_key(&self, analysis: &Key, path_words: &str) -> Option<Key> {
        Some(truncated_key(self.vectors.clone()?.update(analysis).update(path_words.as_bytes())))
    }

    /// The vectors of so many chunks, with the entry that they came from.
    pub(crate) fn vectors(&self, key: Key, chunks: usize) -> Option<(Vec<Option<Vec<f32>>>, CacheEntry)> {
        let entry = self.get(&key)?;
        let vectors = read_vectors(entry.value.as_slice(), chunks, self.dims)?;
        self.vector_hits.fetch_add(1, Relaxed);
        Some((vectors, entry))
    }

    /// The entry of vectors.
    pub(crate) fn vectors_entry(key: Key, vectors: &[Option<Vec<f32>>]) -> CacheEntry {
        let mut value: Vec<u8> = vectors.iter().map(|vector| u8::from(vector.is_some())).collect();
        for x in vectors.iter().flatten().flatten() {
            value.extend(f16::from_f32(*x).to_le_bytes());
        }
        CacheEntry { key, value: Buffer::from_vec(value), is_in_shared_cache: false, is_in_index: false }
    }

    /// How many files' analyses and vectors were taken over.
    pub(crate) fn hits(&self) -> (u64, u64) {
        (self.analysis_hits.load(Relaxed), self.vector_hits.load(Relaxed))
    }
}

/// The level of zstd for analyses: they are read about as often as they are written, and leave the machine in full
/// packs only.
const COMPRESSION_LEVEL: i32 = 1;

/// Bytes of the analysis of an empty text at most,
const MAX_RECORD_BASE_BYTES: u64 = 1 << 20;
/// and how many more for each byte of a text. A text of short statements takes some twenty.
const MAX_RECORD_BYTES_PER_TEXT_BYTE: u64 = 256;

/// Compresses analyses and takes them apart. The library's tables take longer to make than a small file's analysis
/// takes to read, so a worker has them once.
pub(crate) struct RecordCodec {
    compressor: Compressor<'static>,
    context: DCtx<'static>,
    record: Vec<u8>,
}

impl RecordCodec {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Self { compressor: Compressor::new(COMPRESSION_LEVEL)?, context: DCtx::create(), record: Vec::new() })
    }

    fn compress(&mut self, record: &[u8]) -> Option<Vec<u8>> {
        self.compressor.compress(record).ok()
    }

    /// The record of a text of so many bytes that was packed; nothing where the bytes are damaged.
    fn decompress(&mut self, value: &[u8], text: usize) -> Option<&[u8]> {
        // What a damaged one left in it is not for the next.
        self.context.reset(ResetDirective::SessionOnly).ok()?;
        self.record.clear();
        let max_bytes = MAX_RECORD_BASE_BYTES + MAX_RECORD_BYTES_PER_TEXT_BYTE * text as u64;
        let decoder = Decoder::with_context(value, &mut self.context);
        decoder.take(max_bytes + 1).read_to_end(&mut self.record).ok()?;
        (self.record.len() as u64 <= max_bytes).then_some(&self.record)
    }
}

fn truncated_key(hasher: &blake3::Hasher) -> Key {
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

/// For each chunk a byte that says whether it has a vector, then the vectors in half precision, which is what the
/// index holds.
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

/// Why what a generation knows is of no use for a build with these settings.
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
        let entry = AnalysisCache::vectors_entry([1; 16], &vectors);
        assert_eq!(read_vectors(entry.value.as_slice(), 4, 2), Some(vectors));
        for (chunks, dims) in [(3, 2), (5, 2), (4, 1), (4, 3), (400, 2)] {
            assert_eq!(read_vectors(entry.value.as_slice(), chunks, dims), None);
        }
        assert_eq!(read_vectors(&entry.value.as_slice()[..9], 4, 2), None);
    }
}
