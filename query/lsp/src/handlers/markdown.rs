//! Text of an index as Markdown of the protocol. The text is untrusted: it fetches nothing and ends nothing that is around
//! it.

/// Code within a line: a name or a path.
pub(super) fn code_span(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let line: String = code.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // A backtick at an end would be one of the fence.
    let space = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{line}{space}{fence}")
}

/// Code as a block. Its fence is longer than any in the code.
pub(super) fn code_block(language: &str, code: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-' | '#');
    let language = if language.chars().all(is_name) { language } else { "" };
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}")
}

/// Documentation, at most `max_lines` of it: an image becomes a link, because an editor would fetch it, and a block of code
/// that does not end does so here.
pub(super) fn documentation(doc: &str, max_lines: usize) -> String {
    // Code such as vec![1, 2] stays as it is unless something follows that may be the target of an image.
    let has_target = doc.split(']').skip(1).any(|after| after.trim_start().starts_with(['(', '[', ':']));
    let defused = |line: &str| if has_target { line.replace("![", "!\u{200c}[") } else { line.to_owned() };
    let mut lines: Vec<String> = doc.lines().take(max_lines).map(defused).collect();
    let mut open: Option<&str> = None;
    for line in doc.lines().take(max_lines) {
        let text = line.trim_start();
        let fence = &text[..text.len() - text.trim_start_matches(text.chars().next().unwrap_or(' ')).len()];
        if !fence.starts_with("```") && !fence.starts_with("~~~") {
            continue;
        }
        open = match open {
            None => Some(fence),
            Some(begun) if fence.starts_with(begun) && text.trim_end() == fence => None,
            begun => begun,
        };
    }
    lines.extend(open.map(str::to_owned));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_nothing_around_it_and_fetches_nothing() {
        assert_eq!(code_block("rust", "fn f()"), "```rust\nfn f()\n```");
        assert_eq!(code_block("", "a ```` b"), "`````\na ```` b\n`````");
        assert_eq!(code_block("x\n![", "a"), "```\na\n```");
        assert_eq!(code_span("![x](https:/e.org/p.png).py"), "`![x](https:/e.org/p.png).py`");
        assert_eq!((code_span("a`b\nc"), code_span("`")), ("``a`b c``".to_owned(), "`` ` ``".to_owned()));
        assert_eq!(documentation("![x](https://e.org/x.png)", 9), "!\u{200c}[x](https://e.org/x.png)");
        assert_eq!(documentation("![x]\n\n[x]: https://e.org/x.png", 9), "!\u{200c}[x]\n\n[x]: https://e.org/x.png");
        assert_eq!(documentation("vec![1, 2]", 9), "vec![1, 2]");
        assert_eq!(documentation("a\n```py\nb", 9), "a\n```py\nb\n```");
        assert_eq!(documentation("```py\nb\n```\nc", 9), "```py\nb\n```\nc");
        assert_eq!(documentation("~~~~\n```\nb\n~~~\nc\nd", 5), "~~~~\n```\nb\n~~~\nc\n~~~~");
        assert_eq!(documentation("", 9), "");
    }
}
