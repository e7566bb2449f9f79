//! Decompressed pages of a table that are kept for the next reads. Must not know how they are read.

use std::sync::{Mutex, PoisonError};

use parquet::column::page::Page;
use rustc_hash::FxHashMap;

/// Bytes of the pages of a table that are kept. A page for which there is no room replaces all others.
const MAX_BYTES: usize = 8 << 20;
/// A larger page is not kept.
const MAX_PAGE_BYTES: usize = MAX_BYTES / 8;

/// Decompressed pages of a table, by their offsets in the file.
#[derive(Default)]
pub(super) struct KeptPages(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    pages: FxHashMap<u64, Page>,
    bytes: usize,
}

impl KeptPages {
    pub(super) fn get(&self, offset: u64) -> Option<Page> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pages.get(&offset).cloned()
    }

    pub(super) fn keep(&self, offset: u64, page: &Page) {
        let bytes = page.buffer().len();
        if bytes > MAX_PAGE_BYTES {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Two threads may have read the same page.
        if kept.pages.contains_key(&offset) {
            return;
        }
        if kept.bytes + bytes > MAX_BYTES {
            *kept = Kept::default();
        }
        kept.bytes += bytes;
        kept.pages.insert(offset, page.clone());
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use parquet::basic::Encoding;

    use super::*;

    fn page(bytes: usize) -> Page {
        Page::DictionaryPage {
            buf: Bytes::from(vec![0; bytes]),
            num_values: 1,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        }
    }

    #[test]
    fn few_bytes_are_kept() {
        let kept = KeptPages::default();
        let is_kept = |offset| kept.get(offset).is_some();
        kept.keep(0, &page(MAX_PAGE_BYTES + 1));
        assert!(!is_kept(0));
        for offset in 1..=8 {
            kept.keep(offset, &page(MAX_PAGE_BYTES));
            kept.keep(offset, &page(MAX_PAGE_BYTES));
        }
        assert!((1..=8).all(is_kept));
        kept.keep(9, &page(1));
        assert!(is_kept(9) && !(1..=8).any(is_kept));
    }
}
