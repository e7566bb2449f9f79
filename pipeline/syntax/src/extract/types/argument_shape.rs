//! What is known of the type of an argument, by its text.
//!
//! The shape of an argument is an access path, in which the type of a literal is written as a declared type, `<String>`;
//! or [`NULL`], or the number of parameters of a function, `{2}`, or `{}` where it is not written. It is empty if nothing
//! is known. `label=` comes before it where the call names the parameter.

use super::access_path::access_path;
use super::alternatives::type_alternatives;
use super::notation::{BUILT_IN, NULL_LITERALS, bracketed_len, split_label, split_top_level};
use crate::language::Language;

/// The shape of a null literal.
pub const NULL: &str = "null";
/// Longer shapes, in bytes, are left out.
const MAX_SHAPE_BYTES: usize = 100;
/// Longer arguments, in bytes, are not looked at.
const MAX_ARGUMENT_BYTES: usize = 600;
/// Operators between spaces that result in a truth value.
const CONDITIONS: &[&str] = &[" == ", " != ", " && ", " || ", " >= ", " <= ", " instanceof "];

/// The shape of an argument. `is_function` is true if it is known to be a function.
pub(crate) fn argument_shape(text: &str, is_function: bool, language: &Language) -> String {
    let (label, value) = split_label(text.trim());
    let shape = if is_function { function_shape(value) } else { value_shape(value, language) };
    let usable = shape.len() <= MAX_SHAPE_BYTES && shape != BUILT_IN && !shape.contains([',', '=']);
    let shape = if usable { shape } else { String::new() };
    match label {
        Some(label) => format!("{label}={shape}"),
        None => shape,
    }
}

/// The number of parameters that a function writes.
fn function_shape(text: &str) -> String {
    let text = text.strip_prefix('{').unwrap_or(text).trim_start();
    let head = ["->", "=>", " in "].iter().filter_map(|arrow| text.find(arrow)).min().map(|at| text[..at].trim());
    match head {
        Some(head) if head.starts_with('(') && head.ends_with(')') => {
            let inside = head[1..head.len() - 1].trim();
            format!("{{{}}}", if inside.is_empty() { 0 } else { split_top_level(inside, ',').len() })
        }
        Some(head) if head.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ',' | ' ' | ':')) => {
            format!("{{{}}}", head.split(',').filter(|name| !name.trim().is_empty()).count())
        }
        _ => "{}".to_owned(),
    }
}

fn value_shape(text: &str, language: &Language) -> String {
    if text.len() > MAX_ARGUMENT_BYTES {
        return String::new();
    }
    let of_literal = |kind: &str| language.literal_type(kind).map_or_else(String::new, |name| format!("<{name}>"));
    if NULL_LITERALS.contains(&text) {
        return NULL.to_owned();
    }
    if matches!(text, "true" | "false") || text.starts_with('!') {
        return of_literal("boolean");
    }
    if let Some(kind) = number_kind(text.strip_prefix('-').unwrap_or(text)) {
        return of_literal(kind);
    }
    // A text and what is appended to it.
    let quoted = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '$' | '@'));
    if let Some(end) = quoted.starts_with('"').then(|| quoted_len(quoted)).flatten() {
        let after = quoted[end..].trim_start();
        return if after.is_empty() || after.starts_with("+ ") { of_literal("string") } else { String::new() };
    }
    if let Some(end) = text.starts_with('\'').then(|| quoted_len(text)).flatten() {
        return if end == text.len() { of_literal("character") } else { String::new() };
    }
    if has_top_level(text, CONDITIONS) {
        return of_literal("boolean");
    }
    if let [_, chosen] = *split_at_first(text, " ? ") {
        return split_at_first(chosen, " : ").first().map_or_else(String::new, |one| value_shape(one.trim(), language));
    }
    if has_top_level(text, &[" + "]) && text.contains('"') {
        return of_literal("string");
    }
    if text.ends_with(".class") || text.ends_with("::class.java") {
        return of_literal("class");
    }
    if text.ends_with("::class") {
        return of_literal("kotlin_class");
    }
    if text.starts_with("typeof(") {
        return of_literal("class");
    }
    if let Some(array) = text.strip_prefix("new ").and_then(array_shape) {
        return array;
    }
    // `(long) x`: other casts are access paths.
    if text.starts_with('(')
        && let Some(end) = bracketed_len(text)
    {
        let (inside, after) = (text[1..end - 1].trim(), text[end..].trim_start());
        let is_cast = inside.chars().all(char::is_lowercase) && !after.is_empty();
        if is_cast && after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '-' | '\'' | '_')) {
            return format!("<{inside}>");
        }
    }
    access_path(text)
}

/// The type of a new array: `int[3]`, `Foo[][] {}`.
fn array_shape(text: &str) -> Option<String> {
    let open =
        text.find('[').filter(|&at| text[..at].chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')))?;
    let mut rest = &text[open..];
    let mut types = text[..open].to_owned();
    while rest.starts_with('[') {
        types.push_str("[]");
        rest = rest[bracketed_len(rest)?..].trim_start();
    }
    let types = (rest.is_empty() || rest.starts_with('{')).then(|| type_alternatives(&types, &[]))?;
    (!types.is_empty()).then(|| format!("<{types}>"))
}

/// What kind of number a text is, if it is one.
fn number_kind(text: &str) -> Option<&'static str> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    if !is_number {
        return None;
    }
    let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let is_suffixed = |suffixes: &[char]| !is_hexadecimal && text.ends_with(suffixes);
    Some(match text {
        _ if text.ends_with(['L', 'l']) => "long",
        _ if is_suffixed(&['f', 'F']) => "float",
        _ if is_suffixed(&['m', 'M']) => "money",
        _ if is_suffixed(&['d', 'D']) || !is_hexadecimal && text.contains(['.', 'e', 'E']) => "decimal",
        _ if text.ends_with(|c: char| c.is_ascii_alphabetic()) && !is_hexadecimal => return None,
        _ => "integer",
    })
}

/// The length of the quoted text with which a text begins.
fn quoted_len(text: &str) -> Option<usize> {
    let quote = text.chars().next()?;
    let triple = text.starts_with("\"\"\"").then_some("\"\"\"");
    if let Some(marks) = triple {
        return text[3..].find(marks).map(|at| at + 6);
    }
    let mut before = ' ';
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && before != '\\' {
            return Some(at + 1);
        }
        before = if before == '\\' { ' ' } else { c };
    }
    None
}

/// Whether a text contains one of some operators outside of brackets and quotes.
fn has_top_level(text: &str, operators: &[&str]) -> bool {
    operators.iter().any(|operator| top_level(text, operator).is_some())
}

fn split_at_first<'a>(text: &'a str, separator: &str) -> Box<[&'a str]> {
    match top_level(text, separator) {
        Some(at) => Box::new([&text[..at], &text[at + separator.len()..]]),
        None => Box::new([text]),
    }
}

/// The first byte of a separator outside of brackets and quotes.
fn top_level(text: &str, separator: &str) -> Option<usize> {
    let (mut depth, mut quote, mut before) = (0_i32, None, ' ');
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open && before != '\\' => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) if depth == 0 && text[at..].starts_with(separator) => return Some(at),
            _ => {}
        }
        before = if before == '\\' { ' ' } else { c };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;

    #[test]
    fn shapes_are_types_of_literals_or_paths() {
        let java = language::by_name("java").unwrap();
        for (text, expected) in [
            ("\"a\"", "<String>"),
            ("\"a\" + b", "<String>"),
            ("b + \"a\"", "<String>"),
            ("\"a\".length()", ""),
            ("'\\''", "<char>"),
            ("-1", "<int>"),
            ("0xFFL", "<long>"),
            ("0xFF", "<int>"),
            ("1e3", "<double>"),
            ("2f", "<float>"),
            ("!a.b()", "<boolean>"),
            ("a.b(x == y)", "a.b()"),
            ("a == b", "<boolean>"),
            ("a ? \"x\" : b", "<String>"),
            ("null", "null"),
            ("Foo.class", "<Class>"),
            ("(byte) x", "<byte>"),
            ("(Foo) x", "<Foo>"),
            ("new int[] {1, 2}", "<![int]>"),
            ("new a.Foo[3][]", "<![![a.Foo]]>"),
            ("new Foo(1, 2)", "Foo()"),
            ("a.b", "a.b"),
            ("a + b", ""),
            ("name = 1", "name=<int>"),
            ("name: a", "name=a"),
        ] {
            assert_eq!(argument_shape(text, false, java), expected, "{text}");
        }
        for (text, expected) in [
            ("x -> x + 1", "{1}"),
            ("(a, b) -> a", "{2}"),
            ("() -> 1", "{0}"),
            ("{ a, b -> a }", "{2}"),
            ("{ it.a }", "{}"),
            ("Foo::bar", "{}"),
        ] {
            assert_eq!(argument_shape(text, true, java), expected, "{text}");
        }
    }
}
