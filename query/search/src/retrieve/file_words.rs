//! What files and their chunks share with the words of a query.

use std::ops::Range;

use sextant_format::ids::ChunkId;

use super::chunk_hits::{FileChunks, WordHits, each_file};
use crate::query_analysis::AnalyzedQuery;
use crate::rank::{rarities, rarity, saturated, share, term_coverage, weighted_coverage};
use crate::{Index, Result};

/// What a file shares with the words of a query. Shares are weighted by the rarity of the words among the files.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FileWords {
    /// The share of the words that it contains.
    pub(crate) coverage: f32,
    /// The largest share that one of its chunks contains.
    pub(crate) chunk_coverage: f32,
    /// The share that the names of its chunks contain.
    pub(crate) name_coverage: f32,
    /// BM25 with the file as the document.
    pub(crate) bm25: f32,
}

/// What a chunk shares with the words of a query. Shares are weighted by the rarity of the words among the chunks of its
/// file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChunkWords {
    /// The share of the words that its text contains.
    pub(crate) coverage: f32,
    /// The share that its qualified name contains.
    pub(crate) name: f32,
    /// The share that its documentation contains.
    pub(crate) doc: f32,
    /// BM25 of its text, divided by the sum of the rarities.
    pub(crate) bm25: f32,
}

/// What files and their chunks share with the words of a query.
pub(crate) struct Words {
    /// By file.
    pub(crate) files: Vec<FileWords>,
    /// By chunk, the files' one after the other.
    pub(crate) chunks: Vec<ChunkWords>,
    /// The rarity of each word among the files.
    pub(crate) rarities: Vec<f32>,
    /// The rarity of each word among the chunks of each file, by file.
    pub(crate) chunk_rarities: Vec<Vec<f32>>,
}

/// Returns the share of the query's words that each range of chunks contains, 0 to 1. Without `rarities` of the words,
/// they are counted among these ranges.
pub(crate) fn range_coverage(
    index: &Index,
    query: &AnalyzedQuery,
    ranges: &[Range<ChunkId>],
    rarities: Option<&[f32]>,
) -> Result<Vec<f32>> {
    let chunks = FileChunks::new(index, ranges)?;
    let has = text_hits(index, &chunks, query)?.in_files(&chunks);
    Ok(match rarities {
        Some(rarities) => weighted_coverage(&has, rarities, ranges.len()),
        None => term_coverage(&has, &query.weights, ranges.len()),
    })
}

/// Returns what files, each given by the range of its chunks, and their chunks share with the words of a query.
pub(crate) fn shared_words(index: &Index, query: &AnalyzedQuery, files: &[Range<ChunkId>]) -> Result<Words> {
    let chunks = FileChunks::new(index, files)?;
    let fields = index.chunks()?.fields;
    let body = text_hits(index, &chunks, query)?;
    let lengths = chunks.lengths(fields.body)?;
    let in_names = chunks.hits(fields.name, query)?.in_files(&chunks);
    let has = body.in_files(&chunks);
    let rarities = rarities(&has, &query.weights, chunks.files());
    let coverage = weighted_coverage(&has, &rarities, chunks.files());
    let name_coverage = weighted_coverage(&in_names, &rarities, chunks.files());
    let chunk_coverage = best_coverages(&chunks, &body, &rarities);
    let bm25 = file_bm25(&chunks, &body, &lengths, &rarities);
    let file_words = (0..chunks.files()).map(|n| FileWords {
        coverage: coverage[n],
        chunk_coverage: chunk_coverage[n],
        name_coverage: name_coverage[n],
        bm25: bm25[n],
    });
    let chunk_rarities = chunk_rarities(&chunks, &body, &query.weights);
    let mut words = Words {
        files: file_words.collect(),
        chunks: chunk_bm25(&chunks, &body, &lengths, &chunk_rarities),
        rarities,
        chunk_rarities,
    };
    let names = chunks.hits(fields.qualified_name, query)?;
    add_coverage(&chunks, &names, &words.chunk_rarities, &mut words.chunks, |words| &mut words.name);
    let docs = chunks.hits(fields.doc, query)?;
    add_coverage(&chunks, &docs, &words.chunk_rarities, &mut words.chunks, |words| &mut words.doc);
    Ok(words)
}

/// Where the words of a query occur in the text of chunks, and in what a language model says of them, if it was asked.
fn text_hits(index: &Index, chunks: &FileChunks<'_>, query: &AnalyzedQuery) -> Result<WordHits> {
    let fields = index.chunks()?.fields;
    let body = chunks.hits(fields.body, query)?;
    match index.generation().manifest().enrichment {
        Some(_) => Ok(body.or(&chunks.hits(fields.doc, query)?)),
        None => Ok(body),
    }
}

/// The largest share of the words, by their rarity, that one chunk of each file contains.
fn best_coverages(chunks: &FileChunks<'_>, body: &WordHits, rarities: &[f32]) -> Vec<f32> {
    let total: f32 = rarities.iter().sum();
    let mut covered = vec![0.0_f32; chunks.chunks()];
    for (hits, rarity) in body.words().zip(rarities) {
        hits.iter().for_each(|&(chunk, _)| covered[chunk as usize] += rarity);
    }
    let best = |file| covered[chunks.of_file(file)].iter().copied().fold(0.0, f32::max);
    (0..chunks.files()).map(|file| share(best(file), total)).collect()
}

/// BM25 of each file as a document.
fn file_bm25(chunks: &FileChunks<'_>, body: &WordHits, lengths: &[u32], rarities: &[f32]) -> Vec<f32> {
    let length = |file| lengths[chunks.of_file(file)].iter().map(|&tokens| u64::from(tokens)).sum::<u64>() as f32;
    let lengths: Vec<f32> = (0..chunks.files()).map(length).collect();
    let average = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
    let mut bm25 = vec![0.0; lengths.len()];
    for (hits, rarity) in body.words().zip(rarities) {
        each_file(chunks, hits, |file, hits| {
            let frequency = hits.iter().map(|&(_, frequency)| u64::from(frequency)).sum::<u64>() as f32;
            bm25[file] += rarity * saturated(frequency, lengths[file], average);
        });
    }
    bm25
}

/// The rarity of each word among the chunks of each file.
fn chunk_rarities(chunks: &FileChunks<'_>, body: &WordHits, weights: &[f32]) -> Vec<Vec<f32>> {
    let size = |file| chunks.of_file(file).len() as f32;
    let absent = |file| weights.iter().map(|&weight| rarity(weight, 0.0, size(file))).collect();
    let mut rarities: Vec<Vec<f32>> = (0..chunks.files()).map(absent).collect();
    for (word, (hits, &weight)) in body.words().zip(weights).enumerate() {
        each_file(chunks, hits, |file, hits| rarities[file][word] = rarity(weight, hits.len() as f32, size(file)));
    }
    rarities
}

/// The coverage and BM25 of each chunk by its text.
fn chunk_bm25(chunks: &FileChunks<'_>, body: &WordHits, lengths: &[u32], rarities: &[Vec<f32>]) -> Vec<ChunkWords> {
    let average = |file| {
        let lengths = &lengths[chunks.of_file(file)];
        lengths.iter().map(|&tokens| u64::from(tokens)).sum::<u64>() as f32 / lengths.len().max(1) as f32
    };
    let averages: Vec<f32> = (0..chunks.files()).map(average).collect();
    let totals: Vec<f32> = rarities.iter().map(|rarities| rarities.iter().sum()).collect();
    let mut words = vec![ChunkWords::default(); chunks.chunks()];
    for (word, hits) in body.words().enumerate() {
        each_file(chunks, hits, |file, hits| {
            let share = share(rarities[file][word], totals[file]);
            for &(chunk, frequency) in hits {
                let of_chunk = &mut words[chunk as usize];
                of_chunk.coverage += share;
                of_chunk.bm25 += share * saturated(frequency as f32, lengths[chunk as usize] as f32, averages[file]);
            }
        });
    }
    words
}

/// Adds the coverage of each chunk by another field.
fn add_coverage(
    chunks: &FileChunks<'_>,
    hits: &WordHits,
    rarities: &[Vec<f32>],
    words: &mut [ChunkWords],
    part: impl Fn(&mut ChunkWords) -> &mut f32,
) {
    let totals: Vec<f32> = rarities.iter().map(|rarities| rarities.iter().sum()).collect();
    for (word, hits) in hits.words().enumerate() {
        each_file(chunks, hits, |file, hits| {
            let share = share(rarities[file][word], totals[file]);
            hits.iter().for_each(|&(chunk, _)| *part(&mut words[chunk as usize]) += share);
        });
    }
}
