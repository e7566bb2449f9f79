//! Types that documentation declares where the text declares none: `@param Foo $a`, `@return Foo`, `@var Foo[]`.
//!
//! The notations of phpDocumentor (`Foo $a`), JSDoc (`{Foo} a`), YARD (`a [Foo]`) and LuaLS (`a Foo`) can be told apart, so
//! that one reader serves all of them.

use rustc_hash::FxHashMap;
use sextant_format::kinds::Kind;

use super::captures::LeadingNode;
use super::clean;
use super::locals::EnclosingSymbols;
use super::types;
use crate::language::Language;
use crate::model::{Symbol, TypeFact};

/// Arrays of PHP and interfaces of its standard library whose last type argument is the type of their values: a loop
/// over them has no keys.
const COLLECTIONS: &[&str] = &[
    "array",
    "list",
    "iterable",
    "non-empty-array",
    "non-empty-list",
    "Traversable",
    "Iterator",
    "IteratorAggregate",
    "Generator",
    "ArrayAccess",
];
/// What declares the types of a comment's variable.
const VARIABLE_TAGS: &[&str] = &["@var", "@type", "@psalm-var", "@phpstan-var"];
/// Longer texts of a type, in bytes, are unknown.
const MAX_TYPE_BYTES: usize = 200;

/// What a tag declares the type of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject<'a> {
    /// A parameter of the function, or a variable.
    Name(&'a str),
    /// The result of the function.
    Result,
    /// The definition itself.
    Definition,
    /// A member of the type.
    Member(&'a str),
}

/// Adds the types of documentation to the facts of a file: those of symbols, and those of comments in functions that name
/// a variable. What the text declares counts more, unless it is a type of the language itself.
pub(super) fn add(
    language: &Language,
    text: &str,
    leading: &[LeadingNode],
    symbols: &[Symbol],
    facts: &mut Vec<TypeFact>,
) {
    if !language.has_doc_types {
        return;
    }
    let mut found = Vec::new();
    for (id, symbol) in (0_u32..).zip(symbols).skip(1) {
        let Some(doc) = symbol.doc.as_deref().filter(|doc| doc.contains('@')) else { continue };
        for (subject, written) in declared(doc) {
            let is_callable = symbol.kind.is_callable();
            let scope = if is_callable { id } else { symbol.container.unwrap_or(0) };
            match subject {
                Subject::Name(name) if is_callable => found.push((id, Some(name), scope, written)),
                Subject::Result if is_callable => found.push((id, None, scope, written)),
                Subject::Result | Subject::Definition if is_value(symbol.kind) => {
                    found.push((id, None, scope, written))
                }
                Subject::Member(name) if symbol.kind.is_type() => found.push((id, Some(name), id, written)),
                _ => {}
            }
        }
    }
    let mut comments: Vec<(usize, String)> = leading
        .iter()
        .filter_map(|node| Some((node.start_byte, text.get(node.doc.clone()?)?)))
        .filter(|(_, comment)| VARIABLE_TAGS.iter().any(|tag| comment.contains(tag)))
        .filter_map(|(at, comment)| Some((at, clean::doc(comment)?)))
        .collect();
    comments.sort_unstable();
    let mut enclosing = EnclosingSymbols::new(symbols);
    for (at, comment) in &comments {
        let function =
            enclosing.stack_at(*at).iter().rev().copied().find(|&id| symbols[id as usize].kind.is_callable());
        let Some(function) = function else { continue };
        for (subject, written) in declared(comment) {
            if let Subject::Name(name) = subject {
                found.push((function, Some(name), function, written));
            }
        }
    }
    let mut known: FxHashMap<(u32, Option<String>), Vec<usize>> = FxHashMap::default();
    for (at, fact) in facts.iter().enumerate().filter(|(_, fact)| fact.is_declared) {
        known.entry((fact.symbol, fact.name.clone())).or_default().push(at);
    }
    for (symbol, name, scope, written) in found {
        let text = types::type_alternatives(&written, language.wrappers);
        if text.is_empty() || text == types::BUILT_IN {
            continue;
        }
        // A variable is recorded with and without its sign.
        let bare = name.map(|name| name.trim_start_matches('$').to_owned());
        let signed = name.filter(|name| name.starts_with('$')).map(str::to_owned);
        for name in [bare].into_iter().chain(signed.map(Some)) {
            let key = (symbol, name);
            match known.get(&key) {
                Some(places) => {
                    for &at in places {
                        if has_no_class(&facts[at].text) {
                            facts[at].text.clone_from(&text);
                        }
                    }
                }
                None => {
                    facts.push(TypeFact { symbol, name: key.1.clone(), scope, is_declared: true, text: text.clone() });
                }
            }
        }
    }
}

const fn is_value(kind: Kind) -> bool {
    matches!(kind, Kind::Field | Kind::Property | Kind::Variable | Kind::Constant)
}

/// Whether a declared type says less than documentation can: it names types of the language only, as `array`.
fn has_no_class(text: &str) -> bool {
    types::split_alternatives(text).all(|one| {
        let name = types::split_elements(one).0;
        name.starts_with(|c: char| c.is_lowercase() || c == '!')
            && !matches!(name, "self" | "static" | "parent")
            && !name.contains('.')
    })
}

/// The types that a documentation declares, with what has them.
fn declared(doc: &str) -> Vec<(Subject<'_>, String)> {
    let mut found = Vec::new();
    for line in doc.lines() {
        let line = line.trim_start_matches(['*', '-', '/', ' ', '\t']);
        let Some((tag, rest)) = line.split_once(char::is_whitespace).filter(|(tag, _)| tag.starts_with('@')) else {
            continue;
        };
        let rest = rest.trim().trim_end_matches("*/").trim_end();
        let tag = tag.trim_start_matches('@').trim_start_matches("psalm-").trim_start_matches("phpstan-");
        let (written, name) = match tag {
            "param" | "var" | "type" | "property" | "property-read" | "property-write" | "field" => {
                type_and_name(rest, tag)
            }
            "return" | "returns" => (first_type(rest), None),
            _ => continue,
        };
        let Some(written) = written.map(normalized).filter(|written| !written.is_empty()) else { continue };
        let subject = match (tag, name) {
            ("param", Some(name)) => Subject::Name(name),
            ("var" | "type", Some(name)) if name.starts_with('$') => Subject::Name(name),
            ("var" | "type", _) => Subject::Definition,
            ("return" | "returns", _) => Subject::Result,
            (_, Some(name)) => Subject::Member(name.trim_start_matches('$')),
            _ => continue,
        };
        found.push((subject, written));
    }
    found
}

/// The type and the name of a tag that has both, in either order.
fn type_and_name<'a>(text: &'a str, tag: &str) -> (Option<&'a str>, Option<&'a str>) {
    let name_of = |text: &'a str| {
        let word =
            text.trim_start_matches(['.', '&', '[']).split(|c: char| c.is_whitespace() || "=],".contains(c)).next();
        word.map(|word| word.trim_end_matches('?')).filter(|word| !word.is_empty())
    };
    // `{Foo} a` and `[Foo] a`
    if text.starts_with(['{', '[']) {
        let end = closing(text);
        return (end.map(|end| &text[..end]), end.and_then(|end| name_of(text[end..].trim_start())));
    }
    let (first, rest) = split_type(text);
    // `a [Foo]`
    if rest.starts_with('[') {
        return (closing(rest).map(|end| &rest[..end]), name_of(first));
    }
    let after = rest.trim_start_matches(['.', '&']);
    if after.starts_with('$') {
        return (Some(first), name_of(after));
    }
    match tag {
        // `$a Foo`, or a Lua parameter.
        "param" | "field" if !first.starts_with('\\') && !rest.is_empty() => {
            let (first, rest) = match first {
                "public" | "private" | "protected" | "package" => split_type(rest),
                _ => (first, rest),
            };
            (first_type(rest), name_of(first))
        }
        "param" | "field" => (None, None),
        _ => (Some(first), None),
    }
}

/// The type with which a text begins.
fn first_type(text: &str) -> Option<&str> {
    let found = match text.chars().next()? {
        '{' | '[' => &text[..closing(text)?],
        _ => split_type(text).0,
    };
    Some(found).filter(|found| !found.is_empty())
}

/// Splits a text after the type with which it begins: at the first space outside of brackets that joins no alternatives.
fn split_type(text: &str) -> (&str, &str) {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 && c.is_whitespace() => {
                let (before, after) = (&text[..at], text[at..].trim_start());
                let joins = |c: char| matches!(c, '|' | '&' | ':');
                let is_joined = before.ends_with(joins) || after.starts_with('|') || after.starts_with("& ");
                if !is_joined {
                    return (before, after);
                }
            }
            _ => {}
        }
    }
    (text, "")
}

/// The end of the bracketed text with which a text begins.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' | '(' | '<' => depth += 1,
            '}' | ']' | ')' | '>' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + c.len_utf8());
        }
    }
    None
}

/// A type of a documentation as declarations write it.
fn normalized(written: &str) -> String {
    let inside = written.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(written);
    // Only YARD has brackets around the type.
    let is_bracketed = written.starts_with('[') && written.ends_with(']');
    let inside = if is_bracketed { &written[1..written.len() - 1] } else { inside };
    if inside.len() > MAX_TYPE_BYTES {
        return String::new();
    }
    let alternatives =
        if is_bracketed { types::split_top_level(inside, ',') } else { types::split_top_level(inside, '|') };
    let alternatives = alternatives.into_iter().map(|one| {
        let one = one.trim().trim_start_matches(['.', '\\', '!']).trim_end_matches(['=', '?']).replace(".<", "<");
        if one == "$this" {
            return "static".to_owned();
        }
        let Some((name, arguments)) = one.split_once('<').filter(|(name, _)| COLLECTIONS.contains(name)) else {
            return one;
        };
        let Some(inside) = arguments.strip_suffix('>') else { return one };
        let arguments = types::split_top_level(inside, ',');
        let value = if name == "Generator" { arguments.get(1).or(arguments.first()) } else { arguments.last() };
        value.map_or_else(String::new, |value| format!("{}[]", value.trim().trim_start_matches('\\')))
    });
    alternatives.filter(|one| !one.is_empty()).collect::<Vec<_>>().join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_documentation_in_four_notations() {
        let one = |doc: &str| {
            declared(doc)
                .into_iter()
                .map(|(subject, written)| format!("{subject:?}: {written}"))
                .collect::<Vec<_>>()
                .join("; ")
        };
        for (doc, expected) in [
            ("@param Foo|null $a The a.", "Name(\"$a\"): Foo|null"),
            ("@param  array<string, \\A\\Foo>  $all", "Name(\"$all\"): A\\Foo[]"),
            ("@param Foo ...$rest", "Name(\"$rest\"): Foo"),
            ("@return $this The object", "Result: static"),
            ("@return \\Generator<int, Foo, mixed, void>", "Result: Foo[]"),
            ("@var Foo[]", "Definition: Foo[]"),
            ("@var Foo $a", "Name(\"$a\"): Foo"),
            ("@property-read Foo $a", "Member(\"a\"): Foo"),
            ("@param {Foo} a - The a.", "Name(\"a\"): Foo"),
            ("@param {Array.<Foo>} [a=1]", "Name(\"a\"): Array<Foo>"),
            ("@returns {Promise<Foo>}", "Result: Promise<Foo>"),
            ("@type {?Foo}", "Definition: ?Foo"),
            ("@param a [Foo, nil] The a", "Name(\"a\"): Foo|nil"),
            ("@param [Array<Foo>] a", "Name(\"a\"): Array<Foo>"),
            ("@return [Foo] the a", "Result: Foo"),
            ("@param a Foo the a", "Name(\"a\"): Foo"),
            ("@param a? Foo", "Name(\"a\"): Foo"),
            ("@field private a Foo", "Member(\"a\"): Foo"),
            ("@return Foo? a", "Result: Foo"),
            ("@param $a", ""),
            ("@see Foo $a", ""),
        ] {
            assert_eq!(one(doc), expected, "{doc}");
        }
    }
}
