//! The k documents with the highest summed scores over lists of postings, with MaxScore pruning.
//!
//! Documents are scored window by window, and in a window the lists are read one after the other, in descending order of
//! their maximum score (MaxScore, Turtle and Flood 1995, term at a time). Once the remaining lists cannot lift a new
//! document into the top k, only the documents that are still candidates are looked up in them. These lists belong to the
//! commonest words and are the longest. Every document's scores are added in the same order, so the result equals that of
//! reading everything, to the bit.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use tantivy::postings::TermInfo;
use tantivy::query::Bm25Weight;
use tantivy::schema::Field;
use tantivy::{DocAddress, DocId, SegmentReader};

use super::cursor::{Cursor, Sums};
use crate::catalog::{ChunkCatalog, HasRowDocMap as _};
use crate::index::TextIndex;
use crate::rank::{ScoredChunk, retain_top_k};
use crate::retrieve::filter::ChunkFilter;
use crate::threads::{map_ranges_parallel, thread_count};
use crate::{Error, Result};

/// Documents in a window: their sums stay in the processor's cache.
const WINDOW: u32 = 1 << 15;
/// Windows that a thread takes at a time.
const WINDOWS_PER_TASK: u32 = 8;
/// As long as nothing bounds the k-th best sum, a bound is looked for before each list of at least this many postings.
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
        let tasks = self.tasks();
        let allowed = self.allowed_documents();
        let (next, threshold) = (AtomicUsize::new(0), AtomicU32::new(0));
        // A thread takes the next task as soon as it is free, so the range that it was called with does not matter.
        let work = |_| -> Result<Vec<ScoredChunk>> {
            let mut found = Vec::new();
            let mut sums = Sums::default();
            while let Some((segment, documents)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let pass = SegmentPass {
                    top: self,
                    lists: &lists,
                    remaining: &remaining,
                    // Adding n numbers rounds by at most n times half of epsilon, and so does adding their bounds.
                    rounding: 1.0 + lists.len() as f32 * f32::EPSILON,
                    segment: *segment,
                    allowed: allowed.as_ref().map(|allowed| allowed[*segment].as_slice()),
                    threshold: &threshold,
                };
                pass.run(documents.clone(), &mut sums, &mut found)?;
            }
            Ok(found)
        };
        let mut found = Vec::new();
        for part in map_ranges_parallel(tasks.len().min(thread_count()), 1, work) {
            found.extend(part?);
        }
        retain_top_k(&mut found, self.limit);
        Ok(found)
    }

    /// The documents in parts, each with its segment.
    fn tasks(&self) -> Vec<(usize, Range<DocId>)> {
        let mut tasks = Vec::new();
        for (segment, reader) in self.text.searcher.segment_readers().iter().enumerate() {
            let documents = reader.max_doc();
            let starts = (0..documents).step_by((WINDOW * WINDOWS_PER_TASK) as usize);
            tasks.extend(
                starts.map(|start| (segment, start..documents.min(start.saturating_add(WINDOW * WINDOWS_PER_TASK)))),
            );
        }
        tasks
    }

    /// The documents of each segment that may be found, ascending; none if all may.
    fn allowed_documents(&self) -> Option<Vec<Vec<DocId>>> {
        let row_doc_map = self.text.catalog.row_doc_map();
        let mut allowed = vec![Vec::new(); self.text.searcher.segment_readers().len()];
        for &chunk in self.allowed.chunks()? {
            if let Some((ordinal, document, _)) = row_doc_map.find(chunk)
                && let Some(allowed) = allowed.get_mut(ordinal as usize)
            {
                allowed.push(document);
            }
        }
        allowed.iter_mut().for_each(|documents| documents.sort_unstable());
        Some(allowed)
    }
}

/// A query on one segment.
struct SegmentPass<'a> {
    top: &'a TopDocuments<'a>,
    lists: &'a [WordPostings],
    remaining: &'a [f32],
    /// A sum exceeds the sum of its bounds by at most this factor.
    rounding: f32,
    segment: usize,
    /// The documents that may be found, ascending; none if all may.
    allowed: Option<&'a [DocId]>,
    /// The bits of a lower bound for the k-th best sum over all segments. Sums are not negative, so their bits have
    /// the same order.
    threshold: &'a AtomicU32,
}

/// A list with its cursors in a segment.
struct OpenList<'a> {
    /// Its position among all lists.
    at: usize,
    postings: u32,
    cursors: Vec<Cursor<'a>>,
}

impl SegmentPass<'_> {
    /// Adds the best of some documents to `found`, and leaves the best of all there.
    fn run(&self, documents: Range<DocId>, sums: &mut Sums, found: &mut Vec<ScoredChunk>) -> Result<()> {
        let reader = &self.top.text.searcher.segment_readers()[self.segment];
        let mut lists = self.open(reader)?;
        for start in documents.clone().step_by(WINDOW as usize) {
            let window = start..documents.end.min(start.saturating_add(WINDOW));
            sums.begin(window.clone());
            self.mask_excluded(&window, sums);
            let survivors = self.score(&mut lists, sums);
            let threshold = self.threshold();
            let segment_ord = u32::try_from(self.segment).unwrap_or(u32::MAX);
            let before = found.len();
            found.extend(survivors.into_iter().filter_map(|document| {
                let score = sums.of(document);
                let is_best = score > 0.0 && score >= threshold;
                let address = DocAddress { segment_ord, doc_id: document };
                let chunk_id = is_best.then(|| self.top.text.row(address))??;
                Some(ScoredChunk { chunk_id, score })
            }));
            if found.len() > before && found.len() >= self.top.limit {
                retain_top_k(found, self.top.limit);
                if let Some(last) = found.last() {
                    self.threshold.fetch_max(last.score.to_bits(), Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }

    fn open(&self, reader: &SegmentReader) -> Result<Vec<OpenList<'_>>> {
        let mut open = Vec::new();
        for (at, list) in self.lists.iter().enumerate() {
            let postings = list.len(self.segment);
            if postings == 0 {
                continue;
            }
            let norms = reader.get_fieldnorms_reader(list.field)?;
            let inverted = reader.inverted_index(list.field)?;
            let forms = list.forms.iter().filter_map(|form| Some((form.term_infos[self.segment].as_ref()?, form)));
            let cursors = forms.map(|(term_info, form)| {
                let cursor = Cursor::new(&inverted, term_info, norms.clone(), &form.bm25);
                cursor.map_err(|error| Error::Text(error.into()))
            });
            open.push(OpenList { at, postings, cursors: cursors.collect::<Result<_>>()? });
        }
        Ok(open)
    }

    /// Adds the scores of all lists to the sums of a window. Returns the documents that may be among the best.
    fn score(&self, lists: &mut [OpenList<'_>], sums: &mut Sums) -> Vec<DocId> {
        let mut candidates: Option<Vec<DocId>> = None;
        for list in lists {
            if list.postings >= MIN_PRUNED_LIST_LEN && self.threshold() == 0.0 {
                self.raise_threshold(sums);
            }
            let (threshold, remaining) = (self.threshold(), self.remaining[list.at]);
            let is_pruned = |sum: f32| (sum + remaining) * self.rounding < threshold;
            match &mut candidates {
                Some(documents) => documents.retain(|&document| !is_pruned(sums.of(document))),
                None if is_pruned(0.0) => {
                    let mut left: Vec<DocId> =
                        sums.documents().iter().copied().filter(|&document| !is_pruned(sums.of(document))).collect();
                    left.sort_unstable();
                    candidates = Some(left);
                }
                None => {}
            }
            if candidates.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
            for cursor in &mut list.cursors {
                match &candidates {
                    Some(documents) if documents.len() * SEEK_RATIO < cursor.postings_in(sums.window()) => {
                        cursor.score_by_seeking(documents, sums);
                    }
                    _ => cursor.score_all(sums),
                }
            }
            sums.end_list();
        }
        candidates.unwrap_or_else(|| sums.documents().to_vec())
    }

    /// Excludes the documents of a window that were removed or may not be found.
    fn mask_excluded(&self, window: &Range<DocId>, sums: &mut Sums) {
        if let Some(allowed) = self.allowed {
            let from = allowed.partition_point(|&document| document < window.start);
            let mut next = window.start;
            for &document in allowed[from..].iter().take_while(|&&document| document < window.end) {
                sums.exclude(next..document);
                next = document + 1;
            }
            sums.exclude(next..window.end);
            return;
        }
        let segment = u32::try_from(self.segment).unwrap_or(u32::MAX);
        for removed in self.top.text.catalog.row_doc_map().tombstoned(segment, window.end) {
            sums.exclude(removed.start.max(window.start)..removed.end.max(window.start));
        }
    }

    fn threshold(&self) -> f32 {
        f32::from_bits(self.threshold.load(Ordering::Relaxed))
    }

    /// Raises the threshold to the k-th best sum so far.
    fn raise_threshold(&self, sums: &Sums) {
        let all = sums.documents().iter().map(|&document| sums.of(document));
        let mut values: Vec<f32> = all.filter(|&sum| sum > self.threshold()).collect();
        if values.len() >= self.top.limit {
            let (_, last, _) = values.select_nth_unstable_by(self.top.limit - 1, |a, b| b.total_cmp(a));
            self.threshold.fetch_max(last.to_bits(), Ordering::Relaxed);
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
