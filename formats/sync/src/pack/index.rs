//! The table of contents of a pack: its blocks, and which of them contain the rows of which files. This module must not
//! know how a block is encoded, nor where the table is stored.

use serde::{Deserialize, Serialize};

use super::profile::Profile;

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
pub(super) struct Group {
    pub(super) files: u32,
    pub(super) symbols: u32,
    pub(super) chunks: u32,
    pub(super) source: u32,
    pub(super) edges: u32,
    /// Vectors compress no better together, so they have blocks of their own, each for some of the group's files in
    /// order.
    pub(super) vectors: Vec<u32>,
}

/// A file that is stored as bytes, without rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blob {
    /// Path relative to the generation's folder.
    pub(crate) path: String,
    pub(super) bytes: u64,
    pub(crate) blake3: [u8; 32],
    /// The smallest profile that includes the file.
    pub(super) profile: Profile,
    pub(super) blocks: Vec<u32>,
}

/// The table of contents of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackIndex {
    /// The manifest of the generation as JSON, without its list of files.
    pub(super) manifest: String,
    pub(super) profile: Profile,
    pub(super) groups: Vec<Group>,
    /// The zstd dictionary of text blocks, uncompressed; empty if there is none.
    pub(super) dictionary: Vec<u8>,
    pub(super) externals: Vec<u32>,
    pub(super) skipped: u32,
    pub(super) blobs: Vec<Blob>,
    /// Every block, by offset.
    pub(super) blocks: Vec<Block>,
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
    /// None for an index from [`Footer::open`](super::Footer::open), which has parsed the manifest already.
    pub fn manifest(&self) -> Result<sextant_format::manifest::Manifest, serde_json::Error> {
        serde_json::from_str(&self.manifest)
    }

    /// The files that are stored as bytes.
    #[must_use]
    pub fn blobs(&self) -> &[Blob] {
        &self.blobs
    }

    /// The numbers of the blocks that a profile needs, ascending and without duplicates. Of the files that are stored as
    /// bytes, only those that `is_needed` accepts count.
    #[must_use]
    pub fn block_numbers(&self, profile: Profile, is_needed: impl Fn(&Blob) -> bool) -> Vec<u32> {
        let of_group = |group: &Group| [group.source, group.edges].into_iter().chain(group.vectors.clone());
        let groups = self.groups.iter().flat_map(of_group);
        let blobs = self.blobs.iter().filter(|blob| blob.profile <= profile && is_needed(blob));
        let blobs = blobs.flat_map(|blob| blob.blocks.iter().copied());
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
    pub(super) fn block(&self, number: u32) -> Option<&Block> {
        self.blocks.get(number as usize)
    }
}
