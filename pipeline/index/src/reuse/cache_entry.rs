//! An entry that a build found or made, and which of the stores have it. Must not know what its bytes mean.

use arrow_buffer::Buffer;

use super::entry_store::Key;

/// An entry on its way into the `facts` of the index.
#[derive(Clone, Debug)]
pub(crate) struct CacheEntry {
    pub(crate) key: Key,
    pub(crate) value: Buffer,
    /// Whether the shared cache has it.
    pub(crate) is_in_shared_cache: bool,
    /// Whether the previous index has it.
    pub(crate) is_in_index: bool,
}
