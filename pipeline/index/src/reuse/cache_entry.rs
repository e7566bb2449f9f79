//! A cache entry that a build used or created, and which stores already contain it. This module must not know what its
//! bytes mean.

use arrow_buffer::Buffer;

use super::entry_store::Key;

/// An entry to be written to the part `facts` of the index.
#[derive(Clone, Debug)]
pub(crate) struct CacheEntry {
    pub(crate) key: Key,
    pub(crate) value: Buffer,
    /// Whether the new index keeps it.
    pub(crate) is_for_index: bool,
    /// Whether the shared cache already contains it.
    pub(crate) is_in_shared_cache: bool,
    /// Whether the previous index contains it.
    pub(crate) is_in_index: bool,
}

impl CacheEntry {
    /// An entry that no store contains yet.
    pub(crate) fn new(key: Key, value: Vec<u8>, is_for_index: bool) -> Self {
        Self { key, value: Buffer::from_vec(value), is_for_index, is_in_shared_cache: false, is_in_index: false }
    }
}
