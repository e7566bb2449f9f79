//! The current text of a file, compared with its text in the index.

use sextant_format::digest::Digest;
use sextant_format::tables::FileRow;
use sextant_search::{Index, Result, SourceReader};

use crate::line_map::LineMap;

/// A file's text of now, and where the lines of the index are in it. Lines count from 0.
#[derive(Debug)]
pub struct CurrentText {
    text: String,
    /// Where each line starts.
    starts: Vec<usize>,
    /// Where the lines of the index are now, if the text differs from that of the index.
    moved: Option<LineMap>,
}

impl CurrentText {
    /// Compares the bytes of a file with the index; the texts are compared only if the digests differ.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn new(index: &Index, row: &FileRow, bytes: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
        let starts = std::iter::once(0).chain(ends).take_while(|&start| start < text.len()).collect();
        if Digest::hash_bytes(bytes) == row.content_hash {
            return Ok(Self { text, starts, moved: None });
        }
        let indexed = SourceReader::new(index).text_of(row.file_id)?;
        let indexed = indexed.map_or_else(String::new, |indexed| indexed.text(1, indexed.last_line()));
        let moved = LineMap::new(&text.lines().collect::<Vec<_>>(), &indexed.lines().collect::<Vec<_>>());
        Ok(Self { text, starts, moved: Some(moved) })
    }

    /// Whether the text is that of the index.
    #[must_use]
    pub const fn is_as_indexed(&self) -> bool {
        self.moved.is_none()
    }

    /// A line of the current text, without its end; empty if there is no such line.
    #[must_use]
    pub fn line(&self, now: u32) -> &str {
        let at = usize::try_from(now).unwrap_or(usize::MAX);
        let Some(&start) = self.starts.get(at) else { return "" };
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        let line = &self.text[start..end];
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// The number of lines of the current text.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// The line of the index that a line is now; `None` if it was edited.
    #[must_use]
    pub fn indexed_line(&self, now: u32) -> Option<u32> {
        self.moved.as_ref().map_or(Some(now), |map| map.indexed(now))
    }

    /// The line that a line of the index is now; `None` if it was edited.
    #[must_use]
    pub fn line_now(&self, indexed: u32) -> Option<u32> {
        self.moved.as_ref().map_or(Some(indexed), |map| map.now(indexed))
    }

    /// The lines that a range of lines of the index is now: from the first to the last that remains.
    #[must_use]
    pub fn lines_now(&self, first: u32, last: u32) -> Option<(u32, u32)> {
        let Some(map) = &self.moved else { return Some((first, last)) };
        let (first, last) = (map.now_or_after(first)?, map.now_or_before(last)?);
        (first <= last).then_some((first, last))
    }
}
