//! The parameters of functions that are passed to a call, as what the called function passes to them; and what a call
//! expects as an argument.
//!
//! `f(a, (x) => x.b)` gives `x` the access path `f{1.0}`: what `f` passes as the first argument to the function that is its
//! second one. The argument is `-` where the function follows the list of arguments, and a name where the call names it.

use super::parsed_source::ParsedSource;
use super::pattern_places::place_in_pattern;
use super::types;
use crate::language::{CallNode, Language};

/// A parameter is at most this many levels below its function, and a function below its call.
const MAX_LEVELS: usize = 5;
/// A name without a declaration is at most this many levels below its function.
const MAX_IMPLICIT_LEVELS: usize = 40;
/// Longer texts before the arguments, in bytes, are not followed.
const MAX_CALLEE_BYTES: usize = 300;

/// The parameter of a function that is written as an expression only: Scala's `_`.
pub(super) const ANONYMOUS: &str = "_";

/// The access path of a name that a passed function has as a parameter.
pub(super) fn passed_value(language: &Language, source: &ParsedSource<'_>, name: u32) -> Option<String> {
    let (function, position, member) = match is_implicit(language, source.text(name)) {
        true if source.text(name) == ANONYMOUS => (argument_around(source, name)?, 0, String::new()),
        true => implicit_place(source, name)?,
        false => match parameter_place(source, name) {
            Some(place) => place,
            None => return declared_argument(language, source, name),
        },
    };
    let (path, place) = passed_to(language, source, function)?;
    Some(format!("{path}{{{place}.{position}}}{member}"))
}

/// What a call expects as an argument in which a variable is declared: `a.get(out var b)`.
fn declared_argument(language: &Language, source: &ParsedSource<'_>, name: u32) -> Option<String> {
    let declaration = source.nodes.parent(name);
    let argument = source.nodes.parent(declaration);
    let is_out = source.text(argument).strip_prefix("out ").is_some_and(|rest| rest == source.text(declaration));
    let (path, place) = passed_to(language, source, declaration).filter(|_| is_out)?;
    Some(format!("{path}{{{place}}}"))
}

/// The access path of the object that is `this` in a passed function: `f{1.this}`.
pub(super) fn passed_receiver(language: &Language, source: &ParsedSource<'_>, function: u32) -> Option<String> {
    let (path, place) = passed_to(language, source, function)?;
    Some(format!("{path}{{{place}.this}}"))
}

/// Where an expression stands whose first name is a member of the type that is expected there: `=f{0}` for the first
/// argument of `f`, `={return}` for what the function around it returns.
pub(super) fn expected_value(language: &Language, source: &ParsedSource<'_>, expression: u32) -> Option<String> {
    let nodes = source.nodes;
    let kind = |node: u32| source.compiled.call_node(nodes.kind(node));
    let (mut node, mut entries) = (expression, String::new());
    for _ in 0..MAX_LEVELS {
        let parent = nodes.parent(node);
        match kind(parent) {
            _ if parent == node => return None,
            // What is called, or the function after it.
            Some(CallNode::Call) if nodes.range(parent).start == nodes.range(node).start => {}
            Some(CallNode::Argument | CallNode::List) => {
                let (path, place) = passed_to(language, source, node)?;
                let place = if place.is_empty() { place } else { format!("{{{place}}}") };
                return Some(format!("={path}{place}{entries}"));
            }
            Some(_) => return None,
            None if source.text(parent).starts_with('[') => entries.push_str("[]"),
            None if source.text(parent).starts_with("return") => return Some(format!("={{return}}{entries}")),
            None => {}
        }
        node = parent;
    }
    None
}

/// The access path of what a function is passed to, and the place of the argument. The place of a function in an object that
/// is passed is empty, and the path is that of the member which is expected there: `f{0}.a`.
fn passed_to(language: &Language, source: &ParsedSource<'_>, function: u32) -> Option<(String, String)> {
    let nodes = source.nodes;
    let kind = |node: u32| source.compiled.call_node(nodes.kind(node));
    // A function may be in nodes of its own: an argument with a label, a function with annotations.
    let mut argument = function;
    for _ in 0..MAX_LEVELS {
        let parent = nodes.parent(argument);
        if !matches!(kind(parent), Some(CallNode::Argument | CallNode::Function)) || parent == argument {
            break;
        }
        argument = parent;
    }
    let mut members = String::new();
    for _ in 0..MAX_LEVELS {
        let entry = nodes.parent(argument);
        let (Some(CallNode::Entry), Some(key)) = (kind(entry), nodes.children(entry).next()) else { break };
        let name = source.text(key);
        if key == argument || !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$')) {
            return None;
        }
        members.insert_str(0, &format!(".{name}"));
        argument = nodes.parent(entry);
    }
    let holder = nodes.parent(argument);
    // In Scala, a block with a function in it may stand for the list.
    let is_block = source.text(holder).starts_with('{') && kind(nodes.parent(holder)) == Some(CallNode::Call);
    let (call, place) = match kind(holder) {
        None if is_block && holder != nodes.parent(holder) => (nodes.parent(holder), "0".to_owned()),
        found => match found? {
            CallNode::List => {
                let label =
                    types::split_label(source.text(argument)).0.filter(|_| kind(argument) == Some(CallNode::Argument));
                let place = label.map_or_else(
                    || Some(source.position_in(holder, argument)?.to_string()),
                    |label| Some(label.to_owned()),
                );
                let call = nodes.parent(holder);
                (if kind(call) == Some(CallNode::Suffix) { nodes.parent(call) } else { call }, place?)
            }
            CallNode::Suffix => (nodes.parent(holder), "-".to_owned()),
            CallNode::Call => (holder, "-".to_owned()),
            _ => return None,
        },
    };
    if kind(call) != Some(CallNode::Call) {
        return None;
    }
    let is_after = |child: &u32| {
        *child == holder
            || matches!(
                kind(*child),
                Some(CallNode::List | CallNode::Suffix | CallNode::Function | CallNode::TypeArguments)
            )
    };
    let end = nodes.range(nodes.children(call).find(is_after)?).start;
    let callee = source.text.get(nodes.range(call).start..end)?.trim();
    let callee = callee.strip_prefix("new ").unwrap_or(callee);
    if callee.len() > MAX_CALLEE_BYTES {
        return None;
    }
    let notation = types::PathNotation::of(language);
    let mut path = types::access_path_with(notation, callee);
    // In some grammars a call with a function after its list is a call of a call.
    if kind(holder) == Some(CallNode::Call) {
        path.truncate(path.strip_suffix("()").map_or(path.len(), str::len));
    }
    let is_usable = !path.is_empty() && path != types::BUILT_IN && !path.contains('|');
    if !is_usable {
        return None;
    }
    // What is called may pass an object of its type argument.
    let inside = source.text.get(nodes.range(call)).and_then(|text| text.get(end - nodes.range(call).start..))?;
    path.extend(types::type_argument(inside, notation.classes_are_values).map(|argument| format!("{{<{argument}>}}")));
    if members.is_empty() {
        return Some((path, place));
    }
    Some((format!("{path}{{{place}}}{members}"), String::new()))
}

/// Whether a name is that of a parameter without a declaration.
pub(super) fn is_implicit(language: &Language, name: &str) -> bool {
    language.implicit_parameters.contains(&name)
}

/// The function whose parameter a name without a declaration is.
pub(super) fn implicit_function(source: &ParsedSource<'_>, name: u32) -> Option<u32> {
    match source.text(name) == ANONYMOUS {
        true => argument_around(source, name),
        false => implicit_place(source, name).map(|(function, _, _)| function),
    }
}

/// The argument of a call of which a name without a declaration makes a function: `_.a` in `f(_.a)`.
pub(super) fn argument_around(source: &ParsedSource<'_>, name: u32) -> Option<u32> {
    let nodes = source.nodes;
    let mut node = name;
    for _ in 0..MAX_IMPLICIT_LEVELS {
        let parent = nodes.parent(node);
        match source.compiled.call_node(nodes.kind(parent)) {
            _ if parent == node => return None,
            Some(CallNode::List) if node != name => return Some(node),
            Some(CallNode::List | CallNode::Function) => return None,
            _ => node = parent,
        }
    }
    None
}

/// The innermost function around a name that declares no parameters, and the number in the name.
fn implicit_place(source: &ParsedSource<'_>, name: u32) -> Option<(u32, usize, String)> {
    let nodes = source.nodes;
    let kind = |node: u32| source.compiled.call_node(nodes.kind(node));
    let mut node = name;
    for _ in 0..MAX_IMPLICIT_LEVELS {
        let parent = nodes.parent(node);
        let declares = |function: u32| {
            let mut inside = nodes.children(function).flat_map(|child| nodes.children(child).chain([child]));
            inside.any(|node| kind(node) == Some(CallNode::Parameters))
        };
        if parent == node {
            return None;
        }
        if kind(parent) == Some(CallNode::Function) && !declares(parent) {
            let text = source.text(name);
            let number = text.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
            // Ruby's `_1` is the first.
            let from_one = usize::from(text.starts_with('_') && number > 0);
            return Some((parent, number - from_one, String::new()));
        }
        node = parent;
    }
    None
}

/// The function that has a name as a parameter, the number of the parameter, and the member of it that has the name.
fn parameter_place<'a>(source: &ParsedSource<'a>, name: u32) -> Option<(u32, usize, String)> {
    let nodes = source.nodes;
    let kind = |node: u32| source.compiled.call_node(nodes.kind(node));
    let mut node = name;
    let mut position = None;
    let mut member = String::new();
    for _ in 0..MAX_LEVELS {
        let parent = nodes.parent(node);
        match kind(parent) {
            _ if parent == node => return None,
            Some(CallNode::Function) if node == name || kind(node) == Some(CallNode::Parameter) => {
                return Some((parent, 0, member));
            }
            Some(CallNode::Function) => return Some((parent, position?, member)),
            Some(CallNode::Parameters) if position.is_none() => {
                position = Some(source.position_in(parent, node)?);
            }
            Some(CallNode::Pattern) if node == name && kind(name) == Some(CallNode::PatternField) => {
                member = format!(".{}", source.text(name));
            }
            // `([key, value]) => ...`
            Some(CallNode::Pattern)
                if source.text(node) == source.text(name) && source.text(parent).starts_with(['(', '[']) =>
            {
                member = format!(".{}", place_in_pattern(source, name)?);
            }
            Some(CallNode::Pattern) => return None,
            _ => {}
        }
        node = parent;
    }
    None
}
