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

/// Names of which a question asks for the users at most.
const MAX_NAMES_WITH_USERS: usize = 4;

/// Whether a word, in lower case, asks.
pub(crate) fn is_interrogative(word: &str) -> bool {
    INTERROGATIVES.contains(&word)
}

/// What a question asks for the users of: `a` and `b` of "who calls a and b" and of "where are a and b called".
pub(super) fn names_with_users(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| word.trim_end_matches([',', '?']).to_lowercase()).collect();
    let is_verb = |word: &str, verbs: &[&str]| verbs.contains(&word);
    let begin = |at: usize| match lower[at].as_str() {
        "who" | "what" | "which" if is_verb(lower.get(at + 1)?, &["calls", "invokes", "uses", "overrides"]) => {
            Some(at + 2)
        }
        "callers" | "users" | "implementers" if lower.get(at + 1)? == "of" => Some(at + 2),
        "where" if is_verb(lower.get(at + 1)?, &["is", "are"]) => {
            let ends = ["called", "invoked", "overridden"];
            lower[at + 2..]
                .iter()
                .position(|word| is_verb(word, &ends))
                .filter(|&end| end <= MAX_NAMES_WITH_USERS * 2)?;
            Some(at + 2)
        }
        _ => None,
    };
    let Some(mut at) = (0..words.len()).find_map(begin) else { return Vec::new() };
    let mut names = Vec::new();
    while let Some(word) = words.get(at).filter(|_| names.len() < MAX_NAMES_WITH_USERS) {
        at += 1;
        if is_verb(&word.to_lowercase(), &["the", "a", "an", "and", "or", "both"]) {
            continue;
        }
        let mark = if word.trim_end_matches([',', '?']).ends_with('!') { "!" } else { "" };
        names.push(strip_call_syntax(word) + mark);
        let goes_on = word.ends_with(',') || lower.get(at).is_some_and(|next| is_verb(next, &["and", "or"]));
        if !goes_on {
            break;
        }
    }
    names
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

#[cfg(test)]
mod tests {
    use super::names_with_users;

    #[test]
    fn questions_for_users_name_what_is_used() {
        for (text, expected) in [
            ("who calls trim and reap on the pool", &["trim", "reap"][..]),
            ("what uses the Loader?", &["Loader"]),
            ("who calls save!, and find", &["save!", "find"]),
            ("callers of a.b(), c and d", &["a.b", "c", "d"]),
            ("where is flush called", &["flush"]),
            ("where are open and close called in tests", &["open", "close"]),
            ("where is retry handled", &[]),
            ("how does the pool call back", &[]),
        ] {
            assert_eq!(names_with_users(text), expected, "{text}");
        }
    }
}
