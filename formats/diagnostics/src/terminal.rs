//! Sanitises output for terminals. Indexed text is untrusted and must not control the terminal; our own colours and links
//! are kept.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes the control characters of a text, except for line breaks, tabs, colours (SGR) and links (OSC 8). The escapes
/// are those of JSON, so that JSON remains valid.
#[must_use]
pub fn sanitise(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_control) {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let allowed = allowed_sequence(rest);
        if allowed > 0 {
            out.push_str(&rest[..allowed]);
            rest = &rest[allowed..];
        } else {
            let mut chars = rest.chars();
            let control = chars.next().map_or(0, u32::from);
            let _ = write!(out, "\\u{control:04x}");
            rest = chars.as_str();
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn is_control(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}

/// Returns the length in bytes of the colour or link sequence at the start of a text; 0 if there is none.
fn allowed_sequence(text: &str) -> usize {
    if let Some(rest) = text.strip_prefix("\u{1b}[") {
        let numbers = rest.find(|c: char| !c.is_ascii_digit() && c != ';' && c != ':').unwrap_or(rest.len());
        return if rest[numbers..].starts_with('m') { "\u{1b}[".len() + numbers + 1 } else { 0 };
    }
    let begin = "\u{1b}]8;;";
    let Some(rest) = text.strip_prefix(begin) else { return 0 };
    let url_len = rest.find(char::is_control).unwrap_or(rest.len());
    let end = "\u{1b}\\";
    if rest[url_len..].starts_with(end) { begin.len() + url_len + end.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_and_links_are_kept() {
        for kept in [
            "a\tb\nc",
            "\u{1b}[1m\u{1b}[38;5;2mname\u{1b}[0m",
            "\u{1b}]8;;file:///a%20b.rs\u{1b}\\a b.rs\u{1b}]8;;\u{1b}\\",
        ] {
            assert_eq!(sanitise(kept), kept);
        }
        for (text, expected) in [
            ("\u{1b}]52;c;aGk=\u{7}", "\\u001b]52;c;aGk=\\u0007"),
            ("\u{1b}[2Jx\u{1b}[", "\\u001b[2Jx\\u001b["),
            ("\u{1b}]8;;http://x\u{7}y", "\\u001b]8;;http://x\\u0007y"),
            ("a\rb\u{9b}31m\u{7f}\0", "a\\u000db\\u009b31m\\u007f\\u0000"),
            ("\u{e4}\u{1b}", "\u{e4}\\u001b"),
        ] {
            assert_eq!(sanitise(text), expected);
        }
    }
}
