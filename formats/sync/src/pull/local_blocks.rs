//! Blocks that an older index provides: they are encoded from its rows and stored in a file until they are needed.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::pack::{Block, BlockDecoder, extract_blocks};
use crate::{Error, Result};
use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::generation::Generation;
use sextant_format::mapped::read_at;
use sextant_format::publish::create_no_follow;

/// Locations of the blocks in the file, by hash.
pub(super) struct LocalBlocks {
    path: PathBuf,
    file: Option<std::fs::File>,
    decoder: BlockDecoder,
    locations: FxHashMap<[u8; 32], (u64, u32)>,
}

impl LocalBlocks {
    /// No blocks.
    pub(super) fn empty() -> Result<Self> {
        let decoder = BlockDecoder::new(None).map_err(|what| Error::damaged(Path::new(""), what))?;
        Ok(Self { path: PathBuf::new(), file: None, decoder, locations: FxHashMap::default() })
    }

    /// Encodes those of the needed blocks that a generation contains. A damaged generation provides fewer blocks, which
    /// is not an error.
    pub(super) fn from_generation(generation: &Generation, needed: &[Block], folder: &Path) -> Result<Self> {
        let path = folder.join("local");
        let wanted: FxHashSet<[u8; 32]> = needed.iter().map(|block| block.hash).collect();
        let mut file = BufWriter::with_capacity(1 << 20, create_no_follow(&path)?);
        let mut locations = FxHashMap::default();
        let mut at = 0;
        let result = extract_blocks(
            generation,
            |hash| wanted.contains(hash),
            |hash, bytes| {
                let stored = zstd::bulk::compress(&bytes, 1)?;
                file.write_all(&stored)?;
                let length = u32::try_from(stored.len()).unwrap_or(u32::MAX);
                locations.insert(hash, (at, length));
                at += u64::from(length);
                Ok(())
            },
        );
        match result {
            // Blocks found before the damage are verified by their hashes.
            Ok(()) | Err(Error::Format(sextant_format::Error::Damaged { .. })) => {}
            Err(error) => return Err(error),
        }
        file.flush()?;
        drop(file);
        Ok(Self { file: Some(fs_err::File::open(&path)?.into_parts().0), path, locations, ..Self::empty()? })
    }

    pub(super) fn contains(&self, block: &Block) -> bool {
        self.locations.contains_key(&block.hash)
    }

    /// The unpacked bytes of a block; none if the older index lacks it.
    pub(super) fn get(&self, block: &Block) -> Result<Option<Vec<u8>>> {
        let (Some(file), Some(&(at, length))) = (&self.file, self.locations.get(&block.hash)) else { return Ok(None) };
        let mut stored = vec![0; length as usize];
        read_at(file, &mut stored, at)?;
        self.decoder.decode(block, &stored).map(Some).map_err(|what| Error::damaged(&self.path, what))
    }
}
