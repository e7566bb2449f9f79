//! Reads any bytes as `text/pieces.json` of a small index: they are reported as damaged, or rows and documents must map
//! to each other.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sextant_format::ids::SymbolId;
use sextant_text::index::{self as text, IdOffset, RowDocMap, StoredRowMap, StoredRowMaps, StoredRun};
use tantivy::indexer::NoMergePolicy;
use tantivy::{DocAddress, Index, Searcher, TantivyDocument};

/// A text index of symbols with three segments, opened once, and the ids of the segments.
static INDEX: LazyLock<(Searcher, Vec<String>)> = LazyLock::new(|| {
    let folder = Path::new("/dev/shm").join(format!("sextant-fuzz-text-{}", std::process::id()));
    fs_err::create_dir_all(&folder).unwrap();
    let (schema, fields) = text::symbol_schema();
    let mut index = Index::create_in_dir(&folder, schema.clone()).unwrap();
    index.set_tokenizers(text::tokenizers());
    let mut writer = index.writer_with_num_threads::<TantivyDocument>(1, 20_000_000).unwrap();
    writer.set_merge_policy(Box::new(NoMergePolicy));
    for size in [20_u64, 7, 200] {
        for id in 0..size {
            let mut document = TantivyDocument::default();
            document.add_u64(fields.symbol_id, id);
            document.add_u64(fields.chunk_id, id);
            document.add_u64(fields.kind, 0);
            writer.add_document(document).unwrap();
        }
        writer.commit().unwrap();
    }
    let searcher = text::open(&folder, &schema).unwrap().1.searcher();
    let ids = searcher.segment_readers().iter().map(|reader| reader.segment_id().uuid_string()).collect();
    (searcher, ids)
});

/// Returns the row-doc map of an input: parsed if the input is JSON, otherwise made from groups of its bytes, so that
/// mutations remain valid maps.
fn order(bytes: &[u8], segments: &[String]) -> Option<StoredRowMap> {
    let (kind, bytes) = bytes.split_first()?;
    if kind % 4 == 0 {
        return serde_json::from_slice::<StoredRowMaps>(bytes).ok().map(|pieces| pieces.symbols);
    }
    let small = kind % 4 == 1;
    let piece = |group: &[u8; 10]| {
        let number = |at: usize| u32::from_le_bytes([group[at], group[at + 1], group[at + 2], group[at + 3]]);
        let (document, documents) = (number(1), number(5));
        let (document, documents) = if small { (document % 256, documents % 64) } else { (document, documents) };
        let chunk = i64::from(group[9].cast_signed());
        StoredRun {
            segment: u32::from(group[0] % 4),
            document,
            documents,
            id_offset: IdOffset { chunk, ..IdOffset::default() },
        }
    };
    Some(StoredRowMap { segments: segments.to_vec(), runs: bytes.as_chunks().0.iter().map(piece).collect() })
}

fuzz_target!(|bytes: &[u8]| {
    let (searcher, segments) = &*INDEX;
    let Some(order) = order(bytes, segments) else { return };
    let map = RowDocMap::<SymbolId>::open(searcher, Some(&order), Path::new("text/symbols"));
    let Ok(map) = map else { return };
    assert_eq!(u64::from(map.end()), map.documents());
    let all = SymbolId::default()..map.end();
    for row in SymbolId::range(all.clone()) {
        let (ordinal, document, _) = map.find(row).unwrap();
        assert!(document < searcher.segment_reader(ordinal).max_doc());
        assert_eq!(map.row(DocAddress::new(ordinal, document)), Some(row));
    }
    assert!(map.find(map.end()).is_none());
    let mut tombstoned = 0;
    for (ordinal, reader) in (0..).zip(searcher.segment_readers()) {
        for document in map.tombstoned(ordinal, reader.max_doc()).flatten() {
            assert!(map.row(DocAddress::new(ordinal, document)).is_none());
            tombstoned += 1;
        }
    }
    assert_eq!(map.documents() + tombstoned, searcher.num_docs());
    let runs: u64 = map.runs(all).map(|run| u64::from(run.last - run.first) + 1).sum();
    assert_eq!(runs, map.documents());
});
