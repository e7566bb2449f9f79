//! tree-sitter's query language, evaluated for taking whole files apart.
//!
//! [`CompiledQuery`] is compiled from query texts, [`FlatTree`] is a syntax tree laid out flat, and
//! [`CompiledQuery::matches`] finds every match. The language and its meaning are tree-sitter's, and a test
//! compares the two on every fixture. What is different is the cost: tree-sitter's own cursor keeps a
//! set of half-finished matches while it visits every node, and analyses the grammar when a query is
//! compiled; for a file's hundreds of thousands of nodes and a language's hundred patterns the one took
//! longer than the parse, the other up to 1.4 seconds a process. Here a pattern is tried only where a
//! node of its outermost kind stands.
//!
//! This crate must not know what captures mean.

mod compile;
mod flat_tree;
mod matcher;
mod parse;

pub use compile::{CompiledQuery, Directives};
pub use flat_tree::FlatTree;

/// Why a query does not compile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}, in line {line}")]
pub struct QueryError {
    message: String,
    line: usize,
}

/// A match: the pattern's number and the captured nodes, in the order of the pattern.
#[derive(Debug)]
pub struct Match<'a> {
    /// The number of the pattern in the order of the texts.
    pub pattern: usize,
    /// Capture and node.
    pub captures: &'a [(u16, u32)],
}
