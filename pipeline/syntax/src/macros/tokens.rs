//! A text into the tokens of the C preprocessor. Must not know what they mean.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Identifier,
    Number,
    /// A string or a character.
    Literal,
    Punctuation,
    /// A whole line that begins with `#`, with the lines that continue it.
    Directive,
}

/// A token: its kind and its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    /// The token's text.
    pub(crate) fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// Splits a text into tokens, without comments and blanks. A `#` that begins a line begins a directive, if the text has
/// any.
pub(crate) fn tokenize(text: &str, has_directives: bool) -> Vec<Token> {
    let mut found = Vec::with_capacity(text.len() / 4);
    found.extend(tokens(text, has_directives));
    found
}

/// The tokens of a text, as [`tokenize`] lists them.
pub(crate) fn tokens(text: &str, has_directives: bool) -> impl Iterator<Item = Token> {
    let bytes = text.as_bytes();
    let (mut at, mut begins_line) = (0, true);
    std::iter::from_fn(move || {
        loop {
            let &byte = bytes.get(at)?;
            let next = bytes.get(at + 1).copied();
            let start = at;
            let kind = match byte {
                b'\n' => {
                    begins_line = true;
                    at += 1;
                    continue;
                }
                b'/' if next == Some(b'/') => {
                    at = end_of_line(bytes, at);
                    continue;
                }
                b'/' if next == Some(b'*') => {
                    at = end_of_comment(bytes, at);
                    continue;
                }
                _ if byte.is_ascii_whitespace() || byte == b'\\' => {
                    at += 1;
                    continue;
                }
                b'#' if begins_line && has_directives => {
                    at = end_of_line(bytes, at);
                    TokenKind::Directive
                }
                b'"' | b'\'' => {
                    at = end_of_literal(bytes, at);
                    TokenKind::Literal
                }
                b'R' if next == Some(b'"') => {
                    at = end_of_raw_string(bytes, at);
                    TokenKind::Literal
                }
                _ if is_name_start(byte) => {
                    while bytes.get(at).is_some_and(|&byte| is_name_start(byte) || byte.is_ascii_digit()) {
                        at += 1;
                    }
                    TokenKind::Identifier
                }
                _ if byte.is_ascii_digit() => {
                    let is_part = |b: u8| is_name_start(b) || b.is_ascii_digit() || matches!(b, b'.' | b'\'');
                    while bytes.get(at).is_some_and(|&byte| is_part(byte)) {
                        at += 1;
                    }
                    TokenKind::Number
                }
                _ => {
                    let is_pair = matches!((byte, next), (b'-', Some(b'>')) | (b'#', Some(b'#')) | (b':', Some(b':')));
                    at += if is_pair { 2 } else { 1 };
                    TokenKind::Punctuation
                }
            };
            begins_line = false;
            return Some(Token { kind, start, end: at });
        }
    })
}

/// Bytes above ASCII belong to names.
const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// The end of a line with the lines that continue it, without its line break.
fn end_of_line(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += if bytes.get(at + 1) == Some(&b'\r') { 3 } else { 2 },
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = end_of_comment(bytes, at),
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of_comment(bytes: &[u8], at: usize) -> usize {
    memchr::memmem::find(bytes.get(at + 2..).unwrap_or_default(), b"*/").map_or(bytes.len(), |found| at + 2 + found + 2)
}

/// The end of a string or character; one that is not closed ends with its line.
fn end_of_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 2,
            _ if byte == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of `R"delimiter(text)delimiter"`.
fn end_of_raw_string(bytes: &[u8], start: usize) -> usize {
    let open = start + 2;
    let length = bytes[open..].iter().take(17).position(|&byte| byte == b'(');
    let Some(length) = length else { return end_of_literal(bytes, start + 1) };
    let close = [b")", &bytes[open..open + length], b"\""].concat();
    memchr::memmem::find(&bytes[open + length..], &close).map_or(bytes.len(), |at| open + length + at + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokenize(text, true).iter().map(|token| token.text(text)).collect()
    }

    #[test]
    fn comments_and_directives() {
        assert_eq!(texts("a/*b\n*/->c // d\n#define X \\\n 1\n e"), ["a", "->", "c", "#define X \\\n 1", "e"]);
        assert_eq!(
            texts("x = \"a\\\"b\" 'c' R\"z(\")z\" 0x1fUL"),
            ["x", "=", "\"a\\\"b\"", "'c'", "R\"z(\")z\"", "0x1fUL"]
        );
        assert_eq!(texts("\"open\nb"), ["\"open", "b"]);
    }
}
