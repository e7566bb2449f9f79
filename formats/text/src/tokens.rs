//! Splits text into words, identically for the full-text index, the encoder and queries.
//!
//! An identifier is a maximal run of alphanumeric characters and underscores. Its words are the parts between
//! underscores, split again at camelCase boundaries (`HTTPServer` is `http server`, `utf8Decode` is `utf8 decode`), in
//! lower case. This module must not know any programming language.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Longer words are truncated to this many characters: nobody types them, and hostile input contains them.
pub const MAX_WORD_CHARS: usize = 64;

/// Longer identifiers are indexed by their words only.
const MAX_IDENTIFIER_BYTES: usize = 128;

/// The maximal identifier runs of a text, with their byte offsets.
pub fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = run_end(text, rest, false);
        let end = run_end(text, start, true);
        rest = end;
        (start < end).then(|| (start, &text[start..end]))
    })
}

/// The end of the run from `at` whose characters all belong to identifiers (`are_inside`), or all do not.
fn run_end(text: &str, mut at: usize, are_inside: bool) -> usize {
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        // Most text is ASCII, for which this is a table look-up instead of a Unicode search.
        let (is_inside, length) = if byte.is_ascii() {
            (byte.is_ascii_alphanumeric() || byte == b'_', 1)
        } else {
            text[at..].chars().next().map_or((are_inside, 1), |c| (c.is_alphanumeric(), c.len_utf8()))
        };
        if is_inside != are_inside {
            break;
        }
        at += length;
    }
    at
}

/// Calls `word` with each word of one identifier run, in order, in lower case.
pub fn split_identifier(identifier: &str, buffer: &mut String, word: impl FnMut(&str)) {
    if identifier.is_ascii() {
        buffer.clear();
        buffer.push_str(identifier);
        buffer.make_ascii_lowercase();
        split_ascii(identifier.as_bytes(), buffer, word);
    } else {
        split_any(identifier, buffer, word);
    }
}

/// Splits an ASCII identifier; `lower` is the identifier in lower case.
fn split_ascii(identifier: &[u8], lower: &str, mut word: impl FnMut(&str)) {
    let mut emit = |from: usize, to: usize| {
        if from < to {
            word(&lower[from..to.min(from + MAX_WORD_CHARS)]);
        }
    };
    let mut start = 0;
    for (at, &byte) in identifier.iter().enumerate() {
        if byte == b'_' {
            emit(start, at);
            start = at + 1;
        } else if byte.is_ascii_uppercase() && at > start {
            let previous = identifier[at - 1];
            let ends_capitals = || identifier.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            if !previous.is_ascii_uppercase() || ends_capitals() {
                emit(start, at);
                start = at;
            }
        }
    }
    emit(start, identifier.len());
}

/// Splits any identifier.
fn split_any(identifier: &str, buffer: &mut String, mut word: impl FnMut(&str)) {
    for piece in identifier.split('_') {
        let mut start = 0;
        let mut previous: Option<char> = None;
        let mut chars = piece.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|&(_, c)| c);
            let border = c.is_uppercase()
                && previous.is_some_and(|p| {
                    p.is_lowercase() || p.is_numeric() || (p.is_uppercase() && next.is_some_and(char::is_lowercase))
                });
            if border {
                emit(&piece[start..at], buffer, &mut word);
                start = at;
            }
            previous = Some(c);
        }
        emit(&piece[start..], buffer, &mut word);
    }
}

fn emit(part: &str, buffer: &mut String, word: &mut impl FnMut(&str)) {
    if part.is_empty() {
        return;
    }
    buffer.clear();
    buffer.extend(part.chars().flat_map(char::to_lowercase).take(MAX_WORD_CHARS));
    word(buffer);
}

/// All words of a text.
///
/// ```
/// use sextant_text::tokens::words;
/// assert_eq!(words("parseHTTPResponse(foo_bar)"), ["parse", "http", "response", "foo", "bar"]);
/// ```
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut buffer = String::new();
    for (_, identifier) in identifiers(text) {
        split_identifier(identifier, &mut buffer, |word| out.push(word.to_owned()));
    }
    out
}

/// The tokenizer of every field of the text index: emits the words of each identifier, and the whole identifier in
/// lower case if it has more than one word.
#[derive(Clone, Default)]
pub struct CodeTokenizer {
    tokens: Vec<Token>,
}

/// The token stream of [`CodeTokenizer`].
pub struct CodeTokenStream<'a> {
    tokens: &'a mut Vec<Token>,
    at: usize,
}

impl Tokenizer for CodeTokenizer {
    type TokenStream<'a> = CodeTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> CodeTokenStream<'a> {
        let mut used = 0;
        let mut position = 0;
        let mut buffer = String::new();
        let tokens = &mut self.tokens;
        // Token strings are reused between texts: allocation would dominate this loop.
        let mut push = |text: &str, from: usize, to: usize, position: usize| {
            if used == tokens.len() {
                tokens.push(Token::default());
            }
            let token = &mut tokens[used];
            token.text.clear();
            token.text.push_str(text);
            token.offset_from = from;
            token.offset_to = to;
            token.position = position;
            token.position_length = 1;
            used += 1;
        };
        let mut lowercase = String::new();
        for (start, identifier) in identifiers(text) {
            let end = start + identifier.len();
            let first = position;
            split_identifier(identifier, &mut buffer, |word| {
                push(word, start, end, position);
                position += 1;
            });
            if position - first > 1 && identifier.len() <= MAX_IDENTIFIER_BYTES {
                if identifier.is_ascii() {
                    // The buffer contains the whole identifier in lower case after splitting.
                    push(&buffer, start, end, first);
                } else {
                    lowercase.clear();
                    lowercase.extend(identifier.chars().flat_map(char::to_lowercase));
                    push(&lowercase, start, end, first);
                }
            }
        }
        tokens.truncate(used);
        CodeTokenStream { tokens, at: 0 }
    }
}

impl TokenStream for CodeTokenStream<'_> {
    fn advance(&mut self) -> bool {
        self.at += 1;
        self.at <= self.tokens.len()
    }

    fn token(&self) -> &Token {
        &self.tokens[self.at - 1]
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokens[self.at - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn indexed(text: &str) -> Vec<String> {
        let mut tokenizer = CodeTokenizer::default();
        let mut stream = tokenizer.token_stream(text);
        let mut out = Vec::new();
        while stream.advance() {
            out.push(stream.token().text.clone());
        }
        out
    }

    #[test]
    fn identifiers_are_split_at_case_and_underscore() {
        assert_eq!(
            words("parseHTTPResponse2xx_v2 foo_bar __init__"),
            ["parse", "http", "response2xx", "v2", "foo", "bar", "init"]
        );
        assert_eq!(words("XMLHttpRequest utf8Decode A"), ["xml", "http", "request", "utf8", "decode", "a"]);
        assert_eq!(words("größeMessen ΑΒΓδ"), ["größe", "messen", "αβ", "γδ"]);
    }

    #[test]
    fn whole_identifiers_are_indexed_with_their_words() {
        assert_eq!(indexed("scrapeLoop.run()"), ["scrape", "loop", "scrapeloop", "run"]);
        assert_eq!(indexed("max_open"), ["max", "open", "max_open"]);
    }

    #[test]
    fn hostile_words_are_truncated() {
        assert_eq!(words(&"x".repeat(1000))[0].len(), MAX_WORD_CHARS);
        assert!(indexed(&"aB".repeat(1000)).iter().all(|t| t.len() <= MAX_WORD_CHARS));
    }

    proptest! {
        /// The ASCII fast path agrees with the general one.
        #[test]
        fn ascii_identifiers_are_split_like_others(identifier in "[a-zA-Z0-9_]{0,90}") {
            let (mut fast, mut any, mut buffer) = (Vec::new(), Vec::new(), String::new());
            split_identifier(&identifier, &mut buffer, |word| fast.push(word.to_owned()));
            split_any(&identifier, &mut buffer, |word| any.push(word.to_owned()));
            prop_assert_eq!(fast, any);
        }

        #[test]
        fn identifier_runs_are_maximal(text in "[a-zA-Z_0-9é中 .,(٣]{0,60}") {
            let is_inside = |c: char| c.is_alphanumeric() || c == '_';
            let expected: Vec<&str> = text.split(|c| !is_inside(c)).filter(|run| !run.is_empty()).collect();
            let found: Vec<&str> = identifiers(&text).map(|(at, run)| { assert_eq!(&text[at..at + run.len()], run); run }).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn any_text_gives_words_without_upper_case_or_separators(text in ".{0,200}") {
            for word in words(&text) {
                prop_assert!(!word.is_empty());
                prop_assert!(!word.contains('_') && !word.contains(' '));
            }
            let from_index: Vec<_> = indexed(&text);
            for word in words(&text) {
                prop_assert!(from_index.contains(&word));
            }
        }
    }
}
