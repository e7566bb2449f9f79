//! Cleans captured text: qualified names into segments, comments into plain text, signatures onto one
//! line.

use std::sync::LazyLock;

use regex::Regex;

/// Signatures are truncated to this many bytes.
const MAX_SIGNATURE_BYTES: usize = 400;
/// Documentation is truncated to this many bytes.
const MAX_DOC_BYTES: usize = 8 << 10;
/// Names are truncated to this many bytes.
const MAX_NAME_BYTES: usize = 512;

/// Splits a type or qualified name, as written, into path segments. Drops type arguments, references, pointers,
/// lifetimes, nullability and array marks.
///
/// ```
/// use sextant_syntax::extract::type_segments;
/// assert_eq!(type_segments("*Stack[T]"), ["Stack"]);
/// assert_eq!(type_segments("ns::Foo<T>::~Foo"), ["ns", "Foo", "~Foo"]);
/// assert_eq!(type_segments("&'static mut dyn a::B"), ["a", "B"]);
/// assert_eq!(type_segments("ns::Foo::operator<="), ["ns", "Foo", "operator<="]);
/// ```
#[must_use]
pub fn type_segments(text: &str) -> Vec<String> {
    let text = text.trim();
    // The common case: a plain identifier.
    if !text.is_empty() && text.len() <= MAX_NAME_BYTES && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    {
        return vec![text.to_owned()];
    }
    // An operator's name consists of characters that are dropped elsewhere.
    if let Some(at) = text.find("operator")
        && text[at + 8..].chars().next().is_some_and(|c| !c.is_alphanumeric() && c != '_')
        && (at == 0 || text[..at].ends_with(':'))
    {
        let mut segments = type_segments(text[..at].trim_end_matches(':'));
        let operator = collapse_whitespace(&text[at..]);
        // `operator bool() const` is a conversion: the name ends with the type.
        let is_conversion = operator["operator".len()..].trim_start().starts_with(|c: char| c.is_alphabetic());
        let operator = if is_conversion { operator.split('(').next().unwrap_or("").trim_end() } else { &operator };
        segments.push(truncate(operator, MAX_NAME_BYTES).to_owned());
        return segments;
    }
    let mut flat = String::with_capacity(text.len());
    let mut depth = 0_u32;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '<' | '[' | '(' => depth += 1,
            '-' if chars.peek() == Some(&'>') => {
                chars.next();
                // `a->b` separates like a dot.
                if depth == 0 {
                    flat.push('.');
                }
            }
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            // A prime is part of the preceding name.
            '\'' if flat.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '\'') => flat.push(c),
            '\'' => {
                // Drop the name of the lifetime as well.
                while chars.peek().is_some_and(|c| c.is_alphanumeric() || *c == '_') {
                    chars.next();
                }
                flat.push(' ');
            }
            '&' | '*' | '?' | '!' | '"' | '`' => flat.push(' '),
            c => flat.push(c),
        }
    }
    let is_modifier =
        |word: &&str| matches!(*word, "mut" | "const" | "dyn" | "impl" | "struct" | "enum" | "union" | "class");
    // A modifier alone is the name: some languages allow it.
    let words = || flat.split_whitespace();
    let word = words().rfind(|word| !is_modifier(word)).or_else(|| words().next_back()).unwrap_or("");
    let word = word.strip_prefix("r#").unwrap_or(word);
    word.split("::")
        .flat_map(|part| part.split(['.', '\\']))
        .filter(|segment| !segment.is_empty())
        .map(|segment| truncate(segment, MAX_NAME_BYTES).to_owned())
        .collect()
}

/// The segments of a name. A symbol (`:empty?`) or a key (`name:`) is one segment without the colon.
#[must_use]
pub(crate) fn name_segments(text: &str) -> Vec<String> {
    let text = text.trim();
    match text.strip_prefix(':') {
        Some(symbol) if !symbol.starts_with(':') => vec![truncate(without_quotes(symbol), MAX_NAME_BYTES).to_owned()],
        _ => match text.strip_suffix(':').filter(|key| !key.ends_with(':')) {
            Some(key) => vec![truncate(without_quotes(key), MAX_NAME_BYTES).to_owned()],
            None => type_segments(text),
        },
    }
}

/// Replaces each run of white space by one space, and trims both ends.
fn collapse_whitespace(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// A name written as prose, such as a heading or string, on one line.
#[must_use]
pub(crate) fn one_line(text: &str) -> String {
    truncate(collapse_whitespace(text).trim_end(), MAX_NAME_BYTES).to_owned()
}

/// Removes one pair of quotes or angle brackets around an import's path.
#[must_use]
pub(crate) fn unquote_import_path(text: &str) -> &str {
    let text = text.trim();
    let plain = without_quotes(text);
    let bracketed = || plain.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    if plain.len() < text.len() { plain } else { bracketed().unwrap_or(plain) }
}

/// Removes one pair of quotes around a name.
#[must_use]
pub(crate) fn without_quotes(text: &str) -> &str {
    let text = text.trim();
    ['"', '\'', '`']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote).and_then(|rest| rest.strip_suffix(*quote)))
        .unwrap_or(text)
}

/// The text before a body, on one line.
#[must_use]
pub(crate) fn signature(text: &str) -> Option<String> {
    let text = truncate(text, MAX_SIGNATURE_BYTES * 2);
    let joined = collapse_whitespace(text);
    let trimmed = joined.trim_end_matches(['{', ':', '=', ',', ' ']).trim_end_matches("=>").trim_end();
    (!trimmed.is_empty()).then(|| truncate(trimmed, MAX_SIGNATURE_BYTES).to_owned())
}

/// Prefixes of a line in a comment or docstring, longer before shorter.
const DOC_PREFIXES: &[&str] = &[
    "///", "//!", "//", "/**", "/*!", "/*", "---", "--[[", "-- |", "-- ^", "--|", "--", "{-|", "{-", "(**", "(*",
    "<!--", "##", "#'", "#", ";;", "r\"\"\"", "\"\"\"", "'''", "*",
];
/// Suffixes of a line in a comment or docstring.
const DOC_SUFFIXES: &[&str] = &["*/", "*)", "-}", "-->", "]]", "\"\"\"", "'''"];

/// Tags of documentation tools without meaning for a reader: `<summary>`, `<p>`.
static DOC_TAG: LazyLock<Regex> = LazyLock::new(|| {
    let tags = "summary|param|returns|remarks|para|see|seealso|exception|typeparam|value|inheritdoc|paramref|example\
                |c|code|p|pre|ul|ol|li|br|em|strong|tt|blockquote";
    match Regex::new(&format!("</?(?:{tags})(?:\\s[^<>]*)?/?>")) {
        Ok(regex) => regex,
        // The pattern is constant, and tests compile it.
        Err(error) => panic!("{error}"),
    }
});

/// Extracts plain text from comments or a docstring: removes comment marks and tags, keeps lines. Returns `None` if
/// no letter or digit is left.
#[must_use]
pub(crate) fn doc(text: &str) -> Option<String> {
    let mut out = String::new();
    for line in truncate(text, MAX_DOC_BYTES * 2).lines() {
        let line = line.trim();
        let line = DOC_SUFFIXES.iter().find_map(|mark| line.strip_suffix(mark)).unwrap_or(line);
        let line = DOC_PREFIXES.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line).trim();
        let line = &*DOC_TAG.replace_all(line, "");
        let line = line.trim();
        if line.is_empty() && (out.is_empty() || out.ends_with("\n\n")) {
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    let out = truncate(out.trim_end(), MAX_DOC_BYTES);
    out.chars().any(char::is_alphanumeric).then(|| out.to_owned())
}

/// The longest prefix of at most `bytes` bytes that ends between characters.
fn truncate(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_reduced_to_their_path() {
        for (text, expected) in [
            ("Vec<T>", vec!["Vec"]),
            ("*pkg.Repo[K, V]", vec!["pkg", "Repo"]),
            ("Map<String, List<X>>.Entry", vec!["Map", "Entry"]),
            ("String?", vec!["String"]),
            ("struct uv_loop_s *", vec!["uv_loop_s"]),
            ("Foo::operator()", vec!["Foo", "operator()"]),
            ("operator==", vec!["operator=="]),
            ("A::operator bool() const", vec!["A", "operator bool"]),
            ("operator_name", vec!["operator_name"]),
            ("foldl'", vec!["foldl'"]),
            ("\\App\\Models\\User", vec!["App", "Models", "User"]),
            ("union", vec!["union"]),
            ("r#async", vec!["async"]),
            ("", vec![]),
            ("(a, b)", vec![]),
        ] {
            assert_eq!(type_segments(text), expected, "{text}");
        }
    }

    #[test]
    fn symbols_and_keys_are_verbatim_names() {
        assert_eq!(name_segments(":empty?"), ["empty?"]);
        assert_eq!(name_segments(":[]="), ["[]="]);
        assert_eq!(name_segments("name: "), ["name"]);
        assert_eq!(name_segments("::Foo::Bar"), ["Foo", "Bar"]);
    }

    #[test]
    fn comments_become_plain_text() {
        assert_eq!(doc("/// Adds.\n///\n/// Twice.").as_deref(), Some("Adds.\n\nTwice."));
        assert_eq!(doc("/**\n * Adds.\n * @param a x\n */").as_deref(), Some("Adds.\n@param a x"));
        assert_eq!(doc("\"\"\"Adds.\n\n    More.\n    \"\"\"").as_deref(), Some("Adds.\n\nMore."));
        assert_eq!(doc("/// <summary>Adds <c>a</c>.</summary>").as_deref(), Some("Adds a."));
        assert_eq!(doc("// ------"), None);
    }

    #[test]
    fn signatures_are_one_line_without_the_opening_brace() {
        assert_eq!(signature("fn a(\n    b: u8,\n) -> u8 {").as_deref(), Some("fn a( b: u8, ) -> u8"));
        assert_eq!(signature("def f(x):").as_deref(), Some("def f(x)"));
        assert_eq!(signature("x: Vec<T>").as_deref(), Some("x: Vec<T>"));
        assert!(signature(&"ü".repeat(5000)).unwrap().len() <= MAX_SIGNATURE_BYTES);
    }
}
