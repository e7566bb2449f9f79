//! The row-doc map: rows to documents of a text index and back.
//!
//! A fresh index has its rows in order, segment after segment. An index that reuses segments of an earlier generation
//! has them in runs, along with tombstoned documents whose rows are gone. `text/pieces.json` then stores where each
//! row's document is, and the offsets from the ids stored with it to those of this generation. This module does not
//! interpret rows.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tantivy::columnar::Column;
use tantivy::{DocAddress, DocId, Searcher, SegmentOrdinal};

use crate::{Error, Result};
use sextant_format::generation::{Generation, part};
use sextant_format::ids::{ChunkId, FileId, RowId, SymbolId};
use sextant_format::manifest::TEXT_ROW_MAP;

/// The contents of `text/pieces.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRowMaps {
    /// The map of `text/chunks`.
    pub chunks: StoredRowMap,
    /// The map of `text/symbols`.
    pub symbols: StoredRowMap,
    /// Number of tombstoned documents in `text/chunks`. `text/removed` contains copies of them, so that their share of
    /// the term statistics can be subtracted. If the number is 0, there is no such index.
    pub removed: u32,
    /// Number of generations since the index was last written from scratch.
    pub generations: u32,
}

/// The locations of an index's documents, in row order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRowMap {
    /// Tantivy's ids of the segments.
    pub segments: Vec<String>,
    /// The runs; the rows of each follow those of the previous one, starting at 0.
    #[serde(rename = "pieces")]
    pub runs: Vec<StoredRun>,
}

/// A run: consecutive documents of a segment for consecutive rows. In JSON an array of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u32, u32, i64, i64, i64)", into = "(u32, u32, u32, i64, i64, i64)")]
pub struct StoredRun {
    /// Index into [`StoredRowMap::segments`].
    pub segment: u32,
    /// The first document.
    pub document: DocId,
    /// Number of documents, at least one.
    pub documents: u32,
    /// Offsets from the ids stored in the documents to those of this generation.
    pub id_offset: IdOffset,
}

/// Offsets that are added to the ids stored in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdOffset {
    /// For ids of files.
    pub file: i64,
    /// For ids of chunks.
    pub chunk: i64,
    /// For ids of symbols.
    pub symbol: i64,
}

/// An id that documents store in a fast field.
pub trait DocumentId: RowId {
    /// The name of the field in which a row's own id is stored.
    const FIELD: &'static str;

    /// The offset for ids of this kind.
    fn offset(offset: IdOffset) -> i64;
}

impl DocumentId for FileId {
    const FIELD: &'static str = "file_id";

    fn offset(offset: IdOffset) -> i64 {
        offset.file
    }
}

impl DocumentId for ChunkId {
    const FIELD: &'static str = "chunk_id";

    fn offset(offset: IdOffset) -> i64 {
        offset.chunk
    }
}

impl DocumentId for SymbolId {
    const FIELD: &'static str = "symbol_id";

    fn offset(offset: IdOffset) -> i64 {
        offset.symbol
    }
}

impl From<(u32, u32, u32, i64, i64, i64)> for StoredRun {
    fn from((segment, document, documents, file, chunk, symbol): (u32, u32, u32, i64, i64, i64)) -> Self {
        Self { segment, document, documents, id_offset: IdOffset { file, chunk, symbol } }
    }
}

impl From<StoredRun> for (u32, u32, u32, i64, i64, i64) {
    fn from(StoredRun { segment, document, documents, id_offset }: StoredRun) -> Self {
        (segment, document, documents, id_offset.file, id_offset.chunk, id_offset.symbol)
    }
}

impl StoredRowMaps {
    /// Reads the row maps of a generation; none if its documents are in row order.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn read(generation: &Generation) -> Result<Option<Self>> {
        if !generation.manifest().reader_features.iter().any(|feature| feature == TEXT_ROW_MAP) {
            return Ok(None);
        }
        let path = generation.path(part::TEXT_ROW_MAP);
        let text = fs_err::read(&path)?;
        serde_json::from_slice(&text).map(Some).map_err(|error| Error::damaged(&path, error))
    }
}

impl StoredRowMap {
    /// The same map after some segments became one: `joined` has, in order, their ids and numbers of documents, `into` is the
    /// id of the one that has their documents in this order.
    #[must_use]
    pub fn with_joined(self, joined: &[(String, u32)], into: String) -> Self {
        let mut first_of: BTreeMap<&str, DocId> = BTreeMap::new();
        let mut next: DocId = 0;
        for (segment, documents) in joined {
            first_of.insert(segment, next);
            next = next.saturating_add(*documents);
        }
        let is_other = |segment: &&String| !first_of.contains_key(segment.as_str());
        let mut segments: Vec<String> = self.segments.iter().filter(is_other).cloned().collect();
        let place = |segment: &String| match first_of.get(segment.as_str()) {
            Some(first) => (segments.len(), *first),
            None => (segments.iter().position(|other| other == segment).unwrap_or(segments.len()), 0),
        };
        let places: Vec<(usize, DocId)> = self.segments.iter().map(place).collect();
        let mut map = Self::default();
        for run in self.runs {
            let Some(&(segment, first)) = places.get(run.segment as usize) else { continue };
            let start = run.document.saturating_add(first);
            map.push(
                u32::try_from(segment).unwrap_or(u32::MAX),
                start..start.saturating_add(run.documents),
                run.id_offset,
            );
        }
        segments.push(into);
        Self { segments, ..map }
    }

    /// Appends documents of a segment. Extends the last run if they continue it.
    pub fn push(&mut self, segment: u32, documents: Range<DocId>, id_offset: IdOffset) {
        if documents.is_empty() {
            return;
        }
        match self.runs.last_mut() {
            Some(last)
                if last.segment == segment
                    && last.document.checked_add(last.documents) == Some(documents.start)
                    && last.id_offset == id_offset =>
            {
                last.documents += documents.end - documents.start;
            }
            _ => {
                let (document, documents) = (documents.start, documents.end - documents.start);
                self.runs.push(StoredRun { segment, document, documents, id_offset });
            }
        }
    }
}

/// A run of an open index.
#[derive(Clone, Copy, Debug)]
struct MappedRun {
    ordinal: SegmentOrdinal,
    document: DocId,
    documents: u32,
    /// The row of the first document.
    row: u32,
    id_offset: IdOffset,
}

/// Maps rows of an open index, identified by `I`, to documents and back.
#[derive(Debug)]
pub struct RowDocMap<I> {
    /// The runs in row order.
    runs: Vec<MappedRun>,
    /// Indexes into `runs`, in order of segment and document.
    by_document: Vec<u32>,
    row: PhantomData<I>,
}

/// Consecutive documents of one segment, for consecutive rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocRun<I> {
    /// The segment.
    pub ordinal: SegmentOrdinal,
    /// The first document.
    pub first: DocId,
    /// The last document, inclusive.
    pub last: DocId,
    /// The row of the first document.
    pub row: I,
    /// Offsets from the ids stored in the documents to those of this generation.
    pub id_offset: IdOffset,
}

impl<I: DocumentId> RowDocMap<I> {
    /// Builds the map of an index. `stored` is the generation's stored map. Without one, every segment has consecutive
    /// rows in order, and the first value of the rows' own id is its first row. `path` is for error messages.
    ///
    /// # Errors
    /// A column cannot be read, or the stored map does not fit the index.
    pub fn open(searcher: &Searcher, stored: Option<&StoredRowMap>, path: &Path) -> Result<Self> {
        let runs = match stored {
            None => sequential_runs(searcher, I::FIELD, path)?,
            Some(stored) => stored_runs(searcher, stored, path)?,
        };
        let mut by_document: Vec<u32> = (0..u32::try_from(runs.len()).unwrap_or(u32::MAX)).collect();
        let key = |&at: &u32| (runs[at as usize].ordinal, runs[at as usize].document);
        by_document.sort_unstable_by_key(key);
        let overlaps = |pair: &[u32]| {
            let (a, b) = (runs[pair[0] as usize], runs[pair[1] as usize]);
            a.ordinal == b.ordinal && b.document - a.document < a.documents
        };
        if by_document.windows(2).any(overlaps) {
            return Err(Error::damaged(path, "a document is mapped to two rows"));
        }
        Ok(Self { runs, by_document, row: PhantomData })
    }

    /// One past the last row.
    #[must_use]
    pub fn end(&self) -> I {
        I::from_row(self.runs.last().map_or(0, |run| run.row.saturating_add(run.documents)))
    }

    /// The number of documents that are mapped to rows.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.documents)).sum()
    }

    /// The segment and document of a row, and the offsets of the ids stored in it; none if there is no such row.
    #[must_use]
    pub fn find(&self, row: I) -> Option<(SegmentOrdinal, DocId, IdOffset)> {
        let row = row.row();
        let run = self.runs[self.runs.partition_point(|run| run.row <= row).checked_sub(1)?];
        let at = row - run.row;
        (at < run.documents).then(|| (run.ordinal, run.document + at, run.id_offset))
    }

    /// The row of a document; none if the document is tombstoned.
    #[must_use]
    pub fn row(&self, address: DocAddress) -> Option<I> {
        let key = (address.segment_ord, address.doc_id);
        let run_at = |&at: &u32| self.runs[at as usize];
        let after = self.by_document.partition_point(|at| (run_at(at).ordinal, run_at(at).document) <= key);
        let run = run_at(self.by_document.get(after.checked_sub(1)?)?);
        // The run before may be of an earlier segment, and begin at a larger document.
        let at = address.doc_id.checked_sub(run.document).filter(|_| run.ordinal == address.segment_ord)?;
        (at < run.documents).then(|| I::from_row(run.row.saturating_add(at)))
    }

    /// The documents of a range of rows, in row order.
    pub fn runs(&self, rows: Range<I>) -> impl Iterator<Item = DocRun<I>> {
        let rows = rows.start.row()..rows.end.row();
        let from = self.runs.partition_point(|run| run.row.saturating_add(run.documents) <= rows.start);
        self.runs[from..].iter().take_while(move |run| run.row < rows.end).filter_map(move |run| {
            let first = rows.start.max(run.row) - run.row;
            let end = (rows.end - run.row).min(run.documents);
            (first < end).then(|| DocRun {
                ordinal: run.ordinal,
                first: run.document + first,
                last: run.document + end - 1,
                row: I::from_row(run.row + first),
                id_offset: run.id_offset,
            })
        })
    }

    /// The ranges of tombstoned documents of a segment; `documents` is the segment's total number of documents.
    pub fn tombstoned(&self, ordinal: SegmentOrdinal, documents: DocId) -> impl Iterator<Item = Range<DocId>> {
        let from = self.by_document.partition_point(|&at| self.runs[at as usize].ordinal < ordinal);
        let here = self.by_document[from..].iter().map(|&at| self.runs[at as usize]);
        let here = here.take_while(move |run| run.ordinal == ordinal);
        let mut next = 0;
        here.map(|run| (run.document, run.document + run.documents))
            .chain(std::iter::once((documents, documents)))
            .filter_map(move |(from, to)| {
                let gap = next..from.min(documents);
                next = to;
                (!gap.is_empty()).then_some(gap)
            })
    }
}

/// One run for each segment, whose rows are consecutive.
fn sequential_runs(searcher: &Searcher, ids: &str, path: &Path) -> Result<Vec<MappedRun>> {
    let mut runs = Vec::new();
    for (ordinal, reader) in (0..).zip(searcher.segment_readers()) {
        let ids: Column<u64> = reader.fast_fields().u64(ids).map_err(|error| Error::damaged(path, error))?;
        let row = ids.first(0).and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
        runs.push(MappedRun { ordinal, document: 0, documents: reader.max_doc(), row, id_offset: IdOffset::default() });
    }
    runs.sort_by_key(|run| run.row);
    Ok(runs)
}

fn stored_runs(searcher: &Searcher, stored: &StoredRowMap, path: &Path) -> Result<Vec<MappedRun>> {
    let readers = searcher.segment_readers();
    let ids: Vec<String> = readers.iter().map(|reader| reader.segment_id().uuid_string()).collect();
    let mut ordinals = Vec::with_capacity(stored.segments.len());
    for id in &stored.segments {
        let ordinal = ids.iter().position(|other| other == id);
        ordinals.push(ordinal.ok_or_else(|| Error::damaged(path, format!("the segment {id} is missing")))?);
    }
    let mut runs = Vec::with_capacity(stored.runs.len());
    let mut row = 0_u32;
    for run in &stored.runs {
        let ordinal = ordinals.get(run.segment as usize).copied();
        let ordinal = ordinal.ok_or_else(|| Error::damaged(path, "a run is of a segment that is not listed"))?;
        let end = run.document.checked_add(run.documents);
        let next = row.checked_add(run.documents);
        let (true, Some(next)) = (end.is_some_and(|end| end <= readers[ordinal].max_doc()), next) else {
            return Err(Error::damaged(path, "a run is longer than its segment"));
        };
        if run.documents > 0 {
            let ordinal = u32::try_from(ordinal).unwrap_or(u32::MAX);
            let (document, documents, id_offset) = (run.document, run.documents, run.id_offset);
            runs.push(MappedRun { ordinal, document, documents, row, id_offset });
        }
        row = next;
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tantivy::indexer::NoMergePolicy;
    use tantivy::{Index, TantivyDocument};

    use super::*;
    use crate::index;

    /// Creates a symbol index with segments of these sizes; ids count from 0.
    fn index(dir: &Path, sizes: &[u32]) -> (Searcher, Vec<String>) {
        let (schema, fields) = index::symbol_schema();
        let mut index = Index::create_in_dir(dir, schema.clone()).unwrap();
        index.set_tokenizers(index::tokenizers());
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
        let searcher = index::open(dir, &schema).unwrap().1.searcher();
        let mut readers: Vec<_> = searcher.segment_readers().iter().collect();
        readers.sort_by_key(|reader| reader.fast_fields().u64("symbol_id").unwrap().first(0));
        let segments = readers.into_iter().map(|reader| reader.segment_id().uuid_string()).collect();
        (searcher, segments)
    }

    fn row_doc_map(searcher: &Searcher, stored: Option<&StoredRowMap>) -> Result<RowDocMap<SymbolId>> {
        RowDocMap::open(searcher, stored, Path::new("text/symbols"))
    }

    /// The id stored in a document.
    fn stored_id(searcher: &Searcher, (ordinal, document): (SegmentOrdinal, DocId)) -> u64 {
        searcher.segment_reader(ordinal).fast_fields().u64("symbol_id").unwrap().first(document).unwrap()
    }

    #[test]
    fn sequential_rows_need_no_stored_map() {
        let dir = tempfile::tempdir().unwrap();
        let (searcher, _) = index(dir.path(), &[5, 1, 9]);
        let map = row_doc_map(&searcher, None).unwrap();
        assert_eq!((map.end().get(), map.documents()), (15, 15));
        for row in 0..15 {
            let (ordinal, document, id_offset) = map.find(SymbolId::new(row)).unwrap();
            assert_eq!((stored_id(&searcher, (ordinal, document)), id_offset), (u64::from(row), IdOffset::default()));
            assert_eq!(map.row(DocAddress::new(ordinal, document)), Some(SymbolId::new(row)));
        }
        assert!(
            map.find(SymbolId::new(15)).is_none() && (0..3).all(|ordinal| map.tombstoned(ordinal, 1).next().is_none())
        );
    }

    #[test]
    fn impossible_runs_are_damage() {
        let dir = tempfile::tempdir().unwrap();
        let (searcher, segments) = index(dir.path(), &[5, 9]);
        let open_runs = |runs: &[(u32, u32, u32)]| {
            let run = |&(segment, document, documents)| StoredRun {
                segment,
                document,
                documents,
                id_offset: IdOffset::default(),
            };
            let stored = StoredRowMap { segments: segments.clone(), runs: runs.iter().map(run).collect() };
            row_doc_map(&searcher, Some(&stored)).map_err(|error| error.to_string())
        };
        assert!(open_runs(&[(0, 0, 5), (1, 0, 9)]).is_ok() && open_runs(&[]).is_ok());
        for (runs, message) in [
            (&[(2, 0, 1)][..], "not listed"),
            (&[(0, 0, 6)], "longer"),
            (&[(0, 5, 1)], "longer"),
            (&[(1, u32::MAX, 2)], "longer"),
            (&[(1, 2, 3), (0, 0, 2), (1, 4, 1)], "two rows"),
            (&[(1, 2, 3), (1, 2, 3)], "two rows"),
        ] {
            assert!(open_runs(runs).unwrap_err().contains(message), "{runs:?}");
        }
        let stored = StoredRowMap { segments: vec!["0".repeat(32)], runs: Vec::new() };
        assert!(row_doc_map(&searcher, Some(&stored)).unwrap_err().to_string().contains("missing"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// For any choice of documents in any order of runs, each maps to its row and back; the others are tombstoned.
        #[test]
        fn rows_and_documents_map_to_each_other(
            cuts in proptest::collection::vec((0_u32..3, 0_u32..20, 0_u32..20, -5_i64..5), 0..12)
        ) {
            let dir = tempfile::tempdir().unwrap();
            let sizes = [20, 7, 13];
            let (searcher, segments) = index(dir.path(), &sizes);
            let mut is_mapped = sizes.map(|size| vec![false; size as usize]);
            let mut stored = StoredRowMap { segments, runs: Vec::new() };
            let mut rows = Vec::new();
            for (segment, from, to, chunk) in cuts {
                let mapped = &mut is_mapped[segment as usize];
                let id_offset = IdOffset { chunk, ..IdOffset::default() };
                for document in from..to.min(mapped.len() as u32) {
                    if !std::mem::replace(&mut mapped[document as usize], true) {
                        stored.push(segment, document..document + 1, id_offset);
                        rows.push((segment, document, id_offset));
                    }
                }
            }
            let text = serde_json::to_string(&stored).unwrap();
            prop_assert_eq!(&serde_json::from_str::<StoredRowMap>(&text).unwrap(), &stored);
            let map = row_doc_map(&searcher, Some(&stored)).unwrap();
            prop_assert_eq!(map.end().index(), rows.len());
            let starts = [0, 20, 27];
            let ordinal_of = |segment: u32| {
                let id = &stored.segments[segment as usize];
                searcher.segment_readers().iter().position(|reader| reader.segment_id().uuid_string() == *id).unwrap()
            };
            for (row, &(segment, document, id_offset)) in (0..).zip(&rows) {
                let found = map.find(SymbolId::new(row)).unwrap();
                prop_assert_eq!(found.2, id_offset);
                prop_assert_eq!(stored_id(&searcher, (found.0, found.1)), starts[segment as usize] + u64::from(document));
                prop_assert_eq!(map.row(DocAddress::new(found.0, found.1)), Some(SymbolId::new(row)));
            }
            for (segment, mapped) in (0..).zip(&is_mapped) {
                let ordinal = ordinal_of(segment) as u32;
                let tombstoned: Vec<u32> = map.tombstoned(ordinal, mapped.len() as u32).flatten().collect();
                let expected: Vec<u32> = (0..mapped.len() as u32).filter(|&document| !mapped[document as usize]).collect();
                prop_assert_eq!(&tombstoned, &expected);
                prop_assert!(tombstoned.iter().all(|&document| map.row(DocAddress::new(ordinal, document)).is_none()));
            }
            let count = rows.len() as u32;
            for (first, end) in [(0, count), (count / 3, count / 2), (count, count + 5)] {
                let runs = map.runs(SymbolId::new(first)..SymbolId::new(end));
                let runs: u32 = runs.map(|run| run.last - run.first + 1).sum();
                prop_assert_eq!(runs, end.min(count).saturating_sub(first));
            }
        }
    }
}
