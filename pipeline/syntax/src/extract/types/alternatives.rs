//! The alternatives of a declared type, without wrappers, modifiers and type arguments.

use super::notation::{
    BUILT_IN, MAX_TEXT_BYTES, PART_MARK, RECEIVER_MARK, TUPLE_MARK, UNKNOWN_ELEMENT, bracketed_len, split_identifier,
    split_top_level,
};

/// Wrappers and parentheses are followed to this depth.
const MAX_DEPTH: u32 = 8;
/// Types with more alternatives are unknown.
const MAX_ALTERNATIVES: usize = 6;

/// Tuples with more parts are unknown.
const MAX_TUPLE_PARTS: usize = 6;
/// Types without a name that have more members are unknown.
const MAX_MEMBERS: usize = 12;
/// Elements of more types are unknown.
const MAX_ELEMENT_TYPES: usize = 2;

/// Types whose arguments are the types of their parts.
const TUPLE_TYPES: &[&str] = &["tuple", "Tuple", "Pair", "Triple", "pair"];
/// The names of the parts of pairs and triples.
const PART_NAMES: &[&str] = &["first", "second", "third"];
/// Types whose first argument is the type of their elements; the others are those of what they are sent and return.
const GENERATOR_TYPES: &[&str] = &["Generator", "AsyncGenerator"];
/// Words between the parameters and the result of a function's type, in their order.
const EFFECTS: &[&str] = &["async", "throws", "rethrows"];
/// Types of functions whose parameters and result are written like those of a function: `Fn(A) -> B`.
const FUNCTION_TRAITS: &[&str] = &["Fn", "FnMut", "FnOnce", "AsyncFn", "AsyncFnMut", "AsyncFnOnce"];
/// Types of objects that call a function, whose type arguments are the types of its parameters, and whether the last one
/// is that of the result.
const FUNCTION_TYPES: &[(&str, bool)] = &[
    ("Action", false),
    ("Func", true),
    ("Consumer", false),
    ("BiConsumer", false),
    ("Predicate", false),
    ("BiPredicate", false),
    ("Function", true),
    ("BiFunction", true),
];
/// Words before a type that do not change its members.
const TYPE_MODIFIERS: &[&str] = &[
    "mut", "const", "dyn", "impl", "readonly", "final", "volatile", "struct", "class", "enum", "union", "unique",
    "suspend", "out", "in", "inout", "ref", "params", "typename", "static", "some", "any", "sink", "scoped", "unsafe",
    "extends", "super",
];
/// Bounds without members that programs call.
const MARKER_TYPES: &[&str] = &["Send", "Sync", "Sized", "Unpin", "Copy"];
/// Types without members.
const UNIT_TYPES: &[&str] = &["None", "null", "undefined", "void", "never", "nil", "NoReturn", "Nothing", "Unit"];
/// Types that may be anything, and words that declare a name without its type.
const UNKNOWN_TYPES: &[&str] =
    &["any", "Any", "unknown", "object", "Object", "auto", "var", "dynamic", "mixed", "interface", "let", "val"];

/// Returns the alternatives of a declared type, separated by `|`, empty if unknown. `wrappers` are types that are
/// replaced by their first argument: `Optional`, `Promise`, `Box`. The types of elements, of a type with arguments the
/// last one, are in brackets; after a colon if they have keys.
///
/// ```
/// use sextant_syntax::extract::type_alternatives;
/// assert_eq!(type_alternatives("Optional[httpx.Client]", &["Optional"]), "httpx.Client");
/// assert_eq!(type_alternatives(": Promise<Foo | undefined>", &["Promise"]), "Foo");
/// assert_eq!(type_alternatives("&'a mut dyn a::B<T>", &[]), "a.B[T]");
/// assert_eq!(type_alternatives("map[string][]*Foo", &[]), "![:![Foo]]");
/// assert_eq!(type_alternatives("impl Iterator<Item = &'a Foo>", &[]), "Iterator[Foo]");
/// assert_eq!(type_alternatives("{ a: Foo; b?: Bar[] }", &[]), "#(a=Foo,b=![Bar])");
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

/// The type of a function by its signature without a name: `<T>(a: A): B`. Empty if nothing is known of it.
pub(crate) fn signature_type(text: &str, wrappers: &[&str]) -> String {
    let text = text.trim();
    let skipped = if text.starts_with('<') { bracketed_len(text) } else { Some(0) };
    let Some(list) = skipped.map(|at| text[at..].trim_start()).filter(|list| list.starts_with('(')) else {
        return String::new();
    };
    let Some(end) = bracketed_len(list).filter(|_| text.len() <= MAX_TEXT_BYTES * 4) else { return String::new() };
    let returned = list[end..].trim_start().strip_prefix(':').unwrap_or("()");
    let parameters = split_top_level(list[1..end - 1].trim().trim_end_matches(','), ',');
    // `...a: [A, B]` are two parameters.
    let spread =
        parameters.iter().flat_map(|part| match part.strip_prefix("...").and_then(|part| part.split_once(": [")) {
            Some((_, types)) => {
                split_top_level(types.trim_end().trim_end_matches(']').trim_end_matches([',', ' ']), ',')
            }
            None => vec![*part],
        });
    let mut found = Vec::new();
    let _ = push_function_type(&spread.collect::<Vec<_>>(), returned, wrappers, 0, &mut found);
    found.retain(|one| one != BUILT_IN);
    found.pop().unwrap_or_default()
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
        // Attributes: `@escaping (A) -> B`.
        if let Some((_, after)) = text.strip_prefix('@').map(split_identifier) {
            text = after.trim_start();
        }
        // `for<'a> Fn(&'a A)`
        if let Some(after) = text.strip_prefix("for").filter(|after| after.starts_with('<')) {
            text = after[bracketed_len(after)?..].trim_start();
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
    // A value of several types has the members of each.
    for both in ['&', '+'] {
        parts = split_top_level(text, both);
        if parts.len() > 1 {
            let has_members =
                |part: &&str| !part.starts_with('\'') && !MARKER_TYPES.contains(&part.trim_start_matches('?'));
            let parts: Vec<&str> = parts.iter().copied().filter(has_members).collect();
            let known = parts.iter().filter(|part| collect_alternatives(part, wrappers, depth + 1, found).is_some());
            return (known.count() > 0).then_some(());
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
            let mut after = text[end..].trim_start();
            for word in EFFECTS {
                after = after.strip_prefix(word).filter(|rest| rest.starts_with(' ')).unwrap_or(after).trim_start();
            }
            if let Some(returned) = after.strip_prefix("=>").or_else(|| after.strip_prefix("->")) {
                let parameters = split_top_level(&text[1..end - 1], ',');
                return push_function_type(&parameters, returned, wrappers, depth, found);
            }
            let parts = split_top_level(&text[1..end - 1], ',');
            return match parts.as_slice() {
                _ if !after.is_empty() => built_in(found),
                [one] => collect_alternatives(one, wrappers, depth + 1, found),
                parts => {
                    found.push(tuple(parts, wrappers, depth));
                    Some(())
                }
            };
        }
        Some('[') => {
            let end = bracketed_len(text)?;
            let (inside, after) = (&text[1..end - 1], text[end..].trim_start());
            // `[]T` and `[3]T` in Go; `[T]`, `[T; 3]` and `[K: V]` elsewhere. Tuples have no elements of one type.
            let (element, is_by_key) = match split_top_level(inside, ':').as_slice() {
                _ if !after.is_empty() => (after, false),
                [_, value] => (*value, true),
                _ => (split_top_level(inside, ';')[0], false),
            };
            let parts = split_top_level(element, ',');
            found.push(match parts.as_slice() {
                [_] => collection(BUILT_IN, Some(element), is_by_key, wrappers, depth),
                parts => tuple(parts, wrappers, depth),
            });
            return Some(());
        }
        Some('{') => {
            found.push(object_type(text, wrappers, depth));
            return Some(());
        }
        Some('"' | '\'' | '`' | '0'..='9') => return built_in(found),
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
            // `A.(B) -> C`: a function that has an A as its `this`.
            Some(after) if after.starts_with('(') => {
                let end = bracketed_len(after)?;
                let returned = after[end..].trim_start().strip_prefix("->")?;
                let receiver = format!("{RECEIVER_MARK}{path}");
                let written = after[1..end - 1].trim();
                let mut parameters = if written.is_empty() { Vec::new() } else { split_top_level(written, ',') };
                parameters.push(&receiver);
                return push_function_type(&parameters, returned, wrappers, depth, found);
            }
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
    if UNKNOWN_TYPES.contains(&last) && !rest.starts_with("[]") {
        return None;
    }
    let mut arguments = Vec::new();
    if rest.starts_with(['<', '[']) {
        let end = bracketed_len(rest)?;
        arguments = split_top_level(&rest[1..end - 1], ',');
        rest = rest[end..].trim_start();
    }
    // Arrays, and the maps, channels and functions of Go, have no members in the project.
    if matches!(last, "map" | "chan" | "func") && path == last {
        let element = Some(rest).filter(|rest| last != "func" && !rest.is_empty());
        found.push(collection(BUILT_IN, element, last == "map", wrappers, depth));
        return Some(());
    }
    if rest.starts_with("[]") || arguments == [""] {
        let array = collection(BUILT_IN, text.trim_end().strip_suffix("[]"), false, wrappers, depth);
        found.push(if array == BUILT_IN { format!("{BUILT_IN}[{UNKNOWN_ELEMENT}]") } else { array });
        return Some(());
    }
    // `A => B`
    if let Some(returned) = rest.strip_prefix("=>") {
        return push_function_type(&[text[..text.len() - rest.len()].trim()], returned, wrappers, depth, found);
    }
    if rest.starts_with("is ") || !rest.is_empty() && !rest.starts_with(['.', '>', ' ', '(']) {
        return None;
    }
    // `Fn(A) -> B`
    if FUNCTION_TRAITS.contains(&last) && rest.starts_with('(') {
        let end = bracketed_len(rest)?;
        let returned = rest[end..].trim_start().strip_prefix("->").unwrap_or("()");
        return push_function_type(&split_top_level(&rest[1..end - 1], ','), returned, wrappers, depth, found);
    }
    if last == "Callable" || last == "Fn" {
        let (returned, parameters) = arguments.split_last()?;
        let list = parameters.first().and_then(|list| list.strip_prefix('[')?.strip_suffix(']'));
        let parameters = list.map_or_else(Vec::new, |list| split_top_level(list, ','));
        return push_function_type(&parameters, returned, wrappers, depth, found);
    }
    if let Some((_, has_result)) = FUNCTION_TYPES.iter().find(|(name, _)| *name == last)
        && let Some((returned, others)) = arguments.split_last()
    {
        // An object with a method that calls the function.
        found.push(path);
        return match has_result {
            true => push_function_type(others, returned, wrappers, depth, found),
            false => push_function_type(&arguments, "()", wrappers, depth, found),
        };
    }
    if wrappers.contains(&last) && !arguments.is_empty() {
        return collect_alternatives(arguments[0], wrappers, depth + 1, found);
    }
    // `Iterator<Item = A>`, and `Future<Output = A>`, which is an A when it is awaited.
    if let [only] = arguments.as_slice()
        && let Some((name, of)) = only.split_once('=').filter(|(_, of)| !of.starts_with(['=', '>']))
    {
        match name.trim() {
            "Output" => return collect_alternatives(of, wrappers, depth + 1, found),
            "Item" => found.push(collection(&path, Some(of), false, wrappers, depth)),
            _ => found.push(path),
        }
        return Some(());
    }
    // `Generator[A, B, C]`; where angle brackets are used, two or four arguments may be those of PHP.
    if GENERATOR_TYPES.contains(&last) && (text.contains('[') || arguments.len() == 3) {
        found.push(collection(&path, arguments.first().copied(), false, wrappers, depth));
        return Some(());
    }
    // `tuple[A, ...]` is a sequence, other tuples have elements of several types.
    let is_by_key = arguments.len() > 1 && arguments.last() != Some(&"...");
    let element = arguments.get(if is_by_key { arguments.len() - 1 } else { 0 }).copied();
    let is_tuple = is_by_key && TUPLE_TYPES.contains(&last);
    if is_tuple {
        let names = if last.eq_ignore_ascii_case("tuple") { &[] } else { PART_NAMES };
        let names = names.iter().copied().chain(std::iter::repeat(""));
        let named = arguments.iter().zip(names).map(|(part, name)| match name {
            "" => (*part).to_owned(),
            name => format!("{name}: {part}"),
        });
        let parts: Vec<String> = named.collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        found.extend(Some(tuple(&parts, wrappers, depth)).filter(|parts| parts != BUILT_IN));
    }
    found.push(collection(&path, element.filter(|_| !is_tuple), is_by_key, wrappers, depth));
    Some(())
}

/// A tuple by the types of its parts, which may have names.
fn tuple(parts: &[&str], wrappers: &[&str], depth: u32) -> String {
    let part_text = |part: &&str| {
        let types = part_type(part, wrappers, depth).unwrap_or_default();
        match part_name(part).filter(|_| !types.is_empty()) {
            Some(name) => format!("{name}{PART_MARK}{types}"),
            None => types,
        }
    };
    let parts: Vec<String> = parts.iter().map(part_text).collect();
    let is_known = parts.len() <= MAX_TUPLE_PARTS && parts.iter().any(|part| !part.is_empty());
    if is_known { format!("{TUPLE_MARK}({})", parts.join(",")) } else { BUILT_IN.to_owned() }
}

/// The name of a part: `a: A`, `a?: A`, `A a`.
fn part_name(part: &str) -> Option<&str> {
    let name = match part.split_once(": ") {
        Some((name, _)) => name.trim().trim_end_matches('?'),
        None => part.trim().rsplit_once(' ').map(|(_, name)| name)?,
    };
    let name = name.rsplit(' ').next().unwrap_or(name);
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && name.starts_with(char::is_lowercase);
    is_name.then_some(name)
}

/// A type by its members, `{ a: A; b?: B }`: a tuple of those with known types.
fn object_type(text: &str, wrappers: &[&str], depth: u32) -> String {
    let inside = bracketed_len(text).filter(|&end| text[end..].trim().is_empty()).map(|end| &text[1..end - 1]);
    let members = inside.into_iter().flat_map(|inside| split_top_level(inside, ';'));
    let members = members.flat_map(|member| split_top_level(member, ',')).flat_map(str::lines).map(str::trim);
    let known: Vec<String> = members
        .filter_map(|member| {
            let (name, written) = member.trim_start_matches("readonly ").split_once(':')?;
            let name = name.trim().trim_end_matches('?');
            let types = inner_type(written, wrappers, depth).filter(|types| !types.is_empty())?;
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
            is_name.then(|| format!("{name}{PART_MARK}{types}"))
        })
        .collect();
    match known.len() {
        1..=MAX_MEMBERS => format!("{TUPLE_MARK}({})", known.join(",")),
        _ => BUILT_IN.to_owned(),
    }
}

/// The alternatives of a part of another type, which may have a name before it; the empty text if it has no members in a
/// project, `None` if it is unknown.
fn part_type(part: &str, wrappers: &[&str], depth: u32) -> Option<String> {
    let colon = part.find(": ").filter(|&at| !part[..at].ends_with(':'));
    inner_type(colon.map_or(part, |at| &part[at + 1..]), wrappers, depth)
}

/// The same of a part without a name.
fn inner_type(text: &str, wrappers: &[&str], depth: u32) -> Option<String> {
    let mut inner = Vec::new();
    collect_alternatives(text, wrappers, depth + 1, &mut inner)?;
    inner.retain(|one| one != BUILT_IN);
    inner.dedup();
    (inner.len() <= MAX_ALTERNATIVES).then(|| inner.join("|"))
}

/// A type with what is known of its elements.
fn collection(path: &str, element: Option<&str>, is_by_key: bool, wrappers: &[&str], depth: u32) -> String {
    let mut inner = Vec::new();
    let is_known = element.is_some_and(|text| collect_alternatives(text, wrappers, depth + 1, &mut inner).is_some());
    inner.retain(|of| of != BUILT_IN);
    inner.dedup();
    if !is_known || inner.is_empty() || inner.len() > MAX_ELEMENT_TYPES {
        return path.to_owned();
    }
    format!("{path}[{}{}]", if is_by_key { ":" } else { "" }, inner.join("|"))
}

/// Adds the type of a function. Parameters may have names.
fn push_function_type(
    parameters: &[&str],
    returned: &str,
    wrappers: &[&str],
    depth: u32,
    found: &mut Vec<String>,
) -> Option<()> {
    let receiver_type =
        |receiver: &str| format!("{RECEIVER_MARK}{}", part_type(receiver, wrappers, depth).unwrap_or_default());
    let parameter = |part: &&str| match part.strip_prefix(RECEIVER_MARK) {
        Some(receiver) => receiver_type(receiver),
        None => part_type(part, wrappers, depth).unwrap_or_default(),
    };
    // TypeScript: `(this: A, b: B) => C`.
    let this = parameters.first().and_then(|first| first.strip_prefix("this")?.trim_start().strip_prefix(':'));
    let mut types: Vec<String> = parameters.iter().skip(usize::from(this.is_some())).map(parameter).collect();
    types.extend(this.map(receiver_type));
    let takes = if types.iter().all(String::is_empty) { String::new() } else { types.join(",") };
    let returned = part_type(returned, wrappers, depth);
    match returned.filter(|returned| !returned.contains('|')) {
        Some(returned) if !(returned.is_empty() && takes.is_empty()) => found.push(format!("({takes}){returned}")),
        _ if !takes.is_empty() => found.push(format!("({takes})")),
        Some(_) => found.push(BUILT_IN.to_owned()),
        None => return None,
    }
    Some(())
}

fn unquoted(text: &str) -> &str {
    let inner = |quote: char| {
        text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)).filter(|inner| !inner.contains(quote))
    };
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_types_of_functions() {
        for (text, expected) in [
            ("<P extends string>(path: P, handler: H<A, P>): Foo<A>", "(P,H[:P])Foo[A]"),
            ("(...handlers: [A, B<C>]): Foo", "(A,B[C])Foo"),
            ("(a: string): void", "(string)"),
            ("(): void", ""),
            ("x", ""),
        ] {
            assert_eq!(signature_type(text, &[]), expected, "{text}");
        }
    }

    #[test]
    fn types_are_paths() {
        let wrappers = &["Optional", "Promise", "Option", "Arc"];
        for (text, expected) in [
            ("Foo", "Foo"),
            (": Foo<Bar>", "Foo[Bar]"),
            ("-> \"Foo\"", "Foo"),
            ("Foo | None", "Foo"),
            ("typing.Optional[a.Foo]", "a.Foo"),
            ("Promise<A | B>", "A|B"),
            ("Option<Arc<a::Foo>>", "a.Foo"),
            ("&'static mut Foo", "Foo"),
            ("*pkg.Foo", "pkg.Foo"),
            ("[]Foo", "![Foo]"),
            ("Foo[]", "![Foo]"),
            ("Object[]", "![?]"),
            ("a.Foo<B>[][]", "![![a.Foo[B]]]"),
            ("&[Foo; 3]", "![Foo]"),
            ("[String: Foo]", "![:Foo]"),
            ("chan *Foo", "![Foo]"),
            ("Map<String, List<Foo>>", "Map[:List[Foo]]"),
            ("Optional[List[Foo | None]]", "List[Foo]"),
            ("tuple[A, ...]", "tuple[A]"),
            ("tuple[A, B]", "#(A,B)|tuple"),
            ("AsyncGenerator[A, None]", "AsyncGenerator[A]"),
            ("Generator<A, void, unknown>", "Generator[A]"),
            ("Generator<int, A>", "Generator[:A]"),
            ("tuple[int, 'A' | None]", "#(int,A)|tuple"),
            ("[A, B]", "#(A,B)"),
            ("(a: A, (B, C))", "#(a=A,#(B,C))"),
            ("Option<(&A, Vec<B>)>", "#(A,Vec[B])"),
            ("(_, ())", "#(_,)"),
            ("map[string]Foo", "![:Foo]"),
            ("Callable[..., Foo]", "()Foo"),
            ("Callable[[A, B | C], Foo]", "(A,B|C)Foo"),
            ("(a: B) => Foo", "(B)Foo"),
            ("(a: B, c: D<E>) => void", "(B,D[E])"),
            ("(A, b.C) -> D", "(A,b.C)D"),
            ("A.B.(C) -> D", "(C,this=A.B)D"),
            ("A.() -> Unit", "(this=A)"),
            ("(this: A<B>, c: C) => void", "(C,this=A[B])"),
            ("(this: A) => B", "(this=A)B"),
            ("A => B", "(A)B"),
            ("Function<? super A, ? extends B>", "Function|(A)B"),
            ("@escaping (A) -> B", "(A)B"),
            ("(A) async throws -> B", "(A)B"),
            ("((a: B) => C) | D", "(B)C|D"),
            ("impl Fn(&mut A, B) -> C + Send", "(A,B)C"),
            ("Box<dyn FnOnce(A)>", "Box[(A)]"),
            ("Func<A, B>", "Func|(A)B"),
            ("Action<A>", "Action|(A)"),
            ("() => void", "!"),
            ("(Foo)", "Foo"),
            ("(A, B)", "#(A,B)"),
            ("any", ""),
            ("x is Foo", ""),
            ("Foo?", "Foo"),
            ("readonly Foo", "Foo"),
            ("Box<dyn Foo + Send>", "Box[Foo]"),
            ("dyn Foo + Send", "Foo"),
            (": ?Sized + Foo + a::Bar", "Foo|a.Bar"),
            (": for<'a> Fn(&'a Foo)", "(Foo)"),
            ("Foo & { a: B }", "Foo|#(a=B)"),
            ("None", ""),
            ("'a' | 'b'", "a|b"),
        ] {
            assert_eq!(type_alternatives(text, wrappers), expected, "{text}");
        }
    }
}
