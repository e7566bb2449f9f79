//! Reports: an issue, a bug report, an error with its stack trace, pasted code. Splits a long text into weighted parts
//! and the locations in files that it names.
//!
//! The weights follow how reports are written: a title says what the report is about, code between back quotes in a
//! sentence is worth looking up, prose digresses, pasted code repeats what everybody writes, and a list of versions says
//! nothing.

use crate::weights::QueryWeights;

/// A text of one line with more words than this is a report, too.
const MAX_QUESTION_WORDS: usize = 40;
/// Words in a line of a list of versions at most.
const MAX_VERSION_LINE_WORDS: usize = 8;
/// Stack frames that are used.
const MAX_FRAMES: usize = 32;

/// A part of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) text: String,
    /// The weight of its words, above 0 and at most 1.
    pub(super) weight: f32,
}

/// A location in a file that the text names.
#[derive(Clone, Debug, PartialEq)]
pub struct StackFrame {
    /// The path as written, often from another machine.
    pub path: String,
    /// The function around the location, if the text names it.
    pub function: Option<String>,
    /// 1 for the innermost frame, less for each frame around it, above 0.
    pub weight: f32,
}

/// A parsed report.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Report {
    pub(super) parts: Vec<Part>,
    pub(super) frames: Vec<StackFrame>,
}

/// Whether a query is a report: it has several lines or many words.
pub(super) fn is_report(text: &str) -> bool {
    text.lines().filter(|line| !line.trim().is_empty()).nth(1).is_some()
        || text.split_whitespace().count() > MAX_QUESTION_WORDS
}

/// Splits a text into parts and stack frames.
pub(super) fn parse_report(text: &str, weights: &QueryWeights) -> Report {
    let mut report = Report::default();
    let mut frames: Vec<(String, Option<String>)> = Vec::new();
    let (mut in_code_block, mut in_comment, mut is_innermost_last) = (false, false, false);
    let text = if text.lines().nth(1).is_some() { text.to_owned() } else { text.replace(". ", ".\n") };
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            in_code_block = !in_code_block;
            continue;
        }
        // Instructions of a template to the writer.
        if in_comment || trimmed.starts_with("<!--") {
            in_comment = !trimmed.contains("-->");
            continue;
        }
        if trimmed.is_empty() {
            continue;
        }
        is_innermost_last |= trimmed.contains("most recent call last");
        let found = parse_frame(trimmed);
        let is_frame = found.is_some();
        frames.extend(found);
        let is_code = in_code_block
            || is_frame
            || [">>>", "...", "$ ", "> "].iter().any(|prompt| trimmed.starts_with(prompt))
            || line.starts_with("    ")
            || line.starts_with('\t');
        let is_title = report.parts.is_empty();
        let weight = if is_title {
            weights.report_title
        } else if is_version_line(trimmed) {
            continue;
        } else if is_error_message(trimmed) {
            weights.report_message
        } else if is_code {
            weights.report_code
        } else if trimmed.starts_with('#') {
            weights.report_heading
        } else {
            weights.report_prose
        };
        let mut plain = String::new();
        for word in trimmed.split_whitespace() {
            match mentioned_path(word).filter(|_| !is_frame) {
                Some(path) => frames.push((path, None)),
                None if word.contains("://") => {}
                None => {
                    plain.push_str(word);
                    plain.push(' ');
                }
            }
        }
        if !is_code {
            for span in code_spans(&plain) {
                report.parts.push(Part { text: span.to_owned(), weight: weight.max(weights.report_span) });
            }
        }
        report.parts.push(Part { text: plain, weight });
    }
    if is_innermost_last {
        frames.reverse();
    }
    let mut weight = 1.0;
    for (path, function) in frames.into_iter().take(MAX_FRAMES) {
        if !report.frames.iter().any(|known| known.path == path && known.function == function) {
            report.frames.push(StackFrame { path, function, weight });
            weight *= weights.frame_decay;
        }
    }
    report
}

/// A line of a stack trace: `File "a/b.py", line 3, in f`, `at f (a/b.js:3:4)`, `at p.C.f(C.java:3)`, `a/b.rs:3:4`.
fn parse_frame(line: &str) -> Option<(String, Option<String>)> {
    if let Some((path, rest)) = line.strip_prefix("File \"").and_then(|rest| rest.split_once('"')) {
        let function = rest.rsplit_once(" in ").map(|(_, name)| name.trim().to_owned());
        return Some((path.to_owned(), function.filter(|name| !name.starts_with('<'))));
    }
    let mut words = line.split([' ', '(', ')', '\t', '"', '\'', '`']).filter(|word| !word.is_empty());
    let path = words.find_map(|word| {
        let (path, rest) = word.split_once(".").map(|(stem, _)| (stem, &word[stem.len()..]))?;
        let colon = rest.find(':')?;
        let line_number = rest[colon + 1..].split(':').next()?;
        let is_line_number = !line_number.is_empty() && line_number.bytes().all(|b| b.is_ascii_digit());
        let candidate = &word[..path.len() + colon];
        (is_line_number && looks_like_path(candidate)).then(|| candidate.to_owned())
    })?;
    let function = line.strip_prefix("at ").and_then(|rest| rest.split([' ', '(']).next());
    let function = function.map(|name| name.trim_end_matches(':')).filter(|name| !name.contains(['/', ':']));
    Some((path, function.filter(|name| !name.is_empty()).map(str::to_owned)))
}

/// The path that a word of a sentence is, or that is in the web address of a file in a repository.
fn mentioned_path(word: &str) -> Option<String> {
    let word = word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '.' | '_')));
    let path = match word.split_once("/blob/") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None if word.contains("://") => return None,
        None => word,
    };
    let path = path.split(['#', '?']).next()?.trim_end_matches('.');
    (path.contains('/') && looks_like_path(path)).then(|| path.to_owned())
}

/// Whether a text looks like the path of a file: its last part has a short extension that starts with a letter.
fn looks_like_path(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty() && (1..=5).contains(&ending.len()) && ending.starts_with(|c: char| c.is_ascii_alphabetic())
    })
}

/// `ValueError: what went wrong`, `thread 'main' panicked at`.
fn is_error_message(line: &str) -> bool {
    let first = line.split([':', ' ']).next().unwrap_or(line);
    let name = first.rsplit('.').next().unwrap_or(first);
    ["Error", "Exception", "Warning", "Fault"].iter().any(|end| name.ends_with(end) && line.contains(':'))
        || line.contains("panicked at")
        || ["error:", "fatal:", "panic:", "error["].iter().any(|start| line.starts_with(start))
}

/// `numpy: 1.24.1`, `Python 3.10.9 (main, Dec 7 2022)`, `OS: Windows 10`: a short line with a version.
fn is_version_line(line: &str) -> bool {
    // Text in brackets describes how the software was built.
    let mut level = 0_u32;
    let outside = |c: &char| {
        match c {
            '(' | '[' => level += 1,
            ')' | ']' => level = level.saturating_sub(1),
            _ => return level == 0,
        }
        false
    };
    let plain: String = line.chars().filter(outside).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let is_number = |word: &str| {
        let word = word.trim_matches(|c: char| matches!(c, '`' | '*' | ',' | ':' | '(' | ')' | 'v' | '=' | '"'));
        word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('/')
    };
    let at = words.iter().position(|word| is_number(word) || word.contains("==") && !word.ends_with("=="));
    at.is_some_and(|at| at <= 3) && words.len() <= MAX_VERSION_LINE_WORDS || line.contains(": None") && words.len() <= 2
}

/// Texts between back quotes.
fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|span| !span.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weights;

    const WEIGHTS: &QueryWeights = &Weights::STANDARD.query;

    const ISSUE: &str = "`Table.read` assumes upper case\n\
        ### Description\n\
        The reader in astropy/io/qdp.py is wrong, see https://example.org/a and\n\
        https://example.org/o/r/blob/abc123/astropy/table/core.py#L12 for `_line_type`.\n\
        ```\n\
        >>> Table.read('x')\n\
        Traceback (most recent call last):\n\
        \x20 File \"/usr/lib/astropy/table/connect.py\", line 129, in __call__\n\
        \x20   self.registry.read()\n\
        \x20 File \"/usr/lib/astropy/io/core.py\", line 3, in _get\n\
        ValueError: Unrecognized line\n\
        ```\n\
        <!-- please say\n what you use -->\n\
        Python 3.10.9 (main, Dec  7 2022, 02:03:23) [Clang 13.0.0 (clang-1300.0.29.30)] on darwin\n\
        numpy: 1.24.1\n";

    #[test]
    fn an_issue_is_split_into_weighted_parts() {
        let Report { parts, frames } = parse_report(ISSUE, WEIGHTS);
        let weight = |text: &str| parts.iter().find(|part| part.text.contains(text)).map(|part| part.weight);
        assert_eq!(weight("upper case"), Some(WEIGHTS.report_title));
        assert_eq!(weight("Description"), Some(WEIGHTS.report_heading));
        assert_eq!(weight("is wrong"), Some(WEIGHTS.report_prose));
        assert_eq!(
            parts.iter().find(|part| part.text == "_line_type").map(|part| part.weight),
            Some(WEIGHTS.report_span)
        );
        assert_eq!(weight("registry"), Some(WEIGHTS.report_code));
        assert_eq!(weight("Unrecognized"), Some(WEIGHTS.report_message));
        for dropped in ["example.org", "please", "what you use", "Clang", "numpy"] {
            assert_eq!(weight(dropped), None, "{dropped}");
        }
        // The innermost first, then what the text mentions.
        let paths: Vec<&str> = frames.iter().map(|frame| frame.path.as_str()).collect();
        let expected = [
            "/usr/lib/astropy/io/core.py",
            "/usr/lib/astropy/table/connect.py",
            "astropy/table/core.py",
            "astropy/io/qdp.py",
        ];
        assert_eq!(paths, expected);
        assert_eq!(frames[0].function.as_deref(), Some("_get"));
        assert!(frames.windows(2).all(|pair| pair[0].weight > pair[1].weight));
    }

    #[test]
    fn frames_of_other_languages() {
        for (line, path, function) in [
            ("at handle (/srv/app/lib/router.js:12:8)", "/srv/app/lib/router.js", Some("handle")),
            ("at com.x.Pool.take(Pool.java:88)", "Pool.java", Some("com.x.Pool.take")),
            ("thread 'main' panicked at src/pool.rs:7:5:", "src/pool.rs", None),
            ("/go/src/x/pool.go:44 +0x1a", "/go/src/x/pool.go", None),
            ("lib/a.rb:3:in `take'", "lib/a.rb", None),
        ] {
            let found = parse_frame(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((found.0.as_str(), found.1.as_deref()), (path, function), "{line}");
        }
        for line in ["at 12:30 we met", "see a.b: it is", "1.2.3", "", "x.y:z", "\u{1F980}.\u{1F980}:1"] {
            assert_eq!(parse_frame(line), None, "{line}");
        }
    }

    #[test]
    fn questions_are_not_reports() {
        assert!(!is_report("where is retry handled"));
        assert!(!is_report("  where is retry handled\n\n"));
        assert!(is_report("retry fails\nit does"));
        assert!(is_report(&"word ".repeat(50)));
    }
}
