//! Where the chunks of some files contain the words of a query: the postings of each word are read by seeking from file
//! to file.

use std::ops::Range;

use sextant_format::ids::ChunkId;
use tantivy::postings::Postings as _;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet as _, TERMINATED, Term};

use crate::catalog::HasRowDocMap as _;
use crate::query_analysis::{AnalyzedQuery, variants};
use crate::{Index, Result};

/// The chunks of some files, counted through, and their documents in the text index.
pub(crate) struct FileChunks<'a> {
    index: &'a Index,
    /// By segment and ascending.
    by_segment: Vec<Vec<Run>>,
    /// The number of the first chunk of each file, and last the number of all chunks.
    starts: Vec<u32>,
}

/// Consecutive documents of consecutive chunks.
#[derive(Clone, Copy)]
struct Run {
    first: DocId,
    last: DocId,
    /// The number of the first chunk.
    chunk: u32,
}

impl<'a> FileChunks<'a> {
    /// The chunks of files, each given by the range of its chunks.
    pub(crate) fn new(index: &'a Index, files: &[Range<ChunkId>]) -> Result<Self> {
        let text = index.chunks()?;
        let mut by_segment: Vec<Vec<Run>> = vec![Vec::new(); text.searcher.segment_readers().len()];
        let mut starts = vec![0];
        let mut next = 0_u32;
        for range in files {
            for run in text.catalog.row_doc_map().runs(range.clone()) {
                let chunk = next + run.row.rows_after(range.start).unwrap_or(0);
                by_segment[run.ordinal as usize].push(Run { first: run.first, last: run.last, chunk });
            }
            next += range.end.rows_after(range.start).unwrap_or(0);
            starts.push(next);
        }
        by_segment.iter_mut().for_each(|runs| runs.sort_unstable_by_key(|run| run.first));
        Ok(Self { index, by_segment, starts })
    }

    /// The number of files.
    pub(crate) const fn files(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of chunks.
    pub(crate) fn chunks(&self) -> usize {
        self.starts.last().map_or(0, |&chunks| chunks as usize)
    }

    /// The numbers of the chunks of a file.
    pub(crate) fn of_file(&self, file: usize) -> Range<usize> {
        self.starts[file] as usize..self.starts[file + 1] as usize
    }

    /// Where the words of a query occur in a field.
    pub(crate) fn hits(&self, field: Field, query: &AnalyzedQuery) -> Result<WordHits> {
        let by_word = query.words.iter().map(|word| self.hits_of(field, word)).collect::<Result<_>>()?;
        Ok(WordHits { by_word })
    }

    /// The chunks that contain a form of a word in a field, ascending, each with how often it does.
    fn hits_of(&self, field: Field, word: &str) -> Result<Vec<(u32, u32)>> {
        let text = self.index.chunks()?;
        let mut hits: Vec<(u32, u32)> = Vec::new();
        for form in std::iter::once(word.to_owned()).chain(variants(word)) {
            let term = Term::from_field_text(field, &form);
            for (reader, runs) in text.searcher.segment_readers().iter().zip(&self.by_segment) {
                let postings = reader.inverted_index(field)?.read_postings(&term, IndexRecordOption::WithFreqs);
                let Some(mut postings) = postings.map_err(tantivy::TantivyError::from)?.filter(|p| p.doc_freq() > 0)
                else {
                    continue;
                };
                let mut at = postings.doc();
                for run in runs {
                    if at < run.first {
                        at = postings.seek(run.first);
                    }
                    while at <= run.last && at != TERMINATED {
                        hits.push((run.chunk + (at - run.first), postings.term_freq()));
                        at = postings.advance();
                    }
                    if at == TERMINATED {
                        break;
                    }
                }
            }
        }
        // Another form of the word may be in the same chunk.
        hits.sort_unstable();
        hits.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            is_same
        });
        Ok(hits)
    }

    /// The number of tokens of each chunk in a field.
    pub(crate) fn lengths(&self, field: Field) -> Result<Vec<u32>> {
        let mut lengths = vec![0; self.chunks()];
        for (reader, runs) in self.index.chunks()?.searcher.segment_readers().iter().zip(&self.by_segment) {
            let norms = reader.get_fieldnorms_reader(field)?;
            for run in runs {
                for document in run.first..=run.last {
                    lengths[(run.chunk + (document - run.first)) as usize] = norms.fieldnorm(document);
                }
            }
        }
        Ok(lengths)
    }
}

/// Where the words of a query occur in a field of chunks.
pub(crate) struct WordHits {
    /// For each word the chunks that contain it, ascending, with how often they do.
    by_word: Vec<Vec<(u32, u32)>>,
}

impl WordHits {
    /// The chunks that contain each word, with how often they do.
    pub(crate) fn words(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        self.by_word.iter().map(Vec::as_slice)
    }

    /// These hits and those of another field in chunks that do not have the word in this one.
    pub(crate) fn or(self, other: &Self) -> Self {
        let mut by_word = self.by_word;
        for (own, other) in by_word.iter_mut().zip(&other.by_word) {
            let is_new = |(chunk, _): &&(u32, u32)| own.binary_search_by_key(chunk, |&(chunk, _)| chunk).is_err();
            let new: Vec<(u32, u32)> = other.iter().filter(is_new).copied().collect();
            own.extend(new);
            own.sort_unstable();
        }
        Self { by_word }
    }

    /// Whether each file contains each word, by word and file.
    pub(crate) fn in_files(&self, chunks: &FileChunks<'_>) -> Vec<Vec<bool>> {
        let in_files = |hits: &[(u32, u32)]| {
            let mut has = vec![false; chunks.files()];
            each_file(chunks, hits, |file, hits| has[file] = !hits.is_empty());
            has
        };
        self.words().map(in_files).collect()
    }
}

/// Calls `found` with the hits of each file that has any.
pub(crate) fn each_file(chunks: &FileChunks<'_>, hits: &[(u32, u32)], mut found: impl FnMut(usize, &[(u32, u32)])) {
    let mut rest = hits;
    let mut file = 0;
    while let Some(&(chunk, _)) = rest.first() {
        // The next file that ends after the chunk.
        file += chunks.starts[file + 1..].partition_point(|&end| end <= chunk);
        let (of_file, after) = rest.split_at(rest.partition_point(|&(other, _)| other < chunks.starts[file + 1]));
        found(file, of_file);
        rest = after;
    }
}
