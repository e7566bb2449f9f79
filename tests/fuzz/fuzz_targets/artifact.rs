//! Reads any bytes as a file of an index; the first byte selects which. No reader may panic or loop forever.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sextant_encoder::EncoderDir;
use sextant_format::file_uses::FileUses;
use sextant_format::graph::Graph;
use sextant_format::ids::{FileId, RowId as _};
use sextant_format::manifest::Manifest;
use sextant_format::segments::RowMaps;
use sextant_format::tables::{
    ChunkRow, EdgeRow, ExternalRow, FileRow, HistoryRow, PointReader, Row, SkippedRow, SymbolRow, TableReader,
};
use sextant_format::vectors::VectorMatrix;

fn table<R: Row>(path: &Path) {
    if let Ok(reader) = TableReader::<R>::open(path) {
        reader.take(4).for_each(drop);
    }
    if let Ok(reader) = PointReader::<R>::open(path) {
        drop(reader.rows(&[0, 1].map(R::Id::from_row)));
    }
}

// Panics of libraries that our readers catch are allowed; any other panic still ends the fuzzer.
fuzz_target!(init: std::panic::set_hook(Box::new(|_| {})), |bytes: &[u8]| {
    let Some((reader, bytes)) = bytes.split_first() else { return };
    let folder = Path::new("/dev/shm").join(format!("sextant-fuzz-{}", std::process::id()));
    fs_err::create_dir_all(&folder).unwrap();
    let name = match reader % 13 {
        6 => "graph.arrow",
        7 => "vectors.i8",
        11 => "file_uses.arrow",
        12 => "rows.arrow",
        8 => "manifest.json",
        9 => "model.json",
        _ => "table.parquet",
    };
    let path = folder.join(name);
    fs_err::write(&path, bytes).unwrap();
    match reader % 13 {
        0 => table::<FileRow>(&path),
        1 => table::<ChunkRow>(&path),
        2 => table::<SymbolRow>(&path),
        3 => table::<EdgeRow>(&path),
        4 => table::<ExternalRow>(&path),
        5 => table::<SkippedRow>(&path),
        6 => {
            if let Ok(graph) = Graph::open(&path) {
                let _ = graph.problem();
            }
        }
        7 => {
            if let Ok(matrix) = VectorMatrix::open(&path)
                && matrix.rows() > 0
            {
                let _ = (matrix.row(0).len(), matrix.bits(0).len(), matrix.chunk_id(0));
            }
        }
        8 => drop(Manifest::read(&folder)),
        10 => table::<HistoryRow>(&path),
        11 => {
            if let Ok(uses) = FileUses::open(&path) {
                let _ = [0, 1].map(FileId::new).map(|file| (uses.users(file).count(), uses.used(file).count()));
            }
        }
        12 => drop(RowMaps::read(&path)),
        _ => drop(EncoderDir::open(&folder)),
    }
});
