//! tree-sitter's query language, evaluated over whole files.
//!
//! [`CompiledQuery`] is compiled from the text of a query, [`FlatTree`] stores a syntax tree in flat
//! arrays, and [`CompiledQuery::matches`] finds every match. Syntax and semantics are tree-sitter's; a
//! test in `sextant-syntax` compares the two on every fixture. The difference is the cost. tree-sitter's
//! cursor maintains a set of partial matches while it visits every node, which took longer than the
//! parse for a file with hundreds of thousands of nodes and a language with a hundred patterns. Its
//! compiler analyses the grammar, which took up to 1.4 seconds a process. Here a pattern is tried only
//! at nodes of its outermost kind.
//!
//! This crate must not know what captures mean.
//!
//! ```
//! use sextant_tree_query::{CompiledQuery, FlatTree};
//!
//! let grammar: tree_sitter::Language = tree_sitter_rust::LANGUAGE.into();
//! let query = CompiledQuery::new(&grammar, "(function_item name: (identifier) @name)")?;
//!
//! let text = "fn parse() {}\nfn print() {}\n";
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&grammar)?;
//! let tree = parser.parse(text, None).expect("the parse is not cancelled");
//! let mut nodes = FlatTree::default();
//! nodes.load(&tree);
//!
//! let mut names = Vec::new();
//! query.matches(&nodes, text, |found| {
//!     for &(capture, node) in found.captures {
//!         assert_eq!(query.capture_names()[usize::from(capture)], "name");
//!         names.push(&text[nodes.range(node)]);
//!     }
//! });
//! assert_eq!(names, ["parse", "print"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compile;
mod error;
mod flat_tree;
mod matcher;
mod parse;

pub use compile::{CompiledQuery, Directives};
pub use error::QueryError;
pub use flat_tree::FlatTree;
pub use matcher::Match;
