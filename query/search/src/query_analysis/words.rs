//! Words of a query: which carry no meaning, and what is written around names.

/// Words that carry no meaning in a question about code.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "all",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "between",
    "by",
    "can",
    "code",
    "do",
    "does",
    "each",
    "for",
    "from",
    "has",
    "have",
    "how",
    "i",
    "if",
    "implementation",
    "implemented",
    "in",
    "into",
    "is",
    "it",
    "its",
    "me",
    "of",
    "on",
    "or",
    "out",
    "show",
    "so",
    "some",
    "such",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "through",
    "to",
    "up",
    "us",
    "use",
    "used",
    "uses",
    "using",
    "via",
    "was",
    "we",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "within",
    "would",
    "you",
];

/// Whether a word carries no meaning in a question about code.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

/// Words that begin a question and hardly a message: `when`, `is` and `does` begin both.
const INTERROGATIVES: &[&str] = &["what", "how", "where", "which", "who", "why"];

/// Whether a word, in lower case, asks.
pub(crate) fn is_interrogative(word: &str) -> bool {
    INTERROGATIVES.contains(&word)
}

/// A name without the number of its parameters: `run/2` is `run`.
pub(super) fn without_arity(text: &str) -> &str {
    match text.rsplit_once('/') {
        Some((name, arity)) if !arity.is_empty() && arity.len() <= 2 && arity.bytes().all(|b| b.is_ascii_digit()) => {
            name
        }
        _ => text,
    }
}

/// A word as a name, without the punctuation that languages and sentences put around it: `(*Server).loop`,
/// `Stack$peek`, `run()`, `Job.run/2`, `name,`.
pub(super) fn strip_call_syntax(word: &str) -> String {
    let mut word = without_arity(word).to_owned();
    if word.starts_with('(') && word.contains(").") {
        word.retain(|c| !matches!(c, '(' | ')' | '*' | '&'));
    }
    let word = word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '~'));
    let word = word.trim_end_matches("()");
    // A `$` before a name is part of it; a `$` between two names joins them.
    let is_separator = word.get(1..).is_some_and(|rest| rest.contains('$') && !rest.ends_with('$'));
    if is_separator && !word.contains(['.', ':']) { word.replacen('$', ".", 1) } else { word.to_owned() }
}
