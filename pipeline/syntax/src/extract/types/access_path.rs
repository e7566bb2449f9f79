//! The access path of a value: the names, members, calls and subscripts from which it comes.

use super::super::bindings::BINDING_MARK;
use super::alternatives::type_alternatives;
use super::notation::{BUILT_IN, MAX_TEXT_BYTES, bracketed_len, split_identifier, split_label, split_top_level};
use crate::language::Language;

/// Longer values, in bytes, are unknown. Their arguments may contain functions.
const MAX_VALUE_BYTES: usize = 16_384;
/// Words before a value that do not change its members.
const VALUE_PREFIXES: &[&str] = &["await", "new", "try", "try!", "try?", "mut", "const", "co_await", "move", "ref"];
/// Words that begin an expression which is not an access path.
const NON_VALUE_KEYWORDS: &[&str] = &[
    "function", "async", "lambda", "fn", "func", "fun", "if", "match", "switch", "class", "do", "case", "not", "yield",
    "unsafe", "when", "for", "while", "loop", "typeof", "delete", "void", "sizeof", "return", "throw",
];
/// What follows a type in the expression for its class.
const CLASS_SUFFIXES: &[&str] = &["::class.java", "::class", ".class", ".self"];
/// Boolean literals.
const BOOLEAN_LITERALS: &[&str] = &["True", "False", "true", "false"];
/// Null literals.
pub(super) const NULL_LITERALS: &[&str] = &["None", "null", "undefined", "nil", "nullptr", "NULL"];

/// How a language writes what an access path consists of.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathNotation {
    /// Square brackets contain type arguments.
    pub brackets_are_types: bool,
    /// The name of a class is written as an argument where the class is meant.
    pub classes_are_values: bool,
}

impl PathNotation {
    /// How a language writes it.
    #[must_use]
    pub const fn of(language: &Language) -> Self {
        Self {
            brackets_are_types: language.brackets_are_type_arguments,
            classes_are_values: language.classes_are_values,
        }
    }
}

/// Returns the access path of a value or receiver, empty if unknown.
///
/// ```
/// use sextant_syntax::extract::access_path;
/// assert_eq!(access_path("await self.client.get(url, x=f(1)).json()"), "self.client.get().json()");
/// assert_eq!(access_path("new Foo<Bar>(x)"), "Foo{<Bar>}()");
/// assert_eq!(access_path("a + b"), "");
/// ```
#[must_use]
pub fn access_path(text: &str) -> String {
    path_of(text, PathNotation::default())
}

fn path_of(text: &str, notation: PathNotation) -> String {
    if text.len() > MAX_VALUE_BYTES {
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
        rest = without_outermost_mark(rest);
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
                return if cast.is_empty() || path_of(after, notation).is_empty() { out } else { format!("<{cast}>") };
            }
            // `(foo *)x.y` can be nothing else.
            let is_value = |c: char| c.is_alphanumeric() || matches!(c, '_' | '(' | '&' | '*');
            if inside.ends_with('*') && after.starts_with(is_value) {
                let cast = type_alternatives(inside, &[]);
                return if cast.is_empty() || cast == BUILT_IN { out } else { format!("<{cast}>") };
            }
            out = path_of(inside, notation);
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
            // One of several bindings of the name.
            if let Some(number) = after.strip_prefix(BINDING_MARK) {
                let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                out.push_str(&after[..after.len() - number.len() + digits]);
                rest = &number[digits..];
            }
        }
    }
    let Some(other) = access_path_tail(rest, is_new, notation, &mut out).filter(|_| out.len() <= MAX_TEXT_BYTES) else {
        return String::new();
    };
    if is_new && !out.contains("()") && !out.starts_with('<') {
        out.push_str("()");
    }
    let other = path_of(other, notation);
    if !other.is_empty() && other != BUILT_IN {
        out = format!("{out}|{other}");
    }
    out
}

/// The access path of a value or receiver, as a language writes it.
///
/// ```
/// use sextant_syntax::extract::{PathNotation, access_path_with};
/// let brackets = PathNotation { brackets_are_types: true, ..PathNotation::default() };
/// assert_eq!(access_path_with(brackets, "a.get[Foo](b).c"), "a.get{<Foo>}().c");
/// let classes = PathNotation { classes_are_values: true, ..PathNotation::default() };
/// assert_eq!(access_path_with(classes, "a.get(b, Foo).c"), "a.get{<Foo>}().c");
/// assert_eq!(access_path_with(PathNotation::default(), "a[Foo].get(Foo).c"), "a[].get().c");
/// ```
#[must_use]
pub fn access_path_with(notation: PathNotation, text: &str) -> String {
    if notation.brackets_are_types && text.contains('[') {
        return path_of(&text.replace('[', "<").replace(']', ">"), notation);
    }
    path_of(text, notation)
}

/// The class that is among the arguments of a call, `(Foo.class, a)`, if there is one: what is called may have the class
/// as its type argument.
fn class_argument(list: &str, notation: PathNotation) -> Option<String> {
    let inside = list.strip_prefix('(')?.strip_suffix(')')?;
    let may_have = |inside: &str| match notation.classes_are_values {
        true => inside.contains(char::is_uppercase),
        false => ["class", ".self"].iter().any(|word| inside.contains(word)),
    };
    let is_possible = inside.len() <= MAX_TEXT_BYTES && may_have(inside);
    let arguments = if is_possible { split_top_level(inside, ',') } else { Vec::new() };
    let class_of = |argument: &str| {
        let value = split_label(argument).1.trim();
        let name = CLASS_SUFFIXES.iter().find_map(|suffix| value.strip_suffix(suffix));
        let name = name.or(Some(value).filter(|value| notation.classes_are_values && is_name_of_class(value)))?;
        let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let is_type = name.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase));
        (is_name && is_type).then(|| type_alternatives(name, &[])).filter(|class| !class.is_empty())
    };
    let mut classes = arguments.into_iter().filter_map(class_of);
    classes.next().filter(|_| classes.next().is_none())
}

/// Whether a path is written like that of a class, `a.FooBar`, and not of a constant, `FOO_BAR`.
fn is_name_of_class(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path).trim_start_matches('_');
    name.starts_with(char::is_uppercase)
        && name.contains(char::is_lowercase)
        && !BOOLEAN_LITERALS.contains(&name)
        && !NULL_LITERALS.contains(&name)
}

/// The type argument of a call, by what follows the name of what is called: `<Foo>(a)`, or `(Foo.class, a)`.
pub(crate) fn type_argument(call: &str) -> Option<String> {
    let call = call.trim_start();
    let end = bracketed_len(call)?;
    if !call.starts_with('<') {
        return class_argument(&call[..end], PathNotation::default());
    }
    let written = &call[1..end - 1];
    Some(type_alternatives(written, &[])).filter(|one| !one.is_empty() && one != BUILT_IN && !written.contains(','))
}

/// What follows the mark of PHP's full names, `\A\B`. A function of Haskell, `\x -> y`, and a path of Swift, `\A.b`, keep
/// theirs.
fn without_outermost_mark(text: &str) -> &str {
    let Some(name) = text.strip_prefix('\\').filter(|name| name.starts_with(char::is_uppercase)) else { return text };
    let after = split_identifier(name).1;
    if after.is_empty() || after.starts_with(['\\', '(', ':']) { name } else { text }
}

/// Appends the rest of an access path, after its first name, to `out`. Returns the text of the alternative value, as in
/// `a ?? b`, or the empty text; `None` if the expression is not an access path.
fn access_path_tail<'a>(mut rest: &'a str, is_new: bool, notation: PathNotation, out: &mut String) -> Option<&'a str> {
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return Some("") };
        match first {
            '(' | '[' => {
                let end = bracketed_len(rest)?;
                if first == '('
                    && !is_new
                    && !out.ends_with('}')
                    && let Some(class) = class_argument(&rest[..end], notation)
                {
                    out.push_str(&format!("{{<{class}>}}"));
                }
                out.push_str(if first == '(' { "()" } else { "[]" });
                rest = &rest[end..];
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
                let end = bracketed_len(rest)?;
                let written = &rest[1..end - 1];
                rest = &rest[end..];
                (rest.is_empty() || rest.starts_with(['(', '{', '.', ':'])).then_some(())?;
                let argument = if rest.starts_with('(') { type_alternatives(written, &[]) } else { String::new() };
                // Several arguments are no type.
                if !argument.is_empty() && argument != BUILT_IN && !written.contains(',') {
                    out.push_str(&format!("{{<{argument}>}}"));
                }
            }
            '.' | '?' | '!' | ':' | '-' | '\\' => {
                if let Some(other) = ["??", "?:"].iter().find_map(|or| rest.strip_prefix(or)) {
                    return Some(other);
                }
                let link = ["?.", "!.", "?->", "->", "::", "!!.", ".", "\\", "?", "!"]
                    .iter()
                    .find_map(|s| rest.strip_prefix(s));
                let after = link?;
                // `a?.b` continues the path, `a?` and `a!` end it, `a ? b : c` and `a!(x)` are not access paths.
                if rest.starts_with(['?', '!']) && rest.len() - after.len() == 1 {
                    (after.is_empty() || after.starts_with(['.', ')', '?', '!'])).then_some(())?;
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
                if matches!(name, "await" | "ConfigureAwait") && rest.starts_with('(') {
                    rest = &rest[bracketed_len(rest)?..];
                } else {
                    out.push('.');
                    out.push_str(name);
                }
            }
            _ => {
                for cast in ["as! ", "as? ", "as ", "satisfies "] {
                    if let Some(written) = rest.strip_prefix(cast) {
                        let last = written.rsplit(" as ").next().unwrap_or(written);
                        // What stands for a value of another type: `x as? Foo ?: return`.
                        let last = ["?:", "??"].iter().find_map(|or| last.split_once(or)).map_or(last, |found| found.0);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_paths_are_names_members_and_calls() {
        for (text, expected) in [
            ("x", "x"),
            ("a.get<Foo>().b", "a.get{<Foo>}().b"),
            ("a.get::<Foo>()", "a.get{<Foo>}()"),
            ("a.get<Foo, Bar>()", "a.get()"),
            ("a.decode(Foo.self, from: b).c", "a.decode{<Foo>}().c"),
            ("a.get(b, type = Foo.Bar::class.java)", "a.get{<Foo.Bar>}()"),
            ("a.get(Foo.class, Bar.class)", "a.get()"),
            ("a.get(foo.class)", "a.get()"),
            ("a.b", "a.b"),
            ("$this->repo->find($id)", "$this.repo.find()"),
            ("Foo::new(1)?.bar", "Foo.new().bar"),
            ("new \\A\\Foo(1)", "A.Foo()"),
            ("A\\Foo::make()->b", "A.Foo.make().b"),
            ("\\x -> x", ""),
            ("\\A.b", ""),
            ("Vec::<u8>::new()", "Vec.new()"),
            ("a?.b!.c", "a.b.c"),
            ("(await f(x)).json", "f().json"),
            ("(x as Foo).bar()", "<Foo>.bar()"),
            ("x as unknown as Foo", "<Foo>"),
            ("x as? Foo ?: return", "<Foo>"),
            ("x!!", "x"),
            ("x!!.y", "x.y"),
            ("a.b != c", ""),
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
            ("((struct foo *)(a + 1))->bar", "<foo>.bar"),
            ("(*foo).bar", "foo.bar"),
            ("y.(*pkg.Foo).Do", "<pkg.Foo>.Do"),
            ("new Foo() { A = 1 }", "Foo()"),
            ("xs.map { it }", "xs.map()"),
            ("d.await().go", "d.go"),
            ("d.await?.go", "d.await.go"),
            ("async () => 1", ""),
            ("", ""),
        ] {
            assert_eq!(access_path(text), expected, "{text}");
        }
    }
}
