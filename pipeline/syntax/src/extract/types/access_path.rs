//! The access path of a value: the names, members, calls and subscripts from which it comes.

use super::alternatives::type_alternatives;
use super::notation::{
    BINDING_MARK, BOOLEAN_LITERALS, BUILT_IN, MAX_TEXT_BYTES, NULL_LITERALS, bracketed_len, split_alternatives,
    split_identifier, split_top_level,
};
use super::type_arguments::{class_argument, type_argument_step};
use super::written_values::{Literal, WrittenFunction, comprehension, literal, written_function};
use crate::language::Language;

/// Longer values, in bytes, are unknown. Their arguments may contain functions.
const MAX_VALUE_BYTES: usize = 16_384;
/// Longer paths inside of a path, in bytes, are unknown.
const MAX_INNER_BYTES: usize = 120;
/// Words before a value that do not change its members.
const VALUE_PREFIXES: &[&str] = &["await", "new", "try", "try!", "try?", "mut", "const", "co_await", "move", "ref"];
/// Words that begin an expression which is not an access path.
const NON_VALUE_KEYWORDS: &[&str] = &[
    "function", "async", "lambda", "fn", "func", "fun", "if", "match", "switch", "class", "do", "case", "not", "yield",
    "unsafe", "when", "for", "while", "loop", "typeof", "delete", "void", "sizeof", "return", "throw",
];

/// How a language writes what an access path consists of.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathNotation {
    /// Square brackets contain type arguments.
    pub brackets_are_types: bool,
    /// The name of a class is written as an argument where the class is meant.
    pub classes_are_values: bool,
    /// Paths tell what a function that is the only argument of a call returns, and of which elements a literal is.
    pub has_written_values: bool,
    /// Functions that return a collection of their arguments, and macros.
    pub collection_makers: &'static [&'static str],
    /// A name before a colon is a key of a map that is written.
    pub names_are_keys: bool,
    /// A call may have its arguments without parentheses: `a.b c, d`.
    pub has_bare_arguments: bool,
    /// Functions that return what a method of their first argument would return.
    pub argument_functions: &'static [&'static str],
}

impl PathNotation {
    /// How a language writes it.
    #[must_use]
    pub const fn of(language: &Language) -> Self {
        Self {
            brackets_are_types: language.brackets_are_type_arguments,
            classes_are_values: language.classes_are_values,
            has_written_values: language.has_collection_literals || !language.mapping_methods.is_empty(),
            collection_makers: language.collection_makers,
            names_are_keys: language.names_are_keys,
            has_bare_arguments: language.has_bare_arguments,
            argument_functions: language.argument_functions,
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
    if let Some((first, second)) = conditional(text) {
        let known = [first, second].map(|value| path_of(value, notation));
        let mut known = known.into_iter().filter(|path| !path.is_empty() && path != BUILT_IN);
        let Some(first) = known.next() else { return String::new() };
        return known
            .next()
            .filter(|second| *second != first)
            .map_or(first.clone(), |second| format!("{first}|{second}"));
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
    let (mut out, rest) = match path_head(rest, notation) {
        Head::Whole(path) => return path,
        Head::Open(path, rest) => (path, rest),
    };
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

/// The beginning of an access path.
enum Head<'t> {
    /// The path of the whole text, whatever follows.
    Whole(String),
    /// The path of a first part, and the text after it.
    Open(String, &'t str),
}

/// The path of what a text begins with, after words and signs that do not change its members.
fn path_head<'t>(text: &'t str, notation: PathNotation) -> Head<'t> {
    if let Some((elements, after)) = elements_path(text, notation) {
        let is_path = access_path_tail(after, false, notation, &mut elements.clone()).is_some();
        return if is_path { Head::Open(elements, after) } else { Head::Whole(BUILT_IN.to_owned()) };
    }
    let unknown = || Head::Whole(String::new());
    match text.chars().next() {
        Some('"' | '\'' | '`' | '[' | '{' | '0'..='9' | '-') => Head::Whole(BUILT_IN.to_owned()),
        Some('(') => {
            let Some(end) = bracketed_len(text) else { return unknown() };
            // `(Foo) x.y()` is a Foo, whatever follows the cast.
            let after = text[end..].trim_start();
            let inside = text[1..end - 1].trim();
            if after.starts_with(|c: char| c.is_alphabetic() || c == '_') && inside.starts_with(char::is_uppercase) {
                let cast = type_alternatives(inside, &[]);
                let is_unknown = cast.is_empty() || path_of(after, notation).is_empty();
                return Head::Whole(if is_unknown { String::new() } else { format!("<{cast}>") });
            }
            // `(foo *)x.y` can be nothing else.
            let is_value = |c: char| c.is_alphanumeric() || matches!(c, '_' | '(' | '&' | '*');
            if inside.ends_with('*') && after.starts_with(is_value) {
                let cast = type_alternatives(inside, &[]);
                let is_unknown = cast.is_empty() || cast == BUILT_IN;
                return Head::Whole(if is_unknown { String::new() } else { format!("<{cast}>") });
            }
            match path_of(inside, notation) {
                path if path.is_empty() || path == BUILT_IN => Head::Whole(path),
                path if path.contains('|') => Head::Whole(of_each(&path, &text[end..], notation)),
                path => Head::Open(path, &text[end..]),
            }
        }
        _ => {
            let (word, after) = split_identifier(text);
            let is_keyword = NON_VALUE_KEYWORDS.contains(&word) && !is_name_before(word, after);
            if word.is_empty() || is_keyword || NULL_LITERALS.contains(&word) {
                return unknown();
            }
            if BOOLEAN_LITERALS.contains(&word) || after.starts_with(['"', '\'']) {
                return Head::Whole(BUILT_IN.to_owned());
            }
            // One of several bindings of the name.
            let number = after.strip_prefix(BINDING_MARK).map_or("", |number| {
                let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
                &after[..digits + BINDING_MARK.len_utf8()]
            });
            Head::Open(format!("{word}{number}"), &after[number.len()..])
        }
    }
}

/// The path of what follows each of several values: `a.c|b.c` of `(x ? a : b).c`.
fn of_each(alternatives: &str, after: &str, notation: PathNotation) -> String {
    let mut tail = String::new();
    if access_path_tail(after, false, notation, &mut tail) != Some("") {
        return String::new();
    }
    let paths: Vec<String> = split_alternatives(alternatives).map(|path| format!("{path}{tail}")).collect();
    paths.join("|")
}

/// Whether a word that is a keyword of some language is a name, by what follows it: `loop->x`, `fn.call()`, `match`.
fn is_name_before(word: &str, after: &str) -> bool {
    let is_link = [".", "->", "::", "?.", "!.", "#", ")"].iter().any(|link| after.starts_with(link));
    is_link || after.is_empty() || after.starts_with('[') && !matches!(word, "delete" | "return" | "throw" | "yield")
}

/// The two values of `a ? b : c`.
fn conditional(text: &str) -> Option<(&str, &str)> {
    let (condition, values) = text.split_once(" ? ").or_else(|| text.split_once(" ?\n"))?;
    let (mut depth, mut quote, mut before) = (0_i32, None, ' ');
    for (at, c) in values.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            // The conditions are nested.
            (None, '?') if depth == 0 && before == ' ' => return None,
            (None, ':') if depth == 0 && before.is_whitespace() => {
                let opened = condition.matches(['(', '[', '{']).count();
                let is_outermost = opened == condition.matches([')', ']', '}']).count();
                return is_outermost.then(|| (values[..at].trim(), values[at + 1..].trim()));
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
        before = c;
    }
    None
}

/// The access path of a value or receiver, as a language writes it.
///
/// ```
/// use sextant_syntax::extract::{PathNotation, access_path_with};
/// let brackets = PathNotation { brackets_are_types: true, ..PathNotation::default() };
/// assert_eq!(access_path_with(brackets, "a.get[Foo](b).c"), "a.get{<Foo>}().c");
/// let classes = PathNotation { classes_are_values: true, ..PathNotation::default() };
/// assert_eq!(access_path_with(classes, "a.get(b, Foo).c"), "a.get{<^Foo>}().c");
/// assert_eq!(access_path_with(classes, "a.get(() => Foo)"), "a.get{<^Foo>}()");
/// assert_eq!(access_path_with(PathNotation::default(), "a[Foo].get(Foo).c"), "a[].get().c");
/// ```
#[must_use]
pub fn access_path_with(notation: PathNotation, text: &str) -> String {
    if notation.brackets_are_types && text.contains('[') {
        return path_of(&text.replace('[', "<").replace(']', ">"), notation);
    }
    path_of(text, notation)
}

/// The step for the result of a function that is the only argument of a call: `{>.b()}` of `x => x.b()`, and `{>B()}` of
/// `x => new B(x)`.
fn result_path(inside: &str, notation: PathNotation) -> Option<String> {
    let function = written_function(inside).filter(|_| notation.has_written_values)?;
    let plain = PathNotation { has_written_values: false, ..notation };
    let path = match function {
        WrittenFunction::Method(name) => format!(".{name}()"),
        WrittenFunction::Property(path) => format!(".{path}"),
        WrittenFunction::Constructor(path) => format!("{}()", path_of(path, plain)),
        WrittenFunction::Expression(parameter, body) => of_parameter(parameter, body, plain)?,
    };
    is_inner_path(&path).then(|| format!("{{>{path}}}"))
}

/// The step for the first argument of a function that returns what a method of it would return: `{@a.b}`.
fn argument_path(called: &str, inside: &str, notation: PathNotation) -> Option<String> {
    if !notation.argument_functions.contains(&called) || inside.len() > MAX_VALUE_BYTES {
        return None;
    }
    let path = path_of(split_top_level(inside, ',')[0], PathNotation { has_written_values: false, ..notation });
    (!path.is_empty() && is_inner_path(&path)).then(|| format!("{{@{path}}}"))
}

/// The path of an expression; without its first name if that is a parameter.
fn of_parameter(parameter: &str, body: &str, notation: PathNotation) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '(');
    match body.strip_prefix(parameter).filter(|after| !after.starts_with(is_part)) {
        Some(after) => {
            let mut path = String::new();
            (access_path_tail(after, false, notation, &mut path) == Some("")).then_some(path)
        }
        None => Some(path_of(body, notation)).filter(|path| !path.is_empty()),
    }
}

/// Whether a path may be part of a step or of a literal.
fn is_inner_path(path: &str) -> bool {
    path != BUILT_IN && path.len() <= MAX_INNER_BYTES && !path.contains(['{', '|', '<'])
}

/// The path of the collection with which a text begins, `[A()]` or `[:A()]` if its elements have keys, and the text after
/// it. Elements of several origins are unknown.
fn elements_path(text: &str, notation: PathNotation) -> Option<(String, &str)> {
    if !notation.has_written_values {
        return None;
    }
    let Literal { elements, is_by_key, rest } = literal(text, notation.collection_makers, notation.names_are_keys)?;
    let plain = PathNotation { has_written_values: false, ..notation };
    let mut paths = elements.into_iter().map(|element| element_path(element, plain));
    let first = paths.next()?.filter(|path| !path.is_empty() && is_inner_path(path))?;
    let are_equal = paths.all(|path| path.as_ref() == Some(&first));
    are_equal.then(|| (format!("[{}{first}]", if is_by_key { ":" } else { "" }), rest))
}

fn element_path(element: &str, notation: PathNotation) -> Option<String> {
    if let Some((result, name, collection)) = comprehension(element) {
        let path = of_parameter(name, result, notation)?;
        if !path.is_empty() && !path.starts_with(['.', '[']) {
            return Some(path);
        }
        let collection = path_of(collection, notation);
        return (!collection.is_empty() && collection != BUILT_IN).then(|| format!("{collection}[*]{path}"));
    }
    match element.strip_prefix("...") {
        Some(spread) => Some(path_of(spread, notation)).filter(|path| path != BUILT_IN).map(|path| path + "[*]"),
        None => Some(path_of(element, notation)),
    }
}

/// Whether a text after a name is an argument without parentheses, and no operator, modifier or block.
fn begins_argument(text: &str) -> bool {
    const WORDS: &[&str] = &["if", "unless", "while", "until", "and", "or", "rescue", "do", "then", "in", "end"];
    let (word, after) = split_identifier(text);
    let is_symbol =
        text.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    let is_name = !word.is_empty() && !word.starts_with('#') && !WORDS.contains(&word);
    is_name && !after.starts_with('=') || is_symbol || text.starts_with(['"', '\'', '@'])
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
        let before = rest;
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return Some("") };
        if notation.has_bare_arguments && before.len() > rest.len() && begins_argument(rest) {
            out.push_str("()");
            return Some("");
        }
        match first {
            '(' | '[' => {
                let end = bracketed_len(rest)?;
                if first == '('
                    && !is_new
                    && !out.ends_with('}')
                    && let Some(class) = class_argument(&rest[..end], notation.classes_are_values)
                {
                    out.push_str(&format!("{{<{class}>}}"));
                } else if first == '(' && !is_new {
                    let inside = &rest[1..end - 1];
                    let step = argument_path(out, inside, notation).or_else(|| result_path(inside, notation));
                    out.extend(step);
                }
                out.push_str(if first == '(' { "()" } else { "[]" });
                rest = &rest[end..];
            }
            // A struct literal, `Foo { a: 1 }`, or a block passed to a call.
            '{' => {
                let end = bracketed_len(rest)?;
                if !out.ends_with("()") {
                    out.extend(result_path(&rest[1..end - 1], notation));
                    out.push_str("()");
                }
                rest = &rest[end..];
            }
            // Type arguments.
            '<' => {
                let end = bracketed_len(rest)?;
                let written = &rest[1..end - 1];
                rest = &rest[end..];
                (rest.is_empty() || rest.starts_with(['(', '{', '.', ':'])).then_some(())?;
                out.extend(type_argument_step(written).filter(|_| rest.starts_with('(')));
            }
            '.' | '?' | '!' | ':' | '-' | '\\' | '&' => {
                if let Some(other) = ["??", "?:"].iter().find_map(|or| rest.strip_prefix(or)) {
                    return Some(other);
                }
                let link = ["?.", "!.", "&.", "?->", "->", "::", "!!.", ".", "\\", "?", "!"]
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
    fn results_of_functions_and_elements_of_literals() {
        let notation = PathNotation {
            has_written_values: true,
            collection_makers: &["listOf", "vec!", "new[]"],
            argument_functions: &["Objects.requireNonNull", "sorted"],
            ..PathNotation::default()
        };
        for (text, expected) in [
            ("xs.map(x => x.b(1)).c", "xs.map{>.b()}().c"),
            ("xs.map { it.b }", "xs.map{>.b}()"),
            ("xs.map { x -> B(x) }.c()", "xs.map{>B()}().c()"),
            ("xs.map(|x| x)", "xs.map{>}()"),
            ("xs.map(B::c)", "xs.map{>.c()}()"),
            ("xs.map(x => x + 1)", "xs.map()"),
            ("xs.map(x => x ? 1 : 2)", "xs.map()"),
            ("xs.map(x => y ? x : z)", "xs.map()"),
            ("f(x => x.map(y => y.b))", "f{>.map()}()"),
            ("[new B(1), new B(2)].c", "[B()].c"),
            ("[B.make(), C.make()]", "!"),
            ("[1, 2].c", "!"),
            ("[a] + b", "!"),
            ("listOf(B(1))", "[B()]"),
            ("vec![B::new()]", "[B.new()]"),
            ("new[] { new B() }", "[B()]"),
            ("{\"a\": B()}", "[:B()]"),
            ("[x.b() for x in xs]", "[xs[*].b()]"),
            ("[...xs].c()", "[xs[*]].c()"),
            ("B { c: 1 }.d", "B().d"),
            ("Objects.requireNonNull(a.b(1), \"c\").d()", "Objects.requireNonNull{@a.b()}().d()"),
            ("sorted(xs.map(x => x.b))", "sorted{@xs.map()}()"),
            ("sorted(1)", "sorted()"),
        ] {
            assert_eq!(access_path_with(notation, text), expected, "{text}");
        }
    }

    #[test]
    fn arguments_without_parentheses() {
        let notation = PathNotation { has_bare_arguments: true, ..PathNotation::default() };
        for (text, expected) in [
            ("A::B.new @c, nil", "A.B.new()"),
            ("a.b :c, d: 1", "a.b()"),
            ("build \"x\"", "build()"),
            ("a.b if c", ""),
            ("a.b do |c|", ""),
            ("a.b or c", "a.b|c"),
            ("a.b + c", ""),
            ("a.b == c", ""),
            ("a ? b : c", "b|c"),
            ("a.b", "a.b"),
        ] {
            assert_eq!(access_path_with(notation, text), expected, "{text}");
        }
        assert_eq!(access_path("a.b c"), "");
    }

    #[test]
    fn access_paths_are_names_members_and_calls() {
        for (text, expected) in [
            ("x", "x"),
            ("a.get<Foo>().b", "a.get{<Foo>}().b"),
            ("a.get::<Foo>()", "a.get{<Foo>}()"),
            ("a.get<Foo, Bar>()", "a.get{<:Bar>}()"),
            ("new Map<string, Foo[]>()", "Map{<:![Foo]>}()"),
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
            ("x&.y", "x.y"),
            ("x && y", ""),
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
            ("a ? b : c", "b|c"),
            ("a.b(1) == 2 ? new C(1) : null", "C()"),
            ("a ? 1 : 2", ""),
            ("f(a ? b : c).d", "f().d"),
            ("(a ? b : c).d", "b.d|c.d"),
            ("(a || b)", "a|b"),
            ("loop->x", "loop.x"),
            ("fn.call()", "fn.call()"),
            ("match", "match"),
            ("delete[] a", ""),
            ("match x { y => 1 }", ""),
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
