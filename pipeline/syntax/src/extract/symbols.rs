//! Builds the symbols of a file from its definitions.
//!
//! The name of a symbol joins the segments of `@owner` and `@name`, prefixed by the names of enclosing
//! `@scope`s. The first pattern that captures a name wins. Enclosing extents are found in one sweep over
//! sorted extents with a stack. Nothing is recursive, so deep nesting costs only time.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::Kind;

use super::captures::{DefinitionMatch, LeadingNode, NameNode, RawCaptures};
use super::clean;
use super::parsed_source::ParsedSource;
use crate::language::{Export, GrammarField, Language};
use crate::macros::DefinedName;
use crate::model::Symbol;

/// Keeps one definition for each name, and sorts them by extent, outer before inner.
pub(super) fn dedup_by_first_pattern(source: &ParsedSource<'_>, definitions: &mut Vec<DefinitionMatch>) {
    let range = |node: u32| source.nodes.range(node);
    definitions.sort_by_key(|d| (range(d.name.node).start, range(d.name.node).end, d.pattern));
    definitions.dedup_by_key(|d| range(d.name.node));
    definitions.sort_by_key(|d| (range(d.extent).start, std::cmp::Reverse(range(d.extent).end), d.pattern));
}

/// At most this many keys of a data file become symbols.
const MAX_DATA_KEYS: usize = 1000;

/// An enclosing extent during the sweep over the definitions.
struct OpenScope {
    start_byte: usize,
    end_byte: usize,
    /// The symbol, or `None` if the extent is only a scope.
    symbol: Option<u32>,
    /// How many segments the prefix had before this scope.
    prefix_len: usize,
}

/// Builds the symbols. Returns for each symbol the qualified name of an owner outside its extent, if any, and a map
/// from the first byte of each name to its symbol.
pub(super) fn build_symbols(
    language: &Language,
    source: &ParsedSource<'_>,
    raw: &RawCaptures,
    symbols: &mut Vec<Symbol>,
) -> (Vec<Option<String>>, FxHashMap<usize, u32>) {
    let mut symbol_at = FxHashMap::default();
    let lead = LeadingIndex::new(&raw.leading, source.text);
    let mut owners = vec![None];
    let mut prefix: Vec<String> = Vec::new();
    let mut stack: Vec<OpenScope> = Vec::new();
    // The last symbol inside each symbol, to merge the clauses of a function.
    let mut last_inside: FxHashMap<u32, u32> = FxHashMap::default();
    // The fields of each type that methods may assign again.
    let mut assigned_fields: FxHashSet<(u32, String)> = FxHashSet::default();
    // Tests that contain others.
    let mut groups: FxHashSet<u32> = FxHashSet::default();
    for definition in &raw.definitions {
        if language.is_data && symbols.len() > MAX_DATA_KEYS {
            break;
        }
        let std::ops::Range { start, end } = source.nodes.range(definition.extent);
        // Several names of one declaration (`val a, b`) are siblings.
        let is_same_declaration = |open: &OpenScope| {
            let kind = open.symbol.map(|id| symbols[id as usize].kind);
            open.end_byte == end && open.start_byte == start && kind.is_some() && kind == definition.kind
        };
        while stack.last().is_some_and(|open| open.end_byte <= start || is_same_declaration(open)) {
            if let Some(open) = stack.pop() {
                prefix.truncate(open.prefix_len);
            }
        }
        let mut segments = definition.owner.map_or_else(Vec::new, |node| clean::type_segments(source.text(node)));
        segments.splice(..0, definition.implied_owner.clone());
        segments.extend(definition.name.segments(source));
        if definition.kind == Some(Kind::Section)
            && let Some(heading) = segments.last_mut()
        {
            // A heading may end with the marks with which it begins.
            heading.truncate(heading.trim_end_matches([' ', '#']).len());
        }
        let Some(mut name) = segments.last().filter(|name| !name.is_empty()).cloned() else { continue };
        let defined = raw.defined.get(&source.nodes.range(definition.name.node).start).map_or(&[][..], Vec::as_slice);
        if let (Some(first), Some(last)) = (defined.first(), segments.last_mut()) {
            (name, *last) = (first.name.clone(), first.name.clone());
        }
        let mut symbol_id = None;
        let mut enclosing = stack.iter().rev().find_map(|open| open.symbol).unwrap_or(0);
        // A field that a constructor declares belongs to the type. Where methods assign it, the first assignment
        // declares it.
        let is_in_callable = symbols[enclosing as usize].kind.is_callable();
        // `before { @queue = Queue.new }` sets it up for the group of tests around it.
        let mut group = None;
        while matches!(definition.kind, Some(Kind::Field | Kind::Property))
            && symbols[enclosing as usize].kind.is_callable()
        {
            group = group.or(Some(enclosing).filter(|id| name.starts_with('@') && groups.contains(id)));
            enclosing = symbols[enclosing as usize].container.unwrap_or(0);
        }
        enclosing = group.filter(|_| !symbols[enclosing as usize].kind.is_type()).unwrap_or(enclosing);
        let is_assigned_field = definition.kind == Some(Kind::Field) && is_in_callable && name.starts_with('@');
        if is_assigned_field && (enclosing == 0 || assigned_fields.contains(&(enclosing, name.clone()))) {
            continue;
        }
        if name.starts_with('@') {
            assigned_fields.insert((enclosing, name.clone()));
        }
        let is_local = !language.has_local_constants
            && symbols[enclosing as usize].kind.is_callable()
            && matches!(definition.kind, Some(Kind::Variable | Kind::Constant));
        if is_local {
            continue;
        }
        if let Some(mut kind) = defined.first().map(|first| first.kind).or(definition.kind) {
            if kind == Kind::Function && symbols[enclosing as usize].kind.is_type() {
                kind = Kind::Method;
            }
            let qualified = prefix.iter().chain(&segments).map(String::as_str).collect::<Vec<_>>();
            let outside = (segments.len() > 1 || stack.last().is_some_and(|open| open.symbol.is_none()))
                .then(|| qualified[..qualified.len() - 1].join(language.separator));
            let mut qualified_name = qualified.join(language.separator);
            if let Some(arity) = definition.arity {
                let _ = write!(qualified_name, "/{arity}");
            }
            let first_clause = last_inside.get(&enclosing).copied().filter(|&before| {
                let before = &symbols[before as usize];
                language.merge_clauses && before.kind == kind && before.qualified_name == qualified_name
            });
            let outer = &symbols[enclosing as usize];
            let begins_inside =
                !kind.is_type() && outer.kind.is_type() && outer.start_line == source.position(definition.extent).0;
            let mut symbol =
                build_symbol(language, source, definition, kind, name, qualified_name, enclosing, &lead, begins_inside);
            symbol.has_body |= defined.first().is_some_and(|first| first.is_definition && kind.is_callable());
            symbol_id = first_clause.or_else(|| u32::try_from(symbols.len()).ok());
            match first_clause {
                Some(first) => add_clause(&mut symbols[first as usize], symbol),
                None => {
                    for more in defined.iter().skip(1) {
                        symbols.push(renamed(&symbol, more));
                        owners.push(outside.clone());
                    }
                    symbol_id = u32::try_from(symbols.len()).ok();
                    symbols.push(symbol);
                    owners.push(outside);
                }
            }
            last_inside.extend(symbol_id.map(|id| (enclosing, id)));
            symbol_at.extend(symbol_id.map(|id| (source.nodes.range(definition.name.node).start, id)));
        }
        stack.push(OpenScope { start_byte: start, end_byte: end, symbol: symbol_id, prefix_len: prefix.len() });
        if definition.is_scope {
            prefix.extend(segments);
            groups.extend(symbol_id.filter(|_| definition.kind == Some(Kind::Test)));
        }
    }
    (owners, symbol_at)
}

/// Another symbol that a macro defines at the same place.
fn renamed(symbol: &Symbol, defined: &DefinedName) -> Symbol {
    let prefix = symbol.qualified_name.strip_suffix(symbol.name.as_str()).unwrap_or("");
    Symbol {
        name: defined.name.clone(),
        qualified_name: format!("{prefix}{}", defined.name),
        kind: defined.kind,
        has_body: defined.is_definition && defined.kind.is_callable(),
        ..symbol.clone()
    }
}

/// Merges another clause of a function, or the equations after its type signature.
fn add_clause(first: &mut Symbol, clause: Symbol) {
    first.end_line = first.end_line.max(clause.end_line);
    first.end_byte = first.end_byte.max(clause.end_byte);
    first.has_body |= clause.has_body;
    first.exported |= clause.exported;
    first.doc = first.doc.take().or(clause.doc);
}

#[expect(clippy::too_many_arguments, reason = "all parts of one symbol")]
fn build_symbol(
    language: &Language,
    source: &ParsedSource<'_>,
    definition: &DefinitionMatch,
    kind: Kind,
    name: String,
    qualified_name: String,
    container: u32,
    lead: &LeadingIndex<'_>,
    begins_inside: bool,
) -> Symbol {
    let nodes = source.nodes;
    let extent = nodes.range(definition.extent);
    let body = find_body(source, definition);
    // A decorated definition's signature begins after the decorators.
    let contains_name =
        |child: &u32| *child <= definition.name.node && definition.name.node < nodes.subtree_end(*child);
    let decorated = source.child(definition.extent, GrammarField::Definition).filter(contains_name);
    let signature_start = decorated.unwrap_or(definition.extent);
    let signature_end = body.map_or(extent.end, |body| nodes.range(body).start);
    let name_end = nodes.range(definition.name.node).end;
    let is_comment = |child: &u32| {
        source.compiled.is_comment(nodes.kind(*child)) && (name_end..signature_end).contains(&nodes.range(*child).start)
    };
    let comment = nodes.children(definition.extent).find(is_comment);
    let signature_end = comment.map_or(signature_end, |comment| nodes.range(comment).start);
    let signature = (kind != Kind::Section)
        .then(|| source.text.get(nodes.range(signature_start).start..signature_end).and_then(clean::signature))
        .flatten();
    let (start_line, end_line) = source.line_range(definition.extent);
    // Comments before a type do not belong to its first member, even if that begins on the same line.
    let (lead_line, comment) = if begins_inside { (start_line, None) } else { lead.leading_before(start_line) };
    let doc = match definition.doc {
        Some(node) => clean::doc(source.text(node)),
        None => comment.and_then(|comment| clean::doc(&comment)),
    };
    let before_name = source.text.get(extent.start..nodes.range(definition.name.node).start).unwrap_or("");
    let exported = match language.export {
        Export::Captured => definition.exported,
        Export::UpperCase => name.starts_with(char::is_uppercase),
        Export::NoUnderscore => !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__")),
        Export::HiddenBy(words) => definition.exported || !contains_keyword(before_name, words),
        Export::ShownBy(words) => definition.exported || contains_keyword(before_name, words),
        Export::All => true,
    };
    let (name_line, name_column) = source.position(definition.name.node);
    Symbol {
        name,
        qualified_name,
        kind,
        lead_line,
        start_line,
        end_line,
        start_byte: extent.start,
        end_byte: extent.end,
        name_line,
        name_column,
        container: Some(container),
        has_body: kind == Kind::Section || body.is_some() && !contains_keyword(before_name, language.declaration_words),
        signature,
        doc,
        exported,
        embedded: false,
        chunk: None,
    }
}

/// Whether the text before a name contains one of the words.
fn contains_keyword(before: &str, words: &[&str]) -> bool {
    before.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '@').any(|word| words.contains(&word))
}

/// The body of a definition: the captured one, or the field `body` of the extent or of a node between it and
/// the name.
fn find_body(source: &ParsedSource<'_>, definition: &DefinitionMatch) -> Option<u32> {
    if definition.body.is_some() {
        return definition.body;
    }
    let name = definition.name.node;
    let mut node = definition.extent;
    loop {
        let body = source.child(node, GrammarField::Body).or_else(|| {
            let value = source.child(node, GrammarField::Value).or_else(|| source.child(node, GrammarField::Right))?;
            source.child(value, GrammarField::Body)
        });
        if body.is_some() {
            return body;
        }
        node = source.nodes.children(node).find(|&child| child <= name && name < source.nodes.subtree_end(child))?;
        if node == name {
            return None;
        }
    }
}

/// Comments and attributes by their last line, to look them up from a symbol upwards.
struct LeadingIndex<'a> {
    text: &'a str,
    leading: &'a [LeadingNode],
    by_end_line: FxHashMap<u32, usize>,
}

impl<'a> LeadingIndex<'a> {
    fn new(leading: &'a [LeadingNode], text: &'a str) -> Self {
        let by_end_line = leading.iter().enumerate().map(|(n, item)| (item.end_line, n)).collect();
        Self { text, leading, by_end_line }
    }

    /// The first line of the comments and attributes directly before a line, and the text of the comments.
    fn leading_before(&self, line: u32) -> (u32, Option<String>) {
        let mut first = line;
        let mut docs: Vec<&str> = Vec::new();
        while let Some(above) = first.checked_sub(1) {
            let found = self.by_end_line.get(&above).map(|&n| &self.leading[n]);
            let Some(item) = found.filter(|item| self.begins_its_line(item)) else { break };
            // Some grammars count the end of the line among a comment's bytes.
            docs.extend(item.doc.as_ref().map(|doc| self.text[doc.clone()].trim_end_matches(['\r', '\n'])));
            first = item.start_line;
        }
        docs.reverse();
        (first, (!docs.is_empty()).then(|| docs.join("\n")))
    }

    /// A comment after code on the same line describes that code, not what follows.
    fn begins_its_line(&self, item: &LeadingNode) -> bool {
        let before = &self.text[..item.start_byte];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        before[line_start..].trim().is_empty()
    }
}

/// Marks the outermost symbols that the file exports apart from their definitions.
pub(super) fn mark_exported(source: &ParsedSource<'_>, exports: &[NameNode], symbols: &mut [Symbol]) {
    let names: FxHashSet<&str> = exports.iter().map(|name| source.text(name.node)).collect();
    if !names.is_empty() {
        let outermost = symbols.iter_mut().filter(|symbol| symbol.container == Some(0));
        outermost.filter(|symbol| names.contains(symbol.name.as_str())).for_each(|symbol| symbol.exported = true);
    }
}

/// Sets the container of symbols whose owner is outside their extent, if the file defines the owner.
pub(super) fn attach_to_containers(language: &Language, symbols: &mut [Symbol], owners: &[Option<String>]) {
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
            // `impl a::B` in a file that defines B: try ever shorter ends of the path.
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
        // A function owned by a type is a method.
        let owner_is_type = symbols[container as usize].kind.is_type();
        if symbols[id].kind == Kind::Function && owner_is_type {
            symbols[id].kind = Kind::Method;
        }
    }
}
