//! The notation of types and values: the mark of what is built in, identifiers, brackets and separators. Must not know
//! what types or values mean.

/// A literal, or a type of the language itself.
pub const BUILT_IN: &str = "!";

/// What separates a name from the number of a set of its bindings.
pub const BINDING_MARK: char = '#';

/// What comes before a type argument that is a class among the arguments of a call.
pub const CLASS_MARK: char = '^';

/// What separates the name of a part of a tuple from its type: `#(a=A)`.
pub const PART_MARK: char = '=';

/// The type of the elements of an array of which nothing else is known.
pub const UNKNOWN_ELEMENT: &str = "?";

/// The step of an access path to what a context manager gives.
pub const ENTERED: &str = "[with]";

/// What comes before the types of a tuple's parts, `#(A,B)`.
pub(super) const TUPLE_MARK: &str = "#";

/// What comes before the type of the object that is `this` in a function, among its parameters.
pub const RECEIVER_MARK: &str = "this=";

/// Boolean literals.
pub(super) const BOOLEAN_LITERALS: &[&str] = &["True", "False", "true", "false"];

/// Null literals.
pub(super) const NULL_LITERALS: &[&str] = &["None", "null", "undefined", "nil", "nullptr", "NULL"];

/// Longer texts, in bytes, are unknown.
pub(super) const MAX_TEXT_BYTES: usize = 400;

/// Splits a text after the identifier with which it begins.
pub(crate) fn split_identifier(text: &str) -> (&str, &str) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let hash = usize::from(text.starts_with('#'));
    let end = text[hash..].find(|c| !is_part(c)).map_or(text.len(), |at| at + hash);
    text.split_at(end)
}

/// The length of the bracketed text with which `text` begins, including both brackets. Brackets in quotes do not count.
pub(super) fn bracketed_len(text: &str) -> Option<usize> {
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

/// The alternatives of a type or access path.
///
/// ```
/// use sextant_syntax::extract::split_alternatives;
/// assert_eq!(split_alternatives("List[A|B]|C").collect::<Vec<_>>(), ["List[A|B]", "C"]);
/// ```
pub fn split_alternatives(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut depth = 0_i32;
        let end = text.char_indices().find(|&(_, c)| {
            depth += i32::from(matches!(c, '[' | '<' | '(')) - i32::from(matches!(c, ']' | '>' | ')'));
            c == '|' && depth == 0
        });
        rest = end.map(|(at, _)| &text[at + 1..]);
        Some(end.map_or(text, |(at, _)| &text[..at]))
    })
}

/// Splits the type of a function into the types of its parameters and of its result; `None` for other types.
///
/// ```
/// use sextant_syntax::extract::split_function;
/// assert_eq!(split_function("(A|B,List[C])D"), Some((vec!["A|B", "List[C]"], "D")));
/// assert_eq!(split_function("()D"), Some((vec![""], "D")));
/// assert_eq!(split_function("D"), None);
/// ```
#[must_use]
pub fn split_function(alternative: &str) -> Option<(Vec<&str>, &str)> {
    let end = alternative.starts_with('(').then(|| bracketed_len(alternative)).flatten()?;
    let (mut parameters, mut depth, mut start) = (Vec::new(), 0_i32, 1);
    for (at, c) in alternative[..end].char_indices().skip(1) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if at + 1 < end => depth -= 1,
            ',' if depth == 0 => {
                parameters.push(&alternative[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parameters.push(&alternative[start..end - 1]);
    Some((parameters, &alternative[end..]))
}

/// Splits an alternative of a type into its path and what is known of its elements.
///
/// ```
/// use sextant_syntax::extract::{Elements, split_elements};
/// let elements = |types, is_by_key| Some(Elements { types, is_by_key });
/// assert_eq!(split_elements("a.List[B]"), ("a.List", elements("B", false)));
/// assert_eq!(split_elements("Map[:B|C]"), ("Map", elements("B|C", true)));
/// assert_eq!(split_elements("B"), ("B", None));
/// ```
#[must_use]
pub fn split_elements(alternative: &str) -> (&str, Option<Elements<'_>>) {
    let Some((path, types)) = alternative.strip_suffix(']').and_then(|text| text.split_once('[')) else {
        return (alternative, None);
    };
    let by_key = types.strip_prefix(':');
    (path, Some(Elements { types: by_key.unwrap_or(types), is_by_key: by_key.is_some() }))
}

/// The elements of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements<'a> {
    /// The alternatives of their type.
    pub types: &'a str,
    /// Whether they are values that have keys: a loop runs over more than them.
    pub is_by_key: bool,
}

/// Splits the label from an argument: `name: value`, `name = value`.
pub(crate) fn split_label(text: &str) -> (Option<&str>, &str) {
    let (word, after) = split_identifier(text);
    let after = after.trim_start();
    let is_operator = ["::", "==", "=>", ":="].iter().any(|operator| after.starts_with(operator));
    match after.strip_prefix([':', '=']) {
        Some(value) if !word.is_empty() && !is_operator => (Some(word), value.trim_start()),
        _ => (None, text),
    }
}

/// The number of commas outside of brackets in the beginning of a list.
pub(crate) fn commas_outside_of_brackets(text: &str) -> usize {
    split_top_level(text, ',').len() - 1
}

/// Splits the type of a tuple into the types of its parts; `None` for other types.
///
/// ```
/// use sextant_syntax::extract::split_tuple;
/// assert_eq!(split_tuple("#(A|B,,List[C])"), Some(vec!["A|B", "", "List[C]"]));
/// assert_eq!(split_tuple("(A)B"), None);
/// ```
#[must_use]
pub fn split_tuple(alternative: &str) -> Option<Vec<&str>> {
    Some(split_function(alternative.strip_prefix('#').filter(|tuple| tuple.ends_with(')'))?)?.0)
}

/// The type of a part of a tuple, by the name or the place of the part; `None` for other names and types.
///
/// ```
/// use sextant_syntax::extract::tuple_part;
/// assert_eq!(tuple_part("#(a=A|B,C)", "a"), Some("A|B"));
/// assert_eq!(tuple_part("#(a=A|B,C)", "0"), Some("A|B"));
/// assert_eq!(tuple_part("#(a=A|B,C)", "Item2"), Some("C"));
/// assert_eq!(tuple_part("#(a=A|B,C)", "c"), None);
/// ```
#[must_use]
pub fn tuple_part<'t>(tuple: &'t str, name: &str) -> Option<&'t str> {
    let parts = split_tuple(tuple)?;
    let split = |part: &'t str| part.split_once(PART_MARK).map_or((None, part), |(name, types)| (Some(name), types));
    if let Some(named) = parts.iter().map(|part| split(part)).find(|(own, _)| *own == Some(name)) {
        return Some(named.1);
    }
    // `_1` in Scala and `Item1` in C# begin at one.
    let from_one = name.strip_prefix('_').or_else(|| name.strip_prefix("Item"));
    let place = match from_one {
        Some(number) => number.parse::<usize>().ok()?.checked_sub(1)?,
        None => name.parse().ok()?,
    };
    parts.get(place).map(|part| split(part).1)
}

/// Splits at a separator outside of brackets.
pub(crate) fn split_top_level(text: &str, separator: char) -> Vec<&str> {
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
