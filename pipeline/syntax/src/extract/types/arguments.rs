//! The number of arguments of a call, by its text.

use super::notation::bracketed_len;

/// Longer argument lists, in bytes, are not counted.
const MAX_ARGUMENT_LIST_BYTES: usize = 4_000;

/// The number of arguments in the parentheses with which a text begins, possibly after type arguments.
pub(crate) fn argument_count(text: &str) -> Option<usize> {
    let mut text = text.trim_start();
    if text.starts_with('<') {
        text = text[bracketed_len(&text[..text.floor_char_boundary(MAX_ARGUMENT_LIST_BYTES)])?..].trim_start();
    }
    // Only ASCII characters matter, and UTF-8 never uses their bytes in other characters. `<` is a comparison as often
    // as a bracket, and is ignored.
    let bytes = &text.as_bytes()[..text.len().min(MAX_ARGUMENT_LIST_BYTES)];
    let (mut depth, mut commas, mut since_comma, mut any) = (0_u32, 0, false, false);
    let mut quote = None;
    let mut before = b' ';
    for (at, &c) in bytes.iter().enumerate() {
        match (quote, c) {
            (Some(open), _) if c == open && before != b'\\' => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'`') => quote = Some(c),
            // An apostrophe may begin a lifetime: it opens a quote only if another one follows.
            (None, b'\'') if bytes[at + 1..].contains(&b'\'') => quote = Some(c),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            (None, b',') if depth == 1 => {
                commas += 1;
                since_comma = false;
                before = c;
                continue;
            }
            _ => {}
        }
        before = c;
        match depth {
            0 if at == 0 => return None,
            // A trailing comma does not add an argument.
            0 => return Some(commas + usize::from(since_comma || commas == 0 && any)),
            _ if at > 0 && !c.is_ascii_whitespace() => (since_comma, any) = (true, true),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_counted() {
        for (text, expected) in [
            ("()", Some(0)),
            ("( )", Some(0)),
            ("(a)", Some(1)),
            ("(a, b(c, d), [e, f])", Some(3)),
            ("(a,\n b,\n)", Some(2)),
            ("<T, U>(a < b, c > d)", Some(2)),
            ("(\",)\", ',')", Some(2)),
            ("(x, 'a, ü)", Some(3)),
            ("(a", None),
            ("a(b)", None),
            ("", None),
        ] {
            assert_eq!(argument_count(text), expected, "{text}");
        }
    }
}
