//! Texts that a grammar cannot parse: the state that its scanner keeps between tokens has 1,024 bytes, and some grammars abort
//! the program where it does not fit. Such a text is read like one that does not parse.

use crate::language::Language;

/// Whether the scanner of a language's grammar can keep what a text needs.
pub(super) fn fits_scanner(language: &Language, text: &str) -> bool {
    let levels = usize::try_from(language.max_levels).unwrap_or(usize::MAX);
    let delimiter = usize::try_from(language.max_delimiter).unwrap_or(usize::MAX);
    (levels == 0 || text.len() <= levels || most_levels(text) <= levels)
        && (delimiter == 0 || text.len() <= delimiter || longest_delimiter(text) <= delimiter)
}

/// At least as many levels as are open at once: of indentation, of lists in one line (`- - a`), and of brackets.
fn most_levels(text: &str) -> usize {
    let (mut indents, mut brackets, mut most): (Vec<usize>, usize, usize) = (Vec::new(), 0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut column = line.len() - line.trim_start().len();
        while indents.last().is_some_and(|&open| open >= column) {
            indents.pop();
        }
        indents.push(column);
        let mut rest = line.trim_start();
        while let Some(after) = rest.strip_prefix(['-', '?', ':']).filter(|after| after.starts_with([' ', '\t'])) {
            let inner = after.trim_start();
            column += rest.len() - inner.len();
            indents.push(column);
            rest = inner;
        }
        for c in rest.bytes() {
            match c {
                b'[' | b'{' => brackets += 1,
                b']' | b'}' => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            most = most.max(indents.len() + brackets);
        }
        most = most.max(indents.len() + brackets);
    }
    most
}

/// The length of the longest word after `<<`.
fn longest_delimiter(text: &str) -> usize {
    let words = text.match_indices("<<").map(|(at, _)| {
        let word = text[at + 2..].trim_start_matches(['~', '-', '"', '\'', '`']);
        let end = word.find(['\n', '"', '\'', '`']).unwrap_or(word.len());
        word[..end].len()
    });
    words.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_delimiters_are_counted() {
        assert_eq!(most_levels("a:\n  b:\n    c: 1\nd: 2\n"), 3);
        assert_eq!(most_levels("- - - a\n"), 4);
        assert_eq!(most_levels("a: [[{b: 1}]]\n"), 4);
        assert_eq!(longest_delimiter("x = <<~WORD\n text\nWORD\n"), 4);
        assert_eq!(longest_delimiter("x << 1 + 2\n"), 6);
    }

    #[test]
    fn a_text_beyond_the_limits_does_not_fit() {
        let yaml = crate::language::by_name("yaml").unwrap();
        let ruby = crate::language::by_name("ruby").unwrap();
        let nested: String = (0..254).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
        assert!(!fits_scanner(yaml, &nested) && !fits_scanner(yaml, &"- ".repeat(300)));
        assert!(!fits_scanner(ruby, &format!("x = <<{0}\nx\n{0}\n", "E".repeat(260))));
        assert!(fits_scanner(ruby, &nested) && fits_scanner(yaml, "a: 1\n"));
    }
}
