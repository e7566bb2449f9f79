//! Limits of what a pack may require.

/// Maximum bytes of an index, both stored and unpacked: four million blocks need less.
pub const INDEX_BYTES: u64 = 256 << 20;
/// Maximum compression ratio of the index, which consists mostly of hashes.
pub const INDEX_RATIO: u64 = 100;
/// Maximum bytes of an unpacked block.
pub const BLOCK_BYTES: u64 = 256 << 20;
/// Maximum bytes of an unpacked block of rows, which need many times as much memory once decoded.
pub const ROWS_BYTES: u64 = 64 << 20;
/// Name of that limit in errors of packing.
pub const ROWS_LABEL: &str = "the size of the rows of one file, or of neighbouring files,";
/// Bytes by which a block may be larger stored than unpacked, in addition to 1/128 of its size: zstd's own bound.
pub const BLOCK_OVERHEAD_BYTES: u64 = 1024;
/// Maximum number of lines in a file.
pub const LINES: u32 = 1 << 28;
/// Maximum compression ratio of a block.
pub const BLOCK_RATIO: u64 = 20_000;
/// Maximum bytes of a dictionary.
pub const DICTIONARY_BYTES: u64 = 1 << 20;
/// Maximum bytes of a signature.
pub const SIGNATURE_BYTES: u64 = 4 << 10;
/// Maximum dimensions of a vector: the largest encoders have half as many.
pub const DIMENSIONS: u64 = 8192;
/// Default maximum of the unpacked bytes of all blocks together.
pub const TOTAL_BYTES: u64 = 256 << 30;
