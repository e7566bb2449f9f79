//! Reduces types and values, as written, to what is needed to look up their members.
//!
//! An **access path** is the origin of a value: names, members, calls and subscripts without arguments,
//! `a.b().c[]`. It may begin with a declared type, `<A>`. A **type** is a path, `a.B`, or `()T` for a
//! callable that returns a `T`. Both may be alternatives, separated by `|`. The empty text means unknown,
//! and [`BUILT_IN`] a literal or type of the language itself. This module knows syntax that languages
//! share, and no particular language.

/// A literal, or a type of the language itself.
pub const BUILT_IN: &str = "!";

/// Longer texts, in bytes, are unknown.
const MAX_TEXT_BYTES: usize = 400;
/// Wrappers and parentheses are followed to this depth.
const MAX_DEPTH: u32 = 8;
/// Types with more alternatives are unknown.
const MAX_ALTERNATIVES: usize = 6;

/// Words before a value that do not change its members.
const VALUE_PREFIXES: &[&str] = &["await", "new", "try", "try!", "try?", "mut", "const", "co_await", "move", "ref"];
/// Words that begin an expression which is not an access path.
const NON_VALUE_KEYWORDS: &[&str] = &[
    "function", "async", "lambda", "fn", "func", "fun", "if", "match", "switch", "class", "do", "case", "not", "yield",
    "unsafe", "when", "for", "while", "loop", "typeof", "delete", "void", "sizeof", "return", "throw",
];
/// Boolean literals.
const BOOLEAN_LITERALS: &[&str] = &["True", "False", "true", "false"];
/// Null literals.
const NULL_LITERALS: &[&str] = &["None", "null", "undefined", "nil", "nullptr", "NULL"];
/// Words before a type that do not change its members.
const TYPE_MODIFIERS: &[&str] = &[
    "mut", "const", "dyn", "impl", "readonly", "final", "volatile", "struct", "class", "enum", "union", "unique",
    "suspend", "out", "in", "inout", "ref", "params", "typename", "static", "some", "any", "sink", "scoped", "unsafe",
];
/// Types without members.
const UNIT_TYPES: &[&str] = &["None", "null", "undefined", "void", "never", "nil", "NoReturn", "Nothing", "Unit"];
/// Types that may be anything, and words that declare a name without its type.
const UNKNOWN_TYPES: &[&str] =
    &["any", "Any", "unknown", "object", "Object", "auto", "var", "dynamic", "mixed", "interface", "let", "val"];

/// Returns the access path of a value or receiver, empty if unknown.
///
/// ```
/// use sextant_syntax::extract::access_path;
/// assert_eq!(access_path("await self.client.get(url, x=f(1)).json()"), "self.client.get().json()");
/// assert_eq!(access_path("new Foo<Bar>(x)"), "Foo()");
/// assert_eq!(access_path("a + b"), "");
/// ```
#[must_use]
pub fn access_path(text: &str) -> String {
    if text.len() > MAX_TEXT_BYTES * 4 {
        return String::new();
    }
    let mut rest = text.trim();
    let mut is_new = false;
    loop {
        let before = rest;
        rest = rest.trim_start_matches(['&', '*', '@']).trim_start();
        for word in VALUE_PREFIXES {
            if let Some(after) = rest.strip_prefix(word).filter(|after| after.starts_with(char::is_whitespace)) {
                is_new |= *word == "new";
                rest = after.trim_start();
            }
        }
        if rest == before {
            break;
        }
    }
    let mut out = String::new();
    match rest.chars().next() {
        Some('"' | '\'' | '`' | '[' | '{' | '0'..='9' | '-') => return BUILT_IN.to_owned(),
        Some('(') => {
            let Some(end) = bracketed_len(rest) else { return out };
            // `(Foo) x.y()` is a Foo, whatever follows the cast.
            let after = rest[end..].trim_start();
            let inside = rest[1..end - 1].trim();
            if after.starts_with(|c: char| c.is_alphabetic() || c == '_') && inside.starts_with(char::is_uppercase) {
                let cast = type_alternatives(inside, &[]);
                return if cast.is_empty() || access_path(after).is_empty() { out } else { format!("<{cast}>") };
            }
            out = access_path(inside);
            if out.is_empty() || out == BUILT_IN {
                return out;
            }
            rest = &rest[end..];
        }
        _ => {
            let (word, after) = split_identifier(rest);
            if word.is_empty() || NON_VALUE_KEYWORDS.contains(&word) || NULL_LITERALS.contains(&word) {
                return out;
            }
            if BOOLEAN_LITERALS.contains(&word) || after.starts_with(['"', '\'']) {
                return BUILT_IN.to_owned();
            }
            out.push_str(word);
            rest = after;
        }
    }
    let Some(other) = access_path_tail(rest, &mut out).filter(|_| out.len() <= MAX_TEXT_BYTES) else {
        return String::new();
    };
    if is_new && !out.contains("()") && !out.starts_with('<') {
        out.push_str("()");
    }
    let other = access_path(other);
    if !other.is_empty() && other != BUILT_IN {
        out = format!("{out}|{other}");
    }
    out
}

/// Appends the rest of an access path, after its first name, to `out`. Returns the text of the alternative value, as in
/// `a ?? b`, or the empty text; `None` if the expression is not an access path.
fn access_path_tail<'a>(mut rest: &'a str, out: &mut String) -> Option<&'a str> {
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return Some("") };
        match first {
            '(' | '[' => {
                out.push_str(if first == '(' { "()" } else { "[]" });
                rest = &rest[bracketed_len(rest)?..];
            }
            // A struct literal, `Foo { a: 1 }`, or a block passed to a call.
            '{' => {
                if !out.ends_with("()") {
                    out.push_str("()");
                }
                rest = &rest[bracketed_len(rest)?..];
            }
            // Type arguments.
            '<' => {
                rest = &rest[bracketed_len(rest)?..];
                (rest.is_empty() || rest.starts_with(['(', '{', '.', ':'])).then_some(())?;
            }
            '.' | '?' | '!' | ':' | '-' => {
                if let Some(other) = ["??", "?:"].iter().find_map(|or| rest.strip_prefix(or)) {
                    return Some(other);
                }
                let link =
                    ["?.", "!.", "?->", "->", "::", "!!.", ".", "?", "!"].iter().find_map(|s| rest.strip_prefix(s));
                let after = link?;
                // `a?.b` continues the path, `a?` and `a!` end it, `a ? b : c` and `a!(x)` are not access paths.
                if rest.starts_with(['?', '!']) && rest.len() - after.len() == 1 {
                    (after.is_empty() || after.starts_with(['.', ')', '?'])).then_some(())?;
                    rest = after;
                    continue;
                }
                let after = after.trim_start();
                // A type assertion: `x.(*Foo)`.
                if after.starts_with('(') && rest.starts_with('.') {
                    let end = bracketed_len(after)?;
                    let inside = after[1..end - 1].trim();
                    if inside.starts_with(|c: char| c == '*' || c.is_uppercase()) || inside.contains('.') {
                        *out = Some(type_alternatives(inside, &[]))
                            .filter(|types| !types.is_empty())
                            .map(|t| format!("<{t}>"))?;
                        rest = &after[end..];
                        continue;
                    }
                }
                if after.starts_with(['(', '[', '<']) {
                    rest = after;
                    continue;
                }
                let (name, after) = split_identifier(after);
                (!name.is_empty()).then_some(())?;
                rest = after;
                // Awaiting a value does not change its members.
                if matches!(name, "await" | "ConfigureAwait") {
                    if rest.starts_with('(') {
                        rest = &rest[bracketed_len(rest)?..];
                    }
                } else {
                    out.push('.');
                    out.push_str(name);
                }
            }
            _ => {
                for cast in ["as! ", "as? ", "as ", "satisfies "] {
                    if let Some(written) = rest.strip_prefix(cast) {
                        let last = written.rsplit(" as ").next().unwrap_or(written);
                        *out = Some(type_alternatives(last, &[]))
                            .filter(|types| !types.is_empty())
                            .map(|types| format!("<{types}>"))?;
                        return Some("");
                    }
                }
                if let Some(after) = rest.strip_prefix("if ") {
                    return after.split_once(" else ").map(|(_, other)| other);
                }
                return ["or ", "||"].iter().find_map(|or| rest.strip_prefix(or));
            }
        }
    }
}

/// Returns the alternatives of a declared type, separated by `|`, empty if unknown. `wrappers` are types that are
/// replaced by their first argument: `Optional`, `Promise`, `Box`.
///
/// ```
/// use sextant_syntax::extract::type_alternatives;
/// assert_eq!(type_alternatives("Optional[httpx.Client]", &["Optional"]), "httpx.Client");
/// assert_eq!(type_alternatives(": Promise<Foo | undefined>", &["Promise"]), "Foo");
/// assert_eq!(type_alternatives("&'a mut dyn a::B<T>", &[]), "a.B");
/// ```
#[must_use]
pub fn type_alternatives(text: &str, wrappers: &[&str]) -> String {
    let mut found = Vec::new();
    if text.len() > MAX_TEXT_BYTES || collect_alternatives(text, wrappers, 0, &mut found).is_none() {
        return String::new();
    }
    found.dedup();
    if found.len() > MAX_ALTERNATIVES { String::new() } else { found.join("|") }
}

/// Collects the alternatives of a type. Returns `None` if one of them may be anything.
fn collect_alternatives(text: &str, wrappers: &[&str], depth: u32, found: &mut Vec<String>) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut text = text.trim();
    loop {
        let before = text;
        text = text.strip_prefix("->").unwrap_or(text);
        text = text.trim_start_matches([':', '&', '*', '?', '!', '~']).trim();
        text = unquoted(text);
        if let Some((_, after)) =
            text.strip_prefix('\'').map(split_identifier).filter(|(_, after)| !after.starts_with('\''))
        {
            text = after.trim_start();
        }
        for word in TYPE_MODIFIERS {
            if let Some(after) = text.strip_prefix(word).filter(|after| after.starts_with(char::is_whitespace)) {
                text = after.trim_start();
            }
        }
        text = text.trim_end_matches(['?', '!', '*', '&']).trim_end();
        if text == before {
            break;
        }
    }
    let mut parts = split_top_level(text, '|');
    if parts.len() > 1 {
        return parts.into_iter().try_for_each(|part| collect_alternatives(part, wrappers, depth + 1, found));
    }
    for both in ['&', '+'] {
        parts = split_top_level(text, both);
        if parts.len() > 1 {
            return collect_alternatives(parts[0], wrappers, depth + 1, found);
        }
    }
    let built_in = |found: &mut Vec<String>| {
        found.push(BUILT_IN.to_owned());
        Some(())
    };
    match text.chars().next() {
        None => return None,
        Some('(') => {
            let end = bracketed_len(text)?;
            let after = text[end..].trim_start();
            if let Some(returned) = after.strip_prefix("=>").or_else(|| after.strip_prefix("->")) {
                return push_function_type(returned, wrappers, depth, found);
            }
            let is_one = after.is_empty() && split_top_level(&text[1..end - 1], ',').len() == 1;
            return if is_one {
                collect_alternatives(&text[1..end - 1], wrappers, depth + 1, found)
            } else {
                built_in(found)
            };
        }
        Some('[' | '{' | '"' | '\'' | '`' | '0'..='9') => return built_in(found),
        _ => {}
    }
    let mut path = String::new();
    let mut rest = text;
    loop {
        let (name, after) = split_identifier(rest);
        if name.is_empty() {
            return None;
        }
        path.push_str(name);
        let link = ["::", ".", "\\"].iter().find_map(|link| after.strip_prefix(link));
        match link {
            Some(after) if !after.starts_with('<') => {
                path.push('.');
                rest = after.trim_start();
            }
            _ => {
                rest = after.trim_start();
                break;
            }
        }
    }
    let last = path.rsplit('.').next().unwrap_or("");
    if UNIT_TYPES.contains(&last) && rest.is_empty() {
        return Some(());
    }
    if UNKNOWN_TYPES.contains(&last) {
        return None;
    }
    let mut arguments = Vec::new();
    if rest.starts_with(['<', '[']) {
        let end = bracketed_len(rest)?;
        arguments = split_top_level(&rest[1..end - 1], ',');
        rest = rest[end..].trim_start();
    }
    // Arrays, and the maps, channels and functions of Go, have no members in the project.
    if matches!(last, "map" | "chan" | "func") && path == last || rest.starts_with("[]") || arguments == [""] {
        return built_in(found);
    }
    if rest.starts_with("is ") || !rest.is_empty() && !rest.starts_with(['.', '>', ' ', '(']) {
        return None;
    }
    if last == "Callable" || last == "Fn" {
        return push_function_type(arguments.last()?, wrappers, depth, found);
    }
    if wrappers.contains(&last) && !arguments.is_empty() {
        return collect_alternatives(arguments[0], wrappers, depth + 1, found);
    }
    found.push(path);
    Some(())
}

fn push_function_type(returned: &str, wrappers: &[&str], depth: u32, found: &mut Vec<String>) -> Option<()> {
    let mut inner = Vec::new();
    collect_alternatives(returned, wrappers, depth + 1, &mut inner)?;
    if let [one] = inner.as_slice()
        && one != BUILT_IN
    {
        found.push(format!("(){one}"));
    } else {
        found.push(BUILT_IN.to_owned());
    }
    Some(())
}

fn unquoted(text: &str) -> &str {
    let inner = |quote: char| {
        text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)).filter(|inner| !inner.contains(quote))
    };
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// Splits a text after the identifier with which it begins.
fn split_identifier(text: &str) -> (&str, &str) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let hash = usize::from(text.starts_with('#'));
    let end = text[hash..].find(|c| !is_part(c)).map_or(text.len(), |at| at + hash);
    text.split_at(end)
}

/// The length of the bracketed text with which `text` begins, including both brackets. Brackets in quotes do not count.
fn bracketed_len(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    let mut quote = None;
    let mut before = ' ';
    let is_angle = text.starts_with('<');
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open && before != '\\' => quote = None,
            (Some(_), _) => {}
            // An apostrophe may begin a lifetime: it opens a quote only if another one follows.
            (None, '"' | '`') => quote = Some(c),
            (None, '\'') if text[at + 1..].contains('\'') && !is_angle => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, '<') if is_angle => depth += 1,
            (None, '>') if is_angle && !matches!(before, '=' | '-') => depth = depth.checked_sub(1)?,
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        before = c;
        if depth == 0 {
            return (at > 0).then_some(at + c.len_utf8());
        }
    }
    None
}

/// Splits at a separator outside of brackets.
fn split_top_level(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut before) = (Vec::new(), 0_i32, 0, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if matches!(before, '=' | '-') => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            c if c == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
        before = c;
    }
    parts.push(text[start..].trim());
    // `| A | B` begins with a separator.
    if parts.len() > 1 && parts[0].is_empty() {
        parts.remove(0);
    }
    parts
}

/// Longer argument lists, in bytes, are not counted.
const MAX_ARGUMENT_LIST_BYTES: usize = 4_000;

/// The number of arguments in the parentheses with which a text begins, possibly after type arguments.
pub(super) fn argument_count(text: &str) -> Option<usize> {
    let mut text = text.trim_start();
    if text.starts_with('<') {
        text = text[bracketed_len(&text[..text.floor_char_boundary(MAX_ARGUMENT_LIST_BYTES)])?..].trim_start();
    }
    // Only ASCII characters matter, and UTF-8 never uses their bytes in other characters. `<` is a comparison as often
    // as a bracket, and is ignored.
    let bytes = &text.as_bytes()[..text.len().min(MAX_ARGUMENT_LIST_BYTES)];
    let (mut depth, mut commas, mut since_comma, mut any) = (0_u32, 0, false, false);
    let mut quote = None;
    let mut before = b' ';
    for (at, &c) in bytes.iter().enumerate() {
        match (quote, c) {
            (Some(open), _) if c == open && before != b'\\' => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'`') => quote = Some(c),
            // An apostrophe may begin a lifetime: it opens a quote only if another one follows.
            (None, b'\'') if bytes[at + 1..].contains(&b'\'') => quote = Some(c),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            (None, b',') if depth == 1 => {
                commas += 1;
                since_comma = false;
                before = c;
                continue;
            }
            _ => {}
        }
        before = c;
        match depth {
            0 if at == 0 => return None,
            // A trailing comma does not add an argument.
            0 => return Some(commas + usize::from(since_comma || commas == 0 && any)),
            _ if at > 0 && !c.is_ascii_whitespace() => (since_comma, any) = (true, true),
            _ => {}
        }
    }
    None
}

/// The minimum and maximum number of arguments of a function with this signature. Returns `None` if the signature
/// contains no parameter list.
///
/// ```
/// use sextant_syntax::extract::arity_range;
/// assert_eq!(arity_range("int add(int a, Map<K, V> b)"), Some((2, 2)));
/// assert_eq!(arity_range("def f(a, b=1, *args)"), Some((1, usize::MAX)));
/// ```
#[must_use]
pub fn arity_range(signature: &str) -> Option<(usize, usize)> {
    let open = signature.find('(')?;
    let end = bracketed_len(&signature[open..])?;
    let inside = signature[open + 1..open + end - 1].trim();
    if inside.is_empty() || inside == "void" {
        return Some((0, 0));
    }
    let all = split_top_level(inside.trim_end_matches(','), ',');
    let is_open = |part: &&&str| part.contains("...") || part.starts_with('*') || part.starts_with("params ");
    let rest = all.iter().filter(is_open).count();
    let optional = all.iter().filter(|part| part.contains('=') || part.contains("?:")).count();
    let max = if rest > 0 { usize::MAX } else { all.len() };
    Some((all.len().saturating_sub(rest + optional), max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_paths_are_names_members_and_calls() {
        for (text, expected) in [
            ("x", "x"),
            ("a.b", "a.b"),
            ("$this->repo->find($id)", "$this.repo.find()"),
            ("Foo::new(1)?.bar", "Foo.new().bar"),
            ("Vec::<u8>::new()", "Vec.new()"),
            ("a?.b!.c", "a.b.c"),
            ("(await f(x)).json", "f().json"),
            ("(x as Foo).bar()", "<Foo>.bar()"),
            ("x as unknown as Foo", "<Foo>"),
            ("x as any", ""),
            ("super().__init__", "super().__init__"),
            ("&Foo{a: 1}", "Foo()"),
            ("new Foo", "Foo()"),
            ("new a.Foo(\")\")", "a.Foo()"),
            ("x or Client()", "x|Client()"),
            ("x ?? new Client(1)", "x|Client()"),
            ("xs[0].name", "xs[].name"),
            ("f\"a\"", "!"),
            ("\"a\".join", "!"),
            ("[1, 2]", "!"),
            ("None", ""),
            ("lambda x: x", ""),
            ("a if b else c()", "a|c()"),
            ("a ? b : c", ""),
            ("vec![1]", ""),
            ("a < b", ""),
            ("f(", ""),
            ("((Foo) x).bar", "<Foo>.bar"),
            ("y.(*pkg.Foo).Do", "<pkg.Foo>.Do"),
            ("new Foo() { A = 1 }", "Foo()"),
            ("xs.map { it }", "xs.map()"),
            ("d.await().go", "d.go"),
            ("async () => 1", ""),
            ("", ""),
        ] {
            assert_eq!(access_path(text), expected, "{text}");
        }
    }

    #[test]
    fn arguments_are_counted() {
        for (text, expected) in [
            ("()", Some(0)),
            ("( )", Some(0)),
            ("(a)", Some(1)),
            ("(a, b(c, d), [e, f])", Some(3)),
            ("(a,\n b,\n)", Some(2)),
            ("<T, U>(a < b, c > d)", Some(2)),
            ("(\",)\", ',')", Some(2)),
            ("(x, 'a, ü)", Some(3)),
            ("(a", None),
            ("a(b)", None),
            ("", None),
        ] {
            assert_eq!(argument_count(text), expected, "{text}");
        }
    }

    #[test]
    fn types_are_paths() {
        let wrappers = &["Optional", "Promise", "Option", "Arc"];
        for (text, expected) in [
            ("Foo", "Foo"),
            (": Foo<Bar>", "Foo"),
            ("-> \"Foo\"", "Foo"),
            ("Foo | None", "Foo"),
            ("typing.Optional[a.Foo]", "a.Foo"),
            ("Promise<A | B>", "A|B"),
            ("Option<Arc<a::Foo>>", "a.Foo"),
            ("&'static mut Foo", "Foo"),
            ("*pkg.Foo", "pkg.Foo"),
            ("[]Foo", "!"),
            ("Foo[]", "!"),
            ("map[string]Foo", "!"),
            ("Callable[..., Foo]", "()Foo"),
            ("(a: B) => Foo", "()Foo"),
            ("(Foo)", "Foo"),
            ("(A, B)", "!"),
            ("any", ""),
            ("x is Foo", ""),
            ("Foo?", "Foo"),
            ("readonly Foo", "Foo"),
            ("Box<dyn Foo + Send>", "Box"),
            ("dyn Foo + Send", "Foo"),
            ("None", ""),
            ("'a' | 'b'", "a|b"),
        ] {
            assert_eq!(type_alternatives(text, wrappers), expected, "{text}");
        }
    }
}
