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
mod block_decoder;
mod edges;
mod groups;
mod index;
pub mod limit;
mod open;
mod profile;
mod unpack;
mod write;

pub use block_decoder::BlockDecoder;
pub use index::{Blob, Block, PackIndex};
pub use open::{FOOTER_BYTES, Footer};
pub use profile::Profile;
pub use unpack::{BlockSource, read_index, unpack};
pub use write::{PackOptions, PackSummary, extract_blocks, pack};

/// Passes bytes to one of the pack's decoders, for the fuzzer; a decoder must return a result or an error for any
/// bytes.
#[doc(hidden)]
pub fn read_anything(reader: u8, bytes: &[u8]) {
    let path = std::path::Path::new("pack");
    let mut symbol_keys = sextant_format::keys::SymbolKeyTable::default();
    symbol_keys.add("r", "a", ["a", "x", "x"].into_iter());
    symbol_keys.add("r", "b", ["b"].into_iter());
    match reader % 7 {
        0 => {
            if let Ok(index) = block::from_bytes::<PackIndex>(bytes) {
                drop(index.check(path, 1 << 20, 1 << 24));
            }
        }
        1 => drop(block::source_from_bytes(bytes, sextant_format::ids::FirstIds::default())),
        2 => drop(edges::edges_from_bytes(bytes, sextant_format::ids::FileId::default(), 2, &symbol_keys)),
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
