//! What files share with the words of a query: the postings of each word are read by seeking from file to file.

use std::ops::Range;

use rustc_hash::FxHashMap;
use sextant_format::ids::ChunkId;
use tantivy::postings::Postings as _;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet as _, TERMINATED, Term};

use crate::catalog::HasRowDocMap as _;
use crate::query_analysis::{AnalyzedQuery, variants};
use crate::rank::{rarities, term_coverage, weighted_coverage};
use crate::{Index, Result};

/// BM25 of a file: how fast a word's occurrences saturate, and how much the length counts (Robertson and Zaragoza 2009).
const K1: f32 = 1.2;
const B: f32 = 0.75;

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

/// Returns the share of the query's words that each range of chunks contains, 0 to 1. `ranges` are in ascending
/// order. The rarity of a word is counted among these ranges.
pub(crate) fn range_coverage(index: &Index, query: &AnalyzedQuery, ranges: &[Range<ChunkId>]) -> Result<Vec<f32>> {
    let documents = RangeDocuments::new(index, ranges)?;
    let field = index.chunks()?.fields.body;
    let mut has = Vec::new();
    for word in &query.words {
        let mut contains = vec![false; ranges.len()];
        documents.visit(field, word, |hit| contains[hit.range] = true)?;
        has.push(contains);
    }
    Ok(term_coverage(&has, &query.weights, ranges.len()))
}

/// Returns what each range of chunks, the chunks of a file, shares with the words of a query. `ranges` are in ascending
/// order. Returns the rarity of each word, too.
pub(crate) fn file_words(
    index: &Index,
    query: &AnalyzedQuery,
    ranges: &[Range<ChunkId>],
) -> Result<(Vec<FileWords>, Vec<f32>)> {
    let documents = RangeDocuments::new(index, ranges)?;
    let fields = index.chunks()?.fields;
    let body = WordHits::gather(&documents, fields.body, query)?;
    let names = WordHits::gather(&documents, fields.name, query)?;
    let files = ranges.len();
    let rarity = rarities(&body.has, &query.weights, files);
    let coverage = weighted_coverage(&body.has, &rarity, files);
    let name_coverage = weighted_coverage(&names.has, &rarity, files);
    let chunk_coverage = body.best_chunks(&rarity);
    let body_lengths = documents.field_lengths(fields.body)?;
    let lengths: Vec<f32> = (0..files).map(|file| documents.length(file, &body_lengths)).collect();
    let average = lengths.iter().sum::<f32>() / files.max(1) as f32;
    let words = (0..files).map(|file| {
        let mut bm25 = 0.0;
        for (word, rarity) in rarity.iter().enumerate() {
            let frequency = body.frequencies[word][file] as f32;
            let length = if average > 0.0 { lengths[file] / average } else { 1.0 };
            bm25 += rarity * frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * length));
        }
        FileWords {
            coverage: coverage[file],
            chunk_coverage: chunk_coverage[file],
            name_coverage: name_coverage[file],
            bm25,
        }
    });
    let words = words.collect();
    Ok((words, rarity))
}

/// A document: its segment and its number there.
type Document = (usize, DocId);

/// An occurrence of a word in a document of a range.
struct RangeHit {
    range: usize,
    document: Document,
    frequency: u32,
}

/// The documents of ranges of chunks.
struct RangeDocuments<'a> {
    index: &'a Index,
    /// By segment and ascending: first and last document, number of the range.
    by_segment: Vec<Vec<(DocId, DocId, usize)>>,
    /// The number of ranges.
    ranges: usize,
}

impl<'a> RangeDocuments<'a> {
    fn new(index: &'a Index, ranges: &[Range<ChunkId>]) -> Result<Self> {
        let text = index.chunks()?;
        let mut by_segment: Vec<Vec<(DocId, DocId, usize)>> = vec![Vec::new(); text.searcher.segment_readers().len()];
        for (n, range) in ranges.iter().enumerate() {
            for run in text.catalog.row_doc_map().runs(range.clone()) {
                by_segment[run.ordinal as usize].push((run.first, run.last, n));
            }
        }
        by_segment.iter_mut().for_each(|ranges| ranges.sort_unstable());
        Ok(Self { index, by_segment, ranges: ranges.len() })
    }

    /// Calls `found` for each document of the ranges that contains a form of a word in a field, once for each form.
    fn visit(&self, field: Field, word: &str, mut found: impl FnMut(RangeHit)) -> Result<()> {
        let text = self.index.chunks()?;
        for form in std::iter::once(word.to_owned()).chain(variants(word)) {
            let term = Term::from_field_text(field, &form);
            for (segment, (reader, ranges)) in text.searcher.segment_readers().iter().zip(&self.by_segment).enumerate()
            {
                let postings = reader.inverted_index(field)?.read_postings(&term, IndexRecordOption::WithFreqs);
                let Some(mut postings) = postings.map_err(tantivy::TantivyError::from)?.filter(|p| p.doc_freq() > 0)
                else {
                    continue;
                };
                let mut at = postings.doc();
                for &(first, last, range) in ranges {
                    if at < first {
                        at = postings.seek(first);
                    }
                    while at <= last && at != TERMINATED {
                        found(RangeHit { range, document: (segment, at), frequency: postings.term_freq() });
                        at = postings.advance();
                    }
                    if at == TERMINATED {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn field_lengths(&self, field: Field) -> Result<FieldLengths> {
        let readers = self.index.chunks()?.searcher.segment_readers().iter();
        Ok(FieldLengths {
            norms: readers.map(|reader| reader.get_fieldnorms_reader(field)).collect::<tantivy::Result<_>>()?,
        })
    }

    /// The number of tokens of a range in a field.
    fn length(&self, range: usize, lengths: &FieldLengths) -> f32 {
        let mut tokens = 0;
        for (segment, ranges) in self.by_segment.iter().enumerate() {
            for &(first, last, _) in ranges.iter().filter(|(.., n)| *n == range) {
                tokens += (first..=last).map(|document| u64::from(lengths.of((segment, document)))).sum::<u64>();
            }
        }
        tokens as f32
    }
}

/// The number of tokens of each document in a field.
struct FieldLengths {
    norms: Vec<tantivy::fieldnorm::FieldNormReader>,
}

impl FieldLengths {
    fn of(&self, (segment, document): Document) -> u32 {
        self.norms[segment].fieldnorm(document)
    }
}

/// The occurrences of a query's words in a field of ranges of chunks.
struct WordHits {
    ranges: usize,
    /// Whether a range contains a word, by word and range.
    has: Vec<Vec<bool>>,
    /// How often it does.
    frequencies: Vec<Vec<u32>>,
    /// The documents that contain a word, each with its range, by word.
    documents: Vec<Vec<(Document, usize)>>,
}

impl WordHits {
    fn gather(documents: &RangeDocuments, field: Field, query: &AnalyzedQuery) -> Result<Self> {
        let ranges = documents.ranges;
        let mut hits = Self { ranges, has: Vec::new(), frequencies: Vec::new(), documents: Vec::new() };
        for word in &query.words {
            let (mut has, mut frequencies) = (vec![false; ranges], vec![0_u32; ranges]);
            let mut found = Vec::new();
            documents.visit(field, word, |hit| {
                has[hit.range] = true;
                frequencies[hit.range] = frequencies[hit.range].saturating_add(hit.frequency);
                found.push((hit.document, hit.range));
            })?;
            // Another form of the word may be in the same document.
            found.sort_unstable();
            found.dedup();
            hits.has.push(has);
            hits.frequencies.push(frequencies);
            hits.documents.push(found);
        }
        Ok(hits)
    }

    /// Returns the largest share of the words, by their rarity, that one chunk of each range contains.
    fn best_chunks(&self, rarities: &[f32]) -> Vec<f32> {
        let total: f32 = rarities.iter().sum();
        let mut best = vec![0.0_f32; self.ranges];
        if total <= 0.0 {
            return best;
        }
        let mut by_document: FxHashMap<Document, (f32, usize)> = FxHashMap::default();
        for (found, rarity) in self.documents.iter().zip(rarities) {
            for &(document, range) in found {
                by_document.entry(document).or_insert((0.0, range)).0 += rarity;
            }
        }
        for (covered, range) in by_document.into_values() {
            best[range] = best[range].max(covered / total);
        }
        best
    }
}
