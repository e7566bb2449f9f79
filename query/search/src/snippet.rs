//! Snippets: the lines of a chunk that match a query best.

/// The longest snippet, in lines, by the least share of the best score that a result must have for it: a reader needs
/// fewer lines to pass over what fits little.
const MAX_LINES: [(f32, usize); 3] = [(0.4, 12), (0.1, 5), (0.0, 2)];
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

/// The lines of the snippet of a result whose score is this share of the best one.
pub(crate) fn max_lines(share: f32) -> usize {
    MAX_LINES.iter().find(|(least, _)| share >= *least).map_or(MAX_LINES[0].1, |(_, lines)| *lines)
}

/// Returns the window of at most `max_lines` lines with the most matching words; among equals the first, so that a
/// definition's head is shown by default.
pub(crate) fn best_window(content: &str, words: &[String], max_lines: usize) -> Snippet {
    let lines: Vec<&str> = content.lines().collect();
    let hits: Vec<usize> = lines
        .iter()
        .map(|line| {
            let line = line.to_lowercase();
            words.iter().filter(|word| line.contains(word.as_str())).count()
        })
        .collect();
    let width = max_lines.min(lines.len());
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

/// Returns the part of the best window that is one run of lines: `numbers` are those of the lines, with gaps.
pub(crate) fn best_run(content: &str, numbers: &[u32], words: &[String], max_lines: usize) -> Snippet {
    let lines: Vec<&str> = content.lines().collect();
    let mut best: Option<(usize, Snippet)> = None;
    let mut start = 0;
    while start < lines.len().min(numbers.len()) {
        let follows = |at: usize| numbers.get(at).is_some_and(|&line| line == numbers[at - 1].saturating_add(1));
        let mut end = start + 1;
        while end < lines.len() && follows(end) {
            end += 1;
        }
        let Snippet { skipped, text } = best_window(&lines[start..end].join("\n"), words, max_lines);
        let lower = text.to_lowercase();
        let found = words.iter().filter(|word| lower.contains(word.as_str())).count();
        let is_blank = text.trim().is_empty();
        if !is_blank && best.as_ref().is_none_or(|(most, _)| found > *most) {
            best = Some((found, Snippet { skipped: start + skipped, text }));
        }
        start = end;
    }
    best.map_or_else(|| best_window(content, words, max_lines), |(_, snippet)| snippet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_little_has_fewer_lines() {
        assert_eq!([1.0, 0.4, 0.39, 0.1, 0.01, 0.0, f32::NAN].map(max_lines), [12, 12, 5, 5, 2, 2, 12]);
    }

    #[test]
    fn a_run_has_no_gaps() {
        let words = ["two".to_owned()];
        let run = best_run("struct A {\n  one\n  two\n}", &[1, 2, 9, 10], &words, 12);
        assert_eq!((run.skipped, run.text.as_str()), (2, "  two\n}"));
    }

    #[test]
    fn the_window_with_the_words_is_shown() {
        let text: String =
            (0..40).map(|n| if n == 30 || n == 32 { format!("retry {n}\n") } else { format!("line {n}\n") }).collect();
        let snippet = best_window(&text, &["retry".to_owned()], 12);
        assert!(snippet.text.contains("retry 30") && snippet.text.contains("retry 32"));
        assert_eq!(best_window(&text, &[], 12).skipped, 0);
        assert_eq!(best_window("", &[], 12).text, "");
        assert!(best_window(&"ü".repeat(500), &[], 12).text.len() <= MAX_LINE_BYTES);
    }
}
