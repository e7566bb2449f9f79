//! The events of an engine of highlighting to spans, line by line.

use tree_sitter_highlight::{Error, HighlightEvent};

use crate::classes;

/// A part of a line with one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The line, from 1.
    pub line: u32,
    /// Where it begins: the offset in the line in bytes.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// The class: `keyword`, `string` and so on.
    pub class: &'static str,
}

/// Returns the spans of a text. Where the engine fails, the text behind has none.
pub(crate) fn spans(text: &str, events: impl Iterator<Item = Result<HighlightEvent, Error>>) -> Vec<Span> {
    let mut spans = Spans { text: text.as_bytes(), found: Vec::new(), line: 1, line_start: 0 };
    let mut open: Vec<Option<&'static str>> = Vec::new();
    for event in events.map_while(Result::ok) {
        match event {
            HighlightEvent::HighlightStart(highlight) => {
                open.push(classes::NAMES.get(highlight.0).and_then(|&(_, class)| class));
            }
            HighlightEvent::HighlightEnd => {
                open.pop();
            }
            HighlightEvent::Source { start, end } => spans.add(start, end, open.last().copied().flatten()),
        }
    }
    spans.found
}

struct Spans<'t> {
    text: &'t [u8],
    found: Vec<Span>,
    /// The line at which the last part ended, and the offset of its first byte.
    line: u32,
    line_start: usize,
}

impl Spans<'_> {
    /// Adds a part of the text, which follows the parts before.
    fn add(&mut self, start: usize, end: usize, class: Option<&'static str>) {
        let mut from = start;
        while from < end {
            let rest = self.text.get(from..end).unwrap_or_default();
            let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            if let Some(class) = class {
                self.push(from, from + length, class);
            }
            if length == rest.len() {
                return;
            }
            from += length + 1;
            self.line = self.line.saturating_add(1);
            self.line_start = from;
        }
    }

    fn push(&mut self, start: usize, end: usize, class: &'static str) {
        let column = |offset: usize| u32::try_from(offset - self.line_start).unwrap_or(u32::MAX);
        let (line, start, mut end) = (self.line, column(start), column(end));
        // A carriage return before the line break is not part of the line.
        if end > start && self.text.get(self.line_start + end as usize - 1) == Some(&b'\r') {
            end -= 1;
        }
        match self.found.last_mut() {
            Some(last) if last.line == line && last.end == start && last.class == class => last.end = end,
            _ if start < end => self.found.push(Span { line, start, end, class }),
            _ => {}
        }
    }
}
