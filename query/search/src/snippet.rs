//! Snippets: the lines of a chunk that match a query best.

/// The longest snippet, in lines.
const MAX_LINES: usize = 12;
/// The longest line of a snippet, in bytes.
const MAX_LINE_BYTES: usize = 240;

/// A piece of a chunk's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snippet {
    /// Lines of the chunk before it.
    pub(crate) skipped: usize,
    /// Its text.
    pub(crate) text: String,
}

/// Returns the window of lines with the most matching words; among equals the first, so that a definition's head is
/// shown by default.
pub(crate) fn best_window(content: &str, words: &[String]) -> Snippet {
    let lines: Vec<&str> = content.lines().collect();
    let hits: Vec<usize> = lines
        .iter()
        .map(|line| {
            let line = line.to_lowercase();
            words.iter().filter(|word| line.contains(word.as_str())).count()
        })
        .collect();
    let width = MAX_LINES.min(lines.len());
    let mut sum: usize = hits[..width].iter().sum();
    let mut best = (sum, 0);
    for start in 1..=lines.len() - width {
        sum = sum + hits[start + width - 1] - hits[start - 1];
        // The head of a chunk identifies it, so another window must be clearly better.
        if sum > best.0 + usize::from(best.1 == 0) {
            best = (sum, start);
        }
    }
    let clip = |line: &&str| line[..line.floor_char_boundary(MAX_LINE_BYTES)].trim_end().to_owned();
    let text: Vec<String> = lines[best.1..best.1 + width].iter().map(clip).collect();
    Snippet { skipped: best.1, text: text.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_with_the_words_is_shown() {
        let text: String =
            (0..40).map(|n| if n == 30 || n == 32 { format!("retry {n}\n") } else { format!("line {n}\n") }).collect();
        let snippet = best_window(&text, &["retry".to_owned()]);
        assert!(snippet.text.contains("retry 30") && snippet.text.contains("retry 32"));
        assert_eq!(best_window(&text, &[]).skipped, 0);
        assert_eq!(best_window("", &[]).text, "");
        assert!(best_window(&"ü".repeat(500), &[]).text.len() <= MAX_LINE_BYTES);
    }
}
