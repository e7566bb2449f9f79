//! An expression into the text that it writes, with `{}` for each part that is known when the program runs. Must not know
//! what the text is for.

use super::call::skip_quoted;

/// What is not written in the code.
pub(super) const HOLE: &str = "{}";

/// How deep calls in calls are followed: `fetch(new URL(join("a", b)))`.
const MAX_DEPTH: usize = 3;

/// The text that an expression writes, if a part of it is a literal. `resolve` returns the expression that a name in it
/// was given.
pub(super) fn template<'a>(expression: &'a str, resolve: &dyn Fn(&str) -> Option<&'a str>) -> Option<String> {
    let mut has_literal = false;
    let found = write(expression, resolve, MAX_DEPTH, &mut has_literal);
    has_literal.then_some(found)
}

/// The text of a literal without holes.
pub(super) fn literal(expression: &str) -> Option<String> {
    template(expression, &|_| None).filter(|text| !text.contains(HOLE))
}

fn write<'a>(
    expression: &'a str,
    resolve: &dyn Fn(&str) -> Option<&'a str>,
    depth: usize,
    has_literal: &mut bool,
) -> String {
    let mut out = String::new();
    for part in summands(expression) {
        let text = one(part, resolve, depth, has_literal);
        // Two parts that are not known are one.
        if text != HOLE || !out.ends_with(HOLE) {
            out.push_str(&text);
        }
    }
    out
}

/// The text of an expression that is no sum.
fn one<'a>(
    expression: &'a str,
    resolve: &dyn Fn(&str) -> Option<&'a str>,
    depth: usize,
    has_literal: &mut bool,
) -> String {
    let expression =
        expression.trim().trim_start_matches(['&', '*']).trim_start_matches("await ").trim_start_matches("new ");
    let expression = expression.strip_prefix('(').and_then(|e| e.strip_suffix(')')).unwrap_or(expression);
    let within = |name: &str| resolve(name).and_then(literal);
    if let Some((text, rest)) = quoted(expression, &within) {
        *has_literal = true;
        return if rest.trim_start().starts_with(['%', '.']) { with_holes(&text) } else { text };
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$' | '@' | '!' | '?' | '>' | '-');
    let end = expression.find(|c: char| !is_name(c)).unwrap_or(expression.len());
    let (name, rest) = expression.split_at(end);
    if depth == 0 || name.is_empty() {
        return HOLE.to_owned();
    }
    if rest.is_empty() {
        // A constant of this file.
        let value =
            name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$')).then(|| resolve(name)).flatten();
        return value.map_or_else(|| HOLE.to_owned(), |value| write(value, resolve, depth - 1, has_literal));
    }
    // `Sprintf("/x/%d", id)`, `format!("/x/{}", id)`, `URI.create("/x")`: what the first literal argument writes.
    let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.trim_end().strip_suffix(')')) else {
        return HOLE.to_owned();
    };
    let first = inner.trim_start();
    match quoted(first, &within) {
        Some((text, rest)) if rest.trim_start().is_empty() || rest.trim_start().starts_with(',') => {
            *has_literal = true;
            with_holes(&text)
        }
        _ => {
            let mut is_written = false;
            let text = write(first.split(',').next().unwrap_or(first), resolve, depth - 1, &mut is_written);
            *has_literal |= is_written;
            // The format may be a constant: `Sprintf(pathUser, base)`.
            if is_written { with_holes(&text) } else { HOLE.to_owned() }
        }
    }
}

/// The parts of a sum: of `+`, of `.` between texts (PHP), `..` (Lua), `<>` (Elixir).
fn summands(expression: &str) -> Vec<&str> {
    let bytes = expression.as_bytes();
    let (mut found, mut depth, mut at, mut start) = (Vec::new(), 0_usize, 0, 0);
    while at < bytes.len() {
        let width = match bytes[at] {
            b'(' | b'[' | b'{' => {
                depth += 1;
                0
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                0
            }
            b'"' | b'\'' | b'`' => {
                at = skip_quoted(bytes, at).max(at + 1);
                continue;
            }
            b'+' if depth == 0 => 1,
            b'<' if depth == 0 && bytes[at..].starts_with(b"<>") => 2,
            b'.' if depth == 0 && bytes[at..].starts_with(b"..") => 2,
            b'.' if depth == 0 && (before(expression, at).ends_with(['"', '\'', ' ']) || is_quote(bytes, at + 1)) => 1,
            _ => 0,
        };
        // A method of a literal is no sum: `"/x/{}".format(id)`.
        let is_method = width == 1
            && bytes[at] == b'.'
            && !is_quote(bytes, at + 1)
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        if width > 0 && !is_method {
            found.push(&expression[start..at]);
            at += width;
            start = at;
        } else {
            at += 1;
        }
    }
    found.push(&expression[start..]);
    found.retain(|part| !part.trim().is_empty());
    found
}

fn before(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or("")
}

fn is_quote(bytes: &[u8], at: usize) -> bool {
    let next = bytes.get(at..).unwrap_or_default().iter().find(|byte| **byte != b' ');
    next.is_some_and(|byte| matches!(byte, b'"' | b'\''))
}

/// A quoted text at the beginning of an expression, and what follows it. Interpolations are holes, except names of which
/// `within` knows the text.
fn quoted<'a>(expression: &'a str, within: &dyn Fn(&str) -> Option<String>) -> Option<(String, &'a str)> {
    let prefix = expression.find(['"', '\'', '`'])?;
    let marks = &expression[..prefix];
    if marks.len() > 3
        || !marks.chars().all(|c| matches!(c, 'f' | 'F' | 'r' | 'R' | 'b' | 'B' | 'u' | 'U' | '$' | '@' | 's' | '#'))
    {
        return None;
    }
    let body = &expression[prefix..];
    let end = skip_quoted(body.as_bytes(), 0);
    let width = if body.starts_with("\"\"\"") || body.starts_with("'''") { 3 } else { 1 };
    let inner = body.get(width..end.checked_sub(width)?)?;
    let braces = marks.contains(['f', 'F', '$', 's']);
    Some((interpolated(inner, braces, body.starts_with('\''), within), &body[end..]))
}

/// A text with holes where it is interpolated: `${x}`, `#{x}`, `\(x)`, `$x`, and `{x}` where `braces` says so.
fn interpolated(text: &str, braces: bool, single: bool, within: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['$', '#', '\\', '{', '%']) {
        out.push_str(&rest[..at]);
        let here = &rest[at..];
        let name = here.strip_prefix('$').filter(|after| after.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        let open = ["${", "#{", "\\("].into_iter().find(|open| here.starts_with(open));
        let length = match open {
            Some(open) => bracket_end(here, open.len() - 1),
            None if braces && here.starts_with('{') && !here.starts_with("{{") => bracket_end(here, 0),
            None => name
                .filter(|_| !single)
                .map(|after| 1 + after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len())),
        };
        match length {
            Some(length) => {
                let inner = here[..length].trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
                match within(inner) {
                    Some(known) => out.push_str(&known),
                    None => out.push_str(HOLE),
                }
                rest = &here[length..];
            }
            None => {
                let width = here.chars().next().map_or(1, char::len_utf8);
                out.push_str(&here[..width]);
                rest = &here[width..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn bracket_end(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices().skip(open) {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// A format into the text that it writes: `%s`, `%d`, `{}`, `{0}`, `{name}` are holes.
fn with_holes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['%', '{']) {
        out.push_str(&rest[..at]);
        let here = &rest[at..];
        let length = if here.starts_with('{') {
            bracket_end(here, 0)
        } else {
            let verb = here[1..].trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '#'));
            verb.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| here.len() - verb.len() + 1)
        };
        let Some(length) = length else {
            out.push_str(&here[..1]);
            rest = &here[1..];
            continue;
        };
        out.push_str(HOLE);
        rest = &here[length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_written_in_many_ways() {
        let none = |_: &str| None;
        for (expression, text) in [
            ("\"/users\"", Some("/users")),
            ("'/users/' + id", Some("/users/{}")),
            ("`${base}/users/${user.id}/x`", Some("{}/users/{}/x")),
            ("f\"{BASE}/users/{id}\"", Some("{}/users/{}")),
            ("$\"/users/{id}\"", Some("/users/{}")),
            ("\"/users/{id}\"", Some("/users/{id}")),
            ("\"/users/$id\"", Some("/users/{}")),
            ("\"/users/#{id}\"", Some("/users/{}")),
            ("\"/users/\\(id)\"", Some("/users/{}")),
            ("fmt.Sprintf(\"%s/users/%d\", base, id)", Some("{}/users/{}")),
            ("&format!(\"{}/users/{}\", base, id)", Some("{}/users/{}")),
            ("String.format(\"/users/%s\", id)", Some("/users/{}")),
            ("\"/users/{}\".format(id)", Some("/users/{}")),
            ("\"/users/%s\" % id", Some("/users/{}")),
            ("URI.create(\"http://a/users\")", Some("http://a/users")),
            ("new URL('/users', base)", Some("/users")),
            ("URI.create(base + \"/users\")", Some("{}/users")),
            ("'/users/' . $id . '/x'", Some("/users/{}/x")),
            ("base .. \"/users\"", Some("{}/users")),
            ("'/users/' + element.text.trim() + '/x'", Some("/users/{}/x")),
            ("\"/users/\" <> id", Some("/users/{}")),
            ("url", None),
            ("self.path(x)", None),
        ] {
            let found = template(expression, &none);
            assert_eq!(found.as_deref(), text, "{expression}");
        }
    }

    #[test]
    fn names_have_the_values_that_they_were_given() {
        let known = |name: &str| match name {
            "URL" => Some("BASE + '/users'"),
            "base" => Some("'/api'"),
            "FORMAT" => Some("\"%s/users/%d\""),
            "again" => Some("again + '/x'"),
            _ => None,
        };
        assert_eq!(template("`${base}/users/${id}`", &known).as_deref(), Some("/api/users/{}"));
        assert_eq!(template("f\"{base}/users\"", &known).as_deref(), Some("/api/users"));
        assert_eq!(template("fmt.Sprintf(FORMAT, a, 1)", &known).as_deref(), Some("{}/users/{}"));
        assert!(template("again", &known).is_some_and(|text| text.ends_with("/x")));
        assert_eq!(template("URL", &known).as_deref(), Some("{}/users"));
        assert_eq!(template("URL + '/x'", &known).as_deref(), Some("{}/users/x"));
    }
}
