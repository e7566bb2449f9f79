//! Results as a terminal may be given them. What is indexed is anybody's text: nothing of it may steer the terminal, while
//! colours and links of our own pass.

use std::borrow::Cow;
use std::fmt::Write;

/// A text with everything that would control a terminal spelled out, but for line breaks, tabs, colours (SGR) and links
/// (OSC 8). What is spelled out is so as JSON would, so that JSON stays what it is.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_control) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let own = own_sequence(rest);
        if own > 0 {
            out.push_str(&rest[..own]);
            rest = &rest[own..];
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

/// The length in bytes of the colour or the link that a text begins with; 0 where there is none.
fn own_sequence(text: &str) -> usize {
    if let Some(rest) = text.strip_prefix("\u{1b}[") {
        let numbers = rest.find(|c: char| !c.is_ascii_digit() && c != ';' && c != ':').unwrap_or(rest.len());
        return if rest[numbers..].starts_with('m') { "\u{1b}[".len() + numbers + 1 } else { 0 };
    }
    let begin = "\u{1b}]8;;";
    let Some(rest) = text.strip_prefix(begin) else { return 0 };
    let address = rest.find(char::is_control).unwrap_or(rest.len());
    let end = "\u{1b}\\";
    if rest[address..].starts_with(end) { begin.len() + address + end.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_links_pass_and_nothing_else_does() {
        for passes in [
            "a\tb\nc",
            "\u{1b}[1m\u{1b}[38;5;2mname\u{1b}[0m",
            "\u{1b}]8;;file:///a%20b.rs\u{1b}\\a b.rs\u{1b}]8;;\u{1b}\\",
        ] {
            assert_eq!(shown(passes), passes);
        }
        for (text, expected) in [
            ("\u{1b}]52;c;aGk=\u{7}", "\\u001b]52;c;aGk=\\u0007"),
            ("\u{1b}[2Jx\u{1b}[", "\\u001b[2Jx\\u001b["),
            ("\u{1b}]8;;http://x\u{7}y", "\\u001b]8;;http://x\\u0007y"),
            ("a\rb\u{9b}31m\u{7f}\0", "a\\u000db\\u009b31m\\u007f\\u0000"),
            ("\u{e4}\u{1b}", "\u{e4}\\u001b"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }
}
