//! A pack: an index in one file, designed to be downloaded in parts.
//!
//! ```text
//! magic "SXTPACK1"
//! blocks      zstd frames, one after the other, each once
//! index       zstd frame: the table of contents (PackIndex)
//! signature   text of a minisign signature over the stored index, or nothing
//! footer      64 bytes: length of the stored index u64, its unpacked length u64, blake3 of the stored index
//!             [u8; 32],
//!             signature length u32, version u32, magic "SXTPACK1"
//! ```
//!
//! Blocks are not pieces of files. They contain the rows of a group of files relative to the group ([`block`]), and
//! paths of files determine where groups end. Unchanged files are therefore the same blocks in every pack, and a client
//! with an older index needs only the others. Whatever is derived from rows (Parquet, full text, graph) is rebuilt
//! where the pack is unpacked, and compared with the canonical digests of the manifest. Files without rows, which are
//! the encoder and in a full pack the LanceDB table, are cut by content (FastCDC) and stored as bytes.
//!
//! A pack is untrusted: every number in it is checked against a limit before memory is allocated for it, and every byte
//! against a blake3 hash that the index contains.

mod block;
mod edges;
mod groups;
mod open;
mod symbol_keys;
mod unpack;
mod write;

use serde::{Deserialize, Serialize};
use zstd::bulk::Decompressor;
use zstd::dict::DecoderDictionary;

use sextant_format::digest::Digest;

pub use open::{FOOTER_BYTES, Footer};
pub use unpack::{BlockSource, read_index, unpack};
pub use write::{PackSummary, extract_blocks, pack};

/// The first and the last bytes of a pack.
const MAGIC: &[u8; 8] = b"SXTPACK1";
/// The version of the pack layout.
const VERSION: u32 = 2;

/// Limits of what a pack may require.
pub mod limit {
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
}

/// How much of an index a pack contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Profile {
    /// What queries need.
    Query,
    /// Also the LanceDB table, and the cached analyses that later builds reuse.
    Full,
}

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "query" => Ok(Self::Query),
            "full" => Ok(Self::Full),
            _ => Err(format!("'{text}' is not a profile: use query or full")),
        }
    }
}

impl std::fmt::Display for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Query => "query",
            Self::Full => "full",
        })
    }
}

/// A block: its location in the pack, and the hash of its unpacked bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Offset of its first byte in the pack.
    pub offset: u64,
    /// Stored size in bytes.
    pub stored: u32,
    /// Unpacked size in bytes.
    pub bytes: u32,
    /// blake3 of the unpacked bytes.
    pub hash: [u8; 32],
}

/// The rows of a group of files: row counts, and numbers of blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Group {
    files: u32,
    symbols: u32,
    chunks: u32,
    source: u32,
    edges: u32,
    /// Vectors compress no better together, so they have blocks of their own, each for some of the group's files in
    /// order.
    vectors: Vec<u32>,
}

/// A file that is stored as bytes, without rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Blob {
    /// Path relative to the generation's folder.
    path: String,
    bytes: u64,
    blake3: [u8; 32],
    /// The smallest profile that includes the file.
    profile: Profile,
    blocks: Vec<u32>,
}

/// The table of contents of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackIndex {
    /// The manifest of the generation as JSON, without its list of files.
    manifest: String,
    profile: Profile,
    groups: Vec<Group>,
    /// The zstd dictionary of text blocks, uncompressed; empty if there is none.
    dictionary: Vec<u8>,
    externals: Vec<u32>,
    skipped: u32,
    blobs: Vec<Blob>,
    /// Every block, by offset.
    blocks: Vec<Block>,
}

impl PackIndex {
    /// How much of an index the pack contains.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Every block, by offset.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The manifest of the generation, without its list of files.
    ///
    /// # Errors
    /// None for an index from [`Footer::open`], which has parsed the manifest already.
    pub fn manifest(&self) -> Result<sextant_format::manifest::Manifest, serde_json::Error> {
        serde_json::from_str(&self.manifest)
    }

    /// The numbers of the blocks that a profile needs, ascending and without duplicates.
    #[must_use]
    pub fn block_numbers(&self, profile: Profile) -> Vec<u32> {
        let of_group = |group: &Group| [group.source, group.edges].into_iter().chain(group.vectors.clone());
        let groups = self.groups.iter().flat_map(of_group);
        let blobs =
            self.blobs.iter().filter(|blob| blob.profile <= profile).flat_map(|blob| blob.blocks.iter().copied());
        let mut needed: Vec<u32> =
            groups.chain(self.externals.iter().copied()).chain([self.skipped]).chain(blobs).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Stored bytes by content: source with symbols and chunks, edges, vectors, other files.
    #[must_use]
    pub fn stored_bytes_by_part(&self) -> [(&'static str, u64); 4] {
        let stored = |numbers: &mut dyn Iterator<Item = u32>| {
            numbers.filter_map(|number| self.block(number)).map(|block| u64::from(block.stored)).sum()
        };
        [
            ("source", stored(&mut self.groups.iter().map(|group| group.source))),
            ("edges", stored(&mut self.groups.iter().map(|group| group.edges).chain(self.externals.iter().copied()))),
            ("vectors", stored(&mut self.groups.iter().flat_map(|group| group.vectors.iter().copied()))),
            ("files", stored(&mut self.blobs.iter().flat_map(|blob| blob.blocks.iter().copied()))),
        ]
    }

    /// The block with this number.
    fn block(&self, number: u32) -> Option<&Block> {
        self.blocks.get(number as usize)
    }
}

/// Unpacks the blocks of one pack.
pub struct BlockDecoder(DecoderDictionary<'static>);

impl BlockDecoder {
    /// Creates a decoder for the blocks of a pack. Without `index`, it decodes blocks that were compressed without a
    /// dictionary.
    ///
    /// # Errors
    /// The dictionary is invalid.
    pub fn new(index: Option<&PackIndex>) -> Result<Self, String> {
        let dictionary = index.map_or(&[][..], |index| &index.dictionary);
        DecoderDictionary::try_copy(dictionary).map(Self).map_err(|error| format!("its dictionary: {error}"))
    }

    /// Unpacks a stored block and compares its size and hash with the index.
    ///
    /// # Errors
    /// The bytes cannot be unpacked, or differ from the index.
    pub fn decode(&self, block: &Block, stored: &[u8]) -> Result<Vec<u8>, String> {
        let decoded = Decompressor::with_prepared_dictionary(&self.0)
            .and_then(|mut decoder| decoder.decompress(stored, block.bytes as usize));
        let bytes = decoded.map_err(|error| error.to_string())?;
        if bytes.len() != block.bytes as usize || Digest::hash_bytes(&bytes).0 != block.hash {
            return Err("its bytes do not match its hash".to_owned());
        }
        Ok(bytes)
    }
}

/// Passes bytes to one of the pack's decoders, for the fuzzer; a decoder must return a result or an error for any
/// bytes.
#[doc(hidden)]
pub fn read_anything(reader: u8, bytes: &[u8]) {
    let path = std::path::Path::new("pack");
    let mut symbol_keys = symbol_keys::SymbolKeyTable::default();
    symbol_keys.add("r", "a", ["a", "x", "x"].into_iter());
    symbol_keys.add("r", "b", ["b"].into_iter());
    match reader % 7 {
        0 => {
            if let Ok(index) = block::from_bytes::<PackIndex>(bytes) {
                drop(index.check(path, 1 << 20, 1 << 24));
            }
        }
        1 => drop(block::source_from_bytes(bytes, block::FirstIds::default())),
        2 => drop(edges::edges_from_bytes(bytes, 0, 2, &symbol_keys)),
        3 => drop(block::vectors_from_bytes(bytes, 8)),
        4 => drop(block::externals_from_bytes(bytes)),
        5 => drop(block::skipped_from_bytes(bytes)),
        _ => {
            if let Ok(footer) = Footer::read(path, bytes.get(..64).unwrap_or(bytes), bytes.len() as u64) {
                drop(footer.open(path, bytes.get(64..).unwrap_or(&[]), 1 << 24));
            }
        }
    }
}

#[cfg(test)]
mod hostile;
