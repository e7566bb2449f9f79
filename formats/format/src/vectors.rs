//! `vectors.i8`: the vectors of `vectors.lance` as an int8 matrix with a scale per row, and as sign bits, in a layout
//! that is mapped and scanned in place.
//!
//! Layout, little endian, every section at a multiple of 64 bytes:
//!
//! ```text
//! header    64 bytes: magic "SXVEC002", rows u64, dims u32, stride u32, bits_stride u32, 0 u32,
//!           file length u64, 0 ...
//! values    i8[rows * stride]       stride = dims rounded up to 64, padded with zeros
//! bits      u8[rows * bits_stride]  bit d of a row is 1 if value d > 0; bits_stride = stride / 8
//! scales    f32[rows]               value = scale * i8
//! chunks    u32[rows]               chunk ids, ascending
//! levels    u8[rows]                the chunks' levels
//! ```
//!
//! A vector is rotated first ([`rotate`]), which preserves dot products and spreads the weight of a few large values
//! over all of them: both forms then lose less. Quantisation is symmetric per row: `scale = max |x| / 127`, `i8 =
//! round(x / scale)`.

use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_buffer::{Buffer, ScalarBuffer};

use crate::ids::ChunkId;
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"SXVEC002";
const HEADER_BYTES: usize = 64;
pub(crate) const SECTION_ALIGN: usize = 64;

/// A vector rotated and quantised to int8: `rotated[d]` is about `scale * values[d]`.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedVector {
    /// The value of one quantisation step.
    pub scale: f32,
    /// The quantised values, -127 to 127.
    pub values: Vec<i8>,
}

/// Rotates a vector, always by the same rotation: about half of the values change their sign, then each of the largest
/// power-of-two blocks goes through a normalised Walsh-Hadamard transform (Ailon and Chazelle 2006, the fast
/// Johnson-Lindenstrauss transform). Preserves dot products and norms.
#[must_use]
pub fn rotate(vector: &[f32]) -> Vec<f32> {
    let mut out: Vec<f32> = vector.iter().zip(0_u64..).map(|(&x, d)| if flips_sign(d) { -x } else { x }).collect();
    transform_blocks(&mut out);
    out
}

/// Undoes [`rotate`]: the transform of a block is its own inverse.
#[must_use]
pub fn unrotate(vector: &[f32]) -> Vec<f32> {
    let mut out = vector.to_vec();
    transform_blocks(&mut out);
    out.iter_mut().zip(0_u64..).filter(|(_, d)| flips_sign(*d)).for_each(|(x, _)| *x = -*x);
    out
}

/// Transforms the largest power-of-two block, then that of the rest, and so on.
fn transform_blocks(mut rest: &mut [f32]) {
    while !rest.is_empty() {
        let block = 1 << rest.len().ilog2();
        let (now, later) = rest.split_at_mut(block);
        hadamard(now);
        rest = later;
    }
}

/// Whether the value of a dimension changes its sign: one bit of the SplitMix64 sequence (Steele, Lea, Flood 2014).
const fn flips_sign(dimension: u64) -> bool {
    let mut z = (dimension + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) & 1 == 1
}

/// The normalised Walsh-Hadamard transform, in place; the number of values must be a power of two.
fn hadamard(values: &mut [f32]) {
    let mut half = 1;
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    let norm = 1.0 / (values.len() as f32).sqrt();
    values.iter_mut().for_each(|x| *x *= norm);
}

/// Rotates a vector and quantises it symmetrically.
#[must_use]
pub fn quantize(vector: &[f32]) -> QuantizedVector {
    quantize_unrotated(&rotate(vector))
}

/// Quantises a vector symmetrically, as it is.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "rounded values are between -127 and 127")]
pub fn quantize_unrotated(vector: &[f32]) -> QuantizedVector {
    let max = vector.iter().fold(0.0_f32, |max, x| max.max(x.abs()));
    if max == 0.0 || !max.is_finite() {
        return QuantizedVector { scale: 0.0, values: vec![0; vector.len()] };
    }
    let scale = max / 127.0;
    QuantizedVector { scale, values: vector.iter().map(|x| (x / scale).round() as i8).collect() }
}

fn padded_len(bytes: usize) -> usize {
    bytes.next_multiple_of(SECTION_ALIGN)
}

struct Layout {
    rows: usize,
    dims: usize,
    stride: usize,
    bits_stride: usize,
    bits: usize,
    scales: usize,
    chunks: usize,
    levels: usize,
    end: usize,
}

impl Layout {
    /// Computes the offsets of all sections; none if they overflow the address space.
    fn new(rows: usize, dims: usize) -> Option<Self> {
        let stride = dims.checked_next_multiple_of(SECTION_ALIGN)?;
        let bits_stride = stride / 8;
        let section = |start: usize, width: usize| {
            rows.checked_mul(width)
                .and_then(|bytes| bytes.checked_next_multiple_of(SECTION_ALIGN))
                .and_then(|bytes| start.checked_add(bytes))
        };
        let bits = section(HEADER_BYTES, stride)?;
        let scales = section(bits, bits_stride)?;
        let chunks = section(scales, 4)?;
        let levels = section(chunks, 4)?;
        let end = section(levels, 1)?;
        Some(Self { rows, dims, stride, bits_stride, bits, scales, chunks, levels, end })
    }
}

/// Writes the file row by row; only the small sections stay in memory.
pub struct VectorWriter {
    file: BufWriter<fs_err::File>,
    dims: usize,
    stride: usize,
    row: Vec<u8>,
    bits: Vec<u8>,
    scales: Vec<f32>,
    chunks: Vec<ChunkId>,
    levels: Vec<u8>,
}

impl VectorWriter {
    /// Creates the file for vectors of `dims` dimensions.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path, dims: usize) -> Result<Self> {
        let mut file = BufWriter::new(fs_err::File::create(path)?);
        file.write_all(&[0; HEADER_BYTES])?;
        let stride = dims.next_multiple_of(SECTION_ALIGN);
        Ok(Self {
            file,
            dims,
            stride,
            row: vec![0; stride],
            bits: Vec::new(),
            scales: Vec::new(),
            chunks: Vec::new(),
            levels: Vec::new(),
        })
    }

    /// Appends the vector of a chunk; chunk ids must ascend.
    ///
    /// # Errors
    /// The row cannot be written.
    pub fn push(&mut self, chunk_id: ChunkId, level: u8, quantized: &QuantizedVector) -> Result<()> {
        debug_assert_eq!(quantized.values.len(), self.dims);
        debug_assert!(self.chunks.last().is_none_or(|&last| last < chunk_id));
        let start = self.bits.len();
        self.bits.resize(start + self.stride / 8, 0);
        for (d, &value) in quantized.values.iter().enumerate() {
            self.row[d] = value.to_le_bytes()[0];
            if value > 0 {
                self.bits[start + d / 8] |= 1 << (d % 8);
            }
        }
        self.file.write_all(&self.row)?;
        self.scales.push(quantized.scale);
        self.chunks.push(chunk_id);
        self.levels.push(level);
        Ok(())
    }

    /// Writes the small sections and the header. Returns the number of rows.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<u64> {
        let rows = self.chunks.len();
        self.section(&[], rows * self.stride)?;
        let bits = std::mem::take(&mut self.bits);
        self.section(&bits, bits.len())?;
        let scales: Vec<u8> = self.scales.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.section(&scales, scales.len())?;
        let chunks: Vec<u8> = self.chunks.iter().flat_map(|chunk| chunk.get().to_le_bytes()).collect();
        self.section(&chunks, chunks.len())?;
        let levels = std::mem::take(&mut self.levels);
        self.section(&levels, levels.len())?;
        let end = self.file.stream_position()?;

        let mut header = Vec::with_capacity(HEADER_BYTES);
        header.extend_from_slice(MAGIC);
        header.extend_from_slice(&(rows as u64).to_le_bytes());
        for value in [self.dims, self.stride, self.stride / 8, 0] {
            header.extend_from_slice(&u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
        }
        header.extend_from_slice(&end.to_le_bytes());
        header.resize(HEADER_BYTES, 0);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header)?;
        self.file.flush()?;
        Ok(rows as u64)
    }

    /// Writes `bytes`, then pads a section of `len` bytes to the alignment.
    fn section(&mut self, bytes: &[u8], len: usize) -> Result<()> {
        self.file.write_all(bytes)?;
        self.file.write_all(&vec![0; padded_len(len) - len])?;
        Ok(())
    }
}

/// The memory-mapped file.
pub struct VectorMatrix {
    layout: Layout,
    file: std::fs::File,
    /// Whether a search has fetched rows before.
    was_searched: AtomicBool,
    values: ScalarBuffer<i8>,
    bits: Buffer,
    scales: ScalarBuffer<f32>,
    chunks: ScalarBuffer<u32>,
    levels: Buffer,
}

impl VectorMatrix {
    /// Maps the file and checks its header against its length.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        let buffer = crate::mapped::map_file(path)?;
        let damaged = |what: &str| Error::damaged(path, what);
        let header = buffer.get(..HEADER_BYTES).ok_or_else(|| damaged("it is shorter than its header"))?;
        if &header[..8] != MAGIC {
            return Err(damaged("it does not begin with SXVEC002"));
        }
        let number = |at: usize, width: usize| {
            let mut bytes = [0; 8];
            bytes[..width].copy_from_slice(&header[at..at + width]);
            usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(usize::MAX)
        };
        let layout = Layout::new(number(8, 8), number(16, 4))
            .filter(|layout| {
                layout.end == buffer.len()
                    && layout.stride == number(20, 4)
                    && layout.bits_stride == number(24, 4)
                    && number(32, 8) == buffer.len()
            })
            .ok_or_else(|| damaged("its header does not fit its length"))?;
        Ok(Self {
            file: fs_err::File::open(path)?.into_parts().0,
            was_searched: AtomicBool::new(false),
            values: ScalarBuffer::new(buffer.clone(), HEADER_BYTES, layout.rows * layout.stride),
            bits: buffer.slice_with_length(layout.bits, layout.rows * layout.bits_stride),
            scales: ScalarBuffer::new(buffer.clone(), layout.scales / 4, layout.rows),
            chunks: ScalarBuffer::new(buffer.clone(), layout.chunks / 4, layout.rows),
            levels: buffer.slice_with_length(layout.levels, layout.rows),
            layout,
        })
    }

    /// The number of vectors.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.layout.rows
    }

    /// The number of dimensions.
    #[must_use]
    pub const fn dims(&self) -> usize {
        self.layout.dims
    }

    /// Bytes between the starts of two rows of values: the number of dimensions rounded up to 64.
    #[must_use]
    pub const fn stride(&self) -> usize {
        self.layout.stride
    }

    /// All values row by row; its length is `rows * stride`.
    #[must_use]
    pub fn values(&self) -> &[i8] {
        &self.values
    }

    /// One row's values, padded with zeros to the stride.
    #[must_use]
    pub fn row(&self, row: usize) -> &[i8] {
        &self.values[row * self.layout.stride..(row + 1) * self.layout.stride]
    }

    /// A reader for the scattered rows of one search. The first search of an open matrix reads them from the file:
    /// mapping a page costs several times as much as reading a row, and a program that asks one question never returns
    /// to it. Later searches use the mapping, of which ever more pages are present.
    pub fn scattered_rows(&self) -> RowFetcher<'_> {
        let is_read = !self.was_searched.swap(true, Ordering::Relaxed);
        RowFetcher { matrix: self, buffer: is_read.then(|| vec![0; self.layout.stride]) }
    }

    /// One row's sign bits.
    #[must_use]
    pub fn bits(&self, row: usize) -> &[u8] {
        &self.bits[row * self.layout.bits_stride..(row + 1) * self.layout.bits_stride]
    }

    /// All sign bits row by row; its length is `rows * stride / 8`.
    #[must_use]
    pub fn all_bits(&self) -> &[u8] {
        &self.bits
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

    /// The rows of the vectors of a range of chunks.
    #[must_use]
    pub fn rows_between(&self, chunks: &Range<ChunkId>) -> Range<usize> {
        let first = self.chunks.partition_point(|&id| id < chunks.start.get());
        let end = self.chunks.partition_point(|&id| id < chunks.end.get());
        first..end.max(first)
    }
}

/// Access to scattered rows. See [`VectorMatrix::scattered_rows`].
#[derive(Clone)]
pub struct RowFetcher<'a> {
    matrix: &'a VectorMatrix,
    /// Buffer for reading from the file; none if the mapping is used.
    buffer: Option<Vec<i8>>,
}

impl RowFetcher<'_> {
    /// One row's values, like [`VectorMatrix::row`].
    pub fn row(&mut self, row: usize) -> &[i8] {
        if let Some(buffer) = &mut self.buffer {
            let offset = (HEADER_BYTES + row * self.matrix.layout.stride) as u64;
            if crate::mapped::read_at(&self.matrix.file, bytemuck::cast_slice_mut(buffer), offset).is_ok() {
                return buffer;
            }
        }
        self.matrix.row(row)
    }
}

/// The vector of a file from those of its chunks: the sum of the chunks' unit vectors, each times the bytes of its
/// chunk, normalised.
#[derive(Clone, Debug, Default)]
pub struct FileVectorSum {
    sum: Vec<f64>,
    weight: u32,
}

impl FileVectorSum {
    /// Adds the vector of a chunk of `bytes` bytes, as `vectors.i8` has it. A zero vector says nothing and does not
    /// count.
    pub fn add(&mut self, vector: &QuantizedVector, bytes: u32) {
        let squares: i64 = vector.values.iter().map(|&x| i64::from(x) * i64::from(x)).sum();
        if squares == 0 || vector.scale == 0.0 || bytes == 0 {
            return;
        }
        let factor = f64::from(bytes) / (squares as f64).sqrt();
        self.sum.resize(vector.values.len(), 0.0);
        // A sequential sum rounds in the same way on every machine.
        self.sum.iter_mut().zip(&vector.values).for_each(|(sum, &x)| *sum += factor * f64::from(x));
        self.weight = self.weight.saturating_add(bytes);
    }

    /// Returns the vector, not rotated, and the bytes of the chunks in it; none without a chunk. The sum is empty
    /// afterwards.
    #[expect(clippy::cast_possible_truncation, reason = "a normalised vector has values between -1 and 1")]
    pub fn take(&mut self) -> Option<(QuantizedVector, f32)> {
        let Self { sum, weight } = std::mem::take(self);
        let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            return None;
        }
        let unit: Vec<f32> = sum.iter().map(|x| (x / length) as f32).collect();
        Some((quantize_unrotated(&unrotate(&unit)), weight as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(rows: u32, dims: usize) -> Vec<Vec<f32>> {
        (0..rows).map(|r| (0..dims).map(|d| ((r as usize * 31 + d * 17) % 13) as f32 - 6.0).collect()).collect()
    }

    #[test]
    fn a_rotation_can_be_undone() {
        for dims in [1, 3, 64, 100, 256] {
            let vector: Vec<f32> = sample(1, dims).remove(0);
            for (a, b) in unrotate(&rotate(&vector)).iter().zip(&vector) {
                assert!((a - b).abs() < 1e-4, "{dims}: {a} {b}");
            }
        }
    }

    #[test]
    fn the_vector_of_a_file_is_the_weighted_mean_of_its_chunks() {
        let mut sum = FileVectorSum::default();
        assert_eq!(sum.take(), None);
        // Lengths do not count, bytes do; a zero vector does not.
        sum.add(&quantize(&[2.0, 0.0, 0.0, 0.0]), 30);
        sum.add(&quantize(&[0.0, 0.5, 0.0, 0.0]), 40);
        sum.add(&quantize(&[0.0; 4]), 1_000);
        let (vector, weight) = sum.take().unwrap();
        assert_eq!(weight, 70.0);
        for (&value, expected) in vector.values.iter().zip([0.6, 0.8, 0.0, 0.0]) {
            assert!((f32::from(value) * vector.scale - expected).abs() < 0.02, "{vector:?}");
        }
        assert_eq!(sum.take(), None);
    }

    #[test]
    fn rows_round_trip_within_half_a_quantisation_step() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vectors.i8");
        for (rows, dims) in [(0, 64), (1, 3), (37, 100), (64, 256)] {
            let vectors = sample(rows, dims);
            let mut writer = VectorWriter::create(&path, dims).unwrap();
            for (n, vector) in vectors.iter().enumerate() {
                writer.push(ChunkId::at(n * 2), 1, &quantize(vector)).unwrap();
            }
            assert_eq!(writer.finish().unwrap(), u64::from(rows));
            let matrix = VectorMatrix::open(&path).unwrap();
            assert_eq!((matrix.rows(), matrix.dims()), (rows as usize, dims));
            for (n, vector) in vectors.iter().enumerate() {
                assert_eq!(matrix.chunk_id(n), ChunkId::at(n * 2));
                assert_eq!(matrix.rows_between(&(ChunkId::at(n * 2)..ChunkId::at(n * 2 + 1))), n..n + 1);
                assert!(matrix.rows_between(&(ChunkId::at(n * 2 + 1)..ChunkId::at(n * 2 + 2))).is_empty());
                for (d, x) in rotate(vector).iter().enumerate() {
                    let found = matrix.scales()[n] * f32::from(matrix.row(n)[d]);
                    assert!((found - x).abs() <= matrix.scales()[n] / 2.0 + 1e-6);
                    assert_eq!(matrix.bits(n)[d / 8] >> (d % 8) & 1 == 1, *x > matrix.scales()[n] / 2.0, "{x}");
                }
            }
        }
    }

    #[test]
    fn a_rotation_keeps_dot_products_and_spreads_values() {
        for dims in [1, 2, 3, 70, 256, 384] {
            let vectors = sample(6, dims);
            let dot = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
            for (a, b) in vectors.iter().zip(vectors.iter().skip(1)) {
                let (before, after) = (dot(a, b), dot(&rotate(a), &rotate(b)));
                assert!((before - after).abs() <= 1e-3 * before.abs().max(1.0), "{dims}: {before} {after}");
            }
        }
        let mut peak = vec![0.0; 256];
        peak[17] = 1.0;
        assert!(rotate(&peak).iter().all(|x| (x.abs() - 1.0 / 16.0).abs() < 1e-6));
    }

    #[test]
    fn a_file_of_another_length_is_damaged() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vectors.i8");
        let mut writer = VectorWriter::create(&path, 8).unwrap();
        writer.push(ChunkId::new(0), 1, &quantize(&[1.0; 8])).unwrap();
        writer.finish().unwrap();
        let bytes = fs_err::read(&path).unwrap();
        for keep in [0, 10, 63, 64, bytes.len() - 1] {
            fs_err::write(&path, &bytes[..keep]).unwrap();
            assert!(matches!(VectorMatrix::open(&path), Err(Error::Damaged { .. })), "{keep}");
        }
        let mut huge = bytes;
        huge[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
        fs_err::write(&path, &huge).unwrap();
        assert!(matches!(VectorMatrix::open(&path), Err(Error::Damaged { .. })));
    }
}
