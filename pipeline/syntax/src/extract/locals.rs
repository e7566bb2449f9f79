//! Local bindings: which names the functions of a file bind, to distinguish their uses from uses of outer definitions
//! with the same name. Knows symbols and their extents, but not how references are resolved.

use rustc_hash::FxHashMap;
use sextant_format::kinds::Kind;

use super::parsed_source::ParsedSource;
use crate::model::Symbol;

/// The enclosing symbols during a sweep over the text.
pub(super) struct EnclosingSymbols<'a> {
    symbols: &'a [Symbol],
    stack: Vec<u32>,
    next: usize,
}

impl<'a> EnclosingSymbols<'a> {
    pub(super) fn new(symbols: &'a [Symbol]) -> Self {
        Self { symbols, stack: vec![0], next: 1 }
    }

    /// The symbols around a byte, innermost last. Calls must be in ascending order of bytes.
    pub(super) fn stack_at(&mut self, byte: usize) -> &[u32] {
        while let Some(symbol) = self.symbols.get(self.next).filter(|symbol| symbol.start_byte <= byte) {
            self.close(symbol.start_byte);
            self.stack.push(u32::try_from(self.next).unwrap_or(0));
            self.next += 1;
        }
        self.close(byte);
        &self.stack
    }

    fn close(&mut self, at: usize) {
        while self.stack.len() > 1 && self.stack.last().is_some_and(|&id| self.symbols[id as usize].end_byte <= at) {
            self.stack.pop();
        }
    }
}

/// Whether names are bound in a symbol of a kind: in functions, and in the accessors and values of others.
const fn binds_names(kind: Kind) -> bool {
    kind.is_callable() || matches!(kind, Kind::Property | Kind::Field | Kind::Constant | Kind::Variable)
}

/// Where a binding is visible in its function.
#[derive(Default)]
struct Binding {
    /// Visible in the whole function.
    is_everywhere: bool,
    /// The values of the bindings: each is visible everywhere except in its own value, as `let x = x()` calls another
    /// `x`.
    values: Vec<std::ops::Range<usize>>,
}

impl Binding {
    fn covers(&self, at: usize) -> bool {
        self.is_everywhere || self.values.iter().any(|value| !value.contains(&at))
    }
}

/// The names that the functions of a file bind.
#[derive(Default)]
pub(super) struct LocalBindings<'a> {
    bindings: FxHashMap<(u32, &'a str), Binding>,
    /// Definitions inside functions, which take precedence over bindings of outer functions.
    definitions: rustc_hash::FxHashSet<(u32, &'a str)>,
}

/// What the functions of a file bind: values, and types by type parameters.
pub(super) struct Locals<'a> {
    pub(super) values: LocalBindings<'a>,
    pub(super) types: LocalBindings<'a>,
}

impl<'a> LocalBindings<'a> {
    /// `nodes` are the bound names; `values` maps the node of a name to that of its value.
    pub(super) fn new(
        source: &ParsedSource<'a>,
        mut nodes: Vec<u32>,
        values: &FxHashMap<u32, u32>,
        symbols: &'a [Symbol],
    ) -> Self {
        let mut locals = Self::default();
        if nodes.is_empty() {
            return locals;
        }
        nodes.sort_by_key(|&node| source.nodes.range(node).start);
        let mut enclosing = EnclosingSymbols::new(symbols);
        let binds = |id: &&u32| binds_names(symbols[**id as usize].kind);
        for node in nodes {
            let stack = enclosing.stack_at(source.nodes.range(node).start);
            if let Some(&function) = stack.iter().rev().find(binds) {
                let value = values.get(&node).map(|&value| source.nodes.range(value));
                let bound = locals.bindings.entry((function, source.text(node))).or_default();
                match value {
                    Some(value) => bound.values.push(value),
                    None => bound.is_everywhere = true,
                }
            }
        }
        for symbol in &symbols[1..] {
            if let Some(container) = symbol.container.filter(|&id| binds_names(symbols[id as usize].kind)) {
                locals.definitions.insert((container, symbol.name.as_str()));
            }
        }
        locals
    }

    /// Whether a name at a byte refers to a binding of an enclosing function, not to a definition.
    pub(super) fn is_local_at(&self, stack: &[u32], name: &str, at: usize) -> bool {
        let is_bound = |id: u32| self.bindings.get(&(id, name)).is_some_and(|bound| bound.covers(at));
        let nearest = stack.iter().rev().find_map(|&id| {
            let is_defined = self.definitions.contains(&(id, name));
            (is_defined || is_bound(id)).then_some(!is_defined)
        });
        nearest.unwrap_or(false)
    }
}
