//! The current text of a file, compared with its text in the index.

use sextant_format::digest::Digest;
use sextant_format::tables::FileRow;
use sextant_search::{Index, Result, SourceReader};

use crate::line_map::LineMap;

/// A file's text of now, and where the lines of the index are in it. Lines count from 0.
#[derive(Debug)]
pub struct CurrentText {
    lines: Vec<String>,
    /// Where the lines of the index are now, if the text differs from that of the index.
    moved: Option<LineMap>,
}

impl CurrentText {
    /// Compares the bytes of a file with the index; the texts are compared only if the digests differ.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn new(index: &Index, row: &FileRow, bytes: &[u8]) -> Result<Self> {
        let lines: Vec<String> = String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
        if Digest::hash_bytes(bytes) == row.content_hash {
            return Ok(Self { lines, moved: None });
        }
        let text = SourceReader::new(index).text_of(row.file_id)?;
        let indexed = text.map_or_else(String::new, |text| text.text(1, text.last_line()));
        let now: Vec<&str> = lines.iter().map(String::as_str).collect();
        let moved = Some(LineMap::new(&now, &indexed.lines().collect::<Vec<_>>()));
        Ok(Self { lines, moved })
    }

    /// Whether the text is that of the index.
    #[must_use]
    pub const fn is_as_indexed(&self) -> bool {
        self.moved.is_none()
    }

    /// A line of the current text; empty if there is no such line.
    #[must_use]
    pub fn line(&self, now: u32) -> &str {
        usize::try_from(now).ok().and_then(|line| self.lines.get(line)).map_or("", String::as_str)
    }

    /// The number of lines of the current text.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
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
