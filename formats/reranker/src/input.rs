//! Turns a query and a passage into the ids of word pieces that the model reads, as it read them in training: a query's
//! title, errors and prose before its frames and pasted code, and a passage's path and name before its text.
//!
//! A search divides reports, too, by other rules. Those here may only change together with the model.

use rustc_hash::FxHashSet;
use sextant_encoder::WordPieces;

/// Pieces of a query at most.
const MAX_QUERY: usize = 128;
/// Pieces of a passage at most.
const MAX_PASSAGE: usize = 160;
/// After so many words, a word is left out if it was there before, or has one letter.
const WORDS_IN_FULL: usize = 40;
/// Letters of a word that count.
const MAX_WORD: usize = 24;
/// Pieces of a word that count.
const MAX_PIECES: usize = 6;
/// Characters of a passage that are read.
const MAX_TEXT: usize = 6000;
/// Characters of one line of code or of an error that are read.
const MAX_LINE: usize = 300;
/// Characters of prose that come before frames and code.
const MAX_PROSE: usize = 600;
/// Characters of code that are read.
const MAX_CODE: usize = 800;
/// Errors that are read, the last ones.
const MAX_ERRORS: usize = 2;
/// Frames that are read, the last ones.
const MAX_FRAMES: usize = 4;

/// A passage of code.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    /// The path of its file.
    pub path: &'a str,
    /// The qualified name of its symbol, or nothing.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// What a line of a report is.
enum Line<'a> {
    Frame { path: &'a str, function: &'a str },
    Error,
    Code,
    Prose,
}

/// The model's vocabulary.
pub(super) struct Input {
    pieces: WordPieces,
    /// Begins a pair, ends a text, stands between the parts of one.
    first: u32,
    end: u32,
    bar: u32,
}

impl Input {
    pub(super) fn new(vocabulary: &str) -> Result<Self, sextant_encoder::Error> {
        let pieces = WordPieces::from_lines(vocabulary)?;
        let id = |piece| pieces.id(piece);
        let (first, end, bar) = (id("[CLS]")?, id("[SEP]")?, id("|")?);
        Ok(Self { pieces, first, end, bar })
    }

    /// The pieces of a query.
    pub(super) fn query(&self, query: &str) -> Vec<u32> {
        let text = without_links(&without_comments(query)).replace('\r', "");
        let text = text.trim();
        let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (mut prose, mut code, mut errors, mut frames) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut is_fenced = false;
        for line in rest.split('\n') {
            if line.trim_start().starts_with("```") {
                is_fenced = !is_fenced;
                continue;
            }
            match kind_of(line) {
                Line::Frame { path, function } => {
                    let parts: Vec<&str> = path.rsplit(['/', '\\']).take(2).collect();
                    let path: Vec<&str> = parts.into_iter().rev().collect();
                    frames.push(format!("{} {function}", path.join(" ")));
                }
                Line::Error => errors.push(start(line, MAX_LINE).to_owned()),
                Line::Code => code.push(start(line, MAX_LINE)),
                Line::Prose if is_fenced => code.push(start(line, MAX_LINE)),
                Line::Prose => prose.push(line),
            }
        }
        let prose = prose.join("\n");
        let first = start(&prose, MAX_PROSE);
        let code = code.join("\n");
        let last = |lines: &[String], most: usize| lines[lines.len().saturating_sub(most)..].join("\n");
        let parts = [
            title,
            &last(&errors, MAX_ERRORS),
            first,
            &last(&frames, MAX_FRAMES),
            start(&code, MAX_CODE),
            &prose[first.len()..],
        ];
        self.join(&parts, MAX_QUERY)
    }

    /// The pieces of a passage.
    pub(super) fn passage(&self, passage: &Passage<'_>) -> Vec<u32> {
        let stem = match passage.path.rsplit_once('.') {
            Some((stem, extension)) if extension.chars().all(|c| c.is_alphanumeric() || c == '_') => stem,
            _ => passage.path,
        };
        self.join(&[start(stem, MAX_TEXT), start(passage.name, MAX_TEXT), start(passage.text, MAX_TEXT)], MAX_PASSAGE)
    }

    /// A query and a passage in one, and where the passage begins.
    pub(super) fn pair(&self, query: &[u32], passage: &[u32]) -> (Vec<u32>, usize) {
        let mut ids = vec![self.first];
        ids.extend_from_slice(query);
        ids.push(self.end);
        let second_from = ids.len();
        ids.extend_from_slice(passage);
        ids.push(self.end);
        (ids, second_from)
    }

    /// The pieces of the words of some parts, with bars between the parts.
    fn join(&self, parts: &[&str], most: usize) -> Vec<u32> {
        let mut ids = Vec::new();
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let mut words = 0;
        for part in parts {
            let mut has_words = false;
            for word in Words(part) {
                if !has_words && !ids.is_empty() {
                    ids.push(self.bar);
                }
                has_words = true;
                let word: String = word.chars().take(MAX_WORD).collect::<String>().to_ascii_lowercase();
                if words >= WORDS_IN_FULL && (seen.contains(&word) || word.len() < 2) {
                    continue;
                }
                words += 1;
                ids.extend(self.pieces.tokenize(&word).iter().take(MAX_PIECES));
                seen.insert(word);
                if ids.len() >= most {
                    ids.truncate(most);
                    return ids;
                }
            }
        }
        ids
    }
}

/// The words of a text: runs of ASCII letters, divided where the case changes, and of digits.
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let from = self.0.find(|c: char| c.is_ascii_alphanumeric())?;
        let text = &self.0[from..];
        let bytes = text.as_bytes();
        let run = |from: usize, is: fn(&u8) -> bool| bytes[from..].iter().take_while(|byte| is(byte)).count();
        let upper = run(0, u8::is_ascii_uppercase);
        let lower = run(upper, u8::is_ascii_lowercase);
        let length = match (upper, lower) {
            (0, 0) => run(0, u8::is_ascii_digit),
            (0 | 1, lower) => upper + lower,
            (upper, 0) => upper,
            // The last capital begins the next word: HTTPResponse.
            (upper, _) => upper - 1,
        };
        self.0 = &text[length..];
        Some(&text[..length])
    }
}

/// The first characters of a text.
fn start(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

/// A text without comments of HTML, which in a report are a template's instructions to the writer.
fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some((before, comment)) = rest.split_once("<!--") {
        let Some((_, after)) = comment.split_once("-->") else { break };
        kept.push_str(before);
        kept.push(' ');
        rest = after;
    }
    kept + rest
}

/// A text without addresses of the web.
fn without_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("http") {
        let after = &rest[at + 4..];
        let is_link = after.strip_prefix('s').unwrap_or(after).starts_with("://");
        kept.push_str(&rest[..at]);
        if is_link {
            rest = after.find(char::is_whitespace).map_or("", |end| &after[end..]);
        } else {
            kept.push_str("http");
            rest = after;
        }
    }
    kept + rest
}

/// What a line of a report is.
fn kind_of(line: &str) -> Line<'_> {
    let trimmed = line.trim_start();
    if let Some((path, function)) = python_frame(trimmed) {
        return Line::Frame { path, function };
    }
    if is_error(trimmed) {
        return Line::Error;
    }
    let is_indented = line.starts_with('\t') || line.len() - trimmed.len() >= 4;
    let has_prompt = [">>>", "... ", "In [", "Out[", "$ "].iter().any(|prompt| line.starts_with(prompt));
    if is_indented || has_prompt { Line::Code } else { Line::Prose }
}

/// The path and the function of a frame of Python: `File "a/b.py", line 3, in run`.
fn python_frame(line: &str) -> Option<(&str, &str)> {
    let (path, rest) = line.strip_prefix("File \"")?.split_once("\", line ")?;
    let function = rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(", in ")?;
    Some((path, function.split_whitespace().next()?))
}

/// Whether a line is an error message: it begins with the name of an error, and a colon follows.
fn is_error(line: &str) -> bool {
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let is_named =
        ["Error", "Exception", "Warning"].iter().any(|suffix| name.len() > suffix.len() && name.ends_with(suffix));
    (is_named || ["panic", "error", "fatal"].contains(&name)) && rest.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_divided_where_the_case_changes() {
        let words: Vec<&str> = Words("getHTTPResponse2xx über a_B HTTP x9Ab").collect();
        assert_eq!(words, ["get", "HTTP", "Response", "2", "xx", "ber", "a", "B", "HTTP", "x", "9", "Ab"]);
    }

    #[test]
    fn comments_and_links_are_left_out() {
        assert_eq!(without_comments("a<!-- x\n -->b<!-- open"), "a b<!-- open");
        assert_eq!(without_links("see https://a.b/c?d and http stays"), "see  and http stays");
    }

    #[test]
    fn lines_of_reports_have_kinds() {
        assert!(matches!(
            kind_of("  File \"/a/b.py\", line 12, in run"),
            Line::Frame { path: "/a/b.py", function: "run" }
        ));
        assert!(matches!(kind_of("foo.BarError: wrong"), Line::Error));
        assert!(matches!(kind_of("panic: runtime error"), Line::Error));
        assert!(matches!(kind_of("    x = 1"), Line::Code));
        assert!(matches!(kind_of("Error without what"), Line::Prose));
    }

    /// The ids were made by the program that prepared the training data.
    #[test]
    fn pieces_are_those_of_the_training_data() {
        let input = Input::new(crate::VOCABULARY).unwrap();
        let expected: Vec<Vec<u32>> = include_str!("../testdata/pieces.txt")
            .lines()
            .map(|line| line.split(' ').map(|id| id.parse().unwrap()).collect())
            .collect();
        let report = include_str!("../testdata/report.txt");
        let code = include_str!("../testdata/code.txt");
        assert_eq!(input.query(report), expected[0]);
        let passage = Passage { path: "src/http/HTTPRetry_policy.py", name: "RetryPolicy.getHTTPDelay", text: code };
        assert_eq!(input.passage(&passage), expected[1]);
        let (pair, second_from) = input.pair(&expected[0], &expected[1]);
        assert_eq!((pair.len(), second_from), (expected[0].len() + expected[1].len() + 3, expected[0].len() + 2));
    }
}
