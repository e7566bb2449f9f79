//! Scope recovery: after a syntax error, enclosing scopes are recovered from matching braces. A grammar
//! often loses the namespace or type around an error, and the symbols inside lose their owner.

use rustc_hash::FxHashMap;
use sextant_format::kinds::Kind;
use sextant_format::names;

use super::braces::{self, BraceScope};
use super::clean;
use super::extraction::Extraction;
use crate::chunk::LineIndex;
use crate::language::Language;
use crate::macros::DefinedName;
use crate::model::Symbol;

/// Sets the owners of symbols by the braces around them, ends types at their closing brace, and adds types and
/// namespaces that the tree lost. `parsed` is the text as the parser saw it, and `defined` what macros define at which
/// bytes of it. Does nothing if the language's row has no scope patterns or the braces are
/// unbalanced.
pub(super) fn recover_scopes(
    language: &Language,
    lines: &LineIndex<'_>,
    parsed: &str,
    defined: &FxHashMap<usize, Vec<DefinedName>>,
    found: &mut Extraction,
) {
    let scope_patterns = &language.compiled().scope_patterns;
    if scope_patterns.is_empty() {
        return;
    }
    let Some(mut scopes) = braces::named_scopes(parsed, scope_patterns) else { return };
    for scope in &mut scopes {
        if let Some(first) = defined.get(&scope.name_byte).and_then(|names| names.first()) {
            scope.name.clone_from(&first.name);
        }
    }
    let ids: Vec<u32> =
        scopes.iter().map(|scope| find_or_add_symbol(scope, lines, language, &mut found.symbols)).collect();
    let ends: Vec<usize> = found.symbols.iter().map(|symbol| symbol.end_byte).collect();
    for (scope, &id) in scopes.iter().zip(&ids) {
        truncate_at(&mut found.symbols[id as usize], scope.extent.end, lines);
    }
    let changes: Vec<Option<(String, u32)>> = (0..found.symbols.len())
        .map(|id| recovered_container(&found.symbols, &ends, id, &scopes, &ids, language.separator))
        .collect();
    for (symbol, change) in found.symbols.iter_mut().zip(changes) {
        if let Some((qualified_name, container)) = change {
            symbol.qualified_name = qualified_name;
            symbol.container = Some(container);
        }
    }
    for id in 1..found.symbols.len() {
        let container = found.symbols[id].container.unwrap_or(0);
        if found.symbols[id].kind == Kind::Function && found.symbols[container as usize].kind.is_type() {
            found.symbols[id].kind = Kind::Method;
        }
    }
    super::embedded::sort_by_position(found);
}

/// Returns the symbol of a scope, which is added if the tree has none.
fn find_or_add_symbol(
    scope: &BraceScope,
    lines: &LineIndex<'_>,
    language: &Language,
    symbols: &mut Vec<Symbol>,
) -> u32 {
    let (line, column) = lines.position(scope.name_byte);
    let name = clean::type_segments(&scope.name).pop().unwrap_or_else(|| scope.name.clone());
    let defines_scope = |symbol: &Symbol| {
        symbol.name == name
            && (symbol.kind.is_type() || symbol.kind.is_transparent())
            && scope.extent.contains(&symbol.start_byte)
            && symbol.name_line == line
    };
    let id = symbols.iter().skip(1).position(defines_scope).map_or(symbols.len(), |at| at + 1);
    if id == symbols.len() {
        let text = lines.text();
        let (start_line, _) = lines.position(scope.extent.start);
        symbols.push(Symbol {
            qualified_name: clean::type_segments(&scope.name).join(language.separator),
            name,
            kind: scope.kind,
            lead_line: start_line,
            start_line,
            end_line: lines.position(scope.extent.end.saturating_sub(1)).0,
            start_byte: scope.extent.start,
            end_byte: scope.extent.end,
            name_line: line,
            name_column: column,
            container: Some(0),
            has_body: true,
            signature: clean::signature(&text[scope.extent.start..scope.inside.start.saturating_sub(1)]),
            doc: None,
            exported: true,
            embedded: false,
            chunk: None,
        });
    }
    u32::try_from(id).unwrap_or(0)
}

/// Ends a symbol at a byte: a type that the tree did not close extends too far.
fn truncate_at(symbol: &mut Symbol, end: usize, lines: &LineIndex<'_>) {
    let last = lines.position(end.saturating_sub(1)).0;
    if symbol.end_line > last {
        (symbol.end_byte, symbol.end_line) = (end, last);
    }
}

/// The qualified name and container of a symbol by the braces, if they differ from those of the tree. `ends` are the
/// ends of the symbols in the tree.
fn recovered_container(
    symbols: &[Symbol],
    ends: &[usize],
    id: usize,
    scopes: &[BraceScope],
    ids: &[u32],
    separator: &str,
) -> Option<(String, u32)> {
    let symbol = symbols.get(id).filter(|_| id > 0)?;
    let is_enclosing =
        |(scope, own): &(&BraceScope, &u32)| **own as usize != id && scope.inside.contains(&symbol.start_byte);
    let enclosing: Vec<(&BraceScope, &u32)> = scopes.iter().zip(ids).filter(is_enclosing).collect();
    let scope_segments: Vec<String> =
        enclosing.iter().flat_map(|(scope, _)| clean::type_segments(&scope.name)).collect();
    let mut own = names::segments(&symbol.qualified_name);
    own.pop()?;
    // Drop owners that the tree closed too late: they do not contain the symbol.
    let mut container = symbol.container;
    while let Some(at) = container.filter(|&at| at > 0) {
        let scope = ids.iter().position(|&scope| scope == at).map(|n| &scopes[n]);
        let is_in_tree = (symbols[at as usize].start_byte..ends[at as usize]).contains(&symbol.start_byte);
        if is_in_tree && scope.is_some_and(|scope| !scope.inside.contains(&symbol.start_byte)) {
            let name = &symbols[at as usize].name;
            own.iter().position(|segment| segment == name).map(|at| own.remove(at));
        }
        container = symbols[at as usize].container;
    }
    // First the owners by braces; then those that only the tree has: an owner written with the name, or an enclosing
    // function.
    let mut rest = own.as_slice();
    for segment in &scope_segments {
        if let Some((first, others)) = rest.split_first()
            && first == segment
        {
            rest = others;
        }
    }
    let mut segments: Vec<&str> = scope_segments.iter().map(String::as_str).collect();
    segments.extend(rest);
    let end = symbol.qualified_name.rfind(&symbol.name).map_or("", |at| &symbol.qualified_name[at..]);
    segments.push(if end.is_empty() { &symbol.name } else { end });
    let qualified_name = segments.join(separator);
    let inner = enclosing.last().map_or(0, |(_, id)| **id);
    // A container inside the innermost scope is kept.
    let is_nearer = |container: u32| {
        let start = symbols[container as usize].start_byte;
        container as usize != id
            && enclosing.last().is_none_or(|(scope, _)| scope.inside.contains(&start))
            && symbols[container as usize].end_byte >= symbol.end_byte
            && start <= symbol.start_byte
    };
    let container = symbol.container.filter(|&container| container > 0 && is_nearer(container)).unwrap_or(inner);
    (qualified_name != symbol.qualified_name || Some(container) != symbol.container)
        .then_some((qualified_name, container))
}
