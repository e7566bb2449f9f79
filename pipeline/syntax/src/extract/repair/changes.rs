//! What may stand at a place where a parser failed, so that it gets further: a word is read as a name, or a word or
//! lines are left out. Must not know languages, parsers or trees.
//!
//! A construct that a grammar lacks often costs the type or the file around it. All changes keep the length of the text
//! and its line breaks, so that names are read from the original.

use std::ops::Range;

/// Lines are left out up to this many, where a line opens brackets that it does not close.
const MAX_LINES: usize = 60;

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The bytes that may differ.
    pub(super) range: Range<usize>,
    /// What stands there instead.
    pub(super) replacement: Vec<u8>,
    /// Whether it leaves something out.
    pub(super) leaves_out: bool,
}

impl Change {
    /// The changed text.
    pub(super) fn apply(&self, text: &str) -> Option<String> {
        let mut bytes = text.as_bytes().to_vec();
        bytes.get_mut(self.range.clone())?.copy_from_slice(&self.replacement);
        String::from_utf8(bytes).ok()
    }

    fn word(text: &str, range: Range<usize>, with: u8) -> Self {
        let replacement = text.as_bytes()[range.clone()].iter().map(|&byte| if is_break(byte) { byte } else { with });
        Self { replacement: replacement.collect(), range, leaves_out: with == b' ' }
    }
}

/// The changes to try, the smallest first. The last usable token ends at `at`.
pub(super) fn changes(text: &str, at: usize) -> Vec<Change> {
    let bytes = text.as_bytes();
    let next = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let before = word_before(text, at);
    let after = word_at(text, next);
    let mut found: Vec<Change> = Vec::new();
    let mut add = |change: Change| {
        if text.as_bytes()[change.range.clone()] != change.replacement && !found.contains(&change) {
            found.push(change);
        }
    };
    if let Some(word) = before {
        add(Change::word(text, word.clone(), b'x'));
        add(Change::word(text, word, b' '));
    }
    if let Some(group) = group_before(text, at) {
        add(Change::word(text, group, b' '));
    }
    if let Some(word) = after {
        add(Change::word(text, word.clone(), b' '));
        add(Change::word(text, word, b'x'));
    }
    let line = line_around(text, next.min(text.len().saturating_sub(1)));
    add(without_lines(text, line.clone(), true));
    if let Some(lines) = balanced_lines(text, line.clone()) {
        add(without_lines(text, lines, false));
    }
    if line.start > 0 {
        add(without_lines(text, line_around(text, line.start - 1), true));
    }
    found
}

/// Leaves out lines; `keeps_open` keeps brackets without their other half.
fn without_lines(text: &str, range: Range<usize>, keeps_open: bool) -> Change {
    let part = &text.as_bytes()[range.clone()];
    let mut replacement: Vec<u8> = part.iter().map(|&byte| if is_break(byte) { byte } else { b' ' }).collect();
    if keeps_open {
        for at in unmatched(&text[range.clone()]) {
            replacement[at] = part[at];
        }
    }
    Change { range, replacement, leaves_out: true }
}

const fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word that ends at `at`, or before blanks of its line.
fn word_before(text: &str, at: usize) -> Option<Range<usize>> {
    let end = text[..at].trim_end_matches([' ', '\t']).len();
    let start = end - text[..end].chars().rev().take_while(|&c| is_word(c)).map(char::len_utf8).sum::<usize>();
    (start < end).then_some(start..end)
}

fn word_at(text: &str, at: usize) -> Option<Range<usize>> {
    let length = text[at..].chars().take_while(|&c| is_word(c)).map(char::len_utf8).sum::<usize>();
    (length > 0).then_some(at..at + length)
}

/// A word and its list of arguments that ends at `at`, within a line.
fn group_before(text: &str, at: usize) -> Option<Range<usize>> {
    let end = text[..at].trim_end_matches([' ', '\t']).len();
    let line = line_around(text, end.checked_sub(1)?);
    let mut depth = 0_usize;
    for (offset, byte) in text.as_bytes()[line.start..end].iter().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    let open = line.start + offset;
                    return Some(word_before(text, open).map_or(open, |word| word.start)..end);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn line_around(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |line| line + 1);
    start..memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |line| at + line)
}

/// The lines from one that opens brackets to the one that closes the last of them.
fn balanced_lines(text: &str, line: Range<usize>) -> Option<Range<usize>> {
    let mut depth = 0_i64;
    let mut at = line.start;
    for (number, part) in text[line.start..].split_inclusive('\n').take(MAX_LINES).enumerate() {
        depth += unmatched(part).iter().map(|&at| if is_open(part.as_bytes()[at]) { 1 } else { -1 }).sum::<i64>();
        at += part.len();
        if depth <= 0 {
            return (number > 0).then_some(line.start..at);
        }
    }
    None
}

const fn is_open(byte: u8) -> bool {
    matches!(byte, b'(' | b'[' | b'{')
}

/// The brackets of a text without their other half in it. Brackets in quotes of a line, and after `//`, do not count.
fn unmatched(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
            }
            quote @ (b'"' | b'\'' | b'`') => {
                let end = bytes[at + 1..].iter().position(|&byte| byte == quote || byte == b'\n');
                if let Some(end) = end.filter(|&end| bytes[at + 1 + end] == quote) {
                    at += end + 1;
                }
            }
            byte if is_open(byte) => open.push(at),
            b')' | b']' | b'}' if open.pop().is_none() => closed.push(at),
            _ => {}
        }
        at += 1;
    }
    closed.extend(open);
    closed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, at: usize) -> Vec<String> {
        changes(text, at).iter().map(|change| change.apply(text).unwrap()).collect()
    }

    #[test]
    fn small_changes_come_first() {
        let text = "a\n  final = true\nb";
        let expected = ["a\n  xxxxx = true\nb", "a\n        = true\nb", "a\n              \nb", " \n  final = true\nb"];
        assert_eq!(changed(text, 9), expected);
    }

    #[test]
    fn lines_are_left_out_with_what_they_open() {
        let text = "f {\n  if (a ? {\n    b(\"}\")\n  }\n}\n";
        let found = changed(text, text.find(" ?").unwrap());
        assert!(found.contains(&"f {\n     (    {\n    b(\"}\")\n  }\n}\n".to_owned()), "{found:?}");
        assert!(found.iter().all(|found| found.len() == text.len()));
    }

    #[test]
    fn any_place_of_any_text_has_changes_that_keep_its_length() {
        for text in ["", "}", "\n", "ä(b)\r\n{é", "a(\"", "x) y"] {
            for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                for change in changes(text, at) {
                    assert_eq!(change.apply(text).map(|changed| changed.len()), Some(text.len()), "{text:?} {at}");
                }
            }
        }
    }
}
