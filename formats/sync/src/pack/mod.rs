//! A pack: an index in one file, made to be downloaded in parts.
//!
//! ```text
//! magic "SXTPACK1"
//! blocks      zstd frames, one after the other, each once
//! index       zstd frame: what every block is and where (PackIndex)
//! signature   text of a minisign signature over the index as it is stored, or nothing
//! footer      64 bytes: index length u64, its unpacked length u64, blake3 of it as stored [u8; 32],
//!             signature length u32, version u32, magic "SXTPACK1"
//! ```
//!
//! Blocks are not pieces of files. They hold the rows of a group of files in terms of the group ([`block`]), and
//! groups end where the paths of files say so, so unchanged files are the same blocks in every pack: whoever has
//! an older index needs the others only. What follows from the rows (Parquet, full text, graph) is made again where
//! the pack is unpacked and held to the canonical digests of the manifest. What is no row, the encoder and in a full
//! pack the LanceDB table, is cut by content (FastCDC) and travels as it is.
//!
//! A pack is untrusted: every number in it is held to a limit before anything is allocated for it, and every byte to a
//! blake3 hash that the index names.

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
/// The version of this layout.
const VERSION: u32 = 2;

/// What a pack may ask for at most.
pub mod limit {
    /// Bytes of an index as it is stored and unpacked: four million blocks need less.
    pub const INDEX_BYTES: u64 = 256 << 20;
    /// Bytes that a stored byte of the index may become: most of it are hashes.
    pub const INDEX_RATIO: u64 = 100;
    /// Bytes of an unpacked block.
    pub const BLOCK_BYTES: u64 = 256 << 20;
    /// Bytes of an unpacked block of a group's rows, which take many times as much in memory.
    pub const ROWS_BYTES: u64 = 64 << 20;
    /// How that limit is called where a pack is made.
    pub const ROWS_LABEL: &str = "what a pack holds of one file, or of neighbouring ones,";
    /// Bytes by which a block may be longer stored than unpacked, beside one of 128: zstd's own bound.
    pub const BLOCK_OVERHEAD_BYTES: u64 = 1024;
    /// Lines of a file.
    pub const LINES: u32 = 1 << 28;
    /// Bytes that a stored byte may become.
    pub const BLOCK_RATIO: u64 = 20_000;
    /// Bytes of a dictionary.
    pub const DICTIONARY_BYTES: u64 = 1 << 20;
    /// Bytes of a signature.
    pub const SIGNATURE_BYTES: u64 = 4 << 10;
    /// Dimensions of a vector: the largest encoders have half as many.
    pub const DIMENSIONS: u64 = 8192;
    /// Bytes of all unpacked blocks together, where nothing else is said.
    pub const TOTAL_BYTES: u64 = 256 << 30;
}

/// How much of an index a pack holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Profile {
    /// What questions need.
    Query,
    /// Also the LanceDB table, and what later builds take over.
    Full,
}

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "query" => Ok(Self::Query),
            "full" => Ok(Self::Full),
            _ => Err(format!("'{text}' is no profile: query or full")),
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

/// A block: where it is stored, and what it must become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The first byte in the pack.
    pub offset: u64,
    /// Bytes as stored.
    pub stored: u32,
    /// Bytes unpacked.
    pub bytes: u32,
    /// blake3 of the unpacked bytes.
    pub hash: [u8; 32],
}

/// The rows of a group of files, by the numbers of blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Group {
    files: u32,
    symbols: u32,
    chunks: u32,
    source: u32,
    edges: u32,
    /// The vectors of its files in pieces, each of some files, in order: vectors do not become smaller together.
    vectors: Vec<u32>,
}

/// A file that travels as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Blob {
    /// Path in the generation's folder.
    path: String,
    bytes: u64,
    blake3: [u8; 32],
    /// Who gets it.
    profile: Profile,
    blocks: Vec<u32>,
}

/// What a pack holds, in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackIndex {
    /// The manifest of the generation as JSON, without its list of files.
    manifest: String,
    profile: Profile,
    groups: Vec<Group>,
    /// What text blocks are compressed with, as it is; empty where there is nothing of the kind.
    dictionary: Vec<u8>,
    externals: Vec<u32>,
    skipped: u32,
    blobs: Vec<Blob>,
    /// Every block, by where it is stored.
    blocks: Vec<Block>,
}

impl PackIndex {
    /// How much of the index the pack holds.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Every block, in the order in which they are stored.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The manifest of the generation, without its list of files. It was read when the index was opened.
    pub fn manifest(&self) -> Result<sextant_format::manifest::Manifest, serde_json::Error> {
        serde_json::from_str(&self.manifest)
    }

    /// The numbers of the blocks that a profile needs, ascending, each once.
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

    /// Bytes as stored of what the pack is made of: source with symbols and chunks, edges, vectors, other files.
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

    /// The block of a number.
    fn block(&self, number: u32) -> Option<&Block> {
        self.blocks.get(number as usize)
    }
}

/// Unpacks the blocks of one pack.
pub struct BlockDecoder(DecoderDictionary<'static>);

impl BlockDecoder {
    /// For the blocks of a pack; without one, for blocks that were compressed by themselves.
    pub fn new(index: Option<&PackIndex>) -> Result<Self, String> {
        let dictionary = index.map_or(&[][..], |index| &index.dictionary);
        DecoderDictionary::try_copy(dictionary).map(Self).map_err(|error| format!("its dictionary: {error}"))
    }

    /// Unpacks a stored block, which must become what the index says.
    pub fn decode(&self, block: &Block, stored: &[u8]) -> Result<Vec<u8>, String> {
        let decoded = Decompressor::with_prepared_dictionary(&self.0)
            .and_then(|mut decoder| decoder.decompress(stored, block.bytes as usize));
        let bytes = decoded.map_err(|error| error.to_string())?;
        if bytes.len() != block.bytes as usize || Digest::hash_bytes(&bytes).0 != block.hash {
            return Err("its bytes are not those that were packed".to_owned());
        }
        Ok(bytes)
    }
}

/// Gives bytes to one of the readers of packs, for the fuzzer: whatever they are, there is a result or an error.
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
