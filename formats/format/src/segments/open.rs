//! Opens what a generation stores in segments, and what refers to it, for readers that know ids only.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::row_map::RowMap;
use super::rows::Rows;
use super::stored::{RowMaps, StoredFile};
use super::vectors::Vectors;
use crate::generation::{Generation, part};
use crate::ids::{FileId, RowId as _};
use crate::manifest::Segment;
use crate::tables::{ChunkRow, Column, DirectoryRow, EdgeRow, FileRow, PointReader, Row, SymbolRow, TableReader};
use crate::vectors::VectorMatrix;
use crate::{Error, Result};

impl Generation {
    /// Maps the vectors; none if the index was built without a model.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn vectors(&self) -> Result<Option<Vectors>> {
        let Some(model) = &self.manifest().model else { return Ok(None) };
        let segments = self.manifest().segments.iter().filter(|segment| segment.vectors > 0);
        let path = |segment: &Segment| self.segment_path(segment, part::VECTORS);
        let mut parts: Vec<VectorMatrix> =
            segments.map(|segment| VectorMatrix::open(&path(segment))).collect::<Result<_>>()?;
        let dims = model.dimensions as usize;
        match self.row_maps()? {
            None => Ok(Some(parts.pop().map_or_else(|| Vectors::none(dims), Vectors::whole))),
            Some(maps) => {
                let vectors = Vectors::segmented(parts, &maps.chunks, dims);
                vectors.map(Some).ok_or_else(|| Error::damaged(self.root(), "its vectors have different dimensions"))
            }
        }
    }

    /// Where the rows of the generation are stored; none if every row is stored under its id.
    ///
    /// # Errors
    /// The directory cannot be read, or is damaged.
    pub fn row_maps(&self) -> Result<Option<Arc<RowMaps>>> {
        if let Some(known) = self.known_maps().get() {
            return Ok(known.clone());
        }
        let maps = if self.manifest().is_whole() { None } else { Some(Arc::new(self.read_row_maps()?)) };
        Ok(self.known_maps().get_or_init(|| maps).clone())
    }

    /// From [`part::ROWS`] or, before format 9, from the directory.
    fn read_row_maps(&self) -> Result<RowMaps> {
        let is_listed = self.manifest().files.iter().any(|entry| entry.path == part::ROWS);
        let path = if is_listed { self.path(part::ROWS) } else { self.table(DirectoryRow::TABLE) };
        let maps = if is_listed { RowMaps::read(&path)? } else { self.row_maps_of_directory()? };
        let damaged = || Error::damaged(&path, "the rows of a file are in no segment");
        self.has_stored(&maps).then_some(maps).ok_or_else(damaged)
    }

    /// Where the directory says that the rows are stored.
    ///
    /// # Errors
    /// The directory cannot be read, or is damaged.
    pub fn row_maps_of_directory(&self) -> Result<RowMaps> {
        let damaged = || Error::damaged(&self.table(DirectoryRow::TABLE), "two files have the same rows");
        RowMaps::new(&self.stored_files()?).ok_or_else(damaged)
    }

    /// Whether the segments have all rows of the maps, and these are as many as the tables have.
    fn has_stored(&self, maps: &RowMaps) -> bool {
        self.has_rows::<FileRow>(&maps.files, |segment| (segment.first_file, segment.files))
            && self.has_rows::<ChunkRow>(&maps.chunks, |segment| (segment.first_chunk, segment.chunks))
            && self.has_rows::<SymbolRow>(&maps.symbol_rows, |segment| (segment.first_symbol, segment.symbols))
            && self.has_rows::<EdgeRow>(&maps.edges, |segment| (segment.first_edge, segment.edges))
            && maps.symbols.end() == maps.symbol_rows.end()
    }

    fn has_rows<R: Row>(&self, map: &RowMap<R::Id>, rows: fn(&Segment) -> (u32, u32)) -> bool {
        let segments = self.manifest().segments.iter().map(rows);
        let rows = u64::from(map.end().row());
        rows == self.manifest().rows(R::TABLE)
            && map.is_stored_in(segments.map(|(first, rows)| first..first.saturating_add(rows)))
    }

    /// Where the directory says that the rows of files are stored. Does not read its hashes, which are most of it.
    fn stored_files(&self) -> Result<Vec<StoredFile>> {
        let path = self.table(DirectoryRow::TABLE);
        let reader = PointReader::<DirectoryRow>::open(&path)?;
        let files: Vec<u32> = whole_column(&reader, "file_id")?;
        let chunks = (whole_column(&reader, "first_chunk")?, whole_column(&reader, "chunks")?);
        let symbols = (whole_column(&reader, "first_symbol")?, whole_column(&reader, "symbols")?);
        let edges = (whole_column(&reader, "first_edge")?, whole_column(&reader, "edges")?);
        let symbol_ids: Vec<Vec<Range<u32>>> = whole_column(&reader, "symbol_ids")?;
        let lengths = [&chunks.0, &chunks.1, &symbols.0, &symbols.1, &edges.0, &edges.1].map(Vec::len);
        if lengths.iter().chain([&symbol_ids.len()]).any(|&length| length != files.len()) {
            return Err(Error::damaged(&path, "its columns have different lengths"));
        }
        let at = |of: &(Vec<u32>, Vec<u32>), n: usize| (of.0[n], of.1[n]);
        let files = files.into_iter().zip(symbol_ids).enumerate();
        Ok(files
            .map(|(n, (file, ids))| StoredFile::new(file, at(&chunks, n), at(&symbols, n), ids, at(&edges, n)))
            .collect())
    }

    /// The files, in order.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn files(&self) -> Result<Vec<FileRow>> {
        Ok(self.files_with_addresses()?.0)
    }

    /// The files, in order, and the address of each.
    pub(crate) fn files_with_addresses(&self) -> Result<(Vec<FileRow>, Vec<FileId>)> {
        let mut rows = TableReader::<FileRow>::read_all(&self.table(FileRow::TABLE))?;
        let address = |(n, row): (usize, &mut FileRow)| std::mem::replace(&mut row.file_id, FileId::at(n));
        let addresses = rows.iter_mut().enumerate().map(address).collect();
        Ok((rows, addresses))
    }

    /// Where the rows of each file are stored, in the order of the files.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn directory(&self) -> Result<Vec<DirectoryRow>> {
        TableReader::read_all(&self.table(DirectoryRow::TABLE))
    }

    /// Reads files by id.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn file_rows(&self) -> Result<Rows<FileRow>> {
        Ok(Rows::whole(PointReader::open(&self.table(FileRow::TABLE))?, self.row_maps()?))
    }

    /// Reads edges by their numbers, which count those of live files in the order of the files.
    ///
    /// # Errors
    /// A table cannot be read, or is damaged.
    pub fn edges(&self) -> Result<Rows<EdgeRow>> {
        let rows = self.segmented(|segment| (segment.first_edge, segment.edges), |maps| &maps.edges)?;
        Ok(match self.row_maps()? {
            Some(_) => rows.with_files(self.edges_of_files()?),
            None => rows,
        })
    }

    /// The numbers of the edges of each file.
    fn edges_of_files(&self) -> Result<Vec<Range<u32>>> {
        let path = self.table(DirectoryRow::TABLE);
        let counts: Vec<u32> = whole_column(&PointReader::<DirectoryRow>::open(&path)?, "edges")?;
        let mut next = 0_u32;
        let ranges = counts.into_iter().map(|count| {
            let first = next;
            next = first.checked_add(count)?;
            Some(first..next)
        });
        ranges.collect::<Option<_>>().ok_or_else(|| Error::damaged(&path, "it has too many edges"))
    }

    /// Reads chunks by id.
    ///
    /// # Errors
    /// A table cannot be read, or is damaged.
    pub fn chunks(&self) -> Result<Rows<ChunkRow>> {
        self.segmented(|segment| (segment.first_chunk, segment.chunks), |maps| &maps.chunks)
    }

    /// Reads symbols by id.
    ///
    /// # Errors
    /// A table cannot be read, or is damaged.
    pub fn symbols(&self) -> Result<Rows<SymbolRow>> {
        self.segmented(|segment| (segment.first_symbol, segment.symbols), |maps| &maps.symbol_rows)
    }

    /// Reads a table of the segments; `rows` is the address of the first row of a segment and their number.
    fn segmented<R: Row>(
        &self,
        rows: fn(&Segment) -> (u32, u32),
        map: fn(&RowMaps) -> &RowMap<R::Id>,
    ) -> Result<Rows<R>> {
        let open = |segment: &Segment| Ok((rows(segment).0, PointReader::open(&self.segment_table::<R>(segment))?));
        let with_rows = self.manifest().segments.iter().filter(|segment| rows(segment).1 > 0);
        let mut parts: Vec<(u32, PointReader<R>)> = with_rows.map(open).collect::<Result<_>>()?;
        match self.row_maps()? {
            Some(maps) => Ok(Rows::segmented(parts, map(&maps).clone(), maps)),
            None => Ok(parts.pop().map_or_else(Rows::none, |(_, reader)| Rows::whole(reader, None))),
        }
    }

    /// The path of a file of a segment.
    #[must_use]
    pub fn segment_path(&self, segment: &Segment, name: &str) -> PathBuf {
        self.path(part::SEGMENTS).join(&segment.name).join(name)
    }

    /// The path of a table of a segment.
    #[must_use]
    pub fn segment_table<R: Row>(&self, segment: &Segment) -> PathBuf {
        self.segment_path(segment, &format!("{}.parquet", R::TABLE))
    }
}

/// All values of a column.
fn whole_column<R: Row, C: Column + Clone>(reader: &PointReader<R>, name: &str) -> Result<Vec<C>> {
    let mut values = Vec::new();
    for group in 0..reader.groups() {
        reader.scan::<C>(name, group, |_, value| values.push(value.clone()))?;
    }
    Ok(values)
}
