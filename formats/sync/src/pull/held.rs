//! Blocks that an older index holds: made again of its rows, and kept in a file until they are needed.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::pack::{Block, Opener, blocks_of};
use crate::{Error, Result};
use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::generation::Generation;
use sextant_format::mapped::read_at;
use sextant_format::publish::new_file;

/// The blocks, by hash, and where they lie in the file.
pub(super) struct Held {
    path: PathBuf,
    file: Option<std::fs::File>,
    opener: Opener,
    places: FxHashMap<[u8; 32], (u64, u32)>,
}

impl Held {
    /// Nothing.
    pub(super) fn nothing() -> Result<Self> {
        let opener = Opener::new(None).map_err(|what| Error::damaged(Path::new(""), what))?;
        Ok(Self { path: PathBuf::new(), file: None, opener, places: FxHashMap::default() })
    }

    /// What a generation holds of these blocks. A damaged generation holds less, and is no error.
    pub(super) fn of(generation: &Generation, needed: &[Block], folder: &Path) -> Result<Self> {
        let path = folder.join("held");
        let wanted: FxHashSet<[u8; 32]> = needed.iter().map(|block| block.hash).collect();
        let mut file = BufWriter::with_capacity(1 << 20, new_file(&path)?);
        let mut places = FxHashMap::default();
        let mut at = 0;
        let made = blocks_of(
            generation,
            |hash| wanted.contains(hash),
            |hash, bytes| {
                let stored = zstd::bulk::compress(&bytes, 1)?;
                file.write_all(&stored)?;
                let length = u32::try_from(stored.len()).unwrap_or(u32::MAX);
                places.insert(hash, (at, length));
                at += u64::from(length);
                Ok(())
            },
        );
        match made {
            // What was found until then is as good as its hash.
            Ok(()) | Err(Error::Format(sextant_format::Error::Damaged { .. })) => {}
            Err(error) => return Err(error),
        }
        file.flush()?;
        drop(file);
        Ok(Self { file: Some(fs_err::File::open(&path)?.into_parts().0), path, places, ..Self::nothing()? })
    }

    pub(super) fn has(&self, block: &Block) -> bool {
        self.places.contains_key(&block.hash)
    }

    /// The unpacked bytes of a block, where it is held.
    pub(super) fn get(&self, block: &Block) -> Result<Option<Vec<u8>>> {
        let (Some(file), Some(&(at, length))) = (&self.file, self.places.get(&block.hash)) else { return Ok(None) };
        let mut stored = vec![0; length as usize];
        read_at(file, &mut stored, at)?;
        self.opener.open(block, &stored).map(Some).map_err(|what| Error::damaged(&self.path, what))
    }
}
