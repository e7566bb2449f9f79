//! The parameters of a function, by its signature.

use super::notation::{bracketed_len, split_identifier, split_top_level};

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter<'a> {
    /// The words before its type, or its name: a call may use one of them as the label of its argument.
    pub label: &'a str,
    /// Its type as written, see [`type_alternatives`](super::type_alternatives); of one that takes all further arguments,
    /// the type of each.
    pub written: &'a str,
    /// Whether it takes all further arguments.
    pub is_rest: bool,
    /// Whether a call may leave it out.
    pub is_optional: bool,
    /// Whether a call may write its argument before the name, as the receiver: `this` of an extension in C#.
    pub is_receiver: bool,
}

/// Words before a type parameter.
const VARIANCES: &[&str] = &["in", "out", "reified", "const", "class", "typename"];
/// Words before a parameter that say nothing of its type.
const MODIFIERS: &[&str] = &["final", "vararg", "noinline", "crossinline", "val", "var", "params", "this", "implicit"];
/// Bases that declare type parameters of a class.
const GENERIC_BASES: &[&str] = &["Generic", "Protocol"];

/// The parameters of the function of this name with this signature. Returns `None` if the signature contains no
/// parameter list.
///
/// ```
/// use sextant_syntax::extract::parameters;
/// let found = parameters("@A(1) int add(final int a, List<B>... b)", "add").unwrap();
/// assert_eq!((found[0].label, found[0].written), ("a", "int"));
/// assert_eq!((found[1].written, found[1].is_rest), ("List<B>", true));
/// let found = parameters("fun f(on a: A? = null)", "f").unwrap();
/// assert_eq!((found[0].label, found[0].written, found[0].is_optional), ("on a", "A?", true));
/// ```
#[must_use]
pub fn parameters<'a>(signature: &'a str, name: &str) -> Option<Vec<Parameter<'a>>> {
    Some(parameter_texts(signature, name)?.into_iter().map(parameter).collect())
}

/// The minimum and maximum number of arguments of the function of this name with this signature. Returns `None` if the
/// signature contains no parameter list.
///
/// ```
/// use sextant_syntax::extract::arity_range;
/// assert_eq!(arity_range("int add(int a, Map<K, V> b)", "add"), Some((2, 2)));
/// assert_eq!(arity_range("def f(a, b=1, *args)", "f"), Some((1, usize::MAX)));
/// assert_eq!(arity_range("@A(x) int f()", "f"), Some((0, 0)));
/// ```
#[must_use]
pub fn arity_range(signature: &str, name: &str) -> Option<(usize, usize)> {
    let parts = parameter_texts(signature, name)?;
    let (mut left_out, mut has_rest) = (0, false);
    for part in &parts {
        let is_rest = is_rest(part);
        has_rest |= is_rest;
        left_out += usize::from(is_rest || is_optional(part) || part.starts_with("this "));
    }
    Some((parts.len() - left_out, if has_rest { usize::MAX } else { parts.len() }))
}

/// The names of the type parameters of the type of this name with this signature, and what bounds them.
///
/// ```
/// use sextant_syntax::extract::type_parameters;
/// let names = |signature| type_parameters(signature, "A").iter().map(|found| found.label).collect::<Vec<_>>();
/// assert_eq!(names("class A<T extends B<C>, out U> extends D<T>"), ["T", "U"]);
/// assert_eq!(names("trait A[+T]"), ["T"]);
/// assert_eq!(names("class A(B, Generic[T, U])"), ["T", "U"]);
/// assert_eq!(names("class A"), [""; 0]);
/// ```
#[must_use]
pub fn type_parameters<'a>(signature: &'a str, name: &str) -> Vec<Parameter<'a>> {
    let after = after_name(signature, name).find(|after| after.starts_with(['<', '[']));
    let after = after.or_else(|| after_name(signature, name).find_map(|after| generic_base(after)));
    let inside = after.and_then(|after| Some(&after[1..bracketed_len(after)? - 1]));
    let parts = inside.map_or_else(Vec::new, |inside| split_top_level(inside, ','));
    let parameter = |part: &'a str| {
        let mut text = part.trim_start_matches(['+', '-', '\'']).trim_start();
        while let Some(word) = VARIANCES.iter().find(|word| starts_with_word(text, word)) {
            text = text[word.len()..].trim_start();
        }
        let (label, bound) = split_identifier(text);
        Parameter { label, written: bound.trim(), is_rest: false, is_optional: false, is_receiver: false }
    };
    parts.into_iter().filter(|part| !part.is_empty()).map(parameter).collect()
}

/// The type parameters of the base that declares them, by what follows the name of a class: `(A, Generic[T])`.
fn generic_base(after: &str) -> Option<&str> {
    let bases = after.strip_prefix('(')?;
    GENERIC_BASES.iter().find_map(|base| after_name(bases, base).find(|after| after.starts_with('[')))
}

/// The text of each parameter.
fn parameter_texts<'a>(signature: &'a str, name: &str) -> Option<Vec<&'a str>> {
    let list = list_after(signature, name).or_else(|| signature.find('(').map(|at| &signature[at..]))?;
    let inside = list[1..bracketed_len(list)? - 1].trim();
    if inside.is_empty() || inside == "void" {
        return Some(Vec::new());
    }
    Some(split_top_level(inside.trim_end_matches(','), ','))
}

/// The text from the parenthesis that follows the name, possibly after type parameters. What comes before may have
/// parentheses of its own: annotations, attributes, a receiver.
fn list_after<'a>(signature: &'a str, name: &str) -> Option<&'a str> {
    after_name(signature, name).find_map(|after| {
        let skipped = if after.starts_with(['<', '[']) { bracketed_len(after)? } else { 0 };
        let after = after[skipped..].trim_start();
        after.starts_with('(').then_some(after)
    })
}

/// What follows each place of a name as a whole word.
fn after_name<'a>(signature: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (is_part, length) = (|c: char| c.is_alphanumeric() || c == '_', name.len());
    let places: Vec<usize> = signature.match_indices(name).filter(|_| !name.is_empty()).map(|(at, _)| at).collect();
    places.into_iter().filter_map(move |at| {
        let after = &signature[at + length..];
        let is_whole = !signature[..at].ends_with(is_part) && !after.starts_with(is_part);
        is_whole.then(|| after.trim_start())
    })
}

fn is_rest(part: &str) -> bool {
    part.contains("...")
        || part.starts_with('*')
        || starts_with_word(part, "params")
        || starts_with_word(part, "vararg")
        || part.ends_with('*') && part.contains(": ")
}

fn is_optional(part: &str) -> bool {
    default_at(part).is_some() || part.contains("?:")
}

/// The byte of the `=` before the default value.
fn default_at(part: &str) -> Option<usize> {
    let (mut depth, mut before) = (0_i32, ' ');
    for (at, c) in part.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if matches!(before, '=' | '-') => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            '=' if depth == 0 && !part[at + 1..].starts_with('>') => return Some(at),
            _ => {}
        }
        before = c;
    }
    None
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|after| after.starts_with(char::is_whitespace))
}

fn parameter(part: &str) -> Parameter<'_> {
    let own = part.trim_start_matches(['&', '*']);
    let is_receiver = starts_with_word(part, "this") || is_self(own.strip_prefix("mut ").unwrap_or(own));
    let (is_rest, is_optional) = (is_rest(part), is_optional(part));
    let mut text = part[..default_at(part).unwrap_or(part.len())].trim();
    loop {
        let before = text;
        // Annotations and attributes: `@A(1) `, `[A] `.
        if let Some(after) = text.strip_prefix('@') {
            let after =
                after[after.find(|c: char| !c.is_alphanumeric() && c != '.').unwrap_or(after.len())..].trim_start();
            text =
                after.get(after.starts_with('(').then(|| bracketed_len(after)).flatten().unwrap_or(0)..).unwrap_or("");
        } else if text.starts_with('[') {
            let end = bracketed_len(text).filter(|&end| text[end..].starts_with(char::is_whitespace));
            text = &text[end.unwrap_or(0)..];
        }
        text = text.trim_start();
        if let Some(word) = MODIFIERS.iter().find(|word| starts_with_word(text, word)) {
            text = text[word.len()..].trim_start();
        }
        if text == before {
            break;
        }
    }
    let colon = text.find(": ").filter(|&at| !text[..at].ends_with(':'));
    let (label, written) = match colon {
        Some(at) => (text[..at].trim(), text[at + 1..].trim()),
        None => {
            let start = text
                .rfind(|c: char| !c.is_alphanumeric() && c != '_')
                .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
            // A type without a name: a declaration in C++.
            let is_qualified = text[..start].ends_with([':', '.']);
            if start == 0 || is_qualified { ("", text) } else { (&text[start..], text[..start].trim_end()) }
        }
    };
    let written = written.trim_start_matches("=>").trim_end_matches("...").trim_end();
    let written = if is_rest && colon.is_some() { written.trim_end_matches('*') } else { written };
    Parameter { label, written, is_rest, is_optional, is_receiver }
}

/// Whether a parameter is the object whose method it is.
fn is_self(part: &str) -> bool {
    part == "self" || part.starts_with("self:") || part.starts_with('\'') && part.ends_with(" self")
}

#[cfg(test)]
mod tests {
    use super::super::type_alternatives;
    use super::*;

    #[test]
    fn parameters_have_types() {
        for (signature, name, expected) in [
            ("void f(int a, String b)", "f", "a:int b:String"),
            ("public <T> T f(final @A(\"x\") Map<K, List<V>> a, int[] b)", "f", "a:Map[:List[V]] b:![int]"),
            ("static string F(this string s, [A] params object[] args)", "F", "s:string args:![?]"),
            ("public F(Foo a = null, char b = 'x')", "F", "a:Foo b:char"),
            ("fun <T> List<T>.f(a: T, vararg b: Foo, c: (Int) -> Foo)", "f", "a:T b:Foo c:(Int)Foo"),
            ("func f(_ a: Foo?, with b: Bar.Baz = .x)", "f", "_ a:Foo with b:Bar.Baz"),
            ("def f[T](a: => Foo, b: Int*)(implicit c: C): T", "f", "a:Foo b:Int"),
            ("void a::F(const std::string& a, unsigned char)", "F", "a:std.string char:unsigned"),
            ("void f(const Foo&, std::string, Foo *p)", "f", ":Foo :std.string p:Foo"),
            ("fn f(&'a mut self, g: F)", "f", "self:mut g:F"),
        ] {
            let found = parameters(signature, name).unwrap();
            let text: Vec<String> = found
                .iter()
                .map(|found| format!("{}:{}", found.label, type_alternatives(found.written, &[])))
                .collect();
            assert_eq!(text.join(" "), expected, "{signature}");
        }
    }

    #[test]
    fn arguments_may_be_left_out() {
        for (signature, expected) in [
            ("f()", (0, 0)),
            ("f(void)", (0, 0)),
            ("f(a, b,)", (2, 2)),
            ("f(this A a, B b)", (1, 2)),
            ("f(params A[] a)", (0, usize::MAX)),
            ("f(A a, int... b)", (1, usize::MAX)),
            ("f(a: Int*)", (0, usize::MAX)),
            ("f(a?: A)", (0, 1)),
        ] {
            assert_eq!(arity_range(signature, "f"), Some(expected), "{signature}");
        }
        assert_eq!(arity_range("f", "f"), None);
    }

    proptest::proptest! {
        /// Brackets, separators and words in any order.
        #[test]
        fn any_text_is_a_signature(text in "([a-c@=:<>()\\[\\]{},.*&'\"ü ]|this |f|=>|->|::|Fn){0,40}") {
            let _ = parameters(&text, "f");
            let _ = type_parameters(&text, "f");
            let _ = super::super::argument_shape(&text, false, crate::language::by_name("java").unwrap());
            let _ = super::super::argument_shape(&text, true, crate::language::by_name("java").unwrap());
            let _ = super::super::signature_type(&text, &[]);
            for alternative in super::super::split_alternatives(&type_alternatives(&text, &["Fn"])) {
                let _ = super::super::split_function(alternative);
            }
            if let Some((min, max)) = arity_range(&text, "f") {
                proptest::prop_assert!(min <= max);
            }
        }
    }
}
