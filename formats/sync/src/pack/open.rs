//! Reads a pack's footer and index, and checks every number against a limit first.

use std::path::Path;

use super::block::from_bytes;
use super::index::{Blob, Group, PackIndex};
use super::limit;
use super::profile::Profile;
use crate::{Error, Result};
use sextant_format::digest::Digest;
use sextant_format::manifest::{Manifest, is_safe_relative_path};

/// The first and the last bytes of a pack.
pub(super) const MAGIC: &[u8; 8] = b"SXTPACK1";
/// The version of the pack layout.
const VERSION: u32 = 2;
/// Size of the footer in bytes.
pub const FOOTER_BYTES: u64 = 64;

/// The last bytes of a pack: location, sizes and hash of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footer {
    /// Stored size of the index in bytes.
    pub index_stored_bytes: u64,
    /// Unpacked size of the index in bytes.
    pub index_bytes: u64,
    /// blake3 of the stored index.
    pub index_hash: Digest,
    /// Size in bytes of the signature, which follows the index.
    pub signature_bytes: u64,
    /// Size of the whole pack in bytes.
    pub pack_bytes: u64,
}

fn check_limit(path: &Path, what: &'static str, found: u64, limit: u64) -> Result<()> {
    if found <= limit { Ok(()) } else { Err(Error::Limit { path: path.to_owned(), what, found, limit }) }
}

impl Footer {
    /// Encodes the footer.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend(self.index_stored_bytes.to_le_bytes());
        bytes.extend(self.index_bytes.to_le_bytes());
        bytes.extend(self.index_hash.0);
        bytes.extend(u32::try_from(self.signature_bytes).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(MAGIC);
        bytes
    }

    /// Reads the last [`FOOTER_BYTES`] of a pack of `pack_bytes` bytes; `path` is for error messages.
    ///
    /// # Errors
    /// The bytes are not the footer of a pack, the version is unknown, or a size exceeds its limit.
    pub fn read(path: &Path, bytes: &[u8], pack_bytes: u64) -> Result<Self> {
        let cut = || Error::damaged(path, "it does not end like a pack: it is truncated, or not a pack");
        let bytes: &[u8; 64] = bytes.try_into().map_err(|_| cut())?;
        if &bytes[56..] != MAGIC {
            return Err(cut());
        }
        let number = |at: usize, width: usize| {
            let mut number = [0; 8];
            number[..width].copy_from_slice(&bytes[at..at + width]);
            u64::from_le_bytes(number)
        };
        let version = number(52, 4);
        if version != u64::from(VERSION) {
            return Err(Error::damaged(
                path,
                format!("it is a pack of version {version}, this program reads {VERSION}"),
            ));
        }
        let mut index_hash = [0; 32];
        index_hash.copy_from_slice(&bytes[16..48]);
        let footer = Self {
            index_stored_bytes: number(0, 8),
            index_bytes: number(8, 8),
            index_hash: Digest(index_hash),
            signature_bytes: number(48, 4),
            pack_bytes,
        };
        check_limit(path, "the size of its index", footer.index_stored_bytes, limit::INDEX_BYTES)?;
        check_limit(path, "the unpacked size of its index", footer.index_bytes, limit::INDEX_BYTES)?;
        check_limit(path, "the size of its signature", footer.signature_bytes, limit::SIGNATURE_BYTES)?;
        let ratio = footer.index_bytes / footer.index_stored_bytes.max(1);
        check_limit(path, "the compression ratio of its index", ratio, limit::INDEX_RATIO)?;
        let inside = pack_bytes.saturating_sub(FOOTER_BYTES + MAGIC.len() as u64);
        if footer.index_stored_bytes + footer.signature_bytes > inside {
            return Err(Error::damaged(path, "its index is longer than the pack"));
        }
        Ok(footer)
    }

    /// Offset of the index in the pack.
    #[must_use]
    pub const fn index_offset(&self) -> u64 {
        self.pack_bytes - FOOTER_BYTES - self.signature_bytes - self.index_stored_bytes
    }

    /// Unpacks and checks the stored index. `total` limits the unpacked bytes of all blocks.
    ///
    /// # Errors
    /// The bytes do not match the footer, or a number in the index is invalid or exceeds its limit.
    pub fn open(&self, path: &Path, stored: &[u8], total: u64) -> Result<PackIndex> {
        let damaged = |what: &str| Error::damaged(path, what);
        if stored.len() as u64 != self.index_stored_bytes || Digest::hash_bytes(stored) != self.index_hash {
            return Err(damaged("its index does not match the footer"));
        }
        let bytes = zstd::bulk::decompress(stored, usize::try_from(self.index_bytes).unwrap_or(usize::MAX))
            .map_err(|error| damaged(&error.to_string()))?;
        let index: PackIndex = from_bytes(&bytes).map_err(|what| damaged(&what))?;
        index.check(path, self.index_offset(), total)?;
        Ok(index)
    }
}

impl PackIndex {
    /// Checks that every number is within its limit, every block within the pack, and every path within the
    /// generation's folder.
    pub(super) fn check(&self, path: &Path, end: u64, total: u64) -> Result<()> {
        let damaged = |what: String| Error::damaged(path, what);
        check_limit(path, "the size of its dictionary", self.dictionary.len() as u64, limit::DICTIONARY_BYTES)?;
        let mut at = MAGIC.len() as u64;
        let mut sum = 0_u64;
        for (n, block) in self.blocks.iter().enumerate() {
            check_limit(path, "the unpacked size of a block", u64::from(block.bytes), limit::BLOCK_BYTES)?;
            let ratio = u64::from(block.bytes) / u64::from(block.stored).max(1);
            check_limit(path, "the compression ratio of a block", ratio, limit::BLOCK_RATIO)?;
            let max = u64::from(block.bytes) + u64::from(block.bytes) / 128 + limit::BLOCK_OVERHEAD_BYTES;
            check_limit(path, "the stored size of a block", u64::from(block.stored), max)?;
            if block.offset < at {
                return Err(damaged(format!("block {n} overlaps the previous one")));
            }
            at = block
                .offset
                .checked_add(u64::from(block.stored))
                .filter(|&at| at <= end)
                .ok_or_else(|| damaged(format!("block {n} is outside of the pack")))?;
            sum += u64::from(block.bytes);
        }
        check_limit(path, "the unpacked size of all blocks", sum, total)?;
        self.check_groups(path)?;
        // A block that is referenced again is unpacked again.
        check_limit(path, "the unpacked size of all blocks", self.referenced_block_bytes().sum(), total)?;
        if let Some(number) = self.block_numbers(Profile::Full, |_| true).last()
            && self.block(*number).is_none()
        {
            return Err(damaged(format!("block {number} is missing")));
        }
        let manifest = self.manifest().map_err(|error| damaged(format!("its manifest: {error}")))?;
        Manifest::check(&manifest, path)?;
        if manifest.compute_content_id() != manifest.content_id {
            return Err(damaged("its content id is not that of its manifest".to_owned()));
        }
        let dimensions = manifest.model.as_ref().map_or(0, |model| model.dimensions);
        check_limit(path, "the number of dimensions of its vectors", u64::from(dimensions), limit::DIMENSIONS)?;
        let rows = |count: fn(&Group) -> u32| self.groups.iter().map(|group| u64::from(count(group))).sum::<u64>();
        let counts = [
            ("files", rows(|group| group.files)),
            ("symbols", rows(|group| group.symbols)),
            ("chunks", rows(|group| group.chunks)),
        ];
        for (table, count) in counts {
            check_limit(path, "the number of rows of a table", count, u64::from(u32::MAX))?;
            if manifest.rows(table) != count {
                return Err(damaged(format!("it has {count} {table}, its manifest declares {}", manifest.rows(table))));
            }
        }
        let mut paths: Vec<&str> = self.blobs.iter().map(|blob| blob.path.as_str()).collect();
        paths.sort_unstable();
        if paths.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(damaged("it contains a file twice".to_owned()));
        }
        self.blobs.iter().try_for_each(|blob| self.check_blob(path, blob))
    }

    /// Checks that every group has files, and that no block of rows would need too much memory.
    fn check_groups(&self, path: &Path) -> Result<()> {
        for bytes in self.unpacked_bytes(self.row_blocks()) {
            check_limit(path, "the unpacked size of a block of rows", bytes, limit::ROWS_BYTES)?;
        }
        if self.groups.iter().any(|group| group.files == 0) {
            return Err(Error::damaged(path, "a group has no files"));
        }
        Ok(())
    }

    /// The numbers of the blocks of rows, once for each reference.
    fn row_blocks(&self) -> impl Iterator<Item = &u32> {
        let groups = self.groups.iter().flat_map(|group| group.vectors.iter().chain([&group.source, &group.edges]));
        groups.chain(&self.externals)
    }

    /// The unpacked size of each block, once for each reference.
    fn referenced_block_bytes(&self) -> impl Iterator<Item = u64> {
        self.unpacked_bytes(
            self.row_blocks().chain(self.blobs.iter().flat_map(|blob| &blob.blocks)).chain([&self.skipped]),
        )
    }

    fn unpacked_bytes<'a>(&'a self, numbers: impl Iterator<Item = &'a u32>) -> impl Iterator<Item = u64> {
        numbers.filter_map(|&number| self.block(number)).map(|block| u64::from(block.bytes))
    }

    fn check_blob(&self, path: &Path, blob: &Blob) -> Result<()> {
        if !is_safe_relative_path(&blob.path) || Profile::of_file(&blob.path).is_none() {
            return Err(Error::damaged(path, format!("it contains '{}', which is not a file of an index", blob.path)));
        }
        let bytes: u64 = blob.blocks.iter().filter_map(|&number| self.block(number)).map(|b| u64::from(b.bytes)).sum();
        if bytes != blob.bytes {
            return Err(Error::damaged(path, format!("the blocks of '{}' do not have the file's size", blob.path)));
        }
        Ok(())
    }
}
