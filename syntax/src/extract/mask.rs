//! A text of the same length that a grammar understands better: what it has no rule for is blanked
//! before the parse. Names are still read from the text as it is.
//!
//! What is masked is the language's to say, in its row: [`Mask`].

use regex::Regex;

/// What is masked, and how.
#[derive(Debug)]
pub struct Mask {
    /// The first group, or all of a match where there is none.
    pub pattern: Regex,
    /// The match is a quote that reaches to the next place with the same text; it becomes a string.
    pub quote: bool,
}

/// The masked text, or none where nothing is masked. Line ends stay.
pub(super) fn mask(masks: &[Mask], text: &str) -> Option<String> {
    let mut out: Option<Vec<u8>> = None;
    for mask in masks {
        let mut at = 0;
        // Each mask sees what those before it left.
        let seen = out.as_ref().map(|out| String::from_utf8_lossy(out).into_owned());
        let seen = seen.as_deref().unwrap_or(text);
        let mut masked = Vec::new();
        while let Some(found) = mask.pattern.captures_at(seen, at) {
            let whole = found.get_match();
            if mask.quote {
                let Some(length) = seen[whole.end()..].find(whole.as_str()) else {
                    at = whole.end();
                    continue;
                };
                let end = whole.end() + length + whole.len();
                masked.push(whole.start()..end);
                at = end;
            } else {
                let part = found.get(1).unwrap_or(whole);
                masked.push(part.range());
                at = whole.end().max(whole.start() + 1);
                while !seen.is_char_boundary(at) {
                    at += 1;
                }
            }
            if at >= seen.len() {
                break;
            }
        }
        if masked.is_empty() {
            continue;
        }
        let mut bytes = out.take().unwrap_or_else(|| text.as_bytes().to_vec());
        for range in masked {
            let last = range.end.saturating_sub(1);
            for at in range.clone() {
                let is_end = mask.quote && (at == range.start || at == last);
                if !matches!(bytes[at], b'\n' | b'\r') {
                    bytes[at] = if is_end { b'\'' } else { b' ' };
                }
            }
        }
        out = Some(bytes);
    }
    // A mask covers whole matches, so whole characters.
    out.and_then(|bytes| String::from_utf8(bytes).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(pattern: &str, quote: bool, text: &str) -> Option<String> {
        mask(&[Mask { pattern: Regex::new(pattern).unwrap(), quote }], text)
    }

    #[test]
    fn what_is_masked_keeps_its_length_and_lines() {
        assert_eq!(masked(r"\bGO\b", false, "a\nGO\nb").as_deref(), Some("a\n  \nb"));
        assert_eq!(masked(r"use (\w+);", false, "use é;x").as_deref(), Some("use   ;x"));
        assert_eq!(masked(r"\$\w*\$", true, "as $a$ x\n$b$ $a$;").as_deref(), Some("as '    \n      ';"));
        assert_eq!(masked(r"\$\w*\$", true, "as $a$ x"), None);
        assert_eq!(masked("z", false, "abc"), None);
    }
}
