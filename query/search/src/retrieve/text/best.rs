//! The documents with the highest sums over lists of postings, without reading what cannot matter.
//!
//! Lists are read one after the other, those first that can give most (MaxScore, Turtle and Flood 1995, term at a
//! time). As soon as what is left cannot lift a new document among the best, only the documents that are still
//! in the running are looked up in the lists that are left: those of the commonest words, which are the longest.
//! Sums are made in the same order for every document, so the result is the same as if all had been read, to the bit.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::Bm25Weight;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, TERMINATED};

use crate::catalog::{Chunks, HasPlaces as _};
use crate::index::TextIndex;
use crate::retrieve::{Allowed, Scored, best_first};
use crate::threads::in_parts;
use crate::{Error, Result};

/// The bound of the best is looked for anew before a list that is so long.
const LONG: u32 = 4096;
/// A list is leapt through where it is so many times longer than the documents that are looked for.
const LEAP: usize = 16;

/// A word's form in a field.
pub(super) struct Posting {
    /// Where its postings are in each segment.
    pub(super) places: Vec<Option<TermInfo>>,
    /// What an occurrence counts.
    pub(super) bm25: Bm25Weight,
}

/// A word in a field, with its forms: of these only the best counts in a document.
pub(super) struct List {
    field: Field,
    forms: Vec<Posting>,
    /// No document gets more from it.
    bound: f32,
}

impl List {
    pub(super) fn new(field: Field) -> Self {
        Self { field, forms: Vec::new(), bound: 0.0 }
    }

    pub(super) fn push(&mut self, posting: Posting) {
        self.bound = self.bound.max(posting.bm25.max_score());
        self.forms.push(posting);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// How many postings it has in a segment.
    fn len(&self, segment: usize) -> u32 {
        self.forms.iter().filter_map(|form| form.places[segment].as_ref()).map(|place| place.doc_freq).sum()
    }
}

/// What is looked through, for how many.
pub(super) struct Best<'a> {
    pub(super) text: &'a TextIndex<sextant_text::index::ChunkFields, Chunks>,
    pub(super) allowed: &'a Allowed,
    pub(super) limit: usize,
}

impl Best<'_> {
    /// The best documents as chunks, best first.
    pub(super) fn of(&self, mut lists: Vec<List>) -> Result<Vec<Scored>> {
        if lists.is_empty() || self.limit == 0 {
            return Ok(Vec::new());
        }
        // Stable: equal lists stay in the order of words and fields.
        lists.sort_by(|a, b| b.bound.total_cmp(&a.bound));
        // What all lists from one on can give together.
        let mut left = vec![0.0; lists.len() + 1];
        for (at, list) in lists.iter().enumerate().rev() {
            left[at] = left[at + 1] + list.bound;
        }
        let segments = self.text.searcher.segment_readers().len();
        let (next, least) = (AtomicUsize::new(0), AtomicU32::new(0));
        // Whoever is free takes the next segment, whatever the part.
        let work = |_| -> Result<Vec<Scored>> {
            let mut found = Vec::new();
            let mut sums = Sums::default();
            loop {
                let segment = next.fetch_add(1, Ordering::Relaxed);
                if segment >= segments {
                    return Ok(found);
                }
                let pass = Pass { best: self, lists: &lists, left: &left, segment, least: &least };
                pass.run(&mut sums, &mut found)?;
                best_first(&mut found, self.limit);
            }
        };
        let mut found = Vec::new();
        for part in in_parts(segments, 1, work) {
            found.extend(part?);
        }
        best_first(&mut found, self.limit);
        Ok(found)
    }
}

/// One segment.
struct Pass<'a> {
    best: &'a Best<'a>,
    lists: &'a [List],
    left: &'a [f32],
    segment: usize,
    /// The bits of a sum that the last of the best has at least, over all segments; sums are not negative, so
    /// their bits are ordered as they are.
    least: &'a AtomicU32,
}

/// The sums of a segment's documents, kept from segment to segment for their memory.
#[derive(Default)]
struct Sums {
    /// By document; below zero where it is not allowed.
    of: Vec<f32>,
    /// What the list that is being read has given, by document; zero between lists.
    of_list: Vec<f32>,
    /// The documents that it has given something.
    given: Vec<DocId>,
    /// The documents with a sum.
    touched: Vec<DocId>,
    /// For choosing.
    values: Vec<f32>,
}

impl Sums {
    /// A form gives a document something: what it is more than what another form gave.
    fn give(&mut self, document: DocId, score: f32) {
        let Some(of_list) = self.of_list.get_mut(document as usize) else { return };
        if *of_list == 0.0 {
            self.given.push(document);
        }
        if score > *of_list {
            *of_list = score;
        }
    }

    /// Adds what the list has given.
    fn close_list(&mut self) {
        for document in self.given.drain(..) {
            let sum = &mut self.of[document as usize];
            if *sum == 0.0 {
                self.touched.push(document);
            }
            *sum += std::mem::take(&mut self.of_list[document as usize]);
        }
    }
}

impl Pass<'_> {
    fn run(&self, sums: &mut Sums, found: &mut Vec<Scored>) -> Result<()> {
        let reader = &self.best.text.searcher.segment_readers()[self.segment];
        let documents = reader.max_doc() as usize;
        sums.of.clear();
        sums.of.resize(documents, 0.0);
        // It is zero all over.
        sums.of_list.resize(documents, 0.0);
        sums.touched.clear();
        self.close_forbidden(sums);
        let mut running: Option<Vec<DocId>> = None;
        for (at, list) in self.lists.iter().enumerate() {
            let len = list.len(self.segment);
            if len == 0 {
                continue;
            }
            if len >= LONG {
                self.raise(sums);
                let least = self.least();
                let is_out = |sum: f32| sum + self.left[at] < least;
                match &mut running {
                    Some(documents) => documents.retain(|&document| !is_out(sums.of[document as usize])),
                    None if self.left[at] < least => {
                        sums.touched.sort_unstable();
                        let all = sums.touched.iter().copied();
                        running = Some(all.filter(|&document| !is_out(sums.of[document as usize])).collect());
                    }
                    None => {}
                }
            }
            let norms = reader.get_fieldnorms_reader(list.field)?;
            let inverted = reader.inverted_index(list.field)?;
            for form in &list.forms {
                let Some(place) = &form.places[self.segment] else { continue };
                let postings = inverted.read_block_postings_from_terminfo(place, IndexRecordOption::WithFreqs);
                let mut postings = postings.map_err(|error| Error::Text(error.into()))?;
                match &running {
                    Some(documents) if documents.len() * LEAP < place.doc_freq as usize => {
                        leap(&mut postings, documents, &norms, &form.bm25, sums);
                    }
                    _ => read(&mut postings, &norms, &form.bm25, sums),
                }
            }
            sums.close_list();
        }
        let least = self.least();
        let segment_ord = u32::try_from(self.segment).unwrap_or(u32::MAX);
        let take = |doc_id: DocId, score: f32| {
            let is_best = score > 0.0 && score >= least;
            let chunk_id = is_best.then(|| self.best.text.row(DocAddress { segment_ord, doc_id }))??;
            Some(Scored { chunk_id, score })
        };
        let ended = running.as_deref().unwrap_or(&sums.touched);
        found.extend(ended.iter().filter_map(|&document| take(document, sums.of[document as usize])));
        Ok(())
    }

    /// Nothing lifts a document above zero that may not be found, or whose row is gone.
    fn close_forbidden(&self, sums: &mut Sums) {
        let places = self.best.text.catalog.places();
        let segment = u32::try_from(self.segment).unwrap_or(u32::MAX);
        let Some(chunks) = self.best.allowed.chunks() else {
            let documents = u32::try_from(sums.of.len()).unwrap_or(u32::MAX);
            for gone in places.gone(segment, documents) {
                sums.of[gone.start as usize..gone.end as usize].fill(f32::NEG_INFINITY);
            }
            return;
        };
        sums.of.fill(f32::NEG_INFINITY);
        for &chunk in chunks {
            if let Some((ordinal, document, _)) = places.find(chunk)
                && ordinal == segment
            {
                sums.of[document as usize] = 0.0;
            }
        }
    }

    fn least(&self) -> f32 {
        f32::from_bits(self.least.load(Ordering::Relaxed))
    }

    /// Raises the bound of the best to what the last of them has already.
    fn raise(&self, sums: &mut Sums) {
        let least = self.least();
        let Sums { of, values, touched, .. } = sums;
        values.clear();
        values.extend(touched.iter().map(|&document| of[document as usize]).filter(|&sum| sum > least));
        if values.len() >= self.best.limit {
            let (_, last, _) = values.select_nth_unstable_by(self.best.limit - 1, |a, b| b.total_cmp(a));
            self.least.fetch_max(last.to_bits(), Ordering::Relaxed);
        }
    }
}

/// Gives every document of a form's postings its score.
fn read(postings: &mut BlockSegmentPostings, norms: &FieldNormReader, bm25: &Bm25Weight, sums: &mut Sums) {
    while postings.block_len() > 0 {
        for (&document, &frequency) in postings.docs().iter().zip(postings.freqs()) {
            // Damage may name documents that are not there.
            if (document as usize) < sums.of.len() {
                sums.give(document, bm25.score(norms.fieldnorm_id(document), frequency));
            }
        }
        postings.advance();
    }
}

/// The same for some documents, in ascending order, leaping over the others.
fn leap(
    postings: &mut BlockSegmentPostings,
    documents: &[DocId],
    norms: &FieldNormReader,
    bm25: &Bm25Weight,
    sums: &mut Sums,
) {
    for &document in documents {
        let at = postings.seek(document);
        let here = postings.doc(at);
        if here == document {
            sums.give(document, bm25.score(norms.fieldnorm_id(document), postings.freq(at)));
        } else if here == TERMINATED {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use sextant_text::index as text;
    use tantivy::indexer::NoMergePolicy;
    use tantivy::query::Bm25StatisticsProvider;
    use tantivy::{Index, TantivyDocument, Term};

    use super::*;

    const WORDS: [&str; 6] = ["common", "frequent", "usual", "rare", "rarer", "rarest"];

    /// Documents in two segments; a word is in every second, third, fifth ... of them.
    fn index(dir: &std::path::Path, documents: u64) -> TextIndex<text::ChunkFields, Chunks> {
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
        let catalog = Chunks::open(&searcher, None, dir).unwrap();
        TextIndex { searcher, removed: None, fields, catalog }
    }

    fn lists(text: &TextIndex<text::ChunkFields, Chunks>) -> Vec<List> {
        let documents = text.searcher.total_num_docs().unwrap();
        let fields = [(text.fields.body, 1.0), (text.fields.name, 2.5)];
        let of = |(word, (field, boost)): (&[&str], (Field, f32))| {
            let mut list = List::new(field);
            for (n, form) in word.iter().enumerate() {
                let term = Term::from_field_text(field, form);
                let readers = text.searcher.segment_readers().iter();
                let places: Vec<_> =
                    readers.map(|r| r.inverted_index(field).unwrap().get_term_info(&term).unwrap()).collect();
                let frequency = text.searcher.doc_freq(&term).unwrap();
                let bm25 = Bm25Weight::for_one_term_without_explain(frequency, documents, 3.0);
                list.push(Posting { places, bm25: bm25.boost_by(boost / (n + 1) as f32) });
            }
            list
        };
        // The last two are forms of one word.
        let words = [&WORDS[..1], &WORDS[1..2], &WORDS[2..3], &WORDS[3..4], &WORDS[4..]];
        words.into_iter().flat_map(|word| fields.map(|field| of((word, field)))).collect()
    }

    #[test]
    fn what_is_not_read_does_not_matter() {
        let dir = tempfile::tempdir().unwrap();
        let text = index(dir.path(), 40_000);
        assert!(text.searcher.segment_readers().len() > 1);
        let best = |limit: usize, allowed: &Allowed| Best { text: &text, allowed, limit }.of(lists(&text)).unwrap();
        let (everything, some) = (Allowed::everything(), Allowed::these((0..40_000).step_by(7).collect()));
        for allowed in [&everything, &some] {
            // Whoever wants all gets all: nothing is left out.
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
