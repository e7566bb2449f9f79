//! Definitions that a macro of the file makes under a name which is one of its arguments: `handler!(get, GET)`, where
//! the macro's rule contains `fn $name`. Turns the invocation into such a definition for a second parse. Must not know
//! what is extracted from it.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::parsed_source::ParsedSource;

/// What an argument of a macro names: the number of the argument, whether others see the definition, and its word.
type NamedArgument = (usize, bool, &'static str);

/// Words of definitions, what follows the name, and how the shortest definition ends.
const WORDS: &[(&str, &str, &str)] = &[("fn", "()", ";"), ("struct", "", ";"), ("enum", "", "{}"), ("trait", "", "{}")];

/// The macros of a file that define something, by name.
#[derive(Default)]
pub(super) struct DefiningMacros<'a>(FxHashMap<&'a str, Vec<NamedArgument>>);

impl<'a> DefiningMacros<'a> {
    /// Reads the definitions of macros, which are nodes of the source.
    pub(super) fn new(source: &ParsedSource<'a>, definitions: &[u32]) -> Self {
        let mut found = Self::default();
        for &definition in definitions {
            let text = source.text(definition);
            let after = text.trim_start_matches("macro_rules!").trim_start();
            let name = &after[..after.find(|c: char| !is_word(c)).unwrap_or(after.len())];
            let mut named = Vec::new();
            // A rule may leave the definition to another rule of its macro.
            for _ in 0..2 {
                for rule in source.nodes.children(definition).filter(|&rule| source.text(rule).contains("=>")) {
                    add_named_arguments(source, name, rule, &mut named);
                }
            }
            if !named.is_empty() {
                found.0.insert(name, named);
            }
        }
        found
    }

    /// Writes the definition that an invocation with these arguments makes in its place. Returns its bytes.
    pub(super) fn write(&self, source: &ParsedSource<'_>, token_tree: u32, bytes: &mut [u8]) -> Option<Range<usize>> {
        let invocation = source.nodes.range(source.nodes.parent(token_tree));
        let text = source.text.get(invocation.clone())?;
        let named = self.0.get(text.split('!').next()?.trim())?;
        let parts = parts(source, token_tree);
        let (name, is_public, word) = named.iter().find_map(|&(part, is_public, word)| {
            let name = parts.get(part)?.last().copied()?;
            source.text(name).chars().all(is_word).then_some((source.nodes.range(name), is_public, word))
        })?;
        let &(_, after, ending) = WORDS.iter().find(|(one, ..)| *one == word)?;
        let head = if is_public { format!("pub {word} ") } else { format!("{word} ") };
        let is_followed = source.text[invocation.end..].starts_with(';');
        let end = invocation.end + usize::from(is_followed);
        let head_end = invocation.start + head.len();
        let is_one_line = |range: Range<usize>| !source.text.as_bytes()[range].contains(&b'\n');
        let after_end = name.end + after.len();
        let has_room = head_end <= name.start && after_end <= end;
        if !has_room || !is_one_line(invocation.start..head_end) || !is_one_line(name.end..after_end) {
            return None;
        }
        for at in (invocation.start..name.start).chain(name.end..end) {
            if !matches!(bytes[at], b'\n' | b'\r') {
                bytes[at] = b' ';
            }
        }
        bytes[invocation.start..head_end].copy_from_slice(head.as_bytes());
        bytes[name.end..after_end].copy_from_slice(after.as_bytes());
        // The ending may be left out: the parser adds what is missing.
        let ending_start = end.saturating_sub(ending.len());
        if ending_start >= after_end && is_one_line(ending_start..end) {
            bytes[ending_start..end].copy_from_slice(ending.as_bytes());
        }
        Some(invocation.start..end)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Adds the arguments that a rule defines something by.
fn add_named_arguments(source: &ParsedSource<'_>, name: &str, rule: u32, named: &mut Vec<NamedArgument>) {
    let sides: Vec<u32> = source.nodes.children(rule).collect();
    let (Some(&left), Some(&right)) = (sides.first(), sides.last()) else { return };
    let leaves: Vec<u32> =
        (right..source.nodes.subtree_end(right)).filter(|&node| source.nodes.subtree_end(node) == node + 1).collect();
    for (part, tokens) in parts(source, left).iter().enumerate() {
        let variable = tokens.last().and_then(|&last| {
            let (variable, kind) = source.text(last).split_once(':')?;
            (kind.trim() == "ident").then(|| variable.trim())
        });
        let Some(variable) = variable.filter(|variable| variable.starts_with('$')) else { continue };
        for (at, pair) in leaves.windows(2).enumerate().filter(|(_, pair)| source.text(pair[1]) == variable) {
            let word = WORDS.iter().map(|(word, ..)| *word).find(|word| *word == source.text(pair[0]));
            let is_public = at > 0 && source.text(leaves[at - 1]) == "pub";
            named.extend(word.map(|word| (part, is_public, word)));
        }
        // `name!(..., $variable, ...)` inside of the rule.
        let trees = (right..source.nodes.subtree_end(right)).filter(|&node| is_invoked(source, name, node));
        let passed: Vec<NamedArgument> = trees
            .flat_map(|tree| {
                let passed = parts(source, tree);
                let is_passed = |(at, ..): &&NamedArgument| {
                    passed.get(*at).and_then(|tokens| tokens.last()).is_some_and(|&last| source.text(last) == variable)
                };
                named.iter().filter(is_passed).map(|&(_, is_public, word)| (part, is_public, word)).collect::<Vec<_>>()
            })
            .collect();
        named.extend(passed);
    }
    named.sort_unstable();
    named.dedup();
}

/// Whether a node is the arguments of an invocation of the macro of this name.
fn is_invoked(source: &ParsedSource<'_>, name: &str, node: u32) -> bool {
    let range = source.nodes.range(node);
    let before = source.text[..range.start].trim_end();
    source.text(node).starts_with(['(', '{', '['])
        && before.strip_suffix('!').is_some_and(|before| before.trim_end().ends_with(name))
}

/// The tokens between the delimiters of a token tree, by the commas between them.
fn parts(source: &ParsedSource<'_>, token_tree: u32) -> Vec<Vec<u32>> {
    let mut parts = vec![Vec::new()];
    let mut tokens: Vec<u32> = source.nodes.children(token_tree).collect();
    tokens.pop();
    for token in tokens.into_iter().skip(1) {
        match (source.text(token), parts.last_mut()) {
            (",", _) => parts.push(Vec::new()),
            (_, Some(part)) => part.push(token),
            _ => {}
        }
    }
    parts
}
