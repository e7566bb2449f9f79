//! Reads the postings of one word in one field of a segment, window by window, and sums the scores of documents.

use std::ops::Range;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, InvertedIndexReader};

/// The sums of the documents of a window.
#[derive(Default)]
pub(super) struct Sums {
    window: Range<DocId>,
    /// The sum by document; negative infinity if the document may not be found.
    sums: Vec<f32>,
    /// The score from the current list, by document; zero between lists.
    list_scores: Vec<f32>,
    /// The documents with a score from the current list.
    list_documents: Vec<DocId>,
    /// The documents with a sum.
    documents: Vec<DocId>,
}

impl Sums {
    /// Begins a window: all sums are zero.
    pub(super) fn begin(&mut self, window: Range<DocId>) {
        self.sums.clear();
        self.sums.resize(window.len(), 0.0);
        self.list_scores.resize(window.len(), 0.0);
        self.documents.clear();
        self.window = window;
    }

    /// The window.
    pub(super) fn window(&self) -> &Range<DocId> {
        &self.window
    }

    /// Excludes documents of the window: no score lifts their sums above zero.
    pub(super) fn exclude(&mut self, documents: Range<DocId>) {
        let start = self.window.start;
        if !documents.is_empty() {
            self.sums[(documents.start - start) as usize..(documents.end - start) as usize].fill(f32::NEG_INFINITY);
        }
    }

    /// The documents with a sum, in the order in which they got one.
    pub(super) fn documents(&self) -> &[DocId] {
        &self.documents
    }

    /// The sum of a document of the window.
    pub(super) fn of(&self, document: DocId) -> f32 {
        self.sums[(document - self.window.start) as usize]
    }

    /// Raises a document's score from the current list to that of a form, if that is higher.
    fn raise(&mut self, document: DocId, score: f32) {
        // A damaged index may name documents that do not exist.
        let at = document.wrapping_sub(self.window.start) as usize;
        let Some(list_score) = self.list_scores.get_mut(at) else { return };
        if *list_score == 0.0 {
            self.list_documents.push(document);
        }
        if score > *list_score {
            *list_score = score;
        }
    }

    /// Adds the scores from the current list to the sums.
    pub(super) fn end_list(&mut self) {
        for document in self.list_documents.drain(..) {
            let at = (document - self.window.start) as usize;
            let sum = &mut self.sums[at];
            if *sum == 0.0 {
                self.documents.push(document);
            }
            *sum += std::mem::take(&mut self.list_scores[at]);
        }
    }
}

/// A form of a word in a field of a segment. Its windows ascend.
pub(super) struct Cursor<'a> {
    postings: BlockSegmentPostings,
    /// The next posting of the block.
    at: usize,
    norms: FieldNormReader,
    bm25: &'a Bm25Weight,
    /// The number of documents of the segment for each posting.
    documents_per_posting: f64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(
        inverted: &InvertedIndexReader,
        term_info: &TermInfo,
        norms: FieldNormReader,
        bm25: &'a Bm25Weight,
    ) -> std::io::Result<Self> {
        let postings = inverted.read_block_postings_from_terminfo(term_info, IndexRecordOption::WithFreqs)?;
        let documents_per_posting = f64::from(norms.num_docs()) / f64::from(term_info.doc_freq.max(1));
        Ok(Self { postings, at: 0, norms, bm25, documents_per_posting })
    }

    /// About how many postings are in a window.
    pub(super) fn postings_in(&self, window: &Range<DocId>) -> usize {
        (window.len() as f64 / self.documents_per_posting) as usize
    }

    /// Goes to the first posting of the window or of a later one.
    fn seek(&mut self, start: DocId) {
        if self.postings.docs().get(self.at).is_some_and(|&document| document < start) {
            self.at = self.postings.seek(start);
        }
    }

    /// Scores every posting of the window.
    pub(super) fn score_all(&mut self, sums: &mut Sums) {
        let Range { start, end } = sums.window().clone();
        self.seek(start);
        while self.postings.block_len() > 0 {
            let documents = self.postings.docs().get(self.at..).unwrap_or_default();
            let frequencies = self.postings.freqs().get(self.at..).unwrap_or_default();
            let here = if documents.last().is_some_and(|&last| last < end) {
                documents.len()
            } else {
                documents.partition_point(|&document| document < end)
            };
            for (&document, &frequency) in documents[..here].iter().zip(frequencies) {
                if document < self.norms.num_docs() {
                    sums.raise(document, self.bm25.score(self.norms.fieldnorm_id(document), frequency));
                }
            }
            if here < documents.len() {
                self.at += here;
                return;
            }
            self.postings.advance();
            self.at = 0;
        }
    }

    /// Scores only `documents` of the window, which ascend, and seeks past all others.
    pub(super) fn score_by_seeking(&mut self, documents: &[DocId], sums: &mut Sums) {
        for &document in documents {
            self.seek(document);
            match self.postings.docs().get(self.at) {
                Some(&here) if here == document => {
                    let score = self.bm25.score(self.norms.fieldnorm_id(document), self.postings.freq(self.at));
                    sums.raise(document, score);
                }
                Some(_) => {}
                None => return,
            }
        }
    }
}
