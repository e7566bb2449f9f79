//! Reads rows of a table by their ids, in whatever segments they are stored.

use std::ops::Range;
use std::sync::Arc;

use super::row_map::RowMap;
use super::stored::RowMaps;
use crate::ids::{FileId, RowId};
use crate::tables::{Column, PointReader, Row};
use crate::{Error, Result};

/// Reads rows of a table by id. What it returns contains ids, not addresses.
pub struct Rows<R: Row> {
    parts: Vec<Part<R>>,
    /// Where the rows are; none if their ids are their numbers in the only part.
    rows: Option<RowMap<R::Id>>,
    /// The meaning of addresses in columns; none if they are ids.
    maps: Option<Arc<RowMaps>>,
    /// The rows of each file, if they are not found by the column `file_id`.
    of_files: Option<Vec<Range<u32>>>,
}

/// The table of a segment.
struct Part<R: Row> {
    /// The address of its first row.
    first: u32,
    reader: PointReader<R>,
}

/// A part of a table that can be read on its own: a row group of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    part: usize,
    group: usize,
}

impl<R: Row> Rows<R> {
    /// Reads a table that is stored whole, in the order of its rows.
    #[must_use]
    pub fn whole(reader: PointReader<R>, maps: Option<Arc<RowMaps>>) -> Self {
        Self { parts: vec![Part { first: 0, reader }], rows: None, maps, of_files: None }
    }

    /// Reads a table without rows.
    #[must_use]
    pub const fn none() -> Self {
        Self { parts: Vec::new(), rows: None, maps: None, of_files: None }
    }

    /// Sets which rows each file has, for a table that is not stored in the order of the addresses of files.
    #[must_use]
    pub fn with_files(self, of_files: Vec<Range<u32>>) -> Self {
        Self { of_files: Some(of_files), ..self }
    }

    /// Reads a table that is stored in segments, each with the address of its first row, in the order of addresses.
    #[must_use]
    pub fn segmented(parts: Vec<(u32, PointReader<R>)>, rows: RowMap<R::Id>, maps: Arc<RowMaps>) -> Self {
        let parts = parts.into_iter().map(|(first, reader)| Part { first, reader }).collect();
        Self { parts, rows: Some(rows), maps: Some(maps), of_files: None }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.rows {
            Some(rows) => rows.end().row().into(),
            None => self.parts.iter().map(|part| part.reader.len()).sum(),
        }
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows with these ids, in ascending order and without duplicates, whatever the order of `wanted`.
    ///
    /// # Errors
    /// An id is out of range, or the table cannot be read or is damaged.
    pub fn rows(&self, wanted: &[R::Id]) -> Result<Vec<R>> {
        let mut rows = self.select(wanted, PointReader::rows)?;
        if let Some(maps) = &self.maps {
            rows.iter_mut().try_for_each(|row| row.to_ids(maps).ok_or_else(|| self.dead()))?;
        }
        Ok(rows)
    }

    /// One column of the rows with these ids, in the same order as [`Self::rows`]. Does not read other columns.
    ///
    /// # Errors
    /// The column is missing or has another type, an id is out of range, or the table cannot be read or is damaged.
    pub fn column<C: Column>(&self, name: &str, wanted: &[R::Id]) -> Result<Vec<C>> {
        let mut values = self.select(wanted, |reader, rows| reader.column::<C>(name, rows))?;
        if let Some(maps) = &self.maps {
            values.iter_mut().try_for_each(|value| value.to_ids(maps).ok_or_else(|| self.dead()))?;
        }
        Ok(values)
    }

    /// Reads something of each row, from the tables that have the rows, and puts it in the order of ids.
    fn select<T>(
        &self,
        wanted: &[R::Id],
        read: impl Fn(&PointReader<R>, &[R::Id]) -> Result<Vec<T>>,
    ) -> Result<Vec<T>> {
        let (Some(rows), [_, ..]) = (&self.rows, self.parts.as_slice()) else {
            return self.parts.first().map_or_else(|| Ok(Vec::new()), |part| read(&part.reader, wanted));
        };
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        // Addresses with the positions of their rows in the result.
        let address = |(position, id): (usize, &R::Id)| {
            let what = || Error::damaged(self.parts[0].reader.path(), format!("row {id} is not in the index"));
            Ok((rows.address(*id).ok_or_else(what)?, position))
        };
        let mut addresses: Vec<(u32, usize)> = wanted.iter().enumerate().map(address).collect::<Result<_>>()?;
        addresses.sort_unstable();
        let mut found: Vec<Option<T>> = wanted.iter().map(|_| None).collect();
        let mut rest = addresses.as_slice();
        for (n, part) in self.parts.iter().enumerate() {
            let end = self.parts.get(n + 1).map_or(u32::MAX, |next| next.first);
            let (own, others) = rest.split_at(rest.partition_point(|&(address, _)| address < end));
            rest = others;
            if own.is_empty() {
                continue;
            }
            let local: Vec<R::Id> =
                own.iter().map(|&(address, _)| R::Id::from_row(address.saturating_sub(part.first))).collect();
            for (&(_, position), value) in own.iter().zip(read(&part.reader, &local)?) {
                found[position] = Some(value);
            }
        }
        let count = wanted.len();
        let found: Vec<T> = found.into_iter().flatten().collect();
        if found.len() == count { Ok(found) } else { Err(self.dead()) }
    }

    /// The ids of the rows whose value in one column is accepted, in ascending order. Reads the whole column, and no
    /// others.
    ///
    /// # Errors
    /// The column is missing or has another type, or the table cannot be read or is damaged.
    pub fn find<C: Column>(&self, name: &str, accept: impl Fn(&C) -> bool) -> Result<Vec<R::Id>> {
        let mut found = Vec::new();
        for block in self.blocks() {
            self.scan(name, block, |id, value| {
                if accept(value) {
                    found.push(id);
                }
            })?;
        }
        found.sort_unstable();
        Ok(found)
    }

    /// The ids of the rows of some files, in ascending order; `files` must be ascending. Reads few values of the column
    /// `file_id`, in the order of whose addresses the rows are stored.
    ///
    /// # Errors
    /// The column is missing or has another type, or the table cannot be read or is damaged.
    pub fn rows_of_files(&self, files: &[FileId]) -> Result<Vec<R::Id>> {
        if let Some(of_files) = &self.of_files {
            let own = files.iter().filter_map(|file| of_files.get(file.index()).cloned());
            return Ok(own.flatten().map(R::Id::from_row).collect());
        }
        let mut files = files.to_vec();
        if let Some(maps) = &self.maps {
            for file in &mut files {
                *file = maps.files.address(*file).map(RowId::from_row).ok_or_else(|| self.dead())?;
            }
            files.sort_unstable();
        }
        let mut found = Vec::new();
        for part in &self.parts {
            for row in part.reader.rows_with_values("file_id", &files)? {
                match &self.rows {
                    None => found.push(row),
                    Some(rows) => found.extend(rows.id(part.first.saturating_add(row.row()))),
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// The blocks of the table, which can be read in parallel. Their order is not that of ids.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let blocks =
            |(part, table): (usize, &Part<R>)| (0..table.reader.groups()).map(move |group| Block { part, group });
        self.parts.iter().enumerate().flat_map(blocks).collect()
    }

    /// Calls `each` with the id of every row of a block and its value in a column.
    ///
    /// # Errors
    /// The column is missing or has another type, or the table cannot be read or is damaged.
    pub fn scan<C: Column>(&self, name: &str, block: Block, mut each: impl FnMut(R::Id, &C)) -> Result<()> {
        let mut is_dead = false;
        let mut ids = self.ids(block);
        self.parts[block.part].reader.scan::<C>(name, block.group, |row, value| {
            let Some(id) = ids.of(row) else { return };
            match &self.maps {
                None => each(id, value),
                Some(maps) => {
                    let mut value = value.clone();
                    match value.to_ids(maps) {
                        Some(()) => each(id, &value),
                        None => is_dead = true,
                    }
                }
            }
        })?;
        if is_dead { Err(self.dead()) } else { Ok(()) }
    }

    /// Like [`Self::scan`] for a column of texts, without copying them.
    ///
    /// # Errors
    /// The column is missing or has another type, or the table cannot be read or is damaged.
    pub fn scan_text(&self, name: &str, block: Block, mut each: impl FnMut(R::Id, &str)) -> Result<()> {
        let mut ids = self.ids(block);
        self.parts[block.part].reader.scan_text(name, block.group, |row, text| {
            if let Some(id) = ids.of(row) {
                each(id, text);
            }
        })
    }

    /// The ids of the rows of a block.
    fn ids(&self, block: Block) -> BlockIds<R::Id> {
        let part = &self.parts[block.part];
        let start = part.first.saturating_add(part.reader.first_row_of_group(block.group).row());
        let live = match &self.rows {
            None => vec![(start..u32::MAX, R::Id::from_row(start))],
            Some(rows) => rows.live(start..part.end()).collect(),
        };
        BlockIds { start, live, at: 0 }
    }

    fn dead(&self) -> Error {
        let path = self.parts.first().map(|part| part.reader.path().to_owned()).unwrap_or_default();
        Error::damaged(&path, "a row refers to one that is not in the index")
    }
}

impl<R: Row> Part<R> {
    fn end(&self) -> u32 {
        self.first.saturating_add(u32::try_from(self.reader.len()).unwrap_or(u32::MAX))
    }
}

/// The ids of the rows of a block, asked in ascending order.
struct BlockIds<I> {
    /// The address of the block's first row.
    start: u32,
    /// Ranges of addresses with the id of their first row.
    live: Vec<(Range<u32>, I)>,
    at: usize,
}

impl<I: RowId> BlockIds<I> {
    /// The id of a row, by its number in the block; none if the row is gone.
    fn of(&mut self, row: u32) -> Option<I> {
        let address = self.start.saturating_add(row);
        while self.live.get(self.at).is_some_and(|(range, _)| range.end <= address) {
            self.at += 1;
        }
        let (range, first) = self.live.get(self.at)?;
        (range.start <= address).then(|| I::from_row(first.row() + (address - range.start)))
    }
}
