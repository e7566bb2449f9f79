//! The matches of a language's query into symbols, references and blocks.
//!
//! Names: the segments of `@owner` and `@name` of one match are joined, and what encloses the match
//! as a `@scope` is put in front. The first pattern that captures a name wins. All of this is one
//! sweep over sorted extents with a stack; nothing here is recursive, so deep nesting costs time only.

use rustc_hash::FxHashMap;
use sextant_formats::kinds::{EdgeKind, Kind, ParseStatus};
use streaming_iterator::StreamingIterator;
use tree_sitter::{Node, QueryCursor, Tree};

use super::{Extraction, clean, file_symbol, hooks};
use crate::language::{Export, Language, Role};
use crate::model::{Block, Reference, Symbol};

/// What the query found, before it is put in order.
#[derive(Default)]
pub(super) struct Raw<'tree> {
    definitions: Vec<Definition<'tree>>,
    uses: Vec<Use<'tree>>,
    blocks: Vec<(Kind, Node<'tree>)>,
    /// Comments and attributes that may belong to the symbol after them.
    leading: Vec<Leading>,
}

/// A match with `@symbol` or `@scope`.
struct Definition<'tree> {
    pattern: usize,
    kind: Option<Kind>,
    extent: Node<'tree>,
    name: Node<'tree>,
    owner: Option<Node<'tree>>,
    is_scope: bool,
    doc: Option<Node<'tree>>,
    exported: bool,
}

/// A match with `@ref`.
struct Use<'tree> {
    pattern: usize,
    kind: EdgeKind,
    name: Node<'tree>,
    owner: Option<Node<'tree>>,
    alias: Option<Node<'tree>>,
}

struct Leading {
    is_doc: bool,
    start_byte: usize,
    end_byte: usize,
    start_row: usize,
    end_row: usize,
}

/// Walks the tree once.
pub(super) fn walk<'tree>(
    cursor: &mut QueryCursor,
    language: &'static Language,
    tree: &'tree Tree,
    text: &str,
) -> Raw<'tree> {
    let compiled = &language.compiled;
    let mut raw = Raw::default();
    let mut matches = cursor.matches(&compiled.query, tree.root_node(), text.as_bytes());
    while let Some(found) = matches.next() {
        let (mut symbol, mut scope, mut name, mut owner, mut alias) = (None, None, None, None, None);
        let (mut doc, mut attribute, mut exported, mut reference) = (None, None, false, None);
        for capture in found.captures() {
            let node = capture.node;
            match compiled.role(capture.index) {
                Role::Symbol(kind) => symbol = Some((kind, node)),
                Role::Reference(kind) => reference = Some(kind),
                Role::Block(kind) => raw.blocks.push((kind, node)),
                Role::Name => name = Some(node),
                Role::Owner => owner = Some(node),
                Role::Scope => scope = Some(node),
                Role::Doc => doc = Some(node),
                Role::Attribute => attribute = Some(node),
                Role::Exported => exported = true,
                Role::Alias => alias = Some(node),
                Role::Private => {}
            }
        }
        let pattern = found.pattern_index;
        match (symbol, scope, reference, name) {
            (Some((kind, extent)), scope, _, Some(name)) => raw.definitions.push(Definition {
                pattern,
                kind: Some(kind),
                extent,
                name,
                owner,
                is_scope: scope.is_some(),
                doc,
                exported,
            }),
            (None, Some(extent), _, Some(name)) => raw.definitions.push(Definition {
                pattern,
                kind: None,
                extent,
                name,
                owner,
                is_scope: true,
                doc: None,
                exported: false,
            }),
            (None, None, Some(kind), Some(name)) => raw.uses.push(Use { pattern, kind, name, owner, alias }),
            _ => {}
        }
        if symbol.is_none() {
            for (node, is_doc) in [(doc, true), (attribute, false)] {
                raw.leading.extend(node.map(|node| leading(node, is_doc)));
            }
        }
    }
    raw
}

fn leading(node: Node<'_>, is_doc: bool) -> Leading {
    let (start, end) = (node.start_position(), node.end_position());
    // Some grammars let a line comment hold its line's end.
    let end_row = if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row };
    Leading { is_doc, start_byte: node.start_byte(), end_byte: node.end_byte(), start_row: start.row, end_row }
}

/// Puts what was found in order and joins the names.
pub(super) fn assemble(
    language: &'static Language,
    path: &str,
    text: &str,
    mut raw: Raw<'_>,
    status: ParseStatus,
) -> Extraction {
    let mut symbols = vec![file_symbol(path, text)];
    first_pattern_wins(&mut raw.definitions);
    let owners = sweep_definitions(language, text, &raw, &mut symbols);
    adopt(language, &mut symbols, &owners);
    let references = sweep_references(language, text, raw.uses, &symbols);
    let mut blocks: Vec<Block> = raw
        .blocks
        .iter()
        .map(|(kind, node)| Block {
            kind: *kind,
            start_line: line(node.start_position().row),
            end_line: last_line(*node),
        })
        .collect();
    blocks.sort_by_key(|block| (block.start_line, std::cmp::Reverse(block.end_line)));
    blocks.dedup_by_key(|block| (block.start_line, block.end_line));
    Extraction { symbols, references, blocks, status }
}

fn line(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}

/// The last line that a node has text on.
fn last_line(node: Node<'_>) -> u32 {
    let (start, end) = (node.start_position(), node.end_position());
    if end.column == 0 && end.row > start.row { line(end.row - 1) } else { line(end.row) }
}

/// One definition for each name, in the order of the extents, outer before inner.
fn first_pattern_wins(definitions: &mut Vec<Definition<'_>>) {
    definitions.sort_by_key(|d| (d.name.start_byte(), d.name.end_byte(), d.pattern));
    definitions.dedup_by_key(|d| (d.name.start_byte(), d.name.end_byte()));
    definitions.sort_by_key(|d| (d.extent.start_byte(), std::cmp::Reverse(d.extent.end_byte()), d.pattern));
}

/// An extent on the stack of the sweep.
struct Open {
    end_byte: usize,
    /// The symbol, or none where the extent is a scope only.
    symbol: Option<u32>,
    /// How many segments the prefix had before this scope.
    prefix_len: usize,
}

/// Makes the symbols; the result says for each the qualified name of an owner that stands outside
/// of its extent, where the name has one.
fn sweep_definitions(language: &Language, text: &str, raw: &Raw<'_>, symbols: &mut Vec<Symbol>) -> Vec<Option<String>> {
    let lead = LeadingIndex::new(&raw.leading, text);
    let mut owners = vec![None];
    let mut prefix: Vec<String> = Vec::new();
    let mut stack: Vec<Open> = Vec::new();
    let is_prose = language.name == "markdown";
    for definition in &raw.definitions {
        let (start, end) = (definition.extent.start_byte(), definition.extent.end_byte());
        while stack.last().is_some_and(|open| open.end_byte <= start) {
            if let Some(open) = stack.pop() {
                prefix.truncate(open.prefix_len);
            }
        }
        let name_text = &text[definition.name.byte_range()];
        let mut segments =
            definition.owner.map_or_else(Vec::new, |node| clean::type_segments(&text[node.byte_range()]));
        if is_prose {
            segments.push(clean::one_line(name_text));
        } else {
            segments.extend(clean::type_segments(name_text));
        }
        let Some(name) = segments.last().filter(|name| !name.is_empty()).cloned() else { continue };
        let mut symbol_id = None;
        let around = stack.iter().rev().find_map(|open| open.symbol).unwrap_or(0);
        let is_local = symbols[around as usize].kind.is_callable()
            && matches!(definition.kind, Some(Kind::Variable | Kind::Constant));
        if is_local {
            continue;
        }
        if let Some(kind) = definition.kind {
            let qualified = prefix.iter().chain(&segments).map(String::as_str).collect::<Vec<_>>();
            let outside = (segments.len() > 1 || stack.last().is_some_and(|open| open.symbol.is_none()))
                .then(|| qualified[..qualified.len() - 1].join(language.separator));
            let qualified_name = qualified.join(language.separator);
            let symbol = symbol(language, text, definition, kind, name, qualified_name, around, &lead);
            symbol_id = u32::try_from(symbols.len()).ok();
            symbols.push(symbol);
            owners.push(outside);
        }
        stack.push(Open { end_byte: end, symbol: symbol_id, prefix_len: prefix.len() });
        if definition.is_scope {
            prefix.extend(segments);
        }
    }
    owners
}

#[expect(clippy::too_many_arguments, reason = "the parts of one symbol, put together in one place")]
fn symbol(
    language: &Language,
    text: &str,
    definition: &Definition<'_>,
    kind: Kind,
    name: String,
    qualified_name: String,
    container: u32,
    lead: &LeadingIndex<'_>,
) -> Symbol {
    let extent = definition.extent;
    let body = body_of(definition);
    let signature_start = extent.child_by_field_name("definition").unwrap_or(extent).start_byte();
    let signature_end = body.map_or_else(|| extent.end_byte(), |body| body.start_byte());
    let signature =
        (kind != Kind::Section).then(|| text.get(signature_start..signature_end).and_then(clean::signature)).flatten();
    let (lead_row, comment) = lead.before(extent.start_position().row);
    let doc = match definition.doc {
        Some(node) => clean::doc(&text[node.byte_range()]),
        None => comment.and_then(|comment| clean::doc(&comment)),
    };
    let exported = match language.export {
        Export::Captured => definition.exported,
        Export::UpperCase => name.starts_with(char::is_uppercase),
        Export::NoUnderscore => !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__")),
        Export::NotStatic => !text[extent.byte_range()].starts_with("static"),
        Export::All => true,
    };
    Symbol {
        name,
        qualified_name,
        kind,
        lead_line: line(lead_row),
        start_line: line(extent.start_position().row),
        end_line: last_line(extent),
        start_byte: extent.start_byte(),
        end_byte: extent.end_byte(),
        name_line: line(definition.name.start_position().row),
        name_column: u32::try_from(definition.name.start_position().column).unwrap_or(u32::MAX),
        container: Some(container),
        has_body: body.is_some() || kind == Kind::Section,
        signature,
        doc,
        exported,
        chunk: None,
    }
}

/// The body of a definition: a field `body` of the extent or of what stands between it and the name.
fn body_of<'tree>(definition: &Definition<'tree>) -> Option<Node<'tree>> {
    let mut node = definition.extent;
    loop {
        let body = node.child_by_field_name("body").or_else(|| {
            let value = node.child_by_field_name("value").or_else(|| node.child_by_field_name("right"))?;
            value.child_by_field_name("body")
        });
        if body.is_some() {
            return body;
        }
        node = node.child_with_descendant(definition.name)?;
        if node.id() == definition.name.id() {
            return None;
        }
    }
}

/// Comments and attributes by the row they end on, to walk upward from a symbol.
struct LeadingIndex<'a> {
    text: &'a str,
    leading: &'a [Leading],
    by_end_row: FxHashMap<usize, usize>,
}

impl<'a> LeadingIndex<'a> {
    fn new(leading: &'a [Leading], text: &'a str) -> Self {
        let by_end_row = leading.iter().enumerate().map(|(n, item)| (item.end_row, n)).collect();
        Self { text, leading, by_end_row }
    }

    /// The first row of what stands directly before a symbol and belongs to it, and the comments in it.
    fn before(&self, row: usize) -> (usize, Option<String>) {
        let mut first = row;
        let mut docs: Vec<&str> = Vec::new();
        while let Some(above) = first.checked_sub(1) {
            let found = self.by_end_row.get(&above).map(|&n| &self.leading[n]);
            let Some(item) = found.filter(|item| self.begins_its_line(item)) else { break };
            if item.is_doc {
                docs.push(&self.text[item.start_byte..item.end_byte]);
            }
            first = item.start_row;
        }
        docs.reverse();
        (first, (!docs.is_empty()).then(|| docs.join("\n")))
    }

    /// A comment behind code speaks of that code, not of what follows.
    fn begins_its_line(&self, item: &Leading) -> bool {
        let before = &self.text[..item.start_byte];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        before[line_start..].trim().is_empty()
    }
}

/// Gives symbols whose owner stands outside of them that owner, where the file has it.
fn adopt(language: &Language, symbols: &mut [Symbol], owners: &[Option<String>]) {
    let mut types: FxHashMap<&str, u32> = FxHashMap::default();
    for (id, symbol) in symbols.iter().enumerate() {
        if symbol.kind.is_type() || symbol.kind == Kind::Namespace || symbol.kind == Kind::Module {
            types.entry(symbol.qualified_name.as_str()).or_insert(u32::try_from(id).unwrap_or(u32::MAX));
        }
    }
    let found: Vec<(usize, u32)> = owners
        .iter()
        .enumerate()
        .filter_map(|(id, owner)| {
            let mut owner = owner.as_deref()?;
            // `impl a::B` in a file that defines B: the longest known end of the path.
            loop {
                if let Some(&container) = types.get(owner) {
                    return (container as usize != id).then_some((id, container));
                }
                owner = owner.split_once(language.separator)?.1;
            }
        })
        .collect();
    for (id, container) in found {
        symbols[id].container = Some(container);
        // An owner makes a function a method.
        let owner_is_type = symbols[container as usize].kind.is_type();
        if symbols[id].kind == Kind::Function && owner_is_type {
            symbols[id].kind = Kind::Method;
        }
    }
}

fn sweep_references(language: &Language, text: &str, mut uses: Vec<Use<'_>>, symbols: &[Symbol]) -> Vec<Reference> {
    uses.sort_by_key(|u| (u.name.start_byte(), u.name.end_byte(), u.pattern));
    uses.dedup_by_key(|u| (u.name.start_byte(), u.name.end_byte()));
    let definition_names: rustc_hash::FxHashSet<(u32, u32)> =
        symbols.iter().skip(1).map(|s| (s.name_line, s.name_column)).collect();
    let mut references = Vec::with_capacity(uses.len());
    let mut stack: Vec<u32> = vec![0];
    let mut next = 1;
    for used in uses {
        let at = used.name.start_byte();
        while next < symbols.len() && symbols[next].start_byte <= at {
            close(&mut stack, symbols, symbols[next].start_byte);
            stack.push(u32::try_from(next).unwrap_or(0));
            next += 1;
        }
        close(&mut stack, symbols, at);
        let position = used.name.start_position();
        let column = u32::try_from(position.column).unwrap_or(u32::MAX);
        if used.kind != EdgeKind::Import && definition_names.contains(&(line(position.row), column)) {
            continue;
        }
        let capture = |node: Node<'_>| clean::unquote(&text[node.byte_range()]).to_owned();
        let name = if used.kind == EdgeKind::Import {
            // A use tree may be long: it is cut only after it was taken apart.
            capture(used.name).split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            match clean::type_segments(&text[used.name.byte_range()]).pop() {
                Some(name) => name,
                None => continue,
            }
        };
        let reference = Reference {
            source: stack.last().copied().unwrap_or(0),
            kind: used.kind,
            name,
            owner: used.owner.map(|node| clean::one_line(&capture(node))).filter(|owner| !owner.is_empty()),
            alias: used.alias.map(capture),
            line: line(position.row),
            column,
        };
        hooks::expand(language.name, reference, &mut references);
    }
    references
}

fn close(stack: &mut Vec<u32>, symbols: &[Symbol], at: usize) {
    while stack.len() > 1 && stack.last().is_some_and(|&id| symbols[id as usize].end_byte <= at) {
        stack.pop();
    }
}
