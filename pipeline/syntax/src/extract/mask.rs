//! Masks syntax that a grammar lacks: it is blanked, or replaced by what the grammar knows, before the parse. The masked text has the same length,
//! and names are still read from the original. The language's row lists its masks.

use tree_sitter::{InputEdit, Point};

use crate::chunk::LineIndex;
use crate::language::{Mask, Replacement};

/// Applies the masks; those with `retry` only if `retry` is set. Keeps line breaks, except those that a mask joins.
/// Returns `None` if nothing matches.
pub(super) fn mask(masks: &[Mask], retry: bool, text: &str) -> Option<String> {
    let mut out: Option<Vec<u8>> = None;
    for mask in masks.iter().filter(|mask| retry || !mask.retry) {
        let mut at = 0;
        // Each mask applies to the output of those before it.
        let input = out.as_ref().map(|out| String::from_utf8_lossy(out).into_owned());
        let input = input.as_deref().unwrap_or(text);
        let mut masked = Vec::new();
        let has_group = mask.pattern.captures_len() > 1;
        while at <= input.len()
            && let Some(whole) = mask.pattern.find_at(input, at)
        {
            at = whole.end();
            if mask.replacement == Replacement::Quote {
                if let Some(length) = input[whole.end()..].find(whole.as_str()) {
                    at = whole.end() + length + whole.len();
                    masked.push(whole.start()..at);
                }
                continue;
            }
            // Finding a match is much cheaper than finding its groups.
            let groups = has_group.then(|| mask.pattern.captures_at(input, whole.start())).flatten();
            masked.push(groups.and_then(|found| found.get(1)).unwrap_or(whole).range());
            if whole.is_empty() {
                at += input[at..].chars().next().map_or(1, char::len_utf8);
            }
        }
        if masked.is_empty() {
            continue;
        }
        let mut bytes = out.take().unwrap_or_else(|| text.as_bytes().to_vec());
        for range in masked {
            let last = range.end.saturating_sub(1);
            for at in range.clone() {
                if mask.replacement == Replacement::Join {
                    if matches!(bytes[at], b'\n' | b'\r') {
                        bytes[at] = b' ';
                    }
                } else if !matches!(bytes[at], b'\n' | b'\r') {
                    bytes[at] = match mask.replacement {
                        Replacement::Quote if at == range.start || at == last => b'\'',
                        Replacement::Semicolon if at == last => b';',
                        _ => b' ',
                    };
                }
            }
        }
        out = Some(bytes);
    }
    // Matches consist of whole characters, so the result is UTF-8.
    out.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// The differences between two texts of the same length, as edits for the parser.
pub(super) fn edits(before: &str, after: &str, lines: &LineIndex<'_>) -> Vec<InputEdit> {
    let point = |byte: usize| {
        let (line, column) = lines.position(byte);
        Point { row: line as usize - 1, column: column as usize }
    };
    let mut edits: Vec<InputEdit> = Vec::new();
    let differing = before.bytes().zip(after.bytes()).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at);
    for at in differing {
        match edits.last_mut() {
            // Small gaps are blanks inside masked text.
            Some(last) if at - last.old_end_byte < MAX_EDIT_GAP_BYTES => {
                (last.old_end_byte, last.new_end_byte) = (at + 1, at + 1);
            }
            _ => edits.push(InputEdit {
                start_byte: at,
                old_end_byte: at + 1,
                new_end_byte: at + 1,
                start_position: point(at),
                old_end_position: Point::default(),
                new_end_position: Point::default(),
            }),
        }
    }
    for edit in &mut edits {
        edit.old_end_position = point(edit.old_end_byte);
        edit.new_end_position = edit.old_end_position;
    }
    edits
}

/// Differences with a smaller gap between them, in bytes, are one edit.
const MAX_EDIT_GAP_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    fn edits_cover_the_differences() {
        let (before, after) = ("a GO\nb\n0123456789012345678 X Y", "a   \nb\n0123456789012345678    ");
        let found = edits(before, after, &LineIndex::new(before));
        let positions: Vec<_> = found.iter().map(|e| (e.start_byte, e.old_end_byte, e.start_position.row)).collect();
        assert_eq!(positions, [(2, 4, 0), (27, 30, 2)]);
        assert!(edits(before, before, &LineIndex::new(before)).is_empty());
    }

    fn masked(pattern: &str, replacement: Replacement, text: &str) -> Option<String> {
        mask(&[Mask { pattern: Regex::new(pattern).unwrap(), replacement, retry: false }], false, text)
    }

    #[test]
    fn masked_text_keeps_its_length_and_lines() {
        use Replacement::{Blank, Join, Quote, Semicolon};
        assert_eq!(masked(r"\bGO\b", Blank, "a\nGO\nb").as_deref(), Some("a\n  \nb"));
        assert_eq!(masked(r"use (\w+);", Blank, "use é;x").as_deref(), Some("use   ;x"));
        assert_eq!(masked(r"\$\w*\$", Quote, "as $a$ x\n$b$ $a$;").as_deref(), Some("as '    \n      ';"));
        assert_eq!(masked(r"\$\w*\$", Quote, "as $a$ x"), None);
        assert_eq!(masked(r"\n( +)<", Semicolon, "a\n  <b>").as_deref(), Some("a\n ;<b>"));
        assert_eq!(
            masked(r"class \w+(\s+)constructor", Join, "class A\n  constructor\n").as_deref(),
            Some("class A   constructor\n")
        );
        assert_eq!(masked("z", Blank, "abc"), None);
    }
}
