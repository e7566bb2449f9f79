//! Rows to documents of a text index and back.
//!
//! A fresh index holds its rows in order, segment after segment. One that took documents over from an earlier
//! generation holds them in pieces, and beside them documents whose rows are gone; `text/pieces.json` says where
//! each row's document is, and how the ids that were stored with it differ from those of today. This module knows
//! nothing of what rows mean.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tantivy::columnar::Column;
use tantivy::{DocAddress, DocId, Searcher, SegmentOrdinal};

use crate::{Error, Result};
use sextant_format::generation::{Generation, part};
use sextant_format::manifest::TEXT_PIECES;

/// `text/pieces.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pieces {
    /// Of `text/chunks`.
    pub chunks: Order,
    /// Of `text/symbols`.
    pub symbols: Order,
    /// Documents of `text/chunks` whose rows are gone; `text/removed` holds the same ones again, so that what they
    /// add to the counts of words can be taken away. There is no such index where there is none.
    pub removed: u32,
    /// How many generations have been written since the index was written anew; each may have added a segment to
    /// every index.
    pub generations: u32,
}

/// Where the documents of one index are, in the order of their rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The segments' ids, as tantivy writes them.
    pub segments: Vec<String>,
    /// The pieces; the rows of each follow those of the one before, from 0 on.
    pub pieces: Vec<Piece>,
}

/// Neighbouring documents of a segment that stand for neighbouring rows. In JSON an array of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u32, u32, i64, i64, i64)", into = "(u32, u32, u32, i64, i64, i64)")]
pub struct Piece {
    /// The segment's place in [`Order::segments`].
    pub segment: u32,
    /// The first document.
    pub document: DocId,
    /// How many documents; at least one.
    pub documents: u32,
    /// From the ids that the documents hold to those of today.
    pub shift: Shift,
}

/// What is added to the ids that a document holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shift {
    /// To ids of files.
    pub file: i64,
    /// To ids of chunks.
    pub chunk: i64,
    /// To ids of symbols.
    pub symbol: i64,
}

impl From<(u32, u32, u32, i64, i64, i64)> for Piece {
    fn from((segment, document, documents, file, chunk, symbol): (u32, u32, u32, i64, i64, i64)) -> Self {
        Self { segment, document, documents, shift: Shift { file, chunk, symbol } }
    }
}

impl From<Piece> for (u32, u32, u32, i64, i64, i64) {
    fn from(Piece { segment, document, documents, shift }: Piece) -> Self {
        (segment, document, documents, shift.file, shift.chunk, shift.symbol)
    }
}

impl Pieces {
    /// What a generation says; nothing where its documents are in order.
    pub fn read(generation: &Generation) -> Result<Option<Self>> {
        if !generation.manifest().reader_features.iter().any(|feature| feature == TEXT_PIECES) {
            return Ok(None);
        }
        let path = generation.path(part::TEXT_PIECES);
        let text = fs_err::read(&path)?;
        serde_json::from_slice(&text).map(Some).map_err(|error| Error::damaged(&path, error))
    }
}

impl Order {
    /// Appends documents of the segment with this number, to the last piece where they go on from it.
    pub fn push(&mut self, segment: u32, documents: Range<DocId>, shift: Shift) {
        if documents.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(last)
                if last.segment == segment
                    && last.document.checked_add(last.documents) == Some(documents.start)
                    && last.shift == shift =>
            {
                last.documents += documents.end - documents.start;
            }
            _ => {
                let (document, documents) = (documents.start, documents.end - documents.start);
                self.pieces.push(Piece { segment, document, documents, shift });
            }
        }
    }
}

/// A piece of an opened index.
#[derive(Clone, Copy, Debug)]
struct Place {
    ordinal: SegmentOrdinal,
    document: DocId,
    documents: u32,
    /// The row of the first document.
    row: u32,
    shift: Shift,
}

/// Rows to documents and back, of an opened index.
#[derive(Debug)]
pub struct Places {
    /// In the order of the rows.
    places: Vec<Place>,
    /// The same in the order of segments and documents, as numbers in `places`.
    by_document: Vec<u32>,
}

/// Documents of one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The segment.
    pub ordinal: SegmentOrdinal,
    /// The first document.
    pub first: DocId,
    /// The last one.
    pub last: DocId,
    /// The row of the first one.
    pub row: u32,
    /// From the ids that the documents hold to those of today.
    pub shift: Shift,
}

impl Places {
    /// The places of the rows of an index. `order` is what the generation says of it; where it says nothing,
    /// every segment holds neighbouring rows in order, the first of which the column `ids` tells. `path` is for
    /// errors.
    pub fn of(searcher: &Searcher, ids: &str, order: Option<&Order>, path: &Path) -> Result<Self> {
        let places = match order {
            None => in_order(searcher, ids, path)?,
            Some(order) => in_pieces(searcher, order, path)?,
        };
        let mut by_document: Vec<u32> = (0..u32::try_from(places.len()).unwrap_or(u32::MAX)).collect();
        let key = |&at: &u32| (places[at as usize].ordinal, places[at as usize].document);
        by_document.sort_unstable_by_key(key);
        let overlaps = |pair: &[u32]| {
            let (a, b) = (places[pair[0] as usize], places[pair[1] as usize]);
            a.ordinal == b.ordinal && b.document - a.document < a.documents
        };
        if by_document.windows(2).any(overlaps) {
            return Err(Error::damaged(path, "a document stands for two rows"));
        }
        Ok(Self { places, by_document })
    }

    /// One past the last row.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.places.last().map_or(0, |place| place.row.saturating_add(place.documents))
    }

    /// How many documents stand for rows.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.places.iter().map(|place| u64::from(place.documents)).sum()
    }

    /// The segment and the document of a row, and what is added to the ids that it holds.
    #[must_use]
    pub fn find(&self, row: u32) -> Option<(SegmentOrdinal, DocId, Shift)> {
        let place = self.places[self.places.partition_point(|place| place.row <= row).checked_sub(1)?];
        let at = row - place.row;
        (at < place.documents).then(|| (place.ordinal, place.document + at, place.shift))
    }

    /// The row of a document; none where its row is gone.
    #[must_use]
    pub fn row(&self, address: DocAddress) -> Option<u32> {
        let key = (address.segment_ord, address.doc_id);
        let of = |&at: &u32| self.places[at as usize];
        let after = self.by_document.partition_point(|at| (of(at).ordinal, of(at).document) <= key);
        let place = of(self.by_document.get(after.checked_sub(1)?)?);
        let at = address.doc_id - place.document;
        (place.ordinal == address.segment_ord && at < place.documents).then(|| place.row.saturating_add(at))
    }

    /// The documents of some neighbouring rows, in the order of the rows.
    pub fn runs(&self, rows: Range<u32>) -> impl Iterator<Item = Run> {
        let from = self.places.partition_point(|place| place.row.saturating_add(place.documents) <= rows.start);
        self.places[from..].iter().take_while(move |place| place.row < rows.end).filter_map(move |place| {
            let first = rows.start.max(place.row) - place.row;
            let end = (rows.end - place.row).min(place.documents);
            (first < end).then(|| Run {
                ordinal: place.ordinal,
                first: place.document + first,
                last: place.document + end - 1,
                row: place.row + first,
                shift: place.shift,
            })
        })
    }

    /// The documents of a segment whose rows are gone; it has `documents` in all.
    pub fn gone(&self, ordinal: SegmentOrdinal, documents: DocId) -> impl Iterator<Item = Range<DocId>> {
        let from = self.by_document.partition_point(|&at| self.places[at as usize].ordinal < ordinal);
        let here = self.by_document[from..].iter().map(|&at| self.places[at as usize]);
        let here = here.take_while(move |place| place.ordinal == ordinal);
        let mut next = 0;
        here.map(|place| (place.document, place.document + place.documents))
            .chain(std::iter::once((documents, documents)))
            .filter_map(move |(from, to)| {
                let gap = next..from.min(documents);
                next = to;
                (!gap.is_empty()).then_some(gap)
            })
    }
}

/// Every segment holds neighbouring rows, as they were written.
fn in_order(searcher: &Searcher, ids: &str, path: &Path) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    for (ordinal, reader) in (0..).zip(searcher.segment_readers()) {
        let ids: Column<u64> = reader.fast_fields().u64(ids).map_err(|error| Error::damaged(path, error))?;
        let row = ids.first(0).and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
        places.push(Place { ordinal, document: 0, documents: reader.max_doc(), row, shift: Shift::default() });
    }
    places.sort_by_key(|place| place.row);
    Ok(places)
}

fn in_pieces(searcher: &Searcher, order: &Order, path: &Path) -> Result<Vec<Place>> {
    let readers = searcher.segment_readers();
    let ids: Vec<String> = readers.iter().map(|reader| reader.segment_id().uuid_string()).collect();
    let mut ordinals = Vec::with_capacity(order.segments.len());
    for id in &order.segments {
        let ordinal = ids.iter().position(|other| other == id);
        ordinals.push(ordinal.ok_or_else(|| Error::damaged(path, format!("the segment {id} is missing")))?);
    }
    let mut places = Vec::with_capacity(order.pieces.len());
    let mut row = 0_u32;
    for piece in &order.pieces {
        let ordinal = ordinals.get(piece.segment as usize).copied();
        let ordinal = ordinal.ok_or_else(|| Error::damaged(path, "a piece is of a segment that is not listed"))?;
        let end = piece.document.checked_add(piece.documents);
        let next = row.checked_add(piece.documents);
        let (true, Some(next)) = (end.is_some_and(|end| end <= readers[ordinal].max_doc()), next) else {
            return Err(Error::damaged(path, "a piece is longer than its segment"));
        };
        if piece.documents > 0 {
            let ordinal = u32::try_from(ordinal).unwrap_or(u32::MAX);
            let (document, documents, shift) = (piece.document, piece.documents, piece.shift);
            places.push(Place { ordinal, document, documents, row, shift });
        }
        row = next;
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tantivy::indexer::NoMergePolicy;
    use tantivy::{Index, TantivyDocument};

    use super::*;
    use crate::index;

    /// Symbols in segments of these sizes, numbered from 0 on.
    fn index(dir: &Path, sizes: &[u32]) -> (Searcher, Vec<String>) {
        let (schema, fields) = text::symbol_schema();
        let mut index = Index::create_in_dir(dir, schema.clone()).unwrap();
        index.set_tokenizers(text::tokenizers());
        let mut writer = index.writer_with_num_threads::<TantivyDocument>(1, 20_000_000).unwrap();
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let mut ids = 0_u64..;
        for &size in sizes {
            for id in ids.by_ref().take(size as usize) {
                let mut document = TantivyDocument::default();
                document.add_u64(fields.symbol_id, id);
                document.add_u64(fields.chunk_id, id);
                document.add_u64(fields.kind, 0);
                writer.add_document(document).unwrap();
            }
            writer.commit().unwrap();
        }
        let searcher = text::open(dir, &schema).unwrap().1.searcher();
        let mut readers: Vec<_> = searcher.segment_readers().iter().collect();
        readers.sort_by_key(|reader| reader.fast_fields().u64("symbol_id").unwrap().first(0));
        let segments = readers.into_iter().map(|reader| reader.segment_id().uuid_string()).collect();
        (searcher, segments)
    }

    fn places(searcher: &Searcher, order: Option<&Order>) -> Result<Places> {
        Places::of(searcher, "symbol_id", order, Path::new("text/symbols"))
    }

    /// What a document holds.
    fn held(searcher: &Searcher, (ordinal, document): (SegmentOrdinal, DocId)) -> u64 {
        searcher.segment_reader(ordinal).fast_fields().u64("symbol_id").unwrap().first(document).unwrap()
    }

    #[test]
    fn rows_in_order_are_found_without_being_told() {
        let dir = tempfile::tempdir().unwrap();
        let (searcher, _) = index(dir.path(), &[5, 1, 9]);
        let places = places(&searcher, None).unwrap();
        assert_eq!((places.end(), places.documents()), (15, 15));
        for row in 0..15 {
            let (ordinal, document, shift) = places.find(row).unwrap();
            assert_eq!((held(&searcher, (ordinal, document)), shift), (u64::from(row), Shift::default()));
            assert_eq!(places.row(DocAddress::new(ordinal, document)), Some(row));
        }
        assert!(places.find(15).is_none() && (0..3).all(|ordinal| places.gone(ordinal, 1).next().is_none()));
    }

    #[test]
    fn pieces_that_cannot_be_are_damage() {
        let dir = tempfile::tempdir().unwrap();
        let (searcher, segments) = index(dir.path(), &[5, 9]);
        let of = |pieces: &[(u32, u32, u32)]| {
            let piece =
                |&(segment, document, documents)| Piece { segment, document, documents, shift: Shift::default() };
            let order = Order { segments: segments.clone(), pieces: pieces.iter().map(piece).collect() };
            places(&searcher, Some(&order)).map_err(|error| error.to_string())
        };
        assert!(of(&[(0, 0, 5), (1, 0, 9)]).is_ok() && of(&[]).is_ok());
        for (pieces, says) in [
            (&[(2, 0, 1)][..], "not listed"),
            (&[(0, 0, 6)], "longer"),
            (&[(0, 5, 1)], "longer"),
            (&[(1, u32::MAX, 2)], "longer"),
            (&[(1, 2, 3), (0, 0, 2), (1, 4, 1)], "two rows"),
            (&[(1, 2, 3), (1, 2, 3)], "two rows"),
        ] {
            assert!(of(pieces).unwrap_err().contains(says), "{pieces:?}");
        }
        let order = Order { segments: vec!["0".repeat(32)], pieces: Vec::new() };
        assert!(places(&searcher, Some(&order)).unwrap_err().to_string().contains("missing"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Any choice of documents in any order of pieces: each leads to its row and back, the others are gone.
        #[test]
        fn rows_and_documents_lead_to_each_other(
            cuts in proptest::collection::vec((0_u32..3, 0_u32..20, 0_u32..20, -5_i64..5), 0..12)
        ) {
            let dir = tempfile::tempdir().unwrap();
            let sizes = [20, 7, 13];
            let (searcher, segments) = index(dir.path(), &sizes);
            let mut is_taken = sizes.map(|size| vec![false; size as usize]);
            let mut order = Order { segments, pieces: Vec::new() };
            let mut rows = Vec::new();
            for (segment, from, to, chunk) in cuts {
                let taken = &mut is_taken[segment as usize];
                let shift = Shift { chunk, ..Shift::default() };
                for document in from..to.min(taken.len() as u32) {
                    if !std::mem::replace(&mut taken[document as usize], true) {
                        order.push(segment, document..document + 1, shift);
                        rows.push((segment, document, shift));
                    }
                }
            }
            let text = serde_json::to_string(&order).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Order>(&text).unwrap(), &order);
            let places = places(&searcher, Some(&order)).unwrap();
            prop_assert_eq!(places.end() as usize, rows.len());
            let starts = [0, 20, 27];
            let ordinal_of = |segment: u32| {
                let id = &order.segments[segment as usize];
                searcher.segment_readers().iter().position(|reader| reader.segment_id().uuid_string() == *id).unwrap()
            };
            for (row, &(segment, document, shift)) in (0..).zip(&rows) {
                let found = places.find(row).unwrap();
                prop_assert_eq!(found.2, shift);
                prop_assert_eq!(held(&searcher, (found.0, found.1)), starts[segment as usize] + u64::from(document));
                prop_assert_eq!(places.row(DocAddress::new(found.0, found.1)), Some(row));
            }
            for (segment, taken) in (0..).zip(&is_taken) {
                let ordinal = ordinal_of(segment) as u32;
                let gone: Vec<u32> = places.gone(ordinal, taken.len() as u32).flatten().collect();
                let expected: Vec<u32> = (0..taken.len() as u32).filter(|&document| !taken[document as usize]).collect();
                prop_assert_eq!(&gone, &expected);
                prop_assert!(gone.iter().all(|&document| places.row(DocAddress::new(ordinal, document)).is_none()));
            }
            let count = rows.len() as u32;
            for (first, end) in [(0, count), (count / 3, count / 2), (count, count + 5)] {
                let runs: u32 = places.runs(first..end).map(|run| run.last - run.first + 1).sum();
                prop_assert_eq!(runs, end.min(count).saturating_sub(first));
            }
        }
    }
}
