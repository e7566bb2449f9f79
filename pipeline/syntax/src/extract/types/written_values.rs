//! Functions and collections that are written in an expression: the function that a call gets, and the elements of a
//! literal. Must not know access paths.

use super::notation::{bracketed_len, split_identifier, split_label, split_top_level};

/// Longer functions, in bytes, are not followed.
const MAX_FUNCTION_BYTES: usize = 300;
/// Longer literals, in bytes, are not followed.
const MAX_LITERAL_BYTES: usize = 1_000;
/// Names of a parameter that is not declared.
const IMPLICIT_NAMES: &[&str] = &["it", "$0", "_1", "_"];

/// A function that is written as an argument, as far as its result tells anything.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WrittenFunction<'a> {
    /// It returns the value of an expression: the name of its first parameter, and the expression.
    Expression(&'a str, &'a str),
    /// It calls a method of its argument: `Foo::bar`, `&:bar`.
    Method(&'a str),
    /// It reads a property of its argument: `\.bar`.
    Property(&'a str),
    /// It makes an object of a type: `Foo::new`.
    Constructor(&'a str),
}

/// The function that is the only argument of a call. `inside` is the text between the brackets.
pub(super) fn written_function(inside: &str) -> Option<WrittenFunction<'_>> {
    let text = inside.trim();
    if text.len() > MAX_FUNCTION_BYTES || text.is_empty() {
        return None;
    }
    let whole_name = |text: &str| !text.is_empty() && split_identifier(text).1.is_empty();
    if let Some(name) = text.strip_prefix("&:") {
        return whole_name(name).then_some(WrittenFunction::Method(name));
    }
    if let Some(path) = text.strip_prefix("\\.") {
        let is_path = path.split('.').all(whole_name);
        return is_path.then_some(WrittenFunction::Property(path));
    }
    if let Some((owner, name)) = text.rsplit_once("::")
        && whole_name(name)
        && owner.split(['.', ':']).all(|part| part.is_empty() || whole_name(part))
    {
        let is_type = owner.rsplit(['.', ':']).next().is_some_and(|last| last.starts_with(char::is_uppercase));
        return match name {
            _ if !is_type => None,
            "new" => Some(WrittenFunction::Constructor(owner)),
            _ => Some(WrittenFunction::Method(name)),
        };
    }
    let (parameter, body) = head_and_body(text)?;
    Some(WrittenFunction::Expression(parameter, expression(body)?))
}

/// The name of the first parameter, and what follows the head of a function.
fn head_and_body(text: &str) -> Option<(&str, &str)> {
    if let Some(after) = text.strip_prefix("move ").unwrap_or(text).trim_start().strip_prefix('|') {
        let (head, body) = after.split_once('|')?;
        return Some((only_parameter(head.trim().trim_start_matches('&'))?, body));
    }
    let (word, after) = split_identifier(text);
    let is_member = |after: &str| after.starts_with('.') || after.starts_with("?.");
    if IMPLICIT_NAMES.contains(&word) && is_member(after) {
        return Some((word, text));
    }
    let arrow = ["=>", "->"].iter().filter_map(|arrow| Some((text.find(arrow)?, arrow.len()))).min();
    let (at, length) = match arrow {
        Some(found) => found,
        None => (text.find(" in ").filter(|&at| text[..at].chars().all(|c| c.is_alphanumeric() || c == '_'))?, 4),
    };
    let (head, body) = (text[..at].trim(), &text[at + length..]);
    let head = head.strip_prefix("static ").unwrap_or(head);
    let head = head.strip_prefix("fn").filter(|after| after.trim_start().starts_with('(')).unwrap_or(head).trim();
    match head.strip_prefix('(').and_then(|inside| inside.strip_suffix(')')) {
        // An array's function gets the number of the element, too.
        Some(inside) if text[at..].starts_with("=>") => Some((only_parameter(inside.split(',').next()?)?, body)),
        Some(inside) => Some((only_parameter(inside)?, body)),
        None => Some((only_parameter(head)?, body)),
    }
}

/// The name of a parameter, which a type may follow or precede.
fn only_parameter(text: &str) -> Option<&str> {
    let (name, after) = split_identifier(text.trim());
    let after = after.trim_start();
    let is_typed = after.starts_with(':') && !after.starts_with("::");
    match name {
        "" => None,
        _ if after.is_empty() || is_typed => Some(name),
        // The type stands before it: `Dog d`.
        _ => {
            let (last, rest) = split_identifier(after);
            (!last.is_empty() && rest.is_empty()).then_some(last)
        }
    }
}

/// The only expression of a body.
fn expression(body: &str) -> Option<&str> {
    let mut body = body.trim();
    if body.starts_with('{') && bracketed_len(body) == Some(body.len()) {
        body = body[1..body.len() - 1].trim();
        body = body.strip_prefix("return ").unwrap_or(body).trim_end_matches(';').trim();
    }
    let goes_on = |line: &str| line.trim_start().starts_with(['.', '?']);
    let is_one = !body.contains(';') && body.lines().skip(1).all(goes_on);
    (is_one && !body.is_empty()).then_some(body)
}

/// A collection that is written by its elements.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Literal<'a> {
    /// Its elements, or the values of its entries.
    pub(super) elements: Vec<&'a str>,
    /// Whether they have keys.
    pub(super) is_by_key: bool,
    /// The text after it.
    pub(super) rest: &'a str,
}

/// The collection with which a text begins: `[a, b]`, `{"k": a}`, or a call of one of `makers`.
pub(super) fn literal<'a>(text: &'a str, makers: &[&str], names_are_keys: bool) -> Option<Literal<'a>> {
    let mut called = makers.iter().filter_map(|maker| text.strip_prefix(maker)).map(str::trim_start);
    let (list, is_made) = match called.find(|after| after.starts_with(['(', '[', '{'])) {
        Some(after) => (after, true),
        None => (text, false),
    };
    let end = list.starts_with(['[', '{', '(']).then(|| bracketed_len(list)).flatten()?;
    if end > MAX_LITERAL_BYTES {
        return None;
    }
    let inside = &list[1..end - 1];
    let parts = split_top_level(inside, ',').into_iter().filter(|part| !part.is_empty());
    let entries: Vec<(bool, &str)> = parts.map(|part| entry(part, is_made, names_are_keys)).collect();
    let is_by_key = entries.iter().all(|(has_key, _)| *has_key);
    let is_mixed = !is_by_key && entries.iter().any(|(has_key, _)| *has_key);
    let is_object = !is_made && list.starts_with('{') && !is_by_key;
    if entries.is_empty() || is_mixed || is_object || !is_made && list.starts_with('(') {
        return None;
    }
    let elements = entries.into_iter().map(|(_, value)| value).collect();
    Some(Literal { elements, is_by_key, rest: &list[end..] })
}

/// The value of an entry, and whether it has a key: `"k": a`, `'k' => a`, `"k" to a`, `"k" -> a`.
fn entry(part: &str, is_made: bool, names_are_keys: bool) -> (bool, &str) {
    if names_are_keys && let (Some(_), value) = split_label(part) {
        return (true, value);
    }
    let Some(quote) = part.chars().next().filter(|c| matches!(c, '"' | '\'' | ':') || c.is_ascii_digit()) else {
        return (false, part);
    };
    let key_end = match quote {
        '"' | '\'' => part[1..].find(quote).map(|at| at + 2),
        _ => part.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':')),
    };
    let Some(after) = key_end.and_then(|end| part.get(end..)).map(str::trim_start) else { return (false, part) };
    let signs: &[&str] = if is_made { &["to ", "->"] } else { &["=>", ":"] };
    match signs.iter().find_map(|sign| after.strip_prefix(sign)) {
        Some(value) => (true, value.trim()),
        None => (false, part),
    }
}

/// The parts of a comprehension, `a for b in c`: the result, the name and the collection.
pub(super) fn comprehension(element: &str) -> Option<(&str, &str, &str)> {
    let (result, after) = element.split_once(" for ")?;
    let (name, collection) = after.split_once(" in ")?;
    let collection = collection.split(" if ").next().unwrap_or(collection);
    let name = name.trim();
    (!name.is_empty() && split_identifier(name).1.is_empty()).then_some((result.trim(), name, collection.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_are_arguments() {
        let expression = |parameter, body| Some(WrittenFunction::Expression(parameter, body));
        for (text, expected) in [
            ("x => x.b()", expression("x", "x.b()")),
            ("(x: T, i) => x.b()", expression("x", "x.b()")),
            ("(x) => { return x.b(); }", expression("x", "x.b()")),
            ("x -> x.b()", expression("x", "x.b()")),
            ("(Dog x) -> x.b()", expression("x", "x.b()")),
            ("|x| x.b()", expression("x", "x.b()")),
            ("move |x: &T| x.b()", expression("x", "x.b()")),
            ("fn($x) => $x->b()", expression("$x", "$x->b()")),
            (" it.b() ", expression("it", "it.b()")),
            ("$0.b", expression("$0", "$0.b")),
            ("_.b", expression("_", "_.b")),
            ("x in x.b()", expression("x", "x.b()")),
            ("Foo::bar", Some(WrittenFunction::Method("bar"))),
            ("a.Foo::new", Some(WrittenFunction::Constructor("a.Foo"))),
            ("&:bar", Some(WrittenFunction::Method("bar"))),
            ("\\.bar", Some(WrittenFunction::Property("bar"))),
            ("(a, b) -> a.c()", None),
            ("|a, b| a.c()", None),
            ("({a}) => a.b()", None),
            ("x -> { f(); g(); }", None),
            ("a, b", None),
            ("module::f", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(written_function(text), expected, "{text}");
        }
    }

    #[test]
    fn collections_by_their_elements() {
        let found =
            |text, makers: &[&str]| literal(text, makers, false).map(|literal| (literal.elements, literal.is_by_key));
        assert_eq!(found("[a(1, 2), b].c", &[]), Some((vec!["a(1, 2)", "b"], false)));
        assert_eq!(found("{\"k\": a, 'l': b}", &[]), Some((vec!["a", "b"], true)));
        assert_eq!(found("['k' => a]", &[]), Some((vec!["a"], true)));
        assert_eq!(found("listOf(a, b)", &["listOf"]), Some((vec!["a", "b"], false)));
        assert_eq!(found("mapOf(\"k\" to a)", &["mapOf"]), Some((vec!["a"], true)));
        assert_eq!(found("vec![a]", &["vec!"]), Some((vec!["a"], false)));
        for text in ["{a: b}", "(a)", "[]", "listOf(a)", "[\"k\": a, b]", "[a"] {
            assert_eq!(found(text, &[]), None, "{text}");
        }
        let with_names = literal("{ a: b, 'c' => d }", &[], true).unwrap();
        assert_eq!((with_names.elements, with_names.is_by_key), (vec!["b", "d"], true));
        assert_eq!(comprehension("x.b() for x in f(y) if x"), Some(("x.b()", "x", "f(y)")));
        assert_eq!(comprehension("x.b() for x, y in z"), None);
    }
}
