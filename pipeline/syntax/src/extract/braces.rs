//! Finds named scopes (namespaces, classes and the like) in a text by its braces. It scans characters and
//! does not parse, so syntax errors do not disturb it: text before `{` that matches a pattern of the
//! language's row opens a named scope, and the matching `}` closes it.
//!
//! This module must not know any language, trees or symbols.

use std::ops::Range;

use regex::Regex;
use sextant_format::kinds::Kind;

use super::clean;

/// Longer text before an opening brace, in bytes without comments, does not name a scope.
const MAX_HEAD_BYTES: usize = 2_000;

/// A named scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BraceScope {
    /// The kind of symbol that the scope defines.
    pub(super) kind: Kind,
    /// The name as written, possibly qualified.
    pub(super) name: String,
    /// The first byte of the name.
    pub(super) name_byte: usize,
    /// From the first byte of its head to one past its closing brace.
    pub(super) extent: Range<usize>,
    /// The bytes between its braces.
    pub(super) inside: Range<usize>,
}

/// Finds the named scopes in the order of the text, outer before inner. Returns `None` if the braces are unbalanced.
pub(super) fn named_scopes(text: &str, scope_patterns: &[(Kind, Regex)]) -> Option<Vec<BraceScope>> {
    let mut scanner = BraceScanner { text, bytes: text.as_bytes(), at: 0 };
    let mut scopes: Vec<BraceScope> = Vec::new();
    // For each open brace, the scope that it opened, if any.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut file_scope = None;
    let mut head = 0;
    while let Some((mark, at)) = scanner.next_delimiter() {
        match mark {
            b'{' => {
                let found = match_scope_head(text, head..at, scope_patterns, false);
                open.push(found.is_some().then_some(scopes.len()));
                scopes.extend(found.map(|found| BraceScope { inside: at + 1..text.len(), ..found }));
            }
            b'}' => {
                if let Some(scope) = open.pop()? {
                    scopes[scope].inside.end = at;
                    scopes[scope].extent.end = at + 1;
                }
            }
            // A namespace for the rest of the file.
            b';' if open.is_empty() && file_scope.is_none() => {
                if let Some(found) =
                    match_scope_head(text, head..at, scope_patterns, true).filter(|found| found.kind == Kind::Namespace)
                {
                    file_scope = Some(scopes.len());
                    scopes.push(BraceScope {
                        extent: found.extent.start..text.len(),
                        inside: at + 1..text.len(),
                        ..found
                    });
                }
            }
            _ => {}
        }
        head = at + 1;
    }
    open.is_empty().then_some(scopes)
}

/// Matches the text before a brace with the row's patterns: on one line, without comments and preprocessor lines. With
/// `is_anchored`, a pattern must match from the beginning.
fn match_scope_head(
    text: &str,
    head: Range<usize>,
    scope_patterns: &[(Kind, Regex)],
    is_anchored: bool,
) -> Option<BraceScope> {
    let mut line = String::new();
    let mut offsets = Vec::new();
    let mut scanner = BraceScanner { text, bytes: text.as_bytes(), at: head.start };
    while scanner.at < head.end {
        let at = scanner.at;
        if scanner.skip_trivia() {
            continue;
        }
        if line.len() > MAX_HEAD_BYTES {
            return None;
        }
        let c = text[at..].chars().next()?;
        scanner.at += c.len_utf8();
        let c = if c.is_whitespace() { ' ' } else { c };
        if c != ' ' || !(line.is_empty() || line.ends_with(' ')) {
            line.push(c);
            offsets.resize(line.len(), at);
        }
    }
    let line = line.trim_end();
    scope_patterns.iter().find_map(|(kind, pattern)| {
        let found =
            pattern.captures(line).filter(|found| !is_anchored || found.get(0).is_some_and(|m| m.start() == 0))?;
        let name = (1..found.len()).find_map(|group| found.get(group))?;
        let start = *offsets.first()?;
        (!name.is_empty()).then(|| BraceScope {
            kind: *kind,
            name: clean::one_line(name.as_str()),
            name_byte: offsets[name.start()],
            extent: start..head.end,
            inside: head.end..head.end,
        })
    })
}

/// Scans a text for delimiters.
struct BraceScanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl BraceScanner<'_> {
    /// The next brace or semicolon outside of strings and comments, and its byte.
    fn next_delimiter(&mut self) -> Option<(u8, usize)> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.skip_trivia() || self.skip_string() {
                continue;
            }
            let at = self.at;
            self.at += 1;
            if matches!(byte, b'{' | b'}' | b';') {
                return Some((byte, at));
            }
        }
        None
    }

    fn starts_with(&self, mark: &str) -> bool {
        self.bytes[self.at..].starts_with(mark.as_bytes())
    }

    /// Skips past the next occurrence of a text, or to the end.
    fn skip_past(&mut self, mark: &str) {
        self.at = self.text[self.at..].find(mark).map_or(self.text.len(), |found| self.at + found + mark.len());
    }

    /// Skips a comment or preprocessor line, if one begins here.
    fn skip_trivia(&mut self) -> bool {
        if self.starts_with("//") {
            self.skip_line();
        } else if self.starts_with("/*") {
            self.at += 2;
            self.skip_past("*/");
        } else if self.starts_with("#") && self.begins_its_line() {
            self.skip_directive();
        } else {
            return false;
        }
        true
    }

    fn begins_its_line(&self) -> bool {
        let line = self.bytes[..self.at].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        self.bytes[line..self.at].iter().all(u8::is_ascii_whitespace)
    }

    /// Skips to the end of the line, including continuation lines.
    fn skip_line(&mut self) {
        loop {
            let rest = &self.bytes[self.at..];
            let Some(end) = rest.iter().position(|&b| b == b'\n') else {
                self.at = self.bytes.len();
                return;
            };
            self.at += end + 1;
            if !rest[..end].trim_ascii_end().ends_with(b"\\") {
                return;
            }
        }
    }

    /// The keyword of the preprocessor directive that begins here.
    fn directive(&self) -> &str {
        let rest = self.text[self.at + 1..].trim_start_matches([' ', '\t']);
        rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("")
    }

    /// Skips a directive, and all but the first branch of a conditional.
    fn skip_directive(&mut self) {
        if !matches!(self.directive(), "else" | "elif" | "elifdef" | "elifndef") {
            self.skip_line();
            return;
        }
        let mut depth = 0;
        loop {
            if self.starts_with("#") && self.begins_its_line() {
                match self.directive() {
                    "if" | "ifdef" | "ifndef" => depth += 1,
                    "endif" if depth == 0 => return self.skip_line(),
                    "endif" => depth -= 1,
                    _ => {}
                }
            }
            self.skip_line();
            let Some(text) = self.bytes.get(self.at..) else { return };
            self.at += text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if self.at >= self.bytes.len() {
                return;
            }
        }
    }

    /// Skips a string or character literal, if one begins here.
    fn skip_string(&mut self) -> bool {
        let before = self.at.checked_sub(1).map_or(b' ', |at| self.bytes[at]);
        if self.starts_with("\"\"\"") {
            self.at += 3;
            self.skip_past("\"\"\"");
        } else if self.starts_with("R\"") && !is_word_byte(before) {
            let rest = &self.text[self.at + 2..];
            let Some((mark, _)) = rest.split_once('(').filter(|(mark, _)| mark.len() <= 16) else { return false };
            let end = format!("){mark}\"");
            self.at += 2;
            self.skip_past(&end);
        } else if self.starts_with("@\"") || self.starts_with("@$\"") || self.starts_with("$@\"") {
            self.skip_past("\"");
            loop {
                self.skip_past("\"");
                if !self.starts_with("\"") {
                    return true;
                }
                self.at += 1;
            }
        } else if self.starts_with("\"") {
            self.at += 1;
            self.skip_to_quote(b'"', usize::MAX);
        } else if self.starts_with("'") && !is_word_byte(before) {
            // If the literal would be longer than any character, this is a lone apostrophe.
            let at = self.at;
            self.at += 1;
            if !self.skip_to_quote(b'\'', 14) {
                self.at = at + 1;
            }
        } else {
            return false;
        }
        true
    }

    /// Skips past the closing quote. Stops at the end of the line or after `max_bytes`, and returns false, if there is
    /// none.
    fn skip_to_quote(&mut self, quote: u8, max_bytes: usize) -> bool {
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'\n' || self.at - start > max_bytes {
                return false;
            }
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == quote {
                return true;
            }
        }
        self.at = self.bytes.len();
        false
    }
}

const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<Vec<(String, String)>> {
        let compiled = crate::language::by_name("cpp").unwrap().compiled();
        let scopes = named_scopes(text, &compiled.scope_patterns)?;
        Some(scopes.into_iter().map(|scope| (scope.name, text[scope.extent].replace('\n', " "))).collect())
    }

    fn names(text: &str) -> Vec<String> {
        found(text).unwrap().into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn scope_heads_are_recognized() {
        assert_eq!(names("namespace a { class B { void f() { if (x) {} } }; }"), ["a", "B"]);
        assert_eq!(names("namespace a::b { struct C final : D<E> { enum class F { G }; }; }"), ["a::b", "C", "F"]);
        assert_eq!(names("template <class T> class API_X(1) B<T> : A {};\nclass T f() { }"), ["B"]);
        assert_eq!(names("using namespace std;\nBEGIN_X\nnamespace b { }"), ["b"]);
        assert_eq!(names("namespace { struct stat s = {1}; }\nclass A; struct B b;"), Vec::<String>::new());
        let (name, extent) = &found("int x;\n// c\nclass /* y */ A { }; int z;").unwrap()[0];
        assert_eq!((name.as_str(), extent.as_str()), ("A", "class /* y */ A { }"));
    }

    #[test]
    fn braces_in_strings_comments_and_other_branches_do_not_count() {
        for text in [
            "class A { char c = '{'; int n = 1'000; };",
            "class A { const char *s = \"{\\\"{\"; };",
            "class A { auto s = R\"x({)\"{ )x\"; };",
            "class A { // {\n /* { */ };",
            "class A {\n#if X\n void f() {\n#else\n void g() {\n#if Y\n#endif\n#endif\n }\n};",
            "class A {\n#define M {{ \\\n {\n};",
        ] {
            assert_eq!(names(text), ["A"], "{text}");
        }
        assert_eq!(found("class A { } }"), None);
        assert_eq!(found("class A {"), None);
    }

    #[test]
    fn malformed_text_does_not_panic() {
        for text in
            ["", "#else", "#else\n", "#if\n#else\n#if\n#endif", "R\"", "\"", "'", "/*", "@\"\"", "\"\\", "é{é}é;"]
        {
            let _ = found(text);
        }
    }
}
