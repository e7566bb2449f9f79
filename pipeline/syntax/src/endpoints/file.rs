//! What is known of a file when its endpoints are looked for, and an endpoint that was found. Must not know how.

use sextant_format::kinds::EdgeKind;

use super::words::last_name;
use crate::chunk::LineIndex;
use crate::language::Language;
use crate::model::{Reference, Symbol, TypeFact};

/// What begins the name of a reference that mounts a router below a path: its alias and qualifier name the router, or the
/// text of its module.
pub const MOUNT: &str = "MOUNT ";
/// The path of such a reference if it is not written in the code.
pub const UNKNOWN_PREFIX: &str = "{?}";

/// An endpoint that was found, and where.
pub(super) struct Found {
    pub(super) kind: EdgeKind,
    pub(super) name: String,
    /// The function that asks, or the handler.
    pub(super) source: u32,
    /// The name of the handler, if it is not `source`: receiver and name.
    pub(super) handler: Option<(Option<String>, String)>,
    /// The byte of the text that names the endpoint.
    pub(super) at: usize,
}

/// What is known of a file.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) language: &'static Language,
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) lines: &'a LineIndex<'a>,
    pub(super) symbols: &'a [Symbol],
    pub(super) type_facts: &'a [TypeFact],
    pub(super) references: &'a [Reference],
}

impl Source<'_> {
    /// Whether a name may be that of a function: the file defines one, or imports the name.
    pub(super) fn may_be_function(&self, name: &str) -> bool {
        let is_defined = |symbol: &Symbol| symbol.name == name && (symbol.kind.is_callable() || symbol.kind.is_type());
        let mut imports = self.references.iter().filter(|reference| reference.kind == EdgeKind::Import);
        self.symbols.iter().any(is_defined)
            || imports.any(|import| last_name(import.alias.as_deref().unwrap_or(&import.name)) == name)
    }

    /// The type whose member a symbol is.
    pub(super) fn owner_of(&self, symbol: u32) -> &str {
        let segments = sextant_format::names::segments(&self.symbols[symbol as usize].qualified_name);
        segments.len().checked_sub(2).and_then(|at| segments.get(at)).copied().unwrap_or("")
    }

    /// Whether the path is that of a test: a request may then have any receiver.
    pub(super) fn is_test(&self) -> bool {
        let path = self.path.to_ascii_lowercase();
        path.split(['/', '.', '_', '-']).any(|part| matches!(part, "test" | "tests" | "spec" | "specs"))
            || path.contains("test.")
            || path.contains("tests.")
    }
}
