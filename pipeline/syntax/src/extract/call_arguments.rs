//! The arguments of a call, from the nodes after the name that is called. Must not know what the call resolves to.

use sextant_format::kinds::EdgeKind;

use super::captures::ReferenceMatch;
use super::parsed_source::ParsedSource;
use super::types;
use crate::language::{CallNode, Language};

/// Calls with more arguments have no shapes.
const MAX_SHAPES: usize = 12;
/// The list of arguments is at most this many levels above the name.
const MAX_LEVELS: usize = 6;

/// What is known of a call's arguments.
#[derive(Default)]
pub(super) struct CallArguments {
    /// Their number, if it could be counted.
    pub(super) count: Option<u8>,
    /// Their shapes, separated by commas, if something is known of one of them.
    pub(super) shapes: Option<String>,
}

/// The arguments of a call, if they follow the name.
pub(super) fn of_call(
    language: &Language,
    source: &ParsedSource<'_>,
    reference_match: &ReferenceMatch,
) -> CallArguments {
    let name = reference_match.name.node;
    let is_exact = !language.pipe_operators.is_empty();
    if is_exact && reference_match.kind == EdgeKind::Reference {
        return CallArguments { count: exact_count(language, source, name), shapes: None };
    }
    if !matches!(reference_match.kind, EdgeKind::Call | EdgeKind::Instantiate) {
        return CallArguments::default();
    }
    if is_exact {
        return CallArguments { count: exact_count(language, source, name), shapes: None };
    }
    if language.literal_types.is_empty() {
        let count = source.text.get(source.nodes.range(name).end..).and_then(types::argument_count);
        return CallArguments { count: count.and_then(|count| u8::try_from(count).ok()), shapes: None };
    }
    let Some(nodes) = argument_nodes(source, name) else { return CallArguments::default() };
    let count = u8::try_from(nodes.len()).ok();
    if nodes.len() > MAX_SHAPES {
        return CallArguments { count, shapes: None };
    }
    let shapes: Vec<String> = nodes.into_iter().map(|node| shape(language, source, node)).collect();
    let is_known = shapes.iter().any(|shape| !shape.is_empty());
    CallArguments { count, shapes: is_known.then(|| shapes.join(",")) }
}

fn shape(language: &Language, source: &ParsedSource<'_>, node: u32) -> String {
    // The expression is the last part of a node that may begin with a label.
    let of = |node: u32| source.compiled.call_node(source.nodes.kind(node));
    let value = match of(node) {
        Some(CallNode::Argument) => source.nodes.children(node).last().unwrap_or(node),
        _ => node,
    };
    types::argument_shape(source.text(node), of(value) == Some(CallNode::Function), language)
}

/// The nodes of the arguments that follow a name: those of a list, and functions after it.
fn argument_nodes(source: &ParsedSource<'_>, name: u32) -> Option<Vec<u32>> {
    let nodes = source.nodes;
    let kind = |node: u32| source.compiled.call_node(nodes.kind(node));
    let mut node = name;
    for _ in 0..MAX_LEVELS {
        let parent = nodes.parent(node);
        let end = nodes.subtree_end(parent);
        let mut next = nodes.subtree_end(node);
        let mut found = None;
        while parent != node && next < end {
            match kind(next) {
                Some(CallNode::List) if found.is_none() => found = Some(in_list(source, next)),
                Some(CallNode::Suffix) if found.is_none() => {
                    let inside = nodes.children(next).filter_map(|child| match kind(child)? {
                        CallNode::List => Some(in_list(source, child)),
                        CallNode::Function => Some(vec![child]),
                        _ => None,
                    });
                    return Some(inside.flatten().collect());
                }
                Some(CallNode::Function) => found.get_or_insert_with(Vec::new).push(next),
                Some(CallNode::TypeArguments) => {}
                _ if source.compiled.is_comment(nodes.kind(next)) => {}
                _ => break,
            }
            next = nodes.subtree_end(next);
        }
        if let Some(found) = &mut found {
            // In some grammars a call with a function after its list is a call of a call.
            let (outer, after) = (nodes.parent(parent), nodes.subtree_end(parent));
            let is_inside = kind(outer) == Some(CallNode::Call) && after < nodes.subtree_end(outer);
            if is_inside && kind(after) == Some(CallNode::Function) {
                found.push(after);
            }
        }
        if found.is_some() || next < end || parent == node {
            return found;
        }
        node = parent;
    }
    None
}

/// The number of arguments of a call, with those that a pipe and a block pass, or the number after the name of a
/// function that is no call: `&f/2`.
fn exact_count(language: &Language, source: &ParsedSource<'_>, name: u32) -> Option<u8> {
    let nodes = source.nodes;
    let kind = |node: u32| source.compiled.call_node(nodes.kind(node));
    let (mut node, mut count) = (name, None);
    // The call is the first node around the name that goes on after it.
    for _ in 0..MAX_LEVELS {
        let parent = nodes.parent(node);
        let end = nodes.subtree_end(parent);
        let mut next = nodes.subtree_end(node);
        if next < end && parent != node {
            while next < end {
                count = match kind(next) {
                    Some(CallNode::List) => Some(count.unwrap_or(0) + in_list(source, next).len()),
                    Some(CallNode::Block) => Some(count.unwrap_or(0) + 1),
                    _ => count,
                };
                next = nodes.subtree_end(next);
            }
            if count.is_some() {
                node = parent;
            }
            break;
        }
        if parent == node {
            break;
        }
        node = parent;
    }
    let range = nodes.range(node);
    let before = source.text.get(..range.start)?.trim_end();
    let Some(count) = count else {
        let digits = before.ends_with('&').then(|| source.text.get(range.end..)?.trim_start().strip_prefix('/'))??;
        return digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    };
    let is_piped = language.pipe_operators.iter().any(|operator| before.ends_with(operator));
    u8::try_from(count + usize::from(is_piped)).ok()
}

fn in_list(source: &ParsedSource<'_>, list: u32) -> Vec<u32> {
    let is_argument = |child: &u32| source.compiled.is_parameter(source.nodes.kind(*child));
    source.nodes.children(list).filter(is_argument).collect()
}
