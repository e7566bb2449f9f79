//! Documents that the editor has open, with their unsaved text.

use lsp_types::TextDocumentContentChangeEvent;

use sextant_protocol::Encoding;

/// The text of an open document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) text: String,
}

impl Document {
    /// Applies changes in their order. A range outside of the text is cut.
    pub(crate) fn change(&mut self, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let start = self.offset(range.start.line, range.start.character, encoding);
                    let end = self.offset(range.end.line, range.end.character, encoding).max(start);
                    self.text.replace_range(start..end, &change.text);
                }
            }
        }
    }

    fn offset(&self, line: u32, column: u32, encoding: Encoding) -> usize {
        let mut start = 0;
        for _ in 0..line {
            match self.text[start..].find('\n') {
                Some(at) => start += at + 1,
                None => return self.text.len(),
            }
        }
        let rest = &self.text[start..];
        let text = rest.split('\n').next().unwrap_or(rest);
        start + encoding.byte(text.strip_suffix('\r').unwrap_or(text), column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    #[test]
    fn changes_are_applied_in_order() {
        let mut document = Document { text: "one\ntwö\r\nthree".to_owned() };
        let change = |start: (u32, u32), end: (u32, u32), text: &str| TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1))),
            range_length: None,
            text: text.to_owned(),
        };
        document.change(vec![change((1, 2), (1, 3), "o"), change((0, 0), (1, 0), "")], Encoding::Utf16);
        assert_eq!(document.text, "two\r\nthree");
        document.change(vec![change((0, 99), (0, 99), "!"), change((9, 9), (9, 9), "?")], Encoding::Utf8);
        assert_eq!(document.text, "two!\r\nthree?");
        document.change(vec![change((1, 5), (0, 0), "x")], Encoding::Utf16);
        assert_eq!(document.text, "two!\r\nthreex?");
    }
}
