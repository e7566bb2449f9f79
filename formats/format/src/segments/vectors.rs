//! The vectors of a generation as one matrix, in whatever segments they are stored. Its rows are those of live chunks, in
//! the order of their ids.

use std::ops::Range;

use super::row_map::RowMap;
use crate::ids::{ChunkId, RowId as _};
use crate::vectors::{RowFetcher, SECTION_ALIGN, VectorMatrix};

/// The vectors of a generation.
pub struct Vectors {
    parts: Vec<VectorMatrix>,
    dims: usize,
    /// In the order of rows.
    runs: Vec<Run>,
}

/// Consecutive rows that are consecutive in a part, too.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The first row.
    row: usize,
    part: usize,
    /// The first row in the part.
    part_row: usize,
    rows: usize,
    /// What is added to a chunk's number in the part to get its id, modulo 2^32.
    shift: u32,
}

/// Rows that lie together, with what is known of each.
#[derive(Clone, Copy)]
pub struct VectorRows<'a> {
    matrix: &'a VectorMatrix,
    /// The first row.
    row: usize,
    /// The first row in the part.
    part_row: usize,
    len: usize,
    shift: u32,
}

impl<'a> VectorRows<'a> {
    /// The rows.
    #[must_use]
    pub const fn rows(&self) -> Range<usize> {
        self.row..self.row + self.len
    }

    /// Their values, row by row, each padded with zeros to the stride.
    #[must_use]
    pub fn values(&self) -> &'a [i8] {
        let stride = self.matrix.stride();
        &self.matrix.values()[self.part_row * stride..(self.part_row + self.len) * stride]
    }

    /// Their sign bits, row by row.
    #[must_use]
    pub fn bits(&self) -> &'a [u8] {
        let stride = self.matrix.stride() / 8;
        &self.matrix.all_bits()[self.part_row * stride..(self.part_row + self.len) * stride]
    }

    /// Their scales.
    #[must_use]
    pub fn scales(&self) -> &'a [f32] {
        &self.matrix.scales()[self.part_row..self.part_row + self.len]
    }

    /// The levels of their chunks.
    #[must_use]
    pub fn levels(&self) -> &'a [u8] {
        &self.matrix.levels()[self.part_row..self.part_row + self.len]
    }

    /// The chunk of one of them, counted from the first.
    #[must_use]
    pub fn chunk_id(&self, at: usize) -> ChunkId {
        ChunkId::new(self.matrix.chunk_id(self.part_row + at).get().wrapping_add(self.shift))
    }
}

impl Vectors {
    /// The vectors of one file, whose chunks are those of the generation.
    #[must_use]
    pub fn whole(matrix: VectorMatrix) -> Self {
        let run = Run { row: 0, part: 0, part_row: 0, rows: matrix.rows(), shift: 0 };
        let runs = Some(run).filter(|run| run.rows > 0).into_iter().collect();
        Self { dims: matrix.dims(), parts: vec![matrix], runs }
    }

    /// No vectors, of `dims` dimensions.
    #[must_use]
    pub const fn none(dims: usize) -> Self {
        Self { parts: Vec::new(), dims, runs: Vec::new() }
    }

    /// The vectors of several files, whose chunks are given by addresses; none if the files have different dimensions.
    #[must_use]
    pub fn segmented(parts: Vec<VectorMatrix>, map: &RowMap<ChunkId>, dims: usize) -> Option<Self> {
        if parts.iter().any(|part| part.dims() != dims) {
            return None;
        }
        let (mut runs, mut row) = (Vec::<Run>::new(), 0);
        for (addresses, first) in map.stored() {
            let shift = first.row().wrapping_sub(addresses.start);
            for (number, part) in parts.iter().enumerate() {
                let own = part.rows_between(&(ChunkId::from_row(addresses.start)..ChunkId::from_row(addresses.end)));
                if !own.is_empty() {
                    runs.push(Run { row, part: number, part_row: own.start, rows: own.len(), shift });
                    row += own.len();
                }
            }
        }
        Some(Self { parts, dims, runs })
    }

    /// The number of vectors.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.runs.last().map_or(0, |run| run.row + run.rows)
    }

    /// The number of dimensions.
    #[must_use]
    pub const fn dims(&self) -> usize {
        self.dims
    }

    /// Bytes between the starts of two rows of values: the number of dimensions rounded up to 64.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.dims.next_multiple_of(SECTION_ALIGN)
    }

    /// Some rows in parts that lie together, in order.
    pub fn parts(&self, rows: Range<usize>) -> impl Iterator<Item = VectorRows<'_>> {
        let from = self.runs.partition_point(|run| run.row + run.rows <= rows.start);
        self.runs[from..].iter().take_while(move |run| run.row < rows.end).map(move |run| {
            let (start, end) = (rows.start.max(run.row), rows.end.min(run.row + run.rows));
            let part_row = run.part_row + (start - run.row);
            VectorRows { matrix: &self.parts[run.part], row: start, part_row, len: end - start, shift: run.shift }
        })
    }

    /// The run that has a row.
    fn run(&self, row: usize) -> &Run {
        &self.runs[self.runs.partition_point(|run| run.row <= row).saturating_sub(1)]
    }

    /// The part that has a row, and its number there.
    fn locate(&self, row: usize) -> (&VectorMatrix, usize) {
        let run = self.run(row);
        (&self.parts[run.part], run.part_row + (row - run.row))
    }

    /// One row's values, padded with zeros to the stride.
    #[must_use]
    pub fn row(&self, row: usize) -> &[i8] {
        let (matrix, row) = self.locate(row);
        matrix.row(row)
    }

    /// One row's sign bits.
    #[must_use]
    pub fn row_bits(&self, row: usize) -> &[u8] {
        let (matrix, row) = self.locate(row);
        matrix.bits(row)
    }

    /// A reader for the scattered rows of one search, see [`VectorMatrix::scattered_rows`].
    pub fn scattered_rows(&self) -> ScatteredRows<'_> {
        ScatteredRows { vectors: self, parts: self.parts.iter().map(VectorMatrix::scattered_rows).collect() }
    }

    /// One row's scale.
    #[must_use]
    pub fn scale(&self, row: usize) -> f32 {
        let (matrix, row) = self.locate(row);
        matrix.scales()[row]
    }

    /// The level of one row's chunk.
    #[must_use]
    pub fn level(&self, row: usize) -> u8 {
        let (matrix, row) = self.locate(row);
        matrix.levels()[row]
    }

    /// The chunk of a row; the ids ascend.
    #[must_use]
    pub fn chunk_id(&self, row: usize) -> ChunkId {
        self.chunk_of(self.run(row), row)
    }

    fn chunk_of(&self, run: &Run, row: usize) -> ChunkId {
        let number = self.parts[run.part].chunk_id(run.part_row + (row - run.row)).get();
        ChunkId::new(number.wrapping_add(run.shift))
    }

    /// The row of a chunk's vector; none if the chunk has no vector.
    #[must_use]
    pub fn row_of(&self, chunk_id: ChunkId) -> Option<usize> {
        let row = self.first_row_from(chunk_id);
        (row < self.rows() && self.chunk_id(row) == chunk_id).then_some(row)
    }

    /// The rows of the vectors of a range of chunks.
    #[must_use]
    pub fn rows_between(&self, chunks: &Range<ChunkId>) -> Range<usize> {
        let first = self.first_row_from(chunks.start);
        first..self.first_row_from(chunks.end).max(first)
    }

    /// The first row whose chunk is `chunk_id` or a later one.
    fn first_row_from(&self, chunk_id: ChunkId) -> usize {
        let at = self.runs.partition_point(|run| self.chunk_of(run, run.row + run.rows - 1) < chunk_id);
        let Some(run) = self.runs.get(at) else { return self.rows() };
        if chunk_id <= self.chunk_of(run, run.row) {
            return run.row;
        }
        let number = ChunkId::new(chunk_id.get().wrapping_sub(run.shift));
        let own = self.parts[run.part].rows_between(&(ChunkId::new(0)..number)).end;
        // The ids of a damaged file need not ascend.
        run.row + own.clamp(run.part_row, run.part_row + run.rows) - run.part_row
    }
}

/// Access to scattered rows.
#[derive(Clone)]
pub struct ScatteredRows<'a> {
    vectors: &'a Vectors,
    parts: Vec<RowFetcher<'a>>,
}

impl ScatteredRows<'_> {
    /// One row's values, like [`Vectors::row`].
    pub fn row(&mut self, row: usize) -> &[i8] {
        let run = self.vectors.run(row);
        self.parts[run.part].row(run.part_row + (row - run.row))
    }
}
