//! The type argument of a call: a type in angle brackets, or a class that is an argument. Must not know access paths.

use super::alternatives::type_alternatives;
use super::notation::{
    BOOLEAN_LITERALS, BUILT_IN, CLASS_MARK, MAX_TEXT_BYTES, NULL_LITERALS, bracketed_len, split_label, split_top_level,
};

/// What follows a type in the expression for its class.
const CLASS_SUFFIXES: &[&str] = &["::class.java", "::class", ".class", ".self"];

/// The type argument of a call, by what follows the name of what is called: `<Foo>(a)`, or `(Foo.class, a)`.
pub(crate) fn type_argument(call: &str, classes_are_values: bool) -> Option<String> {
    let call = call.trim_start();
    let end = bracketed_len(call)?;
    if !call.starts_with('<') {
        return class_argument(&call[..end], classes_are_values);
    }
    let written = &call[1..end - 1];
    Some(type_alternatives(written, &[])).filter(|one| !one.is_empty() && one != BUILT_IN && !written.contains(','))
}

/// The step for type arguments: the only one, or the last of several after the mark of what has keys.
pub(super) fn type_argument_step(written: &str) -> Option<String> {
    let arguments = split_top_level(written, ',');
    let (last, others) = arguments.split_last()?;
    let argument = type_alternatives(last, &[]);
    let is_known = !argument.is_empty() && argument != BUILT_IN;
    is_known.then(|| format!("{{<{}{argument}>}}", if others.is_empty() { "" } else { ":" }))
}

/// The class that is among the arguments of a call, `(Foo.class, a)`, if there is one: what is called may have the class
/// as its type argument.
pub(super) fn class_argument(list: &str, classes_are_values: bool) -> Option<String> {
    let inside = list.strip_prefix('(')?.strip_suffix(')')?;
    let may_have = |inside: &str| match classes_are_values {
        true => inside.contains(char::is_uppercase),
        false => ["class", ".self"].iter().any(|word| inside.contains(word)),
    };
    let is_possible = inside.len() <= MAX_TEXT_BYTES && may_have(inside);
    let arguments = if is_possible { split_top_level(inside, ',') } else { Vec::new() };
    let class_of = |argument: &str| {
        let value = split_label(argument).1.trim();
        let with_suffix = CLASS_SUFFIXES.iter().find_map(|suffix| value.strip_suffix(suffix));
        // `Foo`, or a function that returns it: `() => Foo`.
        let returned = value.split_once("=>").map_or(value, |(_, result)| result.trim());
        let is_value = with_suffix.is_none() && classes_are_values && is_name_of_class(returned);
        let name = with_suffix.or(Some(returned).filter(|_| is_value))?;
        let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let is_type = name.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase));
        let class = (is_name && is_type).then(|| type_alternatives(name, &[])).filter(|class| !class.is_empty())?;
        Some(if is_value { format!("{CLASS_MARK}{class}") } else { class })
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
