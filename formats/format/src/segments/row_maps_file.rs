//! `rows.arrow`: where the live rows of a generation of several segments are stored, in runs.
//!
//! One Arrow IPC file with one record batch and one column of lists, with a row for the files, the chunks, the symbols by
//! their ids, the symbols by their rows, and the edges, in this order. It follows from `directory.parquet` and saves every
//! reader from decoding a row for each file.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_schema::{DataType, Field, Fields, Schema};

use super::row_map::RowMap;
use super::stored::RowMaps;
use crate::batch::Batch;
use crate::batch_writer::BatchWriter;
use crate::ids::RowId;
use crate::panics::catch_panic;
use crate::{Error, Result};

/// The number of maps.
const MAPS: usize = 5;

fn schema() -> Schema {
    let fields = ["first", "rows"].map(|name| Field::new(name, DataType::UInt32, false));
    let item = Field::new("item", DataType::Struct(Fields::from(fields.to_vec())), false);
    Schema::new(vec![Field::new("runs", DataType::List(Arc::new(item)), false)])
}

impl RowMaps {
    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let (mut firsts, mut rows, mut offsets) = (Vec::new(), Vec::new(), vec![0]);
        let mut add = |runs: &mut dyn Iterator<Item = Range<u32>>| {
            for run in runs {
                firsts.push(run.start);
                rows.push(run.end - run.start);
            }
            // There are at most as many runs as files and runs of their symbols.
            offsets.push(i32::try_from(firsts.len()).unwrap_or(i32::MAX));
        };
        add(&mut runs(&self.files));
        add(&mut runs(&self.chunks));
        add(&mut runs(&self.symbols));
        add(&mut runs(&self.symbol_rows));
        add(&mut runs(&self.edges));
        let mut writer = BatchWriter::new(schema(), MAPS);
        writer.list(&offsets, firsts.len());
        writer.column(&firsts);
        writer.column(&rows);
        writer.write(path)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn read(path: &Path) -> Result<Self> {
        let buffer = crate::mapped::map_file(path)?;
        catch_panic(path, || decode(&buffer).map_err(|what| Error::damaged(path, what)))
    }
}

fn decode(file: &Buffer) -> std::result::Result<RowMaps, String> {
    let (mut batch, _) = Batch::read(file, &[schema()])?;
    let lists = batch.list()?;
    let (firsts, rows) = (batch.column::<u32>(lists.values())?, batch.column::<u32>(lists.values())?);
    if lists.rows() != MAPS || !lists.are_valid() {
        return Err("it does not have five lists".to_owned());
    }
    let runs = |map: usize| {
        let range = lists.range(map);
        let runs = firsts[range.clone()].iter().zip(&rows[range]);
        runs.map(|(&first, &rows)| first..first.saturating_add(rows))
    };
    let maps = || {
        Some(RowMaps {
            files: RowMap::new(runs(0))?,
            chunks: RowMap::new(runs(1))?,
            symbols: RowMap::new(runs(2))?,
            symbol_rows: RowMap::new(runs(3))?,
            edges: RowMap::new(runs(4))?,
        })
    };
    maps().ok_or_else(|| "two of its runs overlap".to_owned())
}

fn runs<I: RowId>(map: &RowMap<I>) -> impl Iterator<Item = Range<u32>> {
    map.stored().map(|(addresses, _)| addresses)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::segments::StoredFile;

    fn maps(files: &[(u32, u32, u32)]) -> RowMaps {
        let stored = |(n, &(file, chunks, edges)): (u32, &(u32, u32, u32))| {
            StoredFile::new(file, (n * 10, chunks), (file * 4, 3), Vec::new(), (n * 7, edges))
        };
        RowMaps::new(&(0..).zip(files).map(stored).collect::<Vec<_>>()).unwrap()
    }

    fn all_runs(maps: &RowMaps) -> [Vec<Range<u32>>; 5] {
        let RowMaps { files, chunks, symbols, symbol_rows, edges } = maps;
        [
            runs(files).collect(),
            runs(chunks).collect(),
            runs(symbols).collect(),
            runs(symbol_rows).collect(),
            runs(edges).collect(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_read_is_what_was_written(files in prop::collection::btree_map(0_u32..40, (0_u32..10, 0_u32..7), 0..20)) {
            let files: Vec<(u32, u32, u32)> = files.into_iter().map(|(file, (chunks, edges))| (file, chunks, edges)).collect();
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("rows.arrow");
            maps(&files).write(&path).unwrap();
            prop_assert_eq!(all_runs(&RowMaps::read(&path).unwrap()), all_runs(&maps(&files)));
        }

        #[test]
        fn damage_never_panics(at in 0_usize..2000, bit in 0_u8..8, cut in 0_usize..40) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("rows.arrow");
            maps(&[(7, 1, 2), (3, 4, 5), (4, 0, 0)]).write(&path).unwrap();
            let mut bytes = fs_err::read(&path).unwrap();
            let len = bytes.len();
            bytes[at % len] ^= 1 << bit;
            bytes.truncate(len - cut);
            fs_err::write(&path, &bytes).unwrap();
            let _ = RowMaps::read(&path);
        }
    }
}
