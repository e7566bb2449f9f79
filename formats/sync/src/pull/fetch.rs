//! Fetches missing blocks of a pack into one file.
//!
//! The file has a slot for each block. A block that an earlier pull of the same pack stored, and that matches its hash,
//! is not fetched again.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::pack::{Block, BlockDecoder, Footer};
use crate::remote::Object;
use rustc_hash::FxHashMap;
use sextant_format::mapped::{read_at, write_at};
use sextant_format::publish::{create_no_follow, open_no_follow};

use super::report::Reporter;
use crate::Result;

/// Maximum bytes of one request, unless a single block is larger.
const MAX_RANGE_BYTES: u64 = 4 << 20;
/// Maximum gap between two blocks that are fetched with one request: many requests run at once, and bytes dominate the
/// time of an update.
const MAX_GAP_BYTES: u64 = 4 << 10;

/// Blocks in a file.
pub(super) struct FetchedBlocks {
    path: PathBuf,
    file: std::fs::File,
    locations: FxHashMap<[u8; 32], u64>,
    /// Number of bytes fetched.
    pub(super) bytes: u64,
    /// Number of blocks that an earlier pull had fetched.
    pub(super) resumed: usize,
}

impl FetchedBlocks {
    /// Fetches the needed blocks, in the order of the pack.
    pub(super) fn fetch(
        object: &Object,
        footer: &Footer,
        decoder: &BlockDecoder,
        needed: &[Block],
        folder: &Path,
        parallel: usize,
        report: &impl Reporter,
    ) -> Result<Self> {
        // Another pack has other slots, whose contents then fail the hash check.
        let path = folder.join(format!("{}.blocks", &footer.index_hash.to_hex()[..32]));
        let file = open_no_follow(&path)?;
        let mut fetched = Self { path, file, locations: FxHashMap::default(), bytes: 0, resumed: 0 };
        let mut at = 0;
        for block in needed {
            fetched.locations.insert(block.hash, at);
            at += u64::from(block.stored);
        }
        if fetched.file.metadata()?.len() > at {
            fetched.file.set_len(at)?;
        }
        let is_intact =
            |block: &&Block| fetched.stored(block).is_ok_and(|stored| decoder.decode(block, &stored).is_ok());
        let is_resumed = fetched.file.metadata()?.len() > 0;
        let (present, missing): (Vec<&Block>, Vec<&Block>) =
            needed.iter().partition(|block| is_resumed && is_intact(block));
        fetched.resumed = present.len();
        report.stage("fetch", Some(missing.iter().map(|block| u64::from(block.stored)).sum()));
        let parts = coalesce_ranges(&missing);
        let ranges: Vec<Range<u64>> = parts.iter().map(|(range, _)| range.clone()).collect();
        let mut bytes = 0;
        object.fetch_ranges(&ranges, parallel, |number, part| {
            bytes += part.len() as u64;
            let (range, blocks) = &parts[number];
            for block in blocks {
                let from = usize::try_from(block.offset - range.start).unwrap_or(usize::MAX);
                let stored = part.get(from..).and_then(|rest| rest.get(..block.stored as usize)).unwrap_or(&[]);
                if let Err(what) = decoder.decode(block, stored) {
                    return Ok(Err(format!("the block at byte {}: {what}", block.offset)));
                }
                write_at(&fetched.file, stored, fetched.locations[&block.hash])?;
                report.step(stored.len() as u64);
            }
            Ok(Ok(()))
        })?;
        fetched.bytes = bytes;
        Ok(fetched)
    }

    /// The stored bytes of a block.
    pub(super) fn stored(&self, block: &Block) -> Result<Vec<u8>> {
        let missing = || crate::Error::damaged(&self.path, "a block is missing");
        let mut stored = vec![0; block.stored as usize];
        read_at(&self.file, &mut stored, *self.locations.get(&block.hash).ok_or_else(missing)?)?;
        Ok(stored)
    }
}

/// Groups blocks that are close to each other into ranges for one request each.
fn coalesce_ranges<'a>(blocks: &[&'a Block]) -> Vec<(Range<u64>, Vec<&'a Block>)> {
    let mut parts: Vec<(Range<u64>, Vec<&Block>)> = Vec::new();
    for block in blocks {
        let end = block.offset + u64::from(block.stored);
        match parts.last_mut() {
            Some((range, blocks))
                if block.offset <= range.end + MAX_GAP_BYTES && end - range.start <= MAX_RANGE_BYTES =>
            {
                range.end = end;
                blocks.push(block);
            }
            _ => parts.push((block.offset..end, vec![block])),
        }
    }
    parts
}

/// Fetches a whole pack into a file, from a server without range requests. `max_bytes` limits its size.
pub(super) fn fetch_whole_pack(
    object: &Object,
    folder: &Path,
    max_bytes: u64,
    report: &impl Reporter,
) -> Result<PathBuf> {
    use std::io::Write as _;
    let path = folder.join("whole.sxt");
    report.stage("fetch", None);
    let mut file = create_no_follow(&path)?;
    let mut all = 0;
    object.stream(|bytes| {
        all += bytes.len() as u64;
        if all > max_bytes {
            let what = format!("it sends more than {max_bytes} bytes, the limit of a pack");
            return Err(crate::remote::Error::Network { location: object.location().to_owned(), what });
        }
        report.step(bytes.len() as u64);
        Ok(file.write_all(&bytes)?)
    })?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearby_blocks_are_fetched_together() {
        let block = |offset, stored| Block { offset, stored, bytes: 1, hash: [0; 32] };
        let blocks = [block(8, 100), block(108, 50), block(1000, 10), block(1 << 20, 10), block(5 << 20, 9 << 20)];
        let blocks: Vec<&Block> = blocks.iter().collect();
        let found: Vec<_> = coalesce_ranges(&blocks).into_iter().map(|(range, blocks)| (range, blocks.len())).collect();
        assert_eq!(found, [(8..1010, 3), (1 << 20..(1 << 20) + 10, 1), (5 << 20..14 << 20, 1)]);
    }
}
