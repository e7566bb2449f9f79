//! What a file says of types: of symbols, of what functions bind and return, of members that are only ever
//! assigned. Knows what the query captured and the symbols; what a text means is [`super::types`]'.

use rustc_hash::{FxHashMap, FxHashSet};

use sextant_format::kinds::Kind;

use super::locals::Around;
use super::source::Source;
use super::types;
use crate::language::Language;
use crate::model::{Symbol, TypeHint};

/// What a match says of a name's type.
#[derive(Clone, Copy)]
pub(super) struct Typed {
    pub(super) of: Of,
    /// The written type.
    pub(super) written: Option<u32>,
    /// The value that it has.
    pub(super) value: Option<u32>,
}

impl Typed {
    /// The name's node and the value's.
    pub(super) fn value_of_name(&self) -> Option<(u32, u32)> {
        match self.of {
            Of::Name(node) => self.value.map(|value| (node, value)),
            _ => None,
        }
    }
}

/// What something is said of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// A name: of a symbol, or bound by a function.
    Name(u32),
    /// A name that is bound to the member of that name: `const { a } = b`.
    Part(u32),
    /// A member of the type around.
    Member(u32),
    /// What the function around returns.
    Result(u32),
    /// What the whole file is where another loads it.
    Module(u32),
    /// What the file exports without a name.
    Default(u32),
}

impl Of {
    const fn node(self) -> u32 {
        match self {
            Self::Name(node)
            | Self::Part(node)
            | Self::Member(node)
            | Self::Result(node)
            | Self::Module(node)
            | Self::Default(node) => node,
        }
    }
}

/// Under this name stands what a module is as a whole: `module.exports = f`.
pub const WHOLE_MODULE: &str = "module.exports";
/// Under this name stands what a module exports without one: `export default f`.
pub const DEFAULT_EXPORT: &str = "default";

/// The chain of a member of a type or a value.
fn part(is_written: bool, text: &str, name: &str) -> String {
    match text {
        "" => String::new(),
        types::BUILT_IN => types::BUILT_IN.to_owned(),
        _ if is_written => format!("<{text}>.{name}"),
        _ => text.split('|').map(|one| format!("{one}.{name}")).collect::<Vec<_>>().join("|"),
    }
}

/// The hints of a file. `locals` are nodes that functions bind, `symbol_at` the symbols by the byte that their
/// names begin at.
pub(super) fn hints(
    language: &Language,
    source: &Source<'_>,
    mut typed: Vec<Typed>,
    locals: &[u32],
    symbol_at: &FxHashMap<usize, u32>,
    symbols: &[Symbol],
) -> Vec<TypeHint> {
    if language.queries.types.is_empty() {
        return Vec::new();
    }
    // A name that nothing is said of still hides what is farther out.
    let known: FxHashSet<u32> = typed.iter().map(|typed| typed.of.node()).collect();
    let untold = locals.iter().filter(|node| !known.contains(node));
    typed.extend(untold.map(|&node| Typed { of: Of::Name(node), written: None, value: None }));
    typed.sort_by_key(|typed| (source.nodes.range(typed.of.node()).start, typed.written.is_none(), typed.value));
    let mut around = Around::new(symbols);
    let mut out = Vec::with_capacity(typed.len());
    for Typed { of, written, value } in typed {
        let at = source.nodes.range(of.node()).start;
        let stack = around.at(at);
        let symbol = symbol_at.get(&at).copied().filter(|_| matches!(of, Of::Name(_)));
        let innermost = |wanted: &dyn Fn(&Symbol) -> bool| {
            stack.iter().rev().copied().find(|&id| Some(id) != symbol && wanted(&symbols[id as usize]))
        };
        let function = innermost(&|symbol| symbol.kind.is_callable() || symbol.kind == Kind::Property);
        let scope = symbol
            .filter(|&id| symbols[id as usize].kind.is_callable())
            .or(function.max(innermost(&|symbol| symbol.kind.is_type())))
            .unwrap_or(0);
        // Marks of instance variables and of names as values are no part of the name.
        let name = || Some(source.text(of.node()).trim_start_matches(['@', ':']).to_owned());
        let (symbol, name) = match (of, symbol) {
            (Of::Name(_), Some(symbol)) => (symbol, None),
            (Of::Part(_), _) => (function.unwrap_or(0), name()),
            (Of::Name(_), None) => (function.unwrap_or(0), name()),
            (Of::Member(_), _) => match innermost(&|symbol| symbol.kind.is_type()) {
                Some(of_type) => (of_type, name()),
                None => continue,
            },
            (Of::Result(_), _) => match function {
                Some(function) => (function, None),
                None => continue,
            },
            (Of::Module(_), _) => (0, Some(WHOLE_MODULE.to_owned())),
            (Of::Default(_), _) => (0, Some(DEFAULT_EXPORT.to_owned())),
        };
        let value = if matches!(of, Of::Result(_) | Of::Module(_) | Of::Default(_)) { Some(of.node()) } else { value };
        let (is_written, text) = match (written, value) {
            (Some(written), _) => (true, types::types(source.text(written), language.wrappers)),
            (None, Some(value)) => (false, types::chain(source.text(value))),
            (None, None) => (false, String::new()),
        };
        let (is_written, text) = match of {
            Of::Part(_) => (false, part(is_written, &text, source.text(of.node()))),
            _ => (is_written, text),
        };
        // A function that is its own result, and a name that is its own value, say nothing.
        if !matches!(of, Of::Name(_)) || name.as_deref() != Some(text.as_str()) || is_written {
            out.push(TypeHint { symbol, name, scope, is_written, text });
        }
    }
    out
}
