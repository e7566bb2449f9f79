//! Unpacks stored blocks and verifies them. This module must not know what a block contains.

use sextant_format::digest::Digest;
use zstd::bulk::Decompressor;
use zstd::dict::DecoderDictionary;

use super::index::{Block, PackIndex};

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
