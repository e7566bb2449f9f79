//! The notation of types and values: the mark of what is built in, identifiers, brackets and separators. Must not know
//! what types or values mean.

/// A literal, or a type of the language itself.
pub const BUILT_IN: &str = "!";

/// Longer texts, in bytes, are unknown.
pub(super) const MAX_TEXT_BYTES: usize = 400;

/// Splits a text after the identifier with which it begins.
pub(super) fn split_identifier(text: &str) -> (&str, &str) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let hash = usize::from(text.starts_with('#'));
    let end = text[hash..].find(|c| !is_part(c)).map_or(text.len(), |at| at + hash);
    text.split_at(end)
}

/// The length of the bracketed text with which `text` begins, including both brackets. Brackets in quotes do not count.
pub(super) fn bracketed_len(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    let mut quote = None;
    let mut before = ' ';
    let is_angle = text.starts_with('<');
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open && before != '\\' => quote = None,
            (Some(_), _) => {}
            // An apostrophe may begin a lifetime: it opens a quote only if another one follows.
            (None, '"' | '`') => quote = Some(c),
            (None, '\'') if text[at + 1..].contains('\'') && !is_angle => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, '<') if is_angle => depth += 1,
            (None, '>') if is_angle && !matches!(before, '=' | '-') => depth = depth.checked_sub(1)?,
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        before = c;
        if depth == 0 {
            return (at > 0).then_some(at + c.len_utf8());
        }
    }
    None
}

/// Splits at a separator outside of brackets.
pub(super) fn split_top_level(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut before) = (Vec::new(), 0_i32, 0, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if matches!(before, '=' | '-') => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            c if c == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
        before = c;
    }
    parts.push(text[start..].trim());
    // `| A | B` begins with a separator.
    if parts.len() > 1 && parts[0].is_empty() {
        parts.remove(0);
    }
    parts
}
