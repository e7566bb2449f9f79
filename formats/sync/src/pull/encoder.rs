//! The files of the encoder, which most indexes have in common: what another index on this machine has is linked instead
//! of fetched.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use sextant_format::digest::{Digest, hash_file};
use sextant_format::generation::{Generation, part};
use sextant_format::publish::link_or_copy_file;

use crate::Result;
use crate::pack::{Blob, PackIndex};

/// The folder of the links, below the folder for blocks.
const FOLDER: &str = "encoder";

/// Files of a pack that other indexes have, by their hashes.
pub(super) struct LinkedEncoder {
    files: FxHashMap<[u8; 32], PathBuf>,
}

impl LinkedEncoder {
    /// Links those files of the encoder of a pack that one of the generations has into `folder`, where they stay when
    /// their index is removed. A file that is damaged or gone is left out.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(super) fn of_pack<'a>(
        index: &PackIndex,
        generations: impl Iterator<Item = &'a Generation> + Clone,
        folder: &Path,
    ) -> Result<Self> {
        let links = folder.join(FOLDER);
        // What an interrupted pull has left.
        if links.exists() {
            fs_err::remove_dir_all(&links)?;
        }
        fs_err::create_dir_all(links.join(part::MODEL))?;
        let mut files = FxHashMap::default();
        for blob in index.blobs().iter().filter(|blob| is_of_encoder(blob)) {
            let wanted = Digest(blob.blake3);
            let has = |generation: &&Generation| {
                let mut entries = generation.manifest().files.iter();
                entries.any(|entry| entry.path == blob.path && entry.blake3 == wanted.to_hex())
            };
            let to = links.join(&blob.path);
            for generation in generations.clone().filter(has) {
                let linked = link_or_copy_file(generation.root(), &links, &blob.path);
                if linked.is_ok() && hash_file(&to).is_ok_and(|(found, _)| found == wanted) {
                    files.insert(blob.blake3, to);
                    break;
                }
                drop(fs_err::remove_file(&to));
            }
        }
        Ok(Self { files })
    }

    /// Where a file is; none if no other index has it.
    pub(super) fn path(&self, blob: &Blob) -> Option<&Path> {
        self.files.get(&blob.blake3).map(PathBuf::as_path)
    }
}

/// Whether a file is one of the encoder. Its path has no further folders, so that links need none.
fn is_of_encoder(blob: &Blob) -> bool {
    blob.path.split_once('/').is_some_and(|(folder, name)| folder == part::MODEL && !name.contains('/'))
}
