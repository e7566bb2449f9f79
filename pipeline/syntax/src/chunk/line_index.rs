//! A text into its lines: their bytes, and the line and column of a byte. Must not know what is in them.

/// The lines of a text with their byte offsets.
pub struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of a text. A final line break does not start another line.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(at, _)| at + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self { text, starts }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The number of lines.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// Line (from 1) and column (in bytes, from 0) of a byte of the text.
    #[must_use]
    pub fn position(&self, byte: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= byte).max(1);
        let column = byte.saturating_sub(self.starts.get(line - 1).copied().unwrap_or(0));
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (number(line), number(column))
    }

    pub(crate) fn start(&self, line: u32) -> usize {
        self.starts.get(line as usize - 1).copied().unwrap_or(self.text.len())
    }

    /// Lines `first` to `last`, inclusive, with the final line break.
    pub(super) fn slice(&self, first: u32, last: u32) -> &'a str {
        &self.text[self.start(first)..self.start(last + 1)]
    }

    pub(super) fn line(&self, line: u32) -> &'a str {
        self.slice(line, line).trim_end_matches(['\n', '\r'])
    }

    pub(super) fn is_blank(&self, line: u32) -> bool {
        self.line(line).trim().is_empty()
    }
}
