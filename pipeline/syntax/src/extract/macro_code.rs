//! Code in the arguments of macros, where the tree has only tokens: which parts of the text are parsed again, and as
//! what. Must not know what is extracted from them.

use std::ops::Range;

use super::macro_definitions::DefiningMacros;
use super::parsed_source::ParsedSource;
use crate::language::MacroCode;

/// Macros inside the arguments of macros are followed to this depth.
pub(super) const MAX_DEPTH: u32 = 4;

/// The parts of a file that are parsed again. The text is as long as the file, and differs where tokens were replaced to
/// make code of them.
pub(super) struct MacroTexts {
    pub(super) text: String,
    /// Bytes, in order and disjoint, and what they are taken for.
    pub(super) ranges: Vec<(Range<usize>, MacroCode)>,
    /// The text in which invocations are the definitions that they make under a name among their arguments, if there are
    /// any.
    pub(super) definitions: Option<String>,
    /// The bytes of these invocations.
    pub(super) definition_ranges: Vec<Range<usize>>,
}

impl MacroTexts {
    /// Whether a byte is in expressions or statements, so that a constant there is local.
    pub(super) fn is_in_expressions(&self, at: usize) -> bool {
        let next = self.ranges.partition_point(|(range, _)| range.start <= at);
        next.checked_sub(1).is_some_and(|before| {
            let (range, code) = &self.ranges[before];
            *code == MacroCode::Expressions && range.contains(&at)
        })
    }
}

/// The text to parse for some token trees of the source, which are sorted and deduplicated here. `text` is the text from
/// which the tree was parsed. Returns `None` if nothing in them is code.
pub(super) fn macro_texts(
    source: &ParsedSource<'_>,
    text: &str,
    mut token_trees: Vec<(u32, MacroCode)>,
) -> Option<MacroTexts> {
    let nodes_of = |wanted: MacroCode| {
        token_trees.iter().filter(|(_, code)| *code == wanted).map(|&(node, _)| node).collect::<Vec<u32>>()
    };
    let (named, definitions) = (nodes_of(MacroCode::Named), nodes_of(MacroCode::Rules));
    let defining = DefiningMacros::new(source, &definitions);
    token_trees.retain(|(_, code)| matches!(code, MacroCode::Items | MacroCode::Expressions));
    token_trees.sort_by_key(|&(node, code)| (node, code == MacroCode::Expressions));
    token_trees.dedup_by_key(|(node, _)| *node);
    let mut bytes = text.as_bytes().to_vec();
    let mut definitions = if named.is_empty() { Vec::new() } else { bytes.clone() };
    let mut definition_ranges = Vec::new();
    let mut ranges = Vec::with_capacity(token_trees.len());
    for (node, code) in token_trees {
        let whole = source.nodes.range(node);
        if is_template(source, node) || whole.len() < 2 {
            continue;
        }
        if named.contains(&node) {
            definition_ranges.extend(defining.write(source, node, &mut definitions));
        }
        let range = match code {
            MacroCode::Items if !has_arms(source, node) && !is_list(source, node) => {
                (whole.start + 1..whole.end - 1, MacroCode::Items)
            }
            _ => {
                // The byte before, usually the `!`, becomes an empty statement.
                let Some(before) = whole.start.checked_sub(1).filter(|&at| matches!(bytes[at], b'!' | b' ')) else {
                    continue;
                };
                bytes[before] = b';';
                arms_to_statements(source, node, &mut bytes);
                (before..whole.end, MacroCode::Expressions)
            }
        };
        inner_macros_to_calls(source, node, &mut bytes);
        format_strings_to_tuples(source, node, &mut bytes);
        ranges.push(range);
    }
    // ASCII was replaced by ASCII, and whole strings were.
    let text = String::from_utf8(bytes).ok().filter(|_| !ranges.is_empty() || !definition_ranges.is_empty())?;
    let definitions = String::from_utf8(definitions).ok().filter(|_| !definition_ranges.is_empty());
    Some(MacroTexts { text, ranges, definitions, definition_ranges })
}

/// Whether a token tree is a template, which inserts values into code: `quote! { impl #name {} }`.
fn is_template(source: &ParsedSource<'_>, token_tree: u32) -> bool {
    let nodes = source.nodes;
    (token_tree..nodes.subtree_end(token_tree)).any(|node| {
        let is_leaf = nodes.subtree_end(node) == node + 1;
        let range = nodes.range(node);
        is_leaf
            && (range.len() == 1
                && source.text(node) == "#"
                && !source.text[range.end..].trim_start().starts_with(['[', '!'])
                || source.text(node).starts_with('$'))
    })
}

/// Whether `=>` is among the tokens of a token tree.
fn has_arms(source: &ParsedSource<'_>, token_tree: u32) -> bool {
    source.nodes.children(token_tree).any(|child| source.text(child) == "=>")
}

/// Whether a token tree is a list of names and calls, of which no item can be made: `register! { First, Second(2) }`.
fn is_list(source: &ParsedSource<'_>, token_tree: u32) -> bool {
    let mut has_comma = false;
    for child in source.nodes.children(token_tree) {
        let text = source.text(child);
        let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_mark = matches!(text, "{" | "}" | "," | "::" | "#");
        has_comma |= text == ",";
        if !is_name && !is_mark && !text.starts_with(['(', '[']) && !text.starts_with("//") {
            return false;
        }
    }
    has_comma
}

/// Makes statements of arms (`pattern = value => handler, ...`) and of lists in braces.
fn arms_to_statements(source: &ParsedSource<'_>, token_tree: u32, bytes: &mut [u8]) {
    let is_token = |node: &u32, token: &str| source.text(*node) == token;
    let is_braced = bytes[source.nodes.range(token_tree).start] == b'{';
    if !is_braced || !has_arms(source, token_tree) && !is_list(source, token_tree) {
        return;
    }
    for child in source.nodes.children(token_tree) {
        let at = source.nodes.range(child).start;
        if is_token(&child, "=>") {
            bytes[at..at + 2].copy_from_slice(b"; ");
        } else if is_token(&child, ",") {
            bytes[at] = b';';
        }
    }
}

/// Makes calls, arrays and blocks of the macros inside of a token tree: `a!(b)` becomes `a (b)`, `a![b]` becomes `[b]`.
fn inner_macros_to_calls(source: &ParsedSource<'_>, token_tree: u32, bytes: &mut [u8]) {
    let nodes = source.nodes;
    let kind = nodes.kind(token_tree);
    for parent in (token_tree..nodes.subtree_end(token_tree)).filter(|&node| nodes.kind(node) == kind) {
        let mut before = [None; 2];
        for child in nodes.children(parent) {
            if let [Some(name), Some(mark)] = before
                && nodes.kind(child) == kind
                && source.text(mark) == "!"
                && source.text(name).ends_with(|c: char| c.is_alphanumeric() || c == '_')
            {
                bytes[nodes.range(mark).start] = b' ';
                if bytes[nodes.range(child).start] != b'(' {
                    bytes[nodes.range(name)].fill(b' ');
                }
            }
            before = [before[1], Some(child)];
        }
    }
}

/// Makes tuples of the strings inside of a token tree that have names of arguments: `"{name}: {count:>4}"` becomes
/// `( name,  count,    )`.
fn format_strings_to_tuples(source: &ParsedSource<'_>, token_tree: u32, bytes: &mut [u8]) {
    let nodes = source.nodes;
    for node in token_tree..nodes.subtree_end(token_tree) {
        if let Some(tuple) = tuple_of_format_string(source.text(node)) {
            bytes[nodes.range(node)].copy_from_slice(&tuple);
        }
    }
}

/// A tuple of the arguments that a string names, in as many bytes and lines; `None` if it names none.
fn tuple_of_format_string(text: &str) -> Option<Vec<u8>> {
    let inside = text.strip_prefix('"')?.strip_suffix('"').filter(|inside| inside.contains('{'))?;
    let mut tuple: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
    let mut has_names = false;
    let mut at = 0;
    while let Some(open) = inside[at..].find('{').map(|found| at + found) {
        let (before, rest) = (&inside[..open], &inside[open + 1..]);
        if rest.starts_with('{') {
            at = open + 2;
            continue;
        }
        let Some(close) = rest.find('}') else { break };
        at = open + 1 + close + 1;
        let name = rest[..close].split(':').next().unwrap_or_default();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_name && !before.ends_with("\\u") {
            // The quotation mark before the text is one byte.
            tuple[open + 2..open + 2 + name.len()].copy_from_slice(name.as_bytes());
            tuple[at] = b',';
            has_names = true;
        }
    }
    *tuple.first_mut()? = b'(';
    *tuple.last_mut()? = b')';
    has_names.then_some(tuple)
}

#[cfg(test)]
mod tests {
    use super::tuple_of_format_string;

    #[test]
    fn strings_with_names_are_tuples() {
        let tuple = |text: &str| tuple_of_format_string(text).map(|tuple| String::from_utf8(tuple).unwrap());
        assert_eq!(tuple(r#""{PREFIX}parts""#).as_deref(), Some("( PREFIX,     )"));
        assert_eq!(tuple(r#""{name}: {count:>4}{0}{}""#).as_deref(), Some("( name,   count   ,     )"));
        assert_eq!(tuple("\"a é\n{b}\"").as_deref(), Some("(    \n b,)"));
        assert_eq!(tuple(r#""{{name}} {} {0} \u{abc}""#), None);
        assert_eq!(tuple("\""), None);
    }
}
