//! The k documents with the highest summed scores over lists of postings, with MaxScore pruning.
//!
//! Lists are read one after the other, in descending order of their maximum score (MaxScore, Turtle and Flood 1995,
//! term at a time). Once the remaining lists cannot lift a new document into the top k, only the documents that are
//! still candidates are looked up in them. These lists belong to the commonest words and are the longest. Every
//! document's scores are added in the same order, so the result equals that of reading everything, to the bit.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::Bm25Weight;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, TERMINATED};

use crate::catalog::{ChunkCatalog, HasRowDocMap as _};
use crate::index::TextIndex;
use crate::rank::{ScoredChunk, retain_top_k};
use crate::retrieve::filter::ChunkFilter;
use crate::threads::map_ranges_parallel;
use crate::{Error, Result};

/// The threshold is raised before each list of at least this many postings.
const MIN_PRUNED_LIST_LEN: u32 = 4096;
/// A list is read by seeking if it is this many times longer than the list of candidates.
const SEEK_RATIO: usize = 16;

/// One form of a word in a field.
pub(super) struct TermPostings {
    /// Where its postings are in each segment.
    pub(super) term_infos: Vec<Option<TermInfo>>,
    /// Scores an occurrence.
    pub(super) bm25: Bm25Weight,
}

/// A word in a field, with its forms. In each document only the best form counts.
pub(super) struct WordPostings {
    field: Field,
    forms: Vec<TermPostings>,
    /// The largest score that a document can get from it.
    bound: f32,
}

impl WordPostings {
    pub(super) fn new(field: Field) -> Self {
        Self { field, forms: Vec::new(), bound: 0.0 }
    }

    pub(super) fn push(&mut self, posting: TermPostings) {
        self.bound = self.bound.max(posting.bm25.max_score());
        self.forms.push(posting);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The number of its postings in a segment.
    fn len(&self, segment: usize) -> u32 {
        self.forms.iter().filter_map(|form| form.term_infos[segment].as_ref()).map(|term_info| term_info.doc_freq).sum()
    }
}

/// A top-k query: the index, the filter, and k as `limit`.
pub(super) struct TopDocuments<'a> {
    pub(super) text: &'a TextIndex<sextant_text::index::ChunkFields, ChunkCatalog>,
    pub(super) allowed: &'a ChunkFilter,
    pub(super) limit: usize,
}

impl TopDocuments<'_> {
    /// Returns the chunks with the highest sums over `lists`, best first.
    pub(super) fn collect(&self, mut lists: Vec<WordPostings>) -> Result<Vec<ScoredChunk>> {
        if lists.is_empty() || self.limit == 0 {
            return Ok(Vec::new());
        }
        // A stable sort keeps equal lists in the order of words and fields.
        lists.sort_by(|a, b| b.bound.total_cmp(&a.bound));
        // The largest sum of scores from each list and all lists after it.
        let mut remaining = vec![0.0; lists.len() + 1];
        for (at, list) in lists.iter().enumerate().rev() {
            remaining[at] = remaining[at + 1] + list.bound;
        }
        let segments = self.text.searcher.segment_readers().len();
        let (next, threshold) = (AtomicUsize::new(0), AtomicU32::new(0));
        // A thread takes the next segment as soon as it is free, so the range that it was called with does not matter.
        let work = |_| -> Result<Vec<ScoredChunk>> {
            let mut found = Vec::new();
            let mut accumulators = Accumulators::default();
            loop {
                let segment = next.fetch_add(1, Ordering::Relaxed);
                if segment >= segments {
                    return Ok(found);
                }
                let pass =
                    SegmentPass { top: self, lists: &lists, remaining: &remaining, segment, threshold: &threshold };
                pass.run(&mut accumulators, &mut found)?;
                retain_top_k(&mut found, self.limit);
            }
        };
        let mut found = Vec::new();
        for part in map_ranges_parallel(segments, 1, work) {
            found.extend(part?);
        }
        retain_top_k(&mut found, self.limit);
        Ok(found)
    }
}

/// A query on one segment.
struct SegmentPass<'a> {
    top: &'a TopDocuments<'a>,
    lists: &'a [WordPostings],
    remaining: &'a [f32],
    segment: usize,
    /// The bits of a lower bound for the k-th best sum over all segments. Sums are not negative, so their bits have
    /// the same order.
    threshold: &'a AtomicU32,
}

/// The accumulators of a segment's documents, reused for the next segment to save allocations.
#[derive(Default)]
struct Accumulators {
    /// The sum by document; negative infinity if the document may not be found.
    scores: Vec<f32>,
    /// The score from the current list, by document; zero between lists.
    list_scores: Vec<f32>,
    /// The documents with a score from the current list.
    list_documents: Vec<DocId>,
    /// The documents with a sum.
    scored_documents: Vec<DocId>,
    /// Scratch space for selecting the threshold.
    values: Vec<f32>,
}

impl Accumulators {
    /// Raises a document's score from the current list to that of a form, if that is higher.
    fn accumulate_max(&mut self, document: DocId, score: f32) {
        let Some(list_scores) = self.list_scores.get_mut(document as usize) else { return };
        if *list_scores == 0.0 {
            self.list_documents.push(document);
        }
        if score > *list_scores {
            *list_scores = score;
        }
    }

    /// Adds the scores from the current list to the sums.
    fn flush_list(&mut self) {
        for document in self.list_documents.drain(..) {
            let sum = &mut self.scores[document as usize];
            if *sum == 0.0 {
                self.scored_documents.push(document);
            }
            *sum += std::mem::take(&mut self.list_scores[document as usize]);
        }
    }
}

impl SegmentPass<'_> {
    fn run(&self, accumulators: &mut Accumulators, found: &mut Vec<ScoredChunk>) -> Result<()> {
        let reader = &self.top.text.searcher.segment_readers()[self.segment];
        let documents = reader.max_doc() as usize;
        accumulators.scores.clear();
        accumulators.scores.resize(documents, 0.0);
        // All its values are zero between lists.
        accumulators.list_scores.resize(documents, 0.0);
        accumulators.scored_documents.clear();
        self.mask_excluded(accumulators);
        let mut candidates: Option<Vec<DocId>> = None;
        for (at, list) in self.lists.iter().enumerate() {
            let len = list.len(self.segment);
            if len == 0 {
                continue;
            }
            if len >= MIN_PRUNED_LIST_LEN {
                self.raise_threshold(accumulators);
                let threshold = self.threshold();
                let is_pruned = |sum: f32| sum + self.remaining[at] < threshold;
                match &mut candidates {
                    Some(documents) => documents.retain(|&document| !is_pruned(accumulators.scores[document as usize])),
                    None if self.remaining[at] < threshold => {
                        accumulators.scored_documents.sort_unstable();
                        let all = accumulators.scored_documents.iter().copied();
                        candidates =
                            Some(all.filter(|&document| !is_pruned(accumulators.scores[document as usize])).collect());
                    }
                    None => {}
                }
            }
            let norms = reader.get_fieldnorms_reader(list.field)?;
            let inverted = reader.inverted_index(list.field)?;
            for form in &list.forms {
                let Some(term_info) = &form.term_infos[self.segment] else { continue };
                let postings = inverted.read_block_postings_from_terminfo(term_info, IndexRecordOption::WithFreqs);
                let mut postings = postings.map_err(|error| Error::Text(error.into()))?;
                match &candidates {
                    Some(documents) if documents.len() * SEEK_RATIO < term_info.doc_freq as usize => {
                        score_by_seeking(&mut postings, documents, &norms, &form.bm25, accumulators);
                    }
                    _ => score_all(&mut postings, &norms, &form.bm25, accumulators),
                }
            }
            accumulators.flush_list();
        }
        let threshold = self.threshold();
        let segment_ord = u32::try_from(self.segment).unwrap_or(u32::MAX);
        let take = |doc_id: DocId, score: f32| {
            let is_best = score > 0.0 && score >= threshold;
            let chunk_id = is_best.then(|| self.top.text.row(DocAddress { segment_ord, doc_id }))??;
            Some(ScoredChunk { chunk_id, score })
        };
        let survivors = candidates.as_deref().unwrap_or(&accumulators.scored_documents);
        found.extend(survivors.iter().filter_map(|&document| take(document, accumulators.scores[document as usize])));
        Ok(())
    }

    /// Sets the sums of excluded and removed documents to negative infinity, so that no score lifts them above zero.
    fn mask_excluded(&self, accumulators: &mut Accumulators) {
        let row_doc_map = self.top.text.catalog.row_doc_map();
        let segment = u32::try_from(self.segment).unwrap_or(u32::MAX);
        let Some(chunks) = self.top.allowed.chunks() else {
            let documents = u32::try_from(accumulators.scores.len()).unwrap_or(u32::MAX);
            for removed in row_doc_map.tombstoned(segment, documents) {
                accumulators.scores[removed.start as usize..removed.end as usize].fill(f32::NEG_INFINITY);
            }
            return;
        };
        accumulators.scores.fill(f32::NEG_INFINITY);
        for &chunk in chunks {
            if let Some((ordinal, document, _)) = row_doc_map.find(chunk)
                && ordinal == segment
            {
                accumulators.scores[document as usize] = 0.0;
            }
        }
    }

    fn threshold(&self) -> f32 {
        f32::from_bits(self.threshold.load(Ordering::Relaxed))
    }

    /// Raises the threshold to the k-th best sum so far.
    fn raise_threshold(&self, accumulators: &mut Accumulators) {
        let threshold = self.threshold();
        let Accumulators { scores, values, scored_documents, .. } = accumulators;
        values.clear();
        values
            .extend(scored_documents.iter().map(|&document| scores[document as usize]).filter(|&sum| sum > threshold));
        if values.len() >= self.top.limit {
            let (_, last, _) = values.select_nth_unstable_by(self.top.limit - 1, |a, b| b.total_cmp(a));
            self.threshold.fetch_max(last.to_bits(), Ordering::Relaxed);
        }
    }
}

/// Scores every document of a form's postings.
fn score_all(
    postings: &mut BlockSegmentPostings,
    norms: &FieldNormReader,
    bm25: &Bm25Weight,
    accumulators: &mut Accumulators,
) {
    while postings.block_len() > 0 {
        for (&document, &frequency) in postings.docs().iter().zip(postings.freqs()) {
            // A damaged index may name documents that do not exist.
            if (document as usize) < accumulators.scores.len() {
                accumulators.accumulate_max(document, bm25.score(norms.fieldnorm_id(document), frequency));
            }
        }
        postings.advance();
    }
}

/// Scores only `documents`, which are ascending, and seeks past all others.
fn score_by_seeking(
    postings: &mut BlockSegmentPostings,
    documents: &[DocId],
    norms: &FieldNormReader,
    bm25: &Bm25Weight,
    accumulators: &mut Accumulators,
) {
    for &document in documents {
        let at = postings.seek(document);
        let here = postings.doc(at);
        if here == document {
            accumulators.accumulate_max(document, bm25.score(norms.fieldnorm_id(document), postings.freq(at)));
        } else if here == TERMINATED {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use sextant_format::ids::ChunkId;
    use sextant_text::index as text;
    use tantivy::indexer::NoMergePolicy;
    use tantivy::query::Bm25StatisticsProvider;
    use tantivy::{Index, TantivyDocument, Term};

    use super::*;

    const WORDS: [&str; 6] = ["common", "frequent", "usual", "rare", "rarer", "rarest"];

    /// Documents in two segments; a word is in every second, third, fifth ... of them.
    fn index(dir: &std::path::Path, documents: u64) -> TextIndex<text::ChunkFields, ChunkCatalog> {
        let (schema, fields) = text::chunk_schema();
        let mut index = Index::create_in_dir(dir, schema.clone()).unwrap();
        index.set_tokenizers(text::tokenizers());
        let mut writer = index.writer_with_num_threads(1, 50_000_000).unwrap();
        writer.set_merge_policy(Box::new(NoMergePolicy));
        for chunk in 0..documents {
            let mut document = TantivyDocument::default();
            let every = [2, 3, 5, 97, 509, 2003];
            let scattered = chunk.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            let has = WORDS.iter().zip(every).filter(|(_, every)| (scattered ^ *every).is_multiple_of(*every));
            let body: Vec<&str> = has.flat_map(|(word, every)| vec![*word; (chunk / every % 3) as usize + 1]).collect();
            document.add_text(fields.body, body.join(" "));
            if chunk % 700 < 3 {
                document.add_text(fields.name, body.first().copied().unwrap_or(""));
            }
            for field in [fields.repo, fields.file, fields.language] {
                document.add_text(field, "x");
            }
            for field in [fields.kind, fields.parent_id, fields.file_id, fields.symbol_id, fields.level] {
                document.add_u64(field, 1);
            }
            for field in [fields.start_line, fields.end_line, fields.is_test] {
                document.add_u64(field, 1);
            }
            document.add_u64(fields.chunk_id, chunk);
            writer.add_document(document).unwrap();
            if chunk == documents / 3 {
                writer.commit().unwrap();
            }
        }
        writer.commit().unwrap();
        let (_, reader) = text::open(dir, &schema).unwrap();
        let searcher = reader.searcher();
        let catalog = ChunkCatalog::open(&searcher, None, dir).unwrap();
        TextIndex { searcher, removed: None, fields, catalog }
    }

    fn lists(text: &TextIndex<text::ChunkFields, ChunkCatalog>) -> Vec<WordPostings> {
        let documents = text.searcher.total_num_docs().unwrap();
        let fields = [(text.fields.body, 1.0), (text.fields.name, 2.5)];
        let word_postings = |(word, (field, boost)): (&[&str], (Field, f32))| {
            let mut list = WordPostings::new(field);
            for (n, form) in word.iter().enumerate() {
                let term = Term::from_field_text(field, form);
                let readers = text.searcher.segment_readers().iter();
                let term_infos: Vec<_> =
                    readers.map(|r| r.inverted_index(field).unwrap().get_term_info(&term).unwrap()).collect();
                let frequency = text.searcher.doc_freq(&term).unwrap();
                let bm25 = Bm25Weight::for_one_term_without_explain(frequency, documents, 3.0);
                list.push(TermPostings { term_infos, bm25: bm25.boost_by(boost / (n + 1) as f32) });
            }
            list
        };
        // The last two are forms of one word.
        let words = [&WORDS[..1], &WORDS[1..2], &WORDS[2..3], &WORDS[3..4], &WORDS[4..]];
        words.into_iter().flat_map(|word| fields.map(|field| word_postings((word, field)))).collect()
    }

    #[test]
    fn pruning_does_not_change_the_result() {
        let dir = tempfile::tempdir().unwrap();
        let text = index(dir.path(), 40_000);
        assert!(text.searcher.segment_readers().len() > 1);
        let best = |limit: usize, allowed: &ChunkFilter| {
            TopDocuments { text: &text, allowed, limit }.collect(lists(&text)).unwrap()
        };
        let (everything, some) =
            (ChunkFilter::unrestricted(), ChunkFilter::only((0..40_000).step_by(7).map(ChunkId::new).collect()));
        for allowed in [&everything, &some] {
            // A limit above the number of documents prunes nothing.
            let all = best(1_000_000, allowed);
            assert!(all.len() > 3_000 && all.is_sorted_by(|a, b| a.score >= b.score));
            assert!(all.iter().all(|scored| allowed.allows(scored.chunk_id)));
            for limit in [1, 10, 300] {
                assert_eq!(best(limit, allowed), all[..limit], "the best {limit}");
            }
        }
        assert!(best(0, &everything).is_empty());
    }
}
