//! What earlier builds found out, for this one: analyses and vectors by the content they were made of.
//!
//! Sources are the part `facts` of a previous index and the files of a shared cache; what this build uses or
//! finds out goes into the new index's own `facts`, and what the cache lacks into the cache. A key covers
//! everything that decides its entry, so nothing can be taken over that another build would find otherwise, and
//! an entry that is damaged is one that is not there: reuse is never trusted, it is only faster.

mod cache;
mod facts;
mod store;

use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use arrow_buffer::Buffer;
use half::f16;
use sextant_format::generation::Generation;
use sextant_format::version::FEATURE_VERSION;
use sextant_syntax::language::Language;
use sextant_syntax::text::Text;
use sextant_syntax::{Analysis, analyze, project, record};
use zstd::bulk::Compressor;
use zstd::stream::read::Decoder;
use zstd::zstd_safe::{DCtx, ResetDirective};

pub(crate) use self::cache::Cache;
pub(crate) use self::facts::{FactFiles, Facts, FactsWriter};
pub(crate) use self::store::{Key, Store};
use crate::process::Settings;

/// Where to look for what is known.
#[derive(Clone, Debug, Default)]
pub struct ReuseOptions {
    /// An index; none looks at the output's current generation.
    pub index: Option<PathBuf>,
    /// A folder that builds share.
    pub cache: Option<PathBuf>,
    /// Of that folder the oldest files go beyond so many bytes.
    pub cache_bytes: u64,
    /// Whether nothing is looked for.
    pub nothing: bool,
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
    pub why: Vec<String>,
}

/// What is known.
pub(crate) struct Known {
    /// Of the previous index.
    held: Vec<Store>,
    /// Of the shared cache.
    cached: Vec<Store>,
    /// Everything but the text that decides an analysis.
    analysis: blake3::Hasher,
    /// Everything but the analysis and the place that decides vectors; none where there are none.
    vectors: Option<blake3::Hasher>,
    dims: usize,
    analyses_found: AtomicU64,
    vectors_found: AtomicU64,
}

/// An entry on its way into the `facts` of the index.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub(crate) key: Key,
    pub(crate) value: Buffer,
    /// Whether the shared cache has it.
    pub(crate) is_cached: bool,
    /// Whether the previous index has it.
    pub(crate) is_held: bool,
}

impl Known {
    /// `cached` are the stores of a shared cache, `held` an index's; `model` is the encoder's hash and the length
    /// of its vectors.
    pub(crate) fn new(cached: Vec<Store>, held: Vec<Store>, settings: &Settings, model: Option<(&str, usize)>) -> Self {
        let mut analysis = blake3::Hasher::new();
        analysis.update(format!("analysis {} {FEATURE_VERSION} {:?}", record::VERSION, settings.limits).as_bytes());
        let vectors = model.map(|(hash, _)| {
            let mut vectors = blake3::Hasher::new();
            vectors.update(format!("vectors {hash} {:?}", settings.embedding).as_bytes());
            vectors
        });
        let dims = model.map_or(0, |(_, dims)| dims);
        let none = || AtomicU64::new(0);
        Self { held, cached, analysis, vectors, dims, analyses_found: none(), vectors_found: none() }
    }

    fn get(&self, key: &Key) -> Option<Fact> {
        let held = self.held.iter().find_map(|store| store.get(key));
        let is_held = held.is_some();
        let value = held.or_else(|| self.cached.iter().find_map(|store| store.get(key)))?;
        let is_cached = self.cached.iter().any(|store| store.has(key));
        Some(Fact { key: *key, value, is_cached, is_held })
    }

    /// The key of the analysis of a text. Of a path only the language and the name of a project's file count.
    pub(crate) fn analysis_key(&self, path: &str, text: &Text, language: Option<&Language>) -> Key {
        let mut hasher = self.analysis.clone();
        let name = analyze::file_name(path);
        for part in [language.map_or("", |language| language.name), if project::is_project(name) { name } else { "" }] {
            hasher.update(part.as_bytes()).update(&[0]);
        }
        half(hasher.update(&text.content_hash.0))
    }

    /// The analysis of a text, with the entry that it came from.
    pub(crate) fn analysis(
        &self,
        packer: &mut Packer,
        key: Key,
        path: &str,
        text: &Text,
        language: Option<&'static Language>,
    ) -> Option<(Analysis, Fact)> {
        let fact = self.get(&key)?;
        let record = packer.unpack(fact.value.as_slice(), text.text.len())?;
        let analysis = record::from_bytes(record, path, text, language)?;
        self.analyses_found.fetch_add(1, Relaxed);
        Some((analysis, fact))
    }

    /// The entry of an analysis.
    pub(crate) fn analysis_fact(packer: &mut Packer, key: Key, analysis: &Analysis) -> Option<Fact> {
        let value = packer.pack(&record::to_bytes(analysis).ok()?)?;
        Some(Fact { key, value: Buffer::from_vec(value), is_cached: false, is_held: false })
    }

    /// The key of the vectors of an analysis at a place; none where there are no vectors.
    pub(crate) fn vectors_key(&self, analysis: &Key, place: &str) -> Option<Key> {
        Some(half(self.vectors.clone()?.update(analysis).update(place.as_bytes())))
    }

    /// The vectors of so many chunks, with the entry that they came from.
    pub(crate) fn vectors(&self, key: Key, chunks: usize) -> Option<(Vec<Option<Vec<f32>>>, Fact)> {
        let fact = self.get(&key)?;
        let vectors = read_vectors(fact.value.as_slice(), chunks, self.dims)?;
        self.vectors_found.fetch_add(1, Relaxed);
        Some((vectors, fact))
    }

    /// The entry of vectors.
    pub(crate) fn vectors_fact(key: Key, vectors: &[Option<Vec<f32>>]) -> Fact {
        let mut value: Vec<u8> = vectors.iter().map(|vector| u8::from(vector.is_some())).collect();
        for x in vectors.iter().flatten().flatten() {
            value.extend(f16::from_f32(*x).to_le_bytes());
        }
        Fact { key, value: Buffer::from_vec(value), is_cached: false, is_held: false }
    }

    /// How many files' analyses and vectors were taken over.
    pub(crate) fn found(&self) -> (u64, u64) {
        (self.analyses_found.load(Relaxed), self.vectors_found.load(Relaxed))
    }
}

/// The level of zstd for analyses: they are read about as often as they are written, and leave the machine in full
/// packs only.
const LEVEL: i32 = 1;

/// Bytes of the analysis of an empty text at most,
const RECORD_BYTES: u64 = 1 << 20;
/// and how many more for each byte of a text. A text of short statements takes some twenty.
const RECORD_RATIO: u64 = 256;

/// Compresses analyses and takes them apart. The library's tables take longer to make than a small file's analysis
/// takes to read, so a worker has them once.
pub(crate) struct Packer {
    compressor: Compressor<'static>,
    context: DCtx<'static>,
    record: Vec<u8>,
}

impl Packer {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Self { compressor: Compressor::new(LEVEL)?, context: DCtx::create(), record: Vec::new() })
    }

    fn pack(&mut self, record: &[u8]) -> Option<Vec<u8>> {
        self.compressor.compress(record).ok()
    }

    /// The record of a text of so many bytes that was packed; nothing where the bytes are damaged.
    fn unpack(&mut self, value: &[u8], text: usize) -> Option<&[u8]> {
        // What a damaged one left in it is not for the next.
        self.context.reset(ResetDirective::SessionOnly).ok()?;
        self.record.clear();
        let most = RECORD_BYTES + RECORD_RATIO * text as u64;
        let decoder = Decoder::with_context(value, &mut self.context);
        decoder.take(most + 1).read_to_end(&mut self.record).ok()?;
        (self.record.len() as u64 <= most).then_some(&self.record)
    }
}

fn half(hasher: &blake3::Hasher) -> Key {
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
pub(crate) fn differences(generation: &Generation, model: Option<&str>) -> Vec<String> {
    let manifest = generation.manifest();
    let mut why = Vec::new();
    if manifest.feature_version != FEATURE_VERSION {
        why.push(format!("the previous index has features {}, this build {FEATURE_VERSION}", manifest.feature_version));
    }
    if let (Some(before), Some(now)) = (&manifest.model, model)
        && before.hash != now
    {
        why.push(format!("the previous index was made with another encoder, {}", before.name));
    }
    why
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_go_both_ways_and_torn_ones_are_none() {
        let vectors = vec![None, Some(vec![0.5, -0.25]), None, Some(vec![0.0, 1.0])];
        let fact = Known::vectors_fact([1; 16], &vectors);
        assert_eq!(read_vectors(fact.value.as_slice(), 4, 2), Some(vectors));
        for (chunks, dims) in [(3, 2), (5, 2), (4, 1), (4, 3), (400, 2)] {
            assert_eq!(read_vectors(fact.value.as_slice(), chunks, dims), None);
        }
        assert_eq!(read_vectors(&fact.value.as_slice()[..9], 4, 2), None);
    }
}
