//! The vectors of a generation as one matrix, in whatever segments they are stored. Its rows are those of live chunks, in
//! the order of their ids.

use std::ops::Range;

use arrow_buffer::{Buffer, ScalarBuffer};

use super::row_map::RowMap;
use crate::ids::{ChunkId, RowId as _};
use crate::vectors::{RowFetcher, SECTION_ALIGN, VectorMatrix, rows_between};

/// The vectors of a generation.
pub struct Vectors {
    parts: Vec<VectorMatrix>,
    dims: usize,
    /// In the order of rows.
    runs: Vec<Run>,
    scales: ScalarBuffer<f32>,
    chunks: ScalarBuffer<u32>,
    levels: Buffer,
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
}

impl Vectors {
    /// The vectors of one file, whose chunks are those of the generation.
    #[must_use]
    pub fn whole(matrix: VectorMatrix) -> Self {
        let rows = matrix.rows();
        let (scales, chunks, levels) = matrix.small_sections();
        let runs = vec![Run { row: 0, part: 0, part_row: 0, rows }];
        Self { dims: matrix.dims(), parts: vec![matrix], runs, scales, chunks, levels }
    }

    /// No vectors, of `dims` dimensions.
    #[must_use]
    pub fn none(dims: usize) -> Self {
        let (scales, chunks, levels) = (Vec::new().into(), Vec::new().into(), Vec::<u8>::new().into());
        Self { parts: Vec::new(), dims, runs: Vec::new(), scales, chunks, levels }
    }

    /// The vectors of several files, whose chunks are given by addresses; none if the files have different dimensions.
    #[must_use]
    pub fn segmented(parts: Vec<VectorMatrix>, map: &RowMap<ChunkId>, dims: usize) -> Option<Self> {
        if parts.iter().any(|part| part.dims() != dims) {
            return None;
        }
        let (mut runs, mut scales, mut chunks, mut levels) = (Vec::<Run>::new(), Vec::new(), Vec::new(), Vec::new());
        for (addresses, first) in map.stored() {
            for (number, part) in parts.iter().enumerate() {
                let own = part.rows_between(&(ChunkId::from_row(addresses.start)..ChunkId::from_row(addresses.end)));
                if own.is_empty() {
                    continue;
                }
                let row = chunks.len();
                for at in own.clone() {
                    chunks.push(first.row() + (part.chunk_id(at).row() - addresses.start));
                }
                scales.extend_from_slice(&part.scales()[own.clone()]);
                levels.extend_from_slice(&part.levels()[own.clone()]);
                match runs.last_mut() {
                    Some(last) if last.part == number && last.part_row + last.rows == own.start => {
                        last.rows += own.len()
                    }
                    _ => runs.push(Run { row, part: number, part_row: own.start, rows: own.len() }),
                }
            }
        }
        Some(Self { parts, dims, runs, scales: scales.into(), chunks: chunks.into(), levels: levels.into() })
    }

    /// The number of vectors.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.chunks.len()
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

    /// The parts of some rows that lie together, in order.
    fn runs(&self, rows: Range<usize>) -> impl Iterator<Item = (Range<usize>, &VectorMatrix, Range<usize>)> {
        let from = self.runs.partition_point(|run| run.row + run.rows <= rows.start);
        self.runs[from..].iter().take_while(move |run| run.row < rows.end).map(move |run| {
            let (start, end) = (rows.start.max(run.row), rows.end.min(run.row + run.rows));
            let part_row = run.part_row + (start - run.row);
            (start..end, &self.parts[run.part], part_row..part_row + (end - start))
        })
    }

    /// The values of some rows, in parts that lie together, each with its rows.
    pub fn values(&self, rows: Range<usize>) -> impl Iterator<Item = (Range<usize>, &[i8])> {
        let stride = self.stride();
        self.runs(rows).map(move |(rows, matrix, own)| (rows, &matrix.values()[own.start * stride..own.end * stride]))
    }

    /// The sign bits of some rows, in parts that lie together, each with its rows.
    pub fn bits(&self, rows: Range<usize>) -> impl Iterator<Item = (Range<usize>, &[u8])> {
        let stride = self.stride() / 8;
        self.runs(rows).map(move |(rows, matrix, own)| (rows, &matrix.all_bits()[own.start * stride..own.end * stride]))
    }

    /// The part that has a row, and its number there.
    fn locate(&self, row: usize) -> (&VectorMatrix, usize) {
        let run = self.runs[self.runs.partition_point(|run| run.row <= row).saturating_sub(1)];
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

    /// The rows' scales.
    #[must_use]
    pub fn scales(&self) -> &[f32] {
        &self.scales
    }

    /// The chunk of a row; the ids ascend.
    #[must_use]
    pub fn chunk_id(&self, row: usize) -> ChunkId {
        ChunkId::new(self.chunks[row])
    }

    /// The rows' chunk levels.
    #[must_use]
    pub fn levels(&self) -> &[u8] {
        &self.levels
    }

    /// The row of a chunk's vector; none if the chunk has no vector.
    #[must_use]
    pub fn row_of(&self, chunk_id: ChunkId) -> Option<usize> {
        self.chunks.binary_search(&chunk_id.get()).ok()
    }

    /// The rows of the vectors of a range of chunks.
    #[must_use]
    pub fn rows_between(&self, chunks: &Range<ChunkId>) -> Range<usize> {
        rows_between(&self.chunks, chunks)
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
        let runs = &self.vectors.runs;
        let run = runs[runs.partition_point(|run| run.row <= row).saturating_sub(1)];
        self.parts[run.part].row(run.part_row + (row - run.row))
    }
}
